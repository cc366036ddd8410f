"""What readers are told: the picture of who holds which base."""

"""What the resolution of a step is made of."""

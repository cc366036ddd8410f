"""What a resolution is made of: the turn while it is resolved, its phases in their order, and who has won."""

"""What the resolution is made of: the turn while it is resolved, and its phases."""

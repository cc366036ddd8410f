"""What a position is made of: the state, the squares, and the size and starts of a map."""

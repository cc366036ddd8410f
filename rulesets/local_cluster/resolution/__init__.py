"""What a move and the end of a Turn are made of."""

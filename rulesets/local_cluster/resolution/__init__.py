"""The parts of a move and of the end of a Turn."""

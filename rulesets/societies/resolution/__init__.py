"""The parts of a resolution: the turn while it is resolved, its phases in order, and who has won."""

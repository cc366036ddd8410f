"""The parts of the resolution: the turn while it is resolved, and its phases."""

"""The parts of the resolution of a step."""

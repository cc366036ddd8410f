"""The parts of the check on arrival: what is wrong with a line, and a right one in its place."""

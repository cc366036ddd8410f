"""The parts of the check of order lines on arrival."""

"""The parts of a turn's resolution: the yard, plans, war."""

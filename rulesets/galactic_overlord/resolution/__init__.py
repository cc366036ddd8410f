"""What the resolution of a turn is made of: the yard, plans, war."""

"""What a position is made of: factions, bases, names, fleets."""

"""What a position is made of: the map, the factions, what follows from them, and names."""

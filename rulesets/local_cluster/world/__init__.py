"""What a position is made of: the map, the States and what they have, names, and the checks of its document."""

"""What a position is made of: map, counters, names, and what each side sees."""

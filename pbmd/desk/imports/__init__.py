"""A game that comes from an archive: its position and its records."""

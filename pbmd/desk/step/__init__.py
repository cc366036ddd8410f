"""A step of a game: what is on file, missed, resolved, reported; knows no letter."""

"""A step of a game: its orders, missed deadlines, resolution and reports; knows nothing of letters."""

"""A whole game by mail, through a post office of its own."""

TURNS = 40
"""After so many the game ends, if nobody has won."""

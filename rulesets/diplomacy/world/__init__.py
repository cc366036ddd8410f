"""The things in a game: boards, units, orders in the judges' notation, and the state of a game."""

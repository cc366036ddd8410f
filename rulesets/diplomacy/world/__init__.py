"""What there is: boards, units, orders in the judge's notation, and the state of a game."""

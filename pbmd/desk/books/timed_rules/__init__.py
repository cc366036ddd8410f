"""How long the rules of a game may take."""

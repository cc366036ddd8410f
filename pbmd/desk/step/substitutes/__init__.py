"""Substitutes for players: who wants one, and what the player whose seat one has gets to read."""

"""The commands of players and of the game master as they are written; knows nothing of games."""

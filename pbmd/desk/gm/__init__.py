"""What the game master may say, and the question before anything that cannot be undone."""

"""What the game master may say, and the question before what cannot be undone."""

"""A whole game by mail, through a post office of its own."""

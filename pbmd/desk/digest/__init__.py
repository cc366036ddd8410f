"""What waits for the game master, and the mails about it."""

"""What waits for the game master, and the mails that tell them so."""

"""What can be done to a game by those who have the right; each is a change, an entry, a line of the log, a mail."""

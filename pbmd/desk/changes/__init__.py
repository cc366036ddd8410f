"""What can be done to a game by whoever has the right; each is a change, an entry, a line of the log, a mail."""

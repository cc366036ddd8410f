"""Letters in, over IMAP."""

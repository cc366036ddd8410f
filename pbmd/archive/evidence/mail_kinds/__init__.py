"""What a mail of each kind must say, made again from the books, or from the rest of the mail, and compared as a whole."""

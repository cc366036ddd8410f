"""One transaction: the desk, the work, the table of a game with its deadlines; knows the ledger and the rules."""

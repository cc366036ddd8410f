"""One transaction: the desk, the open games with their deadlines, the rows to be written; knows the ledger and the rules."""

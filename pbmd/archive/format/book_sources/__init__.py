"""Where the books of a game come from: an archive, or the ledger."""

"""What the terms of a game promise: time in words, deadlines that recur, quiet days. Nothing here knows a ledger or a mail."""

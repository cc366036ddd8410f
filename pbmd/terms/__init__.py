"""What the terms of a game promise: time in words, deadlines that recur, quiet days. Nothing here knows about ledgers or
mail."""

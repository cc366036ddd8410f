"""The check of letters: what is written, what it means on this board, and what is said of it."""

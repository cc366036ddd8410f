"""The check of letters: what is written, what it means on this board, and how it is answered."""

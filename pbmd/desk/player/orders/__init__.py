"""The orders in a letter of a seat: for which step they are, whether they count, and what is answered about them."""

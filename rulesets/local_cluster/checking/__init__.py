"""What the check on arrival is made of: what is wrong with a line, and a right one in its place."""

"""What readers get to see: a view made into text and HTML, and its map into a picture."""

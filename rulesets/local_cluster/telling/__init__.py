"""What views and reports are made of."""

"""What the check of order lines on arrival is made of."""

"""What the check on arrival is made of: which lines are orders, the sheet in the making, and right lines for wrong ones."""

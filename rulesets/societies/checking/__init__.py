"""What the check on arrival is made of: reading, the rules of each kind of order, what is foreseen, and right examples."""

"""A stored letter opened: whose it is, what it asks, what is answered."""

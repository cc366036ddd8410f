"""Games that open themselves, and the places in a game whose seats are given when it begins."""

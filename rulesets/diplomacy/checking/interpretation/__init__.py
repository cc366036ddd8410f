"""Badly written orders: what their words may be, how these make orders, and which of them can be meant on this board."""

"""Lines and headings in words of people's own, which are no orders: what they do to the orders beside them and below."""

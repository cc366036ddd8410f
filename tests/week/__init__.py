"""A week of a club's life in an hour: see `tests.week.week`."""

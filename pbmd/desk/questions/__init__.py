"""Questions by mail that wait for a YES or a NO, among them offers of seats."""

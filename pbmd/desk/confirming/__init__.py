"""Letters that wait for a YES, and what a YES or a NO causes."""

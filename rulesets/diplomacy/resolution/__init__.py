"""What happens: which orders can be carried out, who moves, retreats, builds and votes, and the sequence of phases."""

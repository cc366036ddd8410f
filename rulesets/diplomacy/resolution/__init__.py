"""What happens: which orders can be carried out, who moves, retreats, builds and votes, and the course of the phases."""

"""Seats that miss so much that nobody waits for them any more: how they fall asleep, what is said of it, how they wake up."""

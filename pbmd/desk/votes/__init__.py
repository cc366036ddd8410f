"""Votes of the players: what they can vote on, how it is proposed and answered, and what follows when a vote is over."""

"""Results over games: who of the players that agreed to be listed came in which place, and a rating of each.

It is all worked out anew from the games that are over, and nothing of it is stored. Whoever has not agreed appears as nobody:
in the ratings of others as a player of whom nothing is known, the same for all, so that nothing here depends on who they are.
"""

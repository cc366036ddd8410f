"""A game at one machine, to see what a ruleset is like: no mail servers, nothing to set up.

What is typed becomes a letter, and what is shown is what pbmd would mail: the desk is the one of the daemon, with a clock that
stands still until a step is resolved. `local_desk` is that desk, `game` the game at it and those who play along, `terminal` and
`browser` what a person sees of it.
"""

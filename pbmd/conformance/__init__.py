"""Whether a ruleset keeps what the protocol promises: whatever pbmd will later rely on is tried in games of random and hostile
orders (`pbmd try`).

`promises` is the table of what is promised. `guard` watches each function of the ruleset, `scenes` are steps of games, and the
other modules have small checks of a scene, or of a ruleset, that yield what they find; `table` lists them, `trial` makes them.
"""

"""Whether a ruleset keeps what the protocol promises: everything that pbmd will rely on later is tried in games with random and
hostile orders (`pbmd try`).

`promises` is the table of what is promised. `watched_ruleset` watches each function of the ruleset, `scenes` are steps of
games, and the other modules have small checks of a scene, or of a ruleset, that yield what they find; `check_table` lists them,
`trial` runs them.
"""

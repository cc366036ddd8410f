"""What every ruleset has promised by the protocol (`pbmd.rules.protocol`, docs/rulesets.md), held against all installed ones.

A ruleset needs no line of code for it: games are played with its own random players, and none of its texts is known here. Each
promise is a check of a scene, a step of such a game; small rulesets that do not keep it show that the check can fail.
"""

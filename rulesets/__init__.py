"""The rulesets that come with pbmd, one folder each. They import `pbmd.rules` and nothing else of pbmd."""

"""What every ruleset promises, be it one of pbmd's own, another that is installed, or one of the small games of the tests."""

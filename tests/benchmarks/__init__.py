"""`make bench`: how fast and how lean pbmd is, measured against yardsticks in the same run. See ``docs/benchmarks.md``."""

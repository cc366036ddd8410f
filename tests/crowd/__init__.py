"""Very many games at one ledger, with a clock of their own: see `tests.crowd.crowd`."""

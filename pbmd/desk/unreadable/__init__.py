"""Values of the ledger that cannot be read: found, put aside, and reported, so that only their own game or mail is held up."""

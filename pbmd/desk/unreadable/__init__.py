"""Values of the ledger that cannot be read: found, put aside, and told of, so that nobody but their game or mail is held up."""

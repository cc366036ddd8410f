"""Values of the ledger that cannot be read: who is told, and who plays on."""

"""What the GM looks at. It reads the ledger and never changes it."""

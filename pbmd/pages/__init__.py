"""The pages that the game master looks at. They are made from the ledger and never change it."""

"""A ledger moved into another database, with all its rows: from a file into PostgreSQL, back, or from one server to another."""

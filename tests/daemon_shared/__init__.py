"""Several at one ledger on PostgreSQL: who has which part, who may write beside whom, and what becomes of who is gone."""

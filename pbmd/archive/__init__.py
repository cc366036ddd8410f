"""Games as folders of plain files, made from the ledger alone."""

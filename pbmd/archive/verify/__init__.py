"""Whether an archive is what happened: recomputed and compared."""

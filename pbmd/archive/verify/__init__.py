"""Whether an archive is what happened: made again and compared."""

"""What all of the archive rests on: the journal's entries, what of them is whose, limits and findings."""

"""What all of the archive rests on: the journal's entries, who may know what of them, limits and findings."""

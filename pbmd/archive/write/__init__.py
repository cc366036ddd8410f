"""A game written as plain files."""

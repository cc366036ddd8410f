"""Backups and the way back, games from archives, the pages kept up to date."""

"""Backups and restoring them, damage, tidying, and who can read pbmd's files."""

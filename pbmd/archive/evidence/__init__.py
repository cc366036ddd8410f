"""Mails held against the books."""

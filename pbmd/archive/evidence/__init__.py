"""Mails checked against the books."""

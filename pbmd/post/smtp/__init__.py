"""Mails out, over SMTP."""

"""E-mail in and out: the inbox over IMAP, the letter, who sent it, the answer, and the outbox over SMTP.

Nothing here knows about games. The modules are imported by name; this file stays empty so that each costs only what it needs.
"""

"""The outbox on its way to the mail server, and bounces."""

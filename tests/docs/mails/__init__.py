"""A sample of every kind of mail that pbmd sends, in docs/mails/: made, measured, and held true."""

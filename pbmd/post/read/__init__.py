"""Bytes of a mail into a letter; never raises, whatever comes."""

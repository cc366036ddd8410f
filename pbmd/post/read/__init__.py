"""The bytes of a mail made into a letter; never raises, whatever comes."""

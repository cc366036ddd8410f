"""What a person sees of a mail that has HTML, held against what its text says.

Most mail programs show the HTML, and `archive.receipt` reads the text: whoever alters only the one must not get by.
"""

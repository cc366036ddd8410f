"""What a person sees of a mail with HTML, compared with what its text says.

Most mail programs show the HTML, while `archive.evidence` reads the text: altering only one of them must not go unnoticed.
"""

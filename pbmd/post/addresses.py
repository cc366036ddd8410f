"""Addresses as they are compared.

A From that names more or less than one address proves nobody.
"""

import string

_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def folded(address: str) -> str:
    """An address with ASCII capitals made small, and nothing else (RFC 4343). By Unicode a KELVIN SIGN is a k in small letters;
    it is another character all the same, and an address with it another address."""
    return address.lower() if address.isascii() else address.translate(_SMALL)

"""Addresses as they are compared.

A From that names more or less than one address proves nobody.
"""

import string

_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def folded(address: str) -> str:
    """An address with ASCII capitals in lower case, and nothing else (RFC 4343). By Unicode, a KELVIN SIGN in lower case is a
    k; but it is a different character, and an address with it is a different address."""
    return address.lower() if address.isascii() else address.translate(_SMALL)


def same_address(one: str, other: str) -> bool:
    """Whether two addresses are one."""
    return folded(one) == folded(other)


def same_mailbox(one: str, other: str) -> bool:
    """Whether mail to two addresses goes to one mailbox: what stands behind a plus is not looked at."""
    return _base(one) == _base(other)


def _base(address: str) -> str:
    local, at, domain = folded(address).rpartition("@")
    return local.partition("+")[0] + at + domain

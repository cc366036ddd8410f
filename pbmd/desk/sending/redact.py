"""What may be shown of a mail server's answers."""

import re

_ANY_ADDRESS = re.compile(r"[^\s<>()\"',;:@]+@[^\s<>()\"',;:@]+")


def without_addresses(text: str) -> str:
    """What a mail server said, without the addresses in it."""
    return _ANY_ADDRESS.sub("(address)", text)

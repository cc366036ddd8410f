"""Whether a mail was refused because of its sender or its recipient."""

import re

ABOUT_US = ("5.1.7", "5.1.8", "5.1.90", "5.2.252", "5.4.5", "5.7.60", "5.7.232", "5.7.233")
"""Codes of refusals that are about the sender: its address (RFC 3463), or its quota at Gmail and Microsoft 365."""
_CODE = re.compile(r"5\.\d{1,3}\.\d{1,3}\b")
_OUR_LIMIT = re.compile(
    r"sender address rejected"
    r"|\b(?:daily|hourly|sending|sender|outgoing|outbound)\b[^.;]*\b(?:limit|quota)\b[^.;]*\b(?:exceeded|reached)\b"
    r"|\b(?:exceeded|reached)\b[^.;]*\b(?:daily|hourly|sending|sender|outgoing|outbound)\b[^.;]*\b(?:limit|quota)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"<[^>]*>|\S+@\S+")
_THEIRS = re.compile(r"5\.(?:1\.(?:[1236]|10)|2\.\d{1,3})\b")


def is_about_us(text: str) -> bool:
    """Whether a permanent refusal is about the sender. Words within addresses do not count: whoever chose an address chose
    them."""
    words = _ADDRESS.sub("", text)
    code = _CODE.match(words)
    if code and code[0] in ABOUT_US:
        return True
    return not _THEIRS.match(words) and _OUR_LIMIT.search(words) is not None

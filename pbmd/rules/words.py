"""Counts and lists in plain English."""

from collections.abc import Iterable


def counted(count: int, thing: str, things: str = "") -> str:
    """ "1 fleet", "3 fleets", "2 armies"; `things` is the plural where it is not made with an s."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def listing(things: Iterable[str], word: str = "and") -> str:
    """ "A", "A and B", "A, B and C"; "" for none."""
    *others, last = [*things] or [""]
    return f"{', '.join(others)} {word} {last}" if others else last

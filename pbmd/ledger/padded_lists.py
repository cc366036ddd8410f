"""Lists of values as SQL's `IN` takes them. Each number of values is a statement of its own, which the database prepares and
its driver keeps: a hundred and more of them, of up to 100 kB each, for each connection to SQLite."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def padded(values: Iterable[T]) -> list[T]:
    """The same values, the last as often as it takes for their number to be a power of two: so there are few statements, which
    find what they would find."""
    listed = [*values]
    return listed + listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed)) if listed else listed

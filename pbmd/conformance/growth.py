"""A position that grows from step to step, without end: every letter and page of a long game would take longer than the one
before, and the ledger keeps all of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

_LONG = 30
"""A shorter game shows nothing."""
_OFTEN = 0.75
"""In so many of its later steps something grows that will never stop."""


def growing(documents: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """The lists, tables and texts in a position, given by a document for each step of a game, to which something was added in
    nearly every step, and nothing in them has ever changed; with their size at last. Ships that are built move, and are lost; a
    history stays. What only goes from one place to another, as cards from a pile, makes no position longer."""
    late = documents[len(documents) // 2 :] if len(documents) >= _LONG else []
    if late and _length(late[-1]) - _length(late[0]) >= len(late) // 2:
        yield from _growing("", late)


def _length(document: Any) -> int:
    """How many values and characters there are in all."""
    if isinstance(document, dict):
        return _length([*cast("dict[str, Any]", document).values()])
    if isinstance(document, list):
        return sum(map(_length, cast("list[Any]", document)))
    return 1 + len(document) if isinstance(document, str) else 1


def _growing(name: str, values: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """What grows in that part, as it was in each step: the whole, or parts of it."""
    steps = [*pairwise(values)]
    if all(_goes_on(before, after) for before, after in steps):
        if sum(len(before) < len(after) for before, after in steps) >= _OFTEN * len(steps):
            yield name, len(values[-1])
        return
    for key in _keys(values[0]):
        if all(key in _keys(value) for value in values):
            yield from _growing(f"{name}.{key}" if name else str(key), [value[key] for value in values])


def _keys(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return [*cast("dict[str, Any]", value)]
    return range(len(cast("list[Any]", value))) if isinstance(value, list) else ()


def _goes_on(before: Any, after: Any) -> bool:
    """Whether the second is the first, with perhaps more at its end or beginning."""
    if type(before) is not type(after) or not isinstance(before, dict | list | str):
        return False
    if isinstance(before, dict):
        later = cast("dict[str, Any]", after)
        return all(key in later and later[key] == value for key, value in cast("dict[str, Any]", before).items())
    return after[: len(before)] == before or after[len(after) - len(before) :] == before

"""A position that grows from step to step, without end: every letter and page of a long game would take longer than the one
before, and the ledger keeps all of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

_LONG = 30
"""A shorter game shows nothing."""
_OFTEN = 0.75
"""In so many of its later steps something grows that will never stop."""


def growing(documents: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """The parts of a position, given by a document for each step of a game, that have grown in nearly every step and have never
    become smaller; with their size at last. Numbers have none."""
    sizes = [_sizes(document) for document in documents]
    for part in sizes[-1] if len(documents) >= _LONG else ():
        steps = [later[part] - earlier[part] for earlier, later in pairwise(sizes)]
        late = steps[len(steps) // 2 :]
        if min(steps) >= 0 and sum(step > 0 for step in late) >= _OFTEN * len(late):
            yield part, sizes[-1][part]


def _sizes(document: Any, way: str = "") -> Counter[str]:
    """How much is in each list, table and text; those of all items of a list together."""
    found = Counter[str]()
    if isinstance(document, dict):
        table = cast("dict[str, Any]", document)
        found[way] += len(table)
        for key, value in table.items():
            found += _sizes(value, f"{way}.{key}" if way else key)
    elif isinstance(document, list):
        items = cast("list[Any]", document)
        found[way] += len(items)
        for value in items:
            found += _sizes(value, f"{way}[]")
    elif isinstance(document, str):
        found[way] += len(document)
    return found

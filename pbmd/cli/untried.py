"""What `pbmd try` says of what it could not try."""

from collections.abc import Iterator
from typing import Any

from pbmd.cli.rulesets import shown_place
from pbmd.conformance.untried import Untried
from pbmd.rules.troubles import PlaceInFile

_MOST_CHANGES = 12
"""So many are told; who has tested these gets the next."""


def sentences(left: Untried) -> Iterator[str]:
    """Each a line."""
    for cut in left.cut_short:
        yield f"Untried: {cut.check}: in {cut.left_out} of {cut.steps} steps of games, for lack of time."
    if left.unused_rules:
        unused = ", ".join(f"{each.name} (line {each.line})" if each.line else each.name for each in left.unused_rules)
        yield f"Untried: no accepted letter used these parts of orders.lark: {unused}."
    for each in left.unrun_lines or ():
        lines = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in each.ranges)
        yield f"Untried: {shown_place(PlaceInFile(each.file, 0))}: lines {lines} never ran."
    if left.uncited_rules:
        uncited = ", ".join(f"{each.name} (line {each.line})" for each in left.uncited_rules)
        yield f"Untried: no test cites these rules of RULES.md: {uncited}."
    yield from _to_look_at(left)
    if left.idle_options:
        yield f"Untried: whatever these options were, the games came out the same: {', '.join(left.idle_options)}."
    if left.tests_left_out:
        yield f"Untried: the tests of the folder were not run: {left.tests_left_out}."


def _to_look_at(left: Untried) -> Iterator[str]:
    """What may be right, and only the author can tell."""
    for change in left.unnoticed[:_MOST_CHANGES]:
        place = shown_place(PlaceInFile(change.file, change.line))
        yield f"Untested: {place}: no test and no story notices if {change.was} were {change.now}"
    if len(left.unnoticed) > _MOST_CHANGES:
        yield f"Untested: {len(left.unnoticed) - _MOST_CHANGES} more lines of that kind."
    for each in left.one_sided:
        yield f"Look: of {each.key} in the view the report in {each.hides} shows nothing, and that in {each.shows} does."
    if left.set_order:
        yield f"Look: {shown_place(left.set_order)} goes through a set, whose order is another in each process."
    if left.unoffered:
        yield f"Look: players write these parts of orders.lark, and no form offered them: {', '.join(left.unoffered)}."
    if left.odd_orders:
        yield f"Taken: {'; '.join(f'“{each.line}” ({each.what})' for each in left.odd_orders)}. Is that meant?"


def as_json(left: Untried) -> dict[str, Any]:
    """For programs."""
    lines = left.unrun_lines
    return {
        "cut_short": [each._asdict() for each in left.cut_short],
        "unused_rules": [each._asdict() for each in left.unused_rules],
        "unrun_lines": None if lines is None else [{"file": each.file, "lines": [*map(list, each.ranges)]} for each in lines],
        "uncited_rules": [each._asdict() for each in left.uncited_rules],
        "unnoticed": [each._asdict() for each in left.unnoticed],
        "one_sided": [each._asdict() for each in left.one_sided],
        "unoffered": left.unoffered,
        "set_order": left.set_order and [left.set_order.file, left.set_order.line],
        "odd_orders": [each._asdict() for each in left.odd_orders],
        "idle_options": left.idle_options,
        "tests_left_out": left.tests_left_out or None,
    }

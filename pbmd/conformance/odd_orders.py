"""Orders that are taken, and perhaps should not be: with a number of nothing or beyond all bounds, about oneself, or about who
is out of the game."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import readers_of
from pbmd.conformance.everything_sent import reader_of
from pbmd.conformance.findings import Broken
from pbmd.conformance.hostile_input import letter_of, right_lines
from pbmd.conformance.scenes import Scene, dice, first_opening, scenes_of_game
from pbmd.rules import PositionError, Refused, Ruleset, Status

_STEPS = 12
_SEATS = 6
_NUMBER = re.compile(r"(?<![\w-])\d+(?!\w)")


class OddOrder(NamedTuple):
    """A line that was taken, and what is odd about it."""

    line: str
    what: str


def odd_orders(rules: Ruleset[Any]) -> list[OddOrder]:
    """The first of each kind, which begins with a word."""
    found: dict[tuple[str, str], OddOrder] = {}
    with suppress(Refused, Broken, PositionError):  # findings of checks
        for scene in scenes_of_game(rules, first_opening(rules, "odd orders"), _STEPS):
            for seat in rules.awaiting(scene.position)[:_SEATS]:
                for odd in _odd(scene, seat):
                    kind = odd.what, odd.line.partition(" ")[0]
                    if kind not in found and _is_taken(scene, seat, odd.line):
                        found[kind] = odd
    return [*found.values()]


def unoffered(rules: Ruleset[Any]) -> list[str]:
    """The parts of the grammars that stand in what random players write, and in no form of these games."""
    written, offers = set[str](), set[str]()
    derivations = [Derivation(reader.source(), ()) for reader in readers_of(rules)]
    with suppress(Refused, Broken, PositionError):  # findings of checks
        for scene in scenes_of_game(rules, first_opening(rules, "forms"), _STEPS):
            for seat in rules.awaiting(scene.position):
                forms = [line.removeprefix("# ") for line in rules.order_form(scene.position, seat).splitlines()]
                lines = [each.text for mail in scene.letters if mail.seat == seat for each in mail.lines]
                for derivation in derivations:
                    offers |= set[str]().union(*map(derivation.used_in, forms))
                    written |= set[str]().union(*map(derivation.used_in, lines))
    return sorted(written - offers)


def _odd(scene: Scene, seat: str) -> Iterator[OddOrder]:
    rules, position = scene.rules, scene.position
    seats = rules.seats(position)
    out = [each for each in seats if rules.view(position, (), reader_of(each)).data.get("out")]
    named = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in seats))
    for line in dict.fromkeys(right_lines(scene, seat, dice(scene.name, seat, "odd orders"))):
        if not line.startswith("#"):
            yield from (
                OddOrder(_NUMBER.sub(number, line), f"the number {number}") for number in ("0", "99999") if _NUMBER.search(line)
            )
            if _keeps_capitals(scene, seat, line):
                yield OddOrder(line.upper(), "its capitals are kept")
            if named.search(line):
                yield OddOrder(named.sub(seat, line), "one's own name")
                yield from (OddOrder(named.sub(each, line), "the name of who is out") for each in out[:1])


def _keeps_capitals(scene: Scene, seat: str, line: str) -> bool:
    """So that the same, written otherwise, is something else to rules that compare the words."""
    one, other = (
        [each.canonical for each in scene.rules.receive(scene.position, letter_of(seat, (text,))).verdicts]
        for text in (line, line.upper())
    )
    return all(other) and one != other and [each.casefold() for each in one] == [each.casefold() for each in other]


def _is_taken(scene: Scene, seat: str, line: str) -> bool:
    receipt = scene.rules.receive(scene.position, letter_of(seat, (line,)))
    return receipt.filed and all(each.status is not Status.ERROR for each in receipt.verdicts)

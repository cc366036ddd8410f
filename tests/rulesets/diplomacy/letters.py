"""Letters for the tests: the game as it begins, and what is answered to lines."""

from __future__ import annotations

from collections.abc import Sequence

from pbmd.rules import Mail, Receipt, Signup, Status, Verdict
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import NO_DICE, POWERS


def begun(seats: Sequence[str] = POWERS) -> Position:
    """Spring 1901."""
    return ruleset.setup([Signup(seat) for seat in seats], complete(ruleset.info.options, {}), NO_DICE)


def sent(position: Position, seat: str, text: str, arrival: int = 1) -> Receipt[Position]:
    """What a letter does."""
    return ruleset.receive(position, Mail(seat, order_lines(text), (arrival, 0)))


def filed(position: Position, seat: str, text: str) -> tuple[str, ...]:
    """The orders that are on file after a letter without a mistake."""
    receipt = sent(position, seat, text)
    assert [verdict.message for verdict in receipt.verdicts if verdict.status is Status.ERROR] == []
    return next(sheet.lines for sheet in receipt.position.sheets if sheet.seat == seat)


def understood(position: Position, seat: str, text: str) -> str:
    """The order that a line is taken for, without a word of warning."""
    (verdict,) = sent(position, seat, text).verdicts
    assert (verdict.status, verdict.message) == (Status.OK, "")
    return verdict.canonical


def answered(position: Position, seat: str, text: str) -> Verdict:
    """What is said of a line."""
    return next(verdict for verdict in sent(position, seat, text).verdicts if verdict.line)

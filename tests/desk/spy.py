"""Somebody who wants to know another seat's secret orders: guesses, tried on the dice once their secret is told.

The spy is given more than any player has: the position in which the turn began, and the orders of all but one seat. Much of
that sheet no report shows; what is tried here is whether the dice tell it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

from pbmd.rendering.render import report_text
from pbmd.rules import Dice, DiceError, HmacDice, Line, Mail, RecordedDice, Roll, Ruleset, Sheet, seat_reader
from pbmd.rules.salts import SALT_BYTES, digest_of_all, salt_of
from pbmd.rules.sheets import digest, to_be_used

Lines = tuple[str, ...]
_HEX = re.compile(r"\b(?:[0-9a-f]{32}|[0-9a-f]{64})\b")


@dataclass(frozen=True)
class Spy:
    """`seat` wants to know what `target` has ordered, and has seen `report`. `begins` is the position document before the turn,
    `sheets` are all that were used, `seats` all seats in their order; `secret` is that of the dice, told by now; `salt` is the
    spy's own. `held` is everything else that the spy has been sent or may look at, as text."""

    ruleset: Ruleset[Any]
    begins: Mapping[str, Any]
    sheets: Sequence[Sheet]
    seats: Sequence[str]
    seat: str
    target: str
    report: str
    secret: bytes
    salt: bytes
    held: str = ""

    def sheets_with(self, guess: Lines) -> tuple[Sheet, ...]:
        """The sheets, if the target has ordered this."""
        return tuple(Sheet(one.seat, one.arrival, guess if one.seat == self.target else one.lines) for one in self.sheets)

    def told(self, guess: Lines, dice: Dice) -> str | None:
        """The spy's report, if the target has ordered this and these are the dice; None if the rules would not have it, or ask
        for other dice."""
        rules, position = self.ruleset, self.ruleset.load(self.begins)
        sheets = self.sheets_with(guess)
        for sheet in sheets:
            lines = tuple(Line(number, text) for number, text in enumerate(sheet.lines, start=1))
            receipt = rules.receive(position, Mail(sheet.seat, lines, sheet.arrival))
            position = receipt.position
        for seat in () if rules.sequential else rules.awaiting(position):
            position = rules.miss(position, seat).position
        if to_be_used(rules, position) != sheets:
            return None
        try:
            resolution = rules.resolve(position, dice)
        except DiceError:
            return None
        view = rules.view(resolution.position, resolution.events, seat_reader(self.seat))
        return report_text(rules, view)

    def fits(self, guess: Lines, rolls: Iterable[Roll]) -> bool:
        """Whether the report would be the same with this guess and these rolls."""
        return self.told(guess, RecordedDice(rolls)) == self.report

    def found(self, guesses: Iterable[Lines], contexts: Callable[["Spy", Lines], Iterator[bytes]]) -> list[Lines]:
        """The guesses that the dice confirm: bound to one of these contexts, they give the report."""
        return [
            guess
            for guess in guesses
            if any(self.told(guess, HmacDice(self.secret, context)) == self.report for context in contexts(self, guess))
        ]

    def salts_with(self, salt: bytes) -> list[tuple[str, bytes]]:
        """All salts, if this is the target's; others than the spy's own are made up."""
        salts = {self.seat: self.salt, self.target: salt}
        return [(seat, salts.get(seat, b"\x00" * SALT_BYTES)) for seat in self.seats]

    def salt_that_fits(self, guess: Lines, rolls: Sequence[Roll]) -> bytes:
        """A salt that the target might have, if it had ordered this and these were the rolls."""
        orders = {sheet.seat: sheet.lines for sheet in self.sheets_with(guess)}
        for number in count():
            salt = number.to_bytes(SALT_BYTES, "big")
            dice = HmacDice(self.secret, digest_of_all(self.salts_with(salt), orders))
            if all(dice.roll(sides) == value for sides, value in rolls):
                return salt
        raise AssertionError("there is no end to numbers")


def understood(ruleset: Ruleset[Any], position: Mapping[str, Any], seat: str, *lines: str) -> Lines:
    """The lines of a letter as the rules write them, with the position in which it comes."""
    mail = Mail(seat, tuple(Line(number, text) for number, text in enumerate(lines, 1)), (1, 1))
    received = ruleset.receive(ruleset.load(position), mail).position
    return next(sheet.lines for sheet in ruleset.sheets(received) if sheet.seat == seat)


def unsalted(spy: Spy, guess: Lines) -> Iterator[bytes]:
    """What the dice were bound to before there were salts."""
    yield digest(spy.sheets_with(guess))


@lru_cache(maxsize=4)
def values_in(text: str) -> Sequence[bytes]:
    """Each value that stands in a text, in hexadecimal digits: the text has megabytes, and is asked about for every guess."""
    return [bytes.fromhex(found) for found in dict.fromkeys(_HEX.findall(text))]


def whatever_is_held(spy: Spy, guess: Lines) -> Iterator[bytes]:
    """What the dice may be bound to as far as the spy can try it: without salts, and with each value that the spy holds, or
    that comes of one as salts do, for the salts of the others."""
    yield from unsalted(spy, guess)
    orders = {sheet.seat: sheet.lines for sheet in spy.sheets_with(guess)}
    values = [spy.secret, spy.salt, b"", b"\x00" * SALT_BYTES, *values_in(spy.held)]
    for value in values:
        for salts in (
            [value[:SALT_BYTES] for _ in spy.seats],
            [value for _ in spy.seats],
            [salt_of(value, number) for number, _ in enumerate(spy.seats, start=1)],
        ):
            known = [(seat, spy.salt if seat == spy.seat else salt) for seat, salt in zip(spy.seats, salts, strict=True)]
            yield digest_of_all(known, orders)


def variants(lines: Lines) -> list[Lines]:
    """Other sheets that somebody who knows the true one would think of: a line left out, or another number in a line."""
    without = [lines[:place] + lines[place + 1 :] for place in range(len(lines))]
    changed = [
        (*lines[:place], line[: found.start()] + str(int(found[0]) + by) + line[found.end() :], *lines[place + 1 :])
        for place, line in enumerate(lines)
        for found in re.finditer(r"\b\d{1,3}\b", line)
        for by in (-1, 1)
        if int(found[0]) + by > 0
    ]
    return [one for one in dict.fromkeys((*without, *changed)) if one != lines]

"""What all rulesets do in the same way with order sheets: file, replace, refuse, withdraw, and put in order of arrival."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from pbmd.rules.canonical import canonical_json
from pbmd.rules.dice import Dice
from pbmd.rules.info import SheetPolicy
from pbmd.rules.protocol import Arrival, Mail, PastStep, Refused, Resolution, Ruleset, Sheet, Signup, Status, Verdict
from pbmd.rules.salts import Salts, digest_of_all

_NOT_REPLACEABLE = "orders are final in this game and yours are already accepted; nothing was changed"
_OUTDATED = "a later mail of yours is in force"
SETUP = b"setup"


def in_arrival_order(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets, first come first."""
    return tuple(sorted(sheets, key=lambda sheet: sheet.arrival))


def sheet_of(sheets: Iterable[Sheet], seat: str) -> Sheet | None:
    """The sheet on file for that seat."""
    return next((sheet for sheet in sheets if sheet.seat == seat), None)


def is_outdated(sheets: Iterable[Sheet], seat: str, arrival: Arrival) -> bool:
    """Whether the seat's sheet on file is from a letter that arrived after this one: letters may be found out of order,
    for example when one is moved back from the junk folder."""
    sheet = sheet_of(sheets, seat)
    return sheet is not None and sheet.arrival > arrival


def refusal(policy: SheetPolicy, sheets: Sequence[Sheet], mail: Mail, verdicts: Sequence[Verdict]) -> str | None:
    """Why this letter's lines are not filed, as a sentence for the player; None if they are.

    A letter without any order line is an empty sheet and legal; one whose lines were all refused files nothing, so a mail of
    nonsense neither wipes out good orders nor passes for orders.
    """
    if is_outdated(sheets, mail.seat, mail.arrival):
        return _OUTDATED
    if policy.later == "final" and sheet_of(sheets, mail.seat) is not None:
        return _NOT_REPLACEABLE
    wrong = [verdict for verdict in verdicts if verdict.status is Status.ERROR]
    if policy.errors == "refuse_mail" and wrong:
        return f"the whole mail is refused because of {len(wrong)} wrong line{'s' if len(wrong) > 1 else ''}"
    if mail.lines and not any(verdict.line and verdict.status is not Status.ERROR for verdict in verdicts):
        return "no line of this mail was accepted"
    return None


def filed(sheets: Iterable[Sheet], seat: str, arrival: Arrival, lines: Iterable[str]) -> tuple[Sheet, ...]:
    """The sheets with this seat's replaced by the given lines; the replacement takes its own, later place."""
    return in_arrival_order((*(sheet for sheet in sheets if sheet.seat != seat), Sheet(seat, arrival, tuple(lines))))


def withdrawn(policy: SheetPolicy, sheets: Sequence[Sheet], seat: str) -> tuple[Sheet, ...]:
    """The sheets without this seat's. Raises `Refused` when there is none or orders are final."""
    if sheet_of(sheets, seat) is None:
        raise Refused("you have no orders in to cancel")
    if policy.later == "final":
        raise Refused(_NOT_REPLACEABLE)
    return tuple(sheet for sheet in sheets if sheet.seat != seat)


def digest(sheets: Iterable[Sheet]) -> bytes:
    """SHA-256 of sheets, first come first, in canonical JSON: what a receipt says of one.

    The order of arrival counts, the stamps do not. It contains nothing random, so only those who know the sheets may see it.
    """
    content = [[sheet.seat, list(sheet.lines)] for sheet in in_arrival_order(sheets)]
    return hashlib.sha256(canonical_json(content)).digest()


def seats_with_orders(ruleset: Ruleset[Any], position: Any) -> frozenset[str]:
    """The seats whose orders for this step are in. One that is awaited all the same has sent something else, such as a vote,
    which is nobody's business."""
    return frozenset(sheet.seat for sheet in ruleset.sheets(position)) - frozenset(ruleset.awaiting(position))


def to_be_used(ruleset: Ruleset[Any], position: Any) -> tuple[Sheet, ...]:
    """The sheets that the next resolution uses: all on file, or, where moves are carried out one by one, that of the seat
    whose move it is; of several who may move the one whose sheet arrived first."""
    on_file = in_arrival_order(ruleset.sheets(position))
    if not ruleset.sequential:
        return on_file
    awaited = ruleset.awaiting(position)
    return tuple(sheet for sheet in on_file if sheet.seat in awaited)[:1]


def past_step(ruleset: Ruleset[Any], position: Any) -> PastStep:
    """What the next resolution uses, in the form in which it is remembered afterwards."""
    return PastStep(ruleset.turn(position), to_be_used(ruleset, position))


def resolved(ruleset: Ruleset[Any], position: Any, dice: Dice, past: Iterable[PastStep] = ()) -> Resolution[Any]:
    """Carry a step out and, if that ends the game, open what is opened of all its orders; `past` are the steps before, as far
    as they are known, and are read only then."""
    resolution = ruleset.resolve(position, dice)
    if ruleset.reveal is None or ruleset.outcome(resolution.position) is None:
        return resolution
    played = chain(past, (past_step(ruleset, position),))
    return replace(resolution, events=ruleset.reveal(resolution.position, resolution.events, played))


def bound(sheets: Iterable[Sheet], salts: Salts = (), before: bytes = b"", words: Mapping[str, str] | None = None) -> bytes:
    """What the dice of a step are bound to: the digests of the sheets used, with all their salts and the `words` of their
    seats, or, if the step has none, the plain one. `before`: what those of the step before it were bound to, if both are rolled
    with the same secret: so no two of them are alike, and nobody could foresee those of a later one."""
    used = tuple(sheets)
    own = digest_of_all(salts, {sheet.seat: sheet.lines for sheet in used}, words) if salts else digest(used)
    return hashlib.sha256(before + own).digest() if before else own


def bound_setup(signups: Iterable[Signup], salts: Salts = ()) -> bytes:
    """What the dice of a set-up are bound to: the digests of the lines with which all have signed up, with their salts; a word
    that is always the same in games that were created before their dice were promised."""
    if not salts:
        return SETUP
    return digest_of_all(salts, {signup.seat: [line.text for line in signup.lines] for signup in signups})


def without_waiting(ruleset: Ruleset[Any], position: Any, keep: Sequence[Sheet] = ()) -> Any:
    """The position of a sequential game without the moves that were sent ahead, but for those to `keep`: until they are carried
    out nobody may know of them. Other positions as they are."""
    for sheet in ruleset.sheets(position) if ruleset.sequential else ():
        if sheet not in keep:
            position = ruleset.withdraw(position, sheet.seat)
    return position

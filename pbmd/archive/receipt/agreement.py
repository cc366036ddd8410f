"""Mails held against each other: of one thing in a game all must say the same, whoever got them; each dice secret must be the
one that was promised in the mails before, and each receipt that a report names must be one that was given.

No books are needed for that, so it can be done years later, and by people who do not trust the host. Who keeps two histories of
one game, or another for each player, is found out by two mails on the same thing. What only one mail tells proves nothing here,
and is counted.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.archive.receipt.claims import Claims, Own, Statement, Value
from pbmd.archive.receipt.signatures import Signed, signed_by
from pbmd.archive.receipt.wording import (
    ARRIVED,
    CHECKPOINT,
    COMMITMENT,
    DIGEST,
    FORM_HEAD,
    HEAD,
    NOTICE,
    RECEIPT,
    REPLACED,
    REPORT,
    SECRET,
    SET_UP,
    WORD,
)
from pbmd.notes.found import Found
from pbmd.notes.signed import Verifier

_DIGEST_SHOWN = 16
"""So many digits of a digest stand in reports."""
_AROUND = 6
"""So many words are shown where two texts differ."""


@dataclass(frozen=True, slots=True)
class Read:
    """A mail that was read, and where it is."""

    where: str
    claims: Claims


class _Said(NamedTuple):
    """What one mail says of a thing, where that mail is, and what it calls the thing. `note` is a checkpoint that says it, if
    its signature holds, and `key` what shows that."""

    value: str
    where: str
    about: str
    note: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two mails that cannot both be right, about one thing of a game. `about` is what they are about; `words` is what each
    says. `notes` are the two checkpoints if both are signed with one `key`: then it is proved that whoever has that key told
    two histories, and anybody can check it."""

    game: str
    about: str
    words: str
    mails: tuple[str, str]
    notes: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Worthless:
    """A checkpoint whose signature does not hold: where it is, of what, and why."""

    where: str
    about: str
    problem: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of holding mails against each other. So many things are `compared`, since several mails tell of them; so many
    are told by one mail `alone`. `vague` is how often a mail tells something that cannot be compared, since it does not say of
    which game, step or entry it is: as mails that are quoted, and those to observers. `worthless` are checkpoints whose
    signature does not hold, and `unsigned` is of how many it could not be checked, since no mail has the key."""

    disagreements: tuple[Disagreement, ...]
    compared: int
    alone: int
    vague: int
    worthless: tuple[Worthless, ...] = ()
    unsigned: int = 0


class _Thing(NamedTuple):
    """What must be the same in all mails. In the order of these a game comes to them: it is told when so many `steps` were
    over, or is of that `entry` of the journal; what does not tell which it is is 0. `reader` is empty where all are told the
    same."""

    game: str
    steps: int
    entry: int
    what: str
    reader: str = ""


KEY = "key"
_BEFORE_ALL = -1
_GIVEN, _USED = "receipt given", "receipt used"
_IN_PLACE = f"{COMMITMENT} in place of "
"""How a commitment begins that was given in place of another: what a backup had promised can be given up but once."""
_Told = Mapping[_Thing, Sequence[_Said]]
_Compared = Iterator[tuple[_Thing, Disagreement | None]]


def hold_together(mails: Sequence[Read], known: Sequence[Verifier] = ()) -> Agreement:
    """Hold mails against each other; disagreements come in the order of the game. `known` are keys that are not only known by
    these mails: of their logs no other key counts."""
    told, vague = _all_told(mails)
    checked = [*_checked(mails, known)]
    for mail, found, signed in checked:
        for thing, said in _of_checkpoint(mail, found, signed):
            told[thing].append(said)
    compared = [*_the_same(told), *_as_promised(told), *_as_received(told)]
    found = sorted(((thing, each) for thing, each in compared if each), key=lambda each: each[0])
    things = {thing for thing, _ in compared}
    worthless = (Worthless(mail.where, _named(each), signed.problem) for mail, each, signed in checked if signed.problem)
    unsigned = sum(signed == Signed() for _, _, signed in checked)
    agreed = tuple(each for _, each in found)
    return Agreement(agreed, len(things), len(told.keys() - things), vague, tuple(dict.fromkeys(worthless)), unsigned)


def _all_told(mails: Sequence[Read]) -> tuple[dict[_Thing, list[_Said]], int]:
    """What each mail says of which thing, checkpoints apart; and how often it is not said of which."""
    told, vague = defaultdict[_Thing, list[_Said]](list), 0
    for mail in mails:
        for statement in mail.claims.statements:
            things = [*_things(mail.claims, statement)] if statement.game else []
            for thing, about, value in things:
                told[thing].append(_Said(value, mail.where, about))
            vague += not things and statement.press is None and statement.kind != NOTICE
    return told, vague


def _checked(mails: Sequence[Read], known: Sequence[Verifier]) -> Iterator[tuple[Read, Found, Signed]]:
    """All checkpoints, and whether they are signed with the key that the mail names, or else one of the others."""
    sure = {key.name for key in known}
    anybodys = {key: None for mail in mails for key in mail.claims.keys}
    for mail in mails:
        for found in mail.claims.checkpoints:
            origin = found.checkpoint.origin
            own = [key for key in mail.claims.keys if key.name == origin]
            yield mail, found, signed_by(found, known if origin in sure else own or anybodys)


def _named(found: Found) -> str:
    return f"checkpoint of {found.checkpoint.origin} at {found.checkpoint.place}"


def _of_checkpoint(mail: Read, found: Found, signed: Signed) -> Iterator[tuple[_Thing, _Said]]:
    """What a checkpoint tells of. One whose signature does not hold is anybody's, and tells nothing."""
    said = found.checkpoint
    if signed.problem:
        return
    about = _named(found)
    note, key = (str(found.note), str(signed.by)) if signed.by else ("", "")
    yield _Thing(said.game, 0, said.size, CHECKPOINT, said.origin), _Said(said.head, mail.where, about, note, key)
    if not said.by_report:
        yield _Thing(said.game, 0, said.size, HEAD), _Said(said.head, mail.where, f"chain head at entry {said.size}")
    if signed.by:
        yield _Thing(said.game, 0, 0, KEY, said.origin), _Said(key, mail.where, f"key of {said.origin}")


def _things(claims: Claims, statement: Statement) -> Iterator[tuple[_Thing, str, str]]:
    """What a statement tells of, what it calls that, and what it says."""
    game, own = statement.game, claims.own
    for said in statement.values:
        if said.what in (HEAD, FORM_HEAD) and said.entry:
            yield _Thing(game, 0, said.entry, HEAD), f"chain head at entry {said.entry}", said.value
        elif said.what in (SECRET, COMMITMENT) and own is not None and (steps := _steps(own, said)) is not None:
            yield _Thing(game, steps, 0, _of_dice(statement, said.what)), f"{said.what} of {said.step}", said.value
    if own is not None and own.steps is not None and own.kind == "report":
        yield from _of_report(game, own.steps, own, statement)
    if own is not None and (receipt := int(statement.first(RECEIPT) or 0)):
        yield from _of_receipt(game, receipt, own, statement)


def _steps(own: Own, said: Value) -> int | None:
    """How many steps were over when a secret or a commitment was told: a turn that is played again has the same name, but
    another number of steps before it. That of the set-up was told before all, in mails that count none."""
    return _BEFORE_ALL if said.step == SET_UP else own.steps


def _of_receipt(game: str, receipt: int, own: Own, statement: Statement) -> Iterator[tuple[_Thing, str, str]]:
    arrived = statement.first(ARRIVED)
    what, about = _USED if own.kind == "report" else _GIVEN, f"receipt {receipt}"
    yield _Thing(game, 0, receipt, what, own.reader), about, f"orders that arrived {arrived}"
    # Orders that waited can have one receipt for several.
    for said, value in ((DIGEST, statement.first(DIGEST)[:_DIGEST_SHOWN]), (WORD, statement.first(WORD))):
        if value:
            yield _Thing(game, 0, receipt, f"{said}, arrived {arrived}", own.reader), f"{said} of {about}", value


def _of_dice(statement: Statement, what: str) -> str:
    """What a secret or a commitment is: of the latter, whether it is in place of another."""
    before = statement.first(REPLACED) if what == COMMITMENT else ""
    return f"{_IN_PLACE}{before}" if before else what


def _of_report(game: str, steps: int, own: Own, statement: Statement) -> Iterator[tuple[_Thing, str, str]]:
    # No entry stands with a head where nobody may know how many there are.
    step = statement.step or "the beginning"
    about = f"chain head in the reports of {step}"
    if statement.report is not None:
        yield _Thing(game, steps, 0, REPORT, own.reader), f"report of {step} for {own.reader}", statement.report
        yield _Thing(game, steps, 0, HEAD), about, statement.first(HEAD)
    for said in statement.values:
        if said.what == FORM_HEAD and not said.entry:
            yield _Thing(game, steps, 0, HEAD), about, said.value


def _the_same(told: _Told) -> _Compared:
    """Of what several mails tell: the first of them, and the first that says otherwise."""
    for thing, said_of_it in told.items():
        # Of heads the whole ones first: what stands in order forms is their beginning.
        first, *others = sorted(said_of_it, key=lambda said: -len(said.value)) if thing.what == HEAD else said_of_it
        differ = [said for said in others if not _is_same(thing, first.value, said.value)]
        several = any(said.where != first.where for said in others) and thing.what not in (_GIVEN, _USED)
        if several or (differ and thing.what == HEAD):
            other = next((said for said in differ if said.key and said.key == first.key), differ[0] if differ else None)
            yield thing, other and _disagreement(thing, first, other)


def _is_same(thing: _Thing, one: str, other: str) -> bool:
    """Whether two say the same of a thing; of a head one may say but the beginning."""
    return one.startswith(other) if thing.what == HEAD else one == other


def _as_promised(told: _Told) -> _Compared:
    """Whether each dice secret is the one that was promised when the step before was over, or in place of that since."""
    anew = defaultdict[tuple[str, int], dict[str, _Said]](dict)
    for thing, (first, *_) in told.items():
        if thing.what.startswith(_IN_PLACE):
            anew[thing.game, thing.steps + 1][thing.what.removeprefix(_IN_PLACE)] = first
    for thing, (first, *_) in told.items():
        if thing.what != SECRET:
            continue
        later = anew[thing.game, thing.steps]
        promises = (*told.get(thing._replace(steps=thing.steps - 1, what=COMMITMENT), ()), *later.values())
        if not promises:
            continue
        digest = hashlib.sha256(bytes.fromhex(first.value)).hexdigest()
        promise = next((said for each in promises if (said := _last(each, later)).value != digest), None)
        yield thing, promise and _not_promised(thing, first, digest, promise)


def _last(promise: _Said, later: Mapping[str, _Said]) -> _Said:
    """What a promise has become, by those given in place of others."""
    for _ in later:  # no more often, for in a forged mail they may go in a circle
        promise = later.get(promise.value, promise)
    return promise


def _as_received(told: _Told) -> _Compared:
    """Whether the orders that a report names arrived when their receipt says. Orders that waited can have one receipt for
    several; so it must be one of them."""
    for thing, (first, *_) in told.items():
        given = told.get(thing._replace(what=_GIVEN), ()) if thing.what == _USED else ()
        to_the_minute = first.value.removesuffix(" UTC")  # reports tell no seconds
        if given:
            is_one = any(said.value.startswith(to_the_minute) for said in given)
            yield thing, None if is_one else _disagreement(thing, first, given[0])


def _not_promised(thing: _Thing, secret: _Said, digest: str, promise: _Said) -> Disagreement:
    words = f"{secret.where} reveals one whose SHA-256 is {digest}, and {promise.where} promised {promise.value}"
    return Disagreement(thing.game, secret.about, words, (secret.where, promise.where))


def _disagreement(thing: _Thing, one: _Said, other: _Said) -> Disagreement:
    first, second = _apart(one.value, other.value)
    words = f"{one.where} has {first}, and {other.where} has {second}"
    proved = bool(one.key) and one.key == other.key
    notes, key = ((one.note, other.note), one.key) if proved else ((), "")
    return Disagreement(thing.game, one.about, words, (one.where, other.where), notes, key)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two values, and of two texts only where they begin to differ."""
    first, second = one.split(" "), other.split(" ")
    same = next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    begin = max(0, same - _AROUND // 2)
    return _some(first, begin), _some(second, begin)


def _some(words: Sequence[str], begin: int) -> str:
    if len(words) <= _AROUND:
        return " ".join(words)
    some = " ".join(words[begin : begin + _AROUND])
    return f'"{"… " if begin else ""}{some}{" …" if begin + _AROUND < len(words) else ""}"'

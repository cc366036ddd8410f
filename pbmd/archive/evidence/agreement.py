"""Mails checked against each other: about one thing in a game all must say the same, whoever got them; each dice secret must be
the one that was promised in the mails before, and each receipt that a report names must have been issued.

This needs no books, so it can be done years later, and by people who do not trust the host. A host who keeps two histories of
one game, or a different one for each player, is found out by two mails on the same thing. What only one mail says proves
nothing here, and is counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from pbmd.archive.appearance.word_diff import common_words
from pbmd.archive.evidence.cross_claims import (
    GIVEN,
    IN_PLACE,
    NAMED,
    STEPS,
    USED,
    Claim,
    MailClaims,
    Thing,
    played_twice,
    told_by,
)
from pbmd.archive.evidence.journals import Journals, journals_of
from pbmd.archive.evidence.mail_patterns import AS_SENT, CHECKPOINT, COMMITMENT, HEAD, NOTICE, REPLACED, SECRET, turn_of
from pbmd.archive.evidence.signatures import Signed, signed_by
from pbmd.archive.format.salts import commitment_to
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import Verifier

_AROUND = 6
"""This many words are shown where two texts differ."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two mails that cannot both be right about one thing in a game. `about` is what they are about; `words` is what each says.
    `notes` are the two checkpoints if both are signed with one `key`: then it is proved that the owner of that key told two
    histories, and anybody can check it."""

    game: str
    about: str
    words: str
    mails: tuple[str, str]
    notes: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Worthless:
    """A checkpoint whose signature is invalid: where it is, what it is a checkpoint of, and why."""

    where: str
    about: str
    problem: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """The result of checking mails against each other. `compared` counts the things that several mails mention, `between` those
    of them that came to several of the `readers`, `alone` those that only one mail mentions. `vague` is how often a mail says
    something that cannot be compared, since it does not say which game, journal, step or entry it is about: quoted mails, for
    example, and those to observers. `worthless` are checkpoints whose signature is invalid, and `unsigned` counts those that
    could not be checked, since no mail has the key."""

    disagreements: tuple[Disagreement, ...]
    compared: int
    alone: int
    vague: int
    worthless: tuple[Worthless, ...] = ()
    unsigned: int = 0
    between: int = 0
    readers: int = 0


KEY = "key"
_OF_HEADERS = frozenset({STEPS, NAMED})
"""What is compared without being a thing that mails mention."""
_Told = Mapping[Thing, Sequence[Claim]]
_Compared = Iterator[tuple[Thing, Disagreement | None]]
_Fact = tuple[str, str, str]
"""A game, what mails call a thing, and what the first of them says about it: things that are found in several ways are grouped
by this."""


def hold_together(mails: Sequence[MailClaims], known: Sequence[Verifier] = (), journals: Journals | None = None) -> Agreement:
    """Check mails against each other; disagreements come in the order of the game. `known` are keys that are known from
    elsewhere than these mails: for their logs no other key counts."""
    claims = [mail.claims for mail in mails]
    found = journals_of(claims) if journals is None else journals
    readers = _readers(mails)
    told, vague = _all_told(mails, readers, found)
    checked = [*_checked(mails, known)]
    for place, mail, note, signed in checked:
        for thing, said in _of_checkpoint(mail, note, signed, found.of(place, note.checkpoint.game)):
            told[thing].append(said._replace(reader=readers[place]))
    for thing in played_twice(claims, told):
        del told[thing]
    backups = _backups(mails)
    compared = [
        (thing, each and _with_backup(each, backups))
        for thing, each in (*_the_same(told), *_as_promised(told), *_as_received(told))
    ]
    wrong = sorted(((thing, each) for thing, each in compared if each), key=_in_order)
    at_once = [*_two_at_once(mails, readers, found)]
    several = _told_to_several(told, [thing for thing, _ in compared])
    worthless = (Worthless(mail.where, _named(each), signed.problem) for _, mail, each, signed in checked if signed.problem)
    return Agreement(
        tuple(dict.fromkeys((*at_once, *(each for _, each in wrong)))),
        len(several),
        len(_facts(told) - several.keys()),
        vague,
        tuple(dict.fromkeys(worthless)),
        unsigned=sum(signed == Signed() for _, _, _, signed in checked),
        between=sum(several.values()),
        readers=len({*readers}),
    )


def _backups(mails: Sequence[MailClaims]) -> dict[str, str]:
    """The mail that tells of each game that a backup was restored, as far as any does."""
    told = [(each.game, mail.where) for mail in mails for each in mail.claims.statements if each.first(REPLACED)]
    return dict(reversed(told))


def _with_backup(each: Disagreement, backups: Mapping[str, str]) -> Disagreement:
    """A disagreement in a game whose players were told of a backup says so: an honest host has signed two histories then."""
    if each.game not in backups:
        return each
    told = f"{backups[each.game]} tells that a backup was restored, and what had gone out since it was made counts no more"
    return replace(each, words=f"{each.words}; {told}")


@dataclass(slots=True)
class _Span:
    """The mails of one journal that have a checkpoint: who got them, from when to when they are dated, and one of them."""

    log: str
    where: str
    first: datetime
    last: datetime
    readers: set[str]


def _two_at_once(mails: Sequence[MailClaims], readers: Sequence[str], journals: Journals) -> Iterator[Disagreement]:
    """Two journals of one name at one host that went on at the same time, with different readers: no honest host has two games
    of one name. One that begins a game again has ended the other, and its players know both."""
    spans = dict[tuple[str, int | None], _Span]()
    for place, mail in enumerate(mails):
        at = mail.claims.dated
        for note in mail.claims.checkpoints[:1]:
            if at is None:
                continue
            said = note.checkpoint
            span = _Span(said.origin, mail.where, at, at, set())
            span = spans.setdefault((said.game, journals.of(place, said.game)), span)
            span.first, span.last = min(span.first, at), max(span.last, at)
            span.readers.add(readers[place])
    for ((game, _), one), ((name, _), other) in combinations(spans.items(), 2):
        is_one_host = one.log.rpartition("/")[0] == other.log.rpartition("/")[0] and one.log != other.log
        overlap = one.first <= other.last and other.first <= one.last
        if game == name and is_one_host and overlap and not one.readers & other.readers:
            words = f"{one.where} is of {one.log}, and {other.where} of {other.log}, and both went on at the same time"
            yield Disagreement(game, "its journal", words, (one.where, other.where))


def _in_order(found: tuple[Thing, Disagreement]) -> tuple[bool, bool, int, Thing]:
    """The order of the game, as far as things have one; what a mail alone says about itself comes last."""
    thing, each = found
    return thing.what == AS_SENT, thing.is_linked, (turn_of(each.about) or 0) if thing.is_linked else 0, thing


def _told_to_several(told: _Told, compared: Sequence[Thing]) -> dict[_Fact, bool]:
    """What was compared, and for each thing whether several readers got it."""
    facts = defaultdict[_Fact, bool](bool)
    for thing in compared:
        if thing.what not in _OF_HEADERS:
            facts[_fact(told[thing][0])] |= len({said.reader for said in told[thing]}) > 1
    return facts


def _facts(told: _Told) -> set[_Fact]:
    return {_fact(said) for thing, (said, *_) in told.items() if thing.what not in _OF_HEADERS}


def _fact(said: Claim) -> _Fact:
    return said.game, said.about, said.value


def _readers(mails: Sequence[MailClaims]) -> list[str]:
    """Who got each mail. A mail that does not say belongs to the reader of its mailbox, if all the others there agree on
    one."""
    boxes = defaultdict[str, set[str]](set)
    for mail in mails:
        boxes[mail.box] |= {mail.claims.own.reader} if mail.claims.own else set()
    of_boxes = {box: next(iter(readers)) if len(readers) == 1 else f"mailbox {box}" for box, readers in boxes.items()}
    return [mail.claims.own.reader if mail.claims.own else of_boxes[mail.box] for mail in mails]


def _all_told(mails: Sequence[MailClaims], readers: Sequence[str], journals: Journals) -> tuple[dict[Thing, list[Claim]], int]:
    """What each mail says about which thing, checkpoints apart; and how often a mail does not say about which."""
    told, vague = defaultdict[Thing, list[Claim]](list), 0
    for place, mail in enumerate(mails):
        for statement in mail.claims.statements:
            journal = journals.of(place, statement.game) if statement.game else None
            things = [*told_by(mail.claims, statement, journal)] if journal is not None else []
            for thing, about, value in things:
                told[thing].append(Claim(value, mail.where, about, statement.game, readers[place]))
            vague += not things and statement.press is None and statement.kind != NOTICE
    return told, vague


def _checked(mails: Sequence[MailClaims], known: Sequence[Verifier]) -> Iterator[tuple[int, MailClaims, FoundNote, Signed]]:
    """All checkpoints, and whether they are signed with the key that the mail names, or else with one of the others."""
    sure = {key.name for key in known}
    anybodys = {key: None for mail in mails for key in mail.claims.keys}
    for place, mail in enumerate(mails):
        for found in mail.claims.checkpoints:
            origin = found.checkpoint.origin
            own = [key for key in mail.claims.keys if key.name == origin]
            yield place, mail, found, signed_by(found, known if origin in sure else own or anybodys)


def _named(found: FoundNote) -> str:
    return f"checkpoint of {found.checkpoint.origin} at {found.checkpoint.place}"


def _of_checkpoint(mail: MailClaims, found: FoundNote, signed: Signed, journal: int | None) -> Iterator[tuple[Thing, Claim]]:
    """What a checkpoint says. One with an invalid signature could be anybody's, and says nothing."""
    said = found.checkpoint
    if signed.problem or journal is None:
        return
    about, log = _named(found), Thing(said.game, journal, 0, said.size, CHECKPOINT, said.origin)
    note, key = (str(found.note), str(signed.by)) if signed.by else ("", "")
    yield log, Claim(said.head, mail.where, about, said.game, "", note, key)
    if not said.by_report:
        at = f"chain head at entry {said.size}"
        yield log._replace(what=HEAD, reader=""), Claim(said.head, mail.where, at, said.game, "")
    if signed.by:
        yield log._replace(entry=0, what=KEY), Claim(key, mail.where, f"key of {said.origin}", said.game, "")


def _the_same(told: _Told) -> _Compared:
    """The things that several mails mention: the first of the mails, and the first that says something else."""
    for thing, said_of_it in told.items():
        # Whole heads first: order forms only have their beginning.
        first, *others = sorted(said_of_it, key=lambda said: -len(said.value)) if thing.what == HEAD else said_of_it
        differ = [said for said in others if not _is_same(thing, first.value, said.value)]
        several = any(said.where != first.where for said in others) and thing.what not in (GIVEN, USED)
        if several or (differ and thing.what in (HEAD, AS_SENT)):
            other = next((said for said in differ if said.key and said.key == first.key), differ[0] if differ else None)
            yield thing, other and _disagreement(first, other)


def _is_same(thing: Thing, one: str, other: str) -> bool:
    """Whether two say the same about a thing; one of them may give only the beginning of a head."""
    return one.startswith(other) if thing.what == HEAD else one == other


def _as_promised(told: _Told) -> _Compared:
    """Whether each dice secret is the one that was promised when the step before was over, or in place of that since; and the
    one that was promised for the step that the mail names."""
    anew = defaultdict[Thing, dict[str, Claim]](dict)
    for thing, (first, *_) in told.items():
        if thing.what.startswith(IN_PLACE):
            anew[thing._replace(what=COMMITMENT)][thing.what.removeprefix(IN_PLACE)] = first
    for thing, (first, *_) in told.items():
        if thing.what != SECRET:
            continue
        promise = thing._replace(what=COMMITMENT)
        if not thing.is_by_name:
            promise = promise._replace(steps=thing.steps - 1)
        later = anew[promise]
        promises = (*told.get(promise, ()), *later.values())
        if not promises:
            continue
        digest = commitment_to(first.value) or ""
        broken = next((said for each in promises if (said := _last(each, later)).value != digest), None)
        yield thing, broken and _not_promised(first, digest, broken)


def _last(promise: Claim, later: Mapping[str, Claim]) -> Claim:
    """What has become of a promise, after those that replaced it."""
    for _ in later:  # not more often, for in forged mails they may go round in a circle
        promise = later.get(promise.value, promise)
    return promise


def _as_received(told: _Told) -> _Compared:
    """Whether the orders that a report names arrived when their receipt says. Orders that waited can share a receipt, so it
    must be one of them."""
    for thing, (first, *_) in told.items():
        given = told.get(thing._replace(what=GIVEN), ()) if thing.what == USED else ()
        to_the_minute = first.value.removesuffix(" UTC")  # reports give no seconds
        if given:
            is_one = any(said.value.startswith(to_the_minute) for said in given)
            yield thing, None if is_one else _disagreement(first, given[0])


def _not_promised(secret: Claim, digest: str, promise: Claim) -> Disagreement:
    words = f"{secret.where} reveals one whose SHA-256 is {digest}, and {promise.where} promised {promise.value}"
    return Disagreement(secret.game, secret.about, words, (secret.where, promise.where))


def _disagreement(one: Claim, other: Claim) -> Disagreement:
    first, second = _apart(one.value, other.value)
    words = f"{one.where} has {first}, and {other.where} has {second}"
    proved = bool(one.key) and one.key == other.key
    notes, key = ((one.note, other.note), one.key) if proved else ((), "")
    return Disagreement(one.game, one.about, words, (one.where, other.where), notes, key)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two values; of two texts only where they begin to differ."""
    first, second = one.split(" "), other.split(" ")
    begin = max(0, common_words(first, second) - _AROUND // 2)
    return _some(first, begin), _some(second, begin)


def _some(words: Sequence[str], begin: int) -> str:
    if len(words) <= _AROUND:
        return " ".join(words)
    some = " ".join(words[begin : begin + _AROUND])
    return f'"{"… " if begin else ""}{some}{" …" if begin + _AROUND < len(words) else ""}"'

"""What a mail says that other mails must say, too: things, each with a key that finds mails on the same thing.

The numbers of entries and steps that find things are what the host writes. So what matters most is found in two more ways, with
which a host cannot keep two histories apart: by what the mail calls the step, and by the dice secret that was revealed with it,
which must be the one that both players were promised.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.claims import Claims, TakenBack
from pbmd.archive.evidence.mail_patterns import (
    ARRIVED,
    AS_SENT,
    COMMITMENT,
    DIGEST,
    FORM_HEAD,
    HEAD,
    OLD_HEAD,
    RECEIPT,
    REPLACED,
    REPORT,
    SECRET,
    SET_UP,
    TURN_HEAD,
    WORD,
    turn_of,
)
from pbmd.archive.evidence.statements import Statement, Value

_DIGEST_SHOWN = 16
"""Reports show this many digits of a digest."""
_BEFORE_ALL = -1
GIVEN, USED, STEPS, NAMED = "receipt given", "receipt used", "steps", "name"
IN_PLACE = f"{COMMITMENT} in place of "
"""The prefix of a commitment that replaced another: what a backup had promised can be given up only once."""
_BY_NAME, _BY_SECRET = 1_000_000_001, 1_000_000_002
"""Sorts them after what is found by the numbers of steps, which have at most nine digits."""


@dataclass(frozen=True, slots=True)
class MailClaims:
    """A mail that was read, where it is, and in which of the mailboxes on the command line."""

    where: str
    claims: Claims
    box: str = ""


class Claim(NamedTuple):
    """What one mail says about a thing, where that mail is, what it calls the thing and the game, and who got it. `note` is a
    checkpoint that says it, if its signature is valid, and `key` what shows that."""

    value: str
    where: str
    about: str
    game: str
    reader: str
    note: str = ""
    key: str = ""


class Thing(NamedTuple):
    """What must be the same in all mails from one `journal` of a game. The order of these fields is the order of the game:
    `steps` is how many steps were over when the thing was said, `entry` the entry of the journal that it belongs to; 0 where it
    is not known. `name` is what the mails call the step, or the secret that finds the thing instead of game and numbers.
    `reader` is empty where all readers get the same."""

    game: str
    journal: int
    steps: int
    entry: int
    what: str
    reader: str = ""
    name: str = ""

    @property
    def is_by_name(self) -> bool:
        """Whether it is found by what the mail calls the step."""
        return self.steps == _BY_NAME

    @property
    def is_linked(self) -> bool:
        """Whether it is found by the secret that is revealed with it."""
        return self.steps == _BY_SECRET


Told = tuple[Thing, str, str]
"""A thing, what a mail calls it, and what it says."""


def by_name(thing: Thing, name: str, what: str) -> Thing:
    """The thing in the same journal that is found by what a mail calls the step, in the order of turns."""
    return Thing(thing.game, thing.journal, _BY_NAME, turn_of(name) or 0, what, name=name)


def told_by(claims: Claims, statement: Statement, journal: int) -> Iterator[Told]:
    """The things in a statement."""
    own, any_thing = claims.own, Thing(statement.game, journal, 0, 0, "")
    for said in statement.values:
        yield from _of_value(any_thing, own, statement, said)
    if statement.report is not None and statement.kind == "seat":
        yield from _of_named(any_thing, own, statement)
    if statement.report is not None or own is not None:
        yield from _of_revealed(own, statement)
    if own is not None:
        yield from _of_own(any_thing, own, statement)
    sent = statement.first(AS_SENT)
    if own is not None and claims.words and sent not in ("", claims.words):
        # What a mail says about itself need not be in any other.
        as_sent = any_thing._replace(what=AS_SENT, reader=_reader(own), name=sent)
        yield from ((as_sent, f"words of the report of {_step(statement)}", each) for each in (sent, claims.words))


def _of_value(any_thing: Thing, own: Own | None, statement: Statement, said: Value) -> Iterator[Told]:
    """What one value says of the journal or the dice."""
    if said.what in (HEAD, FORM_HEAD, TURN_HEAD) and said.entry:
        yield any_thing._replace(entry=said.entry, what=HEAD), f"chain head at entry {said.entry}", said.value
    elif said.what == TURN_HEAD:
        yield by_name(any_thing, said.step, TURN_HEAD), f"words of {said.step}", said.value
    elif said.what in (SECRET, COMMITMENT):
        yield from _of_dice(any_thing, own, statement, said)
    elif said.what == OLD_HEAD:
        yield any_thing._replace(what=OLD_HEAD), "head of the journal from which the game goes on", said.value


def _of_own(any_thing: Thing, own: Own, statement: Statement) -> Iterator[Told]:
    """What is found by the numbers in the header of a mail, or concerns only its reader."""
    if own.steps is not None and own.kind == "report":
        yield from _of_report(any_thing._replace(steps=own.steps), own, statement)
    if receipt := int(statement.first(RECEIPT) or 0):
        yield from _of_receipt(any_thing._replace(entry=receipt), own, statement)


def _of_dice(any_thing: Thing, own: Own | None, statement: Statement, said: Value) -> Iterator[Told]:
    """A secret or a commitment; for the latter, whether it replaces another. The number of steps that were over when it was
    given: a turn that is played again has the same name, but a different number of steps before it. The set-up's came before
    all of them, in mails that count none."""
    before = statement.first(REPLACED) if said.what == COMMITMENT else ""
    what, about = f"{IN_PLACE}{before}" if before else said.what, f"{said.what} of {said.step}"
    steps = _BEFORE_ALL if said.step == SET_UP else own.steps if own else None
    if own is not None and steps is not None:
        yield any_thing._replace(steps=steps, what=what), about, said.value
    yield by_name(any_thing, said.step, what), about, said.value


def _of_receipt(any_thing: Thing, own: Own, statement: Statement) -> Iterator[Told]:
    arrived, reader = statement.first(ARRIVED), _reader(own)
    what, about = USED if own.kind == "report" else GIVEN, f"receipt {any_thing.entry}"
    yield any_thing._replace(what=what, reader=reader), about, f"orders that arrived {arrived}"
    # Orders that waited can share a receipt.
    for said, value in ((DIGEST, statement.first(DIGEST)[:_DIGEST_SHOWN]), (WORD, statement.first(WORD))):
        if value:
            yield any_thing._replace(what=f"{said}, arrived {arrived}", reader=reader), f"{said} of {about}", value


def _reader(own: Own) -> str:
    """Who a mail is to: one person can hold two seats."""
    return f"{own.reader} {own.seat}"


def _of_report(then: Thing, own: Own, statement: Statement) -> Iterator[Told]:
    # A head comes without its entry where nobody may know how many there are.
    about = _about_head(statement)
    if statement.report is not None:
        whose = f"report of {_step(statement)} for {own.reader}"
        yield then._replace(what=REPORT, reader=_reader(own)), whose, statement.report
        yield then._replace(what=HEAD), about, statement.first(HEAD)
    for said in statement.values:
        if said.what == FORM_HEAD and not said.entry:
            yield then._replace(what=HEAD), about, said.value


def _of_named(any_thing: Thing, own: Own | None, statement: Statement) -> Iterator[Told]:
    """The head in a report, found by what the step is called. A mail that quotes reports may have left out what stood between
    two."""
    head, is_whole = statement.first(HEAD), statement.step in {said.step for said in statement.values if said.what == SECRET}
    if head and (own is not None or is_whole):
        yield by_name(any_thing, _step(statement), HEAD), _about_head(statement), head


def _of_revealed(own: Own | None, statement: Statement) -> Iterator[Told]:
    """What a report says beside the secret that it reveals, whatever it calls itself and the game: no two games, and no two
    histories that both keep their promises, have one secret for different steps."""
    values = {said.what: said for said in statement.values}
    secret, promise, head = values.get(SECRET), values.get(COMMITMENT), values.get(HEAD)
    if secret is None or (own is None and secret.step != statement.step):
        return
    linked = Thing("", 0, _BY_SECRET, 0, "", name=secret.value)
    if head is not None:
        yield linked._replace(what=HEAD), _about_head(statement), head.value
    if promise is not None:
        yield linked._replace(what=COMMITMENT), f"{COMMITMENT} of {promise.step}", promise.value
    yield from _of_header(linked, own, statement)


def _of_header(linked: Thing, own: Own | None, statement: Statement) -> Iterator[Told]:
    """How a report names its game, and counts the steps before it. In what is quoted the game is uncertain."""
    if own is None or own.kind != "report":
        return
    step = _step(statement)
    yield linked._replace(what=NAMED), f"name of the game in the report of {step}", statement.game
    if own.steps is not None:
        yield linked._replace(what=STEPS), f"number of steps in the Message-ID of the report of {step}", str(own.steps)


def _step(statement: Statement) -> str:
    return statement.step or next((said.step for said in statement.values if said.what == SECRET), "the beginning")


def _about_head(statement: Statement) -> str:
    return f"chain head in the reports of {_step(statement)}"


def played_twice(mails: Sequence[Claims], things: Iterable[Thing]) -> set[Thing]:
    """The things of which several may be true although mails call them the same: in turns that are said to be played again, and
    in those with several steps of one name, as where one moves after the other."""
    steps = {
        (statement.game, said.step)
        for claims in mails
        for statement in claims.statements
        for said in statement.values
        if said.what == SECRET and said.step in {each.step for each in statement.values if each.what == COMMITMENT}
    }
    back = {each for claims in mails for each in claims.taken_back}
    again = steps | _told_twice(mails)
    return {
        thing
        for thing in things
        if thing.is_by_name and ((thing.game, thing.name) in again or any(_is_in(thing, each) for each in back))
    }


def _is_in(thing: Thing, back: TakenBack) -> bool:
    return thing.game == back.game and back.first <= thing.entry <= back.last


def _told_twice(mails: Sequence[Claims]) -> set[tuple[str, str]]:
    """Steps for which one reader got two secrets at different times: then either several steps have that name, or the mail is
    lost that said that the step is played again."""
    found = defaultdict[tuple[str, str, str], set[tuple[int, str]]](set)
    of_own = ((claims.own, each) for claims in mails if claims.own for each in claims.statements)
    for own, statement in of_own:
        for said in statement.values if own.steps is not None else ():
            if said.what == SECRET:
                found[statement.game, said.step, _reader(own)].add((own.steps or 0, said.value))
    several = ((key, {steps for steps, _ in told}, {value for _, value in told}) for key, told in found.items())
    return {(game, step) for (game, step, _), steps, values in several if len(steps) > 1 and len(values) > 1}

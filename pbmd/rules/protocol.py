"""What a ruleset is: a frozen bundle of pure functions over a position, and the values they exchange.

Nothing here knows of mail, clocks or databases. Every value is immutable and can be written as JSON, and a ruleset gets chance
only from the `Dice` it is handed, so that a game can be resolved again anywhere and come out the same. What is made by the
dozen in every step is a named tuple, which Python makes several times faster than a frozen dataclass.

The protocol has a version (`PROTOCOL`), and a ruleset says which it needs (``protocol`` in ``ruleset.toml``). Whatever is new
counts it up. What a version has works in the next one, too: what is to go is named in the changelog and by `pbmd try`, with
what takes its place, and goes with the version after that at the earliest. What pbmd relies on besides types is the table of
`pbmd.conformance.promises`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pbmd.rules.dice import Dice
from pbmd.rules.info import RulesetInfo
from pbmd.rules.options import Options

P = TypeVar("P")

Document = dict[str, Any]
"""A position document: tables, arrays, strings, ints, floats and booleans only, so that it can be TOML or JSON."""

Arrival = tuple[int, int]
"""When a letter arrived, only good for comparing: (microseconds since 1970 UTC, place among letters of that instant)."""


class PositionError(ValueError):
    """A position document that breaks its own rules; `place` says where (``players[2].ships[0].hull``)."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


class Refused(ValueError):
    """Something a player asked for that the rules do not allow; the message is written for the player."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a letter's command text. `number` counts from 1 within the letter, blank lines included."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Mail:
    """The order lines of one letter for one seat, in the order written, desk commands already taken out."""

    seat: str
    lines: tuple[Line, ...]
    arrival: Arrival


class Status(StrEnum):
    """What became of a line: carried out as written, carried out in part or with a remark, or refused."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Verdict(NamedTuple):
    """What the check on arrival says about one line. `line` 0 is the letter as a whole.

    `canonical` is the order as understood (empty for a refused line); `code` the specification's name of the problem,
    where it has one.
    """

    line: int
    text: str
    status: Status
    message: str = ""
    canonical: str = ""
    code: str = ""


IN_PART = "in part"
"""The code of a verdict on a line of several orders, of which some are taken and others are refused."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders in force for a seat in this step, as canonical lines, with the arrival of that version."""

    seat: str
    arrival: Arrival
    lines: tuple[str, ...]


_NO_DETAIL: Mapping[str, Any] = MappingProxyType({})


class Event(NamedTuple):
    """One thing that happened in a resolution.

    `audience` is None for everybody, else the seats that may know it. `detail` is a second part of the same event that
    only the seats in `insiders` may know (the participants of a battle, say). The GM may know all.
    """

    kind: str
    data: Mapping[str, Any]
    audience: tuple[str, ...] | None = None
    detail: Mapping[str, Any] = _NO_DETAIL
    insiders: tuple[str, ...] = ()


def event_document(event: Event) -> Document:
    """An event as ledger and archive keep it."""
    return {
        "kind": event.kind,
        "audience": None if event.audience is None else list(event.audience),
        "data": dict(event.data),
        "detail": dict(event.detail),
        "insiders": list(event.insiders),
    }


def event_of(document: Mapping[str, Any]) -> Event:
    """An event that was kept so."""
    audience = None if document["audience"] is None else tuple(document["audience"])
    return Event(document["kind"], document["data"], audience, document["detail"], tuple(document["insiders"]))


@dataclass(frozen=True, slots=True)
class Receipt(Generic[P]):
    """What `receive` gives back. `filed` tells whether the sheet on file is now this letter's.

    `defaults` are sentences for the acknowledgement: what will happen where the sheet says nothing. `events` are what the
    letter has brought about at once, in the middle of the step, each to be told to its audience at once (`Ruleset.tell`).
    What is filed is for `later` if nothing of it is for this step: then the seat is awaited as before. `granted` tells that the
    letter, though no sheet, was accepted as a request that takes effect by itself; that there was one is told to nobody but the
    seat. A letter may have both, orders and what takes effect at once: each is judged by itself, and neither costs the other.
    `effects` are then the numbers of the lines that ask for an effect, done or refused, by their words alone; where a letter is
    granted and has none, all its lines do."""

    position: P
    verdicts: tuple[Verdict, ...]
    filed: bool
    defaults: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    granted: bool = False
    later: bool = False
    effects: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution(Generic[P]):
    """What `resolve` gives back: the position after the step and what happened in it, in the order it happened.

    `miss` and `resign` give back the same; what happened by them is told at once, as the events of a `Receipt` are.
    """

    position: P
    events: tuple[Event, ...] = ()


class PastStep(NamedTuple):
    """A step that was carried out: the number of its turn, and the sheets that it used, first come first."""

    turn: int
    sheets: tuple[Sheet, ...]


class Wait(NamedTuple):
    """A seat whose time depends on another's: its deadline is the later of its own and `hours` after the orders of the seat
    `on` became final, and as long as they are not (`on` is awaited), it has none. Two seats must not wait for each other.

    Rulesets have no clock, so this is derived from the position alone. The instant is when the sheet of `on` was filed, or
    else when its missed deadline or its resignation was noted, so that nobody loses time by a letter that was held up.
    """

    seat: str
    on: str
    hours: int


class Ruling(NamedTuple):
    """Something that goes on only by the word of the game master. `key` says what it is, the same as long as it stands;
    `words` is the sentence for the game master, which tells no more than the word needs."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a view is built. `seat` is the seat's name and empty for the public and the GM."""

    kind: Literal["seat", "public", "gm"]
    seat: str = ""


PUBLIC = Reader("public")
GM = Reader("gm")


def seat_reader(name: str) -> Reader:
    """The reader who holds the seat of that name."""
    return Reader("seat", name)


def seen_by(events: Sequence[Event], reader: Reader) -> tuple[Event, ...]:
    """The events, or the parts of them, that this reader may know. What is left is all a view may be built from."""
    if reader.kind == "gm":
        return tuple(events)
    seen = (event for event in events if event.audience is None or reader.seat in event.audience)
    return tuple(
        event
        if not event.detail or (reader.kind == "seat" and reader.seat in event.insiders)
        # Who else is an insider is no more for outsiders than the detail itself.
        else Event(event.kind, event.data, event.audience)
        for event in seen
    )


@dataclass(frozen=True, slots=True)
class View:
    """What one reader may know of a position and the step that led to it. `data` is JSON-able; templates get this only."""

    reader: Reader
    turn: int
    data: Mapping[str, Any]


_NO_WINNER = re.compile(r"\b(nobody (has won|wins)|(no|without a) winner|draw|drawn)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winners` is empty for a draw; `reason` is a sentence for everybody."""

    winners: tuple[str, ...]
    reason: str

    def told(self, seats: Iterable[str]) -> str:
        """How the game of these seats ended and who has won, in a sentence or two: the reason is enough where of all seats it
        names the winners only, or says that nobody has won."""
        named = {seat for seat in seats if re.search(rf"(?<!\w){re.escape(seat)}(?!\w)", self.reason)}
        if self.winners:
            who = f"Winner{'s' if len(self.winners) > 1 else ''}: {', '.join(self.winners)}."
            enough = named == {*self.winners}
        else:
            who, enough = "Nobody has won.", _NO_WINNER.search(self.reason) is not None
        end = "" if self.reason.endswith((".", "!", "?")) else "."
        return self.reason if enough else f"{self.reason}{end} {who}"


@dataclass(frozen=True, slots=True)
class Signup:
    """A seat as asked for at sign-up: its name and the set-up lines of the ruleset that came with it.

    `holder` is what the sender is called, the default where the rules ask for a player's name; empty for one who gives no name.
    It is never a part of an address.
    """

    seat: str
    lines: tuple[Line, ...] = ()
    holder: str = ""


@dataclass(frozen=True, slots=True)
class SignupLine:
    """A set-up line of a sign-up as a newcomer may copy it, and, in `about`, what it says and what else could stand there."""

    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class SignupForm:
    """A whole sign-up to copy: a name that is free, what it is (`about`, as of the lines), and the set-up lines."""

    seat: str
    about: str = ""
    lines: tuple[SignupLine, ...] = ()


def _no_more_names(_signup: Signup) -> Mapping[str, str]:
    return {}


def _no_name(_position: Any) -> str:
    return ""


@dataclass(frozen=True)
class Ruleset(Generic[P]):
    """The rules of one kind of game, as data (`info`) and pure functions.

    check_signup  verdicts on a seat name (line 0) and its set-up lines, given the sign-ups accepted before; the canonical
                  text of line 0, if it has one, is the name that the seat gets
    setup         the first position; raises `Refused` when the seats do not make a game
    load, dump    position document → position and back, exactly; `load` raises `PositionError`
    turn          number of the turn that will be resolved next
    seats         all seat names in sign-up order; awaiting: those that must still send orders in this step
    sheets        the sheets on file in this step, in order of arrival
    receive       checks a letter's order lines and files them; withdraw takes a seat's sheet back, or raises `Refused`
    miss          the seat's deadline passed without orders; its events have their effect at once
    resolve       carries out the step
    view          what a reader may know; order_form: order lines to fill in, for the next step
    outcome       None while the game runs
    random_orders order text of a legal random player, for `pbmd simulate`, `try` and `demo`: of a seat that is awaited in this
                  step, whose sheet may be on file already; in a sequential ruleset of any seat, be it out: "" for nothing

    What only some rulesets need:

    names         the names in a sign-up, by what they are called, by which others know the seat or its holder, besides that of
                  the seat: pbmd sees to it that none can be taken for another, or for the game master
    sample_signup a sign-up that is accepted after those given, for `pbmd simulate` where a name alone makes no sign-up; once no
                  seat is free any that is refused
    signup_form   a sign-up to copy that is accepted after those given, with what is right in the one that was asked for; once
                  no seat is free any. Without it a name alone makes a sign-up
    most_seats    how many seats a game with these options has at most, where options say so; 0 for any number. Never more than
                  `max_seats` of ruleset.toml, which counts without it
    fixed_seats   the names of the seats that a game with these options can have, where a sign-up is one of them and no more;
                  each with the letter that stands for it in lists of seats, or "". Terms can then say that they are given when
                  the game begins (`pbmd.rules.seating`)
    resign        the seat is given up for good, not just played by nobody; None: it goes on missing its deadlines
    waits         the seats whose deadline depends on another's orders in this step
    tell          the words of an event that has its effect at once, for a mail to its audience: a heading, then lines
    ready         whether a move is to be carried out now, although seats may still be awaited: a due sheet is on file, or a
                  miss is noted. A ruleset that has it is *sequential*: `sheets` holds those of later moves too, `awaiting`
                  only who is to move now, and each `resolve` carries out one move, or the skips of the misses noted. `view`
                  then gets the events of several steps, one after the other, if they were carried out at once
    imagine       the position as one player may picture it: made of their view alone (without events), the game's options and
                  what they assume of the rest. It is not handed the position, so that it cannot tell what the view does not.
                  Raises `Refused` for what cannot be assumed. Without it, PREVIEW is not offered
    take_over     the seat has a new holder, who plays it again if it had been given up; with what they are called, as in a
                  `Signup`, or None where a journal of former times does not say it, and the name stays. Raises `Refused` if it
                  cannot be
    disorder      the seat is in civil disorder since nobody knows when its player will play on; its orders on file are dropped,
                  and it is not awaited. Or (False) it is so no more, since they do, or somebody else
    step_name     what this step is called where a turn has several, like ``phase 1b``, or ``set-up``: small letters, digits,
                  blanks and hyphens, no two alike in a turn. Empty if the turn's number says it all. Everybody reads it
    phase         of which kind this step is, one of `info.phases`: terms can be given for each, such as another deadline for
                  retreats. Empty when the game is over
    reveal        the game has ended with a step and its events: the events as they are told, with what is opened of the sheets
                  of all steps, that one the last. It is given them so that positions need not keep sheets of steps that are
                  over, and grow with each; it reads them only if something is to be opened
    order_keys    what each line of a sheet is an order for (its unit, say), for each line a key; those of a letter take
                  the place of those on file with the same key. A ruleset whose letters amend has it, and no other
    places        the place of each seat in a game that is over: 1 for the winners, or for all who share a draw; equal ones
                  share a place. Empty if the game was not played to an end: then it counts in no results. Everybody reads it.
                  Without it those who have not won share the place after the winners
    hours         how many hours the rules recommend for this step, more than 0; used where nobody has set a deadline
    press         to whom a seat may write now: the names of rooms, and of single seats, each with the seats that read what is
                  written there. Who may write to a room or reads it may know who else reads it. ``PRESS TO ALL`` is the room
                  ``all``. It must not depend on what the seat may not know. Without it all may write to all
    rulings       what waits for the word of the game master as the position stands after a step
    rule          the game master has said yes to the ruling of that key, one of `rulings`; goes with that
    """

    info: RulesetInfo
    check_signup: Callable[[Signup, Sequence[Signup], Options], tuple[Verdict, ...]]
    setup: Callable[[Sequence[Signup], Options, Dice], P]
    load: Callable[[Mapping[str, Any]], P]
    dump: Callable[[P], Document]
    turn: Callable[[P], int]
    seats: Callable[[P], tuple[str, ...]]
    awaiting: Callable[[P], tuple[str, ...]]
    sheets: Callable[[P], tuple[Sheet, ...]]
    receive: Callable[[P, Mail], Receipt[P]]
    withdraw: Callable[[P, str], P]
    miss: Callable[[P, str], Resolution[P]]
    resolve: Callable[[P, Dice], Resolution[P]]
    view: Callable[[P, Sequence[Event], Reader], View]
    order_form: Callable[[P, str], str]
    outcome: Callable[[P], Outcome | None]
    random_orders: Callable[[P, str, Dice], str]
    names: Callable[[Signup], Mapping[str, str]] = _no_more_names
    sample_signup: Callable[[Sequence[Signup], Options], Signup] | None = None
    signup_form: Callable[[Signup, Sequence[Signup], Options], SignupForm] | None = None
    most_seats: Callable[[Options], int] | None = None
    fixed_seats: Callable[[Options], Mapping[str, str]] | None = None
    resign: Callable[[P, str], Resolution[P]] | None = None
    waits: Callable[[P], tuple[Wait, ...]] | None = None
    tell: Callable[[Event], str] | None = None
    ready: Callable[[P], bool] | None = None
    take_over: Callable[[P, str, str | None], P] | None = None
    disorder: Callable[[P, str, bool], P] | None = None
    imagine: Callable[[View, Options, Sequence[Line]], P] | None = None
    press: Callable[[P, str], Mapping[str, tuple[str, ...]]] | None = None
    rulings: Callable[[P], tuple[Ruling, ...]] | None = None
    rule: Callable[[P, str], P] | None = None
    step_name: Callable[[P], str] = _no_name
    phase: Callable[[P], str] = _no_name
    places: Callable[[P], Mapping[str, int]] | None = None
    hours: Callable[[P], int] | None = None
    order_keys: Callable[[P, Sequence[str]], Sequence[str]] | None = None
    reveal: Callable[[P, Sequence[Event], Iterable[PastStep]], tuple[Event, ...]] | None = None

    def room(self, options: Options) -> int:
        """How many seats a game with these options has at most; 0 for any number."""
        return self.most_seats(options) if self.most_seats else self.info.max_seats

    @cached_property
    def sequential(self) -> bool:
        """Whether moves are carried out one by one, each as it comes."""
        return self.ready is not None

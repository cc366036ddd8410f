"""What one letter, one deadline or one command of the game master has carried out in a game and is not reported yet: a step, or
moves of a sequential game. It is reported before the next letter is looked at, whatever else shares the transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pbmd.desk.books.transaction import Pending
from pbmd.rules.protocol import Event, Outcome


@dataclass(frozen=True, slots=True)
class Taken:
    """The move of a seat that was carried out, for its own report: the words about it, what is told of it for the `record`,
    the letter that the report answers, empty if that was answered before, and what is said `besides` of that letter, in the
    subject that something was `unread`: this stands in the mail alone, since it is no part of the game."""

    text: str
    record: str = ""
    answers: str = ""
    besides: str = ""
    unread: str = ""


@dataclass(frozen=True)
class Moved:
    """What a step of a sequential game did, in a few `words` for everybody, and the numbers of the seats that it `skipped`."""

    words: str
    skipped: frozenset[int] = frozenset()


@dataclass
class Tick:
    """See the module. `step`, `turn` and `name` are those of the last step, `began` is the turn of the first, `events` are
    those of all. `position` is how the game stood after the last step: what is told of these steps is told of that.

    All steps of a tick are rolled with one `secret`, whose commitment was published before the first of their orders was
    read, and bound to salts from one other (`salts`), promised then, too; `context` is what the last rolls were bound to, and
    the next are bound to it, as well. `words` came with the orders of the last step, by the seat's name. `moved` says who moved
    and who was skipped.

    By the seat's number are `missed`, that it sent no orders, and why; `receipts`, what else became of its mails; `used`, which
    mail had its orders, as a proof says it; `away`, what absences do to the deadline, and which seats fell asleep; and `taken`.
    `players` says who played, at the end of a game in which nobody knew.
    """

    secret: bytes = b""
    salts: bytes | None = None
    context: bytes = b""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    step: int = -1
    began: int = 0
    turn: int = 0
    name: str = ""
    position: Any = None
    events: tuple[Event, ...] = ()
    moved: list[Moved] = field(default_factory=list[Moved])
    skipped: set[int] = field(default_factory=set[int])
    missed: Mapping[int, list[str]] = field(default_factory=dict[int, list[str]])
    receipts: Mapping[int, list[str]] = field(default_factory=dict[int, list[str]])
    used: Mapping[int, str] = field(default_factory=dict[int, str])
    away: Mapping[int, list[str]] = field(default_factory=dict[int, list[str]])
    taken: dict[int, Taken] = field(default_factory=dict[int, Taken])
    outcome: Outcome | None = None
    players: tuple[str, ...] = ()


START = -1
"""The step that a game's first report counts as."""


@dataclass(frozen=True, slots=True)
class Unreported(Pending):
    """The slot of what a transaction has carried out and not reported yet, by the id of the game."""

    left: dict[int, Tick] = field(default_factory=dict[int, Tick])
    law: ClassVar[str] = "what was carried out is reported before anything else is done"

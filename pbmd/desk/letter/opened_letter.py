"""A letter that was opened, whose it may be, and what becomes of it: plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sqlalchemy import select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.questions.ask import Answering
from pbmd.ledger.tables import Confirmation, Seat, Substitution
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.post.blank import Blanker
from pbmd.post.read.letter import Letter
from pbmd.rules.protocol import Arrival, Line

STORED = select(
    *(
        col(each)
        for each in (
            LetterRow.id,
            LetterRow.uid,
            LetterRow.arrived_at,
            LetterRow.size,
            LetterRow.raw,
            LetterRow.truncated,
            LetterRow.game_id,
        )
    )
)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A letter of the ledger, parsed. All tokens in its lines are blanked; `blanked` are the numbers of the lines that had one,
    and `blanker` is what blanked them. `arrival` is its place among all letters, as the rules compare it. `questions` are those
    whose codes it shows; `raw` is what was fetched. `beside_bold` are valid orders that are not in bold type, though others
    are; `written` are the order lines, by number, that were read without the marks around them, as they were written.
    `answered` are the mails to the seat, as they were sent, that a letter long enough for it may have copied."""

    id: int
    uid: int
    arrived_at: datetime
    arrival: Arrival
    letter: Letter
    questions: tuple[Confirmation, ...] = ()
    script: Script = field(default_factory=Script)
    blanked: frozenset[int] = frozenset()
    blanker: Blanker = field(default_factory=lambda: Blanker(()))
    raw: bytes = b""
    answered: tuple[bytes, ...] = ()
    beside_bold: tuple[Line, ...] = ()
    written: Mapping[int, str] = field(default_factory=dict[int, str])

    def shows_token(self, command: Command) -> bool:
        """Whether there was a token in a command or in the lines that belong to it."""
        return any(line.number in self.blanked for line in (command.line, *command.body))


@dataclass(frozen=True, slots=True)
class Stored:
    """A letter as it is in the ledger. `game_id` is the game that it is for, if that is known."""

    id: int
    uid: int
    arrived_at: datetime
    size: int
    raw: bytes
    truncated: bool
    game_id: int | None = None


ELSEWHERE = "the token of a seat, but another sender's address"
UNVOUCHED = "the mail server does not vouch for its sender"
SHOW_SECRET = (ELSEWHERE, UNVOUCHED)
"""What may be missing in a letter that shows a secret of its seat."""


@dataclass(frozen=True)
class Sender:
    """The seat that a letter acts for. `by_address`: the letter shows no token, and the game's terms ask for none. `besides`
    are the seats of the same player whose tokens it shows in the same place, and for which it was not read.
    `confirmed`: the letter was held until its player said whose it is."""

    table: OpenGame
    seat: Seat
    by_address: bool = False
    besides: tuple[str, ...] = ()
    confirmed: bool = False


Advice = Literal["reply", "address", "server"]
"""Reply to a mail of the game, write from the seat's address, or send through a server that is vouched for."""


@dataclass(frozen=True)
class Doubtful:
    """The seat that a letter points to without proving that it may act for it, and what is missing, for the log. `checks`:
    what the mail server found, where nothing but its word is missing."""

    table: OpenGame
    seat: Seat
    reason: str
    checks: tuple[str, ...] = ()

    @property
    def shows_secret(self) -> bool:
        """Whether it shows a token of the seat, which nobody can do just by forging a sender."""
        return self.reason in SHOW_SECRET

    @property
    def advice(self) -> Advice:
        """What would have made the letter known at once."""
        return {ELSEWHERE: "address", UNVOUCHED: "server"}.get(self.reason, "reply")  # pyright: ignore[reportReturnType]


@dataclass(frozen=True)
class Unclear:
    """The seats of one address of which a letter could mean each, and what is missing, for the log."""

    seats: tuple[Sender, ...]
    reason: str


@dataclass(frozen=True)
class Master:
    """A letter of the game master about a game; with a `question` it is the answer to that. `proven`: it shows a token or a
    code, and not their address alone."""

    table: OpenGame
    question: Confirmation | None = None
    proven: bool = True


@dataclass(frozen=True)
class Away:
    """The player of a seat that a substitute has for now, and the wish that says until when. They have proved to be that
    player, and act for the seat no more than to take it back."""

    table: OpenGame
    seat: Seat
    wish: Substitution


Lost = Literal["given up", "ejected", "moved", "returned", "taken over", "gone"]
"""What became of a seat: its player gave it up, the game master took it from them, they play it from another address, its
player has it again from a substitute, or somebody else has it. Where more has happened since it is gone, and that is all."""


@dataclass(frozen=True)
class Former:
    """Somebody who once had a seat, as the journal and an old token of it show, and has none that the letter is for."""

    table: OpenGame
    seat: Seat
    lost: Lost


Seated = Sender | Doubtful | Answering
"""Somebody who has a seat, or shows what only its holder has."""
Whose = Seated | Away | Former | Master | Unclear | str
"""Whose letter it is; if nobody's, why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`note` stands beside the letter in the ledger, with the game and the seat that it is of; if it is `logged`, in the log,
    too. A letter that is `held` waits for an answer, and whoever holds it has written that down."""

    note: str = ""
    table: OpenGame | None = None
    seat: Seat | None = None
    logged: bool = False
    held: bool = False


def unanswered(why: str, table: OpenGame | None = None, seat: Seat | None = None) -> Outcome:
    """A letter that is not answered, for a reason that the log shows."""
    return Outcome(f"not answered: {why}", table, seat, logged=True)

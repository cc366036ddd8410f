"""What the auditor looks at: what was sent in, what the mail servers saw, the books of the ledger, and what was done to the
daemon meanwhile. Plain values, so that a test can make them up."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from pbmd.ledger.database import open_engine, reading
from pbmd.ledger.tables import (
    Game,
    JournalEntry,
    Letter,
    LogLine,
    Outbox,
    Report,
    Seat,
    Sighting,
    StepRecord,
    Submission,
)
from pbmd.rules import Ruleset, registry
from tests.rules import tides
from tests.torture.sink import Handed


@dataclass(frozen=True)
class Sent:
    """A letter that was sent in. `game`, `turn` and `step_name` are those of the mail it answers; empty and -1 if it answers
    none."""

    serial: int
    kind: str
    message_id: str
    answered: bool
    orders: bool
    hostile: bool = False
    game: str = ""
    seat: str = ""
    turn: int = -1
    step_name: str = ""


@dataclass(frozen=True)
class Delivery:
    """A copy of a letter that was handed to the mail server over a connection, between two times of the machine's clock.

    `accepted` is False when the connection broke: then the mail server may or may not have it.
    """

    serial: int
    connection: int
    began: float
    ended: float
    accepted: bool = True


@dataclass(frozen=True)
class Stored:
    """A letter as it lies in a folder of the mail server at the end."""

    serial: int | None
    arrived_at: datetime


@dataclass(frozen=True)
class Disturbance:
    """Something that was done to the daemon, between two times of the machine's clock.

    `seconds` is how far its clock was off meanwhile.
    """

    kind: str
    began: float
    ended: float
    seconds: float = 0.0


@dataclass(frozen=True)
class Wait:
    """Between two times of the machine's clock the daemon, or who takes its mails, was ready for so many seconds and had no
    processor: of all their threads that which had to wait longest."""

    began: float
    ended: float
    seconds: float


ENDED = "ended by itself"
"""The kind of a disturbance that is pbmd's own doing: it could not go on. Nobody knows when, but for when it was found."""


@dataclass(frozen=True)
class Books:
    """The rows of the ledger, each table by id."""

    letters: tuple[Letter, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    games: tuple[Game, ...] = ()
    seats: tuple[Seat, ...] = ()
    submissions: tuple[Submission, ...] = ()
    steps: tuple[StepRecord, ...] = ()
    reports: tuple[Report, ...] = ()
    journal: tuple[JournalEntry, ...] = ()
    outbox: tuple[Outbox, ...] = ()
    log: tuple[LogLine, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """All of it. `mailbox` is None where no mail server took part; `log_file` is the text of the dashboard log."""

    books: Books
    sent: tuple[Sent, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    mailbox: tuple[Stored, ...] | None = None
    handed: tuple[Handed, ...] = ()
    disturbances: tuple[Disturbance, ...] = ()
    log_file: str = ""
    ending: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the daemons said when they ended in a way nobody asked for."""
    waits: tuple[Wait, ...] = ()
    other_log_files: tuple[str, ...] = ()
    """Those of other hosts."""
    archives: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What `pbmd verify` finds wrong with the archives of sequential games, by their names."""
    unsettled: str = ""
    """What was still to be done when nobody waited any longer for the end, and where all is kept; empty if nothing was."""

    @cached_property
    def by_steps(self) -> Books:
        """The books without the sequential games: in those several moves may be carried out and reported together, and what is
        sent ahead waits, so that steps are no measure."""
        mine = {game.id for game in self.books.games if not rules_of(game.ruleset).sequential}

        def of_mine(rows: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(row for row in rows if row.game_id in mine)

        return replace(
            self.books,
            games=tuple(game for game in self.books.games if game.id in mine),
            steps=of_mine(self.books.steps),
            submissions=of_mine(self.books.submissions),
            reports=of_mine(self.books.reports),
            journal=of_mine(self.books.journal),
        )


def rules_of(slug: str) -> Ruleset[Any]:
    """The rules of one of the storm's games."""
    return tides.ruleset if slug == tides.info.slug else registry.get(slug)


_TABLES: dict[str, type[Any]] = {
    "letters": Letter,
    "games": Game,
    "seats": Seat,
    "submissions": Submission,
    "steps": StepRecord,
    "reports": Report,
    "journal": JournalEntry,
    "outbox": Outbox,
    "log": LogLine,
}


def read_books(database_url: str) -> Books:
    """All rows of a ledger."""
    engine = open_engine(database_url)
    try:
        with Session(reading(engine), expire_on_commit=False) as session:
            rows = {name: tuple(session.exec(select(kind).order_by(col(kind.id)))) for name, kind in _TABLES.items()}
            return Books(sightings=tuple(session.exec(select(Sighting))), **rows)
    finally:
        engine.dispose()


def read_log(path: Path) -> str:
    """The dashboard log."""
    return path.read_text(encoding="utf-8")


def write_down(evidence: Evidence, path: Path) -> None:
    """All that is not in the ledger, as JSON, for whoever looks into a finding."""
    outside = ("sent", "deliveries", "handed", "disturbances", "waits", "ending")
    kept = {name: value for name, value in asdict(replace(evidence, books=Books())).items() if name in outside}
    path.write_text(json.dumps(kept, indent=1))

"""Very many games of trivial rules whose turns are due, at once or spread over days, while letters come without end: each turn
must be resolved once, each letter be answered once, every chain verify; and a game must take no longer for all the others.

The clock is the crowd's own. It stands while the desk works, but for the letters: as many come as would in the time that took.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from pbmd.daemon.heartbeat import seldom_look_for_garbage
from pbmd.desk.books.desk import Desk, mailbox_name, open_desk
from pbmd.desk.changes import new_game
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.damage_check import broken_journals
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, Mailbox, Outbox, StepRecord, Submission
from pbmd.post.imap.fetched import Fetched
from pbmd.post.tags import plus_address
from pbmd.rules.protocol import Signup
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from tests.benchmarks.estate import ROOT, write_settings

BEGIN = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
DEADLINE = timedelta(days=3)
_RULES = ROOT / "tests" / "rules" / "count"
_OPTIONS = {"target": 1000, "die": False}
_SEATS = ("Ada", "Bob")
_AT_ONCE = 100
"""So many games are made in one transaction."""
_BATCH = 500
_LETTER = "From: {address}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <{uid}@players.test>\r\n\r\nAdd 1\r\n"
Told = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Plan:
    """So many games, due at once or evenly `spread` over a time, and so many letters a second while they are resolved."""

    games: int
    spread: timedelta = timedelta(0)
    letters_a_second: int = 230


@dataclass
class Outcome:
    """What came of it. `game_ms` is the processor's time for a game and its letter; `bytes` is the size of the ledger then."""

    games: int = 0
    letters: int = 0
    seconds: float = 0.0
    game_ms: float = 0.0
    bytes: int = 0
    findings: list[str] = field(default_factory=list[str])


@dataclass
class _Crowd:
    desk: Desk
    plan: Plan
    now: datetime = BEGIN
    writers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    sent: int = 0
    _uids: Iterator[int] = field(default_factory=lambda: count(1))

    def start_games(self, told: Told) -> None:
        """All games begin; those that are due later begin later."""
        for first in range(0, self.plan.games, _AT_ONCE):
            self.now = BEGIN + self.plan.spread * (first / self.plan.games)
            with changing_games(self.desk) as work:
                for number in range(first, min(first + _AT_ONCE, self.plan.games)):
                    table = new_game.create_game(
                        work, f"g{number}", "count", Terms(reminders=(), second_thought="0m"), {"target": 1000, "die": False}
                    )
                    for seat in _SEATS:
                        person = new_game.Newcomer(f"{seat.lower()}@g{number}.test", "")
                        new_game.add_seat(work, table, Signup(seat), person)
                    new_game.start_game(work, table)
                    seat_row = table.seats[number % len(_SEATS)]
                    to = plus_address(self.desk.settings.server.address, seat_tag(work, seat_row))
                    self.writers.append((seat_row.address, to))
            told("games begin", min(first + _AT_ONCE, self.plan.games), self.plan.games)

    def post(self, letters: int) -> None:
        """So many players send orders, whose turn it is; none sends twice."""
        writers = self.writers[self.sent : self.sent + letters]
        self.sent += len(writers)
        fetched = [self._fetched(*writer) for writer in writers]
        for first in range(0, len(fetched), _BATCH):
            store(self.desk, mailbox_name(self.desk), fetched[first : first + _BATCH])

    def _fetched(self, address: str, to: str) -> Fetched:
        uid = next(self._uids)
        raw = _LETTER.format(address=address, to=to, uid=uid).encode()
        return Fetched(1, uid, self.now.replace(microsecond=0), len(raw), raw, truncated=False)

    def read_mailbox(self) -> None:
        """The mailbox was read through just now."""
        with changing_games(self.desk) as work:
            box = work.session.execute(select(Mailbox)).scalars().first()
            if box is None:
                work.session.add(box := Mailbox(name=mailbox_name(self.desk)))
            box.read_through = self.now


def crowd(folder: Path, plan: Plan, told: Told = lambda *_: None, database: str = "") -> Outcome:
    """Have all games resolved in which a turn is due, in `folder`, and audit what is left. `database` is the address of an
    empty ledger where it is not to be a file."""
    settings = read_settings(write_settings(folder, 143, "games")).model_copy(update={"rulesets": (_RULES,)})
    if database:
        settings = settings.model_copy(update={"server": settings.server.model_copy(update={"database": database})})
    here: list[_Crowd] = []
    desk = replace(open_desk(settings), now=lambda: here[0].now)
    here.append(_Crowd(desk, plan))
    try:
        here[0].start_games(told)
        return _resolve(here[0], told)
    finally:
        desk.engine.dispose()


def _resolve(crowd: _Crowd, told: Told) -> Outcome:
    seldom_look_for_garbage()
    outcome, begun = Outcome(crowd.plan.games), time.monotonic()
    used = 0.0
    hours = max(1, crowd.plan.spread // timedelta(hours=1))
    for hour in range(1, hours + 1):
        crowd.now = BEGIN + DEADLINE + crowd.plan.spread * hour / hours + timedelta(minutes=10)
        crowd.read_mailbox()
        resolved = -1
        while resolved:
            looked = time.monotonic()
            used -= time.process_time()
            resolved = advance_games(crowd.desk, lambda: time.monotonic() - looked > 0.2)  # noqa: B023 - asked at once
            used += time.process_time()
            crowd.now += timedelta(seconds=1)
            crowd.post(round(crowd.plan.letters_a_second * (time.monotonic() - looked)))
            used -= time.process_time()
            outcome.letters += process_letters(crowd.desk)
            used += time.process_time()
            told("turns are resolved", _count(crowd.desk, StepRecord), crowd.plan.games)
    outcome.seconds = time.monotonic() - begun
    outcome.game_ms = used / crowd.plan.games * 1000
    outcome.findings = list(_audit(crowd, outcome))
    outcome.bytes = _size(crowd.desk)
    return outcome


def _audit(crowd: _Crowd, outcome: Outcome) -> Iterator[str]:
    """What is lost, or doubled, or does not verify."""
    numbers = {
        "games that go on": _count(crowd.desk, Game, Game.status == GameStatus.RUNNING),
        "games in their second turn": _count(crowd.desk, Game, Game.step == 1),
        "turns resolved": _count(crowd.desk, StepRecord),
    }
    yield from (f"{found} {what}, not {crowd.plan.games}" for what, found in numbers.items() if found != crowd.plan.games)
    numbers = {
        "letters dealt with": outcome.letters,
        "letters done": _count(crowd.desk, Letter, Letter.state == LetterState.DONE),
        "orders filed": _count(crowd.desk, Submission),
        "acknowledgements": _count(crowd.desk, Outbox, Outbox.kind == "acknowledgement"),
    }
    yield from (f"{found} {what}, not {crowd.sent}" for what, found in numbers.items() if found != crowd.sent)
    with Session(reading(crowd.desk.engine)) as session:
        yield from (f"the journal of {name}: {why}" for name, why in broken_journals(session))


def _count(desk: Desk, table: type, *conditions: object) -> int:
    with reading(desk.engine).connect() as connection:
        return connection.execute(select(func.count(col(table.id))).where(*conditions)).scalar_one()  # pyright: ignore[reportArgumentType, reportAttributeAccessIssue]


def _size(desk: Desk) -> int:
    with reading(desk.engine).connect() as connection:
        if connection.dialect.name == "postgresql":
            return connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        pages, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
        return pages * size

"""Who works on a shared ledger, what each does, and how far behind they are, for `pbmd status` and the game master's pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select, text
from sqlmodel import Session, col
from sqlmodel import select as rows_of

from pbmd.ledger.parts import GAMES, PAGES, SENDING, holders, reading_of
from pbmd.ledger.tables import NEW, Clock, Game, GameStatus, Host, Letter

SHOWN_FOR = timedelta(days=7)
"""For this long a silent host is still shown."""
_WORKER_SECONDS = 20
"""A worker that was silent for this long is gone."""
_BELL = text("SELECT to_regclass('bell.procrastinate_workers')")
_WORKERS = text("SELECT count(*) FROM bell.procrastinate_workers WHERE last_heartbeat > now() - :seconds * interval '1 second'")
_LANES = (
    select(col(Letter.game_id).label("game"), func.count().label("letters"), func.min(Letter.arrived_at).label("first"))
    .where(NEW)
    .group_by(col(Letter.game_id))
    .subquery()
)
_OF_A_GAME = _LANES.c.game.is_not(None)
# One row, however many games have letters waiting.
_QUEUES = select(
    func.count(_LANES.c.game),
    func.coalesce(func.max(_LANES.c.letters).filter(_OF_A_GAME), 0),
    func.coalesce(func.sum(_LANES.c.letters).filter(~_OF_A_GAME), 0),
    func.min(_LANES.c.first),
)


@dataclass(frozen=True)
class HostState:
    """A host that works on the ledger, what it does there (``run``), when it last said so, and what is known of its clock
    (``confirmed``, ``not in doubt``, or why it is in doubt; empty if it was not checked yet)."""

    name: str
    does: str
    version: str
    seen_at: datetime
    age_seconds: int
    clock: str = ""


@dataclass(frozen=True)
class SharedState:
    """Who does what at a ledger on PostgreSQL: part → the machine where it is done, "" if nowhere. `workers` were heard from
    lately. `lanes` is how many games have letters waiting in a lane, `longest_lane` how many the fullest has, and
    `unassigned_letters` have no lane yet; `oldest_letter` is when the first of all of them arrived. `games_due` are the games
    that wait for the clock, and `lag_seconds` how long the first of them has."""

    parts: Mapping[str, str]
    workers: int
    lanes: int
    longest_lane: int
    unassigned_letters: int
    oldest_letter: datetime | None
    games_due: int
    oldest_due: datetime | None
    lag_seconds: int


def hosts_since(session: Session, instant: datetime) -> Sequence[Host]:
    """Who has worked on the ledger since then, by hostname."""
    order = (col(Host.hostname), col(Host.name), col(Host.does))
    return session.exec(rows_of(Host).where(col(Host.seen_at) > instant).order_by(*order)).all()


def names_of_hosts(hosts: Sequence[Host]) -> dict[str, str]:
    """What to call each host: its hostname, with the beginning of its own name if another host has the same."""
    hostnames = {host.name: host.hostname for host in hosts}
    often = Counter(hostnames.values())
    return {name: f"{hostname} ({name[:6]})" if often[hostname] > 1 else hostname for name, hostname in hostnames.items()}


def states_of_hosts(session: Session, now: datetime) -> tuple[HostState, ...]:
    """The hosts that were heard from lately; none if there is only one."""
    hosts = hosts_since(session, now - SHOWN_FOR)
    names = names_of_hosts(hosts)
    if len(names) < 2:
        return ()
    clocks = {clock.host: clock for clock in session.exec(rows_of(Clock))}
    return tuple(
        HostState(
            names[host.name],
            host.does,
            host.version,
            host.seen_at,
            int((now - host.seen_at).total_seconds()),
            _clock_words(clocks.get(host.name)),
        )
        for host in hosts
    )


def shared_state(session: Session, now: datetime, mailbox: str) -> SharedState | None:
    """Who does what, and how far behind they are; None for a ledger that one pbmd has to itself. `mailbox` is the name of one
    that is read; the ledger knows those that other hosts read."""
    ledger = session.connection()
    if ledger.dialect.name != "postgresql":
        return None
    theirs = {host.mailbox for host in hosts_since(session, now - SHOWN_FOR) if host.mailbox}
    parts = (*(reading_of(name) for name in sorted({mailbox} | theirs)), SENDING, GAMES, PAGES)
    lanes, longest, unassigned, oldest = ledger.execute(_QUEUES).one()
    is_due = (col(Game.status) == GameStatus.RUNNING, col(Game.due_at) <= now)
    due, first = ledger.execute(select(func.count(), func.min(Game.due_at)).where(*is_due)).one()
    return SharedState(
        parts=holders(ledger, parts),
        workers=_workers_heard_of(ledger),
        lanes=lanes,
        longest_lane=longest,
        unassigned_letters=int(unassigned),
        oldest_letter=oldest,
        games_due=due,
        oldest_due=first,
        lag_seconds=int((now - first).total_seconds()) if first else 0,
    )


def _workers_heard_of(connection: Connection) -> int:
    if connection.execute(_BELL).scalar() is None:
        return 0
    return int(connection.execute(_WORKERS, {"seconds": _WORKER_SECONDS}).scalar_one())


def _clock_words(clock: Clock | None) -> str:
    if clock is None:
        return ""
    if clock.doubted_at is not None:
        return f"in doubt: {clock.doubt}"
    return "confirmed" if clock.proved else "not in doubt"

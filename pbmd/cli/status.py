"""`pbmd status`: how the games, the mailbox and the outbox stand."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich.console import Console
from sqlmodel import col, func, select

from pbmd.cli.common import DAMAGED, SETTINGS, WENT_WRONG, examples, fail, time_as_json
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.grid import cell, show_pairs, show_rows
from pbmd.cli.hosts import host_words, shared_words
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.symptoms import Symptom, more_told, of_log, of_refusal
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.desk.sending.redact import without_addresses
from pbmd.desk.unreadable.unsettled import unsettled, words_of
from pbmd.desk.upkeep.damaged import look_through
from pbmd.desk.upkeep.sizes import Sizes, in_megabytes, megabytes, size_words, sizes
from pbmd.ledger.damage_check import UNFINISHED, broken_journals
from pbmd.ledger.sharing import HostState, SharedState, shared_state, states_of_hosts
from pbmd.ledger.tables import (
    Game,
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    LogLine,
    Mailbox,
    Outbox,
    OutboxState,
    Request,
    RequestState,
)
from pbmd.rules.protocol import Outcome
from pbmd.rules.sheets import seats_with_orders
from pbmd.rules.troubles import DEFECTS, place_of
from pbmd.terms.phases import phase_words
from pbmd.terms.times import describe_duration, describe_time

app = typer.Typer(**SETTINGS)
_OF_SERVERS = (("imap-refused", "imap-lost", "imap-back"), ("smtp-lost", "smtp-back"))
"""Words of the log: the last of each tells whether that server works."""
_LARGEST = 4
"""This many of the largest things in the ledger are named."""


@dataclass(frozen=True)
class GameState:
    """A game's row. `step_name` is what the rules call the current step, if they do. `left_seconds` is negative after the
    deadline; `sheets` counts the orders on file, None where moves are carried out when they come: who has sent one ahead is
    nobody else's business. For the seats that are `asleep` nobody waits. `outcome` says how it ended and who has won, "" while
    it goes on. `trouble` says why the game cannot go on; then nothing is known of its orders."""

    name: str
    ruleset: str
    status: str
    turn: int
    step_name: str
    seats: int
    sheets: int | None
    awaited: tuple[str, ...]
    deadline: datetime | None
    left_seconds: int | None
    outcome: str = ""
    trouble: str = ""
    phases: str = ""
    asleep: tuple[str, ...] = ()


@dataclass(frozen=True)
class MailboxHealth:
    """How far the mailbox of the settings was read, and how long ago that was."""

    name: str
    read_through: datetime | None
    age_seconds: int | None
    letters_to_do: int


@dataclass(frozen=True)
class OutboxHealth:
    """Mails that are not out: waiting, on their way, and given up."""

    queued: int
    failed: int
    held: int
    oldest: datetime | None
    last_error: str


@dataclass(frozen=True)
class Quarantined:
    """A letter that could not be dealt with."""

    letter: int
    arrived_at: datetime
    note: str


@dataclass(frozen=True)
class Unreachable:
    """A seat whose mail bounces."""

    game: str
    seat: str
    since: datetime


@dataclass(frozen=True)
class Waiting:
    """A request that waits for the game master's word."""

    game: str
    number: int
    words: str


@dataclass(frozen=True)
class Lost:
    """A value of the ledger that could not be read and that nobody has dealt with yet: of which game, if any, and where it
    was."""

    game: str
    place: str
    found_at: datetime


@dataclass(frozen=True)
class State:
    """Everything that the command shows."""

    now: datetime
    games: tuple[GameState, ...]
    mailbox: MailboxHealth
    outbox: OutboxHealth
    quarantined: tuple[Quarantined, ...]
    unreachable: tuple[Unreachable, ...]
    requests: tuple[Waiting, ...]
    clock_in_doubt: str
    unreadable: tuple[Lost, ...]
    hosts: tuple[HostState, ...]
    shared: SharedState | None


@app.command("status", epilog=examples("pbmd status", "pbmd status galaxy-7", "pbmd status --json | jq '.games[].awaited'"))
def command(
    game: Annotated[str | None, typer.Argument(help="Only this game.", metavar="GAME")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the games (turn, deadline, who is missing) and the health of mailbox and outbox.

    It shows no orders. Who is awaited is the game master's to know where players are not told who has sent.

    Exit code 1 if there is a game that cannot go on as it is kept, or a value that cannot be read; all others are shown all
    the same. Exit code 4 if the ledger
    is damaged, or the journal of a game that is not over is not what was written."""
    with at_desk(settings, look_through) as desk:
        with Transaction(desk, reads=True) as work:
            state = read_state(work, game)
            more = list(more_told(signs_in(work, state)))
            which = UNFINISHED if game is None else col(Game.name).in_([each.name for each in state.games])
            broken = [f"{name}: {trouble}" for name, trouble in broken_journals(work.session, which)]
        ledger = sizes(desk)
        if as_json:
            print(
                json.dumps(asdict(state) | {"ledger": in_megabytes(ledger)}, default=time_as_json, ensure_ascii=False, indent=2)
            )
        else:
            _show(state, ledger, desk.settings.server.timezone, more)
        if broken:
            fail(f"a journal is not what was written ({'; '.join(broken)}): pbmd check says what leads back", DAMAGED)
        if state.unreadable or any(game.trouble for game in state.games):
            raise typer.Exit(WENT_WRONG)


def read_state(work: Transaction, game: str | None = None) -> State:
    """How everything stands, from the ledger alone. Raises `Refused` for a game that does not exist."""
    if game is not None:
        tables = [table_of(work, game)]
    else:
        ids = work.session.exec(select(Game.id).order_by(col(Game.status) == GameStatus.FINISHED, col(Game.id))).all()
        tables = [work.table(game_id) for game_id in ids if game_id is not None]
    ends = _ends(work, tables)
    games = tuple(_game(table, work.now, ends.get(table.id, "")) for table in tables)
    lost = tuple(
        Unreachable(table.game.name, seat.name, seat.unreachable_since)
        for table in tables
        for seat in table.seats
        if seat.unreachable_since is not None
    )
    return State(
        work.now,
        games,
        _mailbox(work),
        _outbox(work),
        _quarantined(work),
        lost,
        _requests(work, tables),
        doubts(work),
        _lost(work),
        states_of_hosts(work.session, work.now),
        shared_state(work.session, work.now, mailbox_name(work.desk)),
    )


def _lost(work: Transaction) -> tuple[Lost, ...]:
    names = dict(work.session.exec(select(Game.id, Game.name)).all())
    found = unsettled(work)
    return tuple(Lost(names.get(value.game_id, ""), words_of([value]), value.found_at) for value in found)


def _requests(work: Transaction, tables: Sequence[OpenGame]) -> tuple[Waiting, ...]:
    waiting = select(Request).where(Request.state == RequestState.OPEN).order_by(col(Request.game_id), col(Request.number))
    names = {table.id: table.game.name for table in tables}
    found = work.session.exec(waiting)
    return tuple(Waiting(names[each.game_id], each.number, each.words) for each in found if each.game_id in names)


def _ends(work: Transaction, tables: Sequence[OpenGame]) -> dict[int, str]:
    """The public parts of the entries with which those of the games ended that are over."""
    over = [table.id for table in tables if table.game.status is GameStatus.FINISHED]
    if not over:
        return {}
    from pbmd.ledger.entries.step_entries import FinishedEntry  # with all kinds of entries

    columns = select(JournalEntry.game_id, JournalEntry.public).where(JournalEntry.kind == FinishedEntry.kind)
    return dict(work.session.exec(columns.where(col(JournalEntry.game_id).in_(over)).order_by(col(JournalEntry.number))).all())


def _outcome(end: str, table: OpenGame) -> str:
    """How the game ended and who has won, from its journal. Raises what a damaged journal raises."""
    if not end:
        return ""
    from pbmd.ledger.entries.rows import entry_in
    from pbmd.ledger.entries.step_entries import FinishedEntry

    finished = entry_in(FinishedEntry.kind, end)
    assert isinstance(finished, FinishedEntry)
    return Outcome(finished.winners, finished.reason).told(seat.name for seat in table.seats)


def _game(table: OpenGame, now: datetime, end: str) -> GameState:
    game = table.game
    playing = game.status in (GameStatus.RUNNING, GameStatus.PAUSED)
    try:
        trouble, (sheets, waiting), outcome = "", _orders(table, playing=playing), _outcome(end, table)
    except DEFECTS as problem:  # whatever is wrong with one game, the others are shown
        trouble, (sheets, waiting), outcome = place_of(problem), (None, ()), ""
    return GameState(
        name=game.name,
        ruleset=game.ruleset,
        status=game.status.value,
        turn=game.turn,
        step_name=game.step_name if playing else "",
        seats=len(table.seats),
        sheets=sheets,
        awaited=waiting,
        deadline=game.deadline,
        # The clock of a paused game stands.
        left_seconds=_seconds(now, game.deadline) if game.deadline and game.status is GameStatus.RUNNING else None,
        outcome=outcome,
        trouble=trouble,
        asleep=tuple(seat.name for seat in table.seats if seat.is_asleep) if game.status is not GameStatus.FINISHED else (),
        phases="" if trouble or game.status is GameStatus.FINISHED else phase_words(table.terms, table.ruleset.info.phases),
    )


def _orders(table: OpenGame, *, playing: bool) -> tuple[int | None, tuple[str, ...]]:
    """How many seats have sent their orders, if that may be told, and who is awaited. Raises what the ruleset raises."""
    waiting = tuple(seat.name for seat in awaited(table)) if playing else ()
    if table.ruleset.sequential:
        return None, waiting
    return len(seats_with_orders(table.ruleset, table.position)) if playing else 0, waiting


def _mailbox(work: Transaction) -> MailboxHealth:
    name = mailbox_name(work.desk)
    read = work.session.exec(select(Mailbox.read_through).where(Mailbox.name == name)).first()
    to_do = work.session.exec(select(func.count()).select_from(Letter).where(Letter.state == LetterState.NEW)).one()
    return MailboxHealth(name, read, _seconds(read, work.now) if read else None, to_do)


def _outbox(work: Transaction) -> OutboxHealth:
    columns = select(Outbox.state, func.count(), func.min(Outbox.queued_at)).group_by(col(Outbox.state))
    rows = work.session.exec(columns.where(Outbox.state != OutboxState.SENT)).all()
    counts = {state: count for state, count, _ in rows}
    waiting = (OutboxState.QUEUED, OutboxState.SENDING)
    errors = select(Outbox.error).where(Outbox.error != "", Outbox.state != OutboxState.SENT)
    return OutboxHealth(
        queued=sum(counts.get(state, 0) for state in waiting),
        failed=counts.get(OutboxState.FAILED, 0),
        held=counts.get(OutboxState.HELD, 0),
        oldest=min((oldest for state, _, oldest in rows if state in waiting), default=None),
        last_error=without_addresses(work.session.exec(errors.order_by(col(Outbox.id).desc()).limit(1)).first() or ""),
    )


def _quarantined(work: Transaction) -> tuple[Quarantined, ...]:
    columns = select(Letter.id, Letter.arrived_at, Letter.note).where(Letter.state == LetterState.QUARANTINED)
    return tuple(Quarantined(number or 0, at, note) for number, at, note in work.session.exec(columns.order_by(col(Letter.id))))


def _seconds(begin: datetime, end: datetime) -> int:
    return int((end - begin).total_seconds())


def _show(state: State, ledger: Sizes, zone: str, more: Sequence[str]) -> None:
    console = Console()
    if state.games:
        head = ("game", "ruleset", "status", "turn", "orders", "deadline", "awaited")
        show_rows(console, head, ([cell(text) for text in _row(game, state.now, zone)] for game in state.games))
    else:
        console.print("There is no game yet; pbmd new makes one.")
    health = [("mailbox", _mailbox_words(state.mailbox)), ("outbox", _outbox_words(state.outbox, state.now))]
    health.append(("ledger", ledger_words(ledger)))
    health += [("host", host_words(host)) for host in state.hosts]
    health += shared_words(state.shared, state.now) if state.shared else []
    health += _to_look_at(state, zone)
    health += [("more of", told) for told in more]
    show_pairs(console, [(name, cell(text)) for name, text in health])


def signs_in(work: Transaction, state: State) -> Iterator[tuple[str, tuple[Symptom, ...]]]:
    """Signs of mail that does not arrive, as far as the ledger shows."""
    for words in _OF_SERVERS:
        last = select(LogLine).where(col(LogLine.what).in_(words)).order_by(col(LogLine.id).desc()).limit(1)
        for line in work.session.exec(last):
            yield line.what, of_log(line.what, line.detail)
    yield "last error", of_refusal(state.outbox.last_error)
    if state.unreachable:
        yield "unreachable", (Symptom.FULL,)


_OF_GAMES: Mapping[str, Callable[[GameState], str]] = {
    "asleep": lambda game: f"{', '.join(game.asleep)}; pbmd wake" if game.asleep else "",
    "phases": lambda game: game.phases,
    "over": lambda game: game.outcome,
}


def _to_look_at(state: State, zone: str) -> list[tuple[str, str]]:
    """What somebody may have to act on, the terms of phases, and how games have ended."""
    health: list[tuple[str, str]] = []
    if state.clock_in_doubt:
        health.append(("clock", f"in doubt, nothing is resolved: {state.clock_in_doubt}; pbmd clock"))
    for label, words_of_game in _OF_GAMES.items():
        health += [(label, f"{game.name}: {words}") for game in state.games if (words := words_of_game(game))]
    health += [("unreadable", f"{f'{lost.game}: ' if lost.game else ''}{lost.place}; pbmd check") for lost in state.unreadable]
    health += [("broken", f"{game.name}: {game.trouble}") for game in state.games if game.trouble]
    if state.outbox.last_error:
        health.append(("last error", state.outbox.last_error))
    health += [
        ("unreachable", f"{seat.seat} in {seat.game} since {describe_time(seat.since, zone)}") for seat in state.unreachable
    ]
    health += [("request", f"{each.number} in {each.game}: {each.words}") for each in state.requests]
    health += [
        ("quarantined", f"letter {letter.letter} of {describe_time(letter.arrived_at)}: {letter.note}")
        for letter in state.quarantined
    ]
    return health


def _row(game: GameState, now: datetime, zone: str) -> tuple[str, ...]:
    counts = game.deadline and game.sheets is not None
    # Not every seat has a part in each step: one that is eliminated has none.
    orders = f"{game.sheets} of {(game.sheets or 0) + len(game.awaited)}" if counts else f"{game.seats} seats"
    has_turn = game.status in (GameStatus.RUNNING, GameStatus.PAUSED) and game.turn
    turn = f"{game.turn} {game.step_name}".rstrip() if has_turn else ""
    return (game.name, game.ruleset, game.status, turn, orders, _deadline(game, now, zone), ", ".join(game.awaited))


def _deadline(game: GameState, now: datetime, zone: str) -> str:
    if game.deadline is None:
        return ""
    told = describe_time(game.deadline, zone)
    if game.left_seconds is None:
        return told
    length = describe_duration(game.deadline - now)
    return f"{told}, {length} left" if game.left_seconds > 0 else f"{told}, {length} ago"


_SELDOM = timedelta(minutes=6)
"""Within that nobody can tell when it was."""


def _mailbox_words(box: MailboxHealth) -> str:
    if box.read_through is None or box.age_seconds is None:
        return f"{box.name}: not read yet"
    to_do = f"; {box.letters_to_do} letters are waiting to be dealt with" if box.letters_to_do else ""
    age = timedelta(seconds=box.age_seconds)
    # A reading that found nothing is written down only now and then (`pbmd.daemon.evidence`).
    when = "in the last minutes" if age <= _SELDOM else f"{describe_duration(age)} ago"
    return f"{box.name}: read to its end {when}{to_do}"


def ledger_words(ledger: Sizes) -> str:
    """How large it is, and the largest things in it."""
    # By what is told of them, for which of two is larger by a few bytes is not.
    parts = sorted((-megabytes(size), name) for name, size in ledger.parts.items())
    shown = ", ".join(f"{name} {-size} MB" for size, name in parts[:_LARGEST] if size)
    return ": ".join(filter(None, (size_words(ledger.whole), shown)))


def _outbox_words(outbox: OutboxHealth, now: datetime) -> str:
    counts = [f"{outbox.queued} to be sent", f"{outbox.failed} given up"] + ([f"{outbox.held} held"] if outbox.held else [])
    if outbox.oldest:
        counts[0] += f", the oldest {describe_duration(now - outbox.oldest)} old"
    return "; ".join(counts)

"""How a game stands, as the game master is told."""

from collections.abc import Iterator

from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.absences import announced, words_of
from pbmd.desk.game.requests import open_requests
from pbmd.desk.timing.awaiting import awaited
from pbmd.desk.timing.trusted_clock import doubts
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.terms.quiet_days import quiet_words
from pbmd.terms.times import describe_duration, describe_time

_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


def status_lines(work: Work, table: Table) -> list[str]:
    """Turn, deadlines, who is awaited or away, seats, and what waits for the game master's word: a line each."""
    return [
        f"{table.game.name} ({table.title}): {table.game.status.value}, {table.game.step_words}",
        *_trouble_or_options(table),
        *(_deadlines(work, table) if table.game.status in _UNDER_WAY else ()),
        *_absences_and_clock(work, table),
        *_seats(table),
        *(f"request {request.number}: {request.words}" for request in open_requests(work, table)),
    ]


def _trouble_or_options(table: Table) -> list[str]:
    if table.trouble:
        return [f"the game cannot go on: {table.trouble}"]
    return [f"options: {table.changed_options}"] if table.changed_options else []


def _deadlines(work: Work, table: Table) -> Iterator[str]:
    game = table.game
    if game.deadline:
        left = f", in {describe_duration(game.deadline - work.now)}" if game.deadline > work.now else ", over"
        yield f"deadline: {deadline_words(work, table)}{'' if game.paused_at else left}"
    yield from (f"deadline of {seat.name}: {deadline_words(work, table, seat)}" for seat in table.seats if seat.deadline)
    if not table.trouble:
        yield f"awaited: {', '.join(seat.name for seat in awaited(table)) or 'nobody'}"


def _absences_and_clock(work: Work, table: Table) -> Iterator[str]:
    by_id = {seat.id: seat.name for seat in table.seats}
    yield from (f"away: {by_id[each.seat_id]}, {words_of(each)}" for each in announced(work, table))
    if words := quiet_words(table.terms):
        yield f"no deadline on: {words}"
    if words := doubts(work):
        yield f"the clock of the machine is in doubt, so nothing is resolved: {words} (CLOCK CONFIRM if it is right)"


def _seats(table: Table) -> Iterator[str]:
    empty = [seat.name for seat in table.seats if seat.state is not SeatState.ACTIVE]
    lost = [seat.name for seat in table.seats if seat.unreachable_since]
    yield f"seats: {', '.join(seat.name for seat in table.seats) or 'none taken yet'}"
    if empty:
        yield f"played by nobody: {', '.join(empty)}"
    if lost:
        yield f"mail comes back from: {', '.join(lost)}"


def deadline_words(work: Work, table: Table, seat: Seat | None = None) -> str:
    """The deadline of a game, or that of a seat, as the game master reads it."""
    at = (seat.deadline if seat else None) or table.game.deadline
    return describe_time(at, work.desk.settings.server.timezone) if at else "none"

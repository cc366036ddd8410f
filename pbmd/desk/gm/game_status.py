"""How a game stands, as shown to the game master."""

from collections.abc import Iterator

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.openings.places import gives_later
from pbmd.desk.changes.openings.series import is_open, opening_words
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.desk.digest.news import times_missed
from pbmd.desk.digest.requests import open_requests
from pbmd.desk.language.columns import labelled
from pbmd.desk.language.columns import table as columns
from pbmd.desk.mail.clock_words import deadline_words
from pbmd.desk.step.absences import announced, words_of
from pbmd.desk.step.substitutes.wishes import substitute_words
from pbmd.desk.votes.propose import votes_of
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.terms.phases import phase_words
from pbmd.terms.quiet_days import quiet_words
from pbmd.terms.seating import seating_words
from pbmd.terms.times import describe_duration, describe_time

_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


def status_text(work: Transaction, table: OpenGame) -> str:
    """Turn, deadline, who is awaited or away, seats, and what waits for the game master's decision, as tables of a mail's
    width."""
    game = table.game
    parts = [
        f"{game.name} ({table.title})",
        "\n".join(labelled(label, text) for label, text in _rows(work, table)),
        _seats(work, table) if table.seats else "No seat is filled yet.",
        "\n".join(labelled(f"request {request.number}", request.words) for request in open_requests(work, table)),
    ]
    return "\n\n".join(filter(None, parts))


def _rows(work: Transaction, table: OpenGame) -> Iterator[tuple[str, str]]:
    game = table.game
    yield "now", game.stands
    if table.trouble:
        yield "trouble", f"the game cannot go on: {table.trouble}"
    elif table.changed_options:
        yield "options", table.changed_options
    if game.standing and game.status is GameStatus.SIGNUP:
        if not is_open(work, table):
            yield "sign-up", f"{table.game.name} {opening_words(work, table)}"
        yield "standing", "when it is full, the next game of the same set-up takes sign-ups (STANDING OFF ends that)"
    if gives_later(table):
        yield "seats", seating_words(table.terms, table.ruleset.info.seat_word)
    if game.status in _UNDER_WAY:
        yield from _clock(work, table)
    if words := phase_words(table.terms, () if table.trouble else table.ruleset.info.phases):
        yield "phases", words
    yield from votes_of(work, table)
    if words := quiet_words(table.terms):
        yield "quiet", f"no deadline on {words}"
    if words := doubts(work):
        yield "clock", f"in doubt, so nothing is resolved: {words} (CLOCK CONFIRM if it is right)"


def _clock(work: Transaction, table: OpenGame) -> Iterator[tuple[str, str]]:
    game = table.game
    if game.deadline:
        left = f", in {describe_duration(game.deadline - work.now)}" if game.deadline > work.now else ", over"
        yield "deadline", f"{deadline_words(work, table)}{'' if game.paused_at else left}"
    if not table.trouble:
        yield "missing", ", ".join(seat.name for seat in awaited(table)) or "nobody"


def _seats(work: Transaction, table: OpenGame) -> str:
    away = {each.seat_id: words_of(each) for each in announced(work, table)}
    missed, sent = times_missed(work, table), _sent(table)
    rows = [
        (
            seat.name,
            sent.get(seat.name, ""),
            str(missed.get(seat.name) or ""),
            "; ".join(_besides(work, table, seat, away.get(seat.id or 0, ""))),
        )
        for seat in table.seats
    ]
    return columns(("seat", "orders", "missed", "notes"), rows)


def _sent(table: OpenGame) -> dict[str, str]:
    """Which seats have orders on file, and which are awaited, by name."""
    if table.game.status not in _UNDER_WAY or table.trouble:
        return {}
    waited = [seat.name for seat in awaited(table)]
    if table.ruleset.sequential:  # it is nobody else's business who has sent a move ahead
        return dict.fromkeys(waited, "to move")
    return {sheet.seat: "in" for sheet in table.ruleset.sheets(table.position)} | dict.fromkeys(waited, "missing")


def _besides(work: Transaction, table: OpenGame, seat: Seat, away: str) -> Iterator[str]:
    if gives_later(table):
        yield f"{seat.holder} <{seat.address}>".lstrip()
    if seat.state is not SeatState.ACTIVE:
        yield "played by nobody"
    if seat.is_asleep:
        yield "asleep (WAKE)"
    if seat.unreachable_since:
        yield f"mail comes back since {describe_time(seat.unreachable_since)}"
    if seat.deadline:
        yield f"until {deadline_words(work, table, seat)}"
    if away:
        yield f"away {away}"
    yield from substitute_words(work, table, seat)

"""The game master's decisions about time, apart from the deadline itself: quiet days and holidays, and the time zone of a
player."""

from collections.abc import Sequence

from pydantic import ValidationError

from pbmd.desk.books.deadlines import move_deadlines, sealed_deadlines
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import set_timezone
from pbmd.desk.mail.notice import Notice, tell
from pbmd.ledger.entries.master_entries import QuietEntry
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rendering.entry_notices import notices_of
from pbmd.rendering.notice_sentences import NO_QUIET_DAYS, QUIET_DAYS
from pbmd.rules.protocol import Refused
from pbmd.terms.days import parse_days
from pbmd.terms.quiet_days import allowed, quiet_words
from pbmd.terms.terms import Terms
from pbmd.terms.times import describe_days, describe_time, named_zone


def set_quiet_days(work: Transaction, table: OpenGame, names: Sequence[str], place: str = "", reason: str = "") -> str:
    """Set the weekdays on which no deadline of the game falls, none if no names are given, in a time zone; returns a sentence.
    Raises `Refused` or `TimeError`."""
    zone = {"quiet_zone": named_zone(place)} if place else {}
    return _change(work, table, {"quiet_days": tuple(names), **zone}, reason)


def add_holiday(work: Transaction, table: OpenGame, days: str, reason: str = "") -> str:
    """No deadline falls on these days (as in the term ``holidays``); returns a sentence. Raises `Refused` or `TimeError`."""
    parse_days(days)
    if days in table.terms.holidays:
        raise Refused(f"{_said(days)} is a holiday of {table.game.name} already")
    return _change(work, table, {"holidays": (*table.terms.holidays, days)}, reason)


def drop_holiday(work: Transaction, table: OpenGame, days: str, reason: str = "") -> str:
    """Remove a holiday; returns a sentence. Raises `Refused` or `TimeError`."""
    meant = parse_days(days)
    left = tuple(each for each in table.terms.holidays if parse_days(each) != meant)
    if left == table.terms.holidays:
        there = "; ".join(map(_said, table.terms.holidays)) or "none"
        raise Refused(f"{_said(days)} is no holiday of {table.game.name}; there are: {there}")
    return _change(work, table, {"holidays": left}, reason)


def give_timezone(work: Transaction, table: OpenGame, seat: Seat, name: str) -> str:
    """A player gets the times in this zone from now on; returns a sentence. Raises `Refused` or `TimeError`."""
    if seat.state is not SeatState.ACTIVE:
        raise Refused(f"nobody holds {seat.name} in {table.game.name}")
    set_timezone(work, table, seat, named_zone(name))
    return f"{seat.name} gets the times in {seat.timezone} from now on, too."


def _said(days: str) -> str:
    return describe_days(*parse_days(days))


def _change(work: Transaction, table: OpenGame, changed: dict[str, object], reason: str) -> str:
    game = table.game
    if game.status is GameStatus.FINISHED:
        raise Refused(f"{game.name} is over")
    try:
        terms = Terms.model_validate(table.terms.model_dump(exclude_unset=True) | changed)
    except ValidationError as problem:
        raise Refused(problem.errors()[0]["msg"].removeprefix("Value error, ")) from None
    if terms == table.terms:
        raise Refused("that is so already")
    if game.status is GameStatus.RUNNING:
        table.must_go_on()
    table.terms, game.terms = terms, terms.model_dump_json()
    before = game.deadline
    # A deadline that was moved for days that are no longer quiet stays: players have planned with it.
    move_deadlines(table, lambda at: allowed(terms, at))
    words = quiet_words(terms) or "none"
    entry = QuietEntry(
        turn=game.turn,
        quiet_days=tuple(terms.quiet_days),
        holidays=tuple(terms.holidays),
        quiet_zone=terms.quiet_zone,
        deadline=written_deadline(game.deadline),
        reason=reason,
        sealed=sealed_deadlines(table, work.cause),
    )
    number = work.journal(table, entry)
    work.log("quiet", table, detail=words + (f": {reason}" if reason else ""))
    text = QUIET_DAYS.format(days=words) if quiet_words(terms) else NO_QUIET_DAYS
    headline = notices_of(entry)[0].headline
    due = f"{headline}, due {{due}}" if game.deadline != before else ""
    tell(work, table, table.seats, Notice(f"notice {table.id} {number}", headline, text, reason, due))
    if game.deadline is None or game.deadline == before:
        return text
    return f"{text} The deadline of {game.step_called} moves to {describe_time(game.deadline, terms.quiet_zone or 'UTC')}."

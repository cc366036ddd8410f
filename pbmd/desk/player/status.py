"""STATUS: how a game stands, as far as the seat that asks may know."""

import textwrap
from collections.abc import Iterator

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.openings.places import gives_later, list_words
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.clock_words import ClockWords, clock_words
from pbmd.desk.player.personal import away_words, left_words
from pbmd.desk.step.on_file import arrival_words, sent_words, sheet_on_file
from pbmd.desk.step.reporting.present import present_of
from pbmd.desk.step.reporting.press_rooms import room_words, rooms_of
from pbmd.desk.step.sleepers.falling_asleep import asleep_words
from pbmd.desk.step.substitutes.wishes import days_of, wish_of
from pbmd.desk.votes.propose import vote_rows
from pbmd.ledger.tables import GameStatus, Seat, SubstitutionState
from pbmd.rendering.render import stand_of
from pbmd.terms.phases import phase_words
from pbmd.terms.seating import seating_words

_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)
_SUBSTITUTE = {
    SubstitutionState.WANTED: "you want one, {days}; nobody has agreed yet",
    SubstitutionState.AGREED: "somebody has agreed, {days}",
    SubstitutionState.PLAYING: "you are one, {days}; RESIGN gives the seat back",
}
Row = tuple[str, str]
"""A label, empty if the row belongs to the one above, and a text."""


def status(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """STATUS."""
    answer.section("status", "\n".join(_written(*row) for row in _rows(work, sender.table, sender.seat)))


def _rows(work: Transaction, table: OpenGame, seat: Seat) -> Iterator[Row]:
    game = table.game
    yield "Game", f"{game.name} ({table.ruleset.info.title}), {game.stands}"
    if table.changed_options:
        yield "Options", table.changed_options
    if gives_later(table):
        yield "Seats", seating_words(table.terms, table.ruleset.info.seat_word)
        yield "Yours", list_words(table, seat) or "you hold a place"
    if game.status not in _UNDER_WAY:
        return
    if table.terms.hides_holders:
        yield "Players", "nobody learns who plays which seat until the game is over"
    yield from _present(work, table, seat)
    yield from _clock(clock_words(table, seat, work.now))
    if words := phase_words(table.terms, table.ruleset.info.phases):
        yield "Phases", words
    if sent := sent_words(table):
        yield "Sent", sent
    yield from _orders(table, seat)
    yield from _press(table, seat)
    yield from (("Extension", words) for words in left_words(work, table, seat))
    yield from (("Vote", words) for words in vote_rows(work, table, seat))
    yield from (("Away", words) for words in away_words(work, table, seat))
    if wish := wish_of(work, table, seat):
        yield "Substitute", _SUBSTITUTE[wish.state].format(days=days_of(wish))
    if seat.is_asleep:
        yield "Asleep", asleep_words(work, table, seat)
    if seat.waits:
        until = ", until you have sent orders again or say READY" if seat.waits_for_orders else ""
        yield "WAIT", f"is on: {game.step_called} will wait for its deadline{until}"


def _present(work: Transaction, table: OpenGame, seat: Seat) -> Iterator[Row]:
    """How it stands now, where letters have taken effect since the last report."""
    if present := present_of(work, table, seat):
        stand = stand_of(present.view)
        yield "Now", f"something has taken effect since your last report.{f' {stand.place}' if stand else ''} REPORT has it all"


def _press(table: OpenGame, seat: Seat) -> Iterator[Row]:
    rooms = rooms_of(table, seat) if table.terms.press else None
    if rooms is not None:
        yield "Press", f"you can write to {room_words(rooms)}"


def _clock(clock: ClockWords) -> Iterator[Row]:
    if clock.deadline:
        yield "Deadline", clock.deadline + (f", {clock.left} left" if clock.left else "")
    if clock.who:
        yield "To move", f"{clock.who}, until {clock.until}"


def _orders(table: OpenGame, seat: Seat) -> Iterator[Row]:
    sheet = sheet_on_file(table, seat)
    if sheet is None:
        yield "Yours", _nothing_on_file(table, seat)
        return
    yield "Yours", f"arrived {arrival_words(sheet, seat)}"
    yield from (("", f"  {line}") for line in sheet.lines)


def _nothing_on_file(table: OpenGame, seat: Seat) -> str:
    named = table.game.step_name and seat.name not in table.awaiting
    return f"you have nothing to do in {table.game.step_called}" if named else "no orders are in"


def _written(label: str, text: str) -> str:
    return textwrap.fill(text, 72, initial_indent=f"{label:<10}", subsequent_indent=" " * 12)

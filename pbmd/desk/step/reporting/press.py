"""Press on its way: at once, or with the next report."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.step.reporting.press_rooms import to_spectators
from pbmd.desk.step.reporting.spectators import pass_to_spectators
from pbmd.ledger.entries.player_entries import PressEntry, PressMessage
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.hands import taken_over
from pbmd.ledger.tables import JournalEntry, Seat, SeatState
from pbmd.rendering.render import quoted as marked
from pbmd.rules.words import counted


@dataclass(frozen=True, slots=True)
class Message:
    """A message of press: who wrote it, to whom it goes (seats by their names), and the letter that contained it. It may go
    `to_all`, be `anonymous`, and wait for the next report. `rooms` are those of the rules that it was written to."""

    writer: str
    readers: tuple[str, ...]
    text: str
    letter: int
    to_all: bool = False
    anonymous: bool = False
    waits: bool = False
    rooms: tuple[str, ...] = ()

    @property
    def sealed(self) -> PressMessage:
        """As in the journal, sealed."""
        return PressMessage(
            writer=self.writer,
            to=self.readers,
            text=self.text,
            letter=self.letter,
            to_all=self.to_all or None,
            anonymous=self.anonymous or None,
            waits=self.waits or None,
            rooms=self.rooms or None,
        )

    @property
    def shown_writer(self) -> str:
        """Who wrote it, as far as its readers may know."""
        return "" if self.anonymous else self.writer

    @property
    def shown_readers(self) -> str:
        """Whom it went to. A list of all but one would reveal that one."""
        if self.rooms:
            return ", ".join(self.rooms)
        return "everybody" if self.anonymous and self.to_all else ", ".join(self.readers)


def _message(own: PressMessage) -> Message:
    marks = (bool(own.to_all), bool(own.anonymous), bool(own.waits))
    return Message(own.writer, own.to, own.text, own.letter or 0, *marks, rooms=own.rooms or ())


def take_waiting(work: Transaction, table: OpenGame) -> dict[str, str]:
    """The press that goes out with the reports that are made now, by the name of its reader. It no longer waits."""
    numbers: list[int] = json.loads(table.game.press_waits)
    if not numbers:
        return {}
    table.game.press_waits = "[]"
    messages = _entries(work, table, numbers)
    for number, message in enumerate(messages):
        _show_spectators(work, table, message, f"{numbers[0]} waited {number}")
    return {seat.name: text for seat in table.seats if (text := _told(messages, seat))}


def _show_spectators(work: Transaction, table: OpenGame, message: Message, key: str) -> None:
    """Mail a message to those who watch, if it was written to their room, too."""
    if to_spectators(table, message.rooms):
        pass_to_spectators(work, table, message.shown_writer, message.text, key)


def pass_on_waiting(work: Transaction, table: OpenGame) -> None:
    """Send what waits for a report now: there will be none, because the game has ended without one."""
    numbers: list[int] = json.loads(table.game.press_waits)
    table.game.press_waits = "[]"
    for number in numbers:
        for message in _entries(work, table, [number]):
            readers = [seat for seat in table.seats if seat.name in message.readers and seat.state is SeatState.ACTIVE]
            pass_on(work, table, readers, message, f"press {table.id} waited {number}")


def press_of_turn(work: Transaction, table: OpenGame, seat: Seat, turn: int) -> str:
    """What a seat got with the reports of a turn; empty if nothing."""
    waiting: list[int] = json.loads(table.game.press_waits)
    work.write()
    gone_out = col(JournalEntry.number).not_in(waiting)
    sent = entries_of(work.session, table.id, PressEntry, where=gone_out)
    of_turn = [press.number for press in sent if press.entry.turn == turn]
    since = taken_over(work.session, table.game, seat.name)
    # Messages to an earlier holder are not for the one who took over.
    before = [each for each in _entries(work, table, [number for number in of_turn if number < since]) if each.to_all]
    told = [*before, *_entries(work, table, [number for number in of_turn if number > since])]
    return _told([each for each in told if each.waits], seat)


def _entries(work: Transaction, table: OpenGame, numbers: Sequence[int]) -> list[Message]:
    work.write()
    these = col(JournalEntry.number).in_(numbers)
    entries = entries_of(work.session, table.id, PressEntry, with_sealed=True, where=these)
    return [_message(press.entry.sealed) for press in entries if press.entry.sealed]


def _told(messages: Iterable[Message], seat: Seat) -> str:
    """The messages to a seat, one after the other."""
    own = [each for each in messages if seat.name in each.readers]
    heads = [f"From {each.shown_writer or 'somebody who gives no name'} to {each.shown_readers}:" for each in own]
    return "\n\n".join(f"{head}\n{marked(each.text)}" for head, each in zip(heads, own, strict=True))


def pass_on(work: Transaction, table: OpenGame, readers: Sequence[Seat], message: Message, key: str) -> None:
    """Mail a message to these seats, at once, and to those who watch if it was written to their room."""
    _show_spectators(work, table, message, key)
    writer = message.shown_writer
    title = f"press from {writer}" if writer else "anonymous press"
    some = "all" if message.to_all else counted(len(message.rooms or message.readers), "room" if message.rooms else "player")
    titles = (f"{title} to {'all' if message.to_all else message.shown_readers}", f"{title} to {some}", title)
    values = {
        "game": table.game,
        "writer": writer,
        "readers": message.shown_readers,
        "text": message.text,
        "rooms": message.rooms,
    }
    for reader in readers:
        draft = Draft("press", f"{key} {reader.number}", subject(table, *titles), render("press.txt", values))
        mail_to_seat(work, table, reader, draft)

"""Press on its way: at once, or with the next report."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlmodel import col, select

from pbmd.desk.books.work import Table, Work
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.ledger.hands import taken_over
from pbmd.ledger.tables import JournalEntry, Seat, SeatState
from pbmd.reports.render import said as marked


def take_waiting(work: Work, table: Table) -> dict[str, str]:
    """The press that goes out with the reports which are made now, by the name of its reader. It waits no more."""
    numbers: list[int] = json.loads(table.game.press_waits)
    if not numbers:
        return {}
    table.game.press_waits = "[]"
    return {seat.name: text for seat in table.seats if (text := _told(_entries(work, table, numbers), seat))}


def pass_on_waiting(work: Work, table: Table) -> None:
    """Send what waits for a report now: there will be none, for the game has ended without one."""
    numbers: list[int] = json.loads(table.game.press_waits)
    table.game.press_waits = "[]"
    for number in numbers:
        for said in _entries(work, table, [number]):
            readers = [seat for seat in table.seats if seat.name in said["to"] and seat.state is SeatState.ACTIVE]
            pass_on(work, table, readers, said, f"press {table.id} waited {number}")


def press_of_turn(work: Work, table: Table, seat: Seat, turn: int) -> str:
    """What a seat got with the reports of a turn; empty if nothing."""
    waiting: list[int] = json.loads(table.game.press_waits)
    numbers = select(JournalEntry.number, JournalEntry.public).where(
        JournalEntry.game_id == table.id, JournalEntry.kind == "press", col(JournalEntry.number).not_in(waiting)
    )
    work.write()
    of_turn = [number for number, public in work.session.exec(numbers) if json.loads(public)["turn"] == turn]
    since = taken_over(work.session, table.game, seat.name)
    # What was written to whoever held the seat before is not for whoever has taken it over.
    before = [said for said in _entries(work, table, [number for number in of_turn if number < since]) if said.get("all")]
    told = [*before, *_entries(work, table, [number for number in of_turn if number > since])]
    return _told([said for said in told if said.get("waits")], seat)


def _entries(work: Work, table: Table, numbers: Sequence[int]) -> list[dict[str, Any]]:
    work.write()
    entries = select(JournalEntry.secret).where(JournalEntry.game_id == table.id, col(JournalEntry.number).in_(numbers))
    return [json.loads(secret) for secret in work.session.exec(entries.order_by(col(JournalEntry.number)))]


def _told(entries: Iterable[dict[str, Any]], seat: Seat) -> str:
    """The messages to a seat, one after the other."""
    own = [said for said in entries if seat.name in said["to"]]
    return "\n\n".join(f"From {_writer(said)} to {_readers(said)}:\n{marked(said['text'])}" for said in own)


def pass_on(work: Work, table: Table, readers: Sequence[Seat], said: dict[str, Any], key: str) -> None:
    writer = "" if said.get("anonymous") else said["from"]
    title = f"press from {writer}" if writer else "anonymous press"
    values = {"game": table.game, "writer": writer, "readers": _readers(said), "text": said["text"]}
    for reader in readers:
        draft = Draft("press", f"{key} {reader.number}", subject(table, title), render("press.txt", values))
        mail_to_seat(work, table, reader, draft)


def _writer(said: dict[str, Any]) -> str:
    return "somebody who gives no name" if said.get("anonymous") else said["from"]


def _readers(said: dict[str, Any]) -> str:
    """To whom a message went. A list of all but one would tell who that one is."""
    return "everybody" if said.get("anonymous") and said.get("all") else ", ".join(said["to"])

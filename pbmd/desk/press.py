"""PRESS: messages between players by way of pbmd, without anybody's address."""

import json
from typing import TYPE_CHECKING, Any

from sqlmodel import col, select

from pbmd.desk.answer import Answer
from pbmd.desk.brakes import DAY, HOUR
from pbmd.desk.commands import Command
from pbmd.desk.mails import Draft, mail_to_seat, render, subject
from pbmd.desk.passwords import BLANK
from pbmd.desk.trust import Sender
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import JournalEntry, Seat, SeatState
from pbmd.rules.names import match_name
from pbmd.rules.protocol import Refused

if TYPE_CHECKING:
    from pbmd.desk.clerk import Arrived

PRESS_CHARS = 10_000


def press(work: Work, sender: Sender, arrived: "Arrived", command: Command, answer: Answer) -> None:
    """PRESS TO <seats|ALL> … END PRESS: to the others by way of pbmd, without anybody's address."""
    table, seat = sender.table, sender.seat
    written = {line.number: line.original for line in arrived.letter.lines}
    text = "\n".join(written[line.number].rstrip() for line in command.body).strip("\n")
    try:
        if command.open:
            raise Refused("END PRESS is missing, so nothing was sent, and the lines after PRESS were not read as orders")
        if not table.terms.press:
            raise Refused("this game has no press")
        if not text.strip() or len(text) > PRESS_CHARS:
            raise Refused(f"a message has 1 to {PRESS_CHARS} characters, yours has {len(text)}")
        readers = _press_readers(table, seat, command.words["to"])
        _must_be_little(work, sender, len(readers))
    except Refused as refusal:
        answer.remark(f"PRESS: {refusal}.")
        return
    names = ", ".join(reader.name for reader in readers)
    work.journal(
        table, "press", {"turn": table.game.turn}, {"from": seat.name, "to": [reader.name for reader in readers], "text": text}
    )
    for reader in readers:
        values = {"game": table.game, "writer": seat.name, "readers": names, "text": text}
        key = f"press {arrived.id} {command.line.number} {reader.number}"
        mail_to_seat(
            work, table, reader, Draft("press", key, subject(table, f"press from {seat.name}"), render("press.txt", values))
        )
    work.log("press", table, seat.name, f"letter {arrived.id}")
    answer.remark(f"Your message went to {names}.")
    if BLANK in text:
        answer.remark(
            f"A line of your message begins with the word password. What stands behind it was replaced by {BLANK} before the "
            "message went out, so that no password is given away; write the line another way if it was none."
        )


def _must_be_little(work: Work, sender: Sender, more: int) -> None:
    """So many mails more must be within what a seat may cause. Raises `Refused`."""
    limits = work.desk.settings.limits
    work.write()
    since = work.now - DAY
    entries = select(JournalEntry.at, JournalEntry.secret).where(
        JournalEntry.game_id == sender.table.id, JournalEntry.kind == "press", col(JournalEntry.at) > since
    )
    sent = [
        (at, len(said["to"])) for at, text in work.session.exec(entries) if (said := _said(text))["from"] == sender.seat.name
    ]
    for most, span, words in ((limits.press_per_hour, HOUR, "an hour"), (limits.press_per_day, DAY, "24 hours")):
        before = sum(readers for at, readers in sent if work.now - at < span)
        if before + more > most:
            raise Refused(f"the game passes on at most {most} mails of yours in {words}, and this would be {before + more}")
    if work.caused is not None and work.caused + more > limits.mails_per_letter:
        raise Refused(f"one letter may cause at most {limits.mails_per_letter} mails")


def _said(secret: str) -> dict[str, Any]:
    return json.loads(secret)


def _press_readers(table: Table, writer: Seat, to: str) -> list[Seat]:
    others = [seat for seat in table.seats if seat is not writer and seat.state is SeatState.ACTIVE]
    if not others:
        raise Refused("nobody else plays in this game any more")
    if to.strip().casefold() == "all":
        return others
    readers: list[Seat] = []
    for name in (part for chunk in to.split(",") for part in chunk.split(" and ")):
        match = match_name(name, others, lambda seat: seat.name)
        if match.found is None:
            raise Refused(match.problem(name.strip(), table.ruleset.info.seat_word))
        if match.found not in readers:
            readers.append(match.found)
    return readers

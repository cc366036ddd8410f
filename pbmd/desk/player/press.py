"""PRESS: messages between players by way of pbmd, without anybody's address."""

import json
from typing import Any

from sqlmodel import col, select

from pbmd.desk.books.work import Table, Work, compact_json
from pbmd.desk.game.press import pass_on
from pbmd.desk.language.player_commands import Command, Script
from pbmd.desk.letters.answer import Answer
from pbmd.desk.letters.arrived import Arrived, Sender
from pbmd.desk.mail.brakes import DAY, HOUR
from pbmd.ledger.tables import GameStatus, JournalEntry, Seat, SeatState
from pbmd.post.lines.commands import left_out
from pbmd.reports.render import said as marked
from pbmd.rules.names import match_name
from pbmd.rules.protocol import Refused

PRESS_CHARS = 10_000


def press(work: Work, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """[ANONYMOUS] PRESS TO <seats|ALL> … END PRESS: to the others by way of pbmd, without anybody's address."""
    table, seat = sender.table, sender.seat
    written = {line.number: line.original for line in arrived.letter.lines}
    text = "\n".join(written[line.number].rstrip() for line in command.body).strip("\n")
    anonymous, to = "anonymous" in command.words, command.words["to"]
    try:
        if command.open:
            answer.left_out += left_out(text.split("\n"), "it stands below PRESS, and END PRESS is missing")
            raise Refused("END PRESS is missing, so nothing was sent, and the lines after PRESS were not read as orders")
        if not table.terms.press:
            raise Refused("this game has no press")
        if anonymous and not table.terms.anonymous_press:
            raise Refused("this game has no anonymous press, so nothing was sent")
        if anonymous and not _is_alone(arrived.script):
            answer.section("your message, which was not sent", marked(text))
            raise Refused(
                "a message without your name must be the only thing in its mail, since from what comes at the same instant "
                "others could tell who wrote it, now or from the archive; so it was not sent. It stands below: send it again "
                "in a mail of its own, from ANONYMOUS PRESS to END PRESS, without a greeting, orders or other commands"
            )
        if not text.strip() or len(text) > PRESS_CHARS:
            raise Refused(f"a message has 1 to {PRESS_CHARS} characters, yours has {len(text)}")
        readers = _press_readers(table, seat, to, anonymous=anonymous)
        _must_be_little(work, sender, len(readers))
    except Refused as refusal:
        answer.remark(f"PRESS: {refusal}.")
        return
    waits = table.terms.press_delivery == "report" and table.game.status is not GameStatus.FINISHED
    said: dict[str, Any] = {"from": seat.name, "to": [reader.name for reader in readers], "text": text, "letter": arrived.id}
    said |= {key: True for key, given in (("all", _is_all(to)), ("anonymous", anonymous), ("waits", waits)) if given}
    number = work.journal(table, "press", {"turn": table.game.turn}, said)
    if waits:
        table.game.press_waits = compact_json([*json.loads(table.game.press_waits), number])
    else:
        pass_on(work, table, readers, said, f"press {arrived.id} {command.line.number}")
    if anonymous:
        # Other lines about the same letter name its seat, so this one must not name the letter.
        work.log("press", table, detail="anonymous", cause="")
    else:
        work.log("press", table, seat.name, f"letter {arrived.id}")
    names, when = ", ".join(reader.name for reader in readers), "goes out with the next report, to" if waits else "went to"
    answer.remark(f"Your message {when} {names}{', without your name' if anonymous else ''}.")


def _is_alone(script: Script) -> bool:
    """Whether a letter has one command and nothing else that leaves a trace."""
    return not script.orders and len(script.commands) == 1


def _is_all(to: str) -> bool:
    return to.strip().casefold() == "all"


def _must_be_little(work: Work, sender: Sender, more: int) -> None:
    """So many mails more must be within what a seat may cause. Raises `Refused`."""
    limits = work.desk.settings.limits
    work.write()
    since = work.now - DAY
    entries = select(JournalEntry.at, JournalEntry.secret).where(
        JournalEntry.game_id == sender.table.id, JournalEntry.kind == "press", col(JournalEntry.at) > since
    )
    sent = [
        (at, len(said["to"]))
        for at, text in work.session.exec(entries)
        if (said := json.loads(text))["from"] == sender.seat.name
    ]
    for most, span, words in ((limits.press_per_hour, HOUR, "an hour"), (limits.press_per_day, DAY, "24 hours")):
        before = sum(readers for at, readers in sent if work.now - at < span)
        if before + more > most:
            raise Refused(f"the game passes on at most {most} mails of yours in {words}, and this would be {before + more}")
    if work.caused is not None and work.caused + more > limits.mails_per_letter:
        raise Refused(f"one letter may cause at most {limits.mails_per_letter} mails")


def _press_readers(table: Table, writer: Seat, to: str, *, anonymous: bool) -> list[Seat]:
    """Who gets a message. One that is anonymous may go to its writer, too, and does if it goes to all: else those who compare
    what they got would know who wrote it."""
    active = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    others = [seat for seat in active if seat is not writer]
    if not others:
        raise Refused("nobody else plays in this game any more")
    possible = active if anonymous else others
    if _is_all(to):
        return possible
    readers: list[Seat] = []
    for name in (part for chunk in to.split(",") for part in chunk.split(" and ")):
        match = match_name(name, possible, lambda seat: seat.name)
        if match.found is None:
            raise Refused(match.problem(name.strip(), table.ruleset.info.seat_word))
        if match.found not in readers:
            readers.append(match.found)
    return readers

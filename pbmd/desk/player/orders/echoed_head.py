"""What comes back with an order form by itself, without anybody typing it: the head of the journal that its mail showed, and
the word for the dice.

A head that the journal of the game does not have at that place is of another history: the mail was altered, the ledger was put
back to a backup, or somebody keeps two; or one player has written it to frighten the others. The letter counts as any other
does. The journal keeps it each time, and all are told what it is, one letter's word: once until the game master has looked.
"""

import re
from collections.abc import Iterator

from sqlalchemy import bindparam, func, or_
from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.desk.step.game_transaction import COMMAND_LINE
from pbmd.desk.step.on_file import shown_number
from pbmd.ledger.entries.player_entries import DisputedEntry, Witness
from pbmd.ledger.tables import JournalEntry, LogLine
from pbmd.post.lines.form_line import HEAD_DIGITS, read_head, write_head

WORD_CHARS = 40
"""Shorter than a hash, so that nobody can write one that looks as if pbmd told it."""
_OLD_HEAD = re.compile(
    r"(?P<game>[a-z0-9-]{1,64})[ ,:]+(?:(?P<number>\d{1,9})[ ,:]+)?(?P<digits>[0-9a-f]{16,64})", re.IGNORECASE
)


def head_in(arrived: Arrived, game: str) -> str:
    """The head of that game which a letter brings back, as the journal notes it: the number of the entry, if it was told, and
    the beginning of its hash; empty if it brings none. One of another game says nothing of this one: people who play several
    paste the wrong lines."""
    return next(_heads_in(arrived, game), "")


def _heads_in(arrived: Arrived, game: str) -> Iterator[str]:
    for written in arrived.letter.brought.heads:
        number, digits = read_head(written)  # in a mark, whose token says of which game it is
        found = _OLD_HEAD.fullmatch(written)
        if found and found["game"].lower() == game:
            number, digits = found["number"] or "", found["digits"].lower()[:HEAD_DIGITS]
        if digits:
            yield f"{int(number)} {digits}" if number else digits


def word_in(arrived: Arrived) -> str:
    """The word that a letter brings back; empty if it brings none, or one with a secret token in it, which others would come to
    read."""
    word = arrived.letter.brought.word[:WORD_CHARS].strip()
    return word if arrived.blanker.written(word) == word else ""


def mind_head(work: Transaction, sender: Sender, arrived: Arrived) -> None:
    """Tell everybody if a letter brings back the head of another history: by the journal and the log each time, by mail all
    players once, and the game master once a seat, until the game master has done something in this game."""
    table, seat = sender.table, sender.seat
    game = table.game
    head = next((each for each in _heads_in(arrived, game.name) if not is_of_journal(work, table, each)), "")
    if not head:
        return
    witness = Witness(seat=seat.name, letter=arrived.letter.fingerprint)
    number = work.journal(table, DisputedEntry(turn=game.turn, head=head, sealed=witness))
    place, _, digits = head.rpartition(" ")
    there = f" at entry {place}" if place else ""
    work.log("disputed", table, detail=f"entry {number}: a letter names a head{there} that is not in this journal: {digits}")
    shown = write_head(int(place) if place else None, digits) if len(digits) == HEAD_DIGITS else digits
    values = {"game": game, "head": shown, "number": number, "letter": arrived.id}
    values |= {"seat": seat.name if shown_number(table, number) else ""}
    key = f"disputed {table.id} since {_last_look(work, game.name)}"
    if not is_queued(work, f"{key} gm {seat.number}"):
        title = subject(table, "a mail does not match our records", "a mail does not match")
        tell_gm(work, Draft("alarm", f"{key} gm {seat.number}", title, render("disputed.txt", values)), table)
    if not any(is_queued(work, f"{key} {each.number}") for each in table.seats):
        # Without the digits that came: in them a player could say anything to all.
        shown = shown_number(table, number)
        where = f"entry {shown} of the journal" if shown else "the journal"
        tell(work, table, table.seats, Notice(key, "a letter with another head", _TOLD.format(there=there, where=where)))


_TOLD = (
    "The letter of one player brought back the head of a journal that is not in the journal of this game{there}. Anybody can "
    "write such a line, and a mail program can mangle it, so by itself it says nothing of the game or its dice. But it is also "
    "what would come back if players were told different histories, or if the ledger was put back to an older backup; that is "
    "why all of you are told. What it brought back stands in {where}, and the letter counts as any other does. You can look "
    "for yourselves: pbmd compare, given the mailboxes of two players, names the first two mails that disagree. The game "
    "master knows which letter it was; until they have looked, the journal alone keeps any others like it."
)


def _last_look(work: Transaction, game: str) -> int:
    """The number of the last line of a game's log that a command of the game master made; 0 if there is none."""
    work.write()
    theirs = or_(col(LogLine.what) == "gm", col(LogLine.cause) == COMMAND_LINE)
    return work.session.exec(select(func.max(LogLine.id)).where(col(LogLine.game) == game, theirs)).one() or 0


def is_of_journal(work: Transaction, table: OpenGame, head: str) -> bool:
    """Whether the journal of the game has such a head: at that entry, if its number is told."""
    number, _, digits = head.rpartition(" ")
    game = table.game
    if game.chain_head.startswith(digits) and number in ("", str(game.chain_number)):
        return True
    place = {"game": table.id, "number": int(number)} if number else {"game": table.id, "begins": f"{digits}%"}
    found = work.session.connection().execute(_AT if number else _ANYWHERE, place).scalars()
    return any(each.startswith(digits) for each in found)


# Made once: putting a statement together takes longer than the ledger takes to answer.
_OF_GAME = select(col(JournalEntry.hash)).where(col(JournalEntry.game_id) == bindparam("game"))
_AT = _OF_GAME.where(col(JournalEntry.number) == bindparam("number"))
_ANYWHERE = _OF_GAME.where(col(JournalEntry.hash).like(bindparam("begins"))).limit(1)

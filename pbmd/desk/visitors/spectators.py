"""PRESS TO SPECTATORS OF a game: what those who watch it write to each other.

Anybody can put any address on a mail, so a message counts only in a reply to something that this address got from here. Whoever
does not watch, or plays in the game, is told the same whatever games there are.
"""

from collections.abc import Iterator

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import render
from pbmd.desk.player.press import PRESS_CHARS, begins_another
from pbmd.desk.step.reporting.press_rooms import has_spectators_room
from pbmd.desk.step.reporting.spectators import (
    must_be_seldom,
    name_of,
    pass_to_seats,
    pass_to_spectators,
    playing_addresses,
)
from pbmd.desk.step.reporting.watchers import watchers
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.desk.visitors.code_shown import brings_our_words, has_proof
from pbmd.post.addresses import folded, same_address
from pbmd.post.lines.sorted_lines import LeftOut, left_out
from pbmd.rules.protocol import Refused

_NOT_THERE = "you do not watch a game of that name in which those who watch write to each other"
_ANOTHER_BEGINS = (
    "another PRESS begins in your message before END PRESS, so it was not passed on: each message needs an END PRESS of its own"
)
_BY_REPLY = (
    "your message was not passed on, since anybody could have written that mail. Send it again in a reply to this one, or to "
    "any mail about the game that you watch"
)


def from_visitor(work: Transaction, arrived: Arrived, command: Command, _plays: bool) -> str:
    """PRESS TO SPECTATORS of somebody without a seat."""
    proven = has_proof(work, arrived.letter) and not brings_our_words(arrived.script)
    sentence = _said(work, arrived, command, proven=proven)
    values = {"seat": "", "game": None, "sentence": sentence, "left_out": tuple(_unread(arrived, command))}
    answer_visitor(work, arrived.letter, arrived.id, "press to those who watch", render("told.txt", values))
    return ""


def from_seat(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """The same in a letter that acts for a seat, of another game: its secret shows that the letter is from this address."""
    proven = not sender.by_address and same_address(sender.seat.address, arrived.letter.sender)
    answer.remark(_said(work, arrived, command, proven=proven or has_proof(work, arrived.letter)))


def _unread(arrived: Arrived, command: Command) -> Iterator[LeftOut]:
    """What else stands in the letter: only one thing is done for people without a seat."""
    script = arrived.script
    yield from left_out([line.text for line in script.left], "no command")
    others = [each.line.text for each in script.commands if each is not command]
    yield from left_out(others, "only one request a mail is read")


def _said(work: Transaction, arrived: Arrived, command: Command, *, proven: bool) -> str:
    """Pass a message on; the sentence for the answer."""
    try:
        return _pass_on(work, arrived, command, proven=proven)
    except Refused as refusal:
        return f"PRESS TO SPECTATORS: {refusal}."


def _pass_on(work: Transaction, arrived: Arrived, command: Command, *, proven: bool) -> str:
    """Raises `Refused`."""
    written = {line.number: line.original for line in arrived.letter.lines}
    text = "\n".join(written[line.number].rstrip() for line in command.body).strip("\n")
    if command.open:
        raise Refused("the line END PRESS is missing below your message, so it was not passed on")
    if not text.strip() or len(text) > PRESS_CHARS:
        raise Refused(f"a message has 1 to {PRESS_CHARS} characters, yours has {len(text)}")
    if not proven:
        raise Refused(_BY_REPLY)
    address = arrived.letter.sender
    table = _watched(work, command.words["game"], address)
    if begins_another(work.desk.commands, command, [seat.name for seat in table.seats]):
        raise Refused(_ANOTHER_BEGINS)
    name = name_of(work, table, address)
    must_be_seldom(work, table, name)
    key = f"{arrived.id} {command.line.number}"
    others = pass_to_spectators(work, table, name, text, key, of_spectator=address)
    pass_to_seats(work, table, name, text, f"spectators {key}")
    work.log("press", table, detail=f"letter {arrived.id}")
    if not others:
        return f"Nobody else watches {table.game.name} now whom your message could go to."
    return f"Your message went to all others who watch {table.game.name}, as from {name}."


def _watched(work: Transaction, name: str, address: str) -> OpenGame:
    """The game, if this address watches it and does not play in it. Raises `Refused`."""
    table = work.table_named(name.rstrip(".!;").lower())
    if table is None or not has_spectators_room(table):
        raise Refused(_NOT_THERE)
    if folded(address) not in map(folded, watchers(work, table)):
        raise Refused(_NOT_THERE)
    if folded(address) in playing_addresses(work, table):
        raise Refused("whoever plays in a game, or may come to, is not among those who only watch it, so nothing was sent")
    return table

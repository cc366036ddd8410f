"""The reception: what people without a seat ask for, and their answers to the questions before it is done.

LIST is answered at once, and the same for everybody. UNWATCH and STANDBY OFF are done at once: they only stop mail to an
address, and the answer is the same whatever there was. JOIN, WATCH and STANDBY are done when they are confirmed by reply.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pkgutil import resolve_name

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import render
from pbmd.desk.questions.ask import HEADLINES, Heard, Subject, hear, log_answer, unclear_words
from pbmd.desk.visitors.ask import Visit, answer_visitor, ask_visitor, asking, tell_visitor
from pbmd.desk.visitors.code_shown import has_proof
from pbmd.desk.visitors.listing import listing
from pbmd.desk.visitors.signup import take_seat
from pbmd.desk.visitors.standby import may_stand_by, stand_by, stand_down
from pbmd.desk.visitors.watch import may_watch, unwatch, watch
from pbmd.post.compose import can_be_written
from pbmd.post.lines.sent import SENT
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rules.protocol import Refused

ALL, OFF = "all", "off"
_DEEDS: dict[Subject, Callable[[Transaction, Visit], str]] = {"join": take_seat, "watch": watch, "standby": stand_by}
_NOTHING_DONE: Mapping[Heard, str] = {
    "closed": "This question is not open any more: it has been answered, or the time for it is over.",
    "unclear": unclear_words(),
    "denied": "Thank you for saying so. Nothing was done.",
}


VisitorAct = Callable[[Transaction, Arrived, Command, bool], str]
"""What runs a command of people without a seat, and answers it; the last argument says whether they seem to hold one. Returns
the note for the letter if it was turned down."""


@cache
def visitor_act_named(name: str) -> VisitorAct:
    """The act that the row of a command names."""
    return resolve_name(name)


def receive_visitor(work: Transaction, arrived: Arrived, command: Command, *, plays: bool) -> str:
    """Do what a letter asks for that needs no seat, and answer it; `plays` if its writer seems to hold one. Returns the note
    for the letter if it was turned down."""
    letter = arrived.letter
    if not can_be_written(letter.sender):
        work.log("refused", detail=f"letter {arrived.id}, unanswered: no mail can be sent to an address like its sender's")
        return "asked for by an address that no mail can be sent to"
    act = visitor_act_named(work.desk.commands.by_kind[command.kind].visitor_act)
    return act(work, arrived, command, plays)


def from_visitor(work: Transaction, arrived: Arrived, command: Command, _plays: bool) -> str:
    """WATCH, UNWATCH and STANDBY of somebody without a seat."""
    try:
        sentence = _do(work, arrived, command)
    except Refused as refusal:
        sentence = f"{command.kind.upper()}: {refusal}. LIST names the games that can be asked for."
    if sentence:
        text = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
        answer_visitor(work, arrived.letter, arrived.id, "your mail", text)
    return ""


def tell_unread(work: Transaction, arrived: Arrived) -> bool:
    """Answer a reply to a mail of ours in which nothing could be read. For any other letter it returns False and does
    nothing."""
    letter = arrived.letter
    if not letter.sender or not can_be_written(letter.sender) or not has_proof(work, letter):
        return False
    lines = left_out([line.text for line in arrived.script.left], "no command")
    others = tuple(piece for piece in letter.left_out if piece.reason != SENT)
    values = {"seat": "", "game": None, "sentence": letter.problem or _NOTHING_READ, "left_out": lines + others}
    answer_visitor(work, letter, arrived.id, "your mail", render("told.txt", values))
    return True


_NOTHING_READ = (
    "Nothing in your mail could be read as a request or an answer, so nothing was done. LIST on a line of its own names the "
    "games and how to join them; HELP explains the rest."
)


def list_for_seat(work: Transaction, _sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """LIST in a letter that acts for a seat; the answer is part of the answer to the letter."""
    answer.section("games", listing(work))


def from_seat(work: Transaction, _sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """WATCH, UNWATCH and STANDBY in a letter that acts for a seat."""
    try:
        sentence = _do(work, arrived, command)
    except Refused as refusal:
        sentence = f"{command.kind.upper()}: {refusal}."
    answer.remark(sentence or f"{command.kind.upper()}: a mail has been sent to this address that asks whether you are sure.")


def hear_visitor(work: Transaction, visit: Visit) -> None:
    """Take an answer from somebody without a seat, and do what was confirmed."""
    heard = hear(visit.question, visit.said, visit.arrived_at)
    log_answer(work, heard, visit.table, "-", f"letter {visit.letter_id}: {HEADLINES[visit.about]}")
    if sentence := _DEEDS[visit.about](work, visit) if heard == "confirmed" else _NOTHING_DONE[heard]:
        tell_visitor(work, visit, sentence)


def _do(work: Transaction, arrived: Arrived, command: Command) -> str:
    """WATCH, UNWATCH and STANDBY: the sentence for the answer, "" if a question was asked. Raises `Refused`."""
    name = command.words["game"].rstrip(".!;").lower()
    address = arrived.letter.sender
    if command.kind == "unwatch":
        return unwatch(work, name, address)
    if command.kind == "standby" and name == OFF:
        return stand_down(work, address)
    if command.kind == "standby":
        table = None if name == ALL else may_stand_by(work.table_named(name))
        ask_visitor(work, "standby", table, arrived, asking(arrived))
        return ""
    ask_visitor(work, "watch", may_watch(work.table_named(name)), arrived, asking(arrived))
    return ""

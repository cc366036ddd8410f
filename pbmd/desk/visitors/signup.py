"""JOIN: a newcomer asks for a seat by mail, and has it when a reply from the address has confirmed it."""

from collections.abc import Iterable
from dataclasses import replace

from sqlmodel import col, select

from pbmd.desk.acts.new_game import Newcomer, add_seat, check_seat, start_game
from pbmd.desk.books.given import digest
from pbmd.desk.books.work import Table, Work
from pbmd.desk.confirming.known_words import in_known_words, words_of
from pbmd.desk.game.chance import commitment_of
from pbmd.desk.language.commands import Command
from pbmd.desk.letters.arrived import Arrived
from pbmd.desk.mail.brakes import asked
from pbmd.desk.mail.draft import REFUSAL, Draft, render
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.mail.tokens import IN_NAMES
from pbmd.desk.visitors.ask import Visit, ask_visitor, asking
from pbmd.ledger.tables import Game, GameStatus, Seat
from pbmd.post.addresses import folded
from pbmd.post.read.letter import Letter
from pbmd.rules.protocol import Line, Refused, Signup, Status, Verdict

MAX_NAME = 60
MAX_SETUP_LINES = 50
MAX_SETUP_CHARS = 200
REFUSED = "sign-up refused"
"""The note of a letter that asked for a seat in vain."""
_UNKNOWN_GAME = "no game of that name takes sign-ups here"


def open_games(work: Work) -> frozenset[str]:
    """The names of the games that take sign-ups."""
    return frozenset(work.session.exec(select(Game.name).where(col(Game.status) == GameStatus.SIGNUP)))


def join(work: Work, arrived: Arrived, command: Command) -> str:
    """Ask the sender whether they want the seat, or answer why they cannot have it. Gives the note for the letter, "" if
    the question is the answer, which says how many lines of the letter are neither JOIN nor its set-up.

    Nobody has the seat before they have said yes (`take_seat`): else forged sign-ups could fill a game.
    """
    letter, letter_id = arrived.letter, arrived.id
    unread = len(arrived.script.orders) + len(arrived.script.commands) - 1
    table, name = work.table_named(command.words["game"]), command.words.get("seat", "").strip()
    try:
        if table is None or table.game.status is not GameStatus.SIGNUP:
            # One sentence for both, which would else tell strangers which games there are.
            raise Refused(_UNKNOWN_GAME)
        _must_be_readable(arrived, command)
        if not name or len(name) > MAX_NAME:
            word = table.ruleset.info.seat_word
            raise Refused(f"say which {word} you want to be, like: JOIN {table.game.name} AS <name of your {word}>")
        _must_have_room(table, letter.sender)
        verdicts = check_seat(work, table, Signup(name, command.body), Newcomer(letter.sender, letter.sender_name))
    except Refused as refusal:
        _refuse(work, letter, letter_id, table, str(refusal), ())
        return REFUSED
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        _refuse(work, letter, letter_id, table, "your sign-up has an error", _without_words_of(command, table, verdicts))
        return REFUSED
    kept = replace(asking(arrived), seat=name, lines=tuple((line.number, line.text) for line in command.body))
    ask_visitor(work, "join", table, arrived, kept, unread=unread)
    return ""


def _must_be_readable(arrived: Arrived, command: Command) -> None:
    """The lines of a sign-up must be few and short, and have no token in them. Raises `Refused`."""
    if len(command.body) > MAX_SETUP_LINES:
        raise Refused(f"a sign-up has at most {MAX_SETUP_LINES} lines, yours has {len(command.body)}")
    if (longest := max((len(line.text) for line in command.body), default=0)) > MAX_SETUP_CHARS:
        raise Refused(f"a line of a sign-up has at most {MAX_SETUP_CHARS} characters, yours has {longest}")
    if arrived.shows_token(command):
        raise Refused(f"your sign-up cannot be taken: {IN_NAMES}")


def take_seat(work: Work, visit: Visit) -> str:
    """Give the seat to somebody who has confirmed it, and welcome them; starts the game when its last seat is taken. Gives the
    sentence for the answer, "" if the welcome is the answer.

    The rules get the seats in the order in which their sign-ups arrived; which are left is decided by who has confirmed.
    """
    table, kept = visit.table, visit.kept
    assert table is not None, "a sign-up is for a game"
    if table.game.status is GameStatus.FINISHED:
        return f"{table.game.name} is over, so you have no seat."
    if table.game.status is not GameStatus.SIGNUP:
        return (
            f"{table.game.name} has begun without you, so you have no seat. STANDBY ALL: you are asked when one is to be had."
        )
    signup = Signup(kept.seat, tuple(Line(*line) for line in kept.lines))
    try:
        _must_have_room(table, kept.address)
        verdicts = add_seat(
            work, table, signup, Newcomer(visit.kept.address, visit.kept.holder), joined_at=visit.kept.asked_for
        )
    except Refused as refusal:
        return f"You have no seat: {refusal}."
    if wrong := [verdict.message for verdict in verdicts if verdict.status is Status.ERROR]:
        return f"You have no seat: {'; '.join(wrong)}. Send JOIN again with what is free still."
    _welcome(work, visit, table, table.seats[-1])
    if 0 < table.terms.seats <= len(table.seats):
        start_game(work, table)
    return ""


def _must_have_room(table: Table, address: str) -> None:
    if any(seat.address == folded(address) for seat in table.seats):
        raise Refused(f"you already have a seat in {table.game.name}")
    most = table.terms.seats or table.ruleset.info.max_seats
    if 0 < most <= len(table.seats):
        name = table.game.name
        raise Refused(f"{name} is full; if you send STANDBY {name}, you are asked when a seat of it is to be had")


def _without_words_of(command: Command, table: Table, verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts with "…" for each word of the sign-up that its game does not have: with a forged sender the answer would
    carry a stranger's words to a victim."""
    theirs = words_of("\n".join((command.line.text, *(line.text for line in command.body))))
    known = words_of(table.ruleset.info.handbook)
    return tuple(
        Verdict(
            each.line,
            in_known_words(each.text, known),
            each.status,
            in_known_words(each.message, known | (words_of(each.message) - theirs)),
        )
        for each in verdicts
    )


def _welcome(work: Work, visit: Visit, table: Table, seat: Seat) -> None:
    letter = visit.letter
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "taken": len(table.seats),
        "seats": table.terms.seats,
        "commitment": commitment_of(table),
    }
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {visit.letter_id}",
        f"[pbmd {table.game.name}] welcome, {seat.name}",
        render("welcome.txt", values),
        answers=letter.message_id,
        digest=digest(asked(letter), f"welcome {table.game.name} {seat.name}"),
    )
    mail_to_seat(work, table, seat, draft)


def _refuse(
    work: Work, letter: Letter, letter_id: int, table: Table | None, reason: str, verdicts: tuple[Verdict, ...]
) -> None:
    # What a stranger learns is what the sign-up rules say, never who plays or by which address.
    draft = Draft(
        REFUSAL,
        f"refusal {letter_id}",
        "[pbmd] your sign-up",
        render("refused_signup.txt", {"reason": reason, "verdicts": verdicts}),
        answers=letter.message_id,
        digest=digest(asked(letter), f"refused {reason} {verdicts}"),
    )
    mail_to(work, letter.sender, draft, table)
    work.log("refused", table, detail=f"sign-up by letter {letter_id}")

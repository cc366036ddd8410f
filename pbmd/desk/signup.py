"""JOIN: a newcomer asks for a seat by mail."""

from collections.abc import Iterable

from sqlmodel import col, select

from pbmd.desk.brakes import REFUSAL, asked, digest
from pbmd.desk.commands import Command
from pbmd.desk.games import add_seat, start_game
from pbmd.desk.held import in_known_words, words_of
from pbmd.desk.mails import Draft, mail_to, mail_to_seat, render
from pbmd.desk.trust import Sender
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus, Seat
from pbmd.post.compose import can_be_written
from pbmd.post.letter import Letter
from pbmd.rules.protocol import Refused, Signup, Status, Verdict

MAX_NAME = 60
MAX_SETUP_LINES = 50
MAX_SETUP_CHARS = 200
_UNKNOWN_GAME = "no game of that name takes sign-ups here"


def open_games(work: Work) -> frozenset[str]:
    """The names of the games that take sign-ups."""
    return frozenset(work.session.exec(select(Game.name).where(col(Game.status) == GameStatus.SIGNUP)))


def join(work: Work, letter: Letter, letter_id: int, command: Command, unread: int = 0) -> Sender | None:
    """Give the sender a seat and welcome them, or answer why not. Starts the game when its last seat is taken.

    `unread` is how many lines of the letter are neither JOIN nor its set-up; the welcome says that they were not read.
    """
    if not can_be_written(letter.sender):
        work.log(
            "refused", detail=f"sign-up by letter {letter_id}, unanswered: no mail can be sent to an address like its sender's"
        )
        return None
    table = work.table_named(command.words["game"])
    try:
        if table is None or table.game.status is not GameStatus.SIGNUP:
            # One sentence for both, which would else tell strangers which games there are.
            raise Refused(_UNKNOWN_GAME)
        if len(command.body) > MAX_SETUP_LINES:
            raise Refused(f"a sign-up has at most {MAX_SETUP_LINES} lines, yours has {len(command.body)}")
        if (longest := max((len(line.text) for line in command.body), default=0)) > MAX_SETUP_CHARS:
            raise Refused(f"a line of a sign-up has at most {MAX_SETUP_CHARS} characters, yours has {longest}")
        name = command.words.get("seat", "").strip()
        if not name or len(name) > MAX_NAME:
            word = table.ruleset.info.seat_word
            raise Refused(f"say which {word} you want to be, like: JOIN {table.game.name} AS <name of your {word}>")
        if any(seat.address == letter.sender.lower() for seat in table.seats):
            raise Refused(f"you already have a seat in {table.game.name}")
        if 0 < table.terms.seats <= len(table.seats):
            raise Refused(f"{table.game.name} is full")
        verdicts = add_seat(work, table, Signup(name, command.body), letter.sender, letter.sender_name)
    except Refused as refusal:
        _refuse(work, letter, letter_id, table, str(refusal), ())
        return None
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        _refuse(work, letter, letter_id, table, "your sign-up has an error", _without_words_of(command, table, verdicts))
        return None
    seat = table.seats[-1]
    _welcome(work, letter, letter_id, table, seat, unread)
    if 0 < table.terms.seats <= len(table.seats):
        start_game(work, table)
    return Sender(table, seat)


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


def _welcome(work: Work, letter: Letter, letter_id: int, table: Table, seat: Seat, unread: int) -> None:
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "taken": len(table.seats),
        "seats": table.terms.seats,
        "unread": unread,
    }
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {letter_id}",
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

"""Questions that are answered by a mail with YES or NO: was this letter yours, do you want to resign, is this your address?
For which game a letter is (`pbmd.desk.confirming.several_games`) is answered with the name of the game, or with NO.

A question has a code that only the address that was asked gets to see. An answer shows it (a reply does by itself), comes from
that address, was not sent by a machine, and has a line with nothing but YES or NO. Our own text has no such line, so that a
vacation reply that quotes it says neither.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.work import Table, Work, compact_json
from pbmd.desk.game.ended import NEVER_CONFIRMED
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.ledger.tables import HELD, Confirmation, ConfirmationState, Game, GameStatus, LetterState, Seat, SeatState
from pbmd.ledger.tables import Letter as Letters
from pbmd.post.read.letter import Letter, TextLine
from pbmd.post.tags import Code, codes_of, make_code, token_matches, write_tag
from pbmd.terms.times import describe_time

Subject = Literal["letter", "which", "resign", "address", "new-address", "take-over", "join", "watch", "standby", "master"]
Said = Literal["yes", "no", "unclear"]
# No other words: programs that protect a mailbox tell people to "Confirm", below what they hold back.
_WORDS: dict[str, Said] = {"yes": "yes", "no": "no"}
_YES_OR_NO = frozenset(_WORDS)
HEADLINES: dict[Subject, str] = {
    "letter": "was this mail yours?",
    "which": "for which game is this mail?",
    "resign": "do you want to resign?",
    "address": "another address for your seat?",
    "new-address": "is this address yours?",
    "take-over": "will you take this seat?",
    "master": "is this to be done?",
    "join": "will you play?",
    "watch": "will you watch this game?",
    "standby": "will you stand by?",
}
FROM_VISITORS: tuple[Subject, ...] = ("join", "watch", "standby")
"""What people without a seat are asked (`pbmd.desk.visitors.reception`)."""


@dataclass(frozen=True)
class Answering:
    """A letter that answers a question, and what it says. `words` are the lines that are read as an answer."""

    question: Confirmation
    table: Table
    seat: Seat
    said: Said
    words: frozenset[str] = _YES_OR_NO


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, because of which letter. `payload` is what is needed when the answer comes, `words` what the template
    needs. What `shows_secret` has a budget of its own, which those who know none cannot use up."""

    about: Subject
    letter_id: int | None = None
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])
    shows_secret: bool = False


def ask(work: Work, table: Table, seat: Seat, asked: Question, *, address: str = "") -> bool:
    """Ask the holder of a seat, or whoever is at `address`. False, and nothing is asked, if that was done too often today."""
    limits, about, letter_id = work.desk.settings.limits, asked.about, asked.letter_id
    if letter_id is not None and _was_asked(work, about, letter_id):
        return True
    if not address and asked_lately(work, seat.id, about, shows_secret=asked.shows_secret) >= limits.confirmations_per_day:
        return False
    question, code = opened(
        work, table, seat, about, letter_id, {"address": address, "shows_secret": asked.shows_secret, **asked.payload}
    )
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "until": describe_time(question.expires_at, "UTC" if address else seat.timezone),
        **asked.words,
    }
    title = subject(table, f"{seat.name}: {HEADLINES[about]} ({write_tag(code)})")
    draft = Draft("question", question_key(question), title, render(f"ask_{about.replace('-', '_')}.txt", values))
    mail_to(work, address or seat.address, draft, table, code)
    return True


def opened(
    work: Work, table: Table | None, seat: Seat | None, about: Subject, letter_id: int | None, payload: Mapping[str, Any]
) -> tuple[Confirmation, Code]:
    """A new question, and the code that answers it. Asking is the caller's."""
    question = Confirmation(
        game_id=table.id if table else None,
        seat_id=seat.id if seat else None,
        letter_id=letter_id,
        subject=about,
        payload=compact_json(payload),
        asked_at=work.now,
        expires_at=work.now + timedelta(days=work.desk.settings.limits.confirmation_days),
    )
    work.session.add(question)
    work.session.flush()
    return question, code_of(work, question)


def answering(work: Work, letter: Letter) -> Answering | None:
    """The question that a letter answers, None if it answers none that its sender was asked."""
    for code in codes_of(letter, work.desk.settings.server.address):
        if not token_matches(make_code(work.desk.key, code.question).secret, code.secret):
            continue
        question = work.session.get(Confirmation, code.question)
        if question is None or question.game_id is None or question.subject in FROM_VISITORS:
            continue
        if question.subject == "which":
            if (answer := _choice(work, question, letter)) is not None:
                return answer
            continue
        table = work.table(question.game_id)
        seat = next((seat for seat in table.seats if seat.id == question.seat_id), None)
        if seat is not None and letter.sender == (payload_of(question)["address"] or seat.address):
            return Answering(question, table, seat, said_in(letter))
    return None


def comes_too_soon(work: Work, letter: Letter) -> bool:
    """Whether a letter answers a question that will be asked when a letter that stands before it is dealt with: so it is when
    all letters since a backup are read again."""
    codes = codes_of(letter, work.desk.settings.server.address)
    valid = (code.question for code in codes if token_matches(make_code(work.desk.key, code.question).secret, code.secret))
    return any(work.session.get(Confirmation, question) is None for question in valid)


def _choice(work: Work, question: Confirmation, letter: Letter) -> Answering | None:
    """The answer to the question for which seat a letter is: the one that it names alone. None if its sender has none."""
    tables = [(work.table(game_id), seat_id) for game_id, seat_id in payload_of(question)["seats"]]
    seats = [(table, seat) for table, seat_id in tables for seat in table.seats if seat.id == seat_id]
    held = [(table, seat) for table, seat in seats if seat.address == letter.sender and seat.state is SeatState.ACTIVE]
    if not held:
        return None
    held.sort(key=lambda each: each[0].game.status is GameStatus.FINISHED)
    names = [{table.game.name, f"{seat.name} in {table.game.name}".casefold()} for table, seat in held]
    words = frozenset({"no"}.union(*names))
    said = words & {word_of(line) for line in letter.lines if not letter.automatic}
    named = [each for each, its in zip(held, names, strict=True) if its & said]
    if len(named) == 1 and "no" not in said:
        return Answering(question, *named[0], "yes", words)
    return Answering(question, *held[0], "unclear" if named or not said else "no", words)


def has_expired(work: Work) -> bool:
    """Whether `expire` would find anything."""
    ledger = work.session.connection()
    over = ledger.execute(_OVER, {"now": work.now}).first()
    return over is not None or ledger.execute(_NEVER_ASKED, {"oldest": _oldest(work)}).first() is not None


def expire(work: Work) -> None:
    """Close the questions that were not answered in time, and put away the letters that waited for an answer."""
    for question in work.session.scalars(select(Confirmation).where(*_IS_OVER), {"now": work.now}).all():
        question.state = ConfirmationState.EXPIRED
        # Not at the desk's table: of many games no more than the names are wanted.
        game = work.session.get(Game, question.game_id) if question.game_id else None
        seat = work.session.get(Seat, question.seat_id) if question.seat_id else None
        cause = f"letter {question.letter_id}" if question.letter_id else "the game master's offer"
        with work.because(f"{cause}, asked about {describe_time(question.asked_at)}"):
            work.log(
                "expired",
                detail=f"{game.name if game else '-'}, {seat.name if seat else '-'}: {HEADLINES[subject_of(question)]}",
            )
        if question.subject in ABOUT_LETTERS:
            letter = (question.letter_id or 0, LetterState.DONE, NEVER_CONFIRMED)
            work.settle_letter(*letter, question.game_id, question.seat_id)
    _forget(work)


def _forget(work: Work) -> None:
    """Put away the letters that are too old to be asked about."""
    for letter_id, game_id, seat_id in work.session.connection().execute(_NEVER_ASKED, {"oldest": _oldest(work)}).all():
        work.settle_letter(letter_id, LetterState.DONE, NEVER_CONFIRMED, game_id, seat_id)
        work.log("expired", detail=f"letter {letter_id} waited too long; nobody could be asked about it")


def _oldest(work: Work) -> datetime:
    return work.now - timedelta(days=work.desk.settings.limits.confirmation_days)


# Made once: putting a statement together takes longer than the ledger takes to answer.
_IS_OVER = (col(Confirmation.state) == ConfirmationState.OPEN, col(Confirmation.expires_at) < bindparam("now"))
_OVER = select(Confirmation.id).where(*_IS_OVER).limit(1)
_QUESTION = select(Confirmation.id).where(Confirmation.seat_id == Letters.seat_id, Confirmation.letter_id == Letters.id)
_NEVER_ASKED = select(Letters.id, Letters.game_id, Letters.seat_id).where(
    HELD,
    col(Letters.arrived_at) < bindparam("oldest"),
    col(Letters.seat_id).is_not(None),  # one without a seat is held only with its question
    ~_QUESTION.exists(),
)


def _was_asked(work: Work, about: Subject, letter_id: int) -> bool:
    """Whether the same letter has said so before."""
    same = select(Confirmation.id).where(Confirmation.letter_id == letter_id, Confirmation.subject == about)
    return work.session.exec(same).first() is not None


def asked_lately(work: Work, seat_id: int | None, about: Subject, *, shows_secret: bool = False) -> int:
    """How often a seat was asked this in the last day, about mail of this evidence."""
    since = work.now - timedelta(days=1)
    questions = select(Confirmation).where(
        Confirmation.seat_id == seat_id, Confirmation.subject == about, col(Confirmation.asked_at) > since
    )
    return sum(payload_of(question).get("shows_secret", False) is shows_secret for question in work.session.exec(questions))


def said_in(letter: Letter) -> Said:
    """What a letter answers to a question."""
    if letter.automatic:
        return "unclear"
    said: set[Said] = {_WORDS[word] for line in letter.lines if (word := word_of(line)) in _WORDS}
    return said.pop() if len(said) == 1 else "unclear"


def word_of(line: TextLine) -> str:
    return " ".join(line.text.strip(" .!").casefold().split())


def code_of(work: Work, question: Confirmation) -> Code:
    """The code that answers a question."""
    assert question.id is not None
    return make_code(work.desk.key, question.id)


def question_key(question: Confirmation) -> str:
    """The mail that asks it."""
    return f"question {question.id}"


def subject_of(question: Confirmation) -> Subject:
    return next(about for about in HEADLINES if about == question.subject)


def payload_of(question: Confirmation) -> dict[str, Any]:
    """What is needed when the answer comes."""
    return json.loads(question.payload)


ABOUT_LETTERS = ("letter", "which")

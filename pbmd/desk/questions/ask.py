"""Questions that are answered by a mail with YES or NO: was this letter yours, do you want to resign, is this your address? The
question for which game a letter is (`pbmd.desk.confirming.several_games`) is answered with the name of the game, or with NO.

A question has a code that only the address that was asked gets to see. An answer shows it (a reply does by itself), comes from
that address, was not sent by a machine, and has a line with nothing but YES or NO. Our own text has no such line, so that a
vacation reply that quotes it says neither.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.question_payloads import OfSeat, Subject, WhichSeat, read_as, written
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import YES_OR_NO, Draft, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.step.end_questions import NEVER_CONFIRMED
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import HELD, Confirmation, ConfirmationState, Game, GameStatus, LetterState, Seat, SeatState
from pbmd.ledger.tables import Letter as Letters
from pbmd.post.read.letter import Letter, TextLine
from pbmd.post.tags import Code, codes_of, make_code, token_matches, write_tag
from pbmd.terms.times import describe_time

Said = Literal["yes", "no", "unclear"]
Heard = Literal["confirmed", "denied", "unclear", "closed"]
"""The result of an answer: `closed` if the question was no longer open."""
# Not "confirm": programs that protect a mailbox tell people to do so, below the mails that they hold back.
_YES = "yes|yes please|yes thanks|yes i do|yes i will|yep|yeah|sure|ok|okay|y|ja|ja bitte|ja gerne|oui|si|sí|confirmed|👍"
_NO = "no|no thanks|no thank you|nope|n|nein|nein danke|non|👎"
_WORDS: Mapping[str, Said] = {**dict.fromkeys(_YES.split("|"), "yes"), **dict.fromkeys(_NO.split("|"), "no")}
WORDS_OF_ANSWERS = frozenset(_WORDS)
"""What is read as YES or NO."""
# After NO only a comma or the like makes it an answer: virus scanners write "No virus found".
_BEGINNING = re.compile(r"(?P<word>yes\b|(?:yep|yeah|ok|okay|sure|ja|oui|no|nope|nein)(?=\s*[,.!;:–—-])|confirmed(?=\s*[,.!]))")
_FEW_WORDS = re.compile(r"\S+(?: \S+){0,7}")
_TAKES_BACK = re.compile(r"\b(?:no|not|but|if|unless|except|nein|nicht|aber|wenn|non|mais)\b|n't\b|\?")
_SMILEYS = re.compile("[\u2600-\u27bf\ufe0f\U0001f300-\U0001f44c\U0001f44f-\U0001faff]")
"""Emoji that say neither yes nor no: all but thumbs."""
_AROUND = " .!*_\"'`“”„‘’«»"
"""What people and programs put around a word: marks for bold type and quotes, too."""
_SHADES = dict.fromkeys(range(0x1F3FB, 0x1F400))
"""Skin tones of a thumb."""
HEADLINES: dict[Subject, str] = {
    "letter": "did you send this?",
    "which": "which game is your mail for?",
    "resign": "give up your seat?",
    "address": "play from a new address?",
    "new-address": "play from this address?",
    "take-over": "take over this seat?",
    "substitute": "play a seat for a while?",
    "master": "do this now?",
    "join": "play this game?",
    "watch": "watch this game?",
    "standby": "stand by for a seat?",
}
FROM_VISITORS: tuple[Subject, ...] = ("join", "watch", "standby")
"""What people without a seat are asked (`pbmd.desk.visitors.serve`)."""
_OF_SEATS = HEADLINES.keys() - {*FROM_VISITORS, "master"}


@dataclass(frozen=True)
class Answering:
    """A letter that answers a question, and what it says. `words` are the lines that are read as an answer."""

    question: Confirmation
    table: OpenGame
    seat: Seat
    said: Said
    words: frozenset[str] = WORDS_OF_ANSWERS


@dataclass(frozen=True, slots=True)
class Question:
    """What the holder of a seat is asked, because of which letter. `words` is what the template needs besides."""

    about: Subject
    letter_id: int | None = None
    kept: OfSeat = field(default_factory=OfSeat)
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])


def ask(work: Transaction, table: OpenGame, seat: Seat, asked: Question) -> bool:
    """Ask the holder of a seat, or whoever else is to answer. False, and nothing is asked, if that was done too often today."""
    limits, about, letter_id, kept = work.desk.settings.limits, asked.about, asked.letter_id, asked.kept
    if letter_id is not None and _was_asked(work, about, letter_id):
        return True
    if not kept.address and asked_lately(work, seat.id, about, shows_secret=kept.shows_secret) >= limits.confirmations_per_day:
        return False
    question, code = open_question(work, table, seat, about, letter_id, written(kept))
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "until": describe_time(question.expires_at, "UTC" if kept.address else seat.timezone),
        **asked.words,
    }
    title = subject(table, HEADLINES[about], seat=seat.name, code=write_tag(code))
    draft = Draft(
        "question", question_key(question), title, render(f"ask_{about.replace('-', '_')}.txt", values), offers=YES_OR_NO
    )
    mail_to(work, kept.address or seat.address, draft, table, code)
    return True


def open_question(
    work: Transaction, table: OpenGame | None, seat: Seat | None, about: Subject, letter_id: int | None, kept: str
) -> tuple[Confirmation, Code]:
    """A new question, and the code that answers it. The caller sends the question. `kept`: the document of what is needed when
    the answer comes."""
    question = Confirmation(
        game_id=table.id if table else None,
        seat_id=seat.id if seat else None,
        letter_id=letter_id,
        subject=about,
        payload=kept,
        asked_at=work.now,
        expires_at=work.now + timedelta(days=work.desk.settings.limits.confirmation_days),
    )
    work.session.add(question)
    work.session.flush()
    return question, code_of(work, question)


def answering(work: Transaction, letter: Letter, questions: Iterable[Confirmation]) -> Answering | None:
    """Which of the questions that a letter shows it answers, None if none that its sender was asked."""
    of_seats = (each for each in questions if each.game_id is not None and each.subject in _OF_SEATS)
    answers = ((_choice if each.subject == "which" else _answer)(work, each, letter) for each in of_seats)
    return next((answer for answer in answers if answer is not None), None)


def questions_shown(work: Transaction, letter: Letter) -> tuple[Confirmation, ...]:
    """The questions whose codes a letter shows, whoever was asked them."""
    found = (work.session.get(Confirmation, number) for number in _numbers_shown(work, letter))
    return tuple([question for question in found if question is not None])


def comes_too_soon(work: Transaction, letter: Letter) -> bool:
    """Whether a letter answers a question that will only be asked when an earlier letter is handled: this happens when all
    letters since a backup are read again."""
    return any(work.session.get(Confirmation, number) is None for number in _numbers_shown(work, letter))


def _numbers_shown(work: Transaction, letter: Letter) -> Iterator[int]:
    for code in codes_of(letter, work.desk.settings.server.address):
        if token_matches(make_code(work.desk.key, code.question).secret, code.secret):
            yield code.question


def _answer(work: Transaction, question: Confirmation, letter: Letter) -> Answering | None:
    """The answer to a question about one seat; None if its sender was not asked."""
    table = work.table(question.game_id or 0)
    seat = table.seat_of_id(question.seat_id)
    if seat is None or letter.sender != (read_as(OfSeat, question.payload).address or seat.address):
        return None
    return Answering(question, table, seat, said_in(letter))


def _choice(work: Transaction, question: Confirmation, letter: Letter) -> Answering | None:
    """The answer to the question for which seat a letter is: the only one that it names. None if its sender has none."""
    held = _seats_held(work, read_as(WhichSeat, question.payload).seats, letter.sender)
    if not held:
        return None
    names = [_ways_to_name(table.game.name, seat.name) for table, seat in held]
    words = frozenset({"no"}.union(*names))
    said = words & {word_of(line) for line in letter.lines if not letter.automatic}
    named = [each for each, its in zip(held, names, strict=True) if its & said]
    if len(named) == 1 and "no" not in said:
        return Answering(question, *named[0], "yes", words)
    return Answering(question, *held[0], "unclear" if named or not said else "no", words)


def _ways_to_name(game: str, seat: str) -> frozenset[str]:
    """How an answer may name a seat, as `word_of` has it: by its game, or with it, as it stands in the question, too."""
    return frozenset(map(_folded, (game, f"{seat} in {game}", f"{game}: {seat}", f"{game} {seat}")))


def _seats_held(work: Transaction, seats: Iterable[tuple[int, int]], address: str) -> list[tuple[OpenGame, Seat]]:
    """Those of these seats that are played from an address; the ones in games that are over come last."""
    found = ((table, table.seat_of_id(seat_id)) for table, seat_id in [(work.table(game), seat) for game, seat in seats])
    held = [(table, seat) for table, seat in found if seat and seat.address == address and seat.state is SeatState.ACTIVE]
    return sorted(held, key=lambda each: each[0].game.status is GameStatus.FINISHED)


def hear(question: Confirmation, said: Said, arrived_at: datetime) -> Heard:
    """Take an answer to a question. The caller does, says and logs what follows."""
    if question.state is not ConfirmationState.OPEN or arrived_at > question.expires_at:
        return "closed"
    if said == "unclear":
        return "unclear"
    question.state = ConfirmationState.CONFIRMED if said == "yes" else ConfirmationState.REFUSED
    return "confirmed" if said == "yes" else "denied"


def log_answer(work: Transaction, heard: Heard, table: OpenGame | None, seat: str, detail: str) -> None:
    """A line in the log for a question that was answered."""
    if heard == "confirmed":
        work.log("confirmed", table, seat, detail)
    elif heard == "denied":
        work.log("denied", table, seat, detail)


def unclear_words(wanted: str = "the word YES") -> str:
    """The reply to an answer that cannot be read; `wanted` is what it should have been, if not NO."""
    return (
        "Your answer could not be read, so nothing was done. Please reply again, with a line of its own that has only "
        f"{wanted} or only the word NO."
    )


def closed_words(question: Confirmation, arrived_at: datetime, ended: str) -> str:
    """Why a question is no longer open, for the person who answers it; `ended` if it was closed early."""
    if question.state in (ConfirmationState.CONFIRMED, ConfirmationState.REFUSED):
        why = "it has been answered"
    else:
        why = "the time for it is over" if arrived_at > question.expires_at else ended
    return f"This question is not open any more: {why}. Nothing was done."


def has_expired(work: Transaction) -> bool:
    """Whether `expire` would find anything."""
    oldest, ledger = _oldest(work), work.session.connection()
    over = ledger.execute(_OVER, {"now": work.now}).first()
    return over is not None or ledger.execute(_NEVER_ASKED, {"oldest": oldest}).first() is not None


def expire(work: Transaction) -> None:
    """Close the questions that were not answered in time, and put away the letters that waited for an answer."""
    for question in work.session.scalars(select(Confirmation).where(*_IS_OVER), {"now": work.now}).all():
        question.state = ConfirmationState.EXPIRED
        # Without loading the games: of many, only the names are needed.
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


def _forget(work: Transaction) -> None:
    """Put away the letters that are too old to be asked about."""
    for letter_id, game_id, seat_id in work.session.connection().execute(_NEVER_ASKED, {"oldest": _oldest(work)}).all():
        work.settle_letter(letter_id, LetterState.DONE, NEVER_CONFIRMED, game_id, seat_id)
        work.log("expired", detail=f"letter {letter_id} waited too long; nobody could be asked about it")


def _oldest(work: Transaction) -> datetime:
    return work.now - timedelta(days=work.desk.settings.limits.confirmation_days)


# Made once: building a statement takes longer than the ledger takes to answer.
_IS_OVER = (col(Confirmation.state) == ConfirmationState.OPEN, col(Confirmation.expires_at) < bindparam("now"))
_OVER = select(Confirmation.id).where(*_IS_OVER).limit(1)
_QUESTION = select(Confirmation.id).where(Confirmation.seat_id == Letters.seat_id, Confirmation.letter_id == Letters.id)
_NEVER_ASKED = select(Letters.id, Letters.game_id, Letters.seat_id).where(
    HELD,
    col(Letters.arrived_at) < bindparam("oldest"),
    col(Letters.seat_id).is_not(None),  # one without a seat is held only with its question
    ~_QUESTION.exists(),
)


def _was_asked(work: Transaction, about: Subject, letter_id: int) -> bool:
    """Whether the same letter has said so before."""
    same = select(Confirmation.id).where(Confirmation.letter_id == letter_id, Confirmation.subject == about)
    return work.session.exec(same).first() is not None


def asked_lately(work: Transaction, seat_id: int | None, about: Subject, *, shows_secret: bool = False) -> int:
    """How often a seat was asked this in the last day, about mail with this evidence."""
    today = lately(Confirmation.asked_at, work.now, timedelta(days=1))
    questions = select(Confirmation).where(Confirmation.seat_id == seat_id, Confirmation.subject == about, today)
    return sum(read_as(OfSeat, each.payload).shows_secret is shows_secret for each in work.session.exec(questions))


def said_in(letter: Letter) -> Said:
    """What a letter answers to a question."""
    if letter.automatic:
        return "unclear"
    said: set[Said] = {word for line in letter.lines if (word := _said_by(line)) != "unclear"}
    return said.pop() if len(said) == 1 else "unclear"


def is_answer(line: TextLine, words: frozenset[str]) -> bool:
    """Whether a line is one of the words that answer a question, or says YES or NO where those do."""
    return word_of(line) in words or (words is WORDS_OF_ANSWERS and _said_by(line) != "unclear")


def _said_by(line: TextLine) -> Said:
    """What a line says: a word for yes or no, or a short sentence that begins with one and does not take it back."""
    line = line._replace(text=_SMILEYS.sub("", line.text))
    beside_thumb = line._replace(text=line.text.translate(_SHADES).replace("👍", ""))
    if beside_thumb.text != line.text and word_of(beside_thumb):
        return "yes" if _said_by(beside_thumb) == "yes" else "unclear"
    word = word_of(line)
    if word in _WORDS:
        return _WORDS[word]
    begin = _BEGINNING.match(line.text.strip(_AROUND).casefold())
    if begin is None or not _FEW_WORDS.fullmatch(word) or _TAKES_BACK.search(word[len(begin["word"]) :]):
        return "unclear"
    return _WORDS[begin["word"]]


def word_of(line: TextLine) -> str:
    """A line in lower case, without commas, the marks around it and the skin tones of its emoji."""
    return _folded(line.text.strip(_AROUND).translate(_SHADES))


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace(",", " ").split())


def code_of(work: Transaction, question: Confirmation) -> Code:
    """The code that answers a question."""
    assert question.id is not None
    return make_code(work.desk.key, question.id)


def question_key(question: Confirmation) -> str:
    """Identifies the mail that asks it."""
    return f"question {question.id}"


def subject_of(question: Confirmation) -> Subject:
    """The subject of a question, as one of the existing subjects."""
    return next(about for about in HEADLINES if about == question.subject)


ABOUT_LETTERS = ("letter", "which")

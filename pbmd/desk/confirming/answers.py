"""What a YES or a NO causes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlmodel import select

from pbmd.desk.books.question_payloads import OfSeat, Subject, WhichSeat, read_as
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.seats import Consent, Holder, give_up, hand_over, holds_another, must_be_free
from pbmd.desk.changes.substitution import give_back
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.invitation import invitation
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.questions.ask import (
    ABOUT_LETTERS,
    HEADLINES,
    Answering,
    Heard,
    Question,
    ask,
    closed_words,
    code_of,
    hear,
    is_answer,
    log_answer,
    question_key,
    subject_of,
    unclear_words,
)
from pbmd.desk.questions.seat_offers import asked_besides, note_taken
from pbmd.desk.questions.substitutes import agree, decline
from pbmd.desk.step.substitutes.wishes import comes_back_to, time_of_substitute
from pbmd.ledger.tables import Confirmation, GameStatus, LetterState, Outbox, SeatState
from pbmd.post.lines.command_text import NOBODY
from pbmd.post.lines.sent import SENT
from pbmd.post.lines.sorted_lines import left_out
from pbmd.post.read.letter import LeftOut, Letter, for_seat, unreadable
from pbmd.rules.protocol import Refused

_BESIDES = "beside the answer to a question nothing is read; send it in reply to a mail of the game"


def take_answer(work: Transaction, answer: Answering, letter: Letter, letter_id: int, arrived_at: datetime) -> bool:
    """Take an answer to a question, and do what was confirmed. True if it concerns a held letter that can be handled now."""
    question, table = answer.question, answer.table
    if table.game.status is GameStatus.FINISHED:
        _tell(work, answer, letter, letter_id, f"{table.game.name} is over, so nothing was changed.", "the game is over")
        return False
    heard, about_letter = hear(question, answer.said, arrived_at), question.subject in ABOUT_LETTERS
    log_answer(work, heard, table, answer.seat.name, f"letter {letter_id}: {HEADLINES[subject_of(question)]}")
    if heard == "confirmed" and about_letter:
        return True
    if heard == "denied" and question.subject == "substitute":
        decline(work, table, answer.seat)
    if heard == "denied" and about_letter:
        why = "its player says that it is not theirs"
        work.settle_letter(question.letter_id or 0, LetterState.DONE, why, table.id, answer.seat.id)
    if heard != "confirmed":
        _tell(work, answer, letter, letter_id, _nothing_done(question, heard, arrived_at), _TITLES[heard])
        return False
    done = _DEEDS[subject_of(question)](work, answer, letter_id, not_read(work, answer, letter))
    if done.sentence:
        _tell(work, answer, letter, letter_id, done.sentence, done.title)
    return False


def _nothing_done(question: Confirmation, heard: Heard, arrived_at: datetime) -> str:
    """The reply to an answer that changes nothing."""
    if heard == "closed":
        return closed_words(question, arrived_at, _BACK if _was_asleep(question) else _CHANGED)
    if heard == "denied":
        return _DENIED[subject_of(question)]
    if question.subject != "which":
        return unclear_words()
    is_plain = read_as(WhichSeat, question.payload).one_of_each_game
    return unclear_words("the name of the game" if is_plain else "the game and your seat in it, as they stand in the question,")


_CHANGED = "the seat has another holder or address since, or was given up"
_BACK = "the player of the seat is back, or somebody else has it since"


def _was_asleep(question: Confirmation) -> bool:
    """Whether a seat was offered only since it slept."""
    return question.subject == "take-over" and read_as(OfSeat, question.payload).asleep


def not_read(work: Transaction, answer: Answering, letter: Letter) -> tuple[LeftOut, ...]:
    """What an answer contains besides YES or NO, and why it is not read. The copy of the question in it needs no mention."""
    # The mail of an old question may be gone.
    kept = select(Outbox.raw).where(Outbox.key == question_key(answer.question), Outbox.raw != b"")
    letter = for_seat(letter, NOBODY, work.session.exec(kept).all())
    own = () if letter.source == "attachment" else letter.lines
    lines = (*own, *(line for file in letter.files for line in file.lines))
    besides = left_out([line.original for line in lines if not is_answer(line, answer.words)], _BESIDES)
    return besides + unreadable(letter) + tuple(piece for piece in letter.left_out if piece.reason != SENT)


def _tell(work: Transaction, answer: Answering, letter: Letter, letter_id: int, sentence: str, title: str) -> None:
    """Answer an answer: the result is in its title. If that could not be read, a reply to this mail is one, too."""
    table, seat, left_out = answer.table, answer.seat, not_read(work, answer, letter)
    unclear, chosen = answer.said == "unclear", answer.question.subject != "which" or answer.said == "yes"
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {letter_id}",
        subject(table, title, seat=seat.name) if chosen else f"[pbmd] {title}",
        render("told.txt", {"seat": chosen and seat.name, "game": table.game, "sentence": sentence, "left_out": left_out}),
        answers=letter.message_id,
        digest=answer_digest(request_text(letter), sentence),
    )
    if unclear:
        mail_to(work, letter.sender, draft, table, code_of(work, answer.question))
    elif letter.sender == seat.address and seat.state is SeatState.ACTIVE and chosen:
        mail_to_seat(work, table, seat, draft)
    else:
        if letter.sender == seat.address and seat.state is not SeatState.ACTIVE:  # They have just given it up.
            draft = replace(draft, invitation=invitation(work, table, seat))
        mail_to(work, letter.sender, draft, table)


class _Done(NamedTuple):
    """The result of a YES: the title of its answer, and the sentence; "" if another mail says it."""

    title: str = ""
    sentence: str = ""


# What is done when the answer is YES. Each gets what the letter says besides.


def _resign(work: Transaction, answer: Answering, _letter_id: int, _besides: tuple[LeftOut, ...]) -> _Done:
    if (wish := time_of_substitute(work, answer.table, answer.seat)) is not None:
        give_back(work, answer.table, answer.seat, wish, "the substitute has given it back")
        return _Done()
    if answer.seat.state is SeatState.ACTIVE:
        give_up(work, answer.table, answer.seat)
    words = f"You have resigned as {answer.seat.name}. Thank you for playing; the game master knows."
    return _Done("you have resigned", words)


def _ask_new_address(work: Transaction, answer: Answering, letter_id: int, _besides: tuple[LeftOut, ...]) -> _Done:
    address = read_as(OfSeat, answer.question.payload).new
    ask(work, answer.table, answer.seat, Question("new-address", letter_id, OfSeat(address)))
    words = f"A mail was sent to {address}. When YES comes from there, the seat has that address; until then it has this one."
    return _Done("the new address is asked", words)


def _move(work: Transaction, answer: Answering, letter_id: int, besides: tuple[LeftOut, ...]) -> _Done:
    kept = read_as(OfSeat, answer.question.payload)
    table, seat = answer.table, answer.seat
    if holds_another(table, seat, kept.address) or comes_back_to(work, table, seat, kept.address):
        return _Done(_STAYS, f"You have a seat in {answer.table.game.name} already, so you cannot have this one, too.")
    holder = None if kept.holder is None else Holder(kept.holder, kept.timezone)
    others = asked_besides(work, answer.seat, answer.question)
    try:
        must_be_free(work, answer.table, answer.seat, kept.address)
        hand_over(work, answer.table, answer.seat, kept.address, Consent(letter_id, besides), holder)
    except Refused as refusal:
        return _Done(_STAYS, f"{answer.seat.name} cannot be taken over any more: {refusal}.")
    if holder is not None:
        note_taken(work, answer.table, answer.seat, others, letter_id)
    return _Done()


def _stand_in(work: Transaction, answer: Answering, _letter_id: int, besides: tuple[LeftOut, ...]) -> _Done:
    return _Done(*agree(work, answer.table, answer.seat, read_as(OfSeat, answer.question.payload), besides))


_STAYS = "the seat stays as it was"
_TITLES: dict[Heard, str] = {
    "denied": "nothing was changed",
    "unclear": "your answer could not be read",
    "closed": "the question is not open any more",
}
_DEEDS: dict[Subject, Callable[[Transaction, Answering, int, tuple[LeftOut, ...]], _Done]] = {
    "resign": _resign,
    "address": _ask_new_address,
    "new-address": _move,
    "take-over": _move,
    "substitute": _stand_in,
}
_LEAKED = (
    "Nothing was changed. If you did not ask for this, somebody may know the secret of your seat: send the line NEW TOKEN "
    "in reply to a mail of the game, and the secret is another one."
)
_NOT_YOURS = (
    "Thank you. Nothing was changed by that mail. If somebody may know the secret of your seat, send the line NEW "
    "TOKEN in reply to a mail of the game, and the secret is another one."
)
_DENIED: dict[Subject, str] = {
    "letter": _NOT_YOURS,
    "which": _NOT_YOURS,
    "resign": _LEAKED,
    "address": _LEAKED,
    "new-address": "Thank you. Nothing was changed, and you will not be asked again.",
    "take-over": "Thank you for saying so. The seat stays as it was.",
    "substitute": "Thank you for saying so. You will not be asked again for these days.",
}

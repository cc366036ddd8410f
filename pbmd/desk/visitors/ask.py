"""People without a seat: what they are asked before anything is done, and how they are answered.

Anybody can put any address on a mail. So nothing permanent is done for an address before a reply from it shows the code of a
question that only this address got; what it gets repeats no word of the letter; and there are only so many mails a day to an
address, and an hour to all together (`pbmd.desk.mail.rate_limits`).

Everybody gets the same list of games, and the same words whether a game is not listed or does not exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlmodel import col, func, select

from pbmd.desk.books.question_payloads import OfVisitor, read_as, written
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import VISIT, YES_OR_NO, Draft, render, subject_before
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.questions.ask import FROM_VISITORS, HEADLINES, Said, Subject, code_of, open_question, said_in
from pbmd.desk.step.reporting.watchers import code_for
from pbmd.desk.visitors.code_shown import has_proof, proof_for
from pbmd.ledger.tables import Confirmation, ConfirmationState
from pbmd.post.addresses import folded
from pbmd.post.read.letter import Letter
from pbmd.post.tags import write_tag
from pbmd.terms.times import describe_time

_NO_WORDS: Mapping[str, Any] = MappingProxyType({})
_ABOUT: Mapping[str, Subject] = {about: about for about in FROM_VISITORS}


@dataclass(frozen=True)
class Visit:
    """An answer to a question to somebody without a seat, and what it says. `arrived_at` is when the answer came, `kept` what
    they had asked for."""

    question: Confirmation
    about: Subject
    table: OpenGame | None
    said: Said
    letter: Letter
    letter_id: int
    arrived_at: datetime
    kept: OfVisitor


def asking(arrived: Arrived) -> OfVisitor:
    """What is stored about the writer of a letter who is to be asked."""
    return OfVisitor(arrived.letter.sender, arrived.letter.sender_name, arrived.arrived_at)


def ask_visitor(
    work: Transaction,
    about: Subject,
    table: OpenGame | None,
    arrived: Arrived,
    kept: OfVisitor,
    words: Mapping[str, Any] = _NO_WORDS,
) -> None:
    """Ask the writer of a letter whether they mean it; `words` is what the question says besides. If a limit stops the mail
    there is no question."""
    letter = arrived.letter
    question, code = open_question(work, table, None, about, arrived.id, written(kept))
    values = {
        "game": table.game if table else None,
        "info": table.ruleset.info if table else None,
        "arrived": describe_time(arrived.arrived_at, "UTC", seconds=True),
        "until": describe_time(question.expires_at, "UTC"),
        **words,
    }
    draft = Draft(
        VISIT,
        f"question {question.id}",
        subject_before(table, HEADLINES[about], code=write_tag(code)),
        render(f"ask_{about}.txt", values),
        answers=letter.message_id,
        offers=YES_OR_NO,
        # The same may be asked again once it has been answered.
        digest=answer_digest(
            request_text(letter), f"{about} {table.game.name if table else ''} {_answered(work, about, table)}"
        ),
    )
    if mail_to(work, letter.sender, draft, table, code):
        work.log("asked", table, detail=f"letter {arrived.id}: {HEADLINES[about]}")
    else:
        question.state = ConfirmationState.EXPIRED


def answer_visitor(
    work: Transaction, letter: Letter, letter_id: int, title: str, text: str, table: OpenGame | None = None
) -> None:
    """Answer a letter from somebody without a seat."""
    draft = Draft(
        "acknowledgement" if has_proof(work, letter) else VISIT,
        f"acknowledgement {letter_id}",
        subject_before(table, title),
        text,
        answers=letter.message_id,
        digest=answer_digest(request_text(letter), text),
    )
    mail_to(work, letter.sender, draft, table, proof_for(work, letter.sender))


def tell_visitor(work: Transaction, visit: Visit, sentence: str) -> None:
    """Answer an answer. If that could not be read, a reply to this mail is one, too."""
    unclear = visit.said == "unclear"
    room = code_for(work, visit.table, visit.kept.address) if visit.table else None
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {visit.letter_id}",
        subject_before(visit.table, HEADLINES[visit.about]),
        render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()}),
        answers=visit.letter.message_id,
        digest=answer_digest(request_text(visit.letter), sentence),
    )
    mail_to(work, visit.kept.address, draft, visit.table, code_of(work, visit.question) if unclear else room)


def visiting(work: Transaction, arrived: Arrived) -> Visit | None:
    """The question to somebody without a seat that a letter answers, None if it answers none that its sender was asked."""
    letter = arrived.letter
    for question in arrived.questions:
        if (about := _ABOUT.get(question.subject)) is None:
            continue
        kept = read_as(OfVisitor, question.payload)
        if letter.sender == folded(kept.address):
            table = work.table(question.game_id) if question.game_id else None
            return Visit(question, about, table, said_in(letter), letter, arrived.id, arrived.arrived_at, kept)
    return None


def _answered(work: Transaction, about: Subject, table: OpenGame | None) -> int:
    """How many such questions about a game were answered."""
    work.write()
    same = (Confirmation.subject == about, Confirmation.game_id == (table.id if table else None))
    answered = col(Confirmation.state).in_((ConfirmationState.CONFIRMED, ConfirmationState.REFUSED))
    return work.session.exec(select(func.count()).select_from(Confirmation).where(*same, answered)).one()

"""An answer from another address than the one that was asked: people have several, and their YES would be lost without a word.

It counts for nothing. Who was asked is told so, once for each question, and nobody else: the other address may be anybody's.
"""

from collections.abc import Mapping, Sequence

from pbmd.desk.books.question_payloads import OfSeat, OfVisitor, WhichSeat, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import VISIT, Draft, render, subject_before
from pbmd.desk.mail.queue import is_queued, mail_to
from pbmd.desk.mail.rate_limits import answer_digest
from pbmd.desk.questions.ask import FROM_VISITORS, HEADLINES, code_of
from pbmd.ledger.tables import Confirmation, ConfirmationState
from pbmd.post.read.letter import Letter
from pbmd.post.tags import write_tag

_HEADLINES: Mapping[str, str] = {**HEADLINES}
_TITLE = "your answer came from another address"


def tell_who_was_asked(work: Transaction, letter: Letter, questions: Sequence[Confirmation]) -> bool:
    """Tell who was asked the first of these questions that is open; False if nobody is told."""
    open_ones = (each for each in questions if each.state is ConfirmationState.OPEN and each.expires_at > work.now)
    question = next(open_ones, None)
    if question is None or letter.automatic or not letter.sender or is_queued(work, _key(question)):
        return False
    table = work.table(question.game_id) if question.game_id else None
    address, is_of_seat = _asked(work, table, question)
    if not address:
        return False
    sentence = (
        f'A mail from another address shows the code of the question "{_HEADLINES[question.subject]}", which you were asked. '
        "It does not count, and nothing was done. If it was yours, answer in a reply to this mail, from here. If not, somebody "
        "else has seen the question, and nothing comes of that."
    )
    text = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
    code = code_of(work, question)
    draft = Draft(
        "acknowledgement" if is_of_seat else VISIT,
        _key(question),
        subject_before(table, _TITLE, code=write_tag(code)),
        text,
        digest=answer_digest("", text),
    )
    return mail_to(work, address, draft, table, code)


def _key(question: Confirmation) -> str:
    return f"elsewhere {question.id}"


def _asked(work: Transaction, table: OpenGame | None, question: Confirmation) -> tuple[str, bool]:
    """Who was asked, and whether it is somebody who plays or masters a game, and so gets our mails anyway."""
    if question.subject == "master":
        return work.desk.settings.server.gm, True
    if question.subject in FROM_VISITORS:
        return read_as(OfVisitor, question.payload).address, False
    if question.subject == "which":
        return read_as(WhichSeat, question.payload).address, True
    seat = table.seat_of_id(question.seat_id) if table else None
    given = read_as(OfSeat, question.payload).address
    return given or (seat.address if seat else ""), not given

"""The game master's decisions on letters that were put aside: they are tried again, or no longer waited for."""

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.unread_letters import end_waiting
from pbmd.ledger.tables import Letter, LetterState, UnreadLetter
from pbmd.rules.protocol import Refused
from pbmd.terms.times import EPOCH, describe_time


def retry(work: Transaction, letter_id: int, table: OpenGame | None = None) -> None:
    """Handle a letter that was put aside again, as if it had only now been stored. Raises `Refused`."""
    letter = work.session.get(Letter, letter_id)
    if letter is None:
        raise Refused(f"there is no letter {letter_id}")
    if letter.state is not LetterState.QUARANTINED:
        raise Refused(f"letter {letter_id} was not put aside, so it cannot be tried again")
    if not letter.raw:
        if not _ask_soon(work, letter_id):
            raise Refused(f"letter {letter_id} never came with its text, so it cannot be tried again")
        work.log("retried", table, detail=f"letter {letter_id}: the mail server is asked for it")
        return
    letter.state, letter.note, letter.game_id, letter.seat_id = LetterState.NEW, "", None, None
    work.log("retried", table, detail=f"letter {letter_id}")


def retry_all_of(work: Transaction, table: OpenGame) -> bool:
    """Handle the letters of a game that were put aside again; returns whether there were any."""
    aside = col(Letter.game_id) == table.id, col(Letter.state) == LetterState.QUARANTINED
    quarantined = work.session.exec(select(Letter.id).where(*aside)).all()
    for letter_id in quarantined:
        retry(work, letter_id or 0, table)
    return bool(quarantined)


def give_up(work: Transaction, letter_id: int) -> None:
    """No deadline waits for this letter any more. Raises `Refused`."""
    unread = work.session.get(UnreadLetter, letter_id)
    if unread is None:
        raise Refused(f"no deadline waits for letter {letter_id}: only for those whose text the mail server does not give")
    if unread.given_up_at is not None:
        raise Refused(f"letter {letter_id} is not waited for since {describe_time(unread.given_up_at)}")
    end_waiting(work, unread, "the game master has said so")


def _ask_soon(work: Transaction, letter_id: int) -> bool:
    """Ask the server for this letter at the next reading; False if that is no letter without text."""
    unread = work.session.get(UnreadLetter, letter_id)
    if unread is None:
        return False
    unread.tried_at = EPOCH
    return True

"""Orders of a turn that was rolled back, sent again by one line."""

from dataclasses import replace

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.rollback import mailed_lines
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Sender
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import RolledBackEntry
from pbmd.ledger.tables import Seat, StepRecord, Submission, SubmissionState
from pbmd.rules.protocol import Line, Refused


def earlier_orders(work: Transaction, table: OpenGame, seat: Seat, turn: int) -> tuple[Line, ...]:
    """The order lines of a seat for a turn that was taken back, those that were in force last. Raises `Refused` if there are
    none."""
    work.write()
    taken_back = select(StepRecord.step).where(
        StepRecord.game_id == table.id, StepRecord.turn == turn, StepRecord.rolled_back != 0
    )
    mine = select(Submission).where(Submission.game_id == table.id, Submission.seat_id == seat.id)
    used = col(Submission.state).in_((SubmissionState.USED, SubmissionState.ROLLED_BACK))
    found = mine.where(used, col(Submission.step).in_([*work.session.exec(taken_back), *_open_steps(work, table, turn)]))
    last = work.session.exec(found.order_by(col(Submission.id).desc()).limit(1)).first()
    lines = mailed_lines(work, table, last) if last else ()
    if last is None:
        raise Refused(f"there are no orders of yours for turn {turn} that were rolled back")
    return lines


def with_earlier_orders(work: Transaction, sender: Sender, script: Script, use: Command, answer: Answer) -> Script:
    """The script of a letter with the orders that its USE ORDERS names as its own; they arrive when this letter does."""
    others = tuple(command for command in script.commands if command.kind != "use")
    try:
        if script.orders or any(command.kind == "orders" for command in others):
            raise Refused("your mail has orders of its own, so no earlier ones were sent again")
        lines = earlier_orders(work, sender.table, sender.seat, int(use.words["turn"]))
    except Refused as refusal:
        answer.refuse("USE ORDERS", refusal)
        return replace(script, commands=others)
    # Orders are never an empty letter: an empty sheet is said to be one.
    empty = () if lines else (replace(use, kind="orders", words={}),)
    return replace(script, commands=(*others, *empty), orders=lines)


def _open_steps(work: Transaction, table: OpenGame, turn: int) -> list[int]:
    """The steps of this turn that were open, and thus have no record, when the game was rolled back."""
    rollbacks = (back.entry for back in entries_of(work.session, table.id, RolledBackEntry))
    return [back.step - 1 for back in rollbacks if back.turn == turn]

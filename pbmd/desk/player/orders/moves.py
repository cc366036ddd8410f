"""Sequential games: a move is carried out when its letter arrives, and held if its turn has not come.

After each letter the desk carries out whatever is due, in the same transaction and before it looks at the next letter. What
was sent ahead follows at once, so that one letter may settle several moves; all of them are reported in one mail a seat, which
is made before the next letter, too.
Nobody but its sender learns of a move that waits: no line in the log, no number in the journal, no count of who has sent.

The report of a move is the answer to the letter that made it, with receipt, arrival, digest and the orders as understood; an
acknowledgement comes only if the letter asked for something else, too. Step records and journal entries stay one a step. The
clock of a seat runs from the report that made it awaited. Terms about early resolution do not count, nor do WAIT and READY.

A letter that needs no move (an offer and the like) is a request that is granted. Each reader gets one mail for it with all that
they may know, and the sender finds it in the acknowledgement. The mail about an offer carries the reader's token like any
other, so a reply to it is trusted.
"""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlmodel import col, select

from pbmd.desk.books.carried_out import Taken, Unreported
from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer, orders_text
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.player.orders.echoed_head import head_in
from pbmd.desk.player.orders.filing import Filing, Taking, refusal_words
from pbmd.desk.player.orders.timing import Mistimed, answered_step, closed_by_deadline, lateness, not_under_way, untimely_move
from pbmd.desk.step.events import keep_for_journal
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.step.on_file import sheet_on_file, shown_number
from pbmd.ledger.entries.parts import WithdrawnMove
from pbmd.ledger.entries.player_entries import OrdersEntry
from pbmd.ledger.entries.rows import entry_in
from pbmd.ledger.entries.step_entries import ResolvedEntry
from pbmd.ledger.tables import GameStatus, JournalEntry, Seat, StepRecord, Submission, SubmissionState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.rules import sheets
from pbmd.rules.protocol import Receipt, Refused, Sheet, Status
from pbmd.terms.times import describe_duration


def carry_out_moves(work: Transaction, sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """Carry out what is due after a letter. The report of a move that its letter made at once is the answer to it."""
    table, seat, orders = sender.table, sender.seat, answer.orders
    carry_on(work, table)
    tick = work.slot(Unreported).left.get(table.id)
    if tick is None or orders is None or not answer.moves:
        return
    now = {"chain_head": table.game.chain_head, "head_entry": shown_number(table, table.game.chain_number)}
    orders = replace(orders, headline=f"{orders.headline} was carried out", **now)
    answers = "" if arrived.letter.automatic else arrived.letter.message_id
    tick.taken[seat.number] = Taken(*orders_text(table, seat, orders), answers)
    answer.orders = None
    answer.is_reported = True


def cancel_move(work: Transaction, sender: Sender, arrived: Arrived) -> None:
    """Take back the move that waits. Raises `Refused`."""
    table, seat = sender.table, sender.seat
    if words := not_under_way(table):
        raise Refused(words)
    sheet = sheet_on_file(table, seat)
    if sheet is not None and sheet.arrival > arrived.arrival:
        raise Refused("a later mail of yours is in force")
    work.move(table, table.ruleset.withdraw(table.position, seat.name))
    keep_for_journal(work, table, WithdrawnMove(seat=seat.name, cancelled=arrived.letter.fingerprint))


# How a move is taken


def _of_another_turn(
    _work: Transaction, sender: Sender, _arrived: Arrived, command: Command | None, _on_file: Sheet | None
) -> Mistimed | None:
    """Why orders do not count that say for which turn they are; None if they do, or do not say it."""
    game = sender.table.game
    named = command.words.get("turn") if command is not None else None
    if named is None or int(named) == game.turn:
        return None
    sentence = (
        f"your orders say turn {named}, but this is turn {game.turn}, so they were not accepted. "
        "A move that is sent ahead needs no such line"
    )
    return Mistimed(sentence, SubmissionState.REFUSED, game.turn, game.step)


def _file(work: Transaction, sender: Sender, _arrived: Arrived, receipt: Receipt[Any], answer: Answer) -> Filing:
    """What becomes of a letter: a move is carried out at once, or held; what needs no move is done already."""
    table, verdicts = sender.table, receipt.verdicts
    later = partial(Filing, verdicts=verdicts, journalled_later=True)
    if receipt.filed:
        is_due = sender.seat.name in table.awaiting
        answer.moves = is_due and table.game.status is GameStatus.RUNNING and not doubt(work)
        if answer.moves:
            # Everybody sees at once that this seat has moved.
            return Filing(SubmissionState.FILED, f"your move in turn {table.game.turn}", verdicts)
        when = "when the game resumes" if is_due else "the moment your turn comes"
        return later(SubmissionState.FILED, f"your move is waiting, and is made {when}", short="move waits")
    if receipt.granted:
        done = any(verdict.status is Status.OK for verdict in verdicts)
        words = "your mail has taken effect at once" if done else "nothing in your mail had any effect"
        return later(SubmissionState.GRANTED, words, short="done at once" if done else "NOT TAKEN")
    return later(SubmissionState.REFUSED, refusal_words(verdicts), short="NOT TAKEN")


def _untimely(work: Transaction, sender: Sender, arrived: Arrived, receipt: Receipt[Any]) -> Mistimed | None:
    """Why a move does not count, though the rules would take it; None if it does."""
    table, game = sender.table, sender.table.game
    if _overtaken(work, sender, arrived):
        sentence = "a later mail of yours is in force, or cancelled what you had sent before it, so this move was not taken"
        return Mistimed(sentence, SubmissionState.REPLACED, game.turn, game.step)
    if words := untimely_move(table, sender.seat, arrived.arrived_at):
        return Mistimed(f"your orders {words} and were not taken", SubmissionState.LATE, game.turn, game.step)
    return _for_a_skipped_move(work, sender, arrived) or _made_before(work, sender, arrived, receipt)


MOVES = Taking(not_for_now=_of_another_turn, file=_file, untimely=_untimely, journalled_later=True)


def _for_a_skipped_move(work: Transaction, sender: Sender, arrived: Arrived) -> Mistimed | None:
    """How a move missed its turn, in which its seat was skipped; None if it is not for that."""
    table, seat, at = sender.table, sender.seat, arrived.arrived_at
    skipped = _last_skip(work, table, seat)
    if skipped is None:
        return None
    of, took_until, deadlines, rolled_back = skipped
    answered = answered_step(work, sender, arrived.letter)
    is_old = answered is not None and answered.turn <= of < table.game.turn
    if at >= took_until and not is_old:
        return None
    late, seen_late, short = lateness(table, seat, deadlines, at), False, f"NOT TAKEN: your move in turn {of} was over"
    if late:
        how, short = f"came {describe_duration(late)} too late", f"{describe_duration(late)} too late for turn {of}"
    elif at >= took_until:
        how = "came only after your move had been skipped"
    else:
        how = "were read, or confirmed, only after your move had been skipped"
        is_for_it = answered is not None and answered.turn == of and not sender.confirmed and not rolled_back
        seen_late = is_for_it and closed_by_deadline(seat, deadlines, took_until)
    sentence = f"your orders for turn {of} {how}, and were not taken. If they are for your next move, send them again"
    return Mistimed(sentence, SubmissionState.LATE, of, seat.missed_step, seen_late, short=short)


class _Made(NamedTuple):
    """A move that was carried out: the number of its entry in the journal, and in which turn and step it was."""

    number: int
    turn: int
    step: int


def _made_before(work: Transaction, sender: Sender, arrived: Arrived, receipt: Receipt[Any]) -> Mistimed | None:
    """Why a move is not taken that is word for word one which its seat has made, in a mail that answers one from before that:
    it is the same mail, sent again. None if it is another."""
    table, seat, game = sender.table, sender.seat, sender.table.game
    sheet = sheets.sheet_of(table.ruleset.sheets(receipt.position), seat.name)
    if sheet is None:
        return None
    work.write_rows()
    # The entry that holds a move is of the step in which it was carried out; it may have been sent, and held, long before.
    columns = select(Submission.number, JournalEntry.kind, JournalEntry.public)
    entry = (col(JournalEntry.game_id) == Submission.game_id) & (col(JournalEntry.number) == Submission.number)
    of_seat = columns.join(JournalEntry, entry).where(Submission.game_id == table.id, Submission.seat_id == seat.id)
    same = Submission.state == SubmissionState.USED, Submission.orders == compact_json(list(sheet.lines))
    last = work.session.exec(of_seat.where(*same).order_by(col(Submission.id).desc()).limit(1)).first()
    made = _made(*last) if last else None
    if made is None or _was_taken_back(work, table, made) or not _is_from_before(work, sender, arrived, made):
        return None
    sentence = (
        f"this is the move that you made in turn {made.turn}, and your mail answers one from before it, so it was not taken "
        "again. If it is for your next move, reply to the last report"
    )
    return Mistimed(sentence, SubmissionState.REFUSED, game.turn, game.step, short="NOT TAKEN: made before")


def _made(number: int, kind: str, public: str) -> _Made:
    entry = entry_in(kind, public)
    assert isinstance(entry, OrdersEntry | ResolvedEntry), "a move is in its own entry, or waited until the end of a step"
    return _Made(number, entry.turn, entry.step)


def _was_taken_back(work: Transaction, table: OpenGame, made: _Made) -> bool:
    """Whether the step in which a move was made was rolled back."""
    of_step = select(StepRecord.rolled_back).where(StepRecord.game_id == table.id, StepRecord.step == made.step)
    return work.session.exec(of_step).first() != 0


def _is_from_before(work: Transaction, sender: Sender, arrived: Arrived, made: _Made) -> bool:
    """Whether a letter is about a move that was made, or an earlier one: by the turn that it names, by the mail that it
    answers, or by the head that its order form brings back."""
    named = [int(each.words["turn"]) for each in arrived.script.commands if each.kind == "orders" and "turn" in each.words]
    if named:
        return named[0] <= made.turn
    answered = answered_step(work, sender, arrived.letter)
    if answered is not None and answered.step is not None:
        return answered.step <= made.step
    entry, _, _ = head_in(arrived, sender.table.game.name).rpartition(" ")
    if entry:
        return int(entry) < made.number
    return answered is not None and answered.turn <= made.turn


def _overtaken(work: Transaction, sender: Sender, arrived: Arrived) -> bool:
    """Whether a move, or a CANCEL ORDERS, of this seat arrived after this letter, which came to light only now."""
    columns = select(LetterRow.arrived_at, LetterRow.uid)
    of_seat = Submission.game_id == sender.table.id, Submission.seat_id == sender.seat.id
    since = col(LetterRow.arrived_at) >= arrived.arrived_at
    counted = col(Submission.state).in_((SubmissionState.FILED, SubmissionState.USED))
    moved = columns.join(Submission, col(Submission.letter_id) == LetterRow.id).where(*of_seat, since, counted)
    cancelled = columns.join(Submission, col(Submission.cancelled_by) == LetterRow.id).where(*of_seat, since)
    work.write_rows()
    places = [*work.session.exec(moved), *work.session.exec(cancelled)]
    return any(tuple(place) > (arrived.arrived_at, arrived.uid) for place in places)


def _last_skip(work: Transaction, table: OpenGame, seat: Seat) -> tuple[int, datetime, str, int] | None:
    """Turn, end and deadlines of the step in which the seat was skipped last, and whether it was rolled back since."""
    if seat.missed_step < 0:
        return None
    work.write_rows()
    columns = select(StepRecord.turn, StepRecord.took_until, StepRecord.deadlines, StepRecord.rolled_back)
    return work.session.exec(columns.where(StepRecord.game_id == table.id, StepRecord.step == seat.missed_step)).first()

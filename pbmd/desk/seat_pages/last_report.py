"""What the last report told a seat; its pages show the most important parts, made from the same facts as the report."""

import json
import logging

from sqlmodel import col, select

from pbmd.desk.books.carried_out import START
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.seat_pages.seat_state import seat_of
from pbmd.desk.step.reporting.present import present_of
from pbmd.ledger.entries.rows import last_turn_entry
from pbmd.ledger.tables import Report, Seat, StepRecord, called, step_words
from pbmd.notes.four_words import four_words
from pbmd.post.tags import SeatNumber
from pbmd.rendering.render import stand_of, you_of
from pbmd.rendering.seat_now import SeatTold
from pbmd.rules.protocol import event_of, seat_reader
from pbmd.rules.troubles import place_of, read_position

_log = logging.getLogger("pbmd.pages")


def seat_told(desk: Desk, of: SeatNumber) -> SeatTold:
    """Nothing before the game begins. Raises `BrokenGame` for a game that cannot go on."""
    with Transaction(desk, reads=True) as work:
        table, seat = seat_of(work, of)
        if table.position is None:
            return SeatTold()
        steps = _reported(work, table, seat)
        last = steps[-1] if steps else None
        position = read_position(table.game.name, table.ruleset, last.after) if last else table.position
        events = tuple(event_of(each) for step in steps for each in json.loads(step.events))
        try:
            view = table.ruleset.view(position, events, seat_reader(seat.name))
            present = present_of(work, table, seat)
        except Exception as trouble:
            # A bug in the rules: the rest of the page works, and the error's text may be about the position.
            _log.error("the page of a seat in %s cannot say what happened: %s", table.game.name, place_of(trouble))
            return SeatTold()
        entry = last_turn_entry(work.session, table.id)
        return SeatTold(
            step=called(step_words(last.turn, last.name)) if last else "",
            you=you_of(view),
            missed=any(step.step == seat.missed_step for step in steps),
            stand=stand_of(present.view if present else view),
            now=present.text.strip("\n") if present else "",
            words=four_words(entry.hash) if entry else "",
        )


def _reported(work: Transaction, table: OpenGame, seat: Seat) -> list[StepRecord]:
    """The steps that the last report of the seat is about: those since the one before it."""
    taken_back = select(StepRecord.step).where(StepRecord.game_id == table.id, StepRecord.rolled_back != 0)
    mine = select(Report.step).where(Report.game_id == table.id, Report.reader == f"seat:{seat.number}")
    mine = mine.where(col(Report.step).not_in(taken_back)).order_by(col(Report.step).desc()).limit(2)
    last, before, *_ = (*work.session.exec(mine), START, START)
    steps = select(StepRecord).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    steps = steps.where(StepRecord.step > before, StepRecord.step <= last).order_by(col(StepRecord.step))
    return list(work.session.exec(steps))

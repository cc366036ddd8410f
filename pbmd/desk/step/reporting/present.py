"""The present of a game in the middle of a step, as a seat may know it.

Where letters take effect at once, the last report does not say how things are. The present is the seat's view of the position
as it is, without events; there is one only as long as it reads otherwise than the same view did when the last report was made.
"""

from typing import NamedTuple

from sqlmodel import col, select

from pbmd.desk.books.carried_out import START
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import GameStatus, Report, Seat, StepRecord
from pbmd.rendering.render import parted, text_parts
from pbmd.rules.protocol import View, seat_reader
from pbmd.rules.troubles import read_position

_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


class Present(NamedTuple):
    """What a seat may know now: the view, how it reads, and the order form, empty if nothing is to be ordered."""

    view: View
    text: str
    form: str


def present_of(work: Transaction, table: OpenGame, seat: Seat) -> Present | None:
    """How things are for a seat, if that is no longer what its last report said."""
    rules = table.ruleset
    if rules.tell is None or table.game.status not in _UNDER_WAY:
        return None
    view = rules.view(table.position, (), seat_reader(seat.name))
    text = text_parts(rules, view).rest
    if text == _reported(work, table, seat):
        return None
    return Present(view, text, rules.order_form(table.position, seat.name) if seat.name in table.with_part else "")


def _reported(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """How the same view read when the last report was made. That of the beginning has no events: it is as it was sent."""
    work.write()
    stands = select(StepRecord.after).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    after = work.session.exec(stands.order_by(col(StepRecord.step).desc()).limit(1)).first()
    if after is not None:
        then = read_position(table.game.name, table.ruleset, after)
        return text_parts(table.ruleset, table.ruleset.view(then, (), seat_reader(seat.name))).rest
    of_seat = Report.game_id == table.id, Report.reader == f"seat:{seat.number}", Report.step == START
    begun = work.session.exec(select(Report.text).where(*of_seat)).first()
    return parted(begun or "").rest

"""STANDBY: people who would take over a seat in a running game, and OFFER, which offers them one.

All who stand by are asked; the first YES that arrives gets the seat, and the others are told
(`pbmd.desk.questions.seat_offers`).
"""

from sqlmodel import col, delete, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.questions.seat_offers import on_list
from pbmd.desk.visitors.ask import Visit
from pbmd.desk.visitors.listing import is_public
from pbmd.ledger.tables import GameStatus, Visitor, VisitorKind
from pbmd.rules.protocol import Refused

MOST_STANDING_BY = 200
"""On one list; an offer is a mail to each."""
NO_SUCH_GAME = "there is no game of that name with a standby list of its own; STANDBY ALL is for all games"


def may_stand_by(table: OpenGame | None) -> OpenGame:
    """The game, if strangers may know about it. Raises `Refused`."""
    if table is None or not is_public(table):
        raise Refused(NO_SUCH_GAME)
    return table


def stand_by(work: Transaction, visit: Visit) -> str:
    """Put somebody who has confirmed it on the list of a game, or of all. Returns the sentence for the answer."""
    table = visit.table
    which = table.game.name if table else "all games"
    if table is not None and table.game.status is GameStatus.FINISHED:
        return f"{which} is over, so it has no standby list any more."
    theirs = [one for one in on_list(work, table.id if table else None) if one.game_id == (table.id if table else None)]
    if not any(one.address == visit.kept.address for one in theirs):
        if len(theirs) >= MOST_STANDING_BY:
            return f"The standby list of {which} is full. Try again later."
        row = Visitor(
            kind=VisitorKind.STANDBY,
            game_id=table.id if table else None,
            address=visit.kept.address,
            holder=visit.kept.holder,
            since=visit.kept.asked_for,
        )
        work.session.add(row)
        work.session.flush()
        work.log("standby", table, detail=f"letter {visit.letter_id}: one more for {which}")
    return (
        f"You are on the standby list of {which}. When a seat becomes free, we ask all on the list, and the first YES that "
        "arrives has it. STANDBY OFF takes you off again."
    )


def stand_down(work: Transaction, address: str) -> str:
    """Take an address off all standby lists. Returns the sentence for the answer, which is the same if it was on none."""
    theirs = (col(Visitor.address) == address, col(Visitor.kind) == VisitorKind.STANDBY)
    if work.session.exec(select(Visitor.id).where(*theirs)).first() is not None:
        work.session.exec(delete(Visitor).where(*theirs))
        work.log("standby", detail="one less")
    return "This address is on no standby list any more. STANDBY ALL puts it on again."

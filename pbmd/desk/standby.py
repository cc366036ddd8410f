"""STANDBY: people who would take over a seat in a running game, and OFFER, which offers them one.

All who stand by are asked; the first YES that arrives has the seat, and the others are told (`pbmd.desk.offers`).
"""

from sqlmodel import col, delete, or_, select

from pbmd.desk.confirm import ask
from pbmd.desk.listing import is_public
from pbmd.desk.offers import asked_besides, tell_holder
from pbmd.desk.seats import holds_another, must_be_free, must_have_begun
from pbmd.desk.visitors import Visit
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import GameStatus, Seat, SeatState, Visitor, VisitorKind
from pbmd.rules.protocol import Refused

MOST_STANDING_BY = 200
"""On one list; an offer is a mail to each."""
NO_SUCH_GAME = "no game of that name has a standby list of its own; STANDBY ALL is for all games"


def may_stand_by(table: Table | None) -> Table:
    """The game, if strangers may know of it. Raises `Refused`."""
    if table is None or not is_public(table):
        raise Refused(NO_SUCH_GAME)
    return table


def stand_by(work: Work, visit: Visit) -> str:
    """Put somebody who has confirmed it on the list of a game, or of all. Gives the sentence for the answer."""
    table = visit.table
    which = table.game.name if table else "all games"
    if table is not None and table.game.status is GameStatus.FINISHED:
        return f"{which} is over, so it has no standby list any more."
    theirs = [one for one in on_list(work, table.id if table else None) if one.game_id == (table.id if table else None)]
    if not any(one.address == visit.address for one in theirs):
        if len(theirs) >= MOST_STANDING_BY:
            return f"The standby list of {which} is full. Try again later."
        row = Visitor(
            kind=VisitorKind.STANDBY,
            game_id=table.id if table else None,
            address=visit.address,
            holder=visit.payload["holder"],
            since=visit.asked_for_at,
        )
        work.session.add(row)
        work.session.flush()
        work.log("standby", table, detail=f"letter {visit.letter_id}: one more for {which}")
    return (
        f"You are on the standby list of {which}. When a seat is to be had, all on the list are asked, and the first YES that "
        "arrives has it. STANDBY OFF takes you off again."
    )


def stand_down(work: Work, address: str) -> str:
    """Take an address off all standby lists. Gives the sentence for the answer, which is the same if it was on none."""
    theirs = (col(Visitor.address) == address, col(Visitor.kind) == VisitorKind.STANDBY)
    if work.session.exec(select(Visitor.id).where(*theirs)).first() is not None:
        work.session.exec(delete(Visitor).where(*theirs))
        work.log("standby", detail="one less")
    return "This address is on no standby list any more. STANDBY ALL puts it on again."


def standing_by(work: Work, table: Table) -> list[Visitor]:
    """Who is on the list of a game or on that of all games, once each, whose STANDBY arrived first comes first."""
    by_address = {one.address: one for one in reversed(on_list(work, table.id, None))}
    return list(reversed(by_address.values()))


def offer_seat(work: Work, table: Table, name: str) -> int:
    """Offer a seat to all who stand by for the game, tell whoever plays it, and give the number of those asked. Until the first
    says yes the seat stays as it is. Raises `Refused` if the seat cannot change hands or nobody stands by."""
    seat = table.seat(name)
    asked = would_be_asked(work, table, seat)
    for one in asked:
        ask(work, table, seat, "take-over", None, address=one.address, payload={"holder": one.holder, "timezone": "UTC"})
    work.log("offered", table, seat.name, f"to the standby list, {len(asked)} asked")
    tell_holder(work, table, seat)
    return len(asked)


def would_be_asked(work: Work, table: Table, seat: Seat) -> list[Visitor]:
    """Who stands by and can be offered the seat: not who was offered it already and has not answered yet, nor who plays in the
    game. Raises `Refused` if there is nobody, or the seat cannot change hands."""
    must_have_begun(table)
    if table.ruleset.take_over is not None:
        table.ruleset.take_over(table.position, seat.name, "")  # only to see whether it can be
    open_ones = asked_besides(work, seat)
    others: list[Visitor] = []
    for one in standing_by(work, table):
        if one.address in open_ones or (seat.address == one.address and seat.state is SeatState.ACTIVE):
            continue
        if holds_another(table, seat, one.address):
            continue
        must_be_free(work, table, seat, one.address)
        others.append(one)
    if not others:
        raise Refused(f"nobody stands by for {table.game.name}" + (" who was not asked already" if open_ones else ""))
    return others


def on_list(work: Work, *games: int | None) -> list[Visitor]:
    work.write()
    which = or_(*(col(Visitor.game_id).is_(None) if game is None else col(Visitor.game_id) == game for game in games))
    rows = select(Visitor).where(Visitor.kind == VisitorKind.STANDBY, which).order_by(col(Visitor.since), col(Visitor.id))
    return list(work.session.exec(rows))

"""WATCH: observers, who get the public report of a game and nothing else.

What they get is the report that is built for the public (`view` with the reader "public"); no press of players, no token, no
order form. Where the terms say so they can write to each other (`pbmd.desk.visitors.spectators`).
"""

from sqlmodel import select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.step.reporting.watchers import end_watching, send_last, watchers
from pbmd.desk.visitors.ask import Visit
from pbmd.desk.visitors.listing import is_public
from pbmd.ledger.tables import Game, Visitor, VisitorKind
from pbmd.rules.protocol import Refused

MOST_WATCHING = 200
"""For one game; each report is a mail to each."""
NO_SUCH_GAME = "there is no game of that name to watch"


def may_watch(table: OpenGame | None) -> OpenGame:
    """The game, if anybody may watch it. Raises `Refused`, in the same words whether there is no such game or it is not
    listed."""
    if table is None or not is_public(table) or not table.terms.listed:
        raise Refused(NO_SUCH_GAME)
    return table


def watch(work: Transaction, visit: Visit) -> str:
    """Somebody who has confirmed it watches a game from now on. Returns the sentence for the answer."""
    try:
        table = may_watch(visit.table)
    except Refused as refusal:
        return f"Nothing was done: {refusal} any more."
    watching = watchers(work, table)
    if visit.kept.address not in watching:
        if len(watching) >= MOST_WATCHING:
            return f"{table.game.name} has as many observers as it can have. Try again later."
        row = Visitor(
            kind=VisitorKind.WATCH,
            game_id=table.id,
            address=visit.kept.address,
            holder=visit.kept.holder,
            since=visit.kept.asked_for,
        )
        work.session.add(row)
        work.session.flush()
        work.log("watch", table, detail=f"letter {visit.letter_id}: one observer more")
        send_last(work, table, visit.kept.address, visit.letter_id)
    room = " Those who watch write to each other there; the reports tell how." if table.terms.spectators else ""
    return f"You get the public reports of {table.game.name} from now on. UNWATCH {table.game.name} ends it.{room}"


def unwatch(work: Transaction, name: str, address: str) -> str:
    """An address gets no more reports of a game. Returns the sentence for the answer, the same if it got none, and whatever
    games there are."""
    game = work.session.exec(select(Game.id).where(Game.name == name.lower())).first()
    if game is not None and address in watchers(work, work.table(game)):
        end_watching(work, work.table(game), address, "UNWATCH")
    return "No more reports of that game come to this address. WATCH brings them again."

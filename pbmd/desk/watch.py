"""WATCH: observers, who get the public report of a game and nothing else.

What they get is the report that is built for the public (`view` with the reader "public"); no press, no token, no order form.
"""

from sqlalchemy import bindparam
from sqlmodel import col, delete, select

from pbmd.desk.listing import is_public
from pbmd.desk.mails import Draft, mail_to, render, subject
from pbmd.desk.tick import Tick
from pbmd.desk.visitors import Visit
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, Report, Visitor, VisitorKind
from pbmd.post.compose import mailto
from pbmd.rules.protocol import Outcome, Refused

MOST_WATCHING = 200
"""Of one game; each report is a mail to each."""
NO_SUCH_GAME = "no game of that name can be watched"


def may_watch(table: Table | None) -> Table:
    """The game, if anybody may watch it. Raises `Refused`, in the same words for no game and for one that is not listed."""
    if table is None or not is_public(table) or not table.terms.listed:
        raise Refused(NO_SUCH_GAME)
    return table


def watch(work: Work, visit: Visit) -> str:
    """Somebody who has confirmed it watches a game from now on. Gives the sentence for the answer."""
    try:
        table = may_watch(visit.table)
    except Refused as refusal:
        return f"Nothing was done: {refusal} any more."
    watching = watchers(work, table)
    if visit.address not in watching:
        if len(watching) >= MOST_WATCHING:
            return f"{table.game.name} has as many observers as it can have. Try again later."
        row = Visitor(
            kind=VisitorKind.WATCH,
            game_id=table.id,
            address=visit.address,
            holder=visit.payload["holder"],
            since=visit.asked_for_at,
        )
        work.session.add(row)
        work.session.flush()
        work.log("watch", table, detail=f"letter {visit.letter_id}: one observer more")
        send_last(work, table, visit.address, visit.letter_id)
    return f"You get the public reports of {table.game.name} from now on. UNWATCH {table.game.name} ends it."


def unwatch(work: Work, name: str, address: str) -> str:
    """An address gets no more reports of a game. Gives the sentence for the answer, the same if it got none, and whatever
    games there are."""
    game = work.session.exec(select(Game.id).where(Game.name == name.lower())).first()
    if game is not None and address in watchers(work, work.table(game)):
        end_watching(work, work.table(game), address, "UNWATCH")
    return "No more reports of that game come to this address. WATCH brings them again."


_WATCHERS = (
    select(Visitor.address)
    .where(Visitor.kind == VisitorKind.WATCH, Visitor.game_id == bindparam("game"))
    .order_by(col(Visitor.id))
)


def watchers(work: Work, table: Table) -> list[str]:
    """The addresses that get the public reports."""
    # Whoever begins or ends watching flushes, so that nothing else need be written before.
    return list(work.session.connection().execute(_WATCHERS, {"game": table.id}).scalars())


def end_watching(work: Work, table: Table, address: str, why: str) -> None:
    """Send an address no more reports of a game."""
    theirs = (col(Visitor.kind) == VisitorKind.WATCH, col(Visitor.game_id) == table.id, col(Visitor.address) == address)
    work.session.exec(delete(Visitor).where(*theirs))
    work.log("watch", table, detail=f"one observer less: {why}")


def leave_by_bounce(work: Work, address: str) -> None:
    """Mail to this address comes back: it watches nothing any more and stands by for nothing."""
    work.write()
    rows = work.session.exec(select(Visitor).where(Visitor.address == address)).all()
    for row in rows:
        table = work.table(row.game_id) if row.game_id else None
        work.log(row.kind.value, table, detail="one less: mail comes back")
        work.session.delete(row)
    work.session.flush()


def send_public(work: Work, table: Table, tick: Tick, text: str) -> None:
    """Mail the public report to those who watch."""
    for address in watchers(work, table):
        # A step that was rolled back is reported again.
        key = f"report {table.id} {tick.step} public {table.game.chain_number} {address}"
        _send(work, table, address, key, tick.turn, text, outcome=tick.outcome, first=tick.step < 0)


def tell_watchers(work: Work, table: Table, key: str, headline: str, text: str) -> None:
    """A notice to those who watch a game. It must say nothing that not everybody may know."""
    leave = _leave(work, table)
    for place, address in enumerate(watchers(work, table)):
        body = render("watchers_notice.txt", {"game": table.game, "text": text})
        draft = Draft("notice", f"{key} watch {place}", subject(table, headline), body, owed=True)
        mail_to(work, address, draft, table, unsubscribe=leave)


def _leave(work: Work, table: Table) -> str:
    return mailto(work.desk.settings.server.address, f"UNWATCH {table.game.name}", f"UNWATCH {table.game.name}")


def send_last(work: Work, table: Table, address: str, letter_id: int) -> None:
    """The last public report at once, so that an observer sees something. They asked for it by the letter `letter_id`."""
    kept = select(Report).where(Report.game_id == table.id, Report.reader == "public").order_by(col(Report.step).desc())
    last = work.session.exec(kept.limit(1)).first()
    if last is not None:
        key = f"report {table.id} {last.step} public letter {letter_id}"
        _send(work, table, address, key, last.turn, last.text, first=last.step < 0)


def _send(
    work: Work,
    table: Table,
    address: str,
    key: str,
    turn: int,
    text: str,
    *,
    outcome: Outcome | None = None,
    first: bool,
) -> None:
    values = {
        "game": table.game,
        "title": table.ruleset.info.title,
        "turn": turn,
        "first": first,
        "outcome": outcome,
        "body": text,
    }
    words = "the game begins" if first else f"public report of turn {turn}" + (": the game is over" if outcome else "")
    draft = Draft("report", key, subject(table, words), render("public_report.txt", values))
    mail_to(work, address, draft, table, unsubscribe=_leave(work, table))

"""LIST: the games that anybody may know of. It is the same for whoever asks."""

from collections.abc import Callable

from sqlmodel import and_, col, or_, select

from pbmd.desk.books.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.troubles import BrokenGame

MOST_LISTED = 50
_NOTHING = "No game takes sign-ups now, and none can be watched."


def listing(work: Work) -> str:
    """The games that take sign-ups, and those that run and are listed by their terms."""
    work.write()
    # Of many games that run few may be listed; only those are put on the desk.
    begun = and_(col(Game.status).in_((GameStatus.RUNNING, GameStatus.PAUSED)), col(Game.terms).contains('"listed":true'))
    games = select(Game.id).where(or_(col(Game.status) == GameStatus.SIGNUP, begun)).order_by(col(Game.name))
    tables = [work.table(game_id or 0) for game_id in work.session.exec(games.limit(MOST_LISTED))]
    shown = [table for table in tables if is_public(table)]
    signup = [_words(table, _open_game) for table in shown if table.game.status is GameStatus.SIGNUP]
    watched = [_words(table, _running_game) for table in shown if table.game.status is not GameStatus.SIGNUP]
    parts = [("These games take sign-ups:", signup), ("These run, and can be watched:", watched)]
    return "\n\n".join("\n".join([title, *lines]) for title, lines in parts if lines) or _NOTHING


def is_public(table: Table) -> bool:
    """Whether anybody may know that there is this game: one that takes sign-ups by mail is announced, another only if its
    terms say so."""
    return table.game.status is GameStatus.SIGNUP or (table.terms.listed and table.game.status is not GameStatus.FINISHED)


def _words(table: Table, told: Callable[[Table], str]) -> str:
    """A game as it is told of; of one whose ruleset cannot be used, no more than that it is there."""
    try:
        return told(table)
    except BrokenGame:
        return f"  {table.game.name}: this game cannot be shown just now; the game master has to mend it"


def _open_game(table: Table) -> str:
    info, most = table.ruleset.info, table.terms.seats or table.ruleset.info.max_seats
    taken = f"{len(table.seats)} of {most} seats taken" if most else f"seats taken: {len(table.seats)}"
    starts = "when all are" if table.terms.seats else "when the game master says so"
    lines = [
        f"  {table.game.name}: {info.title}, {taken}; it begins {starts}",
        f"    deadlines: {table.terms.deadline}",
        *([f"    options: {table.changed_options}"] if table.changed_options else []),
        f"    to play: JOIN {table.game.name} AS <name of your {info.seat_word}>",
    ]
    return "\n".join(lines)


def _running_game(table: Table) -> str:
    name = table.game.name
    shown = f"  {name}: {table.ruleset.info.title}, {table.game.step_words}"
    return f"{shown}\n    to watch it: WATCH {name}; for a seat: STANDBY {name}"

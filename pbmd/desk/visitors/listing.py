"""LIST: the games that anybody may know about. It is the same for everybody."""

import textwrap
from collections.abc import Callable

from sqlmodel import and_, col, or_, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.openings.series import is_open, opening_words
from pbmd.desk.deadlines.forecast import holders_words, limit_words
from pbmd.desk.deadlines.pace_text import deadlines_in_short
from pbmd.desk.visitors.code_shown import OUR_WORDS
from pbmd.desk.visitors.signup_form import form_of, has_no_room, most_seats, to_copy
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.troubles import BrokenGame
from pbmd.terms.seating import seating_words

MOST_LISTED = 50
_MOST_FORMS = 6
"""With more games, only a JOIN without a name gets the form of its game."""
_HOW = f"""\
To play, reply to this mail with the lines for one game, changed as you
like. Those that begin with # {OUR_WORDS}."""
_WIDTH = 70
_NOTHING = "No game takes sign-ups now, and none can be watched."


def public_games(work: Transaction) -> list[OpenGame]:
    """The games that anybody may know about, by name."""
    work.write()
    # Of many running games few may be listed; only those are loaded.
    begun = and_(col(Game.status).in_((GameStatus.RUNNING, GameStatus.PAUSED)), col(Game.terms).contains('"listed":true'))
    games = select(Game.id).where(or_(col(Game.status) == GameStatus.SIGNUP, begun)).order_by(col(Game.name))
    tables = [work.table(game_id or 0) for game_id in work.session.exec(games.limit(MOST_LISTED))]
    return [table for table in tables if is_public(table)]


def listing(work: Transaction) -> str:
    """The games that take sign-ups, with what to send, and the running ones that are listed by their terms."""
    shown = public_games(work)
    open_, later = _taking_sign_ups(work, shown)
    signup = [_words(table, _open_game) for table in open_]
    forms = [_words(table, _form) for table in open_ if not has_no_room(table)][:_MOST_FORMS]
    watched = [_words(table, _running_game) for table in shown if table.game.status is not GameStatus.SIGNUP]
    parts = [
        ("These games take sign-ups:", signup),
        ("Later:", [_later(work, table) for table in later]),
        ("These run, and can be watched:", watched),
    ]
    told = ["\n".join([title, *lines]) for title, lines in parts if lines]
    return "\n\n".join([*told, *([_HOW] if forms else []), *forms]) or _NOTHING


def _taking_sign_ups(work: Transaction, shown: list[OpenGame]) -> tuple[list[OpenGame], list[OpenGame]]:
    """The games that take sign-ups now, and those that will."""
    announced = [table for table in shown if table.game.status is GameStatus.SIGNUP]
    open_ = [table for table in announced if is_open(work, table)]
    return open_, [table for table in announced if table not in open_]


def _later(work: Transaction, table: OpenGame) -> str:
    words = f"{table.game.name} {opening_words(work, table)}"
    return textwrap.fill(words, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def is_public(table: OpenGame) -> bool:
    """Whether anybody may know that this game exists: one that takes sign-ups by mail is announced, another only if its terms
    say so."""
    return table.game.status is GameStatus.SIGNUP or (table.terms.listed and table.game.status is not GameStatus.FINISHED)


def _words(table: OpenGame, told: Callable[[OpenGame], str]) -> str:
    """The description of a game; if its ruleset cannot be used, only that it exists."""
    try:
        return told(table)
    except BrokenGame:
        return f"  {table.game.name}: this game cannot be shown just now; the game master has to mend it"


def _open_game(table: OpenGame) -> str:
    info, most = table.ruleset.info, most_seats(table)
    taken = f"{len(table.seats)} of {most} seats filled" if most else f"seats filled: {len(table.seats)}"
    starts = "when all are" if table.terms.seats else "when the game master says so"
    lines = [
        *textwrap.wrap(f"  {table.game.name}: {info.title}, {taken}; it begins {starts}", _WIDTH, subsequent_indent="    "),
        *textwrap.wrap(info.summary, _WIDTH, initial_indent="    ", subsequent_indent="    "),
        f"    deadlines: {deadlines_in_short(table)}",
        *([f"    options: {table.changed_options}"] if table.changed_options else []),
        *textwrap.wrap(limit_words(table.terms), _WIDTH, initial_indent="    ", subsequent_indent="    "),
        *textwrap.wrap(holders_words(table.terms), _WIDTH, initial_indent="    ", subsequent_indent="    "),
        *textwrap.wrap(seating_words(table.terms, info.seat_word), _WIDTH, initial_indent="    ", subsequent_indent="    "),
        f"    for a seat that is given up: STANDBY {table.game.name}"
        if has_no_room(table)
        else f"    to play: JOIN {table.game.name}",
    ]
    return "\n".join(lines)


def _form(table: OpenGame) -> str:
    return to_copy(table, form_of(table))


def _running_game(table: OpenGame) -> str:
    name = table.game.name
    shown = f"  {name}: {table.ruleset.info.title}, {table.game.step_called}"
    return f"{shown}\n    to watch it: WATCH {name}; for a seat: STANDBY {name}"

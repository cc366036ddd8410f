"""Games that open themselves: when a standing game is full and begins, the next one with the same set-up takes sign-ups.

It is created in the transaction in which the one before begins, from the same set-up, so that nothing can come between. The
game that takes sign-ups has the mark (`Game.standing`); nothing else needs to be remembered.
"""

import json
import re
from collections.abc import Iterator

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.changes.new_game import create_game, must_look_like_no_other, start_game
from pbmd.desk.changes.openings.series import next_opening, opening_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.options import OptionError
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import UnknownRuleset

_NUMBERED = re.compile(r"(?P<base>.+?)-(?P<number>\d{1,6})")
_MOST_TRIES = 100
"""How many names are tried that may be another game's, or look like it."""


def first_name(name: str) -> str:
    """The name of the first of the games that open themselves: with a number."""
    return name if _NUMBERED.fullmatch(name) else f"{name}-1"


def stand(work: Transaction, table: OpenGame) -> None:
    """Let the next game take sign-ups when this one is full. Raises `Refused`."""
    if table.game.status is not GameStatus.SIGNUP:
        raise Refused(f"{table.game.name} takes no sign-ups any more")
    if not table.terms.seats:
        raise Refused(f"{table.game.name} is never full, since it begins when you say so; make one with a number of seats")
    table.game.standing, table.game.series = True, table.game.series or table.id
    work.log("standing", table, detail="when it is full, the next game takes sign-ups")


def stand_no_more(work: Transaction, table: OpenGame) -> None:
    """Let no other game follow this one. Raises `Refused`, with the name of the game that has replaced it."""
    if not table.game.standing:
        open_now = [name for name in _standing(work) if _base(name) == _base(table.game.name)]
        where = f"; {open_now[0]} does, so say it of that" if open_now else ""
        raise Refused(f"{table.game.name} opens no other game{where}")
    table.game.standing = False
    work.log("standing", table, detail="no game follows it")


def begin(work: Transaction, table: OpenGame, reason: str = "") -> OpenGame | None:
    """Start a game, and tell everybody the `reason` if there is one; if it is a standing game, the next takes sign-ups, and the
    game master gets a mail. Returns the next, if there is one. Raises `Refused` if it cannot begin."""
    start_game(work, table, reason)
    if not table.game.standing:
        return None
    work.must_be_alone()
    table.game.standing = False
    try:
        following = _made(work, table)
    except (Refused, OptionError, UnknownRuleset) as problem:
        _tell_of_no_other(work, table, str(problem))
        return None
    work.log("standing", following, detail=f"{table.game.name} is full; it {opening_words(work, following)}")
    send_gm_token(work, following, f"gm-mail {following.id}", follows=table.game.name)
    return following


def _made(work: Transaction, table: OpenGame) -> OpenGame:
    """The next game. Raises `Refused`, `OptionError` and `UnknownRuleset`."""
    # A standing game from before there were series is the first of one.
    series = table.game.series = table.game.series or table.id
    opens_at = next_opening(work, series)
    for name in _names_after(table.game.name):
        try:
            must_look_like_no_other(work, name)
        except Refused:
            continue
        if work.session.exec(select(Game.id).where(Game.name == name)).first() is None:
            made = create_game(work, name, table.game.ruleset, table.terms, json.loads(table.game.options))
            made.game.standing, made.game.series, made.game.opens_at = True, series, opens_at
            return made
    raise Refused(f"no name for it is free after {table.game.name}")


def _names_after(name: str) -> Iterator[str]:
    found = _NUMBERED.fullmatch(name)
    number = int(found["number"]) if found else 1
    yield from (f"{_base(name)}-{number + more}" for more in range(1, _MOST_TRIES + 1))


def _base(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return found["base"] if found else name


def _standing(work: Transaction) -> list[str]:
    work.write()
    open_now = select(Game.name).where(col(Game.status) == GameStatus.SIGNUP, col(Game.standing).is_(True))
    return list(work.session.exec(open_now.order_by(col(Game.name))))


def _tell_of_no_other(work: Transaction, table: OpenGame, problem: str) -> None:
    work.log("standing", table, detail=f"no game follows it: {problem}")
    sentence = f"{table.game.name} is full and has begun, but the next game could not be made: {problem}."
    text = render("gm_answer.txt", {"game": table.game, "sentences": [sentence], "sections": []})
    tell_gm(work, Draft("alarm", f"standing {table.id}", subject(table, "no game follows it"), text), table)

"""A series of games that open themselves: how soon they follow each other, and in how many of them an address may play at once.

Otherwise two strangers could fill one after the other, without end. The limits are settings; people who hit them get one mail
that says when and how to go on.
"""

from datetime import datetime

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.desk.mail.rate_limits import DAY, HOUR
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.post.addresses import folded
from pbmd.rules.protocol import Refused
from pbmd.rules.words import counted, listing
from pbmd.terms.times import describe_time

_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


def open_games(work: Transaction) -> frozenset[str]:
    """The names of the games that take sign-ups."""
    return frozenset(work.session.exec(select(Game.name).where(col(Game.status) == GameStatus.SIGNUP)))


class OverLimit(Refused):
    """A limit of a series stands against a sign-up, whatever else it says; the message says when and how to go on."""


def next_opening(work: Transaction, series: int) -> datetime | None:
    """From when on the next game of a series takes sign-ups; None if at once."""
    limits = work.desk.settings.limits
    work.write()
    most = max(limits.series_openings_per_hour, limits.series_openings_per_day)
    newest = select(Game.created_at, Game.opens_at).where(Game.series == series).order_by(col(Game.id).desc()).limit(most)
    opened = [opens_at or created_at for created_at, opens_at in work.session.exec(newest)]
    # None opens later than in a day but by a clock that was ahead.
    opened = [at for at in opened if at <= work.now + DAY]
    spans = ((limits.series_openings_per_hour, HOUR), (limits.series_openings_per_day, DAY))
    free = max((opened[many - 1] + span for many, span in spans if len(opened) >= many), default=work.now)
    return free if free > work.now else None


def must_be_open(work: Transaction, table: OpenGame) -> None:
    """Raises `OverLimit` while a game takes no sign-ups because others of its series have just opened."""
    if not is_open(work, table):
        raise OverLimit(f"{table.game.name} {opening_words(work, table)}; send JOIN again then")


def is_open(work: Transaction, table: OpenGame) -> bool:
    """Whether a game has begun to take sign-ups."""
    return table.game.opens_at is None or table.game.opens_at <= work.as_of


def opening_words(work: Transaction, table: OpenGame) -> str:
    """From when on a game takes sign-ups, for a sentence that begins with its name."""
    if table.game.opens_at is None or is_open(work, table):
        return "takes sign-ups now"
    return f"takes sign-ups from {describe_time(table.game.opens_at)} on, as others of its series have just opened"


def must_play_in_few(work: Transaction, table: OpenGame, address: str) -> None:
    """Raises `OverLimit` if somebody plays in as many games of the series as one address may; the game master gets one mail for
    each game."""
    most, held = work.desk.settings.limits.series_games_per_address, _held(work, table, address)
    if len(held) < most:
        return
    games = listing(game for _, game in held)
    _tell_gm(work, table, held)
    raise OverLimit(
        f"you play in {games}, and in {counted(most, 'game')} of a series at once at most; when one of them is over, or you "
        f"have given up your seat there (RESIGN in reply to a mail of it), send JOIN {table.game.name} again, or what LIST "
        "names then"
    )


def _held(work: Transaction, table: OpenGame, address: str) -> list[tuple[str, str]]:
    """The seats of an address in the games of a series that are under way, each with its game."""
    if table.game.series is None:
        return []
    work.write()
    theirs = (Seat.address == folded(address), Seat.state == SeatState.ACTIVE)
    found = (
        select(Seat.name, Game.name)
        .join(Game)
        .where(*theirs, Game.series == table.game.series, col(Game.status).in_(_UNDER_WAY))
        .order_by(col(Game.id))
    )
    return list({game: (seat, game) for seat, game in work.session.exec(found)}.values())


def _tell_gm(work: Transaction, table: OpenGame, held: list[tuple[str, str]]) -> None:
    key = f"series {table.id}"
    if is_queued(work, key):
        return
    many = counted(len(held), "game")
    seats = listing(f"{seat} of {game}" for seat, game in held)
    sentence = (
        f"Whoever plays {seats} has asked for a seat in {table.game.name}, too, and has got none: an address may play in "
        f"{many} of a series at once (series_games_per_address, in the settings under limits). They were "
        "told so. If others are stopped by it before somebody begins this game, no mail tells you of them."
    )
    work.log("standing", table, detail=f"a sign-up was refused: its address plays in {many} of the series")
    text = render("gm_answer.txt", {"game": table.game, "sentences": [sentence], "sections": []})
    tell_gm(work, Draft("alarm", key, subject(table, "a sign-up over the limit"), text), table)

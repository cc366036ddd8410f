"""Whose letter is it? A seat is acted for only by who shows its token and writes from its address.

Where the game's terms say ``trust = "open"``, the address alone is enough. Anything else changes nothing and is answered
by nothing: a wrong token, an unknown game and an unknown player look the same from outside.
"""

import re
from dataclasses import dataclass

from sqlmodel import select

from pbmd.desk.mails import seat_tag
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.post.letter import Letter
from pbmd.post.tags import Tag, tags_of, token_matches

_SUBJECT = re.compile(r"\[pbmd (?P<game>\S{1,60})(?: t(?P<turn>\d{1,6}))?\]", re.IGNORECASE)


@dataclass(frozen=True)
class Sender:
    """The seat that a letter acts for."""

    table: Table
    seat: Seat


def subject_turn(letter: Letter) -> tuple[str, int] | None:
    """Game and turn of the mail that this letter answers, as its subject has them."""
    found = _SUBJECT.search(letter.subject)
    return (found["game"].lower(), int(found["turn"])) if found and found["turn"] else None


def identify(work: Work, letter: Letter) -> Sender | str:
    """The seat, or the reason for the log why this letter is nobody's."""
    if not letter.sender:
        return "no single sender"
    tags = tags_of(letter, work.desk.settings.server.address)
    for tag in tags:
        sender = _by_token(work, tag)
        if sender is not None:
            return sender if _same(sender.seat.address, letter.sender) else "the token of a seat, but another sender's address"
    return _by_address(work, letter) or ("no token that is valid" if tags else "no token")


def _by_token(work: Work, tag: Tag) -> Sender | None:
    try:
        table = work.table(tag.game)
    except LookupError:
        return None
    seat = next((seat for seat in table.seats if seat.number == tag.seat), None)
    if seat is None or seat.state is not SeatState.ACTIVE or not token_matches(seat_tag(work, seat).token, tag.token):
        return None
    return Sender(table, seat)


def _by_address(work: Work, letter: Letter) -> Sender | None:
    """Only in games that trust addresses: the game named in the subject, or the only one the sender plays in."""
    statement = (
        select(Seat, Game)
        .join(Game)
        .where(Seat.address == letter.sender, Seat.state == SeatState.ACTIVE, Game.status != GameStatus.FINISHED)
    )
    named = _SUBJECT.search(letter.subject)
    found = [(seat, game) for seat, game in work.session.exec(statement) if named is None or game.name == named["game"].lower()]
    open_games = [(seat, table) for seat, game in found if (table := work.table(game.id or 0)).terms.trust == "open"]
    if len(open_games) != 1:
        return None
    seat, table = open_games[0]
    return Sender(table, table.seat(seat.name))


def _same(address: str, sender: str) -> bool:
    return address.casefold() == sender.casefold()

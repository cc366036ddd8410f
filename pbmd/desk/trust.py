"""Whose letter is it? A seat is acted for only by who shows its token and writes from its address.

Where the game's terms say ``trust = "open"``, the address alone is enough. Anything else changes nothing and is answered
by nothing: a wrong token, an unknown game and an unknown player look the same from outside.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import select

from pbmd.desk.mails import seat_tag
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.post.letter import Letter
from pbmd.post.tags import Tag, read_tag, tags_of, token_matches

_SUBJECT = re.compile(r"\[pbmd (?P<game>\S{1,60})(?: t(?P<turn>\d{1,6}))?\]", re.IGNORECASE)


@dataclass(frozen=True)
class Sender:
    """The seat that a letter acts for. `by_address`: the letter shows no token, and the game's terms want none."""

    table: Table
    seat: Seat
    by_address: bool = False


def subject_turn(letter: Letter) -> tuple[str, int] | None:
    """Game and turn of the mail that this letter answers, as its subject has them."""
    found = _SUBJECT.search(letter.subject)
    return (found["game"].lower(), int(found["turn"])) if found and found["turn"] else None


def identify(work: Work, letter: Letter) -> Sender | str:
    """The seat, or the reason for the log why this letter is nobody's."""
    if not letter.sender:
        return "no single sender"
    tags = tags_of(letter, work.desk.settings.server.address)
    shown = [sender for tag in tags if (sender := _by_token(work, tag)) is not None]
    # A letter may quote the mails of others, and so a token of theirs besides its sender's own.
    own = next((sender for sender in shown if _same(sender.seat.address, letter.sender)), None)
    if own is not None:
        return own
    reason = "no token that is valid" if tags else "no token"
    return _by_address(work, letter) or ("the token of a seat, but another sender's address" if shown else reason)


def own_form(work: Work, sender: Sender) -> Callable[[str], bool]:
    """Tells the tag of this seat's order forms from all others, as `pbmd.post.letter.for_seat` wants to know it."""
    tag = seat_tag(work, sender.seat)

    def own(text: str) -> bool:
        given = read_tag(text)
        return given is not None and (given.game, given.seat) == (tag.game, tag.seat) and token_matches(tag.token, given.token)

    return own


def _by_token(work: Work, tag: Tag) -> Sender | None:
    # A game whose ruleset is missing must not be taken for no game, and its letters for nobody's.
    if work.session.get(Game, tag.game) is None:
        return None
    table = work.table(tag.game)
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
    return Sender(table, table.seat(seat.name), by_address=True)


def _same(address: str, sender: str) -> bool:
    return address.casefold() == sender.casefold()

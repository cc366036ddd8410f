"""Lanes: new letters that are certainly of one game are dealt with beside those of others, wherever there are hands.

What game a letter is of is found without opening it, and only where nothing in it points anywhere else: it shows tags of one
game alone, which goes on, in its header the right one of a seat that its sender holds, and no code of a question. All others
are of nobody yet; they are dealt with where all games are at hand, and what arrived after them waits until they were. So the
letters of each game are dealt with in order of arrival, as if all were dealt with one by one.
"""

import re
from collections.abc import Sequence
from email.utils import getaddresses
from itertools import takewhile

from sqlalchemy import bindparam, func, select, update
from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.letter.opened_letter import STORED, Stored
from pbmd.desk.mail.tags import seat_tag
from pbmd.ledger.tables import GameStatus, LetterState, SeatState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.post.addresses import folded
from pbmd.post.read.headers import Headers, read_headers
from pbmd.post.read.letter import Limits, read_letter
from pbmd.post.tags import SeatNumber, codes_in, seats_in, write_tag

AT_ONCE = 200
"""So many letters are given their lanes in one transaction."""
GIVEN_BACK = "has to do with more than one game"
"""The note of a new letter that was given back; it has no lane any more."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_UNROUTED = (
    STORED.add_columns(col(LetterRow.note))
    .where(col(LetterRow.state) == LetterState.NEW, col(LetterRow.game_id).is_(None))
    .order_by(col(LetterRow.arrived_at), col(LetterRow.uid), col(LetterRow.id))
    .limit(AT_ONCE)
)
_SHOWN_IN = (("to", "cc"), ("in-reply-to", "references"))
_WITH_LETTERS = (
    select(col(LetterRow.game_id))
    .where(col(LetterRow.state) == LetterState.NEW, col(LetterRow.game_id).is_not(None))
    .group_by(col(LetterRow.game_id))
    .order_by(func.min(LetterRow.arrived_at))
)
_SET = update(LetterRow).where(
    col(LetterRow.id) == bindparam("letter"), col(LetterRow.state) == LetterState.NEW, col(LetterRow.game_id).is_(None)
)


def assign_lanes(desk: Desk) -> set[int]:
    """Write down of what games the first letters are of which nobody knows it yet, up to the first of which it is not certain;
    gives the games."""
    with Transaction(desk, reads=True) as work:
        rows = work.session.connection().execute(_UNROUTED).all()
        letters = [Stored(*row[:-1]) for row in takewhile(lambda row: row.note != GIVEN_BACK, rows)]
        lanes = _lanes_of(work, letters)
    if lanes:
        with Transaction(desk, beside=True) as work:
            ledger = work.session.connection()
            ledger.execute(_SET, [{"letter": letter, "game_id": game} for letter, game in sorted(lanes.items())])
    return set(lanes.values())


def lanes_with_letters(desk: Desk) -> list[int]:
    """The games that new letters are known to be of, those first whose letters came first."""
    with Transaction(desk, reads=True) as work:
        return [game_id for game_id in work.session.connection().execute(_WITH_LETTERS).scalars() if game_id is not None]


def give_back(desk: Desk, letter_id: int) -> None:
    """A letter has to do with more than its game: it is dealt with where all games are at hand, unless that has been done."""
    with Transaction(desk, beside=True) as work:
        work.put_off(letter_id, GIVEN_BACK, None)


def _lanes_of(work: Transaction, letters: Sequence[Stored]) -> dict[int, int]:
    lanes = dict[int, int]()
    for stored in letters:
        game = lane_of(work, stored)
        if game is None:
            break
        lanes[stored.id] = game
    return lanes


def lane_of(work: Transaction, stored: Stored) -> int | None:
    """The id of the one game that a letter can be of; None where that is not certain."""
    if stored.truncated:
        return None
    limits = Limits(message_bytes=work.desk.settings.limits.letter_kilobytes * 1000)
    raw = stored.raw.replace(b"\r\n", b"\n")
    headers = read_headers(raw, limits)
    senders = [folded(address) for _, address in getaddresses(headers.all("from"))]
    shown = seats_in(raw[: headers.body]) | _seats_shown(raw, limits)
    if not headers.clean or len(senders) != 1 or len({each.game for each in shown}) != 1 or codes_in(raw):
        return None
    table = work.table_if_any(next(iter(shown)).game)
    return table.id if table is not None and _is_proven(work, table, senders[0], headers) else None


def _is_proven(work: Transaction, table: OpenGame, sender: str, headers: Headers) -> bool:
    """Whether a header from which tags are read shows that of a seat which its sender holds, in a game that goes on."""
    if table.game.status not in (GameStatus.RUNNING, GameStatus.PAUSED):
        return False
    recipients, answered = (" ".join(value for name in names for value in headers.all(name)).lower() for names in _SHOWN_IN)
    local, _, domain = folded(work.desk.settings.server.address).rpartition("@")
    tags = (
        write_tag(seat_tag(work, seat))
        for seat in table.seats
        if seat.state is SeatState.ACTIVE and folded(seat.address) == sender
    )
    return any(f"{local}+{tag}@{domain}" in recipients or _names(tag, domain, answered) for tag in tags)


def _names(tag: str, domain: str, answered: str) -> bool:
    return re.search(rf"<[a-z0-9-]+\.{re.escape(tag)}\.[a-z2-7]+@{re.escape(domain)}>", answered) is not None


def _seats_shown(raw: bytes, limits: Limits) -> frozenset[SeatNumber]:
    """The seats whose tags a letter shows anywhere. Only one that is encoded must be read for that, which takes longer than all
    else together."""
    if b"base64" not in raw.lower():
        return seats_in(raw)
    letter = read_letter(raw, limits)
    return seats_in("\n".join([*letter.form_tags, *(line.original for line in letter.lines)]).encode())

"""The room of those who watch a game, where its terms have one: what they write to each other, and who of the seats reads it.

By themselves no seats read or write there; the rules of a game may let some, by a room of this name in `Ruleset.press`. Whoever
plays in the game, or is to play in it, is no spectator, though they watch it, too: else what the dead of a hidden-role game
know could reach the living, and the other way round. What spectators write is no part of the game, and not in the journal.
"""

import base64
import hmac
from datetime import timedelta

from sqlmodel import col, func, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.step.reporting.press_rooms import SPECTATORS, has_spectators_room, rooms_of
from pbmd.desk.step.reporting.watchers import code_for, leave, watchers
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Outbox, Seat, SeatState, Substitution, SubstitutionState
from pbmd.post.addresses import folded, same_address
from pbmd.rules.protocol import Refused

MOST_OF_ONE, MOST_OF_ALL = 6, 30
"""Messages in an hour, of one spectator and in the room of a game: each is a mail to all who watch."""
_HOUR = timedelta(hours=1)
_NAME_BYTES = 5


def spectators(work: Transaction, table: OpenGame) -> list[str]:
    """The addresses that get what is written to the room of spectators; none where the game has no such room."""
    if not has_spectators_room(table):
        return []
    playing = playing_addresses(work, table)
    return [address for address in watchers(work, table) if folded(address) not in playing]


def playing_addresses(work: Transaction, table: OpenGame) -> frozenset[str]:
    """The addresses of those who play in a game, for now or from some day on, or who come back to it."""
    work.write()
    known = {folded(each) for seat in table.seats for each in (seat.address, seat.other_address) if each}
    columns = select(Substitution.address, Substitution.other_address, Substitution.named)
    still = col(Substitution.state) != SubstitutionState.ENDED
    for row in work.session.exec(columns.where(Substitution.game_id == table.id, still)):
        known |= {folded(each) for each in row if each}
    return frozenset(known)


def name_of(work: Transaction, table: OpenGame, address: str) -> str:
    """What a spectator is called by the others: the same in all that they write about a game; it does not tell who it is."""
    mac = hmac.digest(work.desk.key, f"spectator {table.id} {folded(address)}".encode("utf-8", "replace"), "sha256")
    return f"spectator {base64.b32encode(mac[:_NAME_BYTES]).decode()}"


def seats_reading(table: OpenGame) -> list[Seat]:
    """The seats that the rules let read what is written to the spectators."""
    if not table.terms.press or not has_spectators_room(table) or table.trouble:
        return []
    active = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    there = {name for seat in active for name in (rooms_of(table, seat) or {}).get(SPECTATORS, ())}
    return [seat for seat in active if seat.name in there]


def must_be_seldom(work: Transaction, table: OpenGame, writer: str = "") -> None:
    """Raises `Refused` if there were enough messages within the last hour, of this spectator if it is one, or in all."""
    work.write()
    passed_on = select(func.count()).where(
        Outbox.game_id == table.id,
        Outbox.kind == "press",
        lately(Outbox.queued_at, work.now, _HOUR),
        col(Outbox.key).endswith(" 0"),  # one of the mails of each message
    )
    limits = [(MOST_OF_ALL, _key(table), "in all"), *([(MOST_OF_ONE, _key(table, writer), "of yours")] if writer else [])]
    for most, key, whose in limits:
        if work.session.exec(passed_on.where(col(Outbox.key).startswith(key, autoescape=True))).one() >= most:
            raise Refused(f"those who watch get at most {most} messages {whose} in an hour")


def _key(table: OpenGame, writer: str = "") -> str:
    return f"spectators {table.id} {writer} " if writer else f"spectators {table.id} "


def pass_to_spectators(work: Transaction, table: OpenGame, writer: str, text: str, key: str, *, of_spectator: str = "") -> bool:
    """Mail a message to the spectators, but for the one at the address that it is of. `writer` is what they may know of whoever
    wrote it. Returns whether there are any."""
    addresses = [each for each in spectators(work, table) if not same_address(each, of_spectator)]
    told = render("spectators.txt", {"game": table.game, "writer": writer, "text": text})
    title = subject(table, f"press from {writer or 'a player'} to those who watch", "press to those who watch")
    # Not by the name of a player, who may give none.
    whose = _key(table, writer if of_spectator else "player")
    for place, address in enumerate(addresses):
        draft = Draft("press", f"{whose}{key} {place}", title, told, owed=True)
        mail_to(work, address, draft, table, code_for(work, table, address), unsubscribe=leave(work, table))
    return bool(addresses)


def pass_to_seats(work: Transaction, table: OpenGame, writer: str, text: str, key: str) -> None:
    """Mail what a spectator has written to the seats that the rules let read it."""
    values = {"game": table.game, "writer": writer, "readers": SPECTATORS, "text": text, "rooms": (SPECTATORS,)}
    for seat in seats_reading(table):
        title = subject(table, f"press from {writer} to {SPECTATORS}")
        draft = Draft("press", f"{key} seat {seat.number}", title, render("press.txt", values), owed=True)
        mail_to_seat(work, table, seat, draft)

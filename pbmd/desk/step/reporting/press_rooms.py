"""Who may write to whom by the rules of a game: to rooms, and to single seats.

What a seat gets to know of it is what the rules say for that seat now, and nothing else. So a refusal is the same whether the
name is that of a player who is dead, of a room that others have, or of nobody.
"""

from collections.abc import Iterable, Mapping, Sequence

from pbmd.desk.books.transaction import OpenGame
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rules.names import match_name
from pbmd.rules.protocol import Refused
from pbmd.rules.words import listing

Rooms = Mapping[str, tuple[str, ...]]
"""The names that a seat may write to now, each with the seats that read it."""
ALL = "all"
SPECTATORS = "spectators"
"""The room of those who watch, where the terms have one; the rules may let seats write and read there."""
_UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)
_MOST_ECHOED = 60


def rooms_of(table: OpenGame, seat: Seat) -> Rooms | None:
    """Where a seat may write now by the rules; None if they leave it to the terms, as before and after a game."""
    if table.ruleset.press is None or table.game.status not in _UNDER_WAY:
        return None
    rooms = table.ruleset.press(table.position, seat.name)
    if SPECTATORS not in rooms or has_spectators_room(table):
        return rooms
    return {name: readers for name, readers in rooms.items() if name != SPECTATORS}


def has_spectators_room(table: OpenGame) -> bool:
    """Whether those who watch a game may write to each other: its terms say so, and it runs. No seat can be called so."""
    return table.terms.spectators and table.game.status in _UNDER_WAY


def room_words(rooms: Rooms) -> str:
    """Where that is, as the end of a sentence that begins with *you can write to*."""
    return f"{listing(rooms)} now" if rooms else "nobody now"


def chosen_rooms(rooms: Rooms, names: Iterable[str]) -> tuple[str, ...]:
    """The rooms that are named, each once. Raises `Refused`."""
    chosen: dict[str, None] = {}
    for name in names:
        found = match_name(name, [*rooms], str).found
        if found is None:
            echoed = name.strip()[:_MOST_ECHOED]
            raise Refused(f'by the rules you cannot write to "{echoed}" now; you can write to {room_words(rooms)}')
        chosen[found] = None
    return tuple(chosen)


def to_spectators(table: OpenGame, chosen: Sequence[str]) -> bool:
    """Whether the room of those who watch is among these."""
    return SPECTATORS in chosen and has_spectators_room(table)


def readers_in(table: OpenGame, writer: Seat, rooms: Rooms, chosen: Sequence[str], *, anonymous: bool) -> list[Seat]:
    """The seats that get a message to these rooms; its writer does, too, where it is anonymous and they read there. Raises
    `Refused` if there are none, and nobody else reads there."""
    there = {name for room in chosen for name in rooms[room]}
    active = [seat for seat in table.seats if seat.state is SeatState.ACTIVE and seat.name in there]
    if not [seat for seat in active if seat is not writer] and not to_spectators(table, chosen):
        raise Refused(f"nobody else reads what is written to {listing(chosen)} now")
    return [seat for seat in active if anonymous or seat is not writer]


def reaches_all(table: OpenGame, writer: Seat, readers: Sequence[Seat], chosen: Sequence[str]) -> bool:
    """Whether a message to these rooms goes to everybody who plays, and says so."""
    others = {seat.number for seat in table.seats if seat.state is SeatState.ACTIVE} - {writer.number}
    return [room.casefold() for room in chosen] == [ALL] and others <= {seat.number for seat in readers}


def writes_to_all(table: OpenGame, writer: Seat) -> bool:
    """Whether a seat may write to everybody who plays now, as far as the rules say."""
    rooms = rooms_of(table, writer)
    if rooms is None:
        return True
    chosen = [room for room in rooms if room.casefold() == ALL]
    there = {name for room in chosen for name in rooms[room]}
    return bool(chosen) and reaches_all(table, writer, [seat for seat in table.seats if seat.name in there], chosen)

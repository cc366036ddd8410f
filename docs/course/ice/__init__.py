"""Thin Ice: two skaters move in turn, and the square that they leave melts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.checking import Fault
from pbmd.rules.facts import stand
from pbmd.rules.paints import paints
from pbmd.rules.small_game import Order, SmallGame, SmallPosition, number_of

INFO = read_info(files(__package__ or __name__))
WORDS = {
    "went": "Turn {turn}: {by} went from {start} to {end}, and {start} melted.",
    "stood": "Turn {turn}: {by} stood still.",
}
COLUMNS = "ABCDEFGHI"


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """Where each skater stands, which squares have not melted, and whose move it is."""

    at: Mapping[str, str]
    ice: tuple[str, ...]
    to_move: str


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """They stand in the middle of two sides. A die says who begins."""
    size = int(options["size"])
    middle = COLUMNS[size // 2]
    at = dict(zip(names, (f"{middle}1", f"{middle}{size}"), strict=True))
    return Position(names=names, at=at, ice=squares(size), to_move=names[dice.roll(2) - 1])


def squares(size: int) -> tuple[str, ...]:
    """All of them, row by row."""
    return tuple(f"{column}{row}" for row in range(1, size + 1) for column in COLUMNS[:size])


def moves(position: Position, seat: str) -> list[str]:
    """Where the skater can go: to a square beside its own, also across a corner, that is free."""
    here = position.at[seat]
    return [each for each in position.ice if each not in position.at.values() and is_beside(here, each)]


def is_beside(one: str, other: str) -> bool:
    """Whether a skater gets from one square to the other."""
    wide, long = COLUMNS.index(one[0]) - COLUMNS.index(other[0]), int(one[1]) - int(other[1])
    return max(abs(wide), abs(long)) == 1


def choices(position: Position, seat: str) -> list[list[str]]:
    """The moves, for the skater whose move it is."""
    return [[f"Go {square}" for square in moves(position, seat)]] if seat == position.to_move else []


def understood(position: Position, seat: str, order: Order) -> str:
    """The line as it is filed. Raises `Fault` if it is wrong."""
    square = order.words[0].upper()
    if seat != position.to_move:
        raise Fault(f"it is the move of {position.to_move}")
    if square not in moves(position, seat):
        raise Fault(f"from {position.at[seat]} you cannot go to {square}")
    return f"Go {square}"


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """One move, or none. Then it is the other's."""
    mover = position.to_move
    other = next(name for name in position.names if name != mover)
    turn = position.turn
    after = replace(position, to_move=other, turn=turn + 1)
    if not orders:
        return Resolution(after, (Event("stood", {"turn": turn, "by": mover}),))
    start, end = position.at[mover], orders[0][1].words[0]
    event = Event("went", {"turn": turn, "by": mover, "start": start, "end": end})
    ice = tuple(square for square in position.ice if square != start)
    return Resolution(replace(after, at={**position.at, mover: end}, ice=ice), (event,))


def view(position: Position, events: Sequence[Event], reader: Reader) -> Mapping[str, object]:
    """Nothing is secret on a board."""
    size = number_of("size", INFO, position)
    signs = dict.fromkeys(position.ice, ".") | {
        position.at[name]: paint["code"] for name, paint in paints(position.names).items()
    }
    rows = [[row, *(signs.get(f"{column}{row}", "#") for column in COLUMNS[:size])] for row in range(1, size + 1)]
    data: dict[str, object] = {
        "told": [WORDS[event.kind].format(**event.data) for event in events],
        "head": ["", *COLUMNS[:size]],
        "rows": rows,
        "map": picture(position, reader, size),
    }
    if outcome(position) is None:
        data["stand"] = stand("Who cannot move has lost.", f"It is the move of {position.to_move}.")
    return data


def picture(position: Position, reader: Reader, size: int) -> Mapping[str, object]:
    """The board as it is drawn."""
    owners = {square: name for name, square in position.at.items()}
    return {
        "title": "The ice",
        "columns": [*COLUMNS[:size]],
        "rows": [str(row + 1) for row in range(size)],
        "squares": [
            {
                "column": COLUMNS.index(square[0]),
                "row": int(square[1]) - 1,
                "owner": owners.get(square, ""),
                "own": square in owners and owners[square] == reader.seat,
                "marked": square in owners,
                "crossed": square not in position.ice,
                "ringed": False,
            }
            for square in squares(size)
            if square in owners or square not in position.ice
        ],
        "owners": [{"name": name, **paint, "note": ""} for name, paint in paints(position.names).items()],
        "legend": {"own": "you", "marked": "a skater", "crossed": "melted"},
        "notes": [],
    }


def outcome(position: Position) -> Outcome | None:
    """The other has won where one cannot move."""
    if moves(position, position.to_move):
        return None
    winner = next(name for name in position.names if name != position.to_move)
    return Outcome((winner,), f"{position.to_move} cannot move, and {winner} has won.")


ruleset = SmallGame(
    info=INFO,
    position=Position,
    begin=begin,
    acting=lambda position: (position.to_move,),
    choices=choices,
    understood=understood,
    step=step,
    view=view,
    outcome=outcome,
).ruleset

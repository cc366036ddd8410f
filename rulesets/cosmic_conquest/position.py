"""What pbmd asks about a position: its document, whose turn it is, what is on file, and how the game ended."""

from collections.abc import Mapping

from pbmd.rules import Outcome, Wait
from pbmd.rules.checking import still_awaited
from pbmd.rules.codec import codec
from pbmd.rules.placing import ranked_places
from pbmd.rules.sheets import sheet_of

from .checking.on_file import check_running_turn
from .tables import INFO
from .world.sound import completed
from .world.state import Position


def _sound(read: Position) -> Position:
    position = completed(read)
    check_running_turn(position)
    return position


CODEC = codec(Position, INFO, _sound)


def seats(position: Position) -> tuple[str, ...]:
    """All colours in sign-up order, eliminated and resigned ones too."""
    return tuple(position.colours)


def awaiting(position: Position) -> tuple[str, ...]:
    """Active factions whose orders are neither in nor fixed by default."""
    return still_awaited(position, (faction.colour for faction in position.active)) if position.phase == "orders" else ()


def waits(position: Position) -> tuple[Wait, ...]:
    """Psionics who asked about a faction and have not sent orders: they have extra time from its orders on (CC-104)."""
    hours = position.options.insight_hours
    return tuple(
        Wait(insight.by, insight.target, hours)
        for insight in position.insights
        if sheet_of(position.sheets, insight.by) is None
    )


def outcome(position: Position) -> Outcome | None:
    """None while the game is running, else who won and how (section 10)."""
    if position.result is None:
        return None
    kind, winner, turn_number = position.result
    if not winner:
        words = {"draw": f"All agreed to a draw in turn {turn_number}.", "abandoned": "Nobody is left; nobody has won."}
        return Outcome((), words[kind])
    name = position.colours[winner].name
    who = winner if name == winner else f"{winner} ({name})"
    if kind == "overlord":
        return Outcome((winner,), f"{who} is the Supreme Overlord.")
    return Outcome((winner,), f"{who} is the last faction left and wins.")


def places(position: Position) -> Mapping[str, int]:
    """The winner is first, or all who agreed to the draw; then those with more systems (CC-R91). None if nobody is left."""
    assert position.result is not None, "a game that is over has a result"
    kind, winner, _ = position.result
    if kind == "abandoned":
        return {}
    first = {winner} if winner else {faction.colour for faction in position.active}
    systems = {colour: 0 if colour in first else len(position.held_by(colour)) for colour in position.colours}
    return ranked_places({colour: (int(colour in first), count) for colour, count in systems.items()})

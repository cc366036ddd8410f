"""What can be read off a position directly: its document, whose move it is, and the end of the game."""

from collections.abc import Mapping
from typing import Any

from pbmd.rules import Outcome
from pbmd.rules.codec import codec
from pbmd.rules.placing import ranked_places

from .tables import INFO
from .world.documents import checked
from .world.state import Held, Position

CODEC = codec(Position, INFO)


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    return checked(CODEC.load(document), document)


# --- The running Turn --------------------------------------------------------------------------------------------------


def seats(position: Position) -> tuple[str, ...]:
    """All nations that are or were players', in list order: all States that are not named after a planet."""
    return tuple(state.name for state in position.states if state.name not in position.galaxy.place)


def movers(position: Position) -> tuple[str, ...]:
    """Who may make a move now (section 9): in Turn 0, in any order, all who have not; otherwise the first of them."""
    if position.phase == "over":
        return ()
    if position.turn == 0 and position.options.turn0_order == "any":
        return position.waiting
    return position.waiting[:1]


def due(position: Position) -> Held | None:
    """The mail to be carried out next: the first to arrive of those that may move now and have not missed their time."""
    able = awaiting(position)
    return next((held for held in position.held if held.state in able), None)


def awaiting(position: Position) -> tuple[str, ...]:
    """Those who may move now and whose deadline has not passed; one whose mail is on file moves in the next step."""
    return tuple(name for name in movers(position) if name not in position.missed)


def ready(position: Position) -> bool:
    """Whether a step is due: somebody is to be skipped, or a mail to be carried out."""
    return position.phase != "over" and (bool(position.missed) or due(position) is not None)


# --- The end ----------------------------------------------------------------------------------------------------------

_ENDS = {
    "planets": "{} wins: the owners of {} planets agree on it.",
    "ascension": "{} wins by Ascension.",
    "last_player": "{} wins as the last nation of a player.",
}


def outcome(position: Position) -> Outcome | None:
    """None while the game is running, else who won and how (section 10)."""
    if position.phase != "over":
        return None
    if not position.winner:
        return Outcome((), "No nation is played by a player any more; nobody has won.")
    backers = {state.name for state in position.players if state.proclaims == position.winner}
    planets = sum(planet.owner in backers for planet in position.planets)
    return Outcome((position.winner,), _ENDS[position.victory].format(position.winner, planets))


def places(position: Position) -> Mapping[str, int]:
    """The winner is first, then the nations of players, those with more planets before the others; then those that are no
    player's any more (LC-R103). None if nobody has won."""
    if not position.winner:
        return {}
    standing = {name: (int(name == position.winner), int(position.by_name[name].kind == "player")) for name in seats(position)}
    planets = {name: len(position.owned_by(name)) if still else 0 for name, (_, still) in standing.items()}
    return ranked_places({name: (*first, planets[name]) for name, first in standing.items()})

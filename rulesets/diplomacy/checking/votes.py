"""Votes to end the game, as orders."""

from pbmd.rules import match_name
from pbmd.rules.checking import Fault, unknown

from ..world.commands import Concede, Draw
from ..world.state import Position
from .reader import Meant, Reader, must_be_moves
from .reading import Said


def draw(reader: Reader, _said: Said) -> Meant:
    """A vote for a draw. Raises `Fault` where there are no moves."""
    must_be_moves(reader)
    return Meant(Draw())


def concede(reader: Reader, said: Said) -> Meant:
    """The victory of a power that is eligible: not one's own, nor one that is out, or that nobody plays (DI-84). Raises
    `Fault`."""
    must_be_moves(reader)
    position = reader.position
    found = match_name(said.name, [name for name in position.board.by_power if name != reader.seat])
    if match_name(said.name, [reader.seat]).found and not (found.found or found.ambiguous):
        raise Fault("you concede to another power, and not to yourself")
    if found.found is None:
        raise unknown(found, said.name, "power")
    if not reader.on_file and (why := _why_not_to(position, found.found)):
        raise Fault(f"nobody can concede to {found.found}: {why}")
    return Meant(Concede(found.found))


def _why_not_to(position: Position, power: str) -> str:
    if not position.by_power[power].survives:
        return "it is out of the game"
    if power not in position.seats:
        return "nobody plays it"
    if power not in position.active:
        return "it was given up"
    return "" if position.by_power[power].units else "it has no units left"

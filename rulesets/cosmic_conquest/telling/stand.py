"""How to win, and where everybody stands, as far as the public table of factions shows it."""

from pbmd.rules import Document, Reader
from pbmd.rules.facts import Has, placed, stand
from pbmd.rules.words import counted

from ..world.state import Position
from ..world.values import resource_units


def standing(position: Position, reader: Reader) -> Document | None:
    """None once the game is over. If units are not public, only the reader's own are included."""
    if position.result:
        return None
    systems = {faction.colour: len(position.held_by(faction.colour)) for faction in position.active}
    units = {faction.colour: resource_units(position, faction) for faction in position.active}
    seat, public = reader.seat, position.options.public_factions or reader.kind == "gm"
    held = f"{systems.get(seat, 0)} of {counted(len(position.systems), 'system')}"
    told = [placed(systems, seat, held, Has("holds", "hold", "system"))]
    if public:
        told.append(placed(units, seat, f"{units.get(seat, 0)} of {sum(units.values())} units", Has(thing="unit")))
    elif seat in units:
        told.append(f"You have {counted(units[seat], 'unit')}.")
    return stand(_aim(position), " ".join(told))


def _aim(position: Position) -> str:
    options = position.options
    when = f"From turn {options.first_overlord_turn} on, whoever" if options.first_overlord_turn > 1 else "Whoever"
    empire = ", and an empire" if options.overlord_needs_empire else ""
    last = " So does the last faction left." if options.last_survivor_wins else ""
    return f"{when} has more units than all others together, and the most systems{empire}, wins.{last}"

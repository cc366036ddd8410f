"""What applies to a faction, its sheet or the default orders of section 9.4, and whether a document can contain it."""

from collections.abc import Iterable

from pbmd.rules import Line, PositionError
from pbmd.rules.checking import Checked
from pbmd.rules.sheets import sheet_of
from pbmd.rules.sound import check_on_file, must_differ

from ..orders import Force, Plan
from ..tables import INDECISIVE_UNITS
from ..world.state import Faction, Insight, Position, System
from ..world.values import resource_units
from .sheets import check_sheet


def orders_of(position: Position, faction: Faction) -> tuple[str, ...] | None:
    """The canonical lines of its sheet, or of its default orders if they are fixed; None while neither is."""
    sheet = sheet_of(position.sheets, faction.colour)
    if sheet is not None:
        return sheet.lines
    return default_orders(position, faction).lines(position.galaxy) if faction.colour in position.missed else None


def default_orders(position: Position, faction: Faction) -> Plan:
    """What a stalled faction does: its units are spread over its borders, or invested if it has none. This follows from the
    start of the turn alone (CC-50, CC-51, CC-R79)."""
    own = position.held_by(faction.colour)
    borders = [system.name for system in own if _is_border(position, system)]
    places = borders or [system.name for system in own]
    shares = zip(places, _shares(resource_units(position, faction), len(places)), strict=True)
    most = INDECISIVE_UNITS if faction.has("indecisive") else None
    units = {name: min(share, most or share) for name, share in shares if share}
    if not borders:
        return Plan(invest=units)
    drones = _shares(faction.drones, len(units))
    return Plan(defend={name: Force(units[name], share) for name, share in zip(units, drones, strict=True)})


def _is_border(position: Position, system: System) -> bool:
    """Next to a system of another active faction, or with the option next to any that is not its own (CC-R77)."""
    owners = {position.system(name).owner for name in position.galaxy.neighbours(system.name)} - {system.owner}
    return bool(owners) if position.options.borders == "any" else bool(owners - {""})


def _shares(whole: int, parts: int) -> list[int]:
    """As equal as can be, the first ones one more (CC-R78)."""
    each, more = divmod(whole, parts) if parts else (0, 0)
    return [each + (place < more) for place in range(parts)]


# --- In documents --------------------------------------------------------------------------------------------------------


def check_running_turn(position: Position) -> None:
    """The end of the game and the running turn as they are on file. Raises `PositionError` with the place of what is wrong."""
    _check_result(position)
    if position.phase == "ended" and (position.sheets or position.missed or position.insights or position.resigning):
        raise PositionError("phase", "a game that has ended has no orders")
    check_on_file(position, (faction.colour for faction in position.active), _checked)
    must_differ("resigning", "", position.resigning)
    for i, colour in enumerate(position.resigning):
        _active(position, colour, f"resigning[{i}]")
    for i, refused in enumerate(position.refused):
        _active(position, refused.player, f"refused[{i}].player")
    for i, insight in enumerate(position.insights):
        _check_insight(position, insight, i)


def _check_result(position: Position) -> None:
    result = position.result
    if (position.phase == "ended") != (result is not None):
        raise PositionError("result", "a game that has ended has a result, and no other has one")
    if result is None:
        return
    wins = result.kind in ("overlord", "last_survivor")
    if wins != bool(result.winner) or (result.winner and result.winner not in position.colours):
        raise PositionError("result.winner", f'"{result.winner:.60}" cannot be the winner')


def _checked(position: Position, seat: str, lines: Iterable[Line]) -> Checked:
    answers, draft = check_sheet(position, position.colours[seat], [*lines])
    return Checked(answers, filed=draft.plan.lines(position.galaxy))


def _check_insight(position: Position, insight: Insight, i: int) -> None:
    by = _active(position, insight.by, f"insights[{i}].by")
    target = _active(position, insight.target, f"insights[{i}].target")
    if by.tech != "psionic" or any(other.by == insight.by for other in position.insights[:i]):
        raise PositionError(f"insights[{i}].by", f"{insight.by} cannot use this Insight")
    if target.tech == "psionic":
        raise PositionError(f"insights[{i}].target", f"{insight.target} is Psionic and immune")
    if insight.answered != (orders_of(position, target) is not None):
        raise PositionError(f"insights[{i}].answered", f"it is answered as soon as the orders of {insight.target} are final")


def _active(position: Position, colour: str, place: str) -> Faction:
    faction = position.colours.get(colour)
    if faction is None:
        raise PositionError(place, f'there is no faction "{colour:.60}"')
    if not faction.active:
        raise PositionError(place, f"{colour} is {faction.status}")
    return faction

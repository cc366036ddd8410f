"""The end of set-up: how the players' set-up letters change the first position (section 5.2 of the rules)."""

from dataclasses import replace
from itertools import count

from pbmd.rules import Dice, Resolution, fold
from pbmd.rules.sheets import sheet_of

from ..checking.building import Draft, build, default_place, draft_of, new_unit
from ..checking.reading import orders_in
from ..tables import CRUISER, LIMITS, NAME_LENGTH
from ..world.condition import unit_cost
from ..world.counters import Fleet, Question, Unit
from ..world.factors import Factors
from ..world.hexes import hex_at
from ..world.names import map_names, name_problem
from ..world.sight import remembered
from ..world.state import Position
from ..world.systems import Place, SideNumber
from .absence import count_misses
from .day import Day


def resolve_setup(position: Position, _dice: Dice) -> Resolution[Position]:
    """Build what the letters say, in order of arrival, then default set-ups in sign-up order (section 5.2); day one begins.

    The events are the lines for their sender, new names for the owner, and for everybody who sent nothing. Raises `ValueError`
    for sheets that no game has on file.
    """
    day = Day(position, position, stage="end")
    day.tell("setup", {}, None)
    late = [player.name for player in position.players if sheet_of(position.sheets, player.name) is None]
    for sheet in position.sheets:
        day.tell_orders(sheet)
        _deploy(day, build(position, sheet.seat, orders_in(sheet.lines)))
    for name in late:
        _deploy(day, _default(position, name))
    by_side = sorted(day.now.units, key=lambda unit: unit.side)
    day.now = replace(day.now, units=tuple(by_side), sheets=(), missed=())
    count_misses(day, [sheet.seat for sheet in position.sheets], late)
    day.now = replace(day.now, day=1, phase="1a" if position.in_phases else "day", sightings=remembered(day.now))
    return Resolution(day.now, tuple(day.events))


def _deploy(day: Day, draft: Draft) -> None:
    """Put on the boards what a draft has built; units whose name is already taken get a new one (SQ-R03)."""
    taken = {fold(unit.name) for unit in day.now.units if unit.side == draft.player.side}
    own = {fold(name) for name in (*draft.units, *(fleet.name for fleet in draft.fleets))}
    on_map = map_names(day.now.systems)
    names: dict[str, str] = {}
    for name in draft.units:
        names[name] = name if fold(name) not in taken else _free_name(name, taken | own, on_map)
        taken.add(fold(names[name]))
        if names[name] != name:
            day.tell("renamed", {"player": draft.player.name, "old": name, "new": names[name]}, (draft.player.name,))
    units = tuple(replace(unit, name=names[unit.name]) for unit in draft.units.values())
    fleets = (Fleet(f.player, f.name, tuple(names.get(member, member) for member in f.members)) for f in draft.fleets)
    day.now = replace(
        day.now.with_player(replace(draft.player, next_question=len(draft.questions) + 1)),
        units=(*day.now.units, *units),
        questions=(*day.now.questions, *draft.questions),
        fleets=(*day.now.fleets, *fleets),
    )


def _free_name(name: str, taken: set[str], on_map: frozenset[str]) -> str:
    """The name with the lowest free number from 2 on."""
    return next(new for number in count(2) if fold(new := _numbered(name, number, on_map)) not in taken)


def _numbered(name: str, number: int, on_map: frozenset[str]) -> str:
    """The name with a number, shortened or with a hyphen where it would otherwise be invalid."""
    room = NAME_LENGTH - len(f" {number}")
    stems = [name[:length].rstrip(" .") for length in range(min(len(name), room), 0, -1)]
    names = (f"{stem}{joint}{number}" for joint in (" ", "-") for stem in stems)
    return next(new for new in names if not name_problem(new, on_map))


def _default(position: Position, seat: str) -> Draft:
    """As many cruisers as the points allow, and "?" for the rest, on top of them; or one small ship (section 5.2)."""
    draft = draft_of(position, seat)
    where = default_place(position, draft.player.side) or _first_zone(position, draft.player.side)
    cruiser = Factors(*(min(level, most) for level, most in zip(CRUISER, LIMITS[draft.tech], strict=True)))
    cost = unit_cost(cruiser, draft.tech, position.options)
    if draft.points < cost:
        draft.put(_small_ship(draft, where))
        return draft
    for number in range(1, draft.points // cost + 1):
        draft.put(new_unit(draft, f"Cruiser {number}", cruiser, where))
    draft.points %= cost
    price, side = position.options.question_cost, draft.player.side
    bought = draft.points // price if price else 0
    draft.questions = [Question(number, side, seat, where) for number in range(1, bought + 1)]
    return draft


def _small_ship(draft: Draft, where: Place) -> Unit:
    """A ship for players who cannot pay for a cruiser; they get it even if their points are not enough."""
    attack = max(1, draft.points - 1 - 2 * (15 - draft.tech))
    return new_unit(draft, "Cruiser 1", Factors(maneuver=1, attack=attack), where)


def _first_zone(position: Position, side: SideNumber) -> Place:
    """Where a side without any planet is placed: the first hex of its first deployment zone. Raises `ValueError` if there is
    none."""
    for system in position.systems:
        for zone in system.deploy:
            if zone.side == side:
                return Place(system.name, hex_at(zone.first, 1))
    raise ValueError(f"side {side} has neither a planet nor a deployment zone")

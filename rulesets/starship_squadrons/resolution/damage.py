"""Damage, all at once, and what it destroys (7.3, steps 5 and 6; 7.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbmd.rules import Dice

from ..tables import GameOptions
from ..world.condition import current, is_dead, pen, supply_room, toughness
from ..world.counters import Loss, Sighting, Unit
from ..world.factors import FACTORS, OTHERS, Factor, Factors
from ..world.sight import sight
from ..world.systems import enemy_of
from .day import Day, friends, side_players


@dataclass(frozen=True, slots=True)
class Hit:
    """What a unit takes in a fire phase from this many attackers; `halved` because it is covered."""

    unit: Unit
    taken: int
    attacks: int
    halved: bool


def apply_hits(day: Day, hits: Sequence[Hit], dice: Dice) -> None:
    """Apply damage, in the order of the units, then remove what it has destroyed (SQ-76, SQ-R44)."""
    options = day.now.options
    struck = [(hit, _struck(hit, options, dice)) for hit in hits]
    day.put(*(unit for _, unit in struck))
    dead = [unit for _, unit in struck if options.destruction == "all_zero" and is_dead(unit)]
    day.drop(dead)
    looks = {side: sight(day.now, side) for side in (1, 2)}
    for hit, unit in struck:
        _tell(day, hit, unit, destroyed=unit in dead)
        if unit.place is not None and unit in looks[enemy_of(unit.side)][unit.place.system].units:
            _tell_enemy(day, unit)
    for unit in dead:
        _destroy(day, unit)


def _struck(hit: Hit, options: GameOptions, dice: Dice) -> Unit:
    """The unit with its new damage, and without the fuel and supplies that are lost with it."""
    unit = _labelled(hit, dice) if hit.unit.hits is not None else _even(hit, options.destruction == "never")
    if pen(unit) > pen(hit.unit):
        lost = {"per_phase": 1, "per_attack": hit.attacks, "none": 0}[options.fuel_loss]
        unit = replace(unit, fuel=max(0, unit.fuel - lost))
    room = supply_room(unit, options.supply_per_factor)
    if options.supply_hits == "excess_lost" and unit.supplies > room:
        unit = replace(unit, supplies=room)
    return unit


def _even(hit: Hit, lasting: bool) -> Unit:
    """Damage is stored as one number; a unit that cannot be destroyed takes no more than its maximum (SQ-R44)."""
    most = max(hit.unit.damage, toughness(hit.unit)) if lasting else hit.unit.damage + hit.taken
    return replace(hit.unit, damage=min(hit.unit.damage + hit.taken, most))


def _labelled(hit: Hit, dice: Dice) -> Unit:
    """Hits on single factors: on defense until it is gone, then each on one that is left, drawn by a die."""
    unit = hit.unit
    for _ in range(hit.taken):
        left = current(unit)
        working: list[Factor] = ["defense"] if left.defense else [factor for factor in OTHERS if left.of(factor)]
        if not working:
            break
        struck = working[dice.roll(len(working)) - 1] if len(working) > 1 else working[0]
        assert unit.hits is not None
        hits = Factors(*(count + (factor == struck) for factor, count in zip(FACTORS, unit.hits, strict=True)))
        unit = replace(unit, hits=hits, damage=sum(hits))
    return unit


def _tell(day: Day, hit: Hit, unit: Unit, *, destroyed: bool) -> None:
    """Its owner learns everything (section 8.2)."""
    assert unit.place is not None
    data = {
        "name": unit.name,
        "side": unit.side,
        "place": unit.place.text,
        "taken": hit.taken,
        "halved": hit.halved,
        "damage": unit.damage,
        "factors": current(unit)._asdict(),
        "fuel_lost": hit.unit.fuel - unit.fuel,
        "supplies_lost": hit.unit.supplies - unit.supplies,
        "destroyed": destroyed,
    }
    day.tell("hit", data, friends(day.now, unit.player))


def _tell_enemy(day: Day, unit: Unit) -> None:
    """Everybody who sees a unit sees, and remembers, its damage."""
    day.tell("wounded", {"name": unit.name, "damage": unit.damage}, side_players(day.now, enemy_of(unit.side)))
    day.now = replace(day.now, sightings=tuple(_updated(seen, unit) for seen in day.now.sightings))


def _updated(seen: Sighting, unit: Unit) -> Sighting:
    """The enemy's memory of a unit that shows new damage."""
    if (seen.side, seen.name) != (enemy_of(unit.side), unit.name):
        return seen
    return seen._replace(looks=seen.looks._replace(damage=unit.damage))


def _destroy(day: Day, unit: Unit) -> None:
    """The unit is a loss; everybody learns of it, unless it was covered (SQ-R79)."""
    covered = day.now.is_covered(unit)
    # Its player matters only where allies keep to themselves.
    player = "" if day.now.options.share_side else unit.player
    loss = Loss(unit.side, unit.name, unit.kind, unit.cost, day.start.day, covered, player)
    sightings = day.now.sightings
    if not covered:
        data = {"name": unit.name, "side": unit.side, "side_name": day.now.side(unit.side).name, "kind": unit.kind}
        day.tell("destroyed", data, None)
        enemy = enemy_of(unit.side)
        sightings = tuple(seen for seen in sightings if (seen.side, seen.name) != (enemy, unit.name))
    day.now = replace(day.now, losses=(*day.now.losses, loss), sightings=sightings)

"""Fleet battles, bombardments, contested landings and army battles (7.3, step 6 of the rules). All dice of battles are here."""

from typing import NamedTuple

from pbmd.rules import Dice

from ..orders import UnitKind
from ..world.economy import home_in_effect
from ..world.state import Army, Fleet, Position, capacity, effect
from .eviction import closest_planet
from .move import Bombardment, Landing, Move, aboard, enemy_fleets_above, fleets_above
from .movement import put_on_surface


class _Fighter(NamedTuple):
    """A unit in a battle and what is added to its die (LC-R80)."""

    id: str
    number: int
    owner: str
    attacks: bool
    bonus: int


class _Score(NamedTuple):
    """A fighter's die and total in a round."""

    fighter: _Fighter
    die: int
    total: int


def battles(move: Move, dice: Dice) -> None:
    """Fleet battles by planet number, bombardments as announced, contested landings, army battles (LC-R77)."""
    planets = [planet.name for planet in move.position.planets]
    for planet in planets:
        _battle(move, planet, "fleet", dice)
    for bombardment in move.bombardments:
        if reason := _bombard(move, bombardment, dice):
            move.fail(bombardment.line, reason, bombardment.fleet)
    place = move.position.galaxy.place
    for landing in sorted(move.landings, key=lambda landing: (place[landing.planet], int(landing.army[1:]))):
        if reason := _land(move, landing):
            move.fail(landing.line, reason, landing.army)
    for planet in planets:
        _battle(move, planet, "army", dice)


# --- Who fights --------------------------------------------------------------------------------------------------------


def _battle(move: Move, planet: str, kind: UnitKind, dice: Dice) -> None:
    """Rounds until one side only is left (LC-53, LC-63); none if only one is there."""
    attackers, defenders = _sides(move, planet, kind)
    number = 0
    while attackers and defenders:
        number += 1
        lost = _round(move, planet, kind, number, (*attackers, *defenders), dice)
        attackers = [fighter for fighter in attackers if fighter.id != lost]
        defenders = [fighter for fighter in defenders if fighter.id != lost]


def _sides(move: Move, planet: str, kind: UnitKind) -> tuple[list[_Fighter], list[_Fighter]]:
    """Attackers and defenders at a planet, in listing order (LC-R71, LC-R79)."""
    position = move.position
    units = [unit for unit in (position.fleets if kind == "fleet" else position.armies) if unit.planet == planet]
    attackers = [
        _Fighter(unit.id, unit.number, unit.owner, True, effect(position, unit.owner, f"{kind}_attack"))
        for unit in units
        if unit.owner == move.state and unit.id not in move.withdrawn
    ]
    if not attackers:
        return [], []
    defending = _defending(position, move.state, planet, {unit.owner for unit in units})
    place = {state.name: place for place, state in enumerate(position.states)}
    defenders = [
        _Fighter(unit.id, unit.number, unit.owner, False, _defense(position, unit.owner, planet, kind))
        for unit in sorted(units, key=lambda unit: (place[unit.owner], unit.number))
        if unit.owner in defending
    ]
    return attackers, defenders


def _defending(position: Position, attacker: str, planet: str, present: set[str]) -> set[str]:
    """Whose units defend: the attacker's enemies', and as an option those of the partners of an enemy who is there or owns the
    planet, unless they are also the attacker's partners (LC-R72)."""
    enemies = {state for state in present if position.at_war(state, attacker)}
    if not position.options.pact_joins_defense:
        return enemies
    owner = position.planet(planet).owner
    helped = enemies | ({owner} if position.at_war(owner, attacker) else set())
    return enemies | {
        state
        for state in present - {attacker}
        if not position.have_pact(state, attacker) and any(position.have_pact(state, other) for other in helped)
    }


def _defense(position: Position, state: str, planet: str, kind: UnitKind) -> int:
    """What a defender adds: its own effects, and at its own or a partner's planet those of resources and home (LC-18)."""
    name = f"{kind}_defense"
    bonus = effect(position, state, name)
    ground = position.planet(planet)
    if state != ground.owner and not position.have_pact(state, ground.owner):
        return bonus
    bonus += sum(position.data.resources[resource].effects.get(name, 0) for resource in ground.resources)
    return bonus + (position.options.home_defense if home_in_effect(position, ground.owner) == planet else 0)


# --- A round -----------------------------------------------------------------------------------------------------------


def _round(move: Move, planet: str, kind: UnitKind, number: int, fighters: tuple[_Fighter, ...], dice: Dice) -> str:
    """One match-up (LC-R69); returns the id of the unit that is destroyed or withdraws."""
    scores: list[_Score] = []
    for fighter in fighters:
        die = dice.roll(move.position.options.die_sides)
        scores.append(_Score(fighter, die, die + fighter.bonus))
    attack = max(score.total for score in scores if score.fighter.attacks)
    defense = max(score.total for score in scores if not score.fighter.attacks)
    loser = _casualty(move.position, [score for score in scores if score.fighter.attacks == (attack <= defense)])
    data = {
        "state": move.state,
        "planet": planet,
        "round": number,
        "rolls": [
            {
                "unit": score.fighter.id,
                "state": score.fighter.owner,
                "attacks": score.fighter.attacks,
                "die": score.die,
                "modifier": score.fighter.bonus,
                "total": score.total,
            }
            for score in scores
        ],
        "unit": loser.id,
        "owner": loser.owner,
    }
    cargo = [army.id for army in aboard(move.position, loser.id)]
    withdrawn, to = (False, "")
    if attack == defense:
        withdrawn, to = _withdraw_fleet(move, loser.id) if kind == "fleet" else _withdraw_army(move, loser.id)
    if not withdrawn:
        _destroy(move, loser.id, kind)
    move.tell(f"{kind}_round", {**data, "tie": attack == defense, "withdrew": withdrawn, "to": to, "cargo": cargo})
    return loser.id


def _casualty(position: Position, side: list[_Score]) -> _Fighter:
    """The one of the losing side that is lost: the last listed of those with the lowest total; or the newest (LC-R70)."""
    if position.options.casualty == "newest":
        return max((score.fighter for score in side), key=lambda fighter: fighter.number)
    lowest = min(score.total for score in side)
    return next(score.fighter for score in reversed(side) if score.total == lowest)


def _destroy(move: Move, unit: str, kind: UnitKind) -> None:
    if kind == "fleet":
        move.remove_fleet(unit)
    else:
        move.remove_army(unit)


def _withdraw_fleet(move: Move, unit: str) -> tuple[bool, str]:
    """A fleet goes with its cargo to where it came from, else to the closest other planet of its owner; otherwise it just takes
    no further part (LC-52, LC-54, LC-R73). Returns True and where it is now."""
    fleet = move.position.fleet(unit)
    assert fleet is not None
    to = move.origins.get(unit) or closest_planet(move.position, fleet.owner, fleet.planet) or fleet.planet
    move.put_fleet(fleet._replace(planet=to))
    move.withdrawn |= {unit, *(army.id for army in aboard(move.position, unit))}
    return True, to


def _withdraw_army(move: Move, unit: str) -> tuple[bool, str]:
    """An army goes back to its fleet, to another one above, or through its portal (LC-62, LC-R75). Returns whether it could,
    and the fleet or planet where it is now."""
    army = move.position.army(unit)
    assert army is not None
    refuge = _refuge(move, army)
    if refuge is not None:
        move.put_army(army._replace(planet="", fleet=refuge.id))
    elif unit in move.came_from:
        move.put_army(army._replace(planet=move.came_from[unit]))
    else:
        return False, ""
    move.withdrawn.add(unit)
    return True, refuge.id if refuge else move.came_from[unit]


def _refuge(move: Move, army: Army) -> Fleet | None:
    """The fleet above with room to which an army withdraws: the one it landed from, else the lowest number."""
    room = capacity(move.position, army.owner)
    above = [
        fleet for fleet in fleets_above(move.position, army.planet, army.owner) if len(aboard(move.position, fleet.id)) < room
    ]
    landed_from = move.landed_from.get(army.id)
    return next((fleet for fleet in above if fleet.id == landed_from), above[0] if above else None)


# --- Bombardments and contested landings -------------------------------------------------------------------------------


def _lost_orbit(move: Move, fleet: str, planet: str) -> str:
    """Why a fleet cannot bombard, or land its army, after the fleet battle; "" if it can (LC-R66, LC-R81)."""
    if move.position.fleet(fleet) is None:
        return "fleet_lost"
    if fleet in move.withdrawn:
        return "fleet_withdrew"
    return "orbit_contested" if enemy_fleets_above(move.position, planet, move.state) else ""


def _bombard(move: Move, bombardment: Bombardment, dice: Dice) -> str:
    """A resource or an enemy's army is destroyed, by a die over all of them; a Shield Generator before everything else
    (LC-R82)."""
    if reason := _lost_orbit(move, bombardment.fleet, bombardment.planet):
        return reason
    position, planet = move.position, move.position.planet(bombardment.planet)
    armies = _targets(position, move.state, planet.name)
    shields = [
        place
        for place, resource in enumerate(planet.resources)
        if position.data.resources[resource].effects.get("absorbs_bombardment")
    ]
    sides, hit = len(planet.resources) + len(armies), 1
    if not sides:
        return "no_target"
    if shields:
        sides, hit = 1, shields[0] + 1
    elif sides > 1:
        hit = dice.roll(sides)
    data = {
        "state": move.state,
        "unit": bombardment.fleet,
        "planet": planet.name,
        "die": hit if sides > 1 else 0,
        "sides": sides,
    }
    if hit <= len(planet.resources):
        gone = planet.resources[hit - 1]
        move.put_planet(planet._replace(resources=(*planet.resources[: hit - 1], *planet.resources[hit:])))
        move.tell("bombarded", {**data, "hit": gone, "owner": ""})
    else:
        army = armies[hit - 1 - len(planet.resources)]
        move.remove_army(army.id)
        move.tell("bombarded", {**data, "hit": army.id, "owner": army.owner})
    return ""


def _targets(position: Position, state: str, planet: str) -> list[Army]:
    """The armies of a State's enemies on the surface, in listing order."""
    place = {power.name: place for place, power in enumerate(position.states)}
    found = [army for army in position.armies if army.planet == planet and position.at_war(army.owner, state)]
    return sorted(found, key=lambda army: (place[army.owner], army.number))


def _land(move: Move, landing: Landing) -> str:
    army, fleet = move.position.army(landing.army), move.position.fleet(landing.fleet)
    if reason := _lost_orbit(move, landing.fleet, landing.planet):
        return reason
    assert army is not None
    assert fleet is not None
    put_on_surface(move, army, fleet, contested=True)
    return ""

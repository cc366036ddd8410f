"""Who owns the planets (7.2, step 8), how a game ends, and the score (section 10)."""

from dataclasses import replace
from typing import Literal

from ..world.condition import current
from ..world.state import Position
from ..world.systems import SIDES, Body, Owner, Place, SideNumber, enemy_of
from .day import Day


def take_control(day: Day) -> None:
    """Planets pass to a side that is there alone, armed and uncovered (SQ-R73)."""
    for system in day.now.systems:
        for body in system.bodies:
            owner = _new_owner(day.now, system.name, body)
            if owner == body.owner:
                continue
            day.captured = True
            day.now = day.now.with_bodies({body.name: replace(body, owner=owner)})
            data = {"body": body.name, "system": system.name, "side": owner, "side_name": day.now.side(owner).name}
            day.tell("captured", data, None)


def _new_owner(position: Position, system: str, body: Body) -> Owner:
    if body.kind != "planet":
        return body.owner
    place = Place(system, body.hex)
    there = [unit for unit in position.units if unit.spot == place]
    able = [unit for unit in there if unit.is_squadron and current(unit).attack >= 1 and not position.is_covered(unit)]
    return able[0].side if able and all(unit.side == able[0].side for unit in there) else body.owner


def score(position: Position, side: SideNumber) -> int:
    """The values of the planets that the side owns, and the cost of what it has destroyed."""
    return planet_value(position, side) + sum(loss.cost for loss in position.losses if loss.side == enemy_of(side))


def planet_value(position: Position, side: SideNumber) -> int:
    """The values of the planets that the side owns."""
    return sum(body.value for system in position.systems for body in system.bodies if body.owner == side)


def check_victory(day: Day) -> None:
    """The first condition that applies ends the game."""
    found = _decided(day.now)
    if found is None:
        return
    winner, why = found
    one, two = (f"{day.now.side(side).name} {score(day.now, side)}" for side in SIDES)
    won = f"{day.now.side(winner).name} wins" if winner else "The game is drawn"
    reason = f"{won}: {why}. Score: {one}, {two}."
    day.now = replace(day.now, winner=winner, reason=reason, phase="over")
    day.tell("over", {"winner": winner, "reason": reason}, None)


def _decided(position: Position) -> tuple[Literal[0, 1, 2], str] | None:
    """Who has won, 0 for a draw, and why; None while the game goes on."""
    led: list[SideNumber] = [side for side in SIDES if _is_led(position, side)]
    if not led:
        return 0, "nobody is left on either side"
    if len(led) == 1:
        return led[0], f"nobody is left to lead {position.side(enemy_of(led[0])).name}"
    alive: list[SideNumber] = [side for side in SIDES if _has_squadron(position, side)]
    if not alive:
        return _by_score(position), "no squadron is left on either side, so the score decides"
    if len(alive) == 1:
        return alive[0], f"{position.side(enemy_of(alive[0])).name} has no squadron left"
    if (side := _owner_of_all_capitals(position)) is not None:
        return side, "it owns all capitals"
    if position.day >= position.options.last_day:
        return _by_score(position), f"day {position.day} was the last, so the score decides"
    return None


def _is_led(position: Position, side: SideNumber) -> bool:
    return any(player.active for player in position.players_of(side))


def _has_squadron(position: Position, side: SideNumber) -> bool:
    return any(unit.side == side and unit.is_squadron for unit in position.units)


def _owner_of_all_capitals(position: Position) -> SideNumber | None:
    """None if there are not at least two, or one side does not own them all."""
    owners = [body.owner for system in position.systems for body in system.bodies if body.capital]
    if len(owners) < 2:
        return None
    return next((side for side in SIDES if all(owner == side for owner in owners)), None)


def _by_score(position: Position) -> Literal[0, 1, 2]:
    one, two = (score(position, side) for side in SIDES)
    return 0 if one == two else 1 if one > two else 2

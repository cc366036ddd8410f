"""A fire phase (7.3): who fires at what, what that gives away, and what is hit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbmd.rules import Dice, match_name
from pbmd.rules.words import listing

from ..orders import Fire, HoldFire, Impulse, Target
from ..world.condition import current, shown_attack, shown_strength
from ..world.counters import Unit
from ..world.hexes import Hex, distance
from ..world.sight import Seen, sight
from ..world.state import Position
from ..world.systems import Place, enemy_of
from .damage import Hit, apply_hits
from .day import Day, Task, everyone, friends, winning

_NEAREST = Target("nearest")


@dataclass(frozen=True, slots=True)
class Shot:
    """A unit fires at an enemy unit that it sees, or at a "?" in a hex; then `target` is what it hits, None for nothing."""

    shooter: Unit
    attack: int
    target: Unit | None
    at: Hex | None = None

    @property
    def place(self) -> Place:
        """Where the shooter is."""
        assert self.shooter.place is not None
        return self.shooter.place


def fire(day: Day, impulse: Impulse, dice: Dice) -> None:
    """Carry out a fire phase; impulse 0 takes all orders, whatever impulse they name.

    All targets are chosen before the first shot (SQ-R40), and all damage is applied at once (SQ-76).
    """
    start = day.now
    looks = {side: sight(start, side) for side in (1, 2)}
    wins = winning(
        day.of(Fire, HoldFire),
        lambda order: isinstance(order, Fire | HoldFire) and (not impulse or order.impulse in (0, impulse)),
    )
    _report_idle(day, wins)
    shots: list[Shot] = []
    aimless: list[tuple[Task, str]] = []
    for side in (1, 2):
        for unit in start.units:
            if unit.side == side and unit.place is not None and current(unit).attack >= 1:
                task = wins.get((unit.player, unit.name))
                shot = _shot(day, unit, task, looks[side][unit.place.system], aimless)
                shots += [shot] if shot else []
    _report_aimless(day, aimless)
    shots = [_aimed(start, shot, dice) for shot in shots]
    # Including those that were missed: the enemy must not learn from who wakes up what was under a "?".
    day.fired_at |= {enemy_of(shot.shooter.side) for shot in shots}
    _uncover(day, shots)
    hits = _hits(start, day.now, shots)
    for shot in shots:
        _tell(day, shot, hits)
    apply_hits(day, hits, dice)


def _report_idle(day: Day, wins: Mapping[tuple[str, str], Task]) -> None:
    """Tell the owners of FIRE orders which of their units cannot fire any more."""
    for task in day.of(Fire):
        for named in task.counters:
            if named.quiet or wins.get((task.player, named.name)) is not task:
                continue
            unit = day.counter(task, named.name)
            if not isinstance(unit, Unit):
                day.undone(task, named.name, "it is gone")
            elif unit.place is None:
                day.undone(task, named.name, "it is in jump transit")
            elif not current(unit).attack:
                day.undone(task, named.name, "it has no attack left")


def _report_aimless(day: Day, aimless: Iterable[tuple[Task, str]]) -> None:
    """Tell, in one sentence for each order, which units of a fleet or of `ALL` had nothing to fire at."""
    groups: dict[int, tuple[Task, list[str]]] = {}
    for task, name in aimless:
        groups.setdefault(id(task), (task, []))[1].append(name)
    for task, names in groups.values():
        day.undone(task, listing(names), "no such target in range")


# --- Targets ---------------------------------------------------------------------------------------------------------------


def _shot(day: Day, unit: Unit, task: Task | None, seen: Seen, aimless: list[tuple[Task, str]]) -> Shot | None:
    """What the unit fires at, with orders or without (SQ-R48), if anything.

    A unit without a target that is not named in its order, but belongs to a fleet or `ALL`, is added to `aimless`.
    """
    covered = day.now.is_covered(unit)
    if task is None:
        targets = (_NEAREST,) if not covered and day.now.options.default_fire == "nearest" else ()
        return _first_in_range(unit, targets, current(unit).attack_range, seen)
    order = task.order
    if not isinstance(order, Fire):
        return None
    if order.if_seen and covered:
        day.undone(task, unit.name, 'it was not seen: it lay under a "?"')
        return None
    reach = current(unit).attack_range
    if order.within is not None:
        reach = min(reach, order.within)
    shot = _first_in_range(unit, order.targets, reach, seen)
    if shot is None:
        if any(named.quiet for named in task.counters if named.name == unit.name):
            aimless.append((task, unit.name))
        else:
            day.undone(task, unit.name, f"it had no such target within {reach}")
    return shot


def _first_in_range(unit: Unit, targets: tuple[Target, ...], reach: int, seen: Seen) -> Shot | None:
    """A shot at the first entry of the list that has a candidate within range."""
    assert unit.place is not None
    here, attack = unit.place.hex, current(unit).attack
    for target in targets:
        if target.kind == "question":
            hexes = [
                where
                for where in seen.questions
                if distance(here, where) <= reach and (target.hex is None or where == target.hex)
            ]
            if hexes:
                return Shot(unit, attack, None, min(hexes, key=lambda where: (distance(here, where), where)))
            continue
        candidates = [enemy for enemy in _candidates(target, seen) if enemy.place and distance(here, enemy.place.hex) <= reach]
        if candidates:
            return Shot(unit, attack, min(candidates, key=lambda enemy: _rank(target, here, enemy)))
    return None


def _candidates(target: Target, seen: Seen) -> list[Unit]:
    if target.kind == "name":
        found = match_name(target.name, seen.units, lambda unit: unit.name).found
        return [found] if found else []
    if target.kind == "hex":
        return [unit for unit in seen.units if unit.place and unit.place.hex == target.hex]
    if target.kind in ("planet", "squadron"):
        return [unit for unit in seen.units if unit.kind == target.kind]
    return list(seen.units)


def _rank(target: Target, here: Hex, enemy: Unit) -> tuple[Any, ...]:
    """The lowest is chosen."""
    assert enemy.place is not None
    away, attack, name = distance(here, enemy.place.hex), -shown_attack(enemy), (enemy.name.casefold(), enemy.name)
    if target.kind in ("strongest", "hex"):
        return attack, away, name
    if target.kind == "weakest":
        return shown_strength(enemy), away, name
    return away, attack, name


# --- Shots -----------------------------------------------------------------------------------------------------------------


def _aimed(start: Position, shot: Shot, dice: Dice) -> Shot:
    """A shot at a "?" hits one of the units under it, drawn by a die if there are several (SQ-R25)."""
    if shot.at is None:
        return shot
    where = Place(shot.place.system, shot.at)
    there = [unit for unit in start.units if unit.side == enemy_of(shot.shooter.side) and unit.spot == where]
    if not there:
        return shot
    return replace(shot, target=there[dice.roll(len(there)) - 1] if len(there) > 1 else there[0])


def _uncover(day: Day, shots: list[Shot]) -> None:
    """A unit that fires gives away its "?" (SQ-83, SQ-R23): all of its side's in its hex, or by option only the first."""
    for side, where in dict.fromkeys((shot.shooter.side, shot.place) for shot in shots):
        there = [question for question in day.now.questions if (question.side, question.place) == (side, where)]
        lost = there[:1] if day.now.options.fire_removes == "one" else there
        day.drop(lost)
        for player in dict.fromkeys(question.player for question in lost):
            ids = [question.id for question in lost if question.player == player]
            day.tell("unmasked", {"player": player, "ids": ids, "place": where.text}, friends(day.now, player))


def _hits(start: Position, now: Position, shots: list[Shot]) -> tuple[Hit, ...]:
    """For each unit hit, in the order of the units, what it takes (SQ-82, SQ-R24, SQ-R27)."""
    options = now.options
    hits: list[Hit] = []
    for unit in start.units:
        attacks = [shot.attack for shot in shots if shot.target == unit]
        if not attacks:
            continue
        total = sum(attacks)
        covered = now.is_covered(unit) or (options.ambush_half and start.is_covered(unit))
        taken = (total + (options.half_rounding == "up")) // 2 if covered else total
        hits.append(Hit(unit, taken, len(attacks), halved=covered))
    return tuple(hits)


def _tell(day: Day, shot: Shot, hits: tuple[Hit, ...]) -> None:
    """The line of the fire log (section 8.2): both sides know who fired, and at what; what a shot at a "?" hit is only for
    those whom it hit."""
    place, target = shot.place, shot.target
    data: dict[str, Any] = {
        "side": shot.shooter.side,
        "system": place.system,
        "shooter": shot.shooter.name,
        "from": place.hex.text,
        "attack": shot.attack,
        "target": target.name if target and shot.at is None else "",
        "at": shot.at.text if shot.at else "",
    }
    if shot.at is None:
        day.tell("shot", data, everyone(day.now))
        return
    if target is None:
        # If players of a side keep to themselves, nobody could be told without learning what an ally has there.
        side = [player.name for player in day.now.players_of(enemy_of(shot.shooter.side))] if day.now.options.share_side else []
        day.tell("shot", data, everyone(day.now), {"hit": ""}, side)
        return
    hit = next(hit for hit in hits if hit.unit == target)
    detail = {"hit": target.name, "taken": hit.taken if hit.attacks == 1 else None}
    day.tell("shot", data, everyone(day.now), detail, friends(day.now, target.player))

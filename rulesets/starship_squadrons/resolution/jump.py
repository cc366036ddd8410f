"""Jumps (7.2, steps 5 to 7): initiation, transit, arrival."""

from dataclasses import replace

from ..orders import Jump
from ..tables import LIMITS
from ..world.condition import current
from ..world.counters import Counter, Question, Transit, Unit, name_of
from ..world.state import Position
from ..world.systems import Place
from .day import Day, Task, friends, is_question_id, winning
from .fleets import together


def initiate(day: Day) -> None:
    """Carry out the JUMP lines: the counters of each hex are a group, and each squadron is tested alone (SQ-R64, SQ-R68)."""
    orders = day.of(Jump)
    wins = winning(orders, lambda order: isinstance(order, Jump))
    for task in orders:
        groups: dict[Place, list[Counter]] = {}
        named = [one for one in task.counters if wins.get((task.player, one.name)) is task]
        for one in named:
            counter = day.counter(task, one.name)
            if counter is not None and counter.place is not None:
                groups.setdefault(counter.place, []).append(counter)
            elif not one.quiet:
                day.undone(task, one.name, "it is gone" if counter is None else "it is not on a board")
        # By the order as given: a squadron that is destroyed, or goes elsewhere, does not allow its decoy to go alone.
        squadrons = any(not is_question_id(one.name) for one in task.counters)
        for place, counters in groups.items():
            _start(day, task, place, counters, decoys=not squadrons)
    day.now = together(day.now)


def _start(day: Day, task: Task, place: Place, counters: list[Counter], *, decoys: bool) -> None:
    """Put those of a hex's counters that can jump into a transit group."""
    order = task.order
    assert isinstance(order, Jump)
    assert isinstance(order.to, Place)
    to = order.to
    away = day.now.jump_distance(place.system, to.system)
    reason = _refusal(day.now, place, to, away)
    goers: list[Counter] = []
    # Squadrons first: they decide whether a "?" goes along.
    for counter in sorted(counters, key=lambda counter: isinstance(counter, Question)):
        if isinstance(counter, Unit):
            why = reason or _too_weak(counter, away)
        else:
            why = reason or _left_alone(day.now, counter, away, decoys, bool(goers))
        if why:
            day.undone(task, name_of(counter), why)
        else:
            goers.append(counter)
    if not goers:
        return
    group = Transit(day.now.next_transit, task.side, task.player, 0, place.system, to, away)
    day.put(*(replace(counter, spot=group.id) for counter in goers))
    day.now = replace(day.now, transits=(*day.now.transits, group), next_transit=group.number + 1)
    data = {
        "player": task.player,
        "counters": [name_of(counter) for counter in goers],
        "from": place.text,
        "to": to.text,
        "distance": away,
    }
    day.tell("jumped", data, friends(day.now, task.player))


def _refusal(position: Position, place: Place, to: Place, away: int) -> str:
    """Why nothing can jump from here to there, "" if it can."""
    if away == 0 and not position.options.micro_jump:
        return f"it is in {to.system} already"
    if position.options.jump_out_limit and position.by_system[place.system].is_within_limit(place.hex):
        return "it is within a 100-diameter limit"
    if position.by_system[to.system].is_within_limit(to.hex):
        return f"{to.text} is within a 100-diameter limit"
    return ""


def _too_weak(unit: Unit, away: int) -> str:
    """Why this squadron cannot jump that far, "" if it can; a jump within a system needs a working drive and no fuel."""
    if not unit.is_squadron:
        return "planets do not jump"
    drive = current(unit).jump
    if drive < max(1, away):
        return f"its jump factor is {drive}, and the distance {away}"
    return f"it has {unit.fuel} fuel, and the distance is {away}" if unit.fuel < away else ""


def _left_alone(position: Position, question: Question, away: int, decoys: bool, accompanied: bool) -> str:
    """Why this "?" does not jump, "" if it does (SQ-R32, SQ-R68)."""
    if accompanied:
        return ""
    if not decoys:
        return "no squadron of its group jumps"
    reach = LIMITS[position.side(question.side).tech].jump if position.options.dummy_jump else 0
    if not reach:
        return 'no "?" can jump alone'
    return f'a "?" alone reaches {reach} hexes, and the distance is {away}' if reach < away else ""


def advance(day: Day) -> None:
    """All groups move on by one space; by option those of the day only tomorrow (SQ-54, SQ-R67)."""
    early = day.now.options.transit_start == "same_day"
    day.now = replace(
        day.now,
        transits=tuple(
            replace(group, day=group.day + 1) if early or group.id in day.start.by_transit else group
            for group in day.now.transits
        ),
    )


def arrive(day: Day) -> None:
    """Groups that have arrived are put on their hex; each squadron has used one fuel for each hex (SQ-55, SQ-R69)."""
    for group in [group for group in day.now.transits if group.day >= day.now.options.jump_days]:
        units = [unit for unit in day.now.units if unit.spot == group.id]
        questions = [question for question in day.now.questions if question.spot == group.id]
        day.put(
            *(replace(unit, spot=group.to, fuel=max(0, unit.fuel - group.distance)) for unit in units),
            *(replace(question, spot=group.to) for question in questions),
        )
        day.arrived.add(group.side)
        names = [*(unit.name for unit in units), *(question.id for question in questions)]
        data = {"player": group.player, "counters": names, "place": group.to.text}
        day.tell("arrived", data, friends(day.now, group.player))
    through = day.now.options.jump_days
    day.now = together(replace(day.now, transits=tuple(group for group in day.now.transits if group.day < through)))

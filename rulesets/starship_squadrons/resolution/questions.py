""" "?" counters: nullified by sensors, acquired, placed (SQ-25 to SQ-31)."""

from collections.abc import Iterable
from dataclasses import replace

from ..orders import ANY_QUESTION, PlaceQuestion
from ..world.counters import Question, Spot
from ..world.sight import is_in_range, sensors_of, sight
from ..world.state import Position
from ..world.systems import Place, SideNumber, enemy_of
from .day import Day, Task, friends, side_players


def nullify(day: Day) -> None:
    """Eliminate every "?" within the range of an enemy sensor, of both sides at once (SQ-28, SQ-R20, SQ-R21)."""
    gone = _exposed(day.now)
    day.drop(question for lost in gone.values() for question in lost)
    looks = {side: sight(day.now, side) for side in (1, 2)} if gone else {}
    for (side, place), lost in sorted(gone.items()):
        day.sensed.add(side)
        _tell_exposed(day, place, lost)
        units = looks[enemy_of(side)][place.system].units
        names = [unit.name for unit in units if unit.spot == place]
        data = {"place": place.text, "names": names}
        day.tell("pierced", data, side_players(day.now, enemy_of(side)))


def _exposed(position: Position) -> dict[tuple[SideNumber, Place], list[Question]]:
    """The "?" in the range of an enemy sensor, by side and hex."""
    eyes = {side: sensors_of(position, enemy_of(side)) for side in (1, 2)}
    found: dict[tuple[SideNumber, Place], list[Question]] = {}
    for question in position.questions:
        place = question.place
        if place is not None and is_in_range(place.hex, eyes[question.side].get(place.system, ())):
            found.setdefault((question.side, place), []).append(question)
    return found


def _tell_exposed(day: Day, place: Place, lost: Iterable[Question]) -> None:
    ids: dict[str, list[str]] = {}
    for question in lost:
        ids.setdefault(question.player, []).append(question.id)
    for player, own in ids.items():
        day.tell("exposed", {"player": player, "ids": own, "place": place.text}, friends(day.now, player))


def acquire(day: Day) -> None:
    """The daily "?" of both sides, into the reserve of the player whose turn it is (SQ-30, SQ-R30)."""
    for side in (1, 2):
        for player in day.now.players_of(side):
            due = day.now.questions_due(player.name)
            if not due:
                continue
            first = player.next_question
            new = tuple(Question(number, side, player.name) for number in range(first, first + due))
            later = day.now.with_player(replace(player, next_question=first + due))
            day.now = replace(later, questions=(*day.now.questions, *new))
            data = {"player": player.name, "ids": [question.id for question in new]}
            day.tell("acquired", data, friends(day.now, player.name))


def place(day: Day) -> None:
    """Carry out the PLACE lines (SQ-31, SQ-R28)."""
    for task in day.of(PlaceQuestion):
        order = task.order
        assert isinstance(order, PlaceQuestion)
        question = _from_reserve(day, task.player, order.question)
        spot, why = _target(day, task, order)
        if question is None:
            day.undone(task, "", 'no such "?" is in your reserve')
        elif not spot:
            day.undone(task, "", why)
        else:
            day.put(replace(question, spot=spot))
            _tell_placed(day, task, question, order.unit, spot.text if isinstance(spot, Place) else "jump transit")


def _tell_placed(day: Day, task: Task, question: Question, unit: str, where: str) -> None:
    data = {"player": task.player, "id": question.id, "where": where, "unit": unit}
    day.tell("placed", data, friends(day.now, task.player))


def _from_reserve(day: Day, player: str, wanted: str) -> Question | None:
    reserve = [question for question in day.now.questions if question.player == player and question.in_reserve]
    found = (question for question in reserve if wanted in (ANY_QUESTION, question.id))
    return min(found, key=lambda question: question.number, default=None)


def _target(day: Day, task: Task, order: PlaceQuestion) -> tuple[Spot, str]:
    """Where the "?" goes, or "" and why it cannot."""
    if order.at is not None:
        assert isinstance(order.at, Place)
        return order.at, ""
    unit = day.now.unit_of(task.side, order.unit)
    if not day.now.options.share_side and (unit is None or (unit.player != task.player and day.now.is_covered(unit))):
        # If allies keep to themselves, putting a "?" on something they hide must not reveal it.
        return "", f"{order.unit} is gone, or not in view"
    return (unit.spot, "") if unit is not None else ("", f"{order.unit} is gone")

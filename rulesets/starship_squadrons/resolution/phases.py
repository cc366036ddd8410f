"""The game phase by phase (7.5), where one that awaits nobody is passed at once; and the end of every day."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbmd.rules import Dice

from ..position import is_called
from ..world.sight import remembered
from ..world.state import Phase, Position
from . import absence, fire, jump, movement, questions, supply
from .day import Day, Stage
from .fleets import take_orders, together
from .movement import Routes, rested
from .victory import check_victory, take_control


class _Step(NamedTuple):
    """A phase: the stage of the day it belongs to, whether "?" are removed after it, and the phase that follows."""

    stage: Stage
    removal: bool
    then: Phase


_STEPS: Mapping[str, _Step] = {
    "1a": _Step("1", removal=False, then="1b"),
    "1b": _Step("1", removal=True, then="1f"),
    "1f": _Step("1", removal=False, then="2a"),
    "2a": _Step("2", removal=False, then="2b"),
    "2b": _Step("2", removal=True, then="2f"),
    "2f": _Step("2", removal=False, then="ops"),
    "ops": _Step("end", removal=False, then="1a"),
}


def one_phase(position: Position, dice: Dice) -> Day:
    """Resolve the phase, with the orders on file."""
    step = _STEPS[position.phase]
    day = Day(position, position, stage=step.stage)
    day.tell("phase", {"phase": position.phase}, None)
    take_orders(day)
    sent = tuple(sheet.seat for sheet in position.sheets)
    missed = tuple(player.name for player in position.players if player.name not in sent and is_called(position, player))
    # Each seat once, in its first place.
    mailed = tuple(dict.fromkeys((*position.mailed, *sent)))
    overdue = tuple(dict.fromkeys((*position.overdue, *missed)))
    side = position.mover
    if position.phase == "ops":
        end_day(day, mailed, tuple(name for name in overdue if name not in mailed))
        mailed = overdue = ()
    elif side is not None:
        movement.move(day, side, 0, Routes())
        if step.removal:
            questions.nullify(day)
    else:
        fire.fire(day, 0, dice)
    phase = day.now.phase if day.now.is_over else step.then
    # What was lost in the phase is in no fleet any more when the next one begins.
    day.now = together(replace(day.now, phase=phase, sheets=(), missed=(), mailed=mailed, overdue=overdue))
    if position.phase != "ops":
        day.now = replace(day.now, sightings=remembered(day.now))
    return day


# --- The end of a day -----------------------------------------------------------------------------------------------------


def end_day(day: Day, sent: Sequence[str], missed: Sequence[str]) -> None:
    """Resupply and repair, jumps, control, "?", absences, victory (7.2, steps 4 to 10).

    `sent` are those who sent orders for the day, first come first, and `missed` those who should have.
    """
    day.stage = "end"
    supply.stock_starports(day)
    supply.transfer(day)
    supply.repair(day)
    supply.refuel(day)
    jump.initiate(day)
    jump.advance(day)
    jump.arrive(day)
    take_control(day)
    questions.acquire(day)
    questions.place(day)
    day.now = rested(replace(day.now, sightings=remembered(day.now)))
    absence.count_misses(day, sent, missed)
    absence.pass_on(day, sent)
    check_victory(day)
    day.now = replace(day.now, day=day.now.day + 1)

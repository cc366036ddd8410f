"""The end of a day: resupply and repair, jumps, control, "?", absences, victory (7.2, steps 4 to 10)."""

from collections.abc import Sequence
from dataclasses import replace

from . import absence, control, jump, questions, supply
from .day import Day
from .movement import rested
from .sight import remembered
from .victory import check_victory


def end_day(day: Day, sent: Sequence[str], missed: Sequence[str]) -> None:
    """Carry these steps out; `sent` are who sent orders for the day, first come first, and `missed` who should have."""
    day.stage = "end"
    supply.stock_starports(day)
    supply.transfer(day)
    supply.repair(day)
    supply.refuel(day)
    jump.initiate(day)
    jump.advance(day)
    jump.arrive(day)
    control.take_control(day)
    questions.acquire(day)
    questions.place(day)
    day.now = rested(replace(day.now, sightings=remembered(day.now)))
    absence.count_misses(day, sent, missed)
    absence.pass_on(day, sent)
    check_victory(day)
    day.now = replace(day.now, day=day.now.day + 1)

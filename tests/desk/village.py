"""A game of Village (tests/rules/village) at a desk: hidden roles, and press by the rules."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction
from tests.desk.world import World

SEATS = ("Altair", "Borealis", "Cygnus", "Deneb", "Electra", "Fornax", "Gienah")


def village(world: World, wolves: Sequence[str] = ("Altair", "Borealis"), dead: Sequence[str] = (), **terms: Any) -> World:
    """A game in its first night; these are the wolves, and these are dead."""
    world.start(seats=SEATS, ruleset="village", **{"reminders": ()} | terms)
    world.act("galaxy-7", cast, wolves, dead)
    return world


def cast(work: Transaction, table: OpenGame, wolves: Sequence[str], dead: Sequence[str]) -> None:
    """Give the roles by hand."""
    villagers = (replace(each, wolf=each.name in wolves, dead=each.name in dead) for each in table.position.villagers)
    work.move(table, replace(table.position, villagers=tuple(villagers)))


def choose(world: World, victim: str, *seats: str) -> None:
    """These seats, or all that are awaited, point at somebody, and the night or day is over."""
    for seat in seats or SEATS:
        world.send(seat, f"Point at {victim}")
    world.pass_time(timedelta(hours=1))

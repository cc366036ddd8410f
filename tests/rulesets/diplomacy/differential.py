"""Random movement phases, adjudicated here and by the package `diplomacy` from PyPI: what differs, and why.

    python -m tests.rulesets.diplomacy.differential --phases 20000

The package is not needed by anything else (`pip install pbmd-games[bench]`). A difference is explained if it goes away

- "land fallback": with that option: the package lets armies whose convoy fails walk (DATC 6.G.8, 4.A.3)
- "own supports": without supports of attacks on units of the supporter's own power. The package looks for the power that
  is attacked behind the last word of the order, which can be VIA, and counts them where it looks for disrupted convoys
- "retreats over sea": in the places only to which units can retreat that were dislodged over sea: the package lists occupied
  and contested ones
- "no route ordered": with such an army ordered by land, where no fleets carry it: the package lets it walk then, but not where
  the fleets that carry it are dislodged
- "several routes": with a hold in place of the convoys of armies that no fleets can carry here. Where a dislodged fleet is on
  several routes the package takes out every second one only, as it goes through the list that it shortens
- "superfluous fleet": without convoys by fleets that are on no route which would be none without them: the package takes such
  a fleet of the army's own power for the wish to go by sea (DATC 6.G.19)
- "no paradox": with a hold in place of supports of a fleet that carries an attack on whoever gives the support: the package
  sees a paradox there, though the fleet is not dislodged whether the support is cut or not
- "support's coast": with the coast of the move in the supports of it: the package puts it there itself (DATC 6.B.9, 4.B.4)

The exit code is 1 if any difference is left.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

from rulesets.diplomacy.resolution.adjudication import Adjudication, Order, adjudicate, result_of
from rulesets.diplomacy.resolution.movement import open_retreats, unit_after
from rulesets.diplomacy.resolution.pieces import Piece
from rulesets.diplomacy.world.board import board
from rulesets.diplomacy.world.commands import Convoy, Hold, Move, SupportHold, SupportMove
from rulesets.diplomacy.world.units import province_of
from tests.rulesets.diplomacy.chance import random_phase

BOARD = board("standard")


class After(NamedTuple):
    """The units left in place, and those that can retreat with the places."""

    units: tuple[str, ...]
    retreats: Mapping[str, tuple[str, ...]]


def ours(orders: Sequence[Order], *, land_fallback: bool = False) -> tuple[After, Adjudication]:
    """What pbmd says."""
    found = adjudicate(BOARD, orders, land_fallback=land_fallback)
    left = [(piece.power.upper(), unit_after(piece)) for piece in found.pieces if not found.dislodger(piece)]
    occupied = {unit.province for _, unit in left}
    units = sorted(f"{power} {unit.text}" for power, unit in left)
    retreats = {
        _named(piece): tuple(sorted(open_retreats(BOARD, piece, winner, occupied, found)))
        for piece in found.pieces
        if (winner := found.dislodger(piece))
    }
    return After(tuple(units), {unit: places for unit, places in retreats.items() if places}), found


def _named(piece: Piece) -> str:
    return f"{piece.power.upper()} {piece.order.unit.text}"


def theirs(orders: Sequence[Order]) -> After:
    """What the package says."""
    game: Any = importlib.import_module("diplomacy").Game()
    game.clear_units()
    game.clear_centers()
    by_power: dict[str, list[Order]] = {}
    for order in orders:
        by_power.setdefault(order.power.upper(), []).append(order)
    for power, own in by_power.items():
        game.set_units(power, [order.order.unit.text for order in own])
    for power, own in by_power.items():
        game.set_orders(power, [order.order.text for order in own])
    game.process()
    units = sorted(f"{name} {unit}" for name, power in game.powers.items() for unit in power.units)
    retreats = {
        f"{name} {unit}": tuple(sorted(places))
        for name, power in game.powers.items()
        for unit, places in power.retreats.items()
    }
    return After(tuple(units), retreats)


def without_own_supports(orders: Sequence[Order]) -> list[Order]:
    """With a hold in place of each support of an attack on a unit of the same power."""
    owners = {order.order.unit.province: order.power for order in orders}
    return [
        Order(power, Hold(order.unit))
        if isinstance(order, SupportMove) and owners.get(province_of(order.to)) == power
        else Order(power, order)
        for power, order in orders
    ]


def with_right_coasts(orders: Sequence[Order]) -> list[Order]:
    """With the coast of the move in supports of it."""
    moves = {order.unit.province: order.to for _, order in orders if isinstance(order, Move)}

    def righted(each: Order) -> Order:
        order = each.order
        to = moves.get(order.mover.province, "") if isinstance(order, SupportMove) else ""
        if isinstance(order, SupportMove) and province_of(to) == province_of(order.to):
            return Order(each.power, replace(order, to=to))
        return each

    return [righted(each) for each in orders]


def without_routes(orders: Sequence[Order]) -> list[Order]:
    """By land where an army is ordered by convoy to a province next to it, and no fleets make a chain for it."""
    carried = [
        (order.army.province, province_of(order.to), order.unit.place) for _, order in orders if isinstance(order, Convoy)
    ]

    def by_land(each: Order) -> Order:
        order = each.order
        if isinstance(order, Move) and order.via and order.to in BOARD.army_reach[order.unit.place]:
            seas = [sea for home, to, sea in carried if (home, to) == (order.unit.place, order.to) and sea in BOARD.touching]
            if not BOARD.goes_by_sea(order.unit.place, order.to, seas):
                return Order(each.power, replace(order, via=False))
        return each

    return [by_land(each) for each in orders]


def without_failed_convoys(orders: Sequence[Order]) -> list[Order]:
    """With a hold in place of each convoy of an army that is not carried."""
    _, found = ours(orders)
    failed = {piece.home for piece in found.pieces if piece.to and not piece.open}
    return [
        Order(power, Hold(order.unit)) if isinstance(order, Convoy) and order.army.province in failed else Order(power, order)
        for power, order in orders
    ]


def without_superfluous_fleets(orders: Sequence[Order]) -> list[Order]:
    """With a hold in place of each convoy on no smallest route of all fleets at sea: those that show where an army is meant to
    go stay, though the others of their route were not ordered (DATC 6.G.6)."""
    seas = [order.unit.place for _, order in orders if order.unit.place in BOARD.touching]
    routes: dict[tuple[str, str], list[set[str]]] = {}
    for _, order in orders:
        if isinstance(order, Convoy):
            routes.setdefault((order.army.province, province_of(order.to)), [])
    for (home, to), found in routes.items():
        for size in range(1, 1 + len(seas)):
            for some in combinations(seas, size):
                if not any(route <= {*some} for route in found) and BOARD.goes_by_sea(home, to, some):
                    found.append({*some})
    return [
        Order(power, Hold(order.unit))
        if isinstance(order, Convoy)
        and not any(order.unit.place in route for route in routes[order.army.province, province_of(order.to)])
        else Order(power, order)
        for power, order in orders
    ]


def without_supports_of_attackers(orders: Sequence[Order]) -> list[Order]:
    """With a hold in place of each support of a fleet that carries an attack on the unit that gives it."""
    carries = {order.unit.province: province_of(order.to) for _, order in orders if isinstance(order, Convoy)}
    return [
        Order(power, Hold(order.unit))
        if isinstance(order, SupportHold) and carries.get(order.target.province) == order.unit.province
        else Order(power, order)
        for power, order in orders
    ]


def only_over_sea(one: After, other: After, found: Adjudication) -> bool:
    """Whether they differ in nothing but closed places to which units dislodged over sea could go."""
    over_sea = {_named(piece) for piece in found.pieces if (winner := found.dislodger(piece)) and winner.convoyed}
    closed = {unit.split(" ")[-1][:3] for unit in one.units} | found.contested
    units = {*one.retreats, *other.retreats}
    return one.units == other.units and all(
        one.retreats.get(unit, ()) == other.retreats.get(unit, ())
        or (
            unit in over_sea
            and set(one.retreats.get(unit, ())) <= set(other.retreats.get(unit, ()))
            and {place[:3] for place in other.retreats.get(unit, ())} - {place[:3] for place in one.retreats.get(unit, ())}
            <= closed
        )
        for unit in units
    )


CHANGES: Mapping[str, Callable[[Sequence[Order]], Sequence[Order]]] = {
    "own supports": without_own_supports,
    "no route ordered": without_routes,
    "several routes": without_failed_convoys,
    "superfluous fleet": without_superfluous_fleets,
    "no paradox": without_supports_of_attackers,
    "support's coast": with_right_coasts,
}


def explanation(orders: Sequence[Order]) -> str:
    """Why the two differ, "same" if they do not, "" if it is not known."""
    there = theirs(orders)
    here, found = ours(orders)
    if here == there:
        return "same"
    if only_over_sea(here, there, found):
        return "retreats over sea"
    if only_over_sea(*_with_fallback(orders, there)):
        return "land fallback"
    for chosen in sorted(product((False, True), repeat=len(CHANGES)), key=sum):
        changed, names = orders, [name for name, is_chosen in zip(CHANGES, chosen, strict=True) if is_chosen]
        for name in names:
            changed = CHANGES[name](changed)
        there = theirs(changed)
        for fallback in (False, True):
            here, found = ours(changed, land_fallback=fallback)
            if only_over_sea(here, there, found):
                return " and ".join([*names, *(["land fallback"] if fallback else [])])
    return ""


def _with_fallback(orders: Sequence[Order], there: After) -> tuple[After, After, Adjudication]:
    here, found = ours(orders, land_fallback=True)
    return here, there, found


def say(line: str) -> None:
    """A line for whoever runs this."""
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Compare, count, and print what is not explained."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--phases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    for seed in range(asked.seed, asked.seed + asked.phases):
        orders = random_phase(Random(seed), BOARD)
        why = explanation(orders)
        counts[why or "NOT EXPLAINED"] += 1
        if not why:
            here, found = ours(orders)
            there = theirs(orders)
            say(f"seed {seed}: here {sorted({*here.units} - {*there.units})}, there {sorted({*there.units} - {*here.units})}")
            say(f"  retreats here {here.retreats}, there {there.retreats}")
            for piece in found.pieces:
                result, by = result_of(found.field, piece)
                say(f"  {piece.power:8} {piece.order.text:32} {result} {' '.join(by)} {piece.problem}")
    for why, many in counts.most_common():
        say(f"{many:6} {why}")
    return 1 if counts["NOT EXPLAINED"] else 0


if __name__ == "__main__":
    sys.exit(main())

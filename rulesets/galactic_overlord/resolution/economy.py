"""What building and repairing does to a faction (step 1). The check on arrival uses the same code, so its predictions are
exact."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pbmd.rules import fold
from pbmd.rules.words import counted

from ..orders import BaseItem, Build, Repair, ShipItem
from ..tables import CLASSES, DAMAGE_OF, HULL_OF, KIND_OF, REPAIR_COST, STATES, WEAPON_OF, GameOptions
from ..world.fleets import Navy, add, remove
from ..world.state import Base, Position, automatic_name


@dataclass(slots=True)
class Holdings:
    """How many home bases a faction holds, and how many bases in the game it has built."""

    home: int = 0
    built: int = 0


@dataclass(slots=True)
class Yard:
    """A faction's purse, navy and bases while its Build and Repair lines are processed.

    `allowance` is the number of home bases at the start of the turn (GO-R07). `priced` bases count for the price of the next
    one, `built_ever` for its automatic name. `taken` are the folded names of all bases in the game.
    """

    faction: str
    bp: int
    navy: Navy
    allowance: int
    priced: int
    built_ever: int
    taken: set[str]
    new_bases: list[str] = field(default_factory=list)
    built: dict[int, int] = field(default_factory=dict)
    repaired: dict[int, int] = field(default_factory=dict)
    build_cost: int = 0
    repair_cost: int = 0

    def copy(self) -> "Yard":
        """The same, for trying out an order."""
        return replace(
            self,
            navy=dict(self.navy),
            taken=set(self.taken),
            new_bases=list(self.new_bases),
            built=dict(self.built),
            repaired=dict(self.repaired),
        )


def yard_of(faction: str, bp: int, navy: Navy, held: Holdings, taken: set[str], options: GameOptions) -> Yard:
    """The faction's yard at the start of a turn; this changes `navy`, and `taken`, which all factions share when a turn is
    resolved."""
    priced = held.home if options.base_price_count == "held" else held.built
    return Yard(faction, bp, navy, held.home, priced, held.built, taken)


def holdings(bases: Iterable[Base]) -> defaultdict[str, Holdings]:
    """For each faction how many home bases it holds, and how many bases it has built."""
    found: defaultdict[str, Holdings] = defaultdict(Holdings)
    for _, owner, builder, _ in bases:
        held = found[builder]
        held.built += 1
        if owner == builder:
            held.home += 1
    return found


def base_names(position: Position) -> set[str]:
    """The folded names of all bases in the game."""
    return {*_folded(tuple([base.name for base in position.bases]))}


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...]) -> frozenset[str]:
    """Each letter needs those of its game, which stay the same for a turn."""
    return frozenset(map(fold, names))


def carry_out(yard: Yard, order: Build | Repair, options: GameOptions) -> list[str]:
    """Build or repair unit by unit as far as the BP go (GO-R09); returns what falls short, in sentences."""
    if isinstance(order, Repair):
        return _repair(yard, order)
    problems: list[str] = []
    for item in order.items:
        if isinstance(item, ShipItem):
            _build_ships(yard, item, problems)
        else:
            _build_bases(yard, item, options, problems)
    return problems


def _build_ships(yard: Yard, item: ShipItem, problems: list[str]) -> None:
    ship = CLASSES[item.kind]
    if ship.bases > yard.allowance:
        problems.append(f"a {ship.name} needs {ship.bases} home bases at the start of the turn")
        return
    count = min(item.count, yard.bp // ship.cost)
    if count:
        add(yard.navy, item.kind * STATES, count)
        add(yard.built, item.kind, count)
        yard.bp -= count * ship.cost
        yard.build_cost += count * ship.cost
    if count != item.count:
        problems.append(f"BP for {count} of {ship.counted(item.count)} only")


def _build_bases(yard: Yard, item: BaseItem, options: GameOptions, problems: list[str]) -> None:
    for place in range(item.count):
        price = options.base_price(yard.priced + 1)
        if price > yard.bp:
            problems.append(f"BP for {place} of {counted(item.count, 'base')} only; the next costs {price}")
            break
        name = item.names[place] if place < len(item.names) else ""
        folded = fold(name)
        if not name or folded in yard.taken:
            automatic = automatic_name(yard.faction, yard.built_ever, yard.taken)
            if name:
                problems.append(f'the name "{name}" was taken before; the base is called {automatic}')
            name, folded = automatic, fold(automatic)
        yard.taken.add(folded)
        yard.new_bases.append(name)
        yard.priced += 1
        yard.built_ever += 1
        yard.bp -= price
        yard.build_cost += price


def _repair(yard: Yard, order: Repair) -> list[str]:
    if not order.items:
        return _repair_all(yard)
    problems: list[str] = []
    for item in order.items:
        damaged = sorted((alike for alike in yard.navy if KIND_OF[alike] == item.kind and DAMAGE_OF[alike]), reverse=True)
        there = sum(yard.navy[alike] for alike in damaged)
        done = _mend(yard, damaged, min(item.count, there))
        if done < min(item.count, there):
            problems.append(f"BP to repair {done} of {CLASSES[item.kind].counted(min(item.count, there))} only")
        if there < item.count:
            problems.append(f"only {there} of {CLASSES[item.kind].counted(item.count)} damaged")
    return problems


def _repair_all(yard: Yard) -> list[str]:
    damaged = [alike for alike in yard.navy if DAMAGE_OF[alike]]
    damaged.sort(key=lambda alike: (-HULL_OF[KIND_OF[alike]], WEAPON_OF[KIND_OF[alike]], -DAMAGE_OF[alike]))
    there = sum(yard.navy[alike] for alike in damaged)
    done = _mend(yard, damaged, there)
    if done < there:
        return [f"BP to repair {done} of {counted(there, 'damaged ship')} only"]
    return [] if there else ["no ship is damaged"]


def _mend(yard: Yard, damaged: list[int], count: int) -> int:
    """Repair up to `count` ships in this order, as far as the BP go (GO-R10); returns how many."""
    left = min(count, yard.bp // REPAIR_COST)
    done = 0
    for alike in damaged:
        mended = min(yard.navy[alike], left - done)
        if not mended:
            break
        remove(yard.navy, alike, mended)
        add(yard.navy, KIND_OF[alike] * STATES, mended)
        add(yard.repaired, KIND_OF[alike], mended)
        done += mended
    yard.bp -= done * REPAIR_COST
    yard.repair_cost += done * REPAIR_COST
    return done

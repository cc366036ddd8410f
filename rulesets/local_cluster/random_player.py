"""Order text of a random player who wants to win: for `pbmd simulate`, for fuzzing, for the demo."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .orders import TREATY_WORDS, Treaty
from .world.economy import (
    blockaded,
    has_portal,
    portal_range,
    resource_cost,
    slots,
    tax_income,
    technology_cost,
    trade_income,
    trade_treaties,
    unit_cost,
    unit_limit,
    upkeep,
)
from .world.state import Army, Fleet, Position, capacity

T = TypeVar("T")

_WARS = 3
_TIRED = 25
"""From this Turn on players begin to agree on a winner."""


@dataclass(slots=True)
class _Draft:
    """A mail in the making: its lines, the credits that will be there, and with whom there will be war."""

    position: Position
    seat: str
    dice: Dice
    lines: list[str] = field(default_factory=list[str])
    purse: int = 0
    enemies: set[str] = field(default_factory=set[str])

    def chance(self, chances: int) -> bool:
        return one_in(self.dice, chances)

    def pick(self, choices: Sequence[T]) -> T:
        return pick(self.dice, choices)

    def pay(self, cost: int) -> bool:
        """Whether that can be paid; if so, it is."""
        if cost > self.purse:
            return False
        self.purse -= cost
        return True


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """A legal move of a player who is awaited, in all the forms there are; sometimes nothing but its end."""
    draft = _Draft(position, seat, dice)
    draft.enemies = {other.name for other in position.states if position.at_war(seat, other.name)}
    draft.purse = position.by_name[seat].credits
    if position.turn > 0:
        draft.purse += tax_income(position, seat) + trade_income(position, seat) - upkeep(position, seat)
        if draft.chance(30):
            return draft.pick(("End move", "Pass", "No actions", "end turn."))
    _diplomacy(draft)
    if position.turn > 0:
        _disbanding(draft)
        _wars(draft)
        _movement(draft)
        _research(draft)
    _units(draft)
    _resources(draft)
    if position.turn > 0:
        _capital(draft)
    lines = [*draft.lines, draft.pick(("End move", "pass", "no orders"))]
    return "\n".join(f"{draft.pick(('', '', '- ', f'{place}. '))}{line}" for place, line in enumerate(lines, start=1))


# --- Diplomacy ------------------------------------------------------------------------------------------------------------


def _diplomacy(draft: _Draft) -> None:
    kinds = ("player", "npc") if draft.position.turn > 0 else ("player",)
    others = [state.name for state in draft.position.states if state.name != draft.seat and state.kind in kinds]
    _answers(draft)
    _treaties(draft, others)
    _breach(draft, others)
    _gift(draft)
    _proclamation(draft)


def _answers(draft: _Draft) -> None:
    for offer in draft.position.offers:
        if offer.to == draft.seat:
            verb = draft.pick(("Accept", "Accept", "accept the", "Decline", "Refuse"))
            draft.lines.append(f"{verb} {TREATY_WORDS[offer.treaty]} from {offer.by}")
        elif offer.by == draft.seat and draft.chance(8):
            draft.lines.append(f"Withdraw {TREATY_WORDS[offer.treaty]} offer to {offer.to}")


def _treaties(draft: _Draft, others: Sequence[str]) -> None:
    for _ in range(min(2, len(others))):
        other = draft.pick(others)
        if treaty := _wish(draft, other):
            draft.lines.append(f"{draft.pick(('Offer', 'Propose'))} {TREATY_WORDS[treaty]} to {other}")


def _breach(draft: _Draft, others: Sequence[str]) -> None:
    partners = [name for name in others if draft.position.have_pact(draft.seat, name)]
    if partners and draft.chance(12):
        draft.lines.append(f"{draft.pick(('Null military pact', 'Cancel pact', 'Break pact'))} with {draft.pick(partners)}")


def _gift(draft: _Draft) -> None:
    position, seat = draft.position, draft.seat
    rivals = [s.name for s in position.players if s.name != seat and not position.at_war(seat, s.name)]
    if rivals and draft.chance(20) and draft.pay(1):
        draft.lines.append(draft.pick(("Gift 1 credit to {}", "Send 1 cr to {}", "Give {} 1")).format(draft.pick(rivals)))


def _proclamation(draft: _Draft) -> None:
    position = draft.position
    if position.turn >= _TIRED and draft.chance(6):
        leader = max(position.players, key=lambda state: len(position.owned_by(state.name)))
        draft.lines.append(f"Proclaim {leader.name} {draft.pick(('winner', 'as the winner', 'as winner'))}")
    elif draft.chance(40):
        draft.lines.append(draft.pick(("Proclaim nobody", f"Proclaim {draft.seat}")))


def _wish(draft: _Draft, other: str) -> Treaty | None:
    """The treaty that would benefit both; None if there is none to be had."""
    position, relation = draft.position, draft.position.relation(draft.seat, other)
    if relation.at_war:
        return "peace" if position.by_name[other].kind == "player" and draft.chance(3) else None
    limit = position.options.trade_limit
    if not relation.trade and max(trade_treaties(position, draft.seat), trade_treaties(position, other)) < limit:
        return "trade"
    return "pact" if not relation.pact and draft.chance(8) else None


def _wars(draft: _Draft) -> None:
    """War on a neighbour when armies are aboard and there is nobody else to fight near them."""
    near = _within_reach(draft)
    loaded = any(army.owner == draft.seat and army.fleet for army in draft.position.armies)
    only_peaceful = bool(near) and draft.enemies.isdisjoint(near)
    if loaded and only_peaceful and len(draft.enemies) < _WARS * 4 and not draft.chance(3):
        target = draft.pick(near)
        draft.enemies.add(target)
        draft.lines.append(f"{draft.pick(('Declare war on', 'War on', 'Declare war against'))} {target}")


def _within_reach(draft: _Draft) -> list[str]:
    """The owners of planets beside a fleet, except partners in a pact."""
    position, seat = draft.position, draft.seat
    reached = [near for fleet in _fleets(draft) for near in position.galaxy.neighbours[fleet.planet]]
    owners = dict.fromkeys(position.planet(name).owner for name in reached)
    return [name for name in owners if name != seat and not position.have_pact(seat, name)]


# --- Movement -------------------------------------------------------------------------------------------------------------


def _fleets(draft: _Draft) -> list[Fleet]:
    return [fleet for fleet in draft.position.fleets if fleet.owner == draft.seat]


def _surface(draft: _Draft, planet: str) -> list[Army]:
    return [army for army in draft.position.armies if army.owner == draft.seat and army.planet == planet]


def _disbanding(draft: _Draft) -> None:
    armies = [army.id for army in draft.position.armies if army.owner == draft.seat]
    if len(armies) > 2 and draft.chance(30):
        draft.lines.append(f"Disband {armies[-1]}")


def _movement(draft: _Draft) -> None:
    cargo = _cargo(draft)
    for base, fleets in _fleets_by_base(draft).items():
        loaded = [fleet for fleet in fleets if fleet.id in cargo]
        armies = [army for fleet in loaded for army in cargo[fleet.id]]
        if draft.position.planet(base).owner in draft.enemies:
            _assault(draft, base, fleets, armies)
            continue
        if loaded and not draft.chance(6):
            _advance(draft, base, loaded, armies)
        _load(draft, base, [fleet for fleet in fleets if fleet.id not in cargo])
    if draft.chance(3):
        _portal_trip(draft)


def _cargo(draft: _Draft) -> dict[str, list[str]]:
    """The armies aboard each fleet that has any."""
    cargo: dict[str, list[str]] = {}
    for army in draft.position.armies:
        if army.fleet and army.owner == draft.seat:
            cargo.setdefault(army.fleet, []).append(army.id)
    return cargo


def _fleets_by_base(draft: _Draft) -> dict[str, list[Fleet]]:
    bases: dict[str, list[Fleet]] = {}
    for fleet in _fleets(draft):
        bases.setdefault(fleet.planet, []).append(fleet)
    return bases


def _assault(draft: _Draft, planet: str, fleets: list[Fleet], armies: list[str]) -> None:
    """Above an enemy's planet: bombard, land."""
    if draft.chance(2) or not armies:
        names = ", ".join(fleet.id for fleet in fleets)
        forms = (f"Bombard {planet}", f"Bombard {planet} with all fleets", f"Bombard {planet} with {names}")
        draft.lines.append(draft.pick(forms))
    if armies:
        forms = (f"Land {' and '.join(armies)} on {planet}", f"Land all armies on {planet}", f"Unload {armies[0]} at {planet}")
        draft.lines.append(draft.pick(forms))


def _advance(draft: _Draft, base: str, fleets: list[Fleet], armies: list[str]) -> None:
    """To an enemy's planet nearby and at once onto its surface, or else closer to an enemy."""
    position, near = draft.position, draft.position.galaxy.neighbours[base]
    targets = [name for name in near if position.planet(name).owner in draft.enemies]
    names = ", ".join(fleet.id for fleet in fleets)
    if targets:
        weakest = min(targets, key=lambda name: sum(fleet.planet == name for fleet in position.fleets))
        target = weakest if draft.chance(2) else draft.pick(targets)
        draft.lines.append(f"Move {names} {draft.pick((f'from {base} ', ''))}to {target}")
        draft.lines.append(f"Land {', '.join(armies)} on {target}")
    elif allowed := [name for name in near if position.may_be_at(draft.seat, name)]:
        count = f"{len(fleets)} fleets" if len(fleets) > 1 else "1 fleet"
        # The number form takes the lowest numbers, which may be empty fleets: it only works for a few moves.
        which = count if draft.chance(6) else names
        draft.lines.append(f"Move {which} from {base} to {draft.pick(allowed)}")


def _load(draft: _Draft, base: str, fleets: list[Fleet]) -> None:
    armies, room = _surface(draft, base), capacity(draft.position, draft.seat)
    if not fleets or not armies:
        return
    if draft.chance(5):
        draft.lines.append(draft.pick((f"Load all armies at {base}", f"Load 1 army at {base}", f"Board an army on {base}")))
        return
    for fleet in fleets:
        boarding, armies = armies[:room], armies[room:]
        if boarding:
            names = ", ".join(army.id for army in boarding)
            draft.lines.append(draft.pick((f"Load {names} onto {fleet.id}", f"Move {names} to {fleet.id}")))


def _portal_trip(draft: _Draft) -> None:
    position, seat = draft.position, draft.seat
    network = [planet.name for planet in position.owned_by(seat) if has_portal(position, planet.name)]
    ends = [(one, two) for one in network for two in network if one != two]
    reach = portal_range(position, seat)
    ends = [(one, two) for one, two in ends if reach >= 99 or position.galaxy.distances(one).get(two, 99) <= reach]
    if not ends:
        return
    start, end = draft.pick(ends)
    if armies := _surface(draft, start):
        forms = (f"Move {armies[-1].id} from {start} to {end} by portal", f"Teleport an army from {start} to {end}")
        draft.lines.append(draft.pick(forms))
    if fleets := [fleet.id for fleet in _fleets(draft) if fleet.planet == start]:
        draft.lines.append(f"Move {fleets[-1]} to {end} via portal")


# --- Spending -------------------------------------------------------------------------------------------------------------


def _research(draft: _Draft) -> None:
    position, known = draft.position, draft.position.by_name[draft.seat].technologies
    rows = [
        row for row in position.data.technology_rows if row.name not in known and all(name in known for name in row.requires)
    ]
    able = [row for row in rows if technology_cost(position, draft.seat, row) <= draft.purse]
    if able and draft.chance(3):
        # The dearest is the way to Ascension.
        dearest = max(able, key=lambda row: row.cost)
        row = dearest if draft.chance(2) else draft.pick(able)
        draft.pay(technology_cost(position, draft.seat, row))
        draft.lines.append(f"Research {row.name}")


def _units(draft: _Draft) -> None:
    """Armies and fleets in step, as long as the income supports them."""
    position, seat = draft.position, draft.seat
    income = tax_income(position, seat) + trade_income(position, seat)
    spare = income - upkeep(position, seat) if position.turn else 4
    fleets, armies = len(_fleets(draft)), sum(army.owner == seat for army in position.armies)
    for planet in position.owned_by(seat):
        able = not blockaded(position, planet.name)
        if able and fleets <= armies and spare >= 4 and draft.pay(unit_cost(position, planet.name, "fleet")):
            fleets, spare = fleets + 1, spare - 3
            draft.lines.append(f"Build {draft.pick(('', 'a ', '1 '))}fleet at {planet.name}")
        number = min(unit_limit(position, planet.name, "army"), spare, fleets + 1 - armies)
        if number > 0 and draft.pay(number * unit_cost(position, planet.name, "army")):
            armies, spare = armies + number, spare - number
            what = f"{number} armies" if number > 1 else draft.pick(("army", "an army", "one army"))
            draft.lines.append(f"{draft.pick(('Build', 'Create'))} {what} {draft.pick(('at', 'on', 'in'))} {planet.name}")


def _resources(draft: _Draft) -> None:
    position, seat = draft.position, draft.seat
    for planet in position.owned_by(seat):
        rows = [row for row in position.data.resource_rows if not (row.unique and row.name in planet.resources)]
        able = [row for row in rows if resource_cost(position, seat, row) <= draft.purse]
        if not able or draft.chance(3):
            continue
        row = max(able, key=lambda row: row.tax) if draft.chance(2) else draft.pick(able)
        if len(planet.resources) < slots(position, planet.name):
            draft.pay(resource_cost(position, seat, row))
            draft.lines.append(f"Develop {row.name} {draft.pick(('on', 'at', 'in'))} {planet.name}")
        elif planet.resources and row.name not in planet.resources and draft.chance(4):
            old = min(planet.resources, key=lambda name: position.data.resources[name].cost)
            if position.data.resources[old].cost < row.cost:
                draft.pay(resource_cost(position, seat, row))
                forms = (f"{old} into {row.name} on {planet.name}", f"{old} on {planet.name} into {row.name}")
                draft.lines.append(f"{draft.pick(('Redevelop', 'Re-develop'))} {draft.pick(forms)}")


def _capital(draft: _Draft) -> None:
    own = [planet.name for planet in draft.position.owned_by(draft.seat)]
    home = draft.position.by_name[draft.seat].home_planet
    others = [name for name in own if name != home]
    if others and draft.purse >= draft.position.options.capital_cost and (home not in own or draft.chance(20)):
        draft.lines.append(
            f"Move {draft.pick(('', 'the ', 'our '))}{draft.pick(('capital', 'home planet'))} to {draft.pick(others)}"
        )

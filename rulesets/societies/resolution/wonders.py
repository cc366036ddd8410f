"""Wonders and spaceships: step 3d, and what becomes of wonders when levels rise and cities fall (SO-112 to SO-142)."""

from ..orders import BuildPart, BuildWonder, Spoils, UseKgb
from ..tables import NEEDS, WONDER_NUMBER, WONDERS
from ..world.squares import Square
from ..world.state import Wonder
from .budget import part_price, terms_of
from .turn import Turn

_Bid = tuple[str, int, BuildWonder]
"""Who bids, the place of the order in the list, and the order."""
_EXPIRING = {"Colosseum": NEEDS["colosseum_expires"], "Silk Road": NEEDS["silk_road_expires"]}


def can_build(turn: Turn, name: str, level: int) -> bool:
    """Whether the society has the technology for it, or the University and somebody else has it (SO-138, SO-R78)."""
    others = (other for other in turn.now.living if other.name != name)
    by_university = turn.now.has_active(name, "University of California") and any(other.tech >= level for other in others)
    return turn.society(name).tech >= level or by_university


def expire(turn: Turn) -> None:
    """The Colosseum and the Silk Road lose their effect for good (SO-128, SO-133, SO-R49)."""
    for name in _EXPIRING:
        wonder = turn.now.wonder.get(name)
        if wonder and wonder.active and _expired(turn, wonder):
            _make_obsolete(turn, wonder, "expired")


def build(turn: Turn) -> None:
    """Step 3d: wonders in ascending number, then parts of spaceships, then the KGB."""
    bids: dict[str, list[_Bid]] = {wonder: [] for wonder in WONDERS}
    for name in turn.acting:
        for place, order, _ in turn.affordable(name, BuildWonder):
            bids[order.wonder].append((name, place, order))
    for wonder in WONDERS:
        _award(turn, wonder, bids[wonder])
    for name in turn.acting:
        for place, order, _ in turn.affordable(name, BuildPart):
            _build_part(turn, name, place, order)
    for name in turn.acting:
        if not turn.obstacle(name, "wonders"):
            for place, order in turn.orders(name, UseKgb):
                _use_kgb(turn, name, place, order)


def settle(turn: Turn, name: str) -> None:
    """Wonders whose cities a society has lost move to cities that it still has (SO-R74)."""
    for wonder in _of(turn, name):
        if wonder.square is not None and wonder.square not in turn.now.territory[name]:
            _move(turn, wonder, name)


def inherit(turn: Turn, victim: str, captor: str, attackers: list[str]) -> None:
    """The wonders of an eliminated society go to the one that took its last city, or to the one that the allies named
    (SO-R75)."""
    for wonder in _of(turn, victim):
        heir = _agreed(turn, victim, wonder.name, attackers) or captor
        changed = wonder._replace(owner=heir)
        turn.put_wonder(changed)
        turn.tell("wonder_captured", heir, {"wonder": wonder.name, "from": victim})
        if wonder.square not in turn.now.territory[heir]:
            _move(turn, changed, heir)
    expire(turn)


def destroy_on(turn: Turn, square: Square) -> None:
    """The wonders of a destroyed city are destroyed for good (SO-R70)."""
    for wonder in turn.now.wonders:
        if wonder.square == square:
            turn.put_wonder(wonder._replace(owner="", square=None, destroyed=True))
            turn.tell("wonder_destroyed", wonder.owner, {"wonder": wonder.name})


# --- Step 3d -------------------------------------------------------------------------------------------------------------


def _award(turn: Turn, wonder: str, made: list[_Bid]) -> None:
    """The highest valid bid wins, among equals the earliest (SO-120, SO-121); only the winner pays (SO-122)."""
    bids: list[_Bid] = []
    for name, place, order in made:
        if why := _why_not(turn, name, order):
            turn.fail(name, place, why)
        else:
            bids.append((name, place, order))
    if not bids:
        return
    # Among equal sums, max takes the first.
    winner, place, order = max(bids, key=lambda bid: bid[2].spend)
    free = turn.now.free_cities(winner)
    square = order.square if order.square and order.square in free else free[0]
    turn.put_wonder(Wonder(wonder, winner, winner, square))
    turn.pay(winner, place, order.spend)
    turn.tell("wonder_built", winner, {"wonder": wonder, "square": square.text})
    turn.tell_alone("purchase", winner, {"what": wonder, "cost": order.spend})
    turn.note(winner, place, f"built at {square.text}, cost {order.spend}")
    for loser, place, order in bids:
        if loser != winner:
            turn.tell_alone("wonder_bid_lost", loser, {"wonder": wonder, "spend": order.spend})
            turn.fail(loser, place, "outbid")
    expire(turn)


def _why_not(turn: Turn, name: str, order: BuildWonder) -> str:
    """Why a bid does not count (SO-R72)."""
    if order.wonder in turn.now.wonder:
        return "wonder_taken"
    if not can_build(turn, name, WONDER_NUMBER[order.wonder]):
        return "tech_missing"
    return "" if turn.now.free_cities(name) else "no_free_city"


def _build_part(turn: Turn, name: str, place: int, order: BuildPart) -> None:
    society, needed = turn.society(name), turn.options.spaceship_parts
    if society.spaceship_parts >= needed:
        turn.fail(name, place, "ship_complete")
        return
    if not can_build(turn, name, NEEDS["part"]):
        turn.fail(name, place, "tech_missing")
        return
    cost, parts = part_price(terms_of(turn.start, name), order), society.spaceship_parts + 1
    turn.pay(name, place, cost, spaceship_parts=parts)
    if parts == needed:
        turn.change(name, engine_spend=cost)
        turn.finished.append(name)
    turn.tell("part_built", name, {"parts": parts, "of": needed})
    turn.tell_alone("purchase", name, {"what": "engines" if parts == needed else "spaceship part", "cost": cost})
    turn.note(name, place, f"part {parts} of {needed} built, cost {cost}")


def _use_kgb(turn: Turn, name: str, place: int, order: UseKgb) -> None:
    """The KGB makes another wonder obsolete, and itself (SO-140, SO-R79)."""
    if not turn.now.has_active(name, "KGB"):
        turn.fail(name, place, "no_kgb")
        return
    wonder = turn.now.wonder.get(order.wonder)
    if wonder is None or not wonder.active or wonder.name == "KGB":
        turn.fail(name, place, "bad_wonder")
        return
    _make_obsolete(turn, wonder, "kgb")
    _make_obsolete(turn, turn.now.wonder["KGB"], "used")
    turn.note(name, place, "done")


# --- Wonders and their cities ---------------------------------------------------------------------------------------------


def _of(turn: Turn, name: str) -> list[Wonder]:
    """The wonders of a society in ascending number."""
    return sorted((w for w in turn.now.wonders if w.owner == name), key=lambda w: WONDER_NUMBER[w.name])


def _move(turn: Turn, wonder: Wonder, name: str) -> None:
    square = (turn.now.free_cities(name) or turn.now.territory[name])[0]
    turn.put_wonder(wonder._replace(square=square))
    turn.tell("wonder_moved", name, {"wonder": wonder.name, "square": square.text})


def _expired(turn: Turn, wonder: Wonder) -> bool:
    by_owner = wonder.name == "Silk Road" and turn.options.silk_road_expires == "owner"
    societies = [turn.society(wonder.owner)] if by_owner else turn.now.living
    return any(society.tech >= _EXPIRING[wonder.name] for society in societies)


def _make_obsolete(turn: Turn, wonder: Wonder, cause: str) -> None:
    turn.put_wonder(wonder._replace(obsolete=True))
    turn.tell("wonder_obsolete", wonder.owner, {"wonder": wonder.name, "cause": cause})


def _agreed(turn: Turn, victim: str, wonder: str, attackers: list[str]) -> str:
    """The heir whom all attackers of this turn name, if they are at least two; "" if they do not agree (SO-124)."""
    if len(attackers) < 2:
        return ""
    named = {_named(turn, attacker, victim, wonder) for attacker in attackers}
    heir = named.pop()
    return heir if not named and heir in attackers else ""


def _named(turn: Turn, attacker: str, victim: str, wonder: str) -> str:
    """The society that one ally names: a line for this particular wonder has priority over one for all; otherwise the last
    counts."""
    lines = [order for _, order in turn.orders(attacker, Spoils) if order.victim == victim]
    special = [order.heir for order in lines if order.wonder == wonder]
    general = [order.heir for order in lines if not order.wonder]
    return (special or general or [""])[-1]

"""Phase 4: foreign aid (SO-143 to SO-146, SO-R80 to SO-R84)."""

from ..orders import Give, amount
from ..tables import technology_name
from .turn import Turn
from .wonders import expire


def give(turn: Turn) -> None:
    """Givers act first come first, so that what was received can be passed on (SO-R84)."""
    for name in turn.acting:
        for place, order in turn.doable(name, "aid", Give):
            if order.gift in turn.options.aid_needs_adjacency and not turn.now.adjacent(name, order.to):
                turn.fail(name, place, "not_adjacent")
            elif order.gift == "tech":
                _give_technology(turn, name, place, order)
            else:
                _give_units(turn, name, place, order)


def _give_technology(turn: Turn, name: str, place: int, order: Give) -> None:
    """The giver keeps it, and cannot raise anybody above itself (SO-R83)."""
    giver, receiver = turn.society(name).tech, turn.society(order.to).tech
    if order.technology and order.technology != receiver + 1:
        turn.fail(name, place, "not_next_tech")
        return
    count = min(order.count, giver - receiver)
    if count <= 0:
        turn.fail(name, place, "nothing_to_give")
        return
    level = receiver + count
    turn.change(order.to, tech=level)
    what = technology_name(level) if count == 1 else f"technologies up to {technology_name(level)}"
    _tell(turn, name, place, order, count, what)
    if count < order.count:
        turn.fail(name, place, "nothing_to_give", order.count - count)
    # The chart shows that a level has risen; how is the business of these two.
    expire(turn)


def _give_units(turn: Turn, name: str, place: int, order: Give) -> None:
    """What is available is given; a receiver accepts spies only up to the limit (SO-R27). Each part of the rest has its own
    reason."""
    held: int = getattr(turn.society(name), order.gift)
    has: int = getattr(turn.society(order.to), order.gift)
    there = min(order.count, held)
    count = min(there, max(0, turn.options.spy_stock_max - has)) if order.gift == "spies" else there
    if not count:
        turn.fail(name, place, "spy_limit" if held else "nothing_to_give")
        return
    turn.change(name, **{order.gift: held - count})
    turn.change(order.to, **{order.gift: has + count})
    _tell(turn, name, place, order, count, amount(count, order.gift))
    for code, missing in (("spy_limit", there - count), ("nothing_to_give", order.count - there)):
        if missing:
            turn.fail(name, place, code, missing)


def _tell(turn: Turn, name: str, place: int, order: Give, count: int, what: str) -> None:
    turn.tell("aid", name, {"to": order.to, "gift": order.gift, "count": count, "what": what}, (name, order.to))
    turn.note(name, place, f"{what} given")

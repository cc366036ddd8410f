"""The resolution of a turn: the twelve steps of section 7 in order."""

from collections.abc import Iterable, Sequence
from typing import Any

from pbmd.rules import Dice, Event, PastStep, Resolution, fold

from .orders import Attack, BuildGenerator, RaiseShields, TrainSpy
from .resolution.economy import carry_out, holdings, yard_of
from .resolution.turn import Turn, players_after, turn_of
from .resolution.war import wage_war
from .world.fleets import class_rows, starve
from .world.state import Position

_STOPPABLE: dict[type[Any], str] = {Attack: "attack", BuildGenerator: "generator", TrainSpy: "spy"}
"""What a spy can stop (GO-37), in words."""


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """Resolve the sheets on file."""
    turn = turn_of(position)
    turn.tell("turn_resolved", {"turn": position.turn})
    _build_and_repair(turn)
    _protect(turn)
    _spy(turn)
    _generators_and_spies(turn)
    wage_war(turn, dice)
    _transfer(turn)
    _supply_and_elimination(turn)
    _income(turn)
    _tell_orders(position, turn)
    winner, over = _end(position, turn)
    after = Position(
        turn=position.turn + 1,
        status="finished" if over else "running",
        winner=winner,
        given=position.given,
        players=players_after(position, turn),
        bases=tuple(turn.bases.values()),
        past=position.past,
    )
    return Resolution(after, tuple(turn.events))


def _build_and_repair(turn: Turn) -> None:
    """Step 1, in order of arrival."""
    held = holdings(turn.bases.values())
    taken = set(map(fold, turn.bases))
    for plan in turn.plans.values():
        if not plan.orders.work:
            continue
        faction = turn.factions[plan.seat]
        yard = yard_of(faction.name, faction.bp, faction.navy, held[faction.name], taken, turn.options)
        for index, order in plan.orders.work:
            shortfalls = carry_out(yard, order, turn.options)
            if shortfalls:
                turn.fail(plan, index, "; ".join(shortfalls))
        faction.bp = yard.bp
        for name in yard.new_bases:
            turn.add_base(name, plan.seat)
        if yard.built or yard.new_bases:
            data = {"player": plan.seat, "ships": class_rows(yard.built), "bases": yard.new_bases, "cost": yard.build_cost}
            turn.tell_alone(plan.seat, "built", data)
        if yard.repaired:
            data = {"player": plan.seat, "ships": class_rows(yard.repaired), "cost": yard.repair_cost}
            turn.tell_alone(plan.seat, "repaired", data)


def _protect(turn: Turn) -> None:
    """Step 2: counter-espionage and shields, used up whether needed or not (GO-R19, GO-R21)."""
    for plan in turn.plans.values():
        faction = turn.factions[plan.seat]
        if plan.orders.counter_espionage:
            faction.counter_espionage -= 1
            faction.protected = True
            turn.tell_alone(plan.seat, "counter_espionage_used", {"player": plan.seat, "left": faction.counter_espionage})
        if isinstance(plan.orders.special, RaiseShields):
            faction.generators -= 1
            faction.protected = faction.shielded = True
            turn.tell_alone(plan.seat, "shields_raised", {"player": plan.seat, "generators": faction.generators})


def _spy(turn: Turn) -> None:
    """Step 3: all spies at once, each of them lost (GO-R17, GO-R18)."""
    for plan in turn.plans.values():
        for place, order in plan.orders.spies:
            turn.factions[plan.seat].spies -= 1
            victim = turn.plans.get(order.target)
            stopped = ""
            if victim and victim.orders.special and not turn.factions[order.target].protected:
                stopped = _STOPPABLE.get(type(victim.orders.special), "")
            plan.results[place] = f"stopped {order.target}'s {_stopped_words(stopped)}" if stopped else "no effect"
            turn.tell_alone(plan.seat, "spy_result", {"player": plan.seat, "target": order.target, "stopped": stopped})
            turn.note_for_gm({"spy_of": plan.seat, "target": order.target, "stopped": stopped})
            if victim and stopped and not victim.stopped:
                victim.stopped = True
                index = victim.orders.special_index
                victim.results[index] = "stopped by a spy"
                turn.tell_alone(victim.seat, "order_stopped", {"player": victim.seat, "order": victim.lines[index]})


def _stopped_words(stopped: str) -> str:
    return {"attack": "attack", "generator": "generator", "spy": "spy training"}[stopped]


def _generators_and_spies(turn: Turn) -> None:
    """Step 4."""
    for plan in turn.plans.values():
        faction = turn.factions[plan.seat]
        if plan.stopped:
            continue
        if isinstance(plan.orders.special, BuildGenerator):
            faction.generators += 1
            turn.tell_alone(plan.seat, "generator_built", {"player": plan.seat, "generators": faction.generators})
        elif isinstance(plan.orders.special, TrainSpy):
            faction.spies += 1
            turn.tell_alone(plan.seat, "spy_trained", {"player": plan.seat, "spies": faction.spies})


def _transfer(turn: Turn) -> None:
    """Step 9: checked for all before any is done, so nothing received is passed on (GO-R52)."""
    wanted = [(plan, index, order) for plan in turn.plans.values() for index, order in plan.orders.transfers]
    owners = [turn.bases[order.base].owner if order.base in turn.bases else "" for _, _, order in wanted]
    for (plan, index, order), owner in zip(wanted, owners, strict=True):
        if owner != plan.seat:
            turn.fail(plan, index, f"you did not hold {order.base} after combat")
            continue
        turn.hand_over(order.base, order.to)
        turn.tell("base_transferred", {"base": order.base, "from": plan.seat, "to": order.to})


def _supply_and_elimination(turn: Turn) -> None:
    """Step 10: fleets without bases (GO-R48–R51), and who is out (GO-R73)."""
    owners = {base.owner for base in turn.bases.values()}
    for faction in list(turn.factions.values()):
        if faction.name in owners:
            faction.original_ships = 0
            continue
        faction.bp = faction.generators = faction.spies = 0
        starving = faction.original_ships > 0
        if not starving and faction.navy:
            faction.original_ships = sum(faction.navy.values())
            turn.tell("became_independent", {"player": faction.name, "ships": faction.original_ships})
            starving = turn.options.supply_start == "same_turn"
        if starving:
            lost = starve(faction.navy, faction.original_ships * turn.options.supply_loss_percent // 100)
            if lost:
                turn.tell("supply_loss", {"player": faction.name, "ships": class_rows(lost)})
        if not faction.navy:
            del turn.factions[faction.name]
            turn.tell("eliminated", {"player": faction.name})


def _income(turn: Turn) -> None:
    """Step 11: from the bases held now (GO-R03)."""
    home, captured = turn.options.income_home, turn.options.income_captured
    for _, owner, builder, _ in turn.bases.values():
        turn.factions[owner].bp += home if owner == builder else captured


def _end(position: Position, turn: Turn) -> tuple[str, bool]:
    """Step 12: the sole survivor wins, or the turn limit ends the game; returns the winner, if any, and whether it is over."""
    winner = next(iter(turn.factions)) if len(turn.factions) == 1 else ""
    if winner:
        turn.tell("victory", {"winner": winner})
    return winner, bool(winner) or 0 < turn.options.turn_limit == position.turn


def reveal(position: Position, events: Sequence[Event], past: Iterable[PastStep]) -> tuple[Event, ...]:
    """The events of the turn that ended the game, and all orders of all turns if that was agreed. Earlier turns that are still
    in the position are taken from there."""
    if not position.options.reveal_at_end:
        return tuple(events)
    kept = {each.turn: each.sheets for each in position.past}
    turns = sorted({**{each.turn: each.sheets for each in past}, **kept}.items())
    opened = (
        Event("orders_revealed", {"turn": number, "player": sheet.seat, "lines": list(sheet.lines)})
        for number, sheets in turns
        for sheet in sheets
    )
    return (*events, *opened)


def _tell_orders(position: Position, turn: Turn) -> None:
    """Each faction's own orders and what became of each; with an explicit statement if there were none."""
    for player in position.players:
        if not player.alive:
            continue
        plan = turn.plans.get(player.name)
        lines: list[dict[str, str]] = []
        if plan is not None:
            lines = [{"text": text, "result": result} for text, result in zip(plan.lines, plan.results, strict=True)]
        data = {"player": player.name, "lines": lines, "received": plan is not None}
        turn.tell_alone(player.name, "orders", data)

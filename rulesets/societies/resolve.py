"""The resolution of a turn: the steps of section 7 in order. No dice are drawn."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from pbmd.rules import Dice, Event, PastStep, Resolution

from .resolution import aid, diplomacy, espionage, production, taxes, trade, war, wonders
from .resolution.turn import Turn, lines_with_notes, turn_of
from .resolution.victory import victories
from .tables import WONDER_NUMBER
from .world.state import Position, Result


def resolve(position: Position, _dice: Dice) -> Resolution[Position]:
    """Resolve the sheets on file. Raises `ValueError` for sheets that no game has on file."""
    turn = turn_of(position)
    for step in _STEPS:
        turn.step += 1
        step(turn)
    turn.step += 1
    won = victories(turn)
    for victory in won:
        turn.tell("victory", victory.society, {"kind": victory.kind})
    for name, plan in turn.plans.items():
        turn.tell_alone("orders", name, {"sent": plan.sent, "lines": lines_with_notes(plan)})
    after = replace(
        turn.now,
        turn=position.turn + 1,
        societies=tuple(
            replace(society, missed_turns=0 if turn.plans[society.name].sent else society.missed_turns + 1)
            if society.living
            else society
            for society in turn.now.societies
        ),
        # In an order independent of that of arrival.
        cities=tuple(sorted(turn.now.cities)),
        wonders=tuple(sorted(turn.now.wonders, key=lambda wonder: WONDER_NUMBER[wonder.name])),
        wars=tuple(sorted(turn.now.wars)),
        counterattacks=tuple(sorted(turn.now.counterattacks, key=lambda right: (right.holder, right.against))),
        concessions=tuple(sorted(turn.now.concessions)),
        result=Result(bool(won), tuple(dict.fromkeys(victory.society for victory in won)), won),
        sheets=(),
        missed=(),
    )
    return Resolution(after, (Event("turn_resolved", {"turn": position.turn}), *turn.events()))


def _trade(turn: Turn) -> None:
    """Both steps of phase 2: payouts cannot pay for caravans (SO-85)."""
    income = trade.send_caravans(turn)
    turn.step += 1
    trade.pay_out(turn, income)


_STEPS: tuple[Callable[[Turn], None], ...] = (
    diplomacy.make_peace,
    diplomacy.revolt,
    espionage.train,
    espionage.spy,
    _trade,
    production.plan_budgets,
    production.research,
    production.military,
    production.cities,
    wonders.build,
    production.rehabilitate,
    production.tell_budgets,
    aid.give,
    war.wage_war,
    taxes.collect,
    diplomacy.declare,
    diplomacy.change_governments,
    diplomacy.concede,
)


def reveal(position: Position, events: Sequence[Event], past: Iterable[PastStep]) -> tuple[Event, ...]:
    """The events of the turn that ended the game, and, if that was agreed, the orders of all turns, after the last events of
    each society. Earlier turns that are still in the position are taken from there."""
    if not position.options.reveal_at_end:
        return tuple(events)
    kept = {each.turn: each.sheets for each in position.past}
    turns = sorted({**{each.turn: each.sheets for each in past}, **kept}.items())
    opened = (
        Event("orders_revealed", {"society": sheet.seat, "turn": number, "lines": list(sheet.lines)})
        for number, sheets in turns
        for sheet in sheets
    )
    first = len(events) - sum(1 for _ in takewhile(lambda event: event.kind in _LAST, reversed(events)))
    places = {name: place for place, name in enumerate(position.by_name)}
    last = sorted((*events[first:], *opened), key=lambda event: places[event.data["society"]])
    return (*events[:first], *last)


_LAST = ("victory", "orders")
"""The kinds of events in the last step of a turn."""

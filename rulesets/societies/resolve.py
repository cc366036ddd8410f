"""The resolution of a turn: the steps of section 7 in their order. No dice are drawn."""

from collections.abc import Callable
from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .resolution import aid, diplomacy, espionage, production, taxes, trade, war, wonders
from .resolution.turn import Turn, lines_with_notes, turn_of
from .resolution.victory import victories
from .tables import WONDER_NUMBER
from .world.state import Past, Position, Result


def resolve(position: Position, _dice: Dice) -> Resolution[Position]:
    """Carry out the sheets on file. Raises `ValueError` for sheets that no game has on file."""
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
    past = _past(position)
    if won:
        for name, number, lines in _revealed(past):
            turn.tell("orders_revealed", name, {"turn": number, "lines": lines})
    after = replace(
        turn.now,
        turn=position.turn + 1,
        societies=tuple(
            replace(society, missed_turns=0 if turn.plans[society.name].sent else society.missed_turns + 1)
            if society.living
            else society
            for society in turn.now.societies
        ),
        # In an order that does not come from that of arrival.
        cities=tuple(sorted(turn.now.cities)),
        wonders=tuple(sorted(turn.now.wonders, key=lambda wonder: WONDER_NUMBER[wonder.name])),
        wars=tuple(sorted(turn.now.wars)),
        counterattacks=tuple(sorted(turn.now.counterattacks, key=lambda right: (right.holder, right.against))),
        concessions=tuple(sorted(turn.now.concessions)),
        result=Result(bool(won), tuple(dict.fromkeys(victory.society for victory in won)), won),
        sheets=(),
        missed=(),
        past=past,
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


def _past(position: Position) -> tuple[Past, ...]:
    """The sheets of all turns so far, kept only where they are opened at the end."""
    if not position.options.reveal_at_end:
        return ()
    return (*position.past, Past(position.turn, position.ranked_sheets))


def _revealed(past: tuple[Past, ...]) -> list[tuple[str, int, list[str]]]:
    return [(sheet.seat, turn.turn, list(sheet.lines)) for turn in past for sheet in turn.sheets]

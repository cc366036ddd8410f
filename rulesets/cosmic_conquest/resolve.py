"""The resolution of a turn: the phases of section 7 in order. Dice are drawn in this order and in no other."""

from dataclasses import replace

from pbmd.rules import Dice, Resolution

from .checks import insight_event
from .orders import Plan, Stasis, TimeSkip
from .resolution.aftermath import (
    count_stalls_and_resign,
    eliminate,
    found_empires,
    note_defenses,
    settle_drones,
    succeed_and_promote,
    tell_assaults,
    toss_for_admirals,
)
from .resolution.combat import conquer, fight
from .resolution.economy import raise_and_invest, sabotage
from .resolution.turn import Turn, systems_after, turn_of
from .tables import TIME_SKIP_UNITS
from .world.state import Faction, Position, Result
from .world.values import resource_units


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """Resolve the sheets on file, and the default orders of all who have none."""
    turn = turn_of(position)
    turn.tell("turn_resolved", {"turn": position.turn})
    _tell_intake(turn)
    votes = sum(plan.draw for plan in turn.plans.values())
    if votes == len(turn.plans) > 0:
        return _ended(turn, replace(_cleared(position), phase="ended", result=Result("draw", "", position.turn)))
    if votes:
        turn.tell("draw_votes", {"count": votes, "of": len(turn.plans)})
    raise_and_invest(turn)
    fight(turn, dice)
    conquer(turn)
    eliminate(turn)
    dead = toss_for_admirals(turn, dice)
    settle_drones(turn)
    succeed_and_promote(turn, dead, dice)
    found_empires(turn)
    penalties = sabotage(turn)
    tell_assaults(turn)
    count_stalls_and_resign(turn)
    _tell_sheets(turn)
    after = replace(
        _cleared(position),
        turn=position.turn + 1,
        systems=systems_after(turn, penalties),
        factions=tuple(turn.factions.values()),
    )
    result = _result(after)
    return _ended(turn, replace(after, phase="ended", result=result)) if result else Resolution(after, tuple(turn.events))


def _cleared(position: Position) -> Position:
    """Without what belonged to the running turn."""
    return replace(position, sheets=(), missed=(), resigning=(), refused=(), insights=())


def _ended(turn: Turn, position: Position) -> Resolution[Position]:
    assert position.result is not None
    turn.tell("ended", {"kind": position.result.kind, "winner": position.result.winner})
    return Resolution(position, tuple(turn.events))


def _result(position: Position) -> Result | None:
    """Whether the game is over at the start of this turn (7.13, section 10)."""
    if not position.active:
        return Result("abandoned", "", position.turn)
    if len(position.active) == 1 and len(position.factions) > 1 and position.options.last_survivor_wins:
        return Result("last_survivor", position.active[0].colour, position.turn)
    winner = next((faction for faction in position.active if _is_overlord(position, faction)), None)
    return Result("overlord", winner.colour, position.turn) if winner else None


def _is_overlord(position: Position, faction: Faction) -> bool:
    """The three requirements, all strict (CC-74 to CC-76, CC-R69)."""
    options = position.options
    others = [other for other in position.active if other is not faction]
    systems = len(position.held_by(faction.colour))
    return (
        position.turn >= options.first_overlord_turn
        and (faction.empire_turn > 0 or not options.overlord_needs_empire)
        and resource_units(position, faction) > sum(resource_units(position, other) for other in others)
        and all(systems > len(position.held_by(other.colour)) for other in others)
    )


def _tell_intake(turn: Turn) -> None:
    """Who stalled, why, and what the Insights of the turn showed."""
    position = turn.start
    refused = dict(position.refused)
    for colour in turn.stalled:
        turn.tell("stalled", {"colour": colour})
        lines = turn.plans[colour].lines(turn.galaxy)
        turn.tell("default_orders", {"colour": colour, "lines": list(lines)}, (colour,))
        if colour in refused:
            turn.tell("orders_refused", {"colour": colour, "errors": list(refused[colour])}, (colour,))
    for insight in position.insights:
        turn.events.append(insight_event(position, insight, turn.plans[insight.target].lines(turn.galaxy)))


def _tell_sheets(turn: Turn) -> None:
    """Every faction's own sheet with what became of each line."""
    note_defenses(turn)
    for colour, plan in turn.plans.items():
        _note_abilities(turn, colour, plan)
        lines = [{"text": line, "result": turn.results.get((colour, line), "")} for line in plan.lines(turn.galaxy)]
        turn.tell("orders", {"colour": colour, "sent": colour not in turn.stalled, "lines": lines}, (colour,))


def _note_abilities(turn: Turn, colour: str, plan: Plan) -> None:
    if plan.skip:
        turn.note(colour, TimeSkip(plan.skip).text, f"{TIME_SKIP_UNITS} units more this turn")
    if plan.stasis:
        words = "an attack was blocked" if turn.attackers(plan.stasis) else "nobody attacked it"
        turn.note(colour, Stasis(plan.stasis).text, words)

"""Raising drones and investing (7.3), and what sabotage does to the coming turn (7.11)."""

from pbmd.rules.words import counted

from ..orders import Invest, Raise, Sabotage
from ..tables import SABOTAGE_UNITS
from ..world.values import invest_cost, output_cap
from .turn import Turn


def raise_and_invest(turn: Turn) -> None:
    """Each drone takes a unit of output for good; then each investment adds to it, up to the maximum (CC-92, CC-86)."""
    for colour, plan in turn.plans.items():
        for system in turn.galaxy.in_order(plan.raises):
            turn.outputs[system] -= 1
            turn.note(colour, Raise((system,)).text, "usable next turn")
            turn.tell("drone_raised", {"colour": colour, "system": system}, (colour,))
    for colour, plan in turn.plans.items():
        faction = turn.start.colours[colour]
        for system in turn.galaxy.in_order(plan.invest):
            units, before = plan.invest[system], turn.outputs[system]
            step, most = invest_cost(faction), output_cap(turn.start, faction)
            # An output above the maximum stays (CC-R31).
            after = max(before, min(most, before + units // step))
            turn.outputs[system] = after
            turn.gains[system] = after - before
            gained = f"output {before} -> {after}"
            turn.note(colour, Invest(system, units).text, gained + _lost(units, step, after - before, most))
            data = {"colour": colour, "system": system, "units": units, "before": before, "after": after}
            turn.tell("invested", data, (colour,))


def _lost(units: int, step: int, gain: int, most: int) -> str:
    """Why some of the invested units, or all of them, have gained nothing, "" if none (CC-R29, CC-R31)."""
    lost = units - step * gain
    if not lost:
        return ""
    who = f" {counted(lost, 'unit')} gained nothing:" if gain else ""
    why = f"less than a step of {counted(step, 'unit')}" if lost < step else f"{most} is the most that investing can reach"
    return f";{who} {why}"


def sabotage(turn: Turn) -> dict[str, int]:
    """The penalties in effect next turn; author and holder each learn of them, the holder without the author (section 8)."""
    penalties: dict[str, int] = {}
    for colour, plan in turn.plans.items():
        if plan.sabotage:
            penalties[plan.sabotage] = penalties.get(plan.sabotage, 0) + SABOTAGE_UNITS
            words = f"{plan.sabotage} yields {SABOTAGE_UNITS} units less in turn {turn.start.turn + 1}"
            turn.note(colour, Sabotage(plan.sabotage).text, words)
            turn.tell("sabotage", {"by": colour, "system": plan.sabotage}, (colour,))
    for system in turn.galaxy.in_order(penalties):
        if holder := turn.owners[system]:
            data = {"system": system, "amount": penalties[system], "turn": turn.start.turn + 1}
            turn.tell("sabotaged", data, (holder,))
    return penalties

"""Checking a sheet (section 6.5): each line against the position and against what the lines before it left over."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import Line, fold
from pbmd.rules.advice import as_written
from pbmd.rules.checking import MOST_EXAMPLES, Answer, Fault, Right, Wrong, mended, unmended
from pbmd.rules.words import counted

from ..orders import (
    ACTION_WORDS,
    DRAW,
    PUBLISH,
    Act,
    AskInsight,
    Assault,
    Bare,
    Empire,
    Force,
    Invest,
    Kind,
    Lead,
    Order,
    Raise,
    Sabotage,
    Stasis,
    TimeSkip,
    clean,
    read,
)
from ..tables import INDECISIVE_UNITS, TECHS
from ..world.names import faction_named, system_named
from ..world.state import Faction, Position
from ..world.values import resource_units
from .draft import Draft
from .examples import refusal

EMPIRE_NAME_LENGTH = 60
_NO_NAME = re.compile(
    r"^(?:if|when|unless|once|next|later|tomorrow|maybe|perhaps|not|only)\b|\b(?:next\s+turn|tomorrow|later|maybe|perhaps)$|"
    r"\b(?:if|unless|when|until|once)\s+\S|[(\[?]",
    re.IGNORECASE,
)
"""What says when an empire is announced, or that it may not be."""


def check_sheet(position: Position, faction: Faction, lines: Sequence[Line]) -> tuple[list[Answer], Draft]:
    """An answer to each order line of a mail, and the plan of the accepted ones; none of them can ask for an Insight."""
    draft = Draft(position, faction, alone=len(lines) == 1)
    orders = [read(line.text) for line in lines]
    faults: dict[int, Fault] = {}
    for place, order in enumerate(orders):
        try:
            if order is None:
                raise _unread(draft, clean(lines[place].text))
            orders[place] = _with_full_names(draft, order)
        except Fault as fault:
            faults[place] = fault
    first = (TimeSkip, Stasis, Empire) if position.options.empire_from == "now" else (TimeSkip, Stasis)
    named = [(place, order) for place, order in enumerate(orders) if order and place not in faults]
    _apply(draft, ((place, order) for place, order in named if isinstance(order, first)), faults)
    draft.open_pool()
    _apply(draft, ((place, order) for place, order in named if not isinstance(order, first)), faults)
    _settle(draft, orders, faults)
    return list(_answers(draft, lines, orders, faults)), draft


def _answers(
    draft: Draft, lines: Sequence[Line], orders: Sequence[Order | None], faults: Mapping[int, Fault]
) -> Iterator[Answer]:
    with_example = sorted(faults)[:MOST_EXAMPLES]
    for place, (line, order) in enumerate(zip(lines, orders, strict=True)):
        if fault := faults.get(place):
            yield refusal(draft, line, order, fault, stands) if place in with_example else unmended(line, fault)
        elif order:
            yield Right(line, order.text)


def stands(draft: Draft, order: Order) -> bool:
    """Whether the order, with names as written, would be accepted after those of the draft."""
    try:
        alone = isinstance(order, AskInsight) and draft.alone
        _CHECKS[type(order)](draft.copy(), order if alone else _with_full_names(draft, order))
    except Fault:
        return False
    return True


def _apply(draft: Draft, orders: Iterable[tuple[int, Order]], faults: dict[int, Fault]) -> None:
    for place, order in orders:
        try:
            _CHECKS[type(order)](draft, order)
        except Fault as fault:
            faults[place] = fault


_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(
        ("defend", "defends", "defense", "defence", "reinforce", "hold", "guard"), "Defend <system> with <number> units"
    ),
    **dict.fromkeys(
        ("conquer", "attack", "attacks", "conquest", "take", "send", "capture", "seize"), "Conquer <system> with <number> units"
    ),
    **dict.fromkeys(("invest", "investment", "investing", "upgrade"), "Invest <number> units in <system>"),
    **dict.fromkeys(("raise", "build", "create", "drone", "drones"), "Raise a drone in <system>"),
    "admiral": "The admiral leads the attack on <system>",
    "skip": "Time Skip in <system>",
    "stasis": "Temporal Stasis on <system>",
    "assault": "Psychic Assault on the defense of <system>",
    "insight": "Telepathic Insight on <colour>",
    "empire": "Announce the Intergalactic Empire",
    **dict.fromkeys(("vote", "draw"), "Vote for a draw"),
}
"""How orders are written, by the words that tell which one is meant."""


_OF_ALL = re.compile(r"\b(?:all|half|everything|rest|remaining|remainder)\b", re.IGNORECASE)


def _unread(draft: Draft, text: str) -> Fault:
    """What is wrong with a line that is no order."""
    problem = as_written("this is no order", text, _SHAPES)
    if (found := _OF_ALL.search(text)) and problem != "this is no order":
        have = counted(resource_units(draft.position, draft.faction), "unit"), counted(draft.faction.drones, "drone")
        problem = f'write a number for "{found[0]}": your systems yield {have[0]}, and you have {have[1]}'
    return Fault(problem, "not_an_order")


def _with_full_names(draft: Draft, order: Order) -> Order:
    def system(name: str) -> str:
        return system_named(draft.position, name, lambda: draft.systems_for(order))

    match order:
        case AskInsight():
            raise Fault("Telepathic Insight must be sent in a mail of its own", "insight_alone")
        case Bare() | Empire():
            return order
        case Raise():
            return replace(order, systems=tuple(map(system, order.systems)))
        case Assault() if order.player:
            player = faction_named(draft.position, order.player, draft.rivals).colour
            return Assault(system(order.system), player)
        case _:
            return replace(order, system=system(order.system))


# --- One check for each kind of order (section 6.4) ----------------------------------------------------------------------


def _own(draft: Draft, system: str) -> None:
    if draft.position.system(system).owner != draft.faction.colour:
        raise Fault(f"you do not hold {system}", "not_yours")


def _ability(draft: Draft, tech: str, name: str, used: object) -> None:
    if draft.faction.tech != tech:
        raise Fault(f"{name} is a {TECHS[tech].name} ability", "wrong_technology")
    if used:
        raise Fault("only once per turn", "only_once")


def _few_enough(draft: Draft, units: int) -> None:
    if units > INDECISIVE_UNITS and draft.faction.has("indecisive"):
        raise Fault(f"an Indecisive admiral allows at most {INDECISIVE_UNITS} units per action", "indecisive")


def _check_act(draft: Draft, order: Act) -> None:
    if order.kind == "defend":
        _own(draft, order.system)
    elif draft.position.system(order.system).owner == draft.faction.colour:
        raise Fault(f"you hold {order.system} already", "yours_already")
    elif order.system not in draft.targets:
        raise Fault(f"{order.system} is not adjacent to any system of yours that can launch an attack", "not_adjacent")
    actions = draft.plan.actions(order.kind)
    before = actions.get(order.system, Force(0, 0))
    _few_enough(draft, before.units + order.units)
    if order.led:
        _is_admiral(draft, order.leader)
        _may_lead(draft, order.kind, order.system)
    draft.spend(order.units, order.drones)
    led = before.led or order.led
    if led:
        draft.leads = order.kind, order.system
    actions[order.system] = Force(before.units + order.units, before.drones + order.drones, led)


def _check_invest(draft: Draft, order: Invest) -> None:
    _own(draft, order.system)
    units = draft.plan.invest.get(order.system, 0) + order.units
    _few_enough(draft, units)
    draft.spend(order.units)
    draft.plan.invest[order.system] = units


def _check_raise(draft: Draft, order: Raise) -> None:
    if draft.faction.has("inefficient"):
        raise Fault("an Inefficient admiral cannot create drones", "inefficient")
    if order.count and order.count != len(order.systems):
        named = counted(len(order.systems), "system")
        raise Fault(f"{counted(order.count, 'drone')} cannot be raised in {named}: it is one from each", "wrong_count")
    for place, name in enumerate(order.systems):
        _own(draft, name)
        if name in draft.plan.raises or name in order.systems[:place]:
            raise Fault("only one drone per system and turn", "one_drone")
        if name == draft.plan.stasis:
            raise Fault(f"{name} is in Temporal Stasis this turn", "in_stasis")
        if draft.position.system(name).effective < 1:
            raise Fault(f"{name} has no units to turn into a drone", "no_units")
    draft.spend(len(order.systems) if draft.position.options.drone_uses_pool else 0)
    draft.plan.raises += order.systems


def _is_admiral(draft: Draft, leader: str) -> None:
    """The leader whose name is written, if one is, must be the admiral; a rank before it is read over."""
    name = draft.faction.admiral.name
    known = {*fold(name).split(), *_RANKS}
    if not set(fold(leader).split()) <= known:
        raise Fault(f'"{leader:.60}" is not your admiral, who is {name}', "unknown_admiral")


_RANKS = ("supreme", "high", "low", "stellar", "admiral")


def _may_lead(draft: Draft, kind: Kind, system: str) -> None:
    if draft.leads not in (None, (kind, system)):
        raise Fault("the admiral leads only one action per turn", "one_leader")


def _check_lead(draft: Draft, order: Lead) -> None:
    _may_lead(draft, order.kind, order.system)
    draft.leads = order.kind, order.system


def _check_skip(draft: Draft, order: TimeSkip) -> None:
    _ability(draft, "chronotech", "Time Skip", draft.plan.skip)
    _own(draft, order.system)
    if order.system == draft.plan.stasis:
        raise Fault(f"{order.system} is in Temporal Stasis this turn", "same_system")
    draft.plan.skip = order.system


def _check_stasis(draft: Draft, order: Stasis) -> None:
    _ability(draft, "chronotech", "Temporal Stasis", draft.plan.stasis)
    _own(draft, order.system)
    if order.system == draft.plan.skip:
        raise Fault(f"{order.system} has a Time Skip this turn", "same_system")
    draft.plan.stasis = order.system


def _check_sabotage(draft: Draft, order: Sabotage) -> None:
    _ability(draft, "psionic", "Psychic Sabotage", draft.plan.sabotage)
    owner = draft.position.system(order.system).owner
    if owner in ("", draft.faction.colour):
        raise Fault(f"{order.system} is not held by another faction", "no_enemy")
    draft.plan.sabotage = order.system


def _check_assault(draft: Draft, order: Assault) -> None:
    _ability(draft, "psionic", "Psychic Assault", draft.plan.assault)
    owner = draft.position.system(order.system).owner
    if order.player:
        _another(draft, order.player)
    elif owner == draft.faction.colour:
        raise Fault(f"you hold {order.system} yourself", "yours_already")
    elif not owner and not draft.position.options.assault_independents:
        raise Fault(f"{order.system} is independent", "no_enemy")
    draft.plan.assault = order


def _check_empire(draft: Draft, order: Empire) -> None:
    position, size = draft.position, draft.position.options.empire_size
    if draft.plan.empire:
        raise Fault("only once per turn", "only_once")
    if draft.faction.empire_turn:
        raise Fault("you have announced your empire already", "empire_already")
    if position.galaxy.largest_group({system.name for system in position.held_by(draft.faction.colour)}) < size:
        raise Fault(f"needs {size} connected systems at the start of the turn", "no_empire")
    if _NO_NAME.search(order.name):
        raise Fault("what stands behind the empire says more than its name; write the name alone", "odd_name")
    if len(order.name) > EMPIRE_NAME_LENGTH:
        raise Fault(f"the empire's name has {len(order.name)} characters, {EMPIRE_NAME_LENGTH} is the most", "long_name")
    if not order.name.isprintable():
        raise Fault("the empire's name has a character that cannot be shown", "odd_name")
    draft.plan.empire = order


def _check_bare(draft: Draft, order: Bare) -> None:
    draft.plan.draw = draft.plan.draw or order == DRAW
    draft.plan.publish = draft.plan.publish or order == PUBLISH


def _another(draft: Draft, colour: str) -> Faction:
    """The other faction that an ability is used on. Raises `Fault`."""
    target = draft.position.colours[colour]
    if target is draft.faction:
        raise Fault("you cannot use this on yourself", "yourself")
    if not target.active:
        raise Fault(f"{colour} is out of the game", "not_active")
    return target


def insight_target(draft: Draft, order: AskInsight) -> Faction:
    """The faction whose orders are to be revealed (section 6.4, CC-R62). Raises `Fault`."""
    _ability(draft, "psionic", "Telepathic Insight", None)
    target = _another(draft, faction_named(draft.position, order.player, draft.open_minds).colour)
    if target.tech == "psionic":
        raise Fault("Psionics are immune to Telepathic Insight", "immune")
    if any(insight.by == draft.faction.colour for insight in draft.position.insights):
        raise Fault("only once per turn", "only_once")
    return target


_CHECKS: Mapping[type[Any], Callable[[Draft, Any], object]] = {
    Act: _check_act,
    Invest: _check_invest,
    Raise: _check_raise,
    Lead: _check_lead,
    TimeSkip: _check_skip,
    Stasis: _check_stasis,
    Sabotage: _check_sabotage,
    Assault: _check_assault,
    Empire: _check_empire,
    Bare: _check_bare,
    AskInsight: insight_target,
}


def _settle(draft: Draft, orders: Sequence[Order | None], faults: dict[int, Fault]) -> None:
    """After the last line: no attack or defense without units (CC-97), nor one that the admiral leads (CC-11)."""
    for kind in ("conquer", "defend"):
        actions = draft.plan.actions(kind)
        for system in [system for system, force in actions.items() if not force.units]:
            # Its drones stay at home and are not available to other lines.
            del actions[system]
            for place, order in enumerate(orders):
                if isinstance(order, Act) and (order.kind, order.system) == (kind, system) and place not in faults:
                    faults[place] = Fault("drones need at least 1 unit with them", "drones_alone")
    for place, order in enumerate(orders):
        if isinstance(order, Lead) and place not in faults:
            actions = draft.plan.actions(order.kind)
            if order.system not in actions:
                where = f"{ACTION_WORDS[order.kind]} {order.system}"
                faults[place] = Fault(f"the admiral needs at least 1 unit, and none is sent to the {where}", "leader_alone")
            else:
                actions[order.system] = actions[order.system]._replace(led=True)


def insight_refusal(draft: Draft, line: Line, fault: Fault) -> Wrong:
    """What is wrong with an Insight, and the line with the intended name, if there is one."""

    def remark_on(text: str) -> str | None:
        found = read(text)
        return "" if found and stands(draft, found) else None

    return mended(line, clean(line.text), (fault,), (), remark_on)

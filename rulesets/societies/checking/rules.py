"""The static check of order lines on arrival (section 6 of the rules): what is refused at once, and under which code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pbmd.rules import Line
from pbmd.rules.lines import LONGEST_LINE
from rulesets.societies.orders import (
    Attack,
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Concede,
    Cut,
    DeclarePeace,
    DeclareWar,
    Defend,
    Give,
    GiveForbidden,
    Launch,
    Order,
    Research,
    Revolution,
    SendSpies,
    Spoils,
    Targets,
    Trade,
    UseKgb,
    WithdrawConcession,
)
from rulesets.societies.tables import GOVERNMENTS, TECHNOLOGIES, technology_name, wonder_base
from rulesets.societies.world.squares import Square
from rulesets.societies.world.state import Position

from .draft import Draft, Right, Wrong
from .examples import examples_for
from .faults import Fault
from .foreseen import outlook
from .reading import clean, read

MOST_TECHNOLOGIES = 20
"""In a turn; prices grow so fast that more could never be paid, and their numbers would only be a burden."""

_MOST_EXAMPLES = 100
"""Refused lines of a mail that get a right example each: who wrote more of them reads no further."""
_OTHER = Buy("armies", 2).text
"""What can always be ordered, where nothing of the same kind can."""


def check_lines(
    position: Position, seat: str, lines: Sequence[Line], longest: int = LONGEST_LINE
) -> tuple[list[Right], list[Wrong]]:
    """The accepted orders in the order written, and the refused lines; lines to be ignored are in neither, nor are targets
    whose order is refused: that is told where it stands."""
    draft = Draft(position, position.by_name[seat])
    rights: list[Right] = []
    refused: list[_Refused] = []
    for group, order in _grouped(lines, longest):
        try:
            rights.append(Right(group, _checked(draft, order)))
        except Fault as fault:
            refused.append(_Refused(group[0], order, fault, draft.copy(), len(rights)))
    orders = [right.order for right in rights]
    wrongs = [_wrong(one, orders) for one in refused[:_MOST_EXAMPLES]]
    wrongs += [Wrong(one.line, one.fault.code, one.fault.problem) for one in refused[_MOST_EXAMPLES:]]
    return rights, wrongs


def _checked(draft: Draft, order: Order | None) -> Order:
    """The order with full names. Raises `Fault`."""
    if order is None:
        raise Fault("no_such_order", "this is no order")
    if isinstance(order, Targets):
        raise Fault("stray_targets", "targets stand directly below an attack or a launch of nukes")
    return _CHECKS[type(order)](draft, order)


class _Refused(NamedTuple):
    """A line that does not stand, with what stood when it was looked at: the sheet so far, and how many orders of it."""

    line: Line
    order: Order | None
    fault: Fault
    draft: Draft
    place: int


def _wrong(refused: _Refused, orders: Sequence[Order]) -> Wrong:
    """The refusal, with a line that would stand in its place: sooner one that nothing is to be said against."""
    draft = refused.draft
    own = (refused.fault.example,) if refused.fault.example else ()
    found = ""
    for example in (*own, *examples_for(draft.position, draft.society.name, refused.order, refused.line.text), _OTHER):
        try:
            # The lines of an order and its targets can be written as one.
            ((_, order),) = _grouped((Line(0, example),), LONGEST_LINE)
            order = _checked(draft.copy(), order)
        except Fault:
            continue
        found = found or example
        tried = (*orders[: refused.place], order, *orders[refused.place :])
        if refused.place not in outlook(draft.position, draft.society.name, tried).warnings:
            found = example
            break
    problem = refused.fault.problem
    link = " For example:" if problem.endswith("?") else ", for example:"
    return Wrong(refused.line, refused.fault.code, f"{problem}{link} {found}")


def _grouped(lines: Sequence[Line], longest: int) -> list[tuple[tuple[Line, ...], Order | None]]:
    """The lines that are not ignored with what they say; a line of targets goes with the attack or launch just above it."""
    groups: list[tuple[tuple[Line, ...], Order | None]] = []
    for line in lines:
        text = clean(line.text)
        if not text:
            continue
        order = read(text) if len(text) <= longest else None
        above, before = groups[-1] if groups else ((), None)
        if isinstance(order, Targets) and isinstance(before, Attack | Launch) and len(above) == 1:
            squares = tuple(dict.fromkeys((*before.targets, *order.squares)))
            groups[-1] = ((*above, line), replace(before, targets=squares))
        else:
            groups.append(((line,), order))
    return groups


# --- General -------------------------------------------------------------------------------------------------------------


def _counted(number: int) -> None:
    if number < 0:
        raise Fault("bad_quantity", "a number from 1 on is wanted here")


def _on_map(draft: Draft, squares: Sequence[Square]) -> None:
    side = draft.position.side
    if off := [square for square in squares if not square.within(side)]:
        corner = Square(side, side).text
        raise Fault("off_map", f"{off[0].text} is not on the map, which goes from A1 to {corner}")


# --- Espionage and trade -------------------------------------------------------------------------------------------------


def _spies(draft: Draft, order: SendSpies) -> Order:
    target = draft.named(order.target)
    _counted(order.count)
    if order.function == "tax":
        raise Fault("tax_immune", "tax collection is immune to spies")
    draft.other(target, "send spies against")
    if order.function == "production" and draft.position.options.plain_production == "reject":
        raise Fault("name_step", "name the step of Production")
    return replace(order, target=target)


def _defend(_draft: Draft, order: Defend) -> Order:
    _counted(order.count)
    if order.function == "tax":
        raise Fault("tax_immune", "tax collection is immune to spies and needs no defence")
    if order.function == "production":
        raise Fault("name_step", "a spy defends one step of Production, so name it")
    return order


def _trade(draft: Draft, order: Trade) -> Order:
    partner, position, society = draft.named(order.partner), draft.position, draft.society
    _counted(order.count)
    if partner == society.name:
        if not position.has_active(society.name, "NASCAR"):
            raise Fault("no_nascar", "only the owner of NASCAR trades with itself")
        return replace(order, partner=partner)
    away = position.distance(society.name, partner)
    if away > society.tech and not position.has_active(society.name, "Silk Road"):
        raise Fault(
            "out_of_range", f"{partner} is {away} squares away, and your level lets you trade over {society.tech}", _OTHER
        )
    return replace(order, partner=partner)


# --- Production ----------------------------------------------------------------------------------------------------------


def _research(draft: Draft, order: Research) -> Order:
    _counted(order.count)
    if draft.level + order.count > draft.society.tech + MOST_TECHNOLOGIES:
        raise Fault("bad_quantity", f"{MOST_TECHNOLOGIES} technologies are the most that can be ordered in a turn")
    following = draft.level + 1
    if order.technology and order.technology != following:
        raise Fault(
            "out_of_sequence",
            f"the next technology after those you have or order above is {technology_name(following)}",
            f"Research {technology_name(following)}" if following <= len(TECHNOLOGIES) else "Research 1",
        )
    draft.level += order.count
    return order


def _buy(_draft: Draft, order: Buy) -> Order:
    _counted(order.count)
    return order


def _city(draft: Draft, order: BuildCities) -> Order:
    _counted(order.count)
    position = draft.position
    if order.count > position.side**2:
        raise Fault("bad_quantity", f"the map has {position.side**2} squares")
    own = position.territory[draft.society.name]
    bad = [s for s in order.squares if not s.within(position.side) or s in position.nuked or s in own]
    if order.squares and len(bad) == len(order.squares):
        problem = "these squares are off the map, nuked or yours already"
        raise Fault("bad_squares", problem)
    return order


def _wonder(draft: Draft, order: BuildWonder) -> Order:
    _on_map(draft, (order.square,) if order.square else ())
    _counted(order.spend)
    if not order.spend:
        raise Fault("need_spend", "state how much gold you spend")
    if order.spend < wonder_base(order.wonder):
        raise Fault("below_base", f"{order.wonder} costs at least {wonder_base(order.wonder)}")
    if order.wonder in draft.position.wonder:
        raise Fault("wonder_taken", f"{order.wonder} was built already", _OTHER)
    if order.wonder in draft.bids:
        raise Fault("duplicate", f"a line above bids for {order.wonder} already, and that one stands", _OTHER)
    draft.bids.add(order.wonder)
    return order


def _part(draft: Draft, order: BuildPart) -> Order:
    _counted(order.spend)
    if draft.part:
        raise Fault("one_part", "only one part of a spaceship can be built in a turn; spend the gold on something else", _OTHER)
    if draft.society.spaceship_parts >= draft.position.options.spaceship_parts:
        raise Fault("ship_complete", "your spaceship is complete", _OTHER)
    draft.part = True
    return order


def _kgb(draft: Draft, order: UseKgb) -> Order:
    wonder = draft.position.wonder.get(order.wonder)
    if order.wonder == "KGB":
        raise Fault("bad_wonder", "the KGB makes another wonder obsolete")
    if wonder and not wonder.active:
        state = "destroyed" if wonder.destroyed else "obsolete"
        raise Fault("bad_wonder", f"{order.wonder} is {state} already")
    return order


# --- Foreign aid and war -------------------------------------------------------------------------------------------------


def _recipient(draft: Draft, order: Give | GiveForbidden) -> str:
    draft.named(order.to)
    _counted(order.count if isinstance(order, Give) else 1)
    to = draft.other(order.to, "give anything to")
    if draft.recipient not in ("", to):
        problem = f"all gifts of a turn go to one society, and a line above gives to {draft.recipient}"
        raise Fault("one_recipient", problem, Give(draft.recipient, "armies").text)
    return to


def _give(draft: Draft, order: Give) -> Order:
    to = _recipient(draft, order)
    if order.gift == "gold" and not draft.position.options.aid_gold:
        raise Fault("not_grantable", "gold cannot be given away in this game", Give(to, "armies").text)
    draft.recipient = to
    return replace(order, to=to)


def _forbidden(draft: Draft, order: GiveForbidden) -> Order:
    _recipient(draft, order)
    problem = "cities, wonders and parts of spaceships cannot be given away"
    raise Fault("not_grantable", problem)


def _attack(draft: Draft, order: Attack) -> Order:
    target = draft.named(order.target)
    _on_map(draft, order.targets)
    _counted(order.force or 0)
    if order.force == 0:
        raise Fault("need_number", "state how many armies attack")
    if draft.attack:
        problem = "only one war can be fought in a turn, and a line above orders it; you can declare another"
        raise Fault("one_war", problem, DeclareWar(target).text)
    draft.other(target, "attack")
    draft.attack = True
    return replace(order, target=target)


def _launch(draft: Draft, order: Launch) -> Order:
    target = draft.named(order.target)
    _on_map(draft, order.targets)
    _counted(order.count)
    if not order.targets:
        raise Fault("no_targets", "name the squares of the cities that shall be hit")
    draft.other(target, "launch nukes at")
    return replace(order, target=target)


# --- Governments and diplomacy -------------------------------------------------------------------------------------------


def _revolution(draft: Draft, order: Revolution) -> Order:
    society, government = draft.society, GOVERNMENTS[order.government]
    if order.keep is None:
        raise Fault("no_keep", "name the one phase that the Revolution keeps")
    acropolis = order.government == "republic" and draft.position.has_active(society.name, "Acropolis")
    if society.tech < government.needs and not acropolis:
        needed = f"needs {technology_name(government.needs)}"
        also = " or the Acropolis" if order.government == "republic" else ""
        raise Fault("gov_unavailable", f"{government.name} {needed}{also}", "Research 1")
    if order.government == society.government:
        raise Fault("same_government", f"you have {government.name} already")
    if draft.revolution:
        raise Fault("duplicate", "a line above orders a Revolution already, and that one stands", _OTHER)
    draft.revolution = True
    return order


def _war(draft: Draft, order: DeclareWar) -> Order:
    return DeclareWar(draft.other(order.on, "declare war on"))


def _peace(draft: Draft, order: DeclarePeace) -> Order:
    return DeclarePeace(draft.other(order.to, "declare peace with"))


def _spoils(draft: Draft, order: Spoils) -> Order:
    victim, heir = draft.named(order.victim), draft.named(order.heir)
    if victim == heir:
        raise Fault("self_target", "nobody inherits from oneself")
    return replace(order, victim=victim, heir=heir)


def _concede(draft: Draft, order: Concede) -> Order:
    return Concede(draft.other(order.to, "concede to"))


def _as_it_is(_draft: Draft, order: Order) -> Order:
    return order


_CHECKS: Mapping[type[Any], Callable[[Draft, Any], Order]] = {
    SendSpies: _spies,
    Defend: _defend,
    Trade: _trade,
    Research: _research,
    Buy: _buy,
    BuildCities: _city,
    BuildWonder: _wonder,
    BuildPart: _part,
    UseKgb: _kgb,
    Cut: _as_it_is,
    Give: _give,
    GiveForbidden: _forbidden,
    Attack: _attack,
    Launch: _launch,
    Revolution: _revolution,
    DeclareWar: _war,
    DeclarePeace: _peace,
    Spoils: _spoils,
    Concede: _concede,
    WithdrawConcession: _as_it_is,
}

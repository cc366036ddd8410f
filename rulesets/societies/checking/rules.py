"""The rules for each kind of order on arrival (section 6): what is refused at once, and with which code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbmd.rules.checking import Fault

from ..orders import (
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
from ..tables import GOVERNMENTS, TECHNOLOGIES, technology_name, wonder_base
from ..world.squares import Square
from ..world.state import Position, Society
from .names import society_named

MOST_TECHNOLOGIES = 20
"""In a turn; prices grow so fast that more could never be paid, and such numbers would only be a burden."""


@dataclass(slots=True)
class Draft:
    """A sheet in the making: what the lines so far have ordered, and the `level` that they lead to."""

    position: Position
    society: Society
    level: int
    bids: set[str] = field(default_factory=set[str])
    part: bool = False
    recipient: str = ""
    attack: bool = False
    revolution: bool = False

    def copy(self) -> "Draft":
        """The same, for trying out a line."""
        return replace(self, bids={*self.bids})

    def named(self, text: str) -> str:
        """The full name of a society. Raises `Fault`."""
        return society_named(self.position, self.society.name, text)

    def other(self, text: str, doing: str) -> str:
        """The full name of a society that is not the sender's. Raises `Fault`."""
        name = self.named(text)
        if name == self.society.name:
            raise Fault(f"you cannot {doing} yourself", "self_target")
        return name


def checked(draft: Draft, order: Order | None) -> Order:
    """The order with full names, and the draft with it. Raises `Fault`."""
    if order is None:
        raise Fault("this is no order", "no_such_order")
    if isinstance(order, Targets):
        raise Fault("targets stand directly below an attack or a launch of nukes", "stray_targets")
    return _CHECKS[type(order)](draft, order)


# --- General -------------------------------------------------------------------------------------------------------------


def _counted(number: int) -> None:
    if number < 0:
        raise Fault("write how many: a number from 1 on is wanted here", "bad_quantity")


def _on_map(draft: Draft, squares: Sequence[Square]) -> None:
    side = draft.position.side
    if off := [square for square in squares if not square.within(side)]:
        corner = Square(side, side).text
        raise Fault(f"{off[0].text} is not on the map, which goes from A1 to {corner}", "off_map")


# --- Espionage and trade -------------------------------------------------------------------------------------------------


def _spies(draft: Draft, order: SendSpies) -> Order:
    target = draft.named(order.target)
    _counted(order.count)
    if order.function == "tax":
        raise Fault("tax collection is immune to spies", "tax_immune")
    draft.other(target, "send spies against")
    if order.function == "production" and draft.position.options.plain_production == "reject":
        raise Fault("name the step of Production", "name_step")
    return replace(order, target=target)


def _defend(_draft: Draft, order: Defend) -> Order:
    _counted(order.count)
    if order.function == "tax":
        raise Fault("tax collection is immune to spies and needs no defence", "tax_immune")
    if order.function == "production":
        raise Fault("a spy defends one step of Production, so name it", "name_step")
    return order


def _trade(draft: Draft, order: Trade) -> Order:
    partner, position, society = draft.named(order.partner), draft.position, draft.society
    _counted(order.count)
    if partner == society.name:
        if not position.has_active(society.name, "NASCAR"):
            raise Fault("only the owner of NASCAR trades with itself", "no_nascar")
        return replace(order, partner=partner)
    away = position.distance(society.name, partner)
    if not position.reaches(society.name, partner):
        raise Fault(f"{partner} is {away} squares away, and your level lets you trade over {society.tech}", "out_of_range")
    return replace(order, partner=partner)


# --- Production ----------------------------------------------------------------------------------------------------------


def _research(draft: Draft, order: Research) -> Order:
    _counted(order.count)
    if draft.level + order.count > draft.society.tech + MOST_TECHNOLOGIES:
        raise Fault(f"{MOST_TECHNOLOGIES} technologies are the most that can be ordered in a turn", "bad_quantity")
    following = draft.level + 1
    if order.technology and order.technology != following:
        raise Fault(
            f"the next technology after those you have or order above is {technology_name(following)}",
            "out_of_sequence",
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
        raise Fault(f"the map has {position.side**2} squares", "bad_quantity")
    own = position.territory[draft.society.name]
    bad = [s for s in order.squares if not s.within(position.side) or s in position.nuked or s in own]
    if order.squares and len(bad) == len(order.squares):
        problem = "these squares are off the map, nuked or yours already"
        raise Fault(problem, "bad_squares")
    return order


def _wonder(draft: Draft, order: BuildWonder) -> Order:
    _on_map(draft, (order.square,) if order.square else ())
    _counted(order.spend)
    if not order.spend:
        raise Fault("state how much gold you spend", "need_spend")
    if order.spend < wonder_base(order.wonder):
        raise Fault(f"{order.wonder} costs at least {wonder_base(order.wonder)}", "below_base")
    if order.wonder in draft.position.wonder:
        raise Fault(f"{order.wonder} was built already", "wonder_taken")
    if order.wonder in draft.bids:
        raise Fault(f"a line above bids for {order.wonder} already, and that one stands", "duplicate")
    draft.bids.add(order.wonder)
    return order


def _part(draft: Draft, order: BuildPart) -> Order:
    _counted(order.spend)
    if draft.part:
        raise Fault("only one part of a spaceship can be built in a turn; spend the gold on something else", "one_part")
    if draft.society.spaceship_parts >= draft.position.options.spaceship_parts:
        raise Fault("your spaceship is complete", "ship_complete")
    draft.part = True
    return order


def _kgb(draft: Draft, order: UseKgb) -> Order:
    wonder = draft.position.wonder.get(order.wonder)
    if order.wonder == "KGB":
        raise Fault("the KGB makes another wonder obsolete", "bad_wonder")
    if wonder and not wonder.active:
        state = "destroyed" if wonder.destroyed else "obsolete"
        raise Fault(f"{order.wonder} is {state} already", "bad_wonder")
    return order


# --- Foreign aid and war -------------------------------------------------------------------------------------------------


def _recipient(draft: Draft, order: Give | GiveForbidden) -> str:
    draft.named(order.to)
    _counted(order.count if isinstance(order, Give) else 1)
    to = draft.other(order.to, "give anything to")
    if draft.recipient not in ("", to):
        problem = f"all gifts of a turn go to one society, and a line above gives to {draft.recipient}"
        raise Fault(problem, "one_recipient", Give(draft.recipient, "armies").text)
    return to


def _give(draft: Draft, order: Give) -> Order:
    to = _recipient(draft, order)
    if order.gift == "gold" and not draft.position.options.aid_gold:
        raise Fault("gold cannot be given away in this game", "not_grantable")
    draft.recipient = to
    return replace(order, to=to)


def _forbidden(draft: Draft, order: GiveForbidden) -> Order:
    _recipient(draft, order)
    problem = "cities, wonders and parts of spaceships cannot be given away"
    raise Fault(problem, "not_grantable")


def _attack(draft: Draft, order: Attack) -> Order:
    target = draft.named(order.target)
    _on_map(draft, order.targets)
    _counted(order.force or 0)
    if order.force == 0:
        raise Fault("state how many armies attack", "need_number")
    if draft.attack:
        problem = "only one war can be fought in a turn, and a line above orders it; you can declare another"
        raise Fault(problem, "one_war", DeclareWar(target).text)
    draft.other(target, "attack")
    draft.attack = True
    return replace(order, target=target)


def _launch(draft: Draft, order: Launch) -> Order:
    target = draft.named(order.target)
    _on_map(draft, order.targets)
    _counted(order.count)
    if not order.targets:
        raise Fault("name the squares of the cities that shall be hit", "no_targets")
    draft.other(target, "launch nukes at")
    return replace(order, target=target)


# --- Governments and diplomacy -------------------------------------------------------------------------------------------


def _revolution(draft: Draft, order: Revolution) -> Order:
    society, government = draft.society, GOVERNMENTS[order.government]
    if order.keep is None:
        raise Fault("name the one phase that the Revolution keeps", "no_keep")
    acropolis = order.government == "republic" and draft.position.has_active(society.name, "Acropolis")
    if society.tech < government.needs and not acropolis:
        needed = f"needs {technology_name(government.needs)}"
        also = " or the Acropolis" if order.government == "republic" else ""
        raise Fault(f"{government.name} {needed}{also}", "gov_unavailable", "Research 1")
    if order.government == society.government:
        raise Fault(f"you have {government.name} already", "same_government")
    if draft.revolution:
        raise Fault("a line above orders a Revolution already, and that one stands", "duplicate")
    draft.revolution = True
    return order


def _spoils(draft: Draft, order: Spoils) -> Order:
    victim, heir = draft.named(order.victim), draft.named(order.heir)
    if victim == heir:
        raise Fault("nobody inherits from oneself", "self_target")
    return replace(order, victim=victim, heir=heir)


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
    Cut: lambda _draft, order: order,
    Give: _give,
    GiveForbidden: _forbidden,
    Attack: _attack,
    Launch: _launch,
    Revolution: _revolution,
    DeclareWar: lambda draft, order: DeclareWar(draft.other(order.on, "declare war on")),
    DeclarePeace: lambda draft, order: DeclarePeace(draft.other(order.to, "declare peace with")),
    Spoils: _spoils,
    Concede: lambda draft, order: Concede(draft.other(order.to, "concede to")),
    WithdrawConcession: lambda _draft, order: order,
}

"""A right line for a player whose line was wrong, of the same kind where that can be told."""

import re
from collections.abc import Iterator

from rulesets.societies.orders import (
    Attack,
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Concede,
    Cut,
    CutItem,
    DeclarePeace,
    DeclareWar,
    Defend,
    Function,
    Give,
    GiveForbidden,
    Launch,
    Order,
    Production,
    Research,
    Revolution,
    SendSpies,
    Spoils,
    Targets,
    Trade,
    UseKgb,
    WithdrawConcession,
    lines_of,
)
from rulesets.societies.tables import PART_PRICE, WONDERS, GovernmentName, wonder_base
from rulesets.societies.world.squares import Square, around, best_square
from rulesets.societies.world.state import Position

_HEADS: tuple[tuple[str, Order], ...] = (
    # These first: what follows them are words of other orders.
    (r"\b(cut|if short)\b", Cut(())),
    (r"\brevolution\b", Revolution("monarchy", None)),
    (r"\bpeace\b", DeclarePeace("")),
    (r"\bspoils\b", Spoils("", "")),
    (r"\bwithdraw\b", WithdrawConcession()),
    (r"\b(concede|concession)\b", Concede("")),
    (r"\bdeclare\b", DeclareWar("")),
    (r"\b(defends?|defen[cs]e)\b", Defend("trade")),
    (r"\b(spy|spies)\b", SendSpies("", "research")),
    (r"\b(trade|caravans?)\b", Trade("")),
    (r"\b(research|tech|techs|technology|technologies)\b", Research()),
    (r"\b(launch|nukes?)\b.*\b(on|at|to)\b", Launch("", 1)),
    (r"\b(attack|invade)\b", Attack("", 0)),
    (r"\b(give|grant|gift)\b", Give("", "armies")),
    (r"\bnukes?\b", Buy("nukes")),
    (r"\bsdis?\b", Buy("sdi")),
    (r"\b(army|armies)\b", Buy("armies")),
    (r"\b(city|cities)\b", BuildCities()),
    (r"\b(spaceship|engines?)\b", BuildPart()),
    (r"\b(kgb|obsoletes?)\b", UseKgb("")),
)


def examples_for(position: Position, seat: str, order: Order | None, text: str) -> Iterator[str]:
    """Lines of the same kind as the order, or as the text seems to be meant, about one rival after the other, the nearest
    first; targets stand behind them. Some are no right line as things stand."""
    if order is None:
        order = next((meant for head, meant in _HEADS if re.search(head, text, re.IGNORECASE)), Buy("armies"))
    written: dict[str, None] = {}
    for rival in _rivals(position, seat)[:_MOST_RIVALS] or [seat]:
        for right in (_right(position, seat, order, rival), _right_gift(order, rival)):
            first, *more = lines_of(right)
            written[", ".join([first, *(f"{line[0].lower()}{line[1:]}" for line in more)])] = None
    return iter(written)


_MOST_RIVALS = 4


def _right_gift(order: Order, rival: str) -> Order:
    """Gold can be given away where nothing else is at hand, and without being neighbours."""
    return Give(rival, "gold") if isinstance(order, Give | GiveForbidden) else order


def _right(position: Position, seat: str, order: Order, rival: str) -> Order:
    match order:
        case SendSpies():
            return SendSpies(rival, _precise(order.function))
        case Defend():
            return Defend(_precise(order.function))
        case Trade():
            return Trade(rival)
        case Research() | Buy() | BuildCities() | BuildWonder() | BuildPart() | UseKgb():
            return _right_production(position, seat, order)
        case Give():
            return Give(rival, order.gift)
        case GiveForbidden():
            return Give(rival, "armies")
        case _:
            return _right_talk(position, seat, order, rival)


def _precise(function: Function) -> Function:
    """A function that can always be written: never `tax`, and `production` not in every order and game (SO-R33, SO-R34)."""
    return "research" if function in ("tax", "production") else function


def _right_production(position: Position, seat: str, order: Production | UseKgb) -> Order:
    match order:
        case Research():
            return Research()
        case Buy():
            return Buy(order.item, max(1, order.count))
        case BuildCities():
            square = good_square(position, seat)
            return BuildCities(1, (square,) if square else ())
        case BuildWonder():
            return BuildWonder(order.wonder, max(order.spend, wonder_base(order.wonder)))
        case BuildPart():
            return BuildPart(PART_PRICE if order.spend else 0)
        case UseKgb():
            standing = [wonder.name for wonder in position.wonders if wonder.active and wonder.name != "KGB"]
            return UseKgb(standing[0] if standing else WONDERS[0])


def _right_talk(position: Position, seat: str, order: Order, rival: str) -> Order:
    match order:
        case Attack() | Targets():
            return Attack(rival, max(1, position.by_name[seat].armies), position.territory[rival][:2])
        case Launch():
            return Launch(rival, max(1, order.count), position.territory[rival][:2])
        case Revolution():
            other: GovernmentName = "despotism" if position.by_name[seat].government != "despotism" else "monarchy"
            government = order.government if order.government != position.by_name[seat].government else other
            return Revolution(government, order.keep or "production")
        case DeclareWar():
            return DeclareWar(rival)
        case DeclarePeace():
            return DeclarePeace(rival)
        case Spoils():
            return Spoils(rival, "me", order.wonder)
        case Concede():
            return Concede(rival)
        case Cut():
            return Cut((CutItem("armies"),))
        case _:
            return order


def nearest_rival(position: Position, seat: str) -> str:
    """The living society whose cities are nearest, the first in the list of several; one's own name if there is none."""
    return next(iter(_rivals(position, seat)), seat)


def _rivals(position: Position, seat: str) -> list[str]:
    others = [society.name for society in position.living if society.name != seat]
    return sorted(others, key=lambda name: position.distance(seat, name))


def good_square(position: Position, seat: str) -> Square | None:
    """Where a city would be built if no square is named (SO-94, SO-R13); None if nowhere."""
    own = position.territory[seat]
    near = {square for city in own for square in around(city, position.side)}
    free = [square for square in near if square not in position.city_at and square not in position.nuked]
    return best_square(free, frozenset(own), position.side)

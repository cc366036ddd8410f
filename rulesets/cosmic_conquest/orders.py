"""The orders of the game, as read from a line, and the plan that the lines of a sheet make together (section 6.4).

`text` is the canonical form. What was read may hold names as players write them; a plan has full names only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from lark import Token, Transformer, v_args

from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner
from pbmd.rules.words import counted

from .world.galaxy import Galaxy

Kind = Literal["conquer", "defend"]
ACTION_WORDS: Mapping[Kind, str] = {"conquer": "attack on", "defend": "defense of"}


@dataclass(frozen=True, slots=True)
class Act:
    """Units and drones for the attack on, or the defense of, a system; `leader` is who leads it, where a name is written."""

    kind: Kind
    system: str
    units: int
    drones: int = 0
    led: bool = False
    leader: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "Conquer Sol with 5 units and 1 drone led by the admiral"."""
        force = [counted(self.units, "unit")] if self.units else []
        force += [counted(self.drones, "drone")] if self.drones else []
        led = " led by the admiral" if self.led else ""
        return f"{self.kind.capitalize()} {self.system} with {' and '.join(force)}{led}"


@dataclass(frozen=True, slots=True)
class Invest:
    """Units for more output."""

    system: str
    units: int

    @property
    def text(self) -> str:
        """The canonical line, such as "Invest 5 units in Sol"."""
        return f"Invest {counted(self.units, 'unit')} in {self.system}"


@dataclass(frozen=True, slots=True)
class Raise:
    """A drone from each of these systems; `count` is the number written, 0 if none was."""

    systems: tuple[str, ...]
    count: int = 0

    @property
    def text(self) -> str:
        """The canonical line, such as "Raise a drone in Sol" or "Raise drones in Sol, Vega"."""
        first, *others = self.systems
        return f"Raise drones in {', '.join(self.systems)}" if others else f"Raise a drone in {first}"


@dataclass(frozen=True, slots=True)
class Lead:
    """The admiral leads an action of the sheet."""

    kind: Kind
    system: str

    @property
    def text(self) -> str:
        """The canonical line, such as "The admiral leads the attack on Sol"."""
        return f"The admiral leads the {ACTION_WORDS[self.kind]} {self.system}"


@dataclass(frozen=True, slots=True)
class TimeSkip:
    """ChronoTech: more units from an own system."""

    system: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Time Skip in Sol"."""
        return f"Time Skip in {self.system}"


@dataclass(frozen=True, slots=True)
class Stasis:
    """ChronoTech: an own system cannot be attacked and yields nothing."""

    system: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Temporal Stasis on Sol"."""
        return f"Temporal Stasis on {self.system}"


@dataclass(frozen=True, slots=True)
class Sabotage:
    """Psionic: a system of another faction yields less next turn."""

    system: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Psychic Sabotage on Sol"."""
        return f"Psychic Sabotage on {self.system}"


@dataclass(frozen=True, slots=True)
class Assault:
    """Psionic: weakens the attack of `player` on a system, or with "" the defense of that system."""

    system: str
    player: str = ""

    @property
    def target(self) -> str:
        """ "the attack of Red on Sol", "the defense of Sol"."""
        return f"the attack of {self.player} on {self.system}" if self.player else f"the defense of {self.system}"

    @property
    def text(self) -> str:
        """The canonical line, such as "Psychic Assault on the attack of Red on Sol"."""
        return f"Psychic Assault on {self.target}"


@dataclass(frozen=True, slots=True)
class Empire:
    """Announces the Intergalactic Empire, perhaps with a name."""

    name: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "Announce the Intergalactic Empire of Red Dawn"."""
        return "Announce the Intergalactic Empire" + (f" of {self.name}" if self.name else "")


@dataclass(frozen=True, slots=True)
class Bare:
    """An order without any detail."""

    text: Literal["Vote for a draw", "Publish orders", "Pass"]


DRAW, PUBLISH, PASS = Bare("Vote for a draw"), Bare("Publish orders"), Bare("Pass")


@dataclass(frozen=True, slots=True)
class AskInsight:
    """Psionic: reveals the orders of a faction; never part of a sheet."""

    player: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Telepathic Insight on Red"."""
        return f"Telepathic Insight on {self.player}"


Order = Act | Invest | Raise | Lead | TimeSkip | Stasis | Sabotage | Assault | Empire | Bare | AskInsight


class Force(NamedTuple):
    """Units and drones of an action, and whether the admiral leads it."""

    units: int
    drones: int
    led: bool = False


@dataclass(slots=True)
class Plan:
    """What a faction does in a turn; attacks, defenses and investments by system."""

    empire: Empire | None = None
    skip: str = ""
    stasis: str = ""
    sabotage: str = ""
    assault: Assault | None = None
    conquer: dict[str, Force] = field(default_factory=dict[str, Force])
    defend: dict[str, Force] = field(default_factory=dict[str, Force])
    invest: dict[str, int] = field(default_factory=dict[str, int])
    raises: list[str] = field(default_factory=list[str])
    draw: bool = False
    publish: bool = False

    def actions(self, kind: Kind) -> dict[str, Force]:
        """The attacks or the defenses, by system."""
        return self.conquer if kind == "conquer" else self.defend

    @property
    def units(self) -> int:
        """Units assigned, without those that become drones."""
        return sum(force.units for force in (*self.conquer.values(), *self.defend.values())) + sum(self.invest.values())

    @property
    def drones(self) -> int:
        """Drones assigned."""
        return sum(force.drones for force in (*self.conquer.values(), *self.defend.values()))

    def orders(self, galaxy: Galaxy) -> list[Order]:
        """The orders one by one, in the order of a sheet (section 6.4); `Pass` if there is nothing else."""
        acts = [
            Act(kind, system, *self.actions(kind)[system])
            for kind in ("conquer", "defend")
            for system in galaxy.in_order(self.actions(kind))
        ]
        found: list[Order | None] = [
            self.empire,
            TimeSkip(self.skip) if self.skip else None,
            Stasis(self.stasis) if self.stasis else None,
            Sabotage(self.sabotage) if self.sabotage else None,
            self.assault,
            *acts,
            *(Invest(system, self.invest[system]) for system in galaxy.in_order(self.invest)),
            *(Raise((system,)) for system in galaxy.in_order(self.raises)),
            DRAW if self.draw else None,
            PUBLISH if self.publish else None,
        ]
        return [order for order in found if order] or [PASS]

    def lines(self, galaxy: Galaxy) -> tuple[str, ...]:
        """The canonical lines of the sheet."""
        return tuple(order.text for order in self.orders(galaxy))


# --- Reading a line ------------------------------------------------------------------------------------------------------


def _act(kind: Kind, parts: Sequence[Any]) -> Act:
    force = next(part for part in parts if isinstance(part, Force))
    tokens = {part.type: str(part) for part in parts if isinstance(part, Token)}
    leader = _LED_BY.sub("", tokens.get("LED_BY", "")).rstrip(") ")
    return Act(kind, tokens["NAME"], force.units, force.drones, "LED" in tokens or bool(leader), leader)


_NAMED = re.compile(r"^(?:named|called)\s+(?=\S)", re.IGNORECASE)
_LED_BY = re.compile(r"(?:,\s*)?\(?led\s+by\s+(?:(?:the|my|our)\s+)?", re.IGNORECASE)


def _count(token: Token) -> int:
    return 1 if token.type == "A" else int(token)


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    def force(self, units: Token, drones: Token | None = None) -> Force:
        return Force(int(units), _count(drones) if drones else 0)

    def drones_first(self, drones: Token, units: Token) -> Force:
        return Force(int(units), _count(drones))

    def led(self, words: Token) -> Token:
        return words

    def only_drones(self, drones: Token) -> Force:
        return Force(0, int(drones))

    def defend(self, *parts: Any) -> Act:
        return _act("defend", parts)

    def conquer(self, *parts: Any) -> Act:
        return _act("conquer", parts)

    def invest(self, units: Token, name: Token) -> Invest:
        return Invest(str(name), int(units))

    def invest_there(self, name: Token, units: Token) -> Invest:
        return Invest(str(name), int(units))

    def raise_drones(self, *parts: Token) -> Raise:
        counts = [_count(part) for part in parts if part.type != "NAME"]
        return Raise(tuple(str(part) for part in parts if part.type == "NAME"), counts[0] if counts else 0)

    def lead(self, kind: Token, name: Token) -> Lead:
        return Lead("conquer" if kind.type in ("ATTACK_ON", "ADMIRAL_ATTACKS") else "defend", str(name))

    def skip(self, name: Token) -> TimeSkip:
        return TimeSkip(str(name))

    def stasis(self, name: Token) -> Stasis:
        return Stasis(str(name))

    def sabotage(self, name: Token) -> Sabotage:
        return Sabotage(str(name))

    def assault_defense(self, name: Token) -> Assault:
        return Assault(str(name))

    def assault(self, player: Token, name: Token) -> Assault:
        # "Red on" or "Red's attack on".
        words = re.sub(r"('s\s+attack)?\s+on$" if player.type == "PLAYERS_ATTACK" else r"\s+on$", "", player, flags=re.I)
        return Assault(str(name), words.strip())

    def empire(self, text: Token | None = None) -> Empire:
        return Empire(_NAMED.sub("", text.strip(" ,:;-")) if text else "")

    def insight(self, player: Token) -> AskInsight:
        return AskInsight(player.strip())


_BARE: Mapping[str, Order] = {"DRAW": DRAW, "PUBLISH": PUBLISH, "PASS": PASS}
clean = cleaner(ends=" .,;:!")
"""A line in the form in which it is read; "" if it says nothing."""
_order_in = order_reader(__package__ or "", _ToOrder(), bare=_BARE)


_SYSTEM_FIRST = re.compile(
    r"(?P<system>[^\W\d_][^:,\d]{0,40}?)(?::| [-=]) "
    r"(?P<verb>attack|conquer|invade|capture|seize|occupy|take|defend|protect|hold|guard|garrison|invest|raise (?:a )?drones?)"
    r"\b(?P<rest>.*)",
    re.IGNORECASE,
)
_FORCE_BEHIND = re.compile(r" (?:\((\d+[^()]*)\)|x ?(\d+))$", re.IGNORECASE)
_FORCE_FIRST = re.compile(
    r"^(?P<verb>[^\W\d_]+) with (?P<force>\d[^@,]*?(?:, \d[^@,]*?)?) (?:on|at|against|@|->) (?P<system>[^\W\d_][^,:\d]*)",
    re.IGNORECASE,
)
_DRONES_ALONE = re.compile(r"(?:new )?drones?(?::| in| at| on) ?(?=\S)", re.IGNORECASE)


def read(line: str) -> Order | None:
    """The order in one line, with names as written; None if it is not an order (sections 6.2 and 6.3). The system may stand
    first, the force behind or before it ("Sol: defend with 5 units", "Conquer Vega (5 units)", "Attack with 5 units at Vega"),
    and of drones the verb may be missing ("Drones: Sol, Vega")."""
    text = clean(line)
    found = _SYSTEM_FIRST.fullmatch(text) if ": " in text or " - " in text or " = " in text else None
    first = (
        f"{found['verb']} {found['system']}{found['rest']}"
        if found
        else _FORCE_FIRST.sub(r"\g<verb> \g<system> with \g<force>", text)
    )
    order = _order_in(first)
    if isinstance(order, Empire):
        return order
    if behind := _FORCE_BEHIND.search(first):
        return _order_in(f"{first[: behind.start()]} with {behind[1] or behind[2]}") or order
    return order or (_order_in(_DRONES_ALONE.sub("Raise drones in ", first)) if _DRONES_ALONE.match(first) else None)

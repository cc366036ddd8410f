"""The orders of the game (section 6 of the rules). `text` is the canonical form of an order's line.

An order as read from a line contains the names of societies as players write them; a checked one has full names. `stated` is
the cost that a player wrote in parentheses: it has no effect (SO-R09), is not part of the canonical form, and is ignored when
orders are compared. An invalid number is read as -1, and the check refuses it. Targets are written on a separate line, below
the order's: `lines_of`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from pbmd.rules.words import counted

from .tables import INFO, GovernmentName, technology_name
from .world.squares import Square, labels

Phase = Literal["espionage", "trade", "production", "aid", "war", "tax"]
Step = Literal["research", "military", "cities", "wonders", "rehabilitation"]
Function = Phase | Step
"""What a spy can be sent against: a phase, or one step of Production; `production` alone is for sending only (SO-R33,
SO-R34)."""

PHASES: tuple[Phase, ...] = ("espionage", "trade", "production", "aid", "war", "tax")
STEPS: tuple[Step, ...] = ("research", "military", "cities", "wonders", "rehabilitation")
"""The steps of Production, 3a to 3e."""


def phase_of(function: Function) -> Phase:
    """The phase that a function is, or belongs to."""
    return "production" if function in STEPS else cast(Phase, function)


def called(function: Function) -> str:
    """ "foreign aid", "research"."""
    return "foreign aid" if function == "aid" else function


FUNCTION_WORDS: Mapping[str, Function] = {
    word: function for function, words in INFO.tables["functions"].items() for word in words
}
"""What players call phases and steps."""

Item = Literal["armies", "nukes", "sdi"]
Gift = Literal["armies", "tech", "spies", "nukes", "sdi", "gold"]
_ONE_AND_MANY: Mapping[Gift, tuple[str, str]] = {
    "armies": ("army", "armies"),
    "tech": ("tech", "techs"),
    "spies": ("spy", "spies"),
    "nukes": ("nuke", "nukes"),
    "sdi": ("SDI", "SDI"),
    "gold": ("gold", "gold"),
}


def amount(count: int, gift: Gift) -> str:
    """ "1 army", "2 SDI"."""
    return counted(count, *_ONE_AND_MANY[gift])


def _spies(count: int) -> str:
    return "Spy" if count == 1 else f"{count} spies"


@dataclass(frozen=True, slots=True)
class SendSpies:
    """Spies against a function of another society."""

    target: str
    function: Function
    count: int = 1

    @property
    def text(self) -> str:
        """The canonical line, such as "2 spies on Rome, target research"."""
        return f"{_spies(self.count)} on {self.target}, target {called(self.function)}"


@dataclass(frozen=True, slots=True)
class Defend:
    """Spies that defend a function of their own society; never `production` or `tax`."""

    function: Function
    count: int = 1

    @property
    def text(self) -> str:
        """The canonical line, such as "Spy defend trade"."""
        return f"{_spies(self.count)} defend {called(self.function)}"


@dataclass(frozen=True, slots=True)
class Trade:
    """Caravans to a society, perhaps oneself (NASCAR); `payout` is the income stated as `(+n)`."""

    partner: str
    count: int = 1
    stated: int | None = field(default=None, compare=False)
    payout: int | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The canonical line, such as "Trade with Rome x3"."""
        return f"Trade with {self.partner}" + (f" x{self.count}" if self.count > 1 else "")


@dataclass(frozen=True, slots=True)
class Research:
    """The next `count` technologies; `technology` is the level of one ordered by name (then `count` is 1), else 0."""

    count: int = 1
    technology: int = 0
    stated: int | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The canonical line, such as "Research 2" or "Research Masonry"."""
        return f"Research {technology_name(self.technology) if self.technology else self.count}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Armies, nukes or SDI."""

    item: Item
    count: int = 1
    stated: int | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The canonical line, such as "Buy 3 armies"."""
        return f"Buy {amount(self.count, self.item)}"


@dataclass(frozen=True, slots=True)
class BuildCities:
    """New cities, each on the first usable of the squares (SO-R21); `name` is that of the first one."""

    count: int = 1
    squares: tuple[Square, ...] = ()
    name: str = ""
    stated: int | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The canonical line, such as "Build city of Ostia at B2"."""
        what = "city" if self.count == 1 else f"{self.count} cities"
        named = f" of {self.name}" if self.name else ""
        return f"Build {what}{named}" + (f" at {labels(self.squares)}" if self.squares else "")


@dataclass(frozen=True, slots=True)
class BuildWonder:
    """A bid for a wonder, by its full name; `spend` is 0 if no sum was written, `square` is where it should be built."""

    wonder: str
    spend: int
    square: Square | None = None

    @property
    def text(self) -> str:
        """The canonical line, such as "Build Acropolis for 16 in B2"."""
        return f"Build {self.wonder} for {self.spend}" + (f" in {self.square.text}" if self.square else "")


@dataclass(frozen=True, slots=True)
class BuildPart:
    """A part of a spaceship; `spend` is the sum stated, which only counts for the last one (SO-R90), 0 if there is none."""

    spend: int = 0

    @property
    def text(self) -> str:
        """The canonical line, such as "Build spaceship part" or "Build engines for 40"."""
        return f"Build engines for {self.spend}" if self.spend else "Build spaceship part"


@dataclass(frozen=True, slots=True)
class UseKgb:
    """The KGB makes a wonder obsolete."""

    wonder: str

    @property
    def text(self) -> str:
        """The canonical line, such as "KGB obsoletes Acropolis"."""
        return f"KGB obsoletes {self.wonder}"


CutKind = Literal["research", "technology", "armies", "nukes", "sdi", "cities", "part", "wonder"]


class CutItem(NamedTuple):
    """What is to be cut first: orders of a kind, or one technology or wonder by its name.

    A technology cuts the order that names it, and nothing from a `Research 3`: that one is cut with `research`.
    """

    kind: CutKind
    name: str = ""

    @property
    def text(self) -> str:
        """As in the order: "research", "SDI" or "Acropolis"."""
        return self.name or {"sdi": "SDI", "part": "spaceship part"}.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True)
class Cut:
    """What is cut first if gold is short in Production (SO-R14)."""

    items: tuple[CutItem, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "If short, cut nukes, Acropolis"."""
        return f"If short, cut {', '.join(item.text for item in self.items)}"


@dataclass(frozen=True, slots=True)
class Give:
    """Foreign aid; `technology` is the level of a technology given by name (then `gift` is tech, `count` 1), else 0."""

    to: str
    gift: Gift
    count: int = 1
    technology: int = 0

    @property
    def text(self) -> str:
        """The canonical line, such as "Give Rome 5 gold"."""
        what = technology_name(self.technology) if self.technology else amount(self.count, self.gift)
        return f"Give {self.to} {what}"


@dataclass(frozen=True, slots=True)
class GiveForbidden:
    """A city, a wonder or a part given away: always refused (SO-R80), never one of a sheet's orders."""

    to: str

    @property
    def text(self) -> str:
        """As in the order: "Give Rome"."""
        return f"Give {self.to}"


@dataclass(frozen=True, slots=True)
class Attack:
    """The one war of a turn; `force` None is all armies, 0 that no number was written. `targets` are ranked."""

    target: str
    force: int | None
    targets: tuple[Square, ...] = ()

    @property
    def text(self) -> str:
        """The canonical line, such as "Attack Rome with 5 armies" or "Attack Rome with all armies"."""
        return f"Attack {self.target} with {'all armies' if self.force is None else amount(self.force, 'armies')}"


@dataclass(frozen=True, slots=True)
class Launch:
    """Nukes at a society's cities; `targets` are ranked."""

    target: str
    count: int
    targets: tuple[Square, ...] = ()

    @property
    def text(self) -> str:
        """The canonical line, such as "Launch 2 nukes at Rome"."""
        return f"Launch {amount(self.count, 'nukes')} at {self.target}"


@dataclass(frozen=True, slots=True)
class Targets:
    """A separate line with the targets of the attack or launch above it; never one of a sheet's orders."""

    squares: tuple[Square, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "Targets: B2, C3"."""
        return f"Targets: {labels(self.squares)}"


@dataclass(frozen=True, slots=True)
class Revolution:
    """A change of government that forfeits every phase but one; `keep` is None if none was named."""

    government: GovernmentName
    keep: Phase | None

    @property
    def text(self) -> str:
        """The canonical line, such as "Revolution to Republic, keep foreign aid"."""
        return f"Revolution to {self.government.capitalize()}, keep {called(self.keep) if self.keep else ''}"


@dataclass(frozen=True, slots=True)
class DeclareWar:
    """War from the end of the turn."""

    on: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Declare war on Rome"."""
        return f"Declare war on {self.on}"


@dataclass(frozen=True, slots=True)
class DeclarePeace:
    """Peace, if the other side declares it, too."""

    to: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Declare peace with Rome"."""
        return f"Declare peace with {self.to}"


@dataclass(frozen=True, slots=True)
class Spoils:
    """Who should get the wonders of a victim, or one of them, as an ally wants it (SO-R75)."""

    victim: str
    heir: str
    wonder: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "Spoils of Rome: Acropolis to Sparta"."""
        return f"Spoils of {self.victim}{': ' + self.wonder if self.wonder else ''} to {self.heir}"


@dataclass(frozen=True, slots=True)
class Concede:
    """A concession, valid until withdrawn."""

    to: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Concede to Rome"."""
        return f"Concede to {self.to}"


@dataclass(frozen=True, slots=True)
class WithdrawConcession:
    """The end of a concession."""

    @property
    def text(self) -> str:
        """The canonical line: "Withdraw concession"."""
        return "Withdraw concession"


Production = Research | Buy | BuildCities | BuildWonder | BuildPart
"""Orders that cost gold in Production (the KGB costs none)."""
Order = (
    SendSpies
    | Defend
    | Trade
    | Production
    | UseKgb
    | Cut
    | Give
    | GiveForbidden
    | Attack
    | Launch
    | Targets
    | Revolution
    | DeclareWar
    | DeclarePeace
    | Spoils
    | Concede
    | WithdrawConcession
)


def lines_of(order: Order) -> tuple[str, ...]:
    """The canonical lines of an order: one, or two with the targets of an attack or launch."""
    if isinstance(order, Attack | Launch) and order.targets:
        return order.text, Targets(order.targets).text
    return (order.text,)


def written(order: Order) -> str:
    """An order on one line, with its targets behind it."""
    first, *more = lines_of(order)
    return ", ".join([first, *(f"{line[0].lower()}{line[1:]}" for line in more)])


_STEP: Mapping[type[Order], Step] = {
    Research: "research",
    Buy: "military",
    BuildCities: "cities",
    BuildWonder: "wonders",
    BuildPart: "wonders",
    UseKgb: "wonders",
}
_PHASE: Mapping[type[Order], Phase] = {
    SendSpies: "espionage",
    Defend: "espionage",
    Trade: "trade",
    Give: "aid",
    Attack: "war",
    Launch: "war",
    **dict.fromkeys(_STEP, "production"),
}


def step_of(order: Order) -> Step | None:
    """The step of Production that an order belongs to, None for all others."""
    return _STEP.get(type(order))


def phase_needed(order: Order) -> Phase | None:
    """The phase in which an order is carried out; None for talk, which belongs to none (SO-R43)."""
    return _PHASE.get(type(order))

"""A sheet in the making: what the lines checked so far have ordered, and what is said about the whole."""

from dataclasses import dataclass, field, replace

from pbmd.rules import Line
from pbmd.rules.words import listing

from ..orders import Attack, RaiseShields, SetOob, Special
from ..resolution.economy import Yard
from ..resolution.oobs import Oobs, wanting
from ..tables import GameOptions
from ..world.state import Player, Position


@dataclass(slots=True)
class Draft:
    """A sheet in the making. `special` and the like are the accepted lines (GO-R14).

    `named_bases` are the names in Build lines by the folded name, including bases that the BP are not enough for. `names` are
    those of all factions, `others` of the living rivals.
    """

    position: Position
    options: GameOptions
    player: Player
    yard: Yard
    named_bases: dict[str, str] = field(default_factory=dict)
    special: tuple[Line, Special] | None = None
    ce: Line | None = None
    spies_on: list[str] = field(default_factory=list)
    oobs: dict[tuple[str, str], SetOob] = field(default_factory=dict)
    transferred: set[str] = field(default_factory=set)
    division: Line | None = None
    names: list[str] = field(init=False)
    others: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.names = [player.name for player in self.position.players]
        self.others = [other.name for other in self.position.players if other.alive and other.name != self.player.name]

    def copy(self) -> "Draft":
        """The same, for trying out a line."""
        return replace(
            self,
            yard=self.yard.copy(),
            named_bases=dict(self.named_bases),
            spies_on=list(self.spies_on),
            oobs=dict(self.oobs),
            transferred=set(self.transferred),
        )


# --- What the acknowledgement adds to the verdicts -------------------------------------------------------------------------


def oob_warnings(draft: Draft) -> list[str]:
    """Where no order of battle would apply, so that a random one is used (GO-81, GO-R60)."""
    special = draft.special[1] if draft.special else None
    return [warning for warning in (_attacking(draft, special), _attacked(draft, special)) if warning]


def _attacking(draft: Draft, special: Special | None) -> str:
    if not isinstance(special, Attack) or not wanting(draft.oobs, "attack", special.target):
        return ""
    unless = ", unless an ally sends one" if special.allies else ""
    fate = _fate(draft, "fleet")
    return f"No order of battle of yours applies to your attack on {special.target}: {fate}{unless}."


def _attacked(draft: Draft, special: Special | None) -> str:
    oobs: Oobs = draft.oobs
    covered = isinstance(special, RaiseShields) or ("", "") in oobs or ("defence", "") in oobs
    open_to = [] if covered else [other for other in draft.others if wanting(oobs, "defence", other)]
    if not open_to:
        return ""
    by = "" if len(open_to) == len(draft.others) else f" by {listing(open_to, 'or')}"
    fate = _fate(draft, "home fleet")
    return f"No order of battle of yours applies if you are attacked{by}: {fate}. OOB default: LFTLTF is one for everything."


def _fate(draft: Draft, fleet: str) -> str:
    destroyed = draft.options.missing_oob == "destroyed"
    return f"your {fleet} is destroyed" if destroyed else "a random one is rolled"


def defaults(draft: Draft) -> tuple[str, ...]:
    """What happens where the sheet says nothing."""
    kept = f"You keep {draft.yard.bp} BP for later turns."
    special = () if draft.special else ("No special order is given (attack, shields, generator or spy training).",)
    return (kept, *special)

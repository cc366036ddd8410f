"""Random positions, letters and turns for the property tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document, HmacDice
from rulesets.galactic_overlord import ruleset
from tests.rulesets.budgets import SMALL as SMALL  # the tests of PREVIEW take it from here
from tests.rulesets.galactic_overlord.harness import CLASSES, SIZE, Played, base, player, position, resolve

NAMES = ("Altair", "Borealis", "Cygnus", "Deneb", "Eridani")
OPTIONS: dict[str, list[Any]] = {
    "base_price_count": ["ever"],
    "spies_per_turn": [2],
    "multi_attack_order": ["first_first"],
    "late_winner_base": [False],
    "capture_pick": ["oldest"],
    "undefended": ["one"],
    "sack_scope": ["whole_navy"],
    "joint_oob_conflict": ["first_in"],
    "missing_oob": ["destroyed"],
    "range_conflict": ["close_in"],
    "hit_rounding": ["down"],
    "destruction": ["reach"],
    "removal_order": ["hull"],
    "supply_start": ["same_turn"],
    "supply_loss_percent": [0, 50, 100],
    "battle_detail": ["rounds"],
    "reveal_at_end": [True],
    "turn_limit": [4, 9],
    "shield_hits": [0, 1, 50],
}


@st.composite
def fleets(draw: st.DrawFn) -> str:
    """A navy as text, possibly none, some ships damaged."""
    names = draw(st.lists(st.sampled_from(sorted(CLASSES)), max_size=4, unique=True))
    items: list[str] = []
    for name in names:
        items.append(f"{draw(st.integers(1, 6))} {name}")
        quarters = draw(st.integers(0, 8 * SIZE[CLASSES[name][0]] - 1))
        if quarters and draw(st.booleans()):
            items.append(f"{draw(st.integers(1, 2))} {name}@{quarters / 4:g}")
    return ", ".join(items)


@st.composite
def documents(draw: st.DrawFn, least: int = 2, options: bool = True) -> Document:
    """A position that a game could be in: two to five factions, some without bases, perhaps one eliminated."""
    names = NAMES[: draw(st.integers(least, 5))]
    stray = [
        base(f"Stray {n}", draw(st.sampled_from(names)), builder=draw(st.sampled_from(names)))
        for n in range(draw(st.integers(0, 4)))
    ]
    owners = {entry["owner"] for entry in stray}
    players = [_player(draw, name, name in owners, sure=place < 2) for place, name in enumerate(names)]
    chosen: dict[str, Any] = {}
    if options:
        keys = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=3, unique=True))
        chosen = {key: draw(st.sampled_from(OPTIONS[key])) for key in keys}
    return position(*players, bases=stray, **chosen)


def _player(draw: st.DrawFn, name: str, has_base: bool, *, sure: bool) -> dict[str, Any]:
    bases = draw(st.integers(1 if sure else 0, 5))
    fleet = draw(fleets())
    if not bases and not has_base:
        if not fleet:
            return player(name, bases=0, alive=False, counter_espionage=0)
        ships = draw(st.integers(1, 60))
        return player(name, fleet, bases=0, original_ships=ships, counter_espionage=draw(st.integers(0, 2)))
    return player(
        name,
        fleet,
        bases=bases,
        bp=draw(st.integers(0, 60)),
        generators=draw(st.integers(0, 3)),
        spies=draw(st.integers(0, 3)),
        counter_espionage=draw(st.integers(0, 2)),
    )


def living(document: Document) -> list[str]:
    """Names of those who may send orders."""
    return [table["name"] for table in document["players"] if table["alive"]]


WORDS = (
    "build repair attack with all except to the death allied named base bases spy spies generator shields raise train use on "
    "against counter-espionage CE OOB default defence vs Laserfrigate Torpedocruiser Carriertitan laser 3xLasers close in back "
    "off bunch spread transfer captured LFTLFT LLFFTT FFF : , ; ! - ( ) 1 2 0 -1 99999999999999999999 a and x "
    + " ".join(NAMES)
).split()


def nonsense() -> st.SearchStrategy[str]:
    """A line that is hardly ever an order: words of the order language thrown together, or any text."""
    thrown = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
    return thrown | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=60)


@dataclass(frozen=True)
class Turn:
    """A position, the letters in order of arrival, and the secret of the dice."""

    document: Document
    letters: tuple[tuple[str, str], ...]
    secret: bytes

    def played(self) -> Played:
        """The turn, resolved."""
        return resolve(self.document, self.letters, HmacDice(self.secret, b"turn"))


@st.composite
def turns(draw: st.DrawFn, least: int = 2, options: bool = True, noise: bool = True) -> Turn:
    """Random legal letters, some players silent, with or without nonsense in between."""
    document = draw(documents(least, options))
    state = ruleset.load(document)
    secret = draw(st.binary(min_size=1, max_size=4))
    letters: list[tuple[str, str]] = []
    for seat in draw(st.permutations(living(document))):
        if draw(st.integers(0, 5)) == 0:
            continue
        lines = ruleset.random_orders(state, seat, HmacDice(secret, seat.encode())).splitlines()
        if noise:
            for line in draw(st.lists(nonsense(), max_size=3)):
                lines.insert(draw(st.integers(0, len(lines))), line)
        letters.append((seat, "\n".join(lines)))
    return Turn(document, tuple(letters), secret)

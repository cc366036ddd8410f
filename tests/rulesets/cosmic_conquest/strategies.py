"""Random positions, letters and turns for the property tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document, HmacDice
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.tables import NEGATIVE, OPPOSITE, POSITIVE
from rulesets.cosmic_conquest.world.galaxy import MAPS
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, resolve

COLOURS = ("Red", "Purple", "Green", "Teal", "Grey")
TECHS = ("tachyon", "psionic", "biomech", "chronotech")
OPTIONS: dict[str, list[Any]] = {
    "empire_from": ["now"],
    "overlord_needs_empire": [True],
    "last_survivor_wins": [False],
    "defense_roll": ["once", "none"],
    "halve": ["up"],
    "halve_undefended": [False],
    "conquered_investment": ["lost"],
    "drone_uses_pool": [False],
    "regen_delay": [0],
    "stasis_blocks_launch": [False],
    "stasis_is_failure": [True],
    "time_skip_lifts": [True],
    "assault_independents": [False],
    "borders": ["any"],
    "stall_limit": [1, 2],
    "on_error": ["drop"],
    "public_factions": [False],
    "battle_detail": ["outcome", "full"],
    "independent_units": [0, 5],
}
NONSENSE = ("nonsense", "0 units to defend Sol", "Conquer Al with 5 units", "Telepathic Insight on Nobody", "[b]Pass")


@dataclass(frozen=True)
class Turn:
    """A position, letters in the order of arrival, and a secret for the dice."""

    document: Document
    letters: tuple[tuple[str, str], ...]
    secret: bytes

    def played(self) -> Played:
        """The turn, resolved."""
        return resolve(self.document, self.letters, HmacDice(self.secret, b""))


@st.composite
def documents(draw: st.DrawFn, options: bool = True, least: int = 2) -> Document:
    """A position that a game could be in: two to five factions that hold anything from one to a dozen systems."""
    colours = COLOURS[: draw(st.integers(least, len(COLOURS)))]
    names = draw(st.permutations([star.name for star in MAPS["standard33"].stars]))
    state = st.tuples(st.sampled_from(("", *colours)), st.integers(0, 35), st.sampled_from((0, 0, 0, 3, 6)))
    states = draw(st.lists(state, min_size=len(names), max_size=len(names)))
    systems = [
        {"name": name, "owner": colours[place] if place < len(colours) else owner, "output": output, "penalty": penalty}
        for place, (name, (owner, output, penalty)) in enumerate(zip(names, states, strict=True))
    ]
    chosen: dict[str, Any] = {}
    if options:
        keys = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=4, unique=True))
        chosen = {key: draw(st.sampled_from(OPTIONS[key])) for key in keys}
    return {
        "ruleset": "cosmic_conquest",
        "turn": draw(st.integers(1, 12)),
        "options": chosen,
        "systems": systems,
        "factions": [_faction(draw, colour) for colour in colours],
    }


def _faction(draw: st.DrawFn, colour: str) -> dict[str, Any]:
    tech = draw(st.sampled_from(TECHS))
    good = draw(st.sampled_from(POSITIVE))
    bad = draw(st.sampled_from([trait for trait in NEGATIVE if trait != OPPOSITE.get(good)]))
    deaths = draw(st.integers(0, 3))
    return faction(
        colour,
        tech,
        f"{good} {bad}" if deaths > 1 else good,
        name=f"{colour} Concord",
        drones=draw(st.integers(0, 6)),
        lost_drones=draw(st.integers(0, 3)) if tech == "biomech" else 0,
        empire_turn=draw(st.integers(0, 1)),
        deaths=deaths,
        rank=("supreme", "high", "low", "low")[deaths],
        cv=draw(st.integers(1, 7)),
        served=draw(st.integers(0, 12)),
    )


@st.composite
def turns(draw: st.DrawFn, options: bool = True, noise: bool = True, least: int = 2) -> Turn:
    """A turn in which random players send letters; some stall, some write nonsense first."""
    document = draw(documents(options, least))
    dice = HmacDice(draw(st.binary(min_size=4, max_size=4)), b"players")
    state = ruleset.load(document)
    letters: list[tuple[str, str]] = []
    for seat in draw(st.permutations(ruleset.awaiting(state))):
        if noise and draw(st.integers(0, 5)) == 0:
            letters.append((seat, draw(st.sampled_from(NONSENSE))))
        if noise and draw(st.integers(0, 5)) == 0:
            continue
        text = ruleset.random_orders(state, seat, dice)
        if text.startswith("Telepathic"):
            letters.append((seat, text))
            text = ruleset.random_orders(ruleset.receive(state, mail(seat, text)).position, seat, dice)
        letters.append((seat, text))
    return Turn(document, tuple(letters), draw(st.binary(min_size=4, max_size=4)))

"""Random positions, letters and turns for the property tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document, HmacDice
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import Played, resolve, square

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")
WONDERS = (
    *("Tower of Babel", "Colosseum", "Trojan Horse", "Acropolis", "Silk Road", "Jihad", "Mafia", "Trans-Siberian Railroad"),
    *("National Rifle Association", "University of California", "NASCAR", "KGB", "Majestic-12 Program", "Galactic Overlord"),
)
OPTIONS: dict[str, list[Any]] = {
    "tech_cost_formula": ["literal"],
    "tech_cost_rounding": ["nearest", "down"],
    "tech_discount_counts": ["as_processed"],
    "max_caravans": [0, 3],
    "silk_road_expires": ["owner"],
    "negated_trade_blocks_incoming": [False],
    "spy_stock_max": [0, 9],
    "spy_cap_when": ["on_training"],
    "spy_defence": ["all"],
    "mutual_spies": ["all"],
    "plain_production": ["research", "reject"],
    "espionage_negates_training": [False],
    "revolution_collects_tax": [True],
    "new_government_from": ["same_turn"],
    "city_list_exhausted": ["fail"],
    "aid_gold": [False],
    "aid_needs_adjacency": ["", "tech, gold"],
    "casualty_rounding": ["nearest", "up"],
    "support_rounding": ["nearest", "down"],
    "spaceship_parts": [3],
    "obsolete_wonders_count": [False],
    "domination_needs_gm": [True],
    "reveal_at_end": [False],
}
LINES = (
    "Spy on {}, target production",
    "2 spies on {}, target espionage",
    "Spy on {}, target war",
    "Spy on {}, target trade",
    "Spy defend espionage",
    "2 spies defend research",
    "Trade with {} x3",
    "Trade with me x2",
    "Research 2",
    "Buy 7 armies",
    "Buy 2 nukes",
    "Buy 1 SDI",
    "Build 3 cities",
    "Build city at {square}, {square}",
    "Build {wonder} for 200 in {square}",
    "Build engines for 1500",
    "KGB obsoletes {wonder}",
    "If short, cut cities, {wonder}, armies",
    "Give {one} 5 gold",
    "Give {one} 2 armies",
    "Give {one} 1 tech",
    "Give {one} 1 spy",
    "Attack {} with all armies",
    "Attack {} with 5 armies, targets {square}, {square}",
    "Launch 5 nukes at {}, targets {square}, {square}, {square}",
    "Revolution to Monarchy, keep production",
    "Declare war on {}",
    "Declare peace with {}",
    "Spoils of {} to me",
    "Concede to {}",
    "nonsense",
)


@dataclass(frozen=True)
class Turn:
    """A position, and letters in the order of arrival."""

    document: Document
    letters: tuple[tuple[str, str], ...]

    def played(self) -> Played:
        """The turn, resolved."""
        return resolve(self.document, self.letters)


@st.composite
def documents(draw: st.DrawFn, options: bool = True, least: int = 2) -> Document:
    """A position that a game could be in: two to five societies with anything from one city to a dozen."""
    names = NAMES[: draw(st.integers(least, len(NAMES)))]
    side = draw(st.integers(4, 6))
    squares = draw(st.permutations([square(r, c) for r in range(1, side + 1) for c in range(1, side + 1)]))
    owners = draw(st.lists(st.sampled_from(("", "", "#", *names)), min_size=len(squares), max_size=len(squares)))
    owners[: len(names)] = names
    cities = [
        {"square": place, "owner": owner, "rehabilitating": draw(st.integers(0, 9)) == 0}
        for place, owner in zip(squares, owners, strict=True)
        if owner in names
    ]
    free = {name: [city["square"] for city in cities if city["owner"] == name] for name in names}
    wonders: list[dict[str, Any]] = []
    for wonder in draw(st.lists(st.sampled_from(WONDERS), unique=True, max_size=8)):
        owner = draw(st.sampled_from(names))
        if free[owner]:
            entry = {"name": wonder, "owner": owner, "builder": draw(st.sampled_from(names)), "square": free[owner].pop()}
            wonders.append({**entry, "obsolete": draw(st.integers(0, 4)) == 0})
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    chosen: dict[str, Any] = {}
    if options:
        keys = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=4, unique=True))
        chosen = {key: draw(st.sampled_from(OPTIONS[key])) for key in keys}
    return {
        "ruleset": "societies",
        "turn": 8,
        "options": chosen,
        "map": {"side": side, "nuked": [place for place, owner in zip(squares, owners, strict=True) if owner == "#"]},
        "society": [_society(draw, name) for name in names],
        "city": cities,
        "wonder": wonders,
        "war": [{"between": list(pair), "since": draw(st.integers(3, 8))} for pair in pairs if draw(st.booleans())],
        "counterattack": [{"holder": "Ann", "against": "Bob", "count": 1}] if draw(st.booleans()) else [],
        "concession": [{"by": "Bob", "to": "Ann"}] if draw(st.integers(0, 9)) == 0 else [],
    }


def _society(draw: st.DrawFn, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "government": draw(st.sampled_from(("despotism", "monarchy", "republic"))),
        "tech": draw(st.one_of(st.integers(1, 17), st.integers(6, 12))),
        "gold": draw(st.sampled_from((0, 7, 60, 400, 3000))),
        "armies": draw(st.integers(0, 40)),
        "spies": draw(st.integers(0, 5)),
        "nukes": draw(st.integers(0, 3)),
        "sdi": draw(st.integers(0, 2)),
        "spaceship_parts": draw(st.sampled_from((0, 0, 2))),
        "missed_turns": draw(st.integers(0, 2)),
    }


@st.composite
def turns(draw: st.DrawFn, options: bool = True, noise: bool = True, least: int = 2) -> Turn:
    """A turn in which random players send letters, with lines of all kinds thrown in; some stay silent."""
    document = draw(documents(options, least))
    dice = HmacDice(draw(st.binary(min_size=4, max_size=4)), b"players")
    state = ruleset.load(document)
    squares = [city["square"] for city in document["city"]]
    letters: list[tuple[str, str]] = []
    for seat in draw(st.permutations(ruleset.awaiting(state))):
        if noise and draw(st.integers(0, 6)) == 0:
            continue
        text = ruleset.random_orders(state, seat, dice)
        if noise:
            others = [name for name in ruleset.awaiting(state) if name != seat]
            one = draw(st.sampled_from(others))
            more = draw(st.lists(st.sampled_from(LINES), max_size=8))
            place, wonder = draw(st.sampled_from(squares)), draw(st.sampled_from(WONDERS))
            said = [line.format(draw(st.sampled_from(others)), one=one, square=place, wonder=wonder) for line in more]
            text = "\n".join([*said, text] if draw(st.booleans()) else [text, *said])
        letters.append((seat, text))
    return Turn(document, tuple(letters))

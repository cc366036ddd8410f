"""The maps of all games are on paper: they print, all that must be told apart stands out, and letters are large enough.

Diplomacy's colours have tests of their own (`tests/rulesets/diplomacy/test_colours.py`), and those of the kit
(`tests/rules/test_paints.py`), which Galactic Overlord and Societies have.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import pytest

from pbmd import simulate
from pbmd.book.drawings import map_picture
from pbmd.conformance.scenes import dice, play
from pbmd.rendering.labels import WIDTH
from pbmd.rendering.picture import map_svg
from pbmd.rules import PUBLIC, Event, Mail, Reader, seat_reader
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from rulesets.cosmic_conquest.tables import PAINTS
from rulesets.local_cluster.tables import PALETTE
from tests.colours import closest, contrast

PAPER, INK = "#ffffff", "#1b2230"
PALETTES: Mapping[str, Mapping[str, str]] = {
    "Cosmic Conquest": {name: paint["colour"] for name, paint in PAINTS.items()},
    "Local Cluster": PALETTE,
}
TEXT = "{http://www.w3.org/2000/svg}text"
"""The strokes of letters are rims in the colour of their ground."""


_STEPS = 6
"""So many are played of a game before its map is looked at again, with what happened in the last of them."""


@cache
def position_of(slug: str, *, played: bool) -> tuple[Any, tuple[Event, ...]]:
    """The beginning of a game, or what came of random orders in some steps, with the events of the last."""
    rules = get(slug)
    options = complete(rules.info.options, {})
    plan = simulate.Plan(partial(get, slug), simulate.usual_players(rules, options), options, seed=1, max_turns=1)
    position, events = simulate.set_up(plan, 0), ()
    for number in range(_STEPS * played):
        chance = dice(slug, number)
        texts = {seat: rules.random_orders(position, seat, chance) for seat in rules.awaiting(position)}
        letters = [Mail(seat, order_lines(text), (place, 0)) for place, (seat, text) in enumerate(texts.items(), start=1)]
        done = play(rules, position, letters, f"{slug} {number}")
        position, events = done.resolution.position, done.events
    return position, events


@cache
def drawn(slug: str, *, own: bool, played: bool) -> str:
    """The map for everybody or for the first seat."""
    rules, (position, events) = get(slug), position_of(slug, played=played)
    reader: Reader = seat_reader(rules.seats(position)[0]) if own else PUBLIC
    svg = map_svg(rules.view(position, events, reader))
    assert svg is not None, slug
    return svg


@pytest.mark.parametrize("played", [False, True], ids=["begun", "played"])
@pytest.mark.parametrize("own", [False, True], ids=["public", "own"])
@pytest.mark.parametrize("slug", slugs())
class TestEveryMap:
    def test_is_on_white_paper(self, slug: str, own: bool, played: bool) -> None:
        sheet = next(ET.fromstring(drawn(slug, own=own, played=played)).iter("{http://www.w3.org/2000/svg}rect"))
        assert sheet.get("fill") == PAPER

    def test_has_ink_that_stands_out_from_it(self, slug: str, own: bool, played: bool) -> None:
        """What is filled has a rim of such a stroke, or is a ground; a stroke in a pale colour of an owner has one of ink."""
        root = ET.fromstring(drawn(slug, own=own, played=played))
        shapes = [each for each in root.iter() if each.tag != TEXT and each.get("paint-order") is None]
        strokes = {each.get("stroke", PAPER) for each in shapes} - {PAPER, "none"}
        faint = {colour for colour in strokes if contrast(colour, PAPER) < 3}
        assert faint <= {owner for owner in PALETTES["Cosmic Conquest"].values() if slug == "cosmic_conquest"}
        rimmed = {(each.get("d"), each.get("x1"), each.get("y1")) for each in shapes if each.get("stroke") == INK}
        assert {(each.get("d"), each.get("x1"), each.get("y1")) for each in shapes if each.get("stroke") in faint} <= rimmed

    def test_has_letters_that_a_telephone_shows(self, slug: str, own: bool, played: bool) -> None:
        """358 pixels are left of 390. What has no room for nine pixels has six and a half, or is told in the table, too."""
        svg = drawn(slug, own=own, played=played)
        wide = int(re.findall(r'width="(\d+)"', svg)[0])
        sizes = [float(size) * 358 / wide for size in re.findall(r'font-size="([\d.]+)"', svg)]
        least = 6.5 if slug == "starship_squadrons" else 7 if slug == "diplomacy" else 9
        assert wide == WIDTH
        assert min(sizes) >= least

    def test_comes_into_books(self, slug: str, own: bool, played: bool) -> None:
        assert map_picture(drawn(slug, own=own, played=played), "turn 1")

    def test_says_what_it_shows_to_those_who_do_not_see_it(self, slug: str, own: bool, played: bool) -> None:
        root = ET.fromstring(drawn(slug, own=own, played=played))
        title = root.findtext("{http://www.w3.org/2000/svg}title")
        assert title
        assert (root.get("aria-label") or "").startswith(title)


@pytest.mark.parametrize("game", PALETTES)
class TestColours:
    def test_differ_to_all_eyes(self, game: str) -> None:
        names = [*PALETTES[game]]
        for count, least in ((8, 12), (len(names), 6)):
            for eyes, (difference, one, other) in closest({name: PALETTES[game][name] for name in names[:count]}).items():
                assert difference >= least, (eyes, one, other)

    def test_have_a_rim_that_stands_out_from_paper(self, game: str) -> None:
        assert contrast(INK, PAPER) >= 3
        assert f'stroke="{INK}" stroke-width="1.5"' in drawn("_".join(game.lower().split()), own=False, played=False)

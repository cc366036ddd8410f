"""The colours of the standard map: who holds what can be told by everybody, and on paper without colours."""

import pytest

from pbmd.rules import PUBLIC
from rulesets.diplomacy import ruleset
from tests.colours import closest, closest_in_grey, contrast
from tests.rulesets.diplomacy.letters import begun

MAP = ruleset.view(begun(), (), PUBLIC).data["map"]
FILLS = {owner["name"]: owner["fill"] for owner in MAP["owners"]}
INKS = {owner["name"]: owner["colour"] for owner in MAP["owners"]}
GROUNDS = {ground["name"]: ground for ground in MAP["grounds"]}


@pytest.mark.rule("DI-102")
def test_the_land_of_each_power_differs_from_that_of_all_others_to_all_eyes() -> None:
    free = {name: ground["fill"] for name, ground in GROUNDS.items() if name in ("land", "sea")}
    for eyes, (difference, one, other) in closest(FILLS | free).items():
        assert difference >= 12, (eyes, one, other)


@pytest.mark.rule("DI-102")
def test_the_land_of_each_power_has_a_grey_of_its_own() -> None:
    difference, one, other = closest_in_grey(FILLS)
    assert difference >= 6, (one, other)


@pytest.mark.rule("DI-102")
def test_borders_and_names_stand_out_from_whatever_they_are_on() -> None:
    land = GROUNDS["land"]
    assert {name: fill for name, fill in FILLS.items() if contrast(fill, land["line"]) < 3} == {}
    for ground in GROUNDS.values():
        assert contrast(ground["fill"], ground["ink"]) >= 4.5, "names have a rim of the ground"
    assert contrast(GROUNDS["sea"]["fill"], GROUNDS["sea"]["line"]) >= 3


@pytest.mark.rule("DI-102")
def test_pieces_and_arrows_stand_out_from_their_white_rim_and_carry_white_letters() -> None:
    assert {name: ink for name, ink in INKS.items() if contrast(ink, "#ffffff") < 4.5} == {}


@pytest.mark.rule("DI-100")
def test_the_same_colours_stand_out_in_tables_and_charts_on_light_and_dark_pages() -> None:
    assert {name: ink for name, ink in INKS.items() if contrast(ink, "#121212") < 3} == {}
    for eyes, (difference, one, other) in closest(INKS).items():
        assert difference >= 10, (eyes, one, other)

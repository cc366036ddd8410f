"""The maps: what borders on what borders back, and a game can be played on each."""

import pytest

from pbmd.rules import Signup
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import Board, board
from rulesets.diplomacy.world.units import Unit, province_of
from tests.rulesets.diplomacy.harness import NO_DICE

MAPS = ruleset.info.options["map"].choices


def places(on: Board) -> set[str]:
    return {*on.by_id, *on.fleet_reach}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-10", "DI-11")
def test_what_borders_on_something_borders_back(name: str) -> None:
    on = board(name)
    assert all(home in on.army_reach[to] for home, reach in on.army_reach.items() for to in reach)
    assert all(home in on.fleet_reach[to] for home, reach in on.fleet_reach.items() for to in reach)
    assert all(home != to for home, reach in on.fleet_reach.items() for to in reach)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-10", "DI-12")
def test_armies_are_on_land_and_fleets_at_sea_or_on_a_coast(name: str) -> None:
    on = board(name)
    for province in on.provinces:
        armies = on.stands(Unit("A", province.id))
        fleets = any(on.stands(Unit("F", place)) for place in places(on) if province_of(place) == province.id)
        assert (armies, fleets) == {"inland": (True, False), "coast": (True, True), "sea": (False, True)}[province.kind]
        if province.coasts:
            assert not on.stands(Unit("F", province.id))


@pytest.mark.rule("DI-12", "DI-13")
def test_the_standard_map_is_that_of_the_game() -> None:
    on = board("standard")
    kinds = [province.kind for province in on.provinces]
    assert (kinds.count("inland"), kinds.count("coast"), kinds.count("sea")) == (14, 42, 19)
    assert {province.id: province.coasts for province in on.provinces if province.coasts} == {
        "BUL": ("EC", "SC"),
        "SPA": ("NC", "SC"),
        "STP": ("NC", "SC"),
    }
    assert len(on.centres) == 34
    assert {name: len(homes) for name, homes in on.homes.items()} == dict.fromkeys(on.by_power, 3) | {"Russia": 4}
    assert sum(map(len, on.army_reach.values())) == 2 * 111
    # The 141 borders of the source are those between provinces, or coasts of them.
    assert sum(map(len, on.fleet_reach.values())) == 2 * 141


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-13", "DI-80")
def test_a_game_begins_with_the_units_of_the_map_in_home_centres(name: str) -> None:
    on = board(name)
    signups = [Signup(power) for power in on.by_power]
    begun = ruleset.setup(signups, complete(ruleset.info.options, {"map": name}), NO_DICE)
    assert ruleset.load(ruleset.dump(begun)) == begun
    for power in begun.powers:
        assert {unit.province for unit in power.units} == set(power.centres) == set(on.homes[power.name])
        assert all(on.stands(unit) for unit in power.units)
    assert 2 * on.victory_centres > len(on.centres)
    assert begun.year == on.year


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-91")
def test_no_name_or_alias_is_of_two_provinces(name: str) -> None:
    names = [said.lower() for province in board(name).provinces for said in {province.id, province.name, *province.aliases}]
    assert len(names) == len(set(names))


@pytest.mark.rule("DI-76")
def test_distance_goes_over_land_and_water() -> None:
    away = board("standard").distances(["STP"])
    assert (away["STP"], away["NWY"], away["BAR"], away["BOT"], away["SWE"], away["MUN"]) == (0, 1, 1, 1, 2, 4)

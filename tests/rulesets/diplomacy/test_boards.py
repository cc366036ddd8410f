"""The maps: what borders on what borders back, and a game can be played on each; what other sources say of them."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pbmd.rules import Signup, Status
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import Board, board
from rulesets.diplomacy.world.state import Position
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
def test_a_game_begins_with_the_units_and_home_centres_of_the_map(name: str) -> None:
    on, begun = board(name), begun_on(name)
    assert ruleset.load(ruleset.dump(begun)) == begun
    for power in begun.powers:
        assert set(power.centres) == set(on.homes[power.name])
        assert set(power.units) == set(on.by_power[power.name].units)
        assert all(on.stands(unit) for unit in power.units)
    assert 2 * on.victory_centres > len(on.centres)
    assert begun.year == on.year


@pytest.mark.parametrize("name", [name for name in MAPS if name not in ("chaos", "hundred")])
@pytest.mark.rule("DI-13")
def test_each_home_centre_has_a_unit_and_no_unit_stands_elsewhere(name: str) -> None:
    for power in begun_on(name).powers:
        assert {unit.province for unit in power.units} == set(power.centres)


# --- What other sources say -----------------------------------------------------------------------------------------------


def begun_on(name: str) -> Position:
    """A game on that map with all its powers, before its first orders."""
    signups = [Signup(power) for power in board(name).by_power]
    return ruleset.setup(signups, complete(ruleset.info.options, {"map": name}), NO_DICE)


BORDERS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("borders.toml").read_text(encoding="utf-8"))


def borders(reach: Iterable[tuple[str, Iterable[str]]]) -> set[str]:
    """Each border once, as ``ANG-DOV``."""
    return {"-".join(sorted((place, to))) for place, near in reach for to in near}


@pytest.mark.parametrize("name", BORDERS)
@pytest.mark.rule("DI-11", "DI-12", "DI-15")
def test_borders_are_those_of_a_second_source(name: str) -> None:
    on, said = board(name), BORDERS[name]
    assert borders(on.army_reach.items()) == set(said["A"].split())
    assert borders(on.fleet_reach.items()) == set(said["F"].split())


@pytest.mark.parametrize("name", BORDERS)
@pytest.mark.rule("DI-13", "DI-15")
def test_centres_and_beginnings_are_those_of_a_second_source(name: str) -> None:
    on, said = board(name), BORDERS[name]
    assert set(on.centres) == set(said["centres"].split())
    assert on.victory_centres == said["victory_centres"]
    assert {power.name: {unit.text for unit in power.units} for power in on.powers} == {
        power: set(units.split(", ")) for power, units in said["units"].items()
    }
    assert {power: set(homes) for power, homes in on.homes.items()} == {
        power: set(homes.split()) for power, homes in said["homes"].items()
    }


@pytest.mark.rule("DI-15")
def test_in_fleet_rome_one_unit_is_another() -> None:
    usual, other = ({unit for power in board(name).powers for unit in power.units} for name in ("standard", "fleet_rome"))
    assert (usual - other, other - usual) == ({Unit("A", "ROM")}, {Unit("F", "ROM")})


@pytest.mark.rule("DI-14", "DI-15")
def test_in_chaos_each_centre_is_a_power_that_has_yet_to_build() -> None:
    begun = begun_on("chaos")
    assert (begun.phase, begun.year, ruleset.step_name(begun)) == ("winter", 1900, "winter 1900")
    assert sorted(power.centres for power in begun.powers) == [(centre,) for centre in sorted(board("standard").centres)]
    assert not any(power.units for power in begun.powers)
    assert len(ruleset.awaiting(begun)) == 34
    assert len({power.code for power in board("chaos").powers}) == 34


@pytest.mark.parametrize("name", ["france_austria", "germany_italy"])
@pytest.mark.rule("DI-15")
def test_the_powers_of_a_game_for_two_begin_as_on_the_standard_map(name: str) -> None:
    usual = board("standard").by_power
    for power in board(name).powers:
        assert (power.units, power.homes) == (usual[power.name].units, usual[power.name].homes)
    assert len(board(name).powers) == 2


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-91")
def test_no_name_or_alias_is_of_two_provinces(name: str) -> None:
    names = [said.lower() for province in board(name).provinces for said in {province.id, province.name, *province.aliases}]
    assert len(names) == len(set(names))


@pytest.mark.rule("DI-76")
def test_distance_goes_over_land_and_water() -> None:
    away = board("standard").distances(["STP"])
    assert (away["STP"], away["NWY"], away["BAR"], away["BOT"], away["SWE"], away["MUN"]) == (0, 1, 1, 1, 2, 4)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.rule("DI-02", "DI-14")
def test_a_game_has_as_many_seats_as_the_map_has_powers(name: str) -> None:
    options, powers = complete(ruleset.info.options, {"map": name}), list(board(name).by_power)
    assert ruleset.room(options) == len(powers)
    (verdict,) = ruleset.check_signup(Signup(powers[-1]), [Signup(power) for power in powers[:-1]], options)
    assert (verdict.status, verdict.canonical) == (Status.OK, powers[-1])

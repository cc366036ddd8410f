"""A club's own map: taken as it is written and kept with the game, or refused with what is wrong, where, and how to mend it."""

from dataclasses import replace
from importlib.resources import files

import pytest

from pbmd.rules import PUBLIC, OptionError, Signup
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import board, map_names
from rulesets.diplomacy.world.map_faults import map_faults
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import NO_DICE, resolved, sheets, units

pytestmark = pytest.mark.rule("DI-16")


def written(name: str) -> str:
    """The text of a map that comes with the ruleset."""
    return (files("rulesets.diplomacy") / "maps" / f"{name}.toml").read_text(encoding="utf-8")


STRAIT = """
title = "The Strait"
year = 700
victory_centres = 2

[[power]]
name = "North"
adjective = "Northern"
code = "N"
colour = "#3f62c0"
homes = ["NOR"]
units = ["F NOR"]

[[power]]
name = "South"
adjective = "Southern"
code = "S"
colour = "#c0504d"
homes = ["SUD"]
units = ["A SUD"]

[[province]]
id = "NOR"
name = "Norland"
kind = "coast"
centre = true
x = 300
y = 100
army = ["ISL"]
fleet = ["STR", "ISL"]

[[province]]
id = "STR"
name = "The Strait"
kind = "sea"
x = 300
y = 300
fleet = ["NOR", "SUD/NC", "ISL"]

[[province]]
id = "ISL"
name = "Isle"
kind = "coast"
centre = true
x = 500
y = 300
army = ["NOR", "SUD"]
fleet = ["NOR", "STR", "SUD/NC"]

[[province]]
id = "SUD"
name = "Sudland"
kind = "coast"
centre = true
x = 300
y = 500
army = ["ISL"]
[province.fleet]
NC = ["STR", "ISL"]
"""


def begun(text: str) -> Position:
    signups = [Signup(power) for power in board(text).by_power]
    return ruleset.setup(signups, complete(ruleset.info.options, {"map": text}), NO_DICE)


# --- What is right --------------------------------------------------------------------------------------------------------


def test_a_game_is_played_on_the_map_that_a_club_has_written() -> None:
    before = begun(STRAIT)
    assert ruleset.step_name(before) == "spring 700 moves"
    orders = {"NORTH": ["F NOR - STR"], "SOUTH": ["A SUD - ISL"]}
    autumn, _ = resolved(replace(before, sheets=sheets(orders)))
    assert units(autumn) == ["NORTH F STR", "SOUTH A ISL"]
    spring, _ = resolved(autumn)
    assert ruleset.outcome(spring), "two of three centres win"


def test_the_game_has_the_map_in_its_position_and_needs_no_file() -> None:
    before = begun(STRAIT)
    document = ruleset.dump(before)
    assert document["options"] == {"map": STRAIT}
    assert ruleset.load(document) == before


def test_the_picture_has_its_places_and_borders_and_its_title() -> None:
    data = ruleset.view(begun(STRAIT), (), PUBLIC).data["map"]
    assert data["title"] == "Diplomacy (The Strait), Spring 700, moves"
    assert {node["name"] for node in data["nodes"]} == {"NOR", "STR", "ISL", "SUD"}
    assert sorted(map(tuple, data["links"])) == [("ISL", "NOR"), ("ISL", "STR"), ("ISL", "SUD"), ("NOR", "STR"), ("STR", "SUD")]


def test_a_map_can_be_like_another_with_powers_of_its_own() -> None:
    text = 'like = "standard"\ntitle = "North and East"\nvictory_centres = 20\n' + "".join(
        f'[[power]]\nname = "{name}"\nadjective = "{name}"\ncode = "{name[0]}"\ncolour = "#336699"\nfill = "#99bbdd"\n'
        f'homes = ["{home}"]\nunits = ["{unit}"]\n'
        for name, home, unit in (("Danes", "DEN", "F DEN"), ("Poles", "WAR", "A WAR"))
    )
    assert map_faults(text) == ()
    here = board(text)
    assert (here.title, here.victory_centres, len(here.provinces), here.outlines) == ("North and East", 20, 75, "standard")
    assert "areas" in ruleset.view(begun(text), (), PUBLIC).data["map"]


@pytest.mark.parametrize("name", sorted(map_names()))
def test_each_map_that_comes_with_pbmd_could_be_a_clubs_own(name: str) -> None:
    assert map_faults(written(name)) == ()
    assert board(written(name)) == board(name)


# --- What is wrong --------------------------------------------------------------------------------------------------------


WRONG = [
    ("year = 700", "year = ", "this is not TOML: Invalid value (at line 3, column 8)"),
    ("year = 700", f"year = {'[' * 5000}", "this is not TOML: Too many brackets within brackets"),
    ("year = 700", "", "year is missing"),
    ("year = 700", "year = 0", "year is at least 1"),
    ("year = 700", "year = 70000", "year: it is at most 5000, not 70000"),
    ("year = 700", 'year = "soon"', "year is a whole number"),
    ("year = 700", "yaer = 700\nyear = 700", "yaer is no key of a map; take it out, or look whether it is spelt right"),
    (
        "year = 700",
        'year = 700\nlike = "../secret"',
        'like = "../secret": there is no such map; there are',
    ),
    ("year = 700", "year = 700\nlike = [1]", 'like = "[1]": there is no such map'),
    ("year = 700", 'year = 700\noutlines = "../x"', 'outlines = "../x": there are none of that name; write outlines = ""'),
    (
        "year = 700",
        'year = 700\noutlines = "standard"',
        "outlines: those of standard have no NOR, STR, ISL, SUD; write",
    ),
    ("year = 700", 'year = 700\nbuilds = "anywhere"', "builds should be 'home' or 'owned'"),
    (
        "victory_centres = 2",
        "victory_centres = 1",
        "victory_centres: it is more than half of the 3 centres",
    ),
    (
        "victory_centres = 2",
        "victory_centres = 4",
        "victory_centres: it is more than half of the 3 centres",
    ),
    ('title = "The Strait"', 'title = "The\\nStrait"', "title: it has letters, blanks, hyphens and apostrophes, at most 40"),
    ('name = "North"', 'name = "South"', 'power South: "south" is the name of South, too; each has its own'),
    ('name = "North"', 'name = "N0rth!"', 'power N0rth!: name: "N0rth!" is no name'),
    ('code = "N"', 'code = "S"', 'power South: "S" is the code of North, too; each has its own'),
    ('code = "N"', 'code = "NOR"', 'power North: code: "NOR" is not one or two letters or digits'),
    ('"#3f62c0"', '"blue"', 'power North: colour: "blue" is no colour; write it like "#1f7d3a", with small letters'),
    ('homes = ["NOR"]', "homes = []", "power North: homes: it has no home centre"),
    ('homes = ["NOR"]', 'homes = ["STR"]', 'power North: homes: "STR" is no centre; write centre = true below that province'),
    ('homes = ["NOR"]', 'homes = ["SUD"]', "power South: homes: SUD is a home of North, too"),
    (
        'units = ["F NOR"]',
        "units = []",
        'power North: units: it has none to begin with; with begins = "winter"',
    ),
    ('units = ["F NOR"]', 'units = ["A STR"]', "power North: units: there can be no A STR"),
    ('units = ["F NOR"]', 'units = ["F NOR", "A NOR"]', "power North: units: there are two units in NOR"),
    ('units = ["F NOR"]', 'units = ["NOR"]', 'power North: units "NOR" is no unit; one is written like "A PAR" or "F STP/SC"'),
    ('id = "ISL"', 'id = "Isl"', 'province Isl: id: it is three capital letters, like "STP"'),
    ('id = "ISL"', 'id = "VIA"', "province VIA: id: VIA is a word of orders; take another"),
    ('id = "ISL"', 'id = "NOR"', 'province NOR: "NOR" is the id of NOR, too; each has its own'),
    ('name = "Isle"', 'name = "Norland"', 'province ISL: "norland" is the name or alias of NOR, too; each has its own'),
    ('name = "Isle"', 'name = "Isle"\naliases = ["1"]', 'province ISL: aliases: "1" is no name'),
    (
        "x = 500\ny = 300",
        "x = 305\ny = 295",
        "province ISL: x, y: it lies on STR in the picture; move one",
    ),
    ("x = 500", "x = -1", "province ISL: x: it is 0 to 4000, not -1"),
    ('kind = "sea"', 'kind = "lake"', "province STR: kind should be 'inland', 'coast' or 'sea'"),
    ('kind = "sea"', 'kind = "inland"', "province STR: no fleet comes inland; take fleet out, or make its kind coast"),
    ('kind = "sea"', 'kind = "sea"\narmy = ["NOR"]', "province STR: a sea has no armies and no coasts; take army out"),
    ('kind = "sea"', 'kind = "sea"\nconvoys = true', "province STR: convoys is for a province of the kind coast"),
    ('fleet = ["STR", "ISL"]', "", "province NOR: fleet is missing: where fleets go from there"),
    (
        'army = ["NOR", "SUD"]',
        'army = ["SUD"]',
        "province NOR: army: ISL is there, but ISL has no NOR; write it",
    ),
    ('fleet = ["NOR", "SUD/NC", "ISL"]', 'fleet = ["NOR", "SUD", "ISL"]', "province STR: fleet: say on which coast: SUD/NC"),
    (
        'fleet = ["NOR", "SUD/NC", "ISL"]',
        'fleet = ["NOR", "SUD/NC", "ISL", "XXX"]',
        'province STR: fleet: there is no province "XXX"',
    ),
    ('army = ["NOR", "SUD"]', 'army = ["NOR", "SUD", "STR"]', "province ISL: army: no army can be in STR, which is sea"),
    ('army = ["NOR", "SUD"]', 'army = ["NOR", "SUD", "ISL"]', "province ISL: army: it does not border on itself; take ISL out"),
    ("NC = [", "XC = [", 'province SUD: fleet: "XC" is no coast; they are NC, SC, EC, WC'),
]


@pytest.mark.parametrize(("old", "new", "fault"), WRONG, ids=[str(place) for place in range(len(WRONG))])
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, fault: str) -> None:
    assert old in STRAIT
    faults = map_faults(STRAIT.replace(old, new, 1))
    assert any(told.startswith(fault) for told in faults), faults


def test_provinces_that_nobody_can_reach_are_told() -> None:
    lonely = "".join(
        f'\n[[province]]\nid = "{one}"\nname = "{one.title()} End"\nkind = "inland"\nx = {x}\ny = 700\narmy = ["{other}"]\n'
        for one, other, x in (("FAR", "OFF", 100), ("OFF", "FAR", 200))
    )
    assert map_faults(STRAIT + lonely) == ("nobody gets from NOR to FAR, OFF: borders are missing",)


def test_of_many_faults_the_first_are_told_and_how_many_more_there_are() -> None:
    faults = map_faults(written("standard").replace("x = ", "x = -"))
    assert len(faults) == 9
    assert faults[-1] == "and 67 more"


def test_a_map_that_is_wrong_makes_no_game_and_is_told_to_whoever_makes_it() -> None:
    with pytest.raises(OptionError, match=r'option "map": year is missing'):
        ruleset.check_signup(Signup("North"), [], complete(ruleset.info.options, {"map": STRAIT.replace("year = 700", "")}))


def test_a_map_is_not_longer_than_may_be_kept_with_each_position() -> None:
    with pytest.raises(OptionError, match="the file has 70000 characters, and may have 65536"):
        complete(ruleset.info.options, {"map": "\n" * 70000})

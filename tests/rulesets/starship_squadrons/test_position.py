"""The position document (section 4): defaults, exact round trip, and every invariant with its place."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pbmd.rules import Document, PositionError
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.example import example
from tests.rulesets.starship_squadrons.harness import body, question, transit, unit, world


def dumped(document: Document) -> Document:
    return ruleset.dump(ruleset.load(document))


@pytest.mark.rule("SQ-R59", "SQ-R16", "SQ-R07")
def test_fields_with_a_default_may_be_left_out() -> None:
    document = dumped(example())
    swift = next(u for u in document["units"] if u["name"] == "Swift")
    assert swift.get("fuel_counters", 6) == 6
    assert swift.get("cost", 28) == 28
    assert swift.get("where", "board") == "board"
    halfway = document["systems"][1]
    assert (halfway.get("columns", 19), halfway.get("rows", 15)) == (19, 15)


def test_a_question_without_a_place_is_in_reserve_and_with_a_hex_on_a_board() -> None:
    start = world(["Duke M1 @0607"], questions=["anna Q1 @0607"])
    start["questions"].append({"id": "Q2", "side": 1, "player": "anna"})
    tables = dumped(start)["questions"]
    assert [table.get("where") for table in tables] in (["board", "reserve"], [None, "reserve"], [None, None])


@pytest.mark.rule("SQ-R81", "SQ-03", "SQ-R78", "SQ-88")
def test_the_game_master_may_edit_everything_between_two_days() -> None:
    """Another board, another planet, another factor: the document is the game."""
    document = deepcopy(dumped(world(["Duke M1 A3 @0607"])))
    document["systems"][1] |= {"columns": 30, "rows": 8, "bodies": [body("Port planet 3008 limit 1 owner 1 value 7")]}
    document["units"][0] |= {"hex": "3001", "attack": 77}
    after = dumped(document)
    assert after["systems"][1]["bodies"][0]["name"] == "Port"
    assert (after["units"][0]["hex"], after["units"][0]["attack"]) == ("3001", 77)


Change = Callable[[Document], Any]
BASE = world(
    ["Duke J4 M6 A5 U3 supplies 2 @0607", "planet Port A3 @0707", "Far J2 @T1"],
    ["Swift J4 M6 A5 @0909"],
    questions=["anna Q1 @0607"],
    bodies=["Port planet 0707 limit 1 owner 1", "Big gas_giant 0303 limit 2"],
    transits=["T1 anna day 3 Near:0303 distance 1"],
)


def _units(**fields: Any) -> Change:
    return lambda d: d["units"][0].update(fields)


@pytest.mark.rule("SQ-24", "SQ-R59", "SQ-R50", "SQ-R76", "SQ-21", "SQ-R13")
@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d["sides"].pop(), "sides"),
        (lambda d: d["players"].pop(), "players"),
        (_units(hex="2007"), "units[0]"),
        (_units(hex="0616"), "units[0]"),
        (_units(hex="607"), "units[0]"),
        (_units(hex="0007"), "units[0]"),
        (_units(system="Nowhere"), "units[0]"),
        (_units(damage=-1), "units[0]"),
        (_units(supply_counters=4), "units[0]"),
        (_units(damage=2, supply_counters=2), "units[0]"),
        (_units(fuel_counters=5), "units[0]"),
        (_units(jump=-1), "units[0]"),
        (_units(player="ben"), "units[0]"),
        (_units(side=3), "units[0]"),
        (_units(where="transit", transit="T9"), "units[0]"),
        (lambda d: d["units"][1].update(maneuver=1), "units[1]"),
        (lambda d: d["units"][1].update(jump=1), "units[1]"),
        (lambda d: d["units"][1].update(hex="0708"), "units[1]"),
        (lambda d: d["units"].append(unit("duke M1 @0101", 1)), "units"),
        (lambda d: d["questions"][0].update(hex="2001"), "questions[0]"),
        (lambda d: d["questions"].append(question("anna Q1 @0101")), "questions"),
        (lambda d: d["questions"].append(question("anna Q2 @T7")), "questions"),
        (lambda d: d["transits"].append(transit("T1 anna day 1 Near:0101")), "transits"),
        (lambda d: d["transits"][0].update(to_system="Nowhere"), "transits[0]"),
        (lambda d: d["transits"][0].update(to_hex="9999"), "transits[0]"),
        (lambda d: d["systems"][1]["bodies"][0].update(hex="2020"), "systems[1]"),
        (lambda d: d["systems"][1].update(hex="1001"), "systems[1]"),
        (lambda d: d["systems"].append({"name": "Field", "hex": "0202"}), "systems"),
        (lambda d: d["sides"][0].update(tech=16), "sides[0]"),
        (lambda d: d["sides"][0].update(tech=10), "sides[0]"),
        (lambda d: d.update(phase="1a"), "phase"),
        (lambda d: d.update(phase="tea"), "phase"),
        (lambda d: d.update(nonsense=1), "nonsense"),
        (lambda d: d["options"].update(nonsense=1), "options"),
        (lambda d: d["options"].update(fog="mist"), "options"),
        (lambda d: d["players"][0].update(name="ben"), "players"),
    ],
)
def test_a_position_that_breaks_its_rules_is_refused_with_the_place(change: Change, where: str) -> None:
    ruleset.load(BASE)
    document = deepcopy(BASE)
    change(document)
    with pytest.raises(PositionError) as problem:
        ruleset.load(document)
    assert problem.value.place.startswith(where)


@pytest.mark.rule("SQ-R76")
def test_both_sides_may_use_the_same_name() -> None:
    assert ruleset.load(world(["Duke M1 @0607"], ["Duke M1 @0607"]))


@pytest.mark.rule("SQ-R50", "SQ-R49")
def test_with_supply_hits_keep_more_counters_than_room_are_legal() -> None:
    ruleset.load(world(["Duke M1 U3 supplies 3 damage 2 @0607"], supply_hits="keep"))
    ruleset.load(world(["Duke M1 U3 supplies 6 @0607"], supply_per_factor=2))
    with pytest.raises(PositionError):
        ruleset.load(world(["Duke M1 U3 supplies 7 @0607"], supply_per_factor=2))

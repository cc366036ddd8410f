"""Strategic movement: jumps, transit, arrival (SQ-40, SQ-41, SQ-53 to SQ-65)."""

from typing import Any

import pytest

from tests.rulesets.starship_squadrons.harness import Played, days, fault, play, remarks, world
from tests.rulesets.starship_squadrons.reference import distance

TO = "Near 0303"


def jumped(unit: str, order: str = f"JUMP Duke TO {TO}", **options: Any) -> Played:
    return play(world([unit], **options), anna=order)


@pytest.mark.rule("SQ-53", "SQ-57", "SQ-60", "SQ-61", "SQ-62", "SQ-R67", "SQ-54", "SQ-63")
def test_a_jumping_squadron_goes_to_the_transit_board_and_one_space_on_the_same_day() -> None:
    done = jumped("Duke J4 @0607")
    assert done.at("Duke") == "T1"
    (group,) = done.document["transits"]
    assert {key: group[key] for key in ("day", "origin", "to_system", "to_hex", "distance")} == {
        "day": 1, "origin": "Field", "to_system": "Near", "to_hex": "0303", "distance": 1,
    }  # fmt: skip
    assert done.document["next_transit"] == 2


@pytest.mark.rule("SQ-55", "SQ-64", "SQ-R67", "SQ-41", "SQ-R69", "SQ-54", "SQ-63")
def test_on_the_seventh_day_it_appears_on_its_hex_and_the_fuel_is_used() -> None:
    start = world(["Duke J4 @0607"])
    start["systems"][2]["hex"] = "0704"  # two hexes from 0504
    before = days(start, 6, anna=f"JUMP Duke TO {TO}")
    assert (before.at("Duke"), before.unit("Duke")["fuel_counters"]) == ("T1", 4)
    assert before.document["transits"][0]["day"] == 6
    done = play(before.document, anna="PASS")
    assert (done.at("Duke"), done.unit("Duke")["fuel_counters"]) == ("Near 0303", 2)
    assert done.document["transits"] == []
    assert done.document["day"] == 12


@pytest.mark.rule("SQ-R67", "SQ-63", "SQ-64")
@pytest.mark.parametrize(("options", "count"), [({}, 7), ({"jump_days": 3}, 3), ({"transit_start": "next_day"}, 8)])
def test_how_long_a_jump_lasts(options: dict[str, Any], count: int) -> None:
    start = world(["Duke J4 @0607"], **options)
    assert days(start, count - 1, anna=f"JUMP Duke TO {TO}").at("Duke") == "T1"
    assert days(start, count, anna=f"JUMP Duke TO {TO}").at("Duke") == "Near 0303"


@pytest.mark.rule("SQ-R67", "SQ-R39")
def test_it_fights_on_the_day_it_leaves_and_not_on_the_day_it_appears() -> None:
    start = world(["Duke J4 A2 R9 D40 @0607"], ["Gun A2 R9 D99 @0601", "Near Gun A1 R9 D99 @Near:0301"], jump_days=2)
    start["options"]["default_fire"] = "nearest"
    done = play(start, anna=f"JUMP Duke TO {TO}")
    assert (done.damage("Duke"), done.damage("Gun", 2)) == (4, 4)
    done = play(done.document)
    assert (done.at("Duke"), done.damage("Duke")) == ("Near 0303", 4)
    assert play(done.document).damage("Duke") == 6


@pytest.mark.rule("SQ-40", "SQ-58", "SQ-59", "SQ-R64")
@pytest.mark.parametrize(
    ("unit", "goes"),
    [
        ("Duke J3 @0607", True),
        ("Duke J3 fuel 2 @0607", False),
        ("Duke J4 damage 2 @0607", False),
        ("Duke J4 damage 1 @0607", True),
    ],
)
def test_a_jump_needs_factor_and_fuel_for_every_hex(unit: str, goes: bool) -> None:
    start = world([unit], auto_repair=False)
    start["systems"][2]["hex"] = "0802"
    assert distance("0504", "0802") == 3
    done = play(start, anna=f"JUMP Duke TO {TO}")
    assert done.at("Duke") == ("T1" if goes else "Field 0607")
    assert ("JUMP" in done.told("anna")) or goes


@pytest.mark.rule("SQ-R64", "SQ-R55", "SQ-52")
def test_the_test_is_after_fire_repair_and_refuelling_of_the_day() -> None:
    hit = world(["Duke J1 D1 M9 @0607"], ["Gun A2 R9 @0601"])
    assert play(hit, anna=f"JUMP Duke TO {TO}", ben="FIRE 1 Gun AT Duke").at("Duke") == "Field 0607"
    repaired = world(["Duke J1 M9 U9 supplies 3 damage 1 @0607"])
    assert play(repaired, anna=f"JUMP Duke TO {TO}").at("Duke") == "T1"
    filled = world(["Duke J1 fuel 0 @0607"], bodies=["Big gas_giant 0607 limit 2"])
    assert play(filled, anna=f"JUMP Duke TO {TO}").at("Duke") == "T1"
    assert remarks(filled, "anna", f"JUMP Duke TO {TO}")


@pytest.mark.rule("SQ-65", "SQ-R66")
@pytest.mark.parametrize(("hexagon", "legal"), [("1008", False), ("1006", False), ("1005", True), ("0303", True)])
def test_the_arrival_hex_must_be_outside_every_limit(hexagon: str, legal: bool) -> None:
    start = world(["Duke J4 @0607"])
    order = f"JUMP Duke TO Near {hexagon}"
    assert (play(start, anna=order).at("Duke") == "T1") if legal else fault(start, "anna", f"PASS\n{order}")


@pytest.mark.rule("SQ-R66", "SQ-65")
@pytest.mark.parametrize("kind", ["planet", "gas_giant", "star"])
def test_planets_and_gas_giants_have_a_limit_too(kind: str) -> None:
    start = world(["Duke J4 @0607"])
    start["systems"][2]["bodies"] = [{"name": "Rock", "kind": kind, "hex": "0303", "limit": 1}]
    assert fault(start, "anna", "PASS\nJUMP Duke TO Near 0303")
    assert fault(start, "anna", "PASS\nJUMP Duke TO Near 0304")
    assert remarks(start, "anna", "JUMP Duke TO Near 0305") == []


@pytest.mark.rule("SQ-R64")
def test_only_other_systems_of_the_map_within_the_printed_factor_are_accepted() -> None:
    start = world(["Duke J4 @0607", "Short J1 @0607"])
    for order in (
        "JUMP Duke TO Nowhere 0303", "JUMP Duke TO Field 0101", "JUMP Duke TO Near 2001", "JUMP Duke TO 0303",
        "JUMP Short TO Home One 0303", "JUMP Guard TO Near 0303",
    ):  # fmt: skip
        assert fault(start, "anna", f"PASS\n{order}"), order


@pytest.mark.rule("SQ-R64")
def test_a_micro_jump_is_an_option_and_costs_no_fuel() -> None:
    start = world(["Duke J1 fuel 0 @0607"], micro_jump=True, jump_days=1)
    done = play(start, anna="JUMP Duke TO Field 0101")
    assert (done.at("Duke"), done.unit("Duke")["fuel_counters"]) == ("Field 0101", 0)
    broken = world(["Duke J1 damage 1 M9 @0607"], micro_jump=True, auto_repair=False)
    assert play(broken, anna="JUMP Duke TO Field 0101").at("Duke") == "Field 0607"


@pytest.mark.rule("SQ-R65")
def test_jumping_out_of_a_limit_is_allowed_unless_the_option_forbids_it() -> None:
    bodies = ["Sun star 0606 limit 1"]
    assert jumped("Duke J4 @0607", bodies=bodies).at("Duke") == "T1"
    forbidden = world(["Duke J4 M1 @0607", "Free J4 M1 @0610"], bodies=bodies, jump_out_limit=True)
    done = play(forbidden, anna=f"JUMP Duke, Free TO {TO}")
    assert (done.at("Duke"), done.at("Free")) == ("Field 0607", "T1")
    # What counts is where it is in the jump step.
    assert play(forbidden, anna=f"MOVE Duke TO 0609\nJUMP Duke TO {TO}").at("Duke") == "T1"


@pytest.mark.rule("SQ-R68", "SQ-R32")
def test_counters_of_an_order_in_one_hex_are_one_group_and_each_squadron_is_tested_alone() -> None:
    units = ["Duke J4 @0607", "Dry J4 fuel 0 @0607", "Earl J4 @0607", "Far J4 @0101"]
    start = world(units, questions=["anna Q1 @0607", "anna Q2 @0101"])
    done = play(start, anna=f"JUMP Far, Duke, Dry, Earl, Q1 TO {TO}")
    assert [done.at(name) for name in ("Far", "Duke", "Dry", "Earl")] == ["T1", "T2", "Field 0607", "T2"]
    assert done.questions("anna") == {"Q1": "T2", "Q2": "Field 0101", "Q3": "reserve"}
    assert done.document["next_transit"] == 3


@pytest.mark.rule("SQ-R68")
def test_a_question_stays_if_no_squadron_of_its_group_goes() -> None:
    start = world(["Dry J4 fuel 0 @0607"], questions=["anna Q1 @0607"])
    done = play(start, anna=f"JUMP Dry, Q1 TO {TO}")
    assert done.questions("anna")["Q1"] == "Field 0607"
    assert done.document["transits"] == []


@pytest.mark.rule("SQ-R32", "SQ-16", "SQ-R69")
def test_decoys_jump_as_far_as_the_sides_tech_allows_without_fuel() -> None:
    start = world(questions=["anna Q1 @0607"], jump_days=1)
    start["systems"][2]["hex"] = "0801"
    far = distance("0504", "0801")
    assert 2 < far <= 6
    done = play(start, anna=f"JUMP Q1 TO {TO}")
    assert done.questions("anna")["Q1"] == "Near 0303"
    start["sides"][0]["tech"] = 15 - (6 - far) - 1
    assert fault(start, "anna", f"PASS\nJUMP Q1 TO {TO}")


@pytest.mark.rule("SQ-R32")
def test_decoys_do_not_jump_if_the_option_says_so() -> None:
    start = world(["Duke J4 @0607"], questions=["anna Q1 @0607", "anna Q2 @0101"], dummy_jump=False)
    assert fault(start, "anna", f"PASS\nJUMP Q2 TO {TO}")
    # Over a squadron a "?" goes along.
    assert play(start, anna=f"JUMP Duke, Q1 TO {TO}").questions("anna")["Q1"] == "T1"


@pytest.mark.rule("SQ-R70", "SQ-R08", "SQ-R39")
def test_in_transit_nothing_can_be_ordered() -> None:
    start = world(["Duke J4 A3 @T1"], questions=["anna Q1 @T1"], transits=["T1 anna day 2 Near:0303"])
    for order in (f"JUMP Duke TO {TO}", "MOVE Duke TO 0101", "MOVE Q1 TO 0101", "JUMP Q1 TO Near 0304"):
        assert fault(start, "anna", f"PASS\n{order}"), order


@pytest.mark.rule("SQ-55", "SQ-R22")
def test_questions_arrive_with_their_group_and_are_not_removed_that_evening() -> None:
    start = world(["Duke J4 @T1"], ["Swift S9 M1 @Near:0303"], questions=["anna Q1 @T1"], transits=["T1 anna day 6 Near:0303"])
    done = play(start, anna="PASS")
    assert (done.at("Duke"), done.questions("anna")["Q1"]) == ("Near 0303", "Near 0303")
    assert "Q1" not in play(done.document).questions("anna")


@pytest.mark.rule("SQ-R04", "SQ-R03")
def test_the_later_jump_of_a_counter_wins() -> None:
    start = world(["Duke J4 @0607", "Earl J4 @0607"])
    done = play(start, anna="JUMP Duke, Earl TO Near 0303\nJUMP Duke TO Near 0404")
    targets = {u["name"]: u.get("transit") for u in done.document["units"]}
    groups = {group["id"]: group["to_hex"] for group in done.document["transits"]}
    assert groups[targets["Duke"]] == "0404"
    assert groups[targets["Earl"]] == "0303"


@pytest.mark.rule("SQ-R03", "SQ-54")
def test_groups_are_numbered_in_order_of_arrival() -> None:
    start = world(["Duke J4 @0607"], ["Swift J4 @0101"])
    first = play(start, anna=f"JUMP Duke TO {TO}", ben=f"JUMP Swift TO {TO}")
    second = play(start, ben=f"JUMP Swift TO {TO}", anna=f"JUMP Duke TO {TO}")
    assert (first.at("Duke"), second.at("Duke")) == ("T1", "T2")


@pytest.mark.rule("SQ-R71", "SQ-47", "SQ-48")
def test_a_fleet_name_means_its_members_of_the_morning_for_the_whole_day() -> None:
    start = world(["Duke J4 M3 @0607", "Earl J4 M3 @0607", "Late J4 M3 @0607"], questions=["anna Q1 @0607"])
    done = play(start, anna=f"FLEET Alpha: Duke, Earl, Q1\nMOVE 1 Alpha TO 0605\nMOVE 1 Earl TO 0609\nJUMP Alpha TO {TO}")
    # Earl has left the fleet, but was a member when the day began.
    assert (done.at("Duke"), done.at("Earl"), done.questions("anna")["Q1"]) == ("T1", "T2", "T1")
    assert done.fleets("anna") == {"Alpha": ["Duke", "Q1"]}


@pytest.mark.rule("SQ-R68", "SQ-R04")
def test_a_question_does_not_go_alone_when_a_later_line_sends_its_squadron_elsewhere() -> None:
    start = world(["Duke J4 M1 @0607"], questions=["anna Q1 @0607"])
    done = play(start, anna="JUMP Duke, Q1 TO Near 0303\nJUMP Duke TO Near 0404", ben="PASS")
    assert done.at("Duke") == "T1"
    assert done.questions("anna")["Q1"] == "Field 0607"
    assert "no squadron of its group jumps" in done.told("anna")


@pytest.mark.rule("SQ-R68")
def test_a_squadron_whose_name_looks_like_a_question_is_a_squadron() -> None:
    start = world(["Q² J4 M1 fuel 0 @0607"], questions=["anna Q1 @0607"])
    done = play(start, anna="JUMP Q², Q1 TO Near 0303", ben="PASS")
    assert done.questions("anna")["Q1"] == "Field 0607"

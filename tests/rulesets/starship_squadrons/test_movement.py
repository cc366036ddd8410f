"""Boards, hexes, paths and groups (sections 5.3 and 7.1, rules SQ-67 to SQ-72)."""

import random

import pytest

from tests.rulesets.starship_squadrons.harness import play, world
from tests.rulesets.starship_squadrons.reference import distance, neighbours, path


def test_the_reference_knows_the_distances_of_the_specification() -> None:
    assert distance("1005", "0506") == 5
    assert distance("1109", "0506") == 6
    assert distance("1109", "0412") == 7
    assert path("1609", ["1109"], 5) == ["1509", "1409", "1309", "1209", "1109"]
    assert path("1109", ["1311"], 5) == ["1209", "1210", "1311"]
    assert neighbours("0504") == ["0503", "0603", "0604", "0505", "0404", "0403"]
    assert neighbours("0604") == ["0603", "0704", "0705", "0605", "0505", "0504"]


@pytest.mark.rule("SQ-67", "SQ-68", "SQ-R35")
def test_a_squadron_moves_as_many_hexes_as_its_maneuver_factor_in_each_phase() -> None:
    done = play(world(["Duke M3 @0607"]), anna="MOVE 1 Duke TO 0601")
    assert done.at("Duke") == "Field 0604"
    done = play(world(["Duke M3 @0607"]), anna="MOVE 2 Duke TO 0601")
    assert done.at("Duke") == "Field 0604"
    done = play(world(["Duke M3 @0607"]), anna="MOVE Duke TO 0601")
    assert done.at("Duke") == "Field 0601"


@pytest.mark.rule("SQ-69")
def test_maneuver_0_stays_and_maneuver_1_moves_one_hex() -> None:
    done = play(world(["Slow M1 @0607", "Fort J1 @0607"]), anna="MOVE 1 Slow TO 0601\nMOVE Fort TO 0606")
    assert (done.at("Slow"), done.at("Fort")) == ("Field 0606", "Field 0607")


@pytest.mark.rule("SQ-R36")
def test_movement_that_is_not_used_is_lost() -> None:
    done = play(world(["Duke M3 @0607"]), anna="MOVE 1 Duke TO 0606\nMOVE 2 Duke TO 0601")
    assert done.at("Duke") == "Field 0603"


@pytest.mark.rule("SQ-R35", "SQ-R37")
def test_waypoints_are_gone_through_in_order() -> None:
    done = play(world(["Duke M6 @0607"]), anna="MOVE 1 Duke TO 0605 THEN 0608 THEN 0607")
    assert done.at("Duke") == "Field 0607"
    done = play(world(["Duke M3 @0607"]), anna="MOVE Duke TO 0603 THEN 0609")
    # Three steps to 0604, then the fourth to 0603 and two back.
    assert done.at("Duke") == "Field 0605"


@pytest.mark.rule("SQ-R37")
def test_counters_with_other_waypoints_left_are_groups_of_their_own_in_impulse_2() -> None:
    """Quick has been at both first waypoints; Slow, in the same hex, has still to go to the first."""
    start = world(["Quick M3 @0603", "Slow M1 @0607"])
    done = play(start, anna="MOVE Quick, Slow TO 0603 THEN 0606 THEN 0610")
    assert (done.at("Quick"), done.at("Slow")) == ("Field 0609", "Field 0605")


@pytest.mark.rule("SQ-R34", "SQ-72")
def test_nothing_on_a_board_stops_a_move_and_any_number_fit_in_a_hex() -> None:
    bodies = ["Sun star 0606 limit 3", "Port planet 0605 limit 1 owner 2"]
    crowd = [f"Foe{n} M1 S9 A9 R9 @0605" for n in range(12)]
    start = world(["Duke M6 D99 @0607", "Two M6 D99 @0607"], crowd, bodies=bodies, questions=["ben Q1 @0606"])
    done = play(start, anna="MOVE 1 Duke TO 0601\nMOVE 1 Two TO 0605")
    assert (done.at("Duke"), done.at("Two")) == ("Field 0601", "Field 0605")


@pytest.mark.rule("SQ-R35", "SQ-R34")
def test_every_path_is_that_of_the_specification() -> None:
    """Also along the edges, where the straight line would leave the board."""
    chance = random.Random(7)
    hexes = [f"{c:02}{r:02}" for c in range(1, 20) for r in range(1, 16)]
    edges = [one for one in hexes if one[:2] in ("01", "19") or one[2:] in ("01", "15")]
    for _ in range(12):
        legs = [chance.sample(edges if n % 2 else hexes, chance.randint(2, 4)) for n in range(12)]
        steps = [chance.randint(1, 12) for _ in legs]
        start = world([f"Path{n} M{m} @{leg[0]}" for n, (leg, m) in enumerate(zip(legs, steps, strict=True))])
        text = "\n".join(f"MOVE 1 Path{n} TO {' THEN '.join(leg[1:])}" for n, leg in enumerate(legs))
        done = play(start, anna=text)
        for n, (leg, m) in enumerate(zip(legs, steps, strict=True)):
            wanted = [leg[0], *path(leg[0], leg[1:], m)][-1]
            assert done.at(f"Path{n}") == f"Field {wanted}", (leg, m)


@pytest.mark.rule("SQ-R46", "SQ-R19")
def test_a_group_keeps_to_the_slowest_of_its_squadrons() -> None:
    start = world(["Quick M5 @0607", "Slow M2 @0607", "Fort J1 @0607", "Other M5 @0707"], questions=["anna Q1 @0607"])
    done = play(start, anna="MOVE 1 Quick, Slow, Fort, Q1, Other TO 0601")
    assert (done.at("Quick"), done.at("Slow"), done.at("Fort")) == ("Field 0605", "Field 0605", "Field 0607")
    assert done.questions("anna")["Q1"] == "Field 0605"
    # Other stands elsewhere and is a group of its own.
    assert done.at("Other") == "Field " + path("0707", ["0601"], 5)[-1]


@pytest.mark.rule("SQ-R46")
def test_a_group_of_squadrons_that_cannot_move_stays_with_its_questions() -> None:
    start = world(["Fort J1 @0607"], questions=["anna Q1 @0607"])
    done = play(start, anna="MOVE Fort, Q1 TO 0601")
    assert (done.at("Fort"), done.questions("anna")["Q1"]) == ("Field 0607", "Field 0607")


@pytest.mark.rule("SQ-R46")
def test_counters_named_in_orders_of_their_own_are_no_group() -> None:
    start = world(["Quick M5 @0607", "Slow M2 @0607"])
    done = play(start, anna="MOVE 1 Quick TO 0601\nMOVE 1 Slow TO 0601")
    assert (done.at("Quick"), done.at("Slow")) == ("Field 0602", "Field 0605")


@pytest.mark.rule("SQ-R19")
@pytest.mark.parametrize(("options", "end"), [({}, "0601"), ({"dummy_maneuver": 2}, "0605")])
def test_questions_alone_move_six_hexes_or_as_the_option_says(options: dict[str, int], end: str) -> None:
    done = play(world(questions=["anna Q1 @0607"], **options), anna="MOVE 1 Q1 TO 0601")
    assert done.questions("anna")["Q1"] == f"Field {end}"


@pytest.mark.rule("SQ-R38", "SQ-81", "SQ-78")
def test_the_maneuver_factor_at_the_beginning_of_the_phase_counts() -> None:
    """Two points get past the defense in the first impulse: six hexes before, four after."""
    start = world(["Duke M6 A20 D3 @0607"], ["Gun M1 A5 R9 @0707"])
    done = play(start, anna="MOVE 1 Duke TO 0601\nMOVE 2 Duke TO 0607", ben="FIRE 1 Gun AT Duke")
    assert done.damage("Duke") == 5
    assert done.at("Duke") == "Field 0605"


@pytest.mark.rule("SQ-R04")
@pytest.mark.parametrize(
    ("orders", "end"),
    [
        ("MOVE Duke TO 0601\nMOVE 1 Duke TO 0609", "0607"),  # two south, then two north again
        ("MOVE 1 Duke TO 0609\nMOVE Duke TO 0601", "0603"),
        ("MOVE Duke, Other TO 0601\nMOVE Duke TO 0615", "0611"),
    ],
)
def test_the_later_of_two_moves_of_a_counter_wins(orders: str, end: str) -> None:
    done = play(world(["Duke M2 @0607", "Other M2 @0607"]), anna=orders)
    assert done.at("Duke") == f"Field {end}"
    if "Other" in orders:
        assert done.at("Other") == "Field 0603"


@pytest.mark.rule("SQ-R04", "SQ-R46")
def test_a_counter_taken_out_of_a_move_by_a_later_line_slows_it_no_more() -> None:
    done = play(world(["Quick M4 @0607", "Slow M1 @0607"]), anna="MOVE 1 Quick, Slow TO 0601\nMOVE 1 Slow TO 0615")
    assert (done.at("Quick"), done.at("Slow")) == ("Field 0603", "Field 0608")


@pytest.mark.rule("SQ-R01")
def test_plotted_moves_of_both_sides_are_blind() -> None:
    """Each heads for where the other was; that one moves first in an impulse shows in nothing."""
    done = play(world(["Duke M3 @0607"], ["Swift M3 @0604"]), anna="MOVE 1 Duke TO 0604", ben="MOVE 1 Swift TO 0607")
    assert (done.at("Duke"), done.at("Swift", 2)) == ("Field 0604", "Field 0607")


@pytest.mark.rule("SQ-R05")
def test_what_becomes_impossible_is_dropped_for_that_counter_and_told() -> None:
    """Duke is destroyed in impulse 1; Tender goes on."""
    start = world(["Duke M2 A1 @0607", "Tender M2 @0607"], ["Gun A9 R9 @0707"])
    done = play(start, anna="MOVE 2 Duke, Tender TO 0601", ben="FIRE 1 Gun AT Duke")
    assert not done.alive("Duke")
    assert done.at("Tender") == "Field 0605"
    assert "destroyed" in done.told("anna")
    cut = play(world(["Fort J1 @0607"]), anna="MOVE Fort TO 0606")
    assert "maneuver" in cut.told("anna").lower()
    assert "maneuver" not in play(world(["Fort J1 @0607"]), anna="PASS").told("anna").lower().split("your")[0]

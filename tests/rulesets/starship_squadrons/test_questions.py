""" "?" counters: what they cover, how they are lost, how they are acquired and placed (SQ-25 to SQ-31)."""

import pytest

from tests.rulesets.starship_squadrons.harness import days, fault, play, receive, remarks, world

FOE = "Swift M6 S2 A5 R5 D9"


@pytest.mark.rule("SQ-28", "SQ-R20", "SQ-R17", "SQ-26", "SQ-R31")
def test_all_questions_of_a_hex_in_reach_of_enemy_sensors_go_and_those_beyond_stay() -> None:
    """Sensor range 2, at 0606: 0608 is two hexes off, 0609 three. What is gone is in no reserve."""
    start = world(["Duke M1 @0608"], [f"{FOE} @0606"], questions=["anna Q1 @0608", "anna Q2 @0608", "anna Q3 @0609"])
    done = play(start, anna="PASS")
    assert set(done.questions("anna")) == {"Q3", "Q4"}
    assert done.questions("anna") == {"Q3": "Field 0609", "Q4": "reserve"}


@pytest.mark.rule("SQ-R20", "SQ-28")
def test_only_sensors_on_the_same_board_count() -> None:
    start = world(["Duke M1 @0608"], [f"{FOE} @Near:0608"], questions=["anna Q1 @0608"])
    assert "Q1" in play(start).questions("anna")


@pytest.mark.rule("SQ-R20")
def test_passing_by_in_mid_move_does_nothing() -> None:
    start = world(["Duke M1 @0608"], ["Swift M6 S0 A5 @0605"], questions=["anna Q1 @0608"])
    done = play(start, ben="MOVE 1 Swift TO 0608 THEN 0605")
    assert "Q1" in done.questions("anna")
    assert "Q1" not in play(start, ben="MOVE 1 Swift TO 0608\nMOVE 2 Swift TO 0605").questions("anna")


@pytest.mark.rule("SQ-R20", "SQ-50", "SQ-51")
def test_removal_is_after_both_sides_have_moved_and_in_both_impulses() -> None:
    # In impulse 1 the "?" flees out of reach before anything is removed; in impulse 2 it is caught.
    start = world(["Duke M6 @0608"], [f"{FOE} @0604"], questions=["anna Q1 @0608"])
    flee = "MOVE 1 Duke, Q1 TO 0614"
    assert "Q1" in play(start, anna=flee, ben="MOVE 1 Swift TO 0607").questions("anna")
    assert "Q1" not in play(start, anna=flee, ben="MOVE Swift TO 0615").questions("anna")


@pytest.mark.rule("SQ-R20")
def test_both_sides_lose_their_questions_at_the_same_time() -> None:
    start = world(["Duke S3 @0608"], ["Swift S3 @0606"], questions=["anna Q1 @0608", "ben Q1 @0606"])
    done = play(start)
    assert set(done.questions("anna")) == set(done.questions("ben")) == {"Q2"}


@pytest.mark.rule("SQ-R21", "SQ-71")
@pytest.mark.parametrize(
    ("finder", "questions", "found"),
    [
        ("Swift S0 M1 @0608", [], True),  # range 0 still detects its own hex
        ("Swift S0 M1 @0607", [], False),
        ("Swift S1 M1 @0607", [], True),
        ("planet Port S2 @0606", [], True),
        ("Swift S2 M1 @0606", ["ben Q1 @0606"], True),  # covered, but it has sensors
        ("Swift S2 M1 @0607 damage 2", [], False),  # what is left of them is 0
        ("Swift S2 M1 D1 @0607 damage 2", [], True),
        ("Swift S0 M1 admirals 1 @0607", [], True),
        ("Swift S2 M1 @Near:0607", ["ben Q1 @0608"], False),  # a "?" alone has no sensors
    ],
)
def test_whose_sensors_count(finder: str, questions: list[str], found: bool) -> None:
    bodies = ["Port planet 0606 limit 1 owner 2", "Sun star 0607 limit 1"]
    start = world(["Duke M1 @0608"], [finder], questions=["anna Q1 @0608", *questions], bodies=bodies)
    assert ("Q1" not in play(start).questions("anna")) is found


@pytest.mark.rule("SQ-R21", "SQ-81")
def test_damage_of_an_earlier_fire_phase_has_already_reduced_the_sensors() -> None:
    """The finder comes near in impulse 2, but was hit in impulse 1."""
    start = world(["Duke M1 @0608", "Gun M0 A3 R9 @0101"], ["Swift M6 S3 A9 @0601"], questions=["anna Q1 @0608"])
    orders = "MOVE 2 Swift TO 0606"
    assert "Q1" not in play(start, ben=orders).questions("anna")
    shot = play(start, anna="FIRE 1 Gun AT Swift", ben="MOVE 2 Swift TO 0606")
    assert shot.damage("Swift", 2) == 3
    assert "Q1" in shot.questions("anna")


@pytest.mark.rule("SQ-R17", "SQ-25")
def test_moving_under_a_friendly_question_covers_and_moving_away_uncovers() -> None:
    """Swift can be named as a target only while it is uncovered."""
    start = world(["Gun A4 R9 @0601"], ["Swift M3 D9 @0612"], questions=["ben Q1 @0610"])
    done = play(start, anna="FIRE Gun AT Swift", ben="MOVE 1 Swift TO 0610\nMOVE 2 Swift TO 0609")
    assert done.damage("Swift", 2) == 4


@pytest.mark.rule("SQ-R17")
def test_a_question_covers_its_own_side_only() -> None:
    start = world(["Gun A4 R9 @0601"], ["Swift M3 D9 @0607"], questions=["anna Q1 @0607"])
    # Swift's own hex detects anna's decoy, but she may name Swift all the same.
    assert play(start, anna="FIRE 1 Gun AT Swift").damage("Swift", 2) == 4


@pytest.mark.rule("SQ-R22")
def test_a_question_placed_near_enemy_sensors_stays_until_the_next_removal() -> None:
    start = world(["Duke M1 @0608"], [f"{FOE} @0606"], questions=["anna Q1 reserve"])
    done = play(start, anna="PLACE Q1 ON Duke")
    assert done.questions("anna")["Q1"] == "Field 0608"
    assert "Q1" not in play(done.document).questions("anna")


@pytest.mark.rule("SQ-83", "SQ-R23", "SQ-R24")
def test_an_attacker_loses_every_question_over_it_and_takes_full_damage() -> None:
    start = world(
        ["Duke A4 R9 D20 @0601", "Tender M1 D20 @0601"],
        ["Swift A5 R9 D20 @0607"],
        questions=["anna Q1 @0601", "anna Q2 @0601", "anna Q3 @0602"],
    )
    done = play(start, (1,), anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT ? 0601")
    assert set(done.questions("anna")) == {"Q3", "Q4"}
    assert (done.damage("Duke"), done.damage("Swift", 2)) == (5, 4)
    # Those that shared the cover without firing are uncovered too.
    assert play(start, (2,), anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT ? 0601").damage("Tender") == 5


@pytest.mark.rule("SQ-R23")
def test_with_fire_removes_one_only_the_first_goes_once_a_phase_and_hex() -> None:
    start = world(
        ["Duke A4 R9 D20 @0601", "Two A4 R9 D20 @0601"],
        ["Swift A5 R9 D20 @0609"],
        questions=["anna Q5 @0601", "anna Q2 @0601"],
        fire_removes="one",
    )
    done = play(start, (1,), anna="FIRE 1 Duke, Two AT Swift", ben="FIRE 1 Swift AT ?")
    assert "Q5" not in done.questions("anna")
    assert "Q2" in done.questions("anna")
    assert done.damage("Duke") == 3  # still covered: half, rounded up
    again = play(start, (1,), anna="FIRE Duke AT Swift", ben="FIRE 1 Swift AT ?")
    assert not {"Q5", "Q2"} & set(again.questions("anna"))


@pytest.mark.rule("SQ-R24")
def test_with_ambush_half_a_hidden_attacker_takes_half_damage_in_that_phase() -> None:
    start = world(["Duke A4 R9 D20 @0601"], ["Swift A5 R9 D20 @0607"], questions=["anna Q1 @0601"], ambush_half=True)
    done = play(start, anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT ?")
    assert done.damage("Duke") == 3
    # In the next phase it lies open.
    done = play(start, anna="FIRE Duke AT Swift", ben="FIRE 1 Swift AT ?\nFIRE 2 Swift AT Duke")
    assert done.damage("Duke") == 8


@pytest.mark.rule("SQ-83", "SQ-R26")
def test_a_wasted_shot_gives_the_shooter_away_too_and_the_question_fired_at_stays() -> None:
    start = world(["Duke A4 R9 @0601"], questions=["anna Q1 @0601", "ben Q1 @0607"])
    done = play(start, anna="FIRE 1 Duke AT ?")
    assert "Q1" not in done.questions("anna")
    assert done.questions("ben")["Q1"] == "Field 0607"


@pytest.mark.rule("SQ-R18", "SQ-R26")
def test_a_decoy_looks_like_any_other_question() -> None:
    hidden = world(["Duke A4 R9 @0601"], ["Swift D9 @0607"], questions=["ben Q1 @0607"])
    decoy = world(["Duke A4 R9 @0601"], [], questions=["ben Q1 @0607"])
    orders = "FIRE Duke AT ?"
    # Nobody is hit under the decoy, and the shooter reads the same.
    one, other = play(hidden, anna=orders), play(decoy, anna=orders)
    assert one.seen("anna") == other.seen("anna")
    assert one.seen("ben") != other.seen("ben")
    assert "nothing there" in other.told("ben")


@pytest.mark.rule("SQ-30", "SQ-31", "SQ-56", "SQ-R28")
def test_each_side_gets_a_question_a_day_and_may_place_it_the_same_day() -> None:
    start = world(["Duke M1 @0607"], questions=["anna Q1 @0101"])
    done = play(start, anna="PLACE ? AT Near 1203", ben="PLACE ? ON Guard")
    assert done.questions("anna") == {"Q1": "Field 0101", "Q2": "Near 1203"}
    assert done.questions("ben") == {"Q1": "Home Two 0101"}
    kept = days(start, 3, anna="PASS", ben="PASS")
    assert kept.questions("anna") == {"Q1": "Field 0101", "Q2": "reserve", "Q3": "reserve", "Q4": "reserve"}
    assert play(kept.document, anna="PLACE Q3 ON Duke\nPLACE ? AT Field 0909").questions("anna") == {
        "Q1": "Field 0101", "Q2": "Field 0909", "Q3": "Field 0607", "Q4": "reserve", "Q5": "reserve",
    }  # fmt: skip


@pytest.mark.rule("SQ-31", "SQ-R28")
def test_a_question_may_be_placed_anywhere_even_on_an_enemy_hex_or_on_a_group_in_transit() -> None:
    start = world(["Duke J3 @T1"], ["Swift M1 @0607"], transits=["T1 anna day 3 Near:0303"])
    assert play(start, anna="PLACE ? AT Field 0607").questions("anna") == {"Q1": "Field 0607"}
    assert play(start, anna="PLACE ? ON Duke").questions("anna") == {"Q1": "T1"}


@pytest.mark.rule("SQ-30")
@pytest.mark.parametrize("count", [0, 3])
def test_how_many_a_day_is_an_option(count: int) -> None:
    done = play(world(questions_per_turn=count), anna="PASS")
    assert len(done.questions("anna")) == len(done.questions("ben")) == count


@pytest.mark.rule("SQ-R30", "SQ-R72")
def test_allies_get_the_daily_question_in_turn() -> None:
    start = world(["Duke M1 @0607", "Carl M1 by carl @0607"], players="anna ben carl", players_per_side=2, day=1)
    got: list[str] = []
    document = start
    for _ in range(3):
        done = play(document, anna="PASS", ben="PASS", carl="PASS")
        document = done.document
        got.append(f"{len(done.questions('anna'))}{len(done.questions('carl'))}")
    assert got == ["10", "11", "21"]


@pytest.mark.rule("SQ-R30")
def test_an_ally_that_is_out_of_the_game_is_passed_over() -> None:
    start = world(["Duke M1 @0607"], players="anna carl ben", players_per_side=2, day=1)
    start["players"][0]["status"] = "resigned"
    start["units"] = [u | ({"player": "carl"} if u["side"] == 1 else {}) for u in start["units"]]
    done = play(start, carl="PLACE ? ON Duke", ben="PASS")
    assert (done.questions("anna"), done.questions("carl")) == ({}, {"Q1": "Field 0607"})


@pytest.mark.rule("SQ-R28", "SQ-R29")
def test_more_places_than_questions_are_refused() -> None:
    start = world(["Duke M1 @0607"], questions=["anna Q1 reserve", "anna Q2 @0101"])
    two = "PLACE ? ON Duke\nPLACE ? AT Field 0101"
    assert remarks(start, "anna", two) == []
    assert fault(start, "anna", f"{two}\nPLACE ? AT Field 0102")
    # A "?" on a board is not placed again; that due today is Q3.
    assert fault(start, "anna", "PASS\nPLACE Q2 ON Duke")
    assert fault(start, "anna", "PASS\nPLACE Q4 ON Duke")
    assert play(start, anna="PLACE Q3 ON Duke").questions("anna")["Q3"] == "Field 0607"


@pytest.mark.rule("SQ-R30", "SQ-R28")
def test_a_question_that_is_due_to_an_ally_cannot_be_counted_on() -> None:
    start = world(["Duke M1 @0607", "Carl M1 by carl @0607"], players="anna ben carl", players_per_side=2, day=1)
    assert not [v for v in receive(start, "anna", "PLACE ? ON Duke").verdicts if v.status == "error"]
    assert fault(start, "carl", "PASS\nPLACE ? ON Carl")


@pytest.mark.rule("SQ-R05", "SQ-R28")
def test_a_place_on_a_unit_that_is_gone_is_not_carried_out_and_told() -> None:
    start = world(["Duke D1 A1 @0607"], ["Gun A9 R9 @0707"])
    done = play(start, anna="PLACE ? ON Duke", ben="FIRE 1 Gun AT Duke")
    assert done.questions("anna") == {"Q1": "reserve"}
    assert "PLACE" in done.told("anna")

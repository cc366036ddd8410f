"""Fleet counters: placeholders for many counters in one hex (SQ-47, SQ-48, SQ-R71)."""

import pytest

from tests.rulesets.starship_squadrons.harness import fault, play, world

UNITS = ["Duke J4 M3 A3 R9 @0607", "Earl J4 M3 A4 R9 @0607", "Far M3 @0101"]
START = world(UNITS, questions=["anna Q1 @0607", "anna Q2 @0101"])


@pytest.mark.rule("SQ-47", "SQ-48", "SQ-22")
def test_a_fleet_is_a_name_for_its_members_in_later_days_too() -> None:
    first = play(START, anna="FLEET Alpha: Duke, Earl, Q1")
    assert first.fleets("anna") == {"Alpha": ["Duke", "Earl", "Q1"]}
    done = play(first.document, anna="MOVE 1 FLEET Alpha TO 0604")
    assert {done.at("Duke"), done.at("Earl"), done.questions("anna")["Q1"]} == {"Field 0604"}
    assert done.fleets("anna") == {"Alpha": ["Duke", "Earl", "Q1"]}


@pytest.mark.rule("SQ-R71")
@pytest.mark.parametrize(
    "order",
    ["FLEET A1: Duke, Far", "FLEET A1: Duke, Q2", "FLEET Duke: Earl", "FLEET A1: Nobody", "FLEET A1: Q9", "FLEET Q7: Duke"],
)
def test_members_are_own_and_in_one_hex(order: str) -> None:
    assert fault(START, "anna", f"PASS\n{order}")


@pytest.mark.rule("SQ-R71")
def test_planets_and_enemies_cannot_join() -> None:
    start = world(["Duke M1 @0607", "planet Port A3 @0607"], ["Swift M1 @0607"], bodies=["Port planet 0607 limit 1 owner 1"])
    assert fault(start, "anna", "PASS\nFLEET Alpha: Duke, Port")
    assert fault(start, "anna", "PASS\nFLEET Alpha: Duke, Swift")


@pytest.mark.rule("SQ-R71")
def test_who_leaves_the_hex_of_the_first_member_leaves_the_fleet() -> None:
    fleets = [{"player": "anna", "name": "Alpha", "members": ["Duke", "Earl", "Q1"]}]
    start = world(UNITS, questions=["anna Q1 @0607"], fleets=fleets)
    assert play(start, anna="MOVE 1 Duke TO 0606").fleets("anna") == {"Alpha": ["Duke"]}
    assert play(start, anna="MOVE 1 Earl TO 0606").fleets("anna") == {"Alpha": ["Duke", "Q1"]}
    # The test is at the end of each movement phase: back again in impulse 2 is too late.
    assert play(start, anna="MOVE 1 Earl TO 0606\nMOVE 2 Earl TO 0607").fleets("anna") == {"Alpha": ["Duke", "Q1"]}
    assert play(start, anna="JUMP Duke, Earl TO Near 0303").fleets("anna") == {"Alpha": ["Duke", "Earl"]}


@pytest.mark.rule("SQ-R71")
def test_an_empty_fleet_is_gone_and_a_counter_is_in_one_at_most() -> None:
    fleets = [
        {"player": "anna", "name": "Alpha", "members": ["Duke"]},
        {"player": "anna", "name": "Beta", "members": ["Earl", "Q1"]},
    ]
    start = world(UNITS, ["Gun A99 R9 @0601"], questions=["anna Q1 @0607"], fleets=fleets)
    assert play(start, anna="FLEET Beta: Duke, Earl").fleets("anna") == {"Beta": ["Duke", "Earl"]}
    moved = play(start, anna="FLEET Gamma: Duke, Q1").fleets("anna")
    assert moved == {"Beta": ["Earl"], "Gamma": ["Duke", "Q1"]}
    done = play(world(UNITS, ["Gun A99 R9 @0601"], fleets=fleets[:1]), ben="FIRE 1 Gun AT Duke")
    assert done.fleets("anna") == {}


@pytest.mark.rule("SQ-R71")
def test_a_fleet_is_disbanded_by_name() -> None:
    fleets = [{"player": "anna", "name": "Alpha", "members": ["Duke", "Earl"]}]
    start = world(UNITS, fleets=fleets)
    assert play(start, anna="DISBAND Alpha").fleets("anna") == {}
    assert play(start, anna="DISBAND FLEET Alpha\nFLEET Beta: Earl").fleets("anna") == {"Beta": ["Earl"]}
    assert fault(start, "anna", "PASS\nDISBAND Omega")


@pytest.mark.rule("SQ-R71")
def test_fleet_lines_come_first_wherever_they_stand() -> None:
    done = play(START, anna="MOVE 1 Duke TO 0604\nFLEET Alpha: Duke, Earl")
    assert done.fleets("anna") == {"Alpha": ["Duke"]}


@pytest.mark.rule("SQ-R71", "SQ-R23")
def test_in_fire_and_repair_a_fleet_means_its_squadrons() -> None:
    start = world(UNITS, ["Swift D50 M1 @0601"], questions=["anna Q1 @0607"])
    done = play(start, anna="FLEET Alpha: Duke, Earl, Q1\nFIRE 1 Alpha AT Swift")
    assert done.damage("Swift", 2) == 7


@pytest.mark.rule("SQ-R71")
def test_a_fleet_hides_nothing_and_is_not_shown_to_the_enemy() -> None:
    fleets = [{"player": "anna", "name": "Alphabet", "members": ["Duke", "Earl"]}]
    done = play(world(UNITS, fleets=fleets), anna="PASS")
    assert "Alphabet" in done.told("anna")
    assert "Duke" in done.told("ben")
    assert b"Alphabet" not in done.seen("ben") + done.seen()

"""Damage, destruction and what is lost with it (SQ-75 to SQ-82, SQ-36, SQ-37), also with labelled damage (SQ-89)."""

from typing import Any

import pytest

from tests.rulesets.starship_squadrons.harness import Played, play, world

CRUISER = "Duke J4 M6 S7 A20 R7 D6"


def shot(
    target: str, attacks: list[int], *questions: str, rolls: tuple[int, ...] = (), phase: str = "1", **options: Any
) -> Played:
    """Ben's guns fire at anna's unit at 0607: by name, or at its "?" if it is under one."""
    guns = [f"Gun{n} A{attack} R9 D99 @0601" for n, attack in enumerate(attacks)]
    start = world([f"{target} @0607"], guns, questions=questions, **options)
    return play(start, rolls, anna="PASS", ben=f"FIRE {phase} ALL AT ?, Duke" if attacks else "PASS")


def current(done: Played) -> tuple[int, ...]:
    """Jump, maneuver, sensors, attack, range, defense and supply as section 7.1 has them."""
    table = done.unit("Duke")
    pen = max(0, table["damage"] - table["defense"])
    admirals = table["admiral_counters"]
    keys = (("jump", 0), ("maneuver", 0), ("sensor_range", admirals), ("attack", admirals), ("attack_range", admirals))
    return (
        *(max(0, table[key] + bonus - pen) for key, bonus in keys),
        max(0, table["defense"] - table["damage"]),
        max(0, table["supply"] - pen),
    )


@pytest.mark.rule("SQ-79", "SQ-77", "SQ-78", "SQ-09")
def test_the_check_value_of_the_seed() -> None:
    """The numbers are the rules' own, as its owner reads them in the report."""
    done = shot(CRUISER, [10])
    assert done.damage("Duke") == 10
    assert current(done) == (0, 2, 3, 16, 3, 0, 0)
    report = done.told("anna")
    row = next(part for part in report.split("Duke") if "16" in part and "10" in part)
    assert row


@pytest.mark.rule("SQ-79", "SQ-81", "SQ-78")
def test_the_check_value_shows_in_the_next_phases() -> None:
    """Maneuver 2, attack 16 and range 3 in impulse 2."""
    guns = ["Gun A10 R9 D99 @0601", "Close D99 M1 @0612", "Far D99 M1 @0613"]
    start = world([f"{CRUISER} @0607"], guns)
    orders = "MOVE 2 Duke TO 0613\nFIRE 2 Duke AT Far, Close"
    done = play(start, anna=orders, ben="FIRE 1 Gun AT Duke")
    assert done.at("Duke") == "Field 0609"
    assert (done.damage("Close", 2), done.damage("Far", 2)) == (16, 0)
    # A hex nearer the range of 3 no longer does.
    start = world([f"{CRUISER} @0606"], guns)
    assert play(start, anna=orders, ben="FIRE 1 Gun AT Duke").damage("Close", 2) == 0


@pytest.mark.rule("SQ-75", "SQ-36", "SQ-37", "SQ-R47", "SQ-R42")
def test_damage_is_the_sum_of_the_attack_factors_and_is_cumulative() -> None:
    assert shot(CRUISER, [3, 4, 17]).damage("Duke") == 24
    assert shot(f"{CRUISER} damage 5", [3]).damage("Duke") == 8
    # Points absorbed by defense do not come back.
    assert shot(f"{CRUISER}", [4], phase="").damage("Duke") == 8


@pytest.mark.rule("SQ-77", "SQ-80", "SQ-R43", "SQ-39")
@pytest.mark.parametrize(
    ("attacks", "options", "fuel"),
    [
        ([6], {}, 4),  # wholly absorbed
        ([7], {}, 3),
        ([3, 3, 3], {}, 3),  # one a phase, however many attackers
        ([3, 3, 3], {"fuel_loss": "per_attack"}, 1),
        ([2, 2, 2], {"fuel_loss": "per_attack"}, 4),
        ([9], {"fuel_loss": "none"}, 4),
    ],
)
def test_fuel_is_lost_when_a_point_gets_past_the_defense(attacks: list[int], options: dict[str, str], fuel: int) -> None:
    assert shot(CRUISER, attacks, **options).unit("Duke")["fuel_counters"] == fuel


@pytest.mark.rule("SQ-80", "SQ-R43")
def test_fuel_is_lost_in_each_phase_but_never_below_nothing() -> None:
    assert shot(CRUISER, [7], phase="").unit("Duke")["fuel_counters"] == 2
    assert shot(f"{CRUISER} fuel 1", [7], phase="").unit("Duke")["fuel_counters"] == 0
    assert shot(f"{CRUISER} fuel 1", [7, 7, 2], fuel_loss="per_attack").unit("Duke")["fuel_counters"] == 0


@pytest.mark.rule("SQ-R59")
def test_damage_to_jump_spills_no_other_fuel() -> None:
    assert shot(CRUISER, [10]).unit("Duke")["fuel_counters"] == 3


@pytest.mark.rule("SQ-82", "SQ-R27")
@pytest.mark.parametrize(
    ("attacks", "options", "damage"), [([5], {}, 3), ([5, 5], {}, 5), ([5], {"half_rounding": "down"}, 2), ([1], {}, 1)]
)
def test_half_damage_under_a_question_is_of_the_sum_and_rounded_once(
    attacks: list[int], options: dict[str, str], damage: int
) -> None:
    assert shot(CRUISER, attacks, "anna Q1 @0607", **options).damage("Duke") == damage


@pytest.mark.rule("SQ-44", "SQ-45", "SQ-R41", "SQ-R11")
def test_admirals_add_to_sensors_attack_and_range_before_damage() -> None:
    """Attack 2 with three Admirals and one point past the defense: four; range 0 reaches two hexes."""
    start = world(["Duke A2 D1 admirals 3 damage 2 @0607"], ["Swift D30 M1 @0605", "Far D30 M1 @0604"])
    done = play(start, anna="FIRE 1 Duke AT Far, Swift")
    assert (done.damage("Swift", 2), done.damage("Far", 2)) == (4, 0)


@pytest.mark.rule("SQ-45", "SQ-R41", "SQ-R54")
def test_the_whole_bonus_of_admirals() -> None:
    """Sensors 1 + 2 find at three hexes, and three repairs a day."""
    start = world(
        ["Duke S1 M1 U9 supplies 9 damage 4 D9 admirals 2 @0607"],
        ["Swift M1 @0604"],
        questions=["ben Q1 @0604", "ben Q2 @0603"],
    )
    done = play(start, anna="PASS")
    assert set(done.questions("ben")) == {"Q2", "Q3"}
    assert done.damage("Duke") == 1


@pytest.mark.rule("SQ-R44")
@pytest.mark.parametrize(
    ("target", "toughness"),
    [
        ("Duke J4 M6 S7 A20 R7 D6", 26),
        ("Duke D5", 5),
        ("Duke J3 D2", 5),
        ("Duke M1", 1),
        ("Duke S3 D1 admirals 2", 6),
        ("Duke A3 D1 admirals 2", 6),
        ("Duke R3 D1 admirals 2", 6),
        ("Duke J5 A3 D1 admirals 1", 6),
        ("Duke U4 D1", 5),
    ],
)
def test_a_unit_is_destroyed_when_all_seven_factors_are_0(target: str, toughness: int) -> None:
    assert shot(target, [toughness - 1] if toughness > 1 else []).alive("Duke")
    assert not shot(target, [toughness]).alive("Duke")


@pytest.mark.rule("SQ-R44", "SQ-R63", "SQ-R16", "SQ-R79")
def test_what_it_carries_goes_with_it_and_the_questions_stay() -> None:
    done = shot("Duke J4 D2 U3 supplies 3 admirals 2", [12], "anna Q1 @0607")
    assert not done.alive("Duke")
    assert done.questions("anna")["Q1"] == "Field 0607"
    (loss,) = done.document["losses"]
    assert loss == {"side": 1, "name": "Duke", "kind": "squadron", "cost": 9, "day": 5, "covered": True}
    assert not any(u.get("admiral_counters") for u in done.document["units"])


@pytest.mark.rule("SQ-R44")
def test_hulks_stay_with_destruction_never_and_can_be_repaired() -> None:
    done = shot("Duke M6 A4 D2", [50], destruction="never")
    assert done.damage("Duke") == 8
    towed = world(["Duke M6 A4 D2 damage 8 @0607", "Tender U5 supplies 5 @0607"], destruction="never")
    assert play(towed, anna="PASS").damage("Duke") == 7


@pytest.mark.rule("SQ-R50", "SQ-R42", "SQ-R49")
@pytest.mark.parametrize(("options", "left"), [({}, 2), ({"supply_hits": "keep"}, 5), ({"supply_per_factor": 2}, 4)])
def test_supply_counters_without_room_are_lost_at_once(options: dict[str, Any], left: int) -> None:
    done = shot("Duke U5 D2 J9 supplies 5", [5], auto_repair=False, **options)
    assert done.unit("Duke")["supply_counters"] == left


@pytest.mark.rule("SQ-76", "SQ-R40")
def test_simultaneous_damage_uses_the_attacks_before_the_phase() -> None:
    start = world(["Duke A9 R9 D1 J30 @0607"], ["Swift A8 R9 D1 J30 @0605"])
    done = play(start, anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT Duke")
    assert (done.damage("Duke"), done.damage("Swift", 2)) == (8, 9)


@pytest.mark.rule("SQ-R05", "SQ-R44")
def test_a_unit_destroyed_in_impulse_1_does_not_fire_in_impulse_2() -> None:
    start = world(["Duke A9 R9 @0607"], ["Swift A9 R9 D50 @0605"])
    done = play(start, anna="FIRE Duke AT Swift", ben="FIRE 1 Swift AT Duke")
    assert (done.alive("Duke"), done.damage("Swift", 2)) == (False, 9)


# Labelled damage


LABELLED = {"damage_model": "labelled"}


@pytest.mark.rule("SQ-89", "SQ-R77")
def test_labelled_points_hit_defense_first_then_single_factors_by_dice() -> None:
    """Three of six go through: jump of six factors, then maneuver of six, then supply of six."""
    done = shot("Duke J2 M2 S2 A2 R2 D3 U2", [6], rolls=(1, 2, 6), **LABELLED)
    hits = done.unit("Duke")["hits"]
    assert {key: count for key, count in hits.items() if count} == {"defense": 3, "jump": 1, "maneuver": 1, "supply": 1}
    assert done.damage("Duke") == 6
    assert done.unit("Duke")["fuel_counters"] == 1


@pytest.mark.rule("SQ-89", "SQ-R77")
def test_labelled_a_factor_that_is_gone_is_no_longer_rolled_for_and_the_last_needs_no_roll() -> None:
    done = shot("Duke J1 A3", [3], rolls=(1,), **LABELLED)
    assert {key: count for key, count in done.unit("Duke")["hits"].items() if count} == {"jump": 1, "attack": 2}
    assert not shot("Duke J1 A3", [4], rolls=(1,), **LABELLED).alive("Duke")


@pytest.mark.rule("SQ-89", "SQ-R77", "SQ-R41")
def test_labelled_admirals_count_towards_what_can_be_lost() -> None:
    done = shot("Duke A1 admirals 1", [1], rolls=(1,), **LABELLED)  # sensors, attack and range are 1, 2, 1
    assert {key: count for key, count in done.unit("Duke")["hits"].items() if count} == {"sensor_range": 1}


@pytest.mark.rule("SQ-89", "SQ-R77", "SQ-R02")
def test_labelled_rolls_come_after_those_for_the_questions_in_unit_order() -> None:
    guns = ["Gun A1 R9 D99 @0601", "Two A1 R9 D99 @0601"]
    start = world(["Duke J3 M3 @0607", "Earl J3 M3 @0607"], guns, questions=["anna Q1 @0607"], **LABELLED)
    done = play(start, (2, 1, 1, 2), anna="PASS", ben="FIRE 1 ALL AT ?")
    assert {key: n for key, n in done.unit("Duke")["hits"].items() if n} == {"jump": 1}
    assert {key: n for key, n in done.unit("Earl")["hits"].items() if n} == {"maneuver": 1}


@pytest.mark.rule("SQ-89", "SQ-R77", "SQ-R55")
@pytest.mark.parametrize(
    ("hits", "repaired"), [("J1M2", "maneuver"), ("J2M2", "jump"), ("D2U2", "supply"), ("D3U2", "defense"), ("D1J1", "jump")]
)
def test_labelled_repair_removes_a_hit_from_the_factor_with_most(hits: str, repaired: str) -> None:
    damage = sum(int(digit) for digit in hits if digit.isdigit())
    start = world([f"Duke J5 M5 D5 U9 supplies 3 damage {damage} hits {hits} @0607"], **LABELLED)
    done = play(start, anna="PASS")
    before = start["units"][0]["hits"]
    after = done.unit("Duke").get("hits", {})
    assert {key for key in before if after.get(key, 0) < before[key]} == {repaired}
    assert done.damage("Duke") == damage - 1


@pytest.mark.rule("SQ-89", "SQ-R77")
def test_labelled_fire_is_with_what_is_left_of_the_attack() -> None:
    start = world(["Duke A9 R9 D3 damage 4 hits A4 @0607"], ["Swift D30 M1 @0605"], auto_repair=False, **LABELLED)
    assert play(start, anna="FIRE 1 Duke AT Swift").damage("Swift", 2) == 5


@pytest.mark.rule("SQ-R43", "SQ-R27")
def test_a_hit_of_nothing_costs_a_damaged_unit_no_fuel() -> None:
    start = world(
        ["Gun A1 R9 @0601"], ["Duke J4 M9 D1 damage 3 @0605"], questions=["ben Q1 @0605"],
        half_rounding="down", auto_repair=False,
    )  # fmt: skip
    done = play(start, anna="FIRE 1 Gun AT ?", ben="PASS")
    assert (done.damage("Duke", 2), done.unit("Duke", 2)["fuel_counters"]) == (3, 4)


@pytest.mark.rule("SQ-82", "SQ-R27")
def test_the_shots_of_several_at_one_unit_do_not_each_show_the_sum() -> None:
    start = world(["Gun A5 R9 @0601", "Two A6 R9 @0601"], ["Duke D90 @0605"], questions=["ben Q1 @0605"])
    told = play(start, anna="FIRE 1 ALL AT ?", ben="PASS").told("ben")
    assert 'fired 5 at "?" in 0605: Duke hit.' in told
    assert "Duke took 6, halved under cover" in told
    alone = play(start, anna="FIRE 1 Gun AT ?", ben="PASS").told("ben")
    assert 'fired 5 at "?" in 0605: Duke hit, 3.' in alone

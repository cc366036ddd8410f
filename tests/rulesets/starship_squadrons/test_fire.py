"""Fire: who may fire at what, how targets are picked, shots at "?" (section 7.3)."""

import pytest

from pbmd.rules import seat_reader
from tests.rulesets.starship_squadrons.harness import play, world

GUN = "Gun A4 R9 D20"


def hits(
    one: list[str],
    two: list[str],
    orders: str,
    *,
    questions: tuple[str, ...] = (),
    rolls: tuple[int, ...] = (),
    bodies: tuple[str, ...] = (),
) -> set[str]:
    """Which of side two's units take damage by anna's orders; those destroyed count."""
    start = world(one, two, questions=questions, bodies=bodies)
    before = {u["name"]: u.get("damage", 0) for u in start["units"] if u["side"] == 2}
    done = play(start, rolls, anna=orders, ben="PASS")
    after = {u["name"]: u.get("damage", 0) for u in done.document["units"] if u["side"] == 2}
    return {name for name, damage in before.items() if after.get(name, 10**9) > damage}


@pytest.mark.rule("SQ-70", "SQ-71", "SQ-74")
@pytest.mark.parametrize(
    ("gun", "reached"),
    [
        ("Gun A4 R0 @0607", {"Here"}),
        ("Gun A4 R1 @0607", {"Here", "Close"}),
        ("Gun A4 R2 @0607", {"Here", "Close"}),
        ("Gun A4 R4 @0607", {"Here", "Close", "Far"}),
    ],
)
def test_each_attack_range_factor_is_one_hex(gun: str, reached: set[str]) -> None:
    foes = ["Here M1 D9 @0607", "Close M1 D9 @0707", "Far M1 D9 @0603"]
    for name in ("Here", "Close", "Far"):
        assert hits([gun], foes, f"FIRE 1 Gun AT {name}") == ({name} & reached)


@pytest.mark.rule("SQ-R39")
def test_the_target_must_be_on_the_same_board() -> None:
    assert hits([f"{GUN} @0607"], ["Swift D9 M1 @Near:0607"], "FIRE Gun AT Swift") == set()
    assert hits([f"{GUN} @0607"], ["Swift D9 M1 @Near:0607"], "FIRE Gun AT NEAREST") == set()


@pytest.mark.rule("SQ-R39", "SQ-R33")
def test_an_uncovered_unit_can_be_chosen_beyond_the_range_of_sensors() -> None:
    assert hits(["Gun A4 R9 S0 @0601"], ["Swift D9 M1 @0610"], "FIRE 1 Gun AT Swift") == {"Swift"}


@pytest.mark.rule("SQ-R39", "SQ-25")
def test_a_covered_unit_cannot_be_chosen() -> None:
    for order in ("Swift", "NEAREST", "STRONGEST", "WEAKEST", "SQUADRON", "0607"):
        assert hits([f"{GUN} @0601"], ["Swift D9 M1 A9 @0607"], f"FIRE Gun AT {order}", questions=("ben Q1 @0607",)) == set()


@pytest.mark.rule("SQ-R39")
def test_what_is_in_transit_neither_fires_nor_is_fired_at() -> None:
    start = world(["Gun A4 R9 @0607"], ["Swift A5 R9 D9 @T1"], transits=["T1 ben day 3 Field:0607"], default_fire="nearest")
    done = play(start, anna="FIRE Gun AT Swift, ANY", ben="PASS")
    assert (done.damage("Swift", 2), done.damage("Gun")) == (0, 0)


@pytest.mark.rule("SQ-73", "SQ-R82")
def test_everything_armed_may_fire_in_both_impulses_planets_too() -> None:
    start = world(
        ["Gun A4 R9 @0601", "planet Port A3 R9 @0606", "Unarmed R9 M1 @0601"],
        ["Swift D30 M1 @0607"],
        bodies=["Port planet 0606 limit 1 owner 1"],
    )
    assert play(start, anna="FIRE ALL AT Swift").damage("Swift", 2) == 14
    assert play(start, anna="FIRE 2 Gun AT Swift").damage("Swift", 2) == 4
    assert play(start, anna="HOLD FIRE").damage("Swift", 2) == 0


@pytest.mark.rule("SQ-74", "SQ-R82")
def test_one_target_a_phase_with_the_whole_attack_factor() -> None:
    start = world([f"{GUN} @0601"], ["Swift D30 M1 @0607", "Other D30 M1 @0606"])
    done = play(start, anna="FIRE 1 Gun AT Swift, Other")
    assert (done.damage("Swift", 2), done.damage("Other", 2)) == (4, 0)


@pytest.mark.rule("SQ-R82", "SQ-74")
def test_the_first_entry_of_the_list_with_somebody_in_range_decides() -> None:
    foes = ["Swift D30 M1 @0615", "Other D30 M1 @0606", "Third D30 M1 @0605"]
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swift, Other, Third") == {"Other"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swift THEN Third") == {"Third"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swift") == set()


@pytest.mark.rule("SQ-74")
@pytest.mark.parametrize(
    ("order", "target"),
    [
        ("NEAREST", {"Close"}),
        ("ANY", {"Close"}),
        ("STRONGEST", {"Strong"}),
        ("WEAKEST", {"Weak"}),
        ("SQUADRON", {"Close"}),
        ("SQUADRONS", {"Close"}),
        ("PLANET", {"Port"}),
        ("PLANETS", {"Port"}),
        ("0606", {"Strong"}),
        ("0615, 0604", {"Close"}),
    ],
)
def test_the_words_for_targets(order: str, target: set[str]) -> None:
    foes = ["Close A2 D9 @0604", "Strong A9 D9 @0606", "Weak A5 D2 @0607", "planet Port A8 D9 @0608", "Same A3 D9 @0606"]
    bodies = ("Port planet 0608 limit 1 owner 2",)
    assert hits([f"{GUN} @0601"], foes, f"FIRE 1 Gun AT {order}", bodies=bodies) == target


@pytest.mark.rule("SQ-74", "SQ-R41")
@pytest.mark.parametrize(
    ("order", "foes", "target"),
    [
        # nearest: distance, then shown attack, then name
        ("NEAREST", ["Bee A3 D9 @0604", "Ant A2 D9 @0604"], "Bee"),
        ("NEAREST", ["bee A3 D9 @0604", "Ant A3 D9 @0604"], "Ant"),
        ("NEAREST", ["Bee A3 D9 @0604", "Ant A9 D9 @0605"], "Bee"),
        # strongest: shown attack, then distance, then name
        ("STRONGEST", ["Bee A3 D9 @0605", "Ant A3 D9 @0604"], "Ant"),
        ("STRONGEST", ["Bee A3 D9 @0604", "Ant A3 D9 @0604"], "Ant"),
        # in a hex: highest shown attack first
        ("0604", ["Bee A4 D9 @0604", "Ant A3 D9 @0604"], "Bee"),
        # shown attack knows nothing of Admirals, but of what got past the defense
        ("STRONGEST", ["Bee A3 D9 admirals 5 @0604", "Ant A4 D9 @0604"], "Ant"),
        ("STRONGEST", ["Bee A9 D2 damage 8 @0604", "Ant A4 D9 @0604"], "Ant"),
        ("STRONGEST", ["Bee A9 D9 damage 8 @0604", "Ant A4 D9 @0604"], "Bee"),
        # weakest: what is needed to destroy it, without Admirals, then distance, then name
        ("WEAKEST", ["Bee A3 D9 @0604", "Ant A9 D2 @0604"], "Ant"),
        ("WEAKEST", ["Bee A3 D9 damage 2 @0604", "Ant A9 D2 @0604"], "Bee"),
        ("WEAKEST", ["Bee A3 D9 @0605", "Ant A2 J3 D9 @0604"], "Ant"),
        ("WEAKEST", ["Bee A2 D9 admirals 9 @0604", "Ant A3 D9 @0604"], "Bee"),
        ("WEAKEST", ["Bee U9 @0604", "Ant A5 D5 @0604"], "Bee"),
    ],
)
def test_how_ties_are_decided(order: str, foes: list[str], target: str) -> None:
    assert hits([f"{GUN} @0601"], foes, f"FIRE 1 Gun AT {order}") == {target}


@pytest.mark.rule("SQ-R76")
def test_target_names_may_be_shortened_and_an_ambiguous_one_is_nobody() -> None:
    foes = ["Swift D9 M1 @0604", "Swiftsure D9 M1 @0604", "Swan D9 M1 @0604"]
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT swa") == {"Swan"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT SWIFT") == {"Swift"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Sw, Swan") == {"Swan"}
    # Only those that can be seen are counted.
    questions = ("ben Q1 @0605",)
    foes = ["Swallow D9 M1 @0604", "Swan D9 M1 @0605"]
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swa", questions=questions) == {"Swallow"}


@pytest.mark.rule("SQ-R76")
def test_an_own_name_in_a_target_list_means_the_enemy_of_that_name() -> None:
    start = world(["Gun A4 R9 D20 @0601", "Duke M1 D9 @0601"], ["Duke M1 D9 @0607"])
    done = play(start, anna="FIRE 1 Gun AT Duke")
    assert (done.damage("Duke"), done.damage("Duke", 2)) == (0, 4)


@pytest.mark.rule("SQ-R82", "SQ-R04")
def test_the_later_fire_or_hold_line_of_a_unit_wins() -> None:
    foes = ["Swift D9 M1 @0604", "Swan D9 M1 @0604"]
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swift\nFIRE 1 Gun AT Swan") == {"Swan"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT Swift\nHOLD FIRE Gun") == set()
    assert hits([f"{GUN} @0601"], foes, "HOLD FIRE\nFIRE 1 Gun AT Swift") == {"Swift"}
    assert hits([f"{GUN} @0601"], foes, "FIRE Gun AT Swift\nFIRE 2 Gun AT Swan") == {"Swift", "Swan"}


@pytest.mark.rule("SQ-74")
def test_within_lowers_the_range_and_never_raises_it() -> None:
    for n, target in ((3, set()), (4, {"Swift"}), (99, {"Swift"})):
        assert hits([f"{GUN} @0601"], ["Swift D9 M1 @0605"], f"FIRE 1 Gun AT Swift WITHIN {n}") == target
    assert hits(["Gun A4 R3 @0601"], ["Swift D9 M1 @0605"], "FIRE 1 Gun AT Swift WITHIN 99") == set()


@pytest.mark.rule("SQ-R05", "SQ-25", "SQ-27")
def test_if_seen_fires_only_when_uncovered() -> None:
    foes = ["Swift D9 M1 @0605"]
    order = "FIRE 1 Gun AT Swift IF SEEN"
    assert hits([f"{GUN} @0601"], foes, order) == {"Swift"}
    assert hits([f"{GUN} @0601"], foes, order, questions=("anna Q1 @0601",)) == set()
    # Enemy sensors have just found it.
    assert hits([f"{GUN} @0601"], ["Swift D9 S4 @0605"], order, questions=("anna Q1 @0601",)) == {"Swift"}


@pytest.mark.rule("SQ-R48")
def test_what_has_no_orders_fires_at_the_nearest_if_uncovered_and_holds_if_covered() -> None:
    foes = ["Close D30 M1 @0605", "Far D30 A9 @0606"]
    plain = world([f"{GUN} @0601"], foes, default_fire="nearest")
    done = play(plain, anna="PASS", ben="HOLD FIRE")
    assert (done.damage("Close", 2), done.damage("Far", 2)) == (8, 0)
    covered = world([f"{GUN} @0601"], foes, questions=["anna Q1 @0601"], default_fire="nearest")
    assert play(covered, anna="PASS", ben="HOLD FIRE").damage("Close", 2) == 0
    assert play(covered, ben="HOLD FIRE").damage("Close", 2) == 0
    hold = world([f"{GUN} @0601"], foes, default_fire="hold")
    assert play(hold, ben="HOLD FIRE").damage("Close", 2) == 0


@pytest.mark.rule("SQ-R48")
def test_a_list_that_is_exhausted_is_not_replaced_by_default_fire() -> None:
    start = world([f"{GUN} @0601"], ["Close D30 M1 @0605"], default_fire="nearest")
    done = play(start, anna="FIRE Gun AT Nobody, PLANET", ben="PASS")
    assert done.damage("Close", 2) == 0


@pytest.mark.rule("SQ-R25")
@pytest.mark.parametrize(("roll", "target"), [(1, "Ant"), (2, "Bee"), (3, "Cow")])
def test_a_shot_at_a_question_falls_on_one_of_those_there_by_a_die(roll: int, target: str) -> None:
    foes = ["Ant D9 M1 @0605", "Other D9 M1 @0609", "Bee D9 M1 @0605", "Cow D9 M1 @0605"]
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT ?", questions=("ben Q1 @0605",), rolls=(roll,)) == {target}


@pytest.mark.rule("SQ-R25", "SQ-82")
def test_one_unit_under_a_question_needs_no_roll_and_none_wastes_the_shot() -> None:
    for order in ("?", "? 0605", "?0605"):
        assert hits([f"{GUN} @0601"], ["Ant D9 M1 @0605"], f"FIRE 1 Gun AT {order}", questions=("ben Q1 @0605",)) == {"Ant"}
    assert hits([f"{GUN} @0601"], ["Ant D9 M1 @0606"], "FIRE 1 Gun AT ?", questions=("ben Q1 @0605",)) == set()


@pytest.mark.rule("SQ-R25")
def test_the_nearest_question_in_range_is_fired_at_then_the_lowest_hex() -> None:
    foes = ["Ant D9 M1 @0605", "Bee D9 M1 @0606", "Cow D9 M1 @0505", "Dog D9 M1 @0705"]
    marks = ("ben Q1 @0606", "ben Q2 @0605")
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT ?", questions=marks) == {"Ant"}
    # The nearest, though its number is higher.
    assert hits(
        [f"{GUN} @0601"], ["Eel D9 M1 @0604", foes[2]], "FIRE 1 Gun AT ?", questions=("ben Q1 @0505", "ben Q2 @0604")
    ) == {"Eel"}
    # 0505 and 0705 are as far from 0601.
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT ?", questions=("ben Q1 @0705", "ben Q2 @0505")) == {"Cow"}
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT ? 0705", questions=("ben Q1 @0705", "ben Q2 @0505")) == {"Dog"}
    # A "?" entry needs a "?" in range, and there; else the next entry is tried.
    assert hits([f"{GUN} @0601"], foes, "FIRE 1 Gun AT ? 0606, Bee", questions=("ben Q1 @0605",)) == {"Bee"}
    assert hits(["Gun A4 R4 @0601"], foes, "FIRE 1 Gun AT ?, Ant", questions=("ben Q1 @0606",)) == {"Ant"}


@pytest.mark.rule("SQ-R40", "SQ-76", "SQ-R45")
def test_all_fire_is_simultaneous_and_overkill_is_lost() -> None:
    """Both are destroyed by each other; the second gun, on the same target, gets no other."""
    start = world(["Duke A9 R9 @0601", "Two A9 R9 @0601"], ["Swift A9 R9 @0605", "Other M1 @0605"], default_fire="nearest")
    done = play(start, anna="FIRE 1 Duke, Two AT Swift, Other\nHOLD FIRE 2", ben="FIRE 1 Swift AT Duke")
    assert not done.alive("Swift", 2)
    assert not done.alive("Duke")
    assert done.alive("Other", 2)


@pytest.mark.rule("SQ-R40", "SQ-R24")
def test_targets_are_chosen_as_things_are_before_any_shot() -> None:
    """Ben's hidden gun fires and loses its cover in the phase: too late for anna to have picked it by name."""
    start = world([f"{GUN} @0601"], ["Swift A5 R9 D9 @0605"], questions=["ben Q1 @0605"])
    done = play(start, anna="FIRE 1 Gun AT Swift", ben="FIRE 1 Swift AT Gun")
    assert (done.damage("Gun"), done.damage("Swift", 2)) == (5, 0)
    assert play(start, anna="FIRE Gun AT Swift", ben="FIRE 1 Swift AT Gun").damage("Swift", 2) == 4


@pytest.mark.rule("SQ-R02", "SQ-R25")
def test_dice_are_rolled_for_side_one_first_in_the_order_of_units() -> None:
    start = world(
        ["Gun A1 R9 D20 @0601", "Two A2 R9 D20 @0601"],
        ["Ant D20 A4 R9 @0605", "Bee D20 A8 R9 @0605"],
        questions=["ben Q1 @0605", "anna Q1 @0601"],
        ambush_half=True, half_rounding="down",
    )  # fmt: skip
    done = play(start, (1, 2, 2, 1), ben="FIRE 1 ALL AT ?", anna="FIRE 1 Two, Gun AT ?")
    # Gun hits Ant (1, halved 0), Two hits Bee (2, halved 1), Ant hits Two (4, halved 2), Bee hits Gun (8, halved 4).
    assert (done.damage("Ant", 2), done.damage("Bee", 2), done.damage("Gun"), done.damage("Two")) == (0, 1, 4, 2)


@pytest.mark.rule("SQ-73", "SQ-45")
def test_an_unarmed_unit_with_an_admiral_may_fire() -> None:
    assert hits(["Gun R2 M1 admirals 2 @0601"], ["Swift D9 M1 @0605"], "FIRE 1 Gun AT Swift") == {"Swift"}
    assert hits(["Gun A4 R3 admirals 1 @0601"], ["Swift D9 M1 @0605"], "FIRE 1 Gun AT Swift") == {"Swift"}


@pytest.mark.rule("SQ-R40", "SQ-70", "SQ-81")
def test_a_lowered_attack_and_range_count_from_the_next_phase() -> None:
    start = world([f"{GUN} @0601"], ["Swift A5 R5 D1 M9 @0605"])
    done = play(start, anna="FIRE 1 Gun AT Swift", ben="FIRE Swift AT Gun")
    # 5 in the first phase; then attack 2 and range 2 do not reach.
    assert (done.damage("Swift", 2), done.damage("Gun")) == (4, 5)


@pytest.mark.rule("SQ-R05")
def test_units_of_a_fleet_or_of_all_without_target_are_named_in_one_sentence() -> None:
    start = world(
        ["Close A4 R4 @0601", "Far A4 R4 @0613", "Farther A4 R4 @0614", "Barge M1 @0613"],
        ["Swift D20 M1 @0604"],
        fleets=[{"player": "anna", "name": "Line", "members": ["Far"]}],
    )
    done = play(start, anna="FIRE 1 ALL AT Swift\nFIRE 2 Line AT NEAREST", ben="PASS")
    lines = done.view(seat_reader("anna"))["own"]["orders"][0]["lines"]
    assert [line["notes"] for line in lines] == [
        ["Far and Farther: no such target in range"], ["Far: no such target in range"],
    ]  # fmt: skip
    assert "no such target" not in done.told("ben")


@pytest.mark.rule("SQ-74", "SQ-R76")
@pytest.mark.parametrize(
    ("target", "near", "far"),
    [
        # alike but for the distance, and the farther is the first by name
        ("STRONGEST", "Zulu A5 R0 D9", "Able A5 R0 D9"),
        ("WEAKEST", "Zulu A5 R0 D9", "Able A5 R0 D9"),
        # as near, and as strong: by name, whatever its letters' case
        ("NEAREST", "able A5 R0 D9", "Zulu A5 R0 D9"),
        ("0605", "able A5 R0 D9", "Zulu A5 R0 D9"),
    ],
)
def test_ties_go_to_the_nearer_then_to_the_first_name_in_any_case(target: str, near: str, far: str) -> None:
    where = "0606" if near.startswith("Zulu") else "0605"
    assert hits([f"{GUN} @0601"], [f"{far} @{where}", f"{near} @0605"], f"FIRE 1 Gun AT {target}") == {near.split()[0]}

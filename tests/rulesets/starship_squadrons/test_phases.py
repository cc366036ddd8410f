"""One mail for each phase: who is awaited, what may be ordered, what is skipped (section 7.5)."""

from typing import Any

import pytest

from pbmd.rules import Document, ScriptedDice
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.example import example
from tests.rulesets.starship_squadrons.harness import Played, fault, faults, play, receive, resolve, world
from tests.rulesets.starship_squadrons.test_worked_example import played as plotted


def phases(*args: Any, **options: Any) -> Document:
    return world(*args, turn_mode="phases", **options)


FIGHT = (["Duke M2 A4 R9 D20 @0607"], ["Swift M2 A3 R9 D20 @0601"])


def state(done: Played) -> tuple[int, str, tuple[str, ...]]:
    return done.document["day"], done.document["phase"], ruleset.awaiting(done.position)


@pytest.mark.rule("SQ-R01", "SQ-50", "SQ-51", "SQ-52", "SQ-49")
def test_the_phases_of_a_day_and_who_is_awaited_in_them() -> None:
    done = play(phases(*FIGHT), anna="PASS")
    course = [state(done)]
    for _ in range(6):
        done = play(done.document, **dict.fromkeys(ruleset.awaiting(done.position), "PASS"))
        course.append(state(done))
        assert ruleset.turn(done.position) == done.document["day"]
    assert course == [
        (5, "1b", ("ben",)), (5, "1f", ("anna", "ben")), (5, "2a", ("ben",)), (5, "2b", ("anna",)), (5, "2f", ("anna", "ben")),
        (5, "ops", ("anna", "ben")), (6, "1a", ("anna",)),
    ]  # fmt: skip


@pytest.mark.rule("SQ-R01", "SQ-R02")
def test_the_second_mover_sees_where_the_first_has_gone() -> None:
    done = play(phases(*FIGHT), anna="MOVE Duke TO 0609")
    assert done.at("Duke") == "Field 0609"
    assert "0609" in done.told("ben")
    done = play(done.document, ben="MOVE 2 Swift TO 0607")  # the number is ignored
    assert done.at("Swift", 2) == "Field 0603"
    assert "0603" in done.told("anna")


@pytest.mark.rule("SQ-R01", "SQ-R37")
def test_impulse_numbers_and_headings_are_ignored() -> None:
    done = play(phases(*FIGHT), anna="IMPULSE 2\nMOVE Duke TO 0615")
    assert done.at("Duke") == "Field 0609"
    # In the second impulse it goes nowhere without a new order.
    for _ in range(4):
        done = play(done.document)
    assert done.at("Duke") == "Field 0609"


@pytest.mark.rule("SQ-R01")
@pytest.mark.parametrize(
    ("phase", "legal", "wrong"),
    [
        ("1a", ["MOVE Duke TO 0609", "FLEET A1: Duke", "PASS"], ["FIRE Duke AT Swift", "HOLD FIRE", "REPAIR Duke", "WAIT 2"]),
        ("1f", ["FIRE Duke AT Swift", "HOLD FIRE", "PASS"], ["MOVE Duke TO 0609", "FLEET A1: Duke", "JUMP Duke TO Near 0303"]),
        ("2b", ["MOVE Duke TO 0609", "FLEET A1: Duke"], ["FIRE Duke AT Swift", "PLACE ? ON Duke", "NO REPAIR Duke"]),
        ("2f", ["FIRE 1 Duke AT Swift"], ["MOVE 1 Duke TO 0609", "TRANSFER 1 ADMIRAL FROM Duke TO Earl"]),
        (
            "ops",
            ["REPAIR Duke", "NO REPAIR Duke", "TRANSFER 1 SUPPLY FROM Duke TO Earl", "JUMP Duke TO Near 0303",
             "PLACE ? ON Duke", "FLEET A1: Duke"],
            ["MOVE Duke TO 0609", "FIRE Duke AT Swift", "HOLD FIRE", "WAIT 2"],
        ),
    ],
)  # fmt: skip
def test_an_order_of_another_phase_is_refused(phase: str, legal: list[str], wrong: list[str]) -> None:
    start = phases(["Duke M2 A4 R9 J2 U2 @0607", "Earl U2 @0607"], FIGHT[1], phase=phase)
    for line in legal:
        assert faults(receive(start, "anna", line)) == [], line
    for line in wrong:
        assert fault(start, "anna", f"PASS\n{line}"), line


def test_who_is_not_awaited_in_a_movement_phase_has_nothing_to_order() -> None:
    start = phases(*FIGHT)
    receipt = receive(start, "ben", "MOVE Swift TO 0605")
    assert not receipt.filed
    assert receive(start, "anna", "MOVE Duke TO 0605").filed


@pytest.mark.rule("SQ-R01")
def test_a_fire_phase_without_both_sides_on_any_board_is_skipped() -> None:
    """Both can see that."""
    start = phases(["Duke M2 A3 @0607"])
    done = play(play(start, anna="PASS").document, ben="PASS")
    assert state(done)[:2] == (5, "2a")
    done = play(play(done.document, ben="PASS").document, anna="PASS")
    assert state(done)[:2] == (5, "ops")
    # A "?" is a counter.
    start = phases(["Duke M2 A3 @0607"], questions=["ben Q1 @1515"])
    assert state(play(play(start, anna="PASS").document, ben="PASS"))[1] == "1f"
    # With the fog of sensors neither can see it.
    start = phases(["Duke M2 A3 @0607"], fog="sensors")
    assert state(play(play(start, anna="PASS").document, ben="PASS"))[1] == "1f"


@pytest.mark.rule("SQ-R01")
def test_a_movement_phase_of_a_side_without_counters_on_boards_is_gone_through_at_once() -> None:
    start = phases(["Duke J1 @T1"], ["Swift M1 @0607"], transits=["T1 anna day 3 Near:0303"], anchors=False)
    start["phase"] = "ops"
    done = play(start, anna="PASS", ben="PASS")
    assert state(done) == (6, "1b", ("ben",))
    with_question = phases(["Duke J1 @T1"], ["Swift M1 @0607"], transits=["T1 anna day 3 Near:0303"], anchors=False,
                           questions=["anna Q1 @0101"], phase="ops")  # fmt: skip
    assert state(play(with_question, anna="PASS", ben="PASS")) == (6, "1a", ("anna",))
    # Planet counters cannot move.
    planet = phases(["planet Port A3 @0607", "Duke J1 @T1"], ["Swift M1 @0909"], bodies=["Port planet 0607 limit 1 owner 1"],
                    transits=["T1 anna day 3 Near:0303"], anchors=False, phase="ops")  # fmt: skip
    assert state(play(planet, anna="PASS", ben="PASS")) == (6, "1b", ("ben",))


@pytest.mark.rule("SQ-R48", "SQ-R75", "SQ-R57")
def test_silence_is_default_orders_in_each_phase() -> None:
    start = phases(*FIGHT, default_fire="nearest", phase="1f")
    done = play(start)
    assert (done.damage("Duke"), done.damage("Swift", 2)) == (3, 4)
    assert play(phases(["Duke U5 supplies 3 damage 2 D3 @0607"], phase="ops")).damage("Duke") == 1


@pytest.mark.rule("SQ-R75")
def test_a_day_is_missed_when_every_phase_of_it_was() -> None:
    def one_day(*phases_sent: str) -> Played:
        done = resolve(phases(*FIGHT), [("anna", "PASS")] if "1a" in phases_sent else [], ScriptedDice(()))
        while done.document["day"] == 5:
            letters = [("anna", "PASS")] if done.document["phase"] in phases_sent else []
            done = resolve(done.document, letters, ScriptedDice(()))
        return done

    assert one_day().player("anna")["missed"] == 1
    assert one_day("2b").player("anna")["missed"] == 0
    assert one_day("ops").player("anna")["missed"] == 0
    assert one_day("1a").player("ben")["missed"] == 1


@pytest.mark.rule("SQ-R60")
def test_who_moved_in_an_earlier_phase_is_not_refuelled() -> None:
    bodies = ["Big gas_giant 0607 limit 1"]
    start = phases(["Duke J4 M2 fuel 0 @0607"], ["Swift M1 @0101"], bodies=bodies)
    moved = play(start, anna="MOVE Duke TO 0606 THEN 0607")
    assert moved.unit("Duke")["moved"]
    stayed = play(start, anna="PASS")
    for done, fuel in ((moved, 0), (stayed, 4)):
        while done.document["day"] == 5:
            done = play(done.document)
        assert done.unit("Duke")["fuel_counters"] == fuel
        assert not done.unit("Duke")["moved"]


@pytest.mark.rule("SQ-R01", "SQ-R20")
def test_removal_is_after_the_second_mover() -> None:
    start = phases(["Duke M2 @0607"], ["Swift M2 S2 @0603"], questions=["anna Q1 @0607"])
    done = play(start, anna="PASS")
    assert "Q1" in done.questions("anna")
    done = play(done.document, ben="MOVE Swift TO 0605")
    assert "Q1" not in done.questions("anna")
    # What the first mover comes near to can still get away.
    start = phases(["Duke M2 S2 @0607"], ["Swift M2 @0603"], questions=["ben Q1 @0603"])
    done = play(start, anna="MOVE Duke TO 0605")
    assert "Q1" in done.questions("ben")
    done = play(done.document, ben="MOVE Swift, Q1 TO 0601")
    assert done.questions("ben")["Q1"] == "Field 0601"


@pytest.mark.rule("SQ-R01", "SQ-R03")
def test_the_worked_example_phase_by_phase_ends_alike() -> None:
    start = example()
    start["options"]["turn_mode"] = "phases"
    start["phase"] = "1a"
    steps: list[dict[str, Any]] = [
        {"anna": "FLEET Alpha: Iron Duke, Tender, Q1\nMOVE Alpha TO 0506"},
        {"ben": "MOVE Swift TO 1005\nMOVE Thunder, Q1 TO 1109"},
        {"anna": "FIRE Iron Duke AT Swift WITHIN 4", "ben": "HOLD FIRE Swift\nFIRE Thunder AT ?", "rolls": (1,)},
        {"ben": "MOVE Swift TO 0804\nMOVE Thunder TO 1311"},
        {"anna": "MOVE Alpha TO 0605"},
        {"anna": "FIRE Iron Duke AT Swift, NEAREST", "ben": "FIRE Swift AT STRONGEST\nFIRE Thunder AT Iron Duke WITHIN 5"},
        {
            "anna": "REPAIR 1 HIT ON Iron Duke FROM Tender\nJUMP Tender TO Brisk 0303\nPLACE ? ON Iron Duke",
            "ben": "PLACE Q2 ON Thunder",
        },
    ]
    document = start
    for letters in steps:
        document = play(document, letters.pop("rolls", ()), **letters).document
    assert (document["day"], document["phase"]) == (6, "1a")
    for key in ("units", "questions", "transits", "losses", "systems", "fleets"):
        assert document[key] == plotted().document[key], key


@pytest.mark.rule("SQ-R01")
def test_set_up_leads_to_the_first_phase() -> None:
    start = phases(day=1)
    start |= {"day": 0, "phase": "setup", "units": []}
    for side, system in ((1, "Home One"), (2, "Home Two")):
        table = next(s for s in start["systems"] if s["name"] == system)
        table["deploy"] = [{"side": side, "min_col": 1, "max_col": 19}]
    letters = {"anna": "SQUADRON Duke: M3 AT Home One 0101", "ben": "SQUADRON Swift: M3 AT Home Two 0101"}
    assert state(play(start, **letters)) == (1, "1a", ("anna",))


@pytest.mark.rule("SQ-R01", "SQ-49")
def test_every_step_has_a_name_and_the_hours_that_the_rules_recommend() -> None:
    assert ruleset.hours is not None
    setup = {"day": 0, "phase": "setup", "units": []}
    for document, name, hours in (
        (world() | setup, "set-up", 168),
        (world(), "", 72),
        (phases() | setup, "set-up", 168),
        *((phases(phase=phase), f"phase {phase}", 24) for phase in ("1a", "1b", "1f", "2a", "2b", "2f", "ops")),
    ):
        state = ruleset.load(document)
        assert (ruleset.step_name(state), ruleset.hours(state)) == (name, hours)

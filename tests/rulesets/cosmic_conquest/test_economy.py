"""Units, investing and drones (7.3, 7.8)."""

import re
from html import unescape

import pytest

from pbmd.rendering.render import report_html, report_text
from pbmd.rules import seat_reader
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.harness import Played, faction, fault, play, position, receive, sheet

QUIET = ("Green", "Pass")


def alone(
    text: str, orders: str, tech: str = "psionic", traits: str = "", dice: tuple[int, ...] = (), **fields: object
) -> Played:
    """One turn of Red with these systems; Green is far away and passes."""
    options = fields.pop("options", {})
    start = position(f"{text}, Rigel 7 Green", faction("Red", tech, traits, **fields), faction("Green"), **options)  # type: ignore[arg-type]
    return play(start, [("Red", orders), QUIET], dice)


@pytest.mark.rule("CC-68", "CC-85", "CC-R28", "CC-37", "CC-71", "CC-72")
def test_the_pool_is_what_systems_yield_with_empire_and_resourceful_admiral() -> None:
    red = faction("Red", "psionic", "resourceful", empire_turn=2)
    start = position("Sol 12 Red, Sirius 5 Red -3, Groombridge 2 Red -3, Rigel 7 Green", red, faction("Green"))
    pool = 12 + 2 + 0 + 5 + 5
    assert receive(start, "Red", f"Defend Sol with {pool} units").filed
    assert fault(start, "Red", f"Defend Sol with {pool + 1} units") == f"needs {pool + 1} units, {pool} of {pool} are left"


@pytest.mark.rule("CC-R27", "CC-86", "CC-87", "CC-84")
def test_forty_five_units_of_ninety_raise_a_system_of_fifteen_to_twenty_four() -> None:
    text = "Solaria 15 Red, Wolf 30 Red, Lalande 30 Red, Capella 15 Red"
    played = alone(text, "Invest 45 units in Solaria")
    assert played.system("Solaria") == ("Red", 24, 0)
    assert played.of("invested")[0]["before"] == 15


@pytest.mark.rule("CC-86", "CC-R29", "CC-R09")
def test_only_whole_steps_count_and_the_lines_for_a_system_are_added_up() -> None:
    assert alone("Sol 19 Red", "Invest 9 units in Sol").system("Sol")[1] == 20
    assert alone("Sol 19 Red", "Invest 9 units in Sol\nInvest 6 units in Sol").system("Sol")[1] == 22


@pytest.mark.rule("CC-R29")
def test_what_is_left_over_is_not_kept_for_the_next_turn() -> None:
    first = alone("Sol 19 Red", "Invest 9 units in Sol")
    second = play(first.document, [("Red", "Invest 1 unit in Sol"), QUIET])
    assert second.system("Sol")[1] == 20


@pytest.mark.rule("CC-R29", "CC-R31", "CC-R33")
@pytest.mark.parametrize(
    ("system", "orders", "words"),
    [
        ("Sol 12", "Invest 3 units in Sol", "no change: 5 units make a step"),
        ("Sol 12", "Invest 7 units in Sol", "output from 12 to 13; 2 units gained nothing: 5 units make a step"),
        ("Sol 12", "Invest 10 units in Sol", "output from 12 to 14"),
        ("Sol 30", "Invest 5 units in Sol", "no change: 30 is the most that investing can reach"),
        (
            "Sol 29",
            "Invest 16 units in Sol",
            "output from 29 to 30; 11 units gained nothing: 30 is the most that investing can reach",
        ),
        ("Sol 0", "Invest 4 units in Sol", "no change: 5 units make a step"),
        ("Sol 12", "Invest 1 unit in Sol", "no change: 5 units make a step"),
    ],
)
def test_an_investment_that_gained_nothing_says_why(system: str, orders: str, words: str) -> None:
    played = alone(f"{system} Red, Sirius 20 Red", orders)
    view = ruleset.view(played.position, played.events, seat_reader("Red"))
    for report in (report_text(ruleset, view), report_html(ruleset, view)):
        said = " ".join(unescape(re.sub(r"<[^>]+>", " ", report)).split())
        assert words in said
        assert said.count("gained nothing") + said.count("make a step") == words.count("gained nothing") + words.count(
            "make a step"
        )


@pytest.mark.rule("CC-33", "CC-34", "CC-113", "CC-R30")
@pytest.mark.parametrize(
    ("tech", "traits", "cost"),
    [
        ("psionic", "", 5),
        ("psionic", "strategist", 4),
        ("psionic", "overcautious", 6),
        ("chronotech", "", 4),
        ("chronotech", "strategist", 3),
        ("chronotech", "overcautious", 5),
    ],
)
def test_what_a_step_costs(tech: str, traits: str, cost: int) -> None:
    assert alone("Sol 19 Red", f"Invest {2 * cost} units in Sol", tech, traits).system("Sol")[1] == 21
    assert alone("Sol 19 Red", f"Invest {2 * cost - 1} units in Sol", tech, traits).system("Sol")[1] == 20


@pytest.mark.rule("CC-88", "CC-111", "CC-R31")
@pytest.mark.parametrize(("tech", "cap"), [("psionic", 30), ("biomech", 35)])
def test_investing_stops_at_the_maximum_and_never_takes_away(tech: str, cap: int) -> None:
    assert alone(f"Sol {cap - 1} Red", "Invest 20 units in Sol", tech).system("Sol")[1] == cap
    assert alone(f"Sol {cap + 4} Red", "Invest 20 units in Sol", tech).system("Sol")[1] == cap + 4
    assert alone(f"Sol {cap} Red", "Invest 5 units in Sol\nRaise a drone in Sol", tech).system("Sol")[1] == cap


@pytest.mark.rule("CC-R33", "CC-62", "CC-64")
def test_less_than_a_step_leaves_a_devastated_system_devastated() -> None:
    assert alone("Sol 0 Red, Sirius 9 Red", "Invest 4 units in Sol").system("Sol")[1] == 0
    assert alone("Sol 0 Red, Sirius 9 Red", "Invest 5 units in Sol").system("Sol")[1] == 1


@pytest.mark.rule("CC-63", "CC-64")
def test_a_devastated_system_launches_attacks_only_in_the_turn_after_it_was_raised() -> None:
    start = position("Sol 0 Red, Algol 9 Red, Rigel 7 Green", faction("Red", "psionic"), faction("Green"))
    words = "Groombridge is not adjacent to any system of yours that can launch an attack"
    assert fault(start, "Red", "Invest 5 units in Sol\nConquer Groombridge with 1 unit") == words
    after = play(start, [("Red", "Invest 5 units in Sol"), QUIET]).document
    assert receive(after, "Red", "Conquer Groombridge with 1 unit").filed


@pytest.mark.rule("CC-R34")
def test_a_faction_without_any_yield_keeps_its_systems() -> None:
    played = alone("Sol 0 Red", "Pass")
    assert played.faction("Red")["status"] == "active"
    assert played.system("Sol") == ("Red", 0, 0)
    assert played.units("Red") == 0


# --- Drones --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CC-89", "CC-90", "CC-91", "CC-92", "CC-R36", "CC-81")
def test_a_drone_from_each_system_named_costs_a_unit_of_output_for_good_and_one_of_the_pool() -> None:
    orders = "Raise drones in Sol and Sirius\nDefend Sol with 15 units"
    played = alone("Sol 12 Red, Sirius 5 Red", orders)
    assert (played.system("Sol")[1], played.system("Sirius")[1]) == (11, 4)
    assert played.faction("Red")["drones"] == 2
    start = position("Sol 12 Red, Rigel 7 Green", faction("Red"), faction("Green"))
    text = "Raise a drone in Sol\nDefend Sol with 12 units"
    assert fault(start, "Red", text) == "needs 12 units, 11 of 12 are left"
    free = {**start, "options": {"drone_uses_pool": False}}
    assert receive(free, "Red", text).filed


@pytest.mark.rule("CC-90", "CC-93", "CC-R41", "CC-39")
def test_where_no_drone_can_be_raised() -> None:
    start = position("Sol 12 Red, Sirius 3 Red -3, Groombridge 0 Red, Rigel 7 Green", faction("Red"), faction("Green"))
    assert fault(start, "Red", "Raise a drone in Sol\nRaise a drone in Sol") == "only one drone per system and turn"
    assert fault(start, "Red", "Raise drones in Sol, Sol") == "only one drone per system and turn"
    assert fault(start, "Red", "Raise a drone in Sirius") == "Sirius has no units to turn into a drone"
    assert fault(start, "Red", "Raise a drone in Groombridge") == "Groombridge has no units to turn into a drone"
    assert fault(start, "Red", "Raise a drone in Rigel") == "you do not hold Rigel"
    unable = position("Sol 12 Red, Rigel 7 Green", faction("Red", traits="inefficient"), faction("Green"))
    assert fault(unable, "Red", "Raise a drone in Sol") == "an Inefficient admiral cannot create drones"


@pytest.mark.rule("CC-R41", "CC-R52")
def test_neither_time_skip_nor_stasis_gives_a_drone() -> None:
    start = position("Sol 12 Red, Sirius 0 Red, Rigel 7 Green", faction("Red", "chronotech"), faction("Green"))
    words = "Sirius has no units to turn into a drone"
    assert fault(start, "Red", "Time Skip in Sirius\nRaise a drone in Sirius") == words
    assert fault(start, "Red", "Raise a drone in Sol\nTemporal Stasis on Sol") == "Sol is in Temporal Stasis this turn"


@pytest.mark.rule("CC-96", "CC-R39")
def test_a_fresh_drone_cannot_be_assigned_in_its_turn_but_in_the_next() -> None:
    start = position("Sol 12 Red, Rigel 7 Green", faction("Red"), faction("Green"))
    text = "Raise a drone in Sol\nDefend Sol with 1 unit and 1 drone"
    assert fault(start, "Red", text) == "needs 1 drone, you have 0 left"
    after = play(start, [("Red", "Raise a drone in Sol"), QUIET]).document
    assert receive(after, "Red", "Defend Sol with 1 unit and 1 drone").filed


@pytest.mark.rule("CC-97", "CC-R38", "CC-94")
def test_drones_go_only_with_a_unit_but_one_is_enough_for_any_number() -> None:
    start = position("Sol 12 Red, Rigel 7 Green", faction("Red", drones=9), faction("Green"))
    assert fault(start, "Red", "2 drones to defend Sol") == "drones need at least 1 unit with them"
    text = "9 drones to defend Sol\n1 unit to defend Sol"
    assert sheet(start, "Red", text) == ("Defend Sol with 1 unit and 9 drones",)
    # There is no way to write an investment of drones.
    assert fault(start, "Red", "Invest 2 drones in Sol").startswith("this is no order")


@pytest.mark.rule("CC-R37")
def test_drones_outlive_the_system_they_came_from() -> None:
    start = position("Sol 3 Red, Sirius 9 Red, Castor 20 Green", faction("Red", "psionic", drones=2), faction("Green"))
    played = play(start, [("Red", "Raise a drone in Sirius"), ("Green", "Conquer Sirius with 1 unit")])
    assert played.system("Sirius")[0] == "Green"
    assert played.faction("Red")["drones"] == 3


@pytest.mark.rule("CC-98", "CC-109", "CC-R40")
@pytest.mark.parametrize(("tech", "delay", "now", "queue"), [("psionic", 1, 2, 0), ("biomech", 1, 4, 2), ("biomech", 0, 4, 2)])
def test_drones_of_a_failed_attack_are_destroyed_and_biomechs_wait(tech: str, delay: int, now: int, queue: int) -> None:
    waiting = {"lost_drones": 2} if tech == "biomech" else {}
    red = faction("Red", tech, drones=4, **waiting)
    start = position("Sol 9 Red, Groombridge 1 Red, Rigel 7 Green", red, faction("Green"))
    orders = [("Red", "Conquer Sirius with 1 unit and 2 drones"), QUIET]
    played = play(start, orders, [1, 10], regen_delay=delay)
    assert (played.faction("Red")["drones"], played.faction("Red")["lost_drones"]) == (now, queue)


@pytest.mark.rule("CC-R40")
@pytest.mark.parametrize(("delay", "drones", "queue"), [(1, 0, 2), (0, 1, 1)])
def test_losses_of_the_turn_regenerate_at_once_only_without_delay(delay: int, drones: int, queue: int) -> None:
    start = position("Sol 9 Red, Rigel 7 Green", faction("Red", "biomech", drones=2), faction("Green"))
    played = play(start, [("Red", "Conquer Sirius with 1 unit and 2 drones"), QUIET], [1, 10], regen_delay=delay)
    assert (played.faction("Red")["drones"], played.faction("Red")["lost_drones"]) == (drones, queue)
    again = play(played.document, [("Red", "Pass"), QUIET])
    assert again.faction("Red")["drones"] == drones + 1


@pytest.mark.rule("CC-109", "CC-R40")
def test_one_drone_regenerates_for_each_system_held_devastated_ones_too() -> None:
    red = faction("Red", "biomech", lost_drones=5)
    start = position("Sol 9 Red, Sirius 0 Red, Groombridge 0 Red -3, Rigel 7 Green", red, faction("Green"))
    played = play(start, [("Red", "Pass"), QUIET])
    assert (played.faction("Red")["drones"], played.faction("Red")["lost_drones"]) == (3, 2)


def test_the_middle_of_the_sheet_is_not_changed_by_its_order() -> None:
    start = position("Sol 12 Red, Rigel 7 Green", faction("Red"), faction("Green"))
    forward = sheet(start, "Red", "Raise a drone in Sol\nInvest 5 units in Sol\nDefend Sol with 1 unit")
    backward = sheet(start, "Red", "Defend Sol with 1 unit\nInvest 5 units in Sol\nRaise a drone in Sol")
    assert forward == backward
    assert ruleset.info.prefix == "CC"


@pytest.mark.rule("CC-109", "CC-R40")
def test_drones_regenerate_for_the_systems_held_after_the_conquests_of_the_turn() -> None:
    start = position("Sol 9 Red, Sirius 9 Red, Castor 9 Green", faction("Red", "biomech", lost_drones=5), faction("Green"))
    lost = play(start, [("Red", "Pass"), ("Green", "Conquer Sirius with 1 unit")]).faction("Red")
    assert (lost["drones"], lost["lost_drones"]) == (1, 4)
    won = play(start, [("Red", "Conquer Castor with 1 unit"), ("Green", "Pass")])
    assert (won.faction("Red")["drones"], won.faction("Red")["lost_drones"]) == (3, 2)

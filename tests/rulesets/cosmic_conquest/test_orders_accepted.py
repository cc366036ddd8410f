"""Every form of every order, as written in the specification (6.2 to 6.4)."""

import pytest

from rulesets.cosmic_conquest.orders import read
from tests.rulesets.cosmic_conquest.harness import faction, fault, position, receive, sheet

START = position(
    "Sol 20 Red, Alpha Centauri 20 Red, Sirius 20 Red, Groombridge 20 Red, Procyon 20 Purple, Tau Ceti 9 Purple,"
    "Rigel 20 Teal, Ross 20 Teal",
    faction("Red", "tachyon", name="Crimson Concord", drones=9),
    faction("Purple", "psionic", name="Veiled Choir", drones=9),
    faction("Teal", "chronotech", name="Men on Mars", drones=9),
)

RED = [
    ("5 Resource Units for Defense of Sol.", "Defend Sol with 5 units"),
    ("5 Resource Units to Invest in Sol.", "Invest 5 units in Sol"),
    ("10 Resource Units for Conquest of Procyon.", "Conquer Procyon with 10 units"),
    ("Defend Sol with 5 units and 2 drones led by the admiral", "Defend Sol with 5 units and 2 drones led by the admiral"),
    ("defend sol with 1 resource unit", "Defend Sol with 1 unit"),
    ("DEFEND SOL WITH 1 RU + 1 DRONE", "Defend Sol with 1 unit and 1 drone"),
    ("Defend Sol with 5 & 2 drones, with my stellar admiral", "Defend Sol with 5 units and 2 drones led by the admiral"),
    ("5 resources plus 2 drones for the defence of Sol", "Defend Sol with 5 units and 2 drones"),
    ("5 RUs to defend Sol under our Supreme Admiral", "Defend Sol with 5 units led by the admiral"),
    ("5 units, and 2 drones to the defense of Sol", "Defend Sol with 5 units and 2 drones"),
    ("Use 5 units for the defense of Sol", "Defend Sol with 5 units"),
    ("Assign 5 units to defend Sol", "Defend Sol with 5 units"),
    ("Protect Sol with 5 units", "Defend Sol with 5 units"),
    ("Send 5 units and a drone to attack Procyon", "Conquer Procyon with 5 units and 1 drone"),
    ("Invade Procyon with 5 under the command of the admiral", "Conquer Procyon with 5 units led by the admiral"),
    ("Spend 5 units to invest in Sol", "Invest 5 units in Sol"),
    ("Build a drone on Sol", "Raise a drone in Sol"),
    ("Invest 5 in Sol", "Invest 5 units in Sol"),
    ("Invest 1 resource into Sol", "Invest 1 unit in Sol"),
    ("5 units for investing in Sol", "Invest 5 units in Sol"),
    ("5 units for investment into Sol!", "Invest 5 units in Sol"),
    ("5 units to invest Sol", "Invest 5 units in Sol"),
    ("Conquer Procyon with 10 units and 1 drone led by the admiral",
     "Conquer Procyon with 10 units and 1 drone led by the admiral"),
    ("Attack Procyon with 10 units", "Conquer Procyon with 10 units"),
    ("10 units to conquer Procyon", "Conquer Procyon with 10 units"),
    ("10 units for the attack on Procyon, led by admiral", "Conquer Procyon with 10 units led by the admiral"),
    ("10 units to attack Procyon", "Conquer Procyon with 10 units"),
    ("8 Resource Units and 1 Drone for Conquest of Procyon, led by the Stellar Admiral.",
     "Conquer Procyon with 8 units and 1 drone led by the admiral"),
    ("Defend: Sol with 5 units", "Defend Sol with 5 units"),
    ("Defend Sol: 5 units, 2 drones", "Defend Sol with 5 units and 2 drones"),
    ("Defend Sol 5 units", "Defend Sol with 5 units"),
    ("5 units defend the Sol system", "Defend Sol with 5 units"),
    ("5u attack Procyon", "Conquer Procyon with 5 units"),
    ("Attack Procyon with 2 drones and 5 units and the admiral",
     "Conquer Procyon with 5 units and 2 drones led by the admiral"),
    ("Attack Procyon with 5 units plus a drone (led by the admiral)",
     "Conquer Procyon with 5 units and 1 drone led by the admiral"),
    ("Attack Procyon with 5 units, admiral leading", "Conquer Procyon with 5 units led by the admiral"),
    ("Attack Procyon with 5 units led by Admiral of Red", "Conquer Procyon with 5 units led by the admiral"),
    ("Defend Alpha-Centauri with 5", "Defend Alpha Centauri with 5 units"),
    ("Invest in Sol: 5 units", "Invest 5 units in Sol"),
    ("5 units invest in Sol", "Invest 5 units in Sol"),
    *(
        (line, "Conquer Procyon with 5 units and 2 drones")
        for line in (
            "Attack Procyon: 5u, 2d", "Attack Procyon w/ 5 + 2 drones", "Procyon: attack with 5 units and 2 drones",
            "Conquer Procyon (5 units, 2 drones)", "Attack on Procyon -> 5 units, 2 drones", "Procyon - conquer 5 and 2 drones",
        )
    ),
    *((line, "Defend Sol with 5 units") for line in ("Defence of Sol: 5", "Def. Sol 5", "Defend Sol - 5 units")),
    *((line, "Invest 5 units in Sol") for line in ("Invest Sol 5", "Invest 5 Sol", "Inv. Sol: 5 units", "Sol: invest 5")),
    *((line, "Invest 5 units in Sol") for line in ("Invest 5 units at Sol", "Invest 5 @ Sol", "Invest 5 -> Sol")),
    *(
        (line, "Conquer Procyon with 5 units")
        for line in (
            "Attack with 5 units on Procyon", "Attack with 5 at Procyon", "Attack Procyon x5", "Capture Procyon with 5",
            "Take over Procyon: 5 units", "Seize Procyon with 5", "Procyon: occupy with 5 units", "Attack Procyon => 5 units",
            "Attack Procyon ➜ 5",
        )
    ),
    ("Attack with 5 units, 2 drones at Procyon, led by the admiral",
     "Conquer Procyon with 5 units and 2 drones led by the admiral"),
    *((line, "Defend Sol with 5 units") for line in ("Hold Sol with 5", "Sol: hold with 5", "Guard Sol (5 units)")),
    *((line, "Raise a drone in Sol") for line in ("Drones: Sol", "Drone in Sol", "New drone at Sol", "Make a drone in Sol")),
    ("Announce the Intergalactic Empire named Red Dawn", "Announce the Intergalactic Empire of Red Dawn"),
    ("Attack Procyon with 5 units + admiral", "Conquer Procyon with 5 units led by the admiral"),
    ("Attack Procyon with 5 units, 2 drones, my admiral", "Conquer Procyon with 5 units and 2 drones led by the admiral"),
    ("Build drone Sol", "Raise a drone in Sol"),
    ("Raise drones: Sol", "Raise a drone in Sol"),
    ("Sol: raise a drone", "Raise a drone in Sol"),
    ("Raise a drone in Sol", "Raise a drone in Sol"),
    ("Raise 1 Drone from Sol", "Raise a drone in Sol"),
    ("Build one drone at Sol", "Raise a drone in Sol"),
    ("Create drone in Sol", "Raise a drone in Sol"),
    ("Announce the Intergalactic Empire", "Announce the Intergalactic Empire"),
    ("Announce the creation of an Intergalactic Empire", "Announce the Intergalactic Empire"),
    ("announce my intergalactic empire of the Crimson Concord.", "Announce the Intergalactic Empire of the Crimson Concord"),
    ("Announce an Intergalactic Empire Star League", "Announce the Intergalactic Empire of Star League"),
    ("Vote for a draw", "Vote for a draw"),
    ("vote for draw", "Vote for a draw"),
    ("Vote draw", "Vote for a draw"),
    ("I hereby announce the Empire of Red", "Announce the Intergalactic Empire of Red"),
    ("Announce the Intergalactic Empire of What If", "Announce the Intergalactic Empire of What If"),
    ("Vote for the draw", "Vote for a draw"),
    ("Publish orders", "Publish orders"),
    ("Publish these orders", "Publish orders"),
    ("Publish my orders", "Publish orders"),
    ("Publish", "Publish orders"),
    ("Pass", "Pass"),
    ("- Pass", "Pass"),
    ("• Pass;", "Pass"),
    ("3) Pass", "Pass"),
    ("12.  Pass .", "Pass"),
]  # fmt: skip
PURPLE = [
    ("Psychic Sabotage on Sol", "Psychic Sabotage on Sol"),
    ("Psychic Sabotage in Sol", "Psychic Sabotage on Sol"),
    ("Sabotage Sol", "Psychic Sabotage on Sol"),
    ("Psychic sabotage: Sol", "Psychic Sabotage on Sol"),
    ("Psychic Assault: the defence of Sol", "Psychic Assault on the defense of Sol"),
    ("Psychic Sabotage of Sol", "Psychic Sabotage on Sol"),
    ("Psychic Sabotage against Sol", "Psychic Sabotage on Sol"),
    ("Psychic Assault on the defense of Sol", "Psychic Assault on the defense of Sol"),
    ("Psychic Assault against defence of Sol", "Psychic Assault on the defense of Sol"),
    ("Psychic Assault on the attack of Red on Procyon", "Psychic Assault on the attack of Red on Procyon"),
    ("Psychic Assault against attack of Crimson Concord on Vega", "Psychic Assault on the attack of Red on Vega"),
    ("Psychic Assault on Red's attack on Procyon", "Psychic Assault on the attack of Red on Procyon"),
    ("Psychic Assault on the attack of Men on Mars on Sol", "Psychic Assault on the attack of Teal on Sol"),
]
TEAL = [
    ("Time Skip in Rigel", "Time Skip in Rigel"),
    ("Time Skip on Rigel", "Time Skip in Rigel"),
    ("Time Skip at Rigel", "Time Skip in Rigel"),
    ("Temporal Stasis on Rigel", "Temporal Stasis on Rigel"),
    ("Temporal Stasis in Rigel", "Temporal Stasis on Rigel"),
    ("Temporal Stasis at Rigel", "Temporal Stasis on Rigel"),
    ("Temporal Stasis for Rigel", "Temporal Stasis on Rigel"),
]
ALL = [(seat, *form) for seat, forms in (("Red", RED), ("Purple", PURPLE), ("Teal", TEAL)) for form in forms]


@pytest.mark.rule("CC-44", "CC-41", "CC-106", "CC-108", "CC-112", "CC-114")
@pytest.mark.parametrize(("seat", "line", "canonical"), ALL)
def test_a_form_is_understood_and_its_canonical_form_means_the_same(seat: str, line: str, canonical: str) -> None:
    assert sheet(START, seat, line) == (canonical,)
    assert sheet(START, seat, canonical) == (canonical,)


@pytest.mark.rule("CC-97")
def test_a_number_in_brackets_is_no_force_of_an_empire() -> None:
    assert fault(START, "Red", "Announce the Intergalactic Empire of Peace (5)").startswith("what stands behind the empire")


@pytest.mark.rule("CC-44")
def test_the_sample_turn_of_the_game_is_accepted_literally() -> None:
    text = """5 Resource Units for Defense of Sol.
    5 Resource Units to Invest in Sol.
    10 Resource Units for Conquest of Alpha Centauri."""
    start = position("Sol 20 Red, Rigel 20 Green", faction("Red"), faction("Green"))
    assert sheet(start, "Red", text) == (
        "Conquer Alpha Centauri with 10 units",
        "Defend Sol with 5 units",
        "Invest 5 units in Sol",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Raise drones in Sol, Sirius and Groombridge",
        "Raise 3 drones in Sol, Sirius, and Groombridge",
        "Build 3 drones in Sol and Sirius, Groombridge",
    ],
)
@pytest.mark.rule("CC-91", "CC-90")
def test_drones_of_several_systems_are_listed_in_map_order(text: str) -> None:
    assert sheet(START, "Red", text) == ("Raise a drone in Sol", "Raise a drone in Groombridge", "Raise a drone in Sirius")


@pytest.mark.parametrize(
    "line",
    [
        "The admiral leads the attack on Procyon",
        "Stellar Admiral to Lead the Attack on Procyon",
        "My High Admiral leads conquest of Procyon",
        "Our admiral lead attack on Procyon",
    ],
)
@pytest.mark.rule("CC-09")
def test_a_leader_has_a_line_before_or_after_the_action(line: str) -> None:
    canonical = ("Conquer Procyon with 3 units led by the admiral",)
    assert sheet(START, "Red", f"{line}\nAttack Procyon with 3 units") == canonical
    assert sheet(START, "Red", f"Attack Procyon with 3 units\n{line}") == canonical


@pytest.mark.rule("CC-09")
def test_a_leader_of_a_defense() -> None:
    text = "3 units to defend Sol\nThe admiral leads the defence of Sol"
    assert sheet(START, "Red", text) == ("Defend Sol with 3 units led by the admiral",)


def test_the_lines_of_a_sheet_have_a_fixed_order() -> None:
    text = """Publish orders
    Vote for a draw
    Raise drones in Sirius, Sol
    Invest 5 units in Sirius
    Invest 5 units in Sol
    Defend Groombridge with 1 unit
    Defend Sol with 1 unit
    Attack Arcturus with 1 unit
    Attack Procyon with 1 unit
    Announce the Intergalactic Empire
    Pass"""
    assert sheet(START, "Red", text) == (
        "Announce the Intergalactic Empire",
        "Conquer Procyon with 1 unit",
        "Conquer Arcturus with 1 unit",
        "Defend Sol with 1 unit",
        "Defend Groombridge with 1 unit",
        "Invest 5 units in Sol",
        "Invest 5 units in Sirius",
        "Raise a drone in Sol",
        "Raise a drone in Sirius",
        "Vote for a draw",
        "Publish orders",
    )


@pytest.mark.parametrize(("name", "system"), [("Sol", "Sol"), ("Sola", "Solaria"), ("alpha", "Alpha Centauri"), ("Grooм", "")])
def test_a_system_is_named_exactly_or_by_the_beginning_of_one_name(name: str, system: str) -> None:
    receipt = receive(START, "Purple", f"Psychic Assault on the defense of {name}")
    assert receipt.filed == bool(system)
    if system:
        assert [v.canonical for v in receipt.verdicts] == [f"Psychic Assault on the defense of {system}"]


@pytest.mark.parametrize("name", ["Red", "red", "R", "Crimson Concord", "crim"])
def test_a_player_is_named_by_colour_or_faction_or_a_beginning_of_either(name: str) -> None:
    line = f"Psychic Assault on the attack of {name} on Sol"
    assert sheet(START, "Purple", line) == ("Psychic Assault on the attack of Red on Sol",)


def test_gray_is_grey() -> None:
    start = position("Sol 9 Grey, Procyon 9 Purple", faction("Grey"), faction("Purple", "psionic"))
    line = "Psychic Assault on Gray's attack on Sol"
    assert sheet(start, "Purple", line) == ("Psychic Assault on the attack of Grey on Sol",)


def test_the_acknowledgement_says_what_is_left_and_that_orders_are_final() -> None:
    receipt = receive(START, "Red", "Defend Sol with 70 units and 2 drones\nRaise a drone in Sol")
    assert receipt.defaults == (
        "9 of 80 units are not assigned and will be lost.",
        "7 of 9 drones stay at home.",
        "These orders are final: they cannot be changed or taken back.",
    )


@pytest.mark.rule("CC-R36")
def test_a_drone_that_costs_nothing_of_the_pool_leaves_all_of_it() -> None:
    free = {**START, "options": {"drone_uses_pool": False}}
    assert receive(free, "Red", "Raise a drone in Sol").defaults[0] == "80 of 80 units are not assigned and will be lost."


@pytest.mark.parametrize("line", ["x" * 600, "1" * 600, "Defend " + "Sol " * 200 + "with 5 units", "[b]" * 300, "5 " * 400])
def test_hostile_lines_are_only_not_an_order(line: str) -> None:
    assert read(line) is None
    assert not receive(START, "Red", line).filed

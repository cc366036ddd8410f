"""The worked example of the specification (section 12), number for number."""

from functools import cache

import pytest

from pbmd.rules import PUBLIC, Wait, seat_reader
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.example import DICE, INSIGHT, PURPLE, RED, RED_SHEET, example
from tests.rulesets.cosmic_conquest.harness import Played, play


@cache
def played() -> Played:
    return play(example(), [("Purple", INSIGHT), ("Red", RED), ("Purple", PURPLE)], DICE)


@pytest.mark.rule("CC-102", "CC-103", "CC-104", "CC-R59")
def test_purple_gets_reds_orders_the_moment_they_are_accepted() -> None:
    asked, answered, _ = played().receipts
    assert (asked.granted, asked.filed, asked.events) == (True, False, ())
    assert ruleset.waits(asked.position) == (Wait("Purple", "Red", 24),)
    assert ruleset.awaiting(asked.position) == ("Red", "Purple", "Green")
    (event,) = answered.events
    assert event.audience == ("Purple",)
    assert ruleset.tell is not None
    assert ruleset.tell(event).splitlines() == [
        "Telepathic Insight, turn 5 – orders of Red (Crimson Concord):",
        *RED_SHEET,
    ]


def test_the_sheets_are_accepted_as_in_the_specification() -> None:
    position = played().receipts[-1].position
    red, purple = ruleset.sheets(position)
    assert red.lines == RED_SHEET
    assert purple.lines == (
        "Psychic Sabotage on Sol",
        "Psychic Assault on the attack of Red on Procyon",
        "Conquer Vega with 8 units",
        "Defend Procyon with 12 units led by the admiral",
        "Defend Tau Ceti with 3 units",
    )
    final = "These orders are final: they cannot be changed or taken back."
    # Nothing is left of 27 and of 23 units.
    assert [receipt.defaults for receipt in played().receipts[1:]] == [(final,), (final,)]


@pytest.mark.rule("CC-48", "CC-50", "CC-R77", "CC-R78", "CC-R80")
def test_green_stalls_and_spreads_units_and_drones_over_its_borders() -> None:
    (event,) = played().of("default_orders")
    assert event == {"colour": "Green", "lines": ["Defend Deneb with 10 units and 1 drone", "Defend Castor with 9 units"]}
    assert played().of("stalled") == [{"colour": "Green"}]


@pytest.mark.rule("CC-52", "CC-54", "CC-100", "CC-108", "CC-10", "CC-R02", "CC-R04")
def test_the_combats() -> None:
    assert played().combats() == [
        ("Procyon", "Red", 23, 26, False),
        ("Vega", "Purple", 15, 14, True),
        ("Castor", "Red", 22, 19, True),
    ]
    assert played().parts("attack_parts", "Procyon", "Red") == {
        "die": 4, "units": 8, "drones": 1, "drone_bonus": 4, "cv": 6, "traits": 2, "technology": 1, "assault": -2, "total": 23
    }  # fmt: skip
    assert played().parts("defense_parts", "Procyon", "Red") == {"die": 7, "units": 12, "cv": 5, "traits": 2, "total": 26}
    assert played().parts("defense_parts", "Castor", "Red") == {"die": 8, "units": 9, "traits": 2, "total": 19}


def test_the_dice_are_those_of_the_rules_in_their_order() -> None:
    assert played().drawn == tuple(zip((10, 10, 10, 10, 10, 10, 2, 3, 5, 40), DICE, strict=True))


def test_the_new_position_differs_only_as_in_the_specification() -> None:
    before = ruleset.dump(ruleset.load(example()))
    systems = {table["name"]: table for table in before["systems"]}
    systems["Sol"] |= {"output": 12, "penalty": 3}
    systems["Castor"] |= {"owner": "Red", "output": 3}
    systems["Vega"] |= {"owner": "Purple", "output": 5}
    red, purple, green = before["factions"]
    red |= {"drones": 2, "deaths": 1, "fallen": ["Navarch Zel Thuun"], "empire_turn": 5, "empire_name": "the Crimson Concord"}
    red["admiral"] = {"name": "Xil Tharn", "rank": "high", "cv": 4, "traits": ["resourceful"], "turns_served": 0}
    green |= {"drones": 2, "lost_drones": 0, "stalls": 1}
    purple["admiral"]["turns_served"] = green["admiral"]["turns_served"] = 5
    assert played().document == {**before, "turn": 6}


@pytest.mark.rule("CC-71", "CC-72", "CC-99", "CC-37", "CC-R65", "CC-R55")
def test_the_units_of_the_next_turn() -> None:
    rows = played().view(PUBLIC)["factions"]
    assert [row["values"]["resource_units"] for row in rows] == [42, 28, 14]
    assert played().view(seat_reader("Red"))["own"]["units"] == {
        "systems": 9 + 5 + 5 + 5 + 3, "empire": 10, "resourceful": 5, "total": 42
    }  # fmt: skip

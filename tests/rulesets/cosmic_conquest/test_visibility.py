"""Who sees what (section 8)."""

from functools import cache
from typing import Any

import pytest

from pbmd.rules import GM, PUBLIC, ScriptedDice, seat_reader
from tests.rulesets.cosmic_conquest.harness import Played, faction, play, position, resolve
from tests.rulesets.cosmic_conquest.test_worked_example import played as example

RED, PURPLE, GREEN = (seat_reader(colour) for colour in ("Red", "Purple", "Green"))
AUDIENCES = {
    "turn_resolved": None,
    "stalled": None,
    "draw_votes": None,
    "attack_blocked": None,
    "undefended": None,
    "combat": None,
    "tie_toss": None,
    "conquest": None,
    "eliminated": None,
    "admiral_toss": None,
    "admiral_successor": None,
    "admiral_promoted": None,
    "empire": None,
    "resigned": None,
    "ended": None,
    "default_orders": "colour",
    "orders_refused": "colour",
    "drone_raised": "colour",
    "invested": "colour",
    "attack_parts": "attacker",
    "defense_parts": "defender",
    "drones_lost": "colour",
    "drones_regenerated": "colour",
    "sabotage": "by",
    "assault": "by",
    "insight": "by",
    "orders": "colour",
}


@cache
def eventful() -> Played:
    """A turn in which nearly everything happens: Red attacks all around, Purple meddles, Green stalls, Teal is in stasis."""
    start = position(
        "Alpha Centauri 20 Red, Sirius 30 Red, Procyon 9 Purple, Algol 1 Purple, Arcturus 5 Green, Castor 9 Teal, Deneb 9 Teal,"
        "Betelgeuse 0 Green, Sol 1 Grey",
        faction("Red", "biomech", "conqueror", drones=4, lost_drones=1),
        faction("Purple", "psionic", cv=1, deaths=1),
        faction("Green", "tachyon", drones=2, rank="low", traits="conqueror inefficient", served=9),
        faction("Teal", "chronotech"),
        faction("Grey", "psionic"),
    )
    red = """Conquer Procyon with 9 units and 2 drones
    Conquer Arcturus with 20 units and 1 drone
    Attack Castor with 1 unit
    Attack Sol with 1 unit
    Invest 5 units in Sirius
    Raise a drone in Sirius
    Vote for a draw"""
    purple = """Defend Procyon with 1 unit led by the admiral
    Psychic Assault on the defense of Arcturus
    Psychic Sabotage on Sirius"""
    orders = [
        ("Purple", "Telepathic Insight on Red"),
        ("Red", red),
        ("Purple", purple),
        ("Teal", "Temporal Stasis on Castor"),
        ("Green", "nonsense"),
        ("Grey", "Pass"),
    ]
    # Procyon, Arcturus, Purple's coin and successor, and Green's promotion, each with what it needs.
    return resolve(start, orders, ScriptedDice([10, 1, 1, 9, 2, 1, 1, 1, 1, 1, 1, 1]))


@pytest.mark.rule("CC-R88", "CC-102", "CC-R63", "CC-R79")
def test_every_event_goes_to_those_whom_the_specification_names() -> None:
    seen = set()
    for played in (example(), eventful()):
        for event in played.events:
            if event.kind == "sabotaged":
                assert event.audience == (played.system(event.data["system"])[0],)
                assert set(event.data) == {"system", "amount", "turn"}
                continue
            owner = AUDIENCES[event.kind]
            assert event.audience == (None if owner is None else (event.data[owner],)), event
            seen.add(event.kind)
    missing = set(AUDIENCES) - seen - {"tie_toss", "resigned", "ended"}
    assert missing == set(), f"no turn of these has {missing}"


@pytest.mark.rule("CC-R88")
def test_the_map_and_the_values_of_factions_are_public_and_sheets_are_not() -> None:
    view = example().view(PUBLIC)
    assert [(star["name"], star["owner"], star["output"]) for star in view["systems"][:2]] == [
        ("Sol", "Red", 12), ("Alpha Centauri", "Red", 5)
    ]  # fmt: skip
    assert set(view["systems"][0]) == {"number", "name", "x", "y", "neighbours", "owner", "output"}
    red = view["factions"][0]
    assert red["values"] == {"cv": 4, "traits": ["Resourceful"], "resource_units": 42, "drones": 2, "lost_drones": 0}
    assert (view["own"], view["gm"]) == (None, None)
    words = str(view)
    for secret in (
        "Invest 5 units",
        "penalty",
        "sabotage",
        "Sabotage",
        "Defend Tau Ceti",
        "Assault",
        "Insight",
        "turns_served",
    ):
        assert secret not in words


@pytest.mark.rule("CC-R88", "CC-108", "CC-106")
def test_victims_see_the_effect_but_not_the_author() -> None:
    red = example().view(RED)["own"]
    assert "Psychic Sabotage: Sol yields 3 units less in turn 6." in red["news"]
    assert any("– 2 Psychic Assault" in line for line in red["news"])
    assert "Purple" not in str(red["news"]).replace("against Purple", "")
    assert red["systems"][0] == {"name": "Sol", "output": 12, "penalty": 3, "yields": 9}


@pytest.mark.rule("CC-R88", "CC-R63")
def test_each_faction_reads_its_own_sheet_with_the_outcome_of_each_line() -> None:
    sheet = example().view(RED)["own"]["sheet"]
    assert sheet["sent"]
    assert [(line["text"], line["result"]) for line in sheet["lines"]][1:5] == [
        ("Conquer Procyon with 8 units and 1 drone led by the admiral", "failed 23 against 26"),
        ("Conquer Castor with 10 units and 1 drone", "won 22 against 19; taken"),
        ("Defend Sirius with 3 units", "not attacked"),
        ("Invest 5 units in Sol", "output 11 -> 12"),
    ]
    green = example().view(GREEN)["own"]["sheet"]
    assert (green["sent"], green["lines"][1]) == (False, {"text": "Defend Castor with 9 units", "result": "lost"})


@pytest.mark.rule("CC-R63", "CC-R88")
def test_only_the_psionic_reads_the_insight() -> None:
    assert [insight["target"] for insight in example().view(PURPLE)["own"]["insights"]] == ["Red"]
    for reader in (RED, GREEN):
        assert example().view(reader)["own"]["insights"] == []
        assert "Insight" not in str(example().view(reader)["news"])


@pytest.mark.rule("CC-R88", "CC-R71")
def test_who_is_out_of_the_game_gets_what_is_public() -> None:
    start = position("Alpha Centauri 9 Red, Procyon 9 Green, Rigel 1 Teal", faction("Red"), faction("Green"), faction("Teal"))
    played = play(start, [("Red", "Conquer Procyon with 1 unit"), ("Green", "Invest 5 units in Procyon"), ("Teal", "Pass")])
    assert played.view(seat_reader("Green")) == {**played.view(PUBLIC), "out": True, "happened": None}
    hidden = {**start, "options": {"public_factions": False}}
    orders = [("Red", "Conquer Procyon with 1 unit"), ("Green", "Pass"), ("Teal", "Pass")]
    assert play(hidden, orders).view(seat_reader("Green")) == {
        **play(hidden, orders).view(PUBLIC),
        "out": True,
        "happened": None,
    }
    resigned = play(start, [("Red", "Pass"), ("Teal", "Pass")], resigns=["Green"])
    assert resigned.view(seat_reader("Green")) == {**resigned.view(PUBLIC), "out": True, "happened": None}


def row_of(reader: Any, colour: str, **options: Any) -> dict[str, Any]:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red", drones=3), faction("Green"))
    played = play(start, [("Red", "Pass"), ("Green", "Pass")], **options)
    return next(row for row in played.view(reader)["factions"] if row["colour"] == colour)


@pytest.mark.rule("CC-R88")
def test_the_values_of_a_faction_can_be_its_own_business() -> None:
    hidden = row_of(GREEN, "Red", public_factions=False)
    assert hidden["values"] is None
    assert set(hidden) - {"values"} == {
        "colour", "name", "status", "technology", "admiral", "rank", "empire_turn", "empire_name", "systems",
        "holds",
    }  # fmt: skip
    assert row_of(PUBLIC, "Red", public_factions=False)["values"] is None
    assert row_of(RED, "Red", public_factions=False)["values"]["drones"] == 3
    assert row_of(GM, "Red", public_factions=False)["values"]["drones"] == 3
    assert row_of(GREEN, "Red")["values"]["drones"] == 3


def fight(**options: Any) -> Played:
    factions = faction("Red", drones=1), faction("Green"), faction("Teal")
    start = position("Alpha Centauri 9 Red, Procyon 9 Green, Rigel 1 Teal", *factions)
    orders = [("Red", "Conquer Procyon with 2 units and 1 drone"), ("Green", "Defend Procyon with 3 units"), ("Teal", "Pass")]
    return play(start, orders, [1, 2], **options)


@pytest.mark.rule("CC-R88")
def test_how_much_everybody_learns_of_a_combat_is_an_option() -> None:
    teal = seat_reader("Teal")
    assert "Procyon: Red 6 against Green 5 – taken by Red; output from 9 to 4." in fight().view(teal)["news"]
    outcome = fight(battle_detail="outcome")
    assert "Procyon: Red against Green – taken by Red; output from 9 to 4." in outcome.view(teal)["news"]
    assert "Procyon, attack of Red: 6 = die 1 + 2 units + 1 drone (3)." in outcome.view(RED)["own"]["news"]
    assert "against 5" not in str(outcome.view(RED))
    full = fight(battle_detail="full").view(teal)["news"]
    assert "Procyon, attack of Red: 6 = die 1 + 2 units + 1 drone (3)." in full
    assert "Procyon, defense against Red: 5 = die 2 + 3 units." in full
    assert "die" not in str(fight().view(teal)["news"])


@pytest.mark.rule("CC-R88", "CC-R73")
def test_only_the_number_of_draw_votes_is_told_and_only_if_there_are_any() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    voted = play(start, [("Red", "Vote for a draw"), ("Green", "Pass")])
    assert voted.view(PUBLIC)["news"] == ["1 of 2 voted for a draw."]
    assert play(start, [("Red", "Pass"), ("Green", "Pass")]).view(PUBLIC)["news"] == []


@pytest.mark.rule("CC-R88", "CC-112", "CC-114")
def test_abilities_in_time_are_private_unless_they_block_an_attack() -> None:
    start = position("Sol 9 Red, Sirius 9 Red, Castor 9 Green", faction("Red", "chronotech"), faction("Green"))
    time = "Time Skip in Sirius\nTemporal Stasis on Sol"
    quiet = play(start, [("Red", time), ("Green", "Pass")])
    assert quiet.view(PUBLIC)["news"] == []
    assert "Time Skip" not in str(quiet.view(GREEN))
    blocked = play(start, [("Red", "Temporal Stasis on Sirius"), ("Green", "Conquer Sirius with 1 unit")])
    assert blocked.view(PUBLIC)["news"] == ["Sirius: in Temporal Stasis; the attack of Green was blocked."]


@pytest.mark.rule("CC-R88")
def test_the_gm_sees_every_sheet() -> None:
    assert [sheet["colour"] for sheet in example().view(GM)["gm"]["sheets"]] == ["Red", "Purple", "Green"]

"""The worked example of the specification (section 12), number for number."""

from functools import cache

import pytest

from pbmd.rules import PUBLIC, seat_reader
from tests.rulesets.galactic_overlord.harness import Played, base, lost, navy, play, player, position, tallies

SAMPLE_LETTER = """Build 2 Carrierbattleships
Repair 1 Torpedocruiser
Build 1 base named Rigel
Use spy on Cygnus
Attack Cygnus with 2 Carrierbattleships, 3 Laserfrigates
Attack: LFTFLT close in, default
OOB default: LFTLTF
"""
BOREALIS = """Build 2 Laserbattleships
Attack Cygnus with 2 Torpedobattleships, 2 Laserbattleships
Attack: TFFLLT back off, bunch
Defence: LFTFTL close in, default
"""
CYGNUS = """Build 1 Torpedobattleship
Use counter-espionage
Train spy
"""


@cache
def example() -> Played:
    start = position(
        player("Altair", "3 Laserfrigate, 1 Torpedocruiser@1", bp=23, spies=1),
        player("Borealis", "4 Carrierfrigate, 2 Torpedobattleship", bp=9, generators=1, spies=1),
        player("Cygnus", "1 Lasercruiser, 3 Carriercruiser, 2 Torpedofrigate", bp=14, generators=1, counter_espionage=1),
        bases=[base("Vega", "Altair", acquired=10), base("Deneb", "Borealis", builder="Cygnus", acquired=12)],
    )
    return play(start, [("Borealis", BOREALIS), ("Cygnus", CYGNUS), ("Altair", SAMPLE_LETTER)], dice=[88])


def test_all_orders_are_accepted_and_cygnus_is_warned_that_he_sent_no_oob() -> None:
    answers = example().verdicts
    assert {v.status.value for seat in answers for v in answers[seat] if v.line} == {"ok"}
    assert [v.status.value for v in answers["Cygnus"] if v.line == 0] == ["warning"]
    assert [v for v in answers["Altair"] if v.line == 0] == []


@pytest.mark.rule("GO-15", "GO-29", "GO-R13")
def test_build_and_repair() -> None:
    built = [(e.data["player"], e.data["cost"]) for e in example().of("built")]
    spent = {name: sum(cost for who, cost in built if who == name) for name in ("Altair", "Borealis", "Cygnus")}
    assert spent == {"Altair": 6 + 16, "Borealis": 6, "Cygnus": 3}
    assert [(e.data["player"], e.data["cost"]) for e in example().of("repaired")] == [("Altair", 1)]
    assert example().base("Rigel") == base("Rigel", "Altair", acquired=13)


@pytest.mark.rule("GO-07", "GO-R18")
def test_cygnus_is_protected_and_altairs_spy_is_lost_without_effect() -> None:
    assert [e.data for e in example().of("counter_espionage_used")] == [{"player": "Cygnus", "left": 0}]
    assert [e.data for e in example().of("spy_result")] == [{"player": "Altair", "target": "Cygnus", "stopped": ""}]
    assert [e.data for e in example().of("spy_trained")] == [{"player": "Cygnus", "spies": 1}]
    assert example().of("order_stopped") == []


@pytest.mark.rule("GO-81", "GO-R61")
def test_cygnus_rolls_once() -> None:
    assert example().drawn == ((90, 88),)
    assert [e.data for e in example().of("oob_rolled")] == [{"player": "Cygnus", "roll": 88, "oob": "TTLFFL"}]


@pytest.mark.rule("GO-54", "GO-115", "GO-R70")
def test_altair_posted_last_and_is_fought_first() -> None:
    battle, _ = example().battles
    data = battle.data
    assert (list(data["attackers"]), data["joint"], data["defender"], data["outcome"]) == (
        ["Altair"],
        False,
        "Cygnus",
        "defender_won",
    )
    assert battle.detail["rounds"] == 6
    assert tallies(battle) == [(8, 7), (10, 0)]
    assert lost(battle) == {
        ("Altair", "Laserfrigate"): 3,
        ("Altair", "Carrierbattleship"): 2,
        ("Cygnus", "Torpedofrigate"): 2,
    }
    assert data["captured"] == []
    assert set(battle.insiders) == {"Altair", "Cygnus"}
    engaged = battle.detail["engaged"]
    assert {(e["player"], e["class"]): e["count"] for e in engaged["attackers"]} == {
        ("Altair", "Laserfrigate"): 3,
        ("Altair", "Carrierbattleship"): 2,
    }
    assert {e["class"]: e["count"] for e in engaged["defender"]} == {
        "Lasercruiser": 1,
        "Carriercruiser": 3,
        "Torpedofrigate": 2,
        "Torpedobattleship": 1,
    }


@pytest.mark.rule("GO-116", "GO-117", "GO-R33", "GO-R54")
def test_borealis_wins_on_hits_and_captures_the_newest_base() -> None:
    _, battle = example().battles
    data = battle.data
    assert (list(data["attackers"]), data["defender"], data["outcome"]) == (["Borealis"], "Cygnus", "attacker_won")
    assert battle.detail["rounds"] == 6
    assert tallies(battle) == [(8, 0), (0, 11)]
    assert lost(battle) == {
        ("Borealis", "Torpedobattleship"): 1,
        ("Cygnus", "Lasercruiser"): 1,
        ("Cygnus", "Carriercruiser"): 1,
        ("Cygnus", "Torpedobattleship"): 1,
    }
    assert data["captured"] == [{"base": "Cygnus Base 3", "by": "Borealis"}]
    assert set(battle.insiders) == {"Borealis", "Cygnus"}
    assert example().base("Cygnus Base 3") == base("Cygnus Base 3", "Borealis", builder="Cygnus", acquired=14)


@pytest.mark.rule("GO-10", "GO-11", "GO-R28")
def test_the_position_afterwards() -> None:
    played = example()
    assert played.document["turn"] == 5
    assert {name: played.player(name)["bp"] for name in ("Altair", "Borealis", "Cygnus")} == {
        "Altair": 25,
        "Borealis": 22,
        "Cygnus": 21,
    }
    assert played.navy("Altair") == navy("1 Torpedocruiser")
    assert played.navy("Borealis") == navy("2 Laserbattleship, 4 Carrierfrigate, 1 Torpedobattleship@2")
    assert played.navy("Cygnus") == navy("2 Carriercruiser")
    assert [played.stocks(name) for name in ("Altair", "Borealis", "Cygnus")] == [(0, 0, 2), (1, 1, 2), (1, 1, 0)]
    assert played.bases("Altair") == ["Altair Base 1", "Altair Base 2", "Altair Base 3", "Vega", "Rigel"]
    assert played.bases("Borealis") == ["Borealis Base 1", "Borealis Base 2", "Borealis Base 3", "Deneb", "Cygnus Base 3"]
    assert played.bases("Cygnus") == ["Cygnus Base 1", "Cygnus Base 2"]
    assert (played.document["status"], played.document["winner"]) == ("running", "")


@pytest.mark.rule("GO-69", "GO-70", "GO-R76")
def test_the_private_part_of_cygnus_does_not_mention_altairs_spy() -> None:
    seen = ruleset_events(example(), "Cygnus")
    assert "spy_result" not in seen
    assert {"counter_espionage_used", "spy_trained", "oob_rolled", "battle", "base_captured"} <= seen
    cygnus = example().bytes_for(seat_reader("Cygnus"))
    assert b"TTLFFL" in cygnus
    assert b"Use spy on Cygnus" not in cygnus
    quiet = example().bytes_for(PUBLIC)
    for secret in (b"TTLFFL", b"LFTFLT", b"TFFLLT", b"Use spy", b"counter-espionage"):
        assert secret not in quiet


def ruleset_events(played: Played, seat: str) -> set[str]:
    """The kinds of events that seat may know."""
    return {e.kind for e in played.events if e.audience is None or seat in e.audience}

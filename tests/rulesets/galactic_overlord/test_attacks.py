"""Who goes, whom he meets, and in which order attackers without an alliance are fought."""

from typing import Any

import pytest

from pbmd.rules import Status
from tests.rulesets.galactic_overlord.harness import base, navy, one_verdict, play, player, position, tallies


def _engaged(battle: Any, side: str) -> dict[str, int]:
    return {entry["class"]: entry["count"] for entry in battle.detail["engaged"][side]}


# Which ships go


@pytest.mark.rule("GO-40", "GO-41", "GO-R28")
def test_the_named_ships_attack_and_the_others_defend_the_home() -> None:
    start = position(
        player("Altair", "5 Laserfrigate, 2 Torpedocruiser"),
        player("Borealis", "1 Carrierfrigate"),
        player("Cygnus", "1 Carriertitan"),
    )
    orders = [
        ("Altair", "Attack Cygnus with 3 Laserfrigates\nLFTLFT"),
        ("Borealis", "Attack Altair with all\nLFTLFT"),
        ("Cygnus", "LFTLFT"),
    ]
    played = play(start, orders)
    at_altair, at_cygnus = played.battles
    assert (at_altair.data["defender"], at_cygnus.data["defender"]) == ("Altair", "Cygnus")
    assert _engaged(at_altair, "defender") == {"Laserfrigate": 2, "Torpedocruiser": 2}
    assert _engaged(at_cygnus, "attackers") == {"Laserfrigate": 3}
    assert at_cygnus.detail["engaged"]["attackers"] == [{"player": "Altair", "class": "Laserfrigate", "count": 3}]


@pytest.mark.rule("GO-41", "GO-R25")
@pytest.mark.parametrize(
    ("force", "gone"),
    [
        ("all", {"Laserfrigate": 5, "Torpedocruiser": 2}),
        ("everything", {"Laserfrigate": 5, "Torpedocruiser": 2}),
        ("all except 2 Laserfrigates", {"Laserfrigate": 3, "Torpedocruiser": 2}),
        ("all except 2 Torpedocruisers, 1 Laserfrigate", {"Laserfrigate": 4}),
        ("9 Laserfrigates", {"Laserfrigate": 5}),
        ("1 Laserfrigate, 3 Carriertitans", {"Laserfrigate": 1}),
        ("a Torpedocruiser and 2 Laserfrigates", {"Laserfrigate": 2, "Torpedocruiser": 1}),
    ],
)
def test_all_named_ships_that_are_there_go(force: str, gone: dict[str, int]) -> None:
    start = position(player("Altair", "5 Laserfrigate, 2 Torpedocruiser"), player("Cygnus", "1 Lasertitan"))
    played = play(start, [("Altair", f"Attack Cygnus with {force}\nLFTLFT"), ("Cygnus", "LFTLFT")])
    assert _engaged(played.battle, "attackers") == gone


@pytest.mark.rule("GO-R24")
def test_the_least_damaged_ships_of_a_class_go() -> None:
    # At Cygnus everything is destroyed, so what is left is what stayed at home.
    start = position(
        player("Altair", "1 Lasercruiser, 1 Lasercruiser@1, 1 Lasercruiser@2, 1 Lasercruiser@3"),
        player("Cygnus", generators=1),
    )
    orders = [("Altair", "Attack Cygnus with 2 Lasercruisers\nLFTLFT"), ("Cygnus", "Raise shields")]
    assert play(start, orders).navy("Altair") == navy("1 Lasercruiser@2, 1 Lasercruiser@3")


@pytest.mark.rule("GO-R24", "GO-R10")
def test_damage_is_looked_at_after_this_turns_repairs() -> None:
    start = position(player("Altair", "1 Lasercruiser@1, 1 Lasercruiser@3", bp=1), player("Cygnus", generators=1))
    orders = [
        ("Altair", "Attack Cygnus with 1 Lasercruiser\nRepair 1 Lasercruiser\nLFTLFT"),
        ("Cygnus", "Raise shields"),
    ]
    assert play(start, orders).navy("Altair") == navy("1 Lasercruiser@1")


@pytest.mark.rule("GO-R28", "GO-R54")
def test_survivors_return_and_damage_stays() -> None:
    start = position(player("Altair", "1 Lasertitan, 2 Lasertitan@1"), player("Cygnus", "1 Torpedocruiser"))
    orders = [("Altair", "Attack Cygnus with 1 Lasertitan\nAttack: FLTFLT"), ("Cygnus", "Defence: TFLTFL")]
    played = play(start, orders)
    # Round 1: T 2 against F 0: 2 on the attacker; round 2: L 5 × 2 on the defender.
    assert played.navy("Altair") == navy("1 Lasertitan@2, 2 Lasertitan@1")


# Where fleets meet


@pytest.mark.rule("GO-R26", "GO-64")
def test_two_fleets_that_attack_each_other_pass_and_fight_at_the_homes() -> None:
    start = position(player("Altair", "2 Lasertitan"), player("Cygnus", "2 Carriertitan"))
    orders = [("Altair", "Attack Cygnus with all"), ("Cygnus", "Attack Altair with all")]
    played = play(start, orders)
    assert [b.data["outcome"] for b in played.battles] == ["walkover", "walkover"]
    assert (played.navy("Altair"), played.navy("Cygnus")) == (navy("2 Lasertitan"), navy("2 Carriertitan"))
    assert set(played.bases("Altair")) == {"Cygnus Base 1", "Cygnus Base 2", "Cygnus Base 3"}
    assert set(played.bases("Cygnus")) == {"Altair Base 1", "Altair Base 2", "Altair Base 3"}


@pytest.mark.rule("GO-R26")
def test_away_fleets_cannot_be_attacked() -> None:
    start = position(
        player("Altair", "1 Lasertitan, 1 Laserfrigate"),
        player("Borealis", "9 Lasertitan"),
        player("Cygnus", "1 Carrierfrigate"),
    )
    orders = [
        ("Altair", "Attack Cygnus with 1 Lasertitan\nLTTLFF"),
        ("Borealis", "Attack Altair with all\nLTTLFF"),
        ("Cygnus", "FTTLLF"),
    ]
    assert play(start, orders).navy("Altair") == navy("1 Lasertitan")


@pytest.mark.rule("GO-R27", "GO-R61")
def test_battles_at_several_homes_follow_the_list_of_players_whoever_wrote_first() -> None:
    start = position(
        player("Altair", "1 Lasertitan, 1 Laserfrigate"),
        player("Borealis", "1 Lasertitan, 1 Laserfrigate"),
        player("Cygnus", "1 Lasertitan, 1 Laserfrigate"),
    )
    titan = "with 1 Lasertitan"
    orders = [
        ("Cygnus", f"Attack Borealis {titan}"),
        ("Borealis", f"Attack Altair {titan}"),
        ("Altair", f"Attack Cygnus {titan}"),
    ]
    played = play(start, orders, dice=[1, 2, 3])
    assert [b.data["defender"] for b in played.battles] == ["Altair", "Borealis", "Cygnus"]
    # At Altair's home the attacker Borealis rolls first, then Altair; Cygnus follows as the attacker of Borealis.
    assert [(e.data["player"], e.data["roll"]) for e in played.of("oob_rolled")] == [
        ("Borealis", 1),
        ("Altair", 2),
        ("Cygnus", 3),
    ]


# Several attackers


def crowd(altair: str, borealis: str, cygnus: str, bases: int = 3) -> dict[str, Any]:
    return position(player("Altair", altair), player("Borealis", borealis), player("Cygnus", cygnus, bases=bases))


ATTACK = "Attack Cygnus with all\nAttack: LFTLFT"


@pytest.mark.rule("GO-53", "GO-54", "GO-R31")
@pytest.mark.parametrize("first", ["Altair", "Borealis"])
def test_unallied_attackers_have_a_battle_each_and_the_last_poster_the_first(first: str) -> None:
    last = "Borealis" if first == "Altair" else "Altair"
    start = crowd("2 Lasertitan", "2 Lasertitan", "4 Lasertitan")
    orders = [(first, ATTACK), (last, ATTACK), ("Cygnus", "LFTLFT")]
    played = play(start, orders)
    assert [list(b.data["attackers"]) for b in played.battles] == [[last], [first]]
    assert not any(b.data["joint"] for b in played.battles)
    turned = play(start, orders, multi_attack_order="first_first")
    assert [list(b.data["attackers"]) for b in turned.battles] == [[first], [last]]


@pytest.mark.rule("GO-54", "GO-R31")
def test_a_replaced_letter_counts_by_its_replacement() -> None:
    start = crowd("2 Lasertitan", "2 Lasertitan", "4 Lasertitan")
    played = play(start, [("Altair", ATTACK), ("Borealis", ATTACK), ("Altair", ATTACK), ("Cygnus", "LFTLFT")])
    assert [list(b.data["attackers"]) for b in played.battles] == [["Altair"], ["Borealis"]]


@pytest.mark.rule("GO-R31", "GO-53")
def test_each_attacker_fights_from_round_one_and_the_defenders_damage_carries_over() -> None:
    # Rounds 1 and 4: 15 lasers against 10: 5 + 5 on the defender's 20 hit points. Then 15 against the 5 that are left.
    start = crowd("3 Lasertitan", "3 Lasertitan", "2 Lasertitan")
    played = play(start, [("Altair", ATTACK), ("Borealis", ATTACK), ("Cygnus", "LFTLFT")])
    first, second = played.battles
    assert tallies(first) == [(0, 5), (0, 5)]
    assert _engaged(second, "defender") == {"Lasertitan": 1}
    # 10 hits in round 1 are as many as hit points: it fights on to the tally and is gone.
    assert (second.detail["rounds"], tallies(second)) == (3, [(0, 10)])
    # The attackers do not meet each other.
    assert played.navy("Altair") == played.navy("Borealis") == navy("3 Lasertitan")


@pytest.mark.rule("GO-55", "GO-R32", "GO-R33")
def test_a_player_may_lose_both_battles_and_then_both_attackers_gain_a_base() -> None:
    # Rounds 1 and 4 of each battle: 15 lasers against 14, one hit each on 28 hit points.
    start = crowd("3 Lasertitan", "3 Lasertitan", "7 Lasercruiser")
    played = play(start, [("Altair", ATTACK), ("Borealis", ATTACK), ("Cygnus", "LFFLTT")])
    assert [b.data["outcome"] for b in played.battles] == ["attacker_won", "attacker_won"]
    assert (played.bases("Borealis")[3:], played.bases("Altair")[3:]) == (["Cygnus Base 3"], ["Cygnus Base 2"])
    assert played.bases("Cygnus") == ["Cygnus Base 1"]


# No home fleet, no bases


@pytest.mark.rule("GO-R29")
def test_a_home_without_any_ship_is_walked_over_and_loses_all_its_bases_without_a_die() -> None:
    start = crowd("1 Laserfrigate", "", "")
    played = play(start, [("Altair", "Attack Cygnus with all")])
    assert (played.outcome, played.battle.detail.get("rounds", 0)) == ("walkover", 0)
    assert len(played.bases("Altair")) == 6
    assert played.player("Cygnus")["alive"] is False
    one = play(start, [("Altair", "Attack Cygnus with all")], undefended="one")
    assert one.bases("Altair")[3:] == ["Cygnus Base 3"]


@pytest.mark.rule("GO-R35")
def test_an_attack_on_a_fleet_without_bases_is_a_battle_with_nothing_to_capture() -> None:
    start = position(
        player("Altair", "3 Lasertitan"), player("Cygnus", "1 Laserfrigate", bases=0, original_ships=1), player("Deneb")
    )
    played = play(start, [("Altair", ATTACK), ("Cygnus", "LFTLFT")])
    assert (played.outcome, played.battle.data["captured"]) == ("attacker_won", [])
    assert played.player("Cygnus")["alive"] is False
    assert len(played.document["bases"]) == 6


@pytest.mark.rule("GO-R35", "GO-R34", "GO-R27")
@pytest.mark.parametrize("names", [("Altair", "Cygnus", "Deneb"), ("Deneb", "Cygnus", "Altair")])
@pytest.mark.parametrize(("deneb", "outcome"), [("9 Lasertitan", "defender_won"), ("", "walkover")])
def test_an_attack_on_somebody_without_bases_and_ships_at_home_does_nothing(
    names: tuple[str, ...], deneb: str, outcome: str
) -> None:
    # Even the bases that Cygnus captures from Deneb meanwhile give Altair nothing to attack, whoever is listed first.
    players = {
        "Altair": player("Altair", "1 Lasertitan"),
        "Cygnus": player("Cygnus", "2 Laserfrigate", bases=0, original_ships=2),
        "Deneb": player("Deneb", deneb),
    }
    orders = [("Altair", "Attack Cygnus with all"), ("Cygnus", "Attack Deneb with all\nLFTLFT"), ("Deneb", "LFTLFT")]
    played = play(position(*(players[name] for name in names)), orders)
    assert [(battle.data["defender"], battle.data["outcome"]) for battle in played.battles] == [("Deneb", outcome)]
    (told,) = (event.data for event in played.of("orders") if event.data["player"] == "Altair")
    assert [line["result"] for line in told["lines"]] == ["Cygnus had neither ships at home nor bases: nothing happened"]
    assert (played.navy("Altair"), len(played.bases("Altair"))) == (navy("1 Lasertitan"), 3)


@pytest.mark.rule("GO-R36", "GO-40")
@pytest.mark.parametrize("target", ["Altair", "Cygnus", "Nobody"])
def test_oneself_eliminated_and_unknown_players_cannot_be_attacked(target: str) -> None:
    start = position(
        player("Altair", "1 Laserfrigate"),
        player("Cygnus", bases=0, alive=False, counter_espionage=0),
        player("Deneb"),
        bases=[base("Vega", "Deneb")],
    )
    assert one_verdict(start, "Altair", f"Attack {target} with all").status is Status.ERROR
    assert play(start, [("Altair", f"Attack {target} with all")]).battles == []

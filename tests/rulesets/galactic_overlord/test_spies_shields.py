"""Counter-espionage, spies, shields, generators, training."""

from typing import Any

import pytest

from pbmd.rules import Status
from tests.rulesets.galactic_overlord.harness import Played, lost, navy, one_verdict, play, player, position


def document(**altair: Any) -> dict[str, Any]:
    """Altair is spied on by Borealis; Cygnus is there to be attacked."""
    return position(
        player("Altair", "4 Laserfrigate", **altair),
        player("Borealis", spies=2, bp=9),
        player("Cygnus", "2 Carriertitan", spies=2, generators=1, bp=9),
    )


SPECIALS = {
    "attack": "Attack Cygnus with all\nLFTLFT",
    "generator": "Build generator",
    "spy": "Train spy",
}


def _worked(played: Played, special: str) -> bool:
    """Whether Altair's special order was carried out."""
    return {
        "attack": bool(played.battles),
        "generator": played.stocks("Altair")[0] == 1,
        "spy": played.stocks("Altair")[1] == 1,
    }[special]


@pytest.mark.rule("GO-35", "GO-36", "GO-37", "GO-R16", "GO-R20")
@pytest.mark.parametrize("special", sorted(SPECIALS))
def test_a_spy_stops_the_targets_attack_generator_or_training_and_is_lost(special: str) -> None:
    altair, cygnus = ("Altair", SPECIALS[special]), ("Cygnus", "LFTLFT")
    assert _worked(play(document(), [altair, cygnus]), special)
    played = play(document(), [altair, cygnus, ("Borealis", "Use spy on Altair")])
    assert not _worked(played, special)
    assert played.stocks("Borealis") == (0, 1, 2)
    (result,) = played.of("spy_result")
    assert result.data == {"player": "Borealis", "target": "Altair", "stopped": special}
    assert result.audience == ("Borealis",)
    (stopped,) = played.of("order_stopped")
    assert stopped.data["player"] == "Altair"
    assert stopped.audience == ("Altair",)
    assert "Borealis" not in str(stopped.data)


@pytest.mark.rule("GO-R20", "GO-R25")
def test_the_ships_of_a_stopped_attack_defend_their_home_with_the_defence_oob() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Borealis", "1 Carriertitan", spies=1), player("Cygnus"))
    orders = [
        ("Altair", "Attack Cygnus with all\nAttack: FTLFTL\nDefence: LTFLTF"),
        ("Borealis", "Use spy on Altair\nAttack Altair with all\nAttack: FLTFLT"),
    ]
    played = play(start, orders)
    assert played.battle.data["defender"] == "Altair"
    # Round 1: F 5 against L 5 × 2 on the attacker; had the attack OOB been used, F against F would give nothing.
    # Round 2: L 0 × 1 against T 0, round 3: T 0 against F 0.
    assert played.tallies[0] == (5, 0)


@pytest.mark.rule("GO-37", "GO-R17")
def test_normal_orders_shields_and_transfers_cannot_be_stopped() -> None:
    start = document(bp=4, generators=1, spies=1)
    altair = "Build 2 Carrierfrigates\nUse spy on Cygnus\nRaise shields\nTransfer Altair Base 3 to Cygnus\nDefence: LFTLFT"
    played = play(start, [("Altair", altair), ("Borealis", "Use spy on Altair"), ("Cygnus", "Train spy\nLFTLFT")])
    assert played.navy("Altair") == navy("4 Laserfrigate, 2 Carrierfrigate")
    assert [e.data["stopped"] for e in played.of("spy_result") if e.data["player"] == "Altair"] == ["spy"]
    assert [e.data["stopped"] for e in played.of("spy_result") if e.data["player"] == "Borealis"] == [""]
    assert len(played.of("shields_raised")) == 1
    assert played.base("Altair Base 3")["owner"] == "Cygnus"


@pytest.mark.rule("GO-R18", "GO-36")
def test_a_spy_is_lost_even_if_there_was_nothing_to_stop() -> None:
    played = play(document(), [("Borealis", "Use spy on Altair")])
    assert played.stocks("Borealis")[1] == 1
    assert [e.data["stopped"] for e in played.of("spy_result")] == [""]


@pytest.mark.rule("GO-R17", "GO-R18")
def test_all_spies_act_at_once_so_two_can_stop_the_same_order_and_both_are_lost() -> None:
    orders = [("Altair", "Train spy"), ("Borealis", "Use spy on Altair"), ("Cygnus", "Use spy on Altair")]
    played = play(document(), orders)
    assert (played.stocks("Borealis")[1], played.stocks("Cygnus")[1], played.stocks("Altair")[1]) == (1, 1, 0)
    results = {event.data["player"]: event.data["stopped"] for event in played.of("spy_result")}
    assert results == {"Borealis": "spy", "Cygnus": "spy"}


@pytest.mark.rule("GO-R17")
def test_two_players_can_spy_on_each_other() -> None:
    start = document(spies=1, generators=0)
    orders = [("Altair", "Use spy on Borealis\nBuild generator"), ("Borealis", "Use spy on Altair\nBuild generator")]
    played = play(start, orders)
    assert (played.stocks("Altair"), played.stocks("Borealis")) == ((0, 0, 2), (0, 1, 2))
    assert {e.data["stopped"] for e in played.of("spy_result")} == {"generator"}


@pytest.mark.rule("GO-R15")
def test_a_second_spy_can_be_used_where_the_game_allows_it() -> None:
    orders = [
        ("Altair", "Train spy"),
        ("Cygnus", "Build generator"),
        ("Borealis", "Use spy on Altair\nUse spy on Cygnus"),
    ]
    played = play(document(), orders, spies_per_turn=2)
    assert played.stocks("Borealis")[1] == 0
    assert (played.stocks("Altair")[1], played.stocks("Cygnus")[0]) == (0, 1)
    played = play(document(), orders)
    assert played.stocks("Borealis")[1] == 1
    assert (played.stocks("Altair")[1], played.stocks("Cygnus")[0]) == (0, 2)


# Counter-espionage


@pytest.mark.rule("GO-07", "GO-33", "GO-R18")
@pytest.mark.parametrize("special", sorted(SPECIALS))
def test_counter_espionage_protects_against_every_spy_for_one_turn(special: str) -> None:
    orders = [
        ("Altair", f"{SPECIALS[special]}\nUse counter-espionage"),
        ("Borealis", "Use spy on Altair"),
        ("Cygnus", "Use spy on Altair\nDefence: LFTLFT"),
    ]
    played = play(document(), orders)
    assert _worked(played, special)
    assert (played.stocks("Borealis")[1], played.stocks("Cygnus")[1]) == (1, 1)
    assert {e.data["stopped"] for e in played.of("spy_result")} == {""}
    assert played.of("order_stopped") == []
    (used,) = played.of("counter_espionage_used")
    assert (used.data, used.audience) == ({"player": "Altair", "left": 1}, ("Altair",))
    # It lasts one turn only.
    again = play(played.document, [("Altair", "Rebuild generator"), ("Borealis", "Use spy on Altair")])
    assert [e.data["stopped"] for e in again.of("spy_result")] == ["generator"]


@pytest.mark.rule("GO-R19", "GO-32", "GO-34", "GO-06")
def test_counter_espionage_is_used_up_without_a_spy_about_and_there_are_only_two_in_a_game() -> None:
    state = document()
    for left in (1, 0):
        played = play(state, [("Altair", "Use counter-espionage")])
        assert played.stocks("Altair")[2] == left
        state = played.document
    assert one_verdict(state, "Altair", "Use counter-espionage").status is Status.ERROR
    assert play(state, [("Altair", "Use counter-espionage")]).stocks("Altair")[2] == 0


# Shields


@pytest.mark.rule("GO-42", "GO-44", "GO-45", "GO-46", "GO-R23")
def test_shields_stop_an_attack_with_twelve_hits_and_the_shielded_player_is_unharmed() -> None:
    start = position(player("Altair", "8 Laserfrigate"), player("Cygnus", "1 Carrierfrigate@1", generators=2))
    orders = [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Cygnus", "Raise shields\nLFTLFT")]
    played = play(start, orders)
    assert played.navy("Altair") == navy("2 Laserfrigate")
    assert played.navy("Cygnus") == navy("1 Carrierfrigate@1")
    assert (played.stocks("Cygnus")[0], len(played.bases("Cygnus"))) == (1, 3)
    (hit,) = played.of("shield_hit")
    assert hit.audience is None
    assert (list(hit.data["attackers"]), hit.data["defender"]) == (["Altair"], "Cygnus")
    assert lost(hit) == {("Altair", "Laserfrigate"): 6}
    assert all(battle.data["outcome"] == "ran_into_shields" for battle in played.battles)
    (raised,) = played.of("shields_raised")
    assert (raised.data, raised.audience) == ({"player": "Cygnus", "generators": 1}, ("Cygnus",))


@pytest.mark.rule("GO-R23", "GO-101")
@pytest.mark.parametrize(
    ("fleet", "left"), [("6 Laserfrigate", ""), ("1 Lasertitan, 1 Torpedofrigate", ""), ("7 Laserfrigate", "1 Laserfrigate")]
)
def test_a_group_with_twelve_hit_points_or_fewer_is_destroyed_by_shields(fleet: str, left: str) -> None:
    start = position(player("Altair", fleet), player("Cygnus", generators=1))
    orders = [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Cygnus", "Raise shields")]
    assert play(start, orders).navy("Altair") == navy(left)


@pytest.mark.rule("GO-R23", "GO-44", "GO-109", "GO-110", "GO-111", "GO-R70", "GO-R69")
@pytest.mark.parametrize(
    ("oob", "left"),
    [
        # Weapon by weapon in the order of the OOB, small hulls first, the damaged ones of a hull first.
        ("LTLTFF", "1 Torpedotitan@2, 2 Carrierfrigate"),
        ("TFTFLL", "1 Torpedotitan@9, 1 Laserfrigate, 1 Lasercruiser, 1 Lasercruiser@3, 2 Carrierfrigate"),
        ("FLFLTT", "1 Torpedofrigate, 1 Torpedotitan"),
    ],
)
def test_shield_hits_are_distributed_like_combat_damage(oob: str, left: str) -> None:
    # Lasers: 2 + 1 + 4 = 7 hit points; torpedoes: 2 + 1 + 10 = 13; fighters: 4.
    torpedoes = "1 Torpedofrigate, 1 Torpedofrigate@1, 1 Torpedotitan"
    fleet = f"1 Laserfrigate, 1 Lasercruiser, 1 Lasercruiser@3, {torpedoes}, 2 Carrierfrigate"
    start = position(player("Altair", fleet), player("Cygnus", generators=1))
    orders = [("Altair", f"Attack Cygnus with all to the death\nAttack: {oob}"), ("Cygnus", "Raise shields\nLFTLFT")]
    assert play(start, orders).navy("Altair") == navy(left)


@pytest.mark.rule("GO-R69", "GO-R70")
def test_removal_by_hull_first_is_an_option() -> None:
    start = position(player("Altair", "5 Laserfrigate, 2 Torpedofrigate, 1 Lasercruiser"), player("Cygnus", generators=1))
    orders = [("Altair", "Attack Cygnus with all\nLTLTFF"), ("Cygnus", "Raise shields")]
    assert play(start, orders).navy("Altair") == navy("2 Torpedofrigate, 1 Lasercruiser@2")
    by_hull = play(start, orders, removal_order="hull")
    assert by_hull.navy("Altair") == navy("1 Torpedofrigate, 1 Lasercruiser")


@pytest.mark.rule("GO-R23")
def test_each_separate_attacker_takes_twelve_hits_and_a_joint_fleet_twelve_in_all() -> None:
    start = position(player("Altair", "7 Laserfrigate"), player("Borealis", "7 Laserfrigate"), player("Cygnus", generators=1))
    cygnus = ("Cygnus", "Raise shields")
    apart = [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Borealis", "Attack Cygnus with all\nLFTLFT"), cygnus]
    played = play(start, apart)
    assert (played.navy("Altair"), played.navy("Borealis")) == (navy("1 Laserfrigate"), navy("1 Laserfrigate"))
    assert len(played.of("shield_hit")) == 2
    joint = [
        ("Altair", "Attack Cygnus with all allied with Borealis\nAttack: LFTLFT"),
        ("Borealis", "Attack Cygnus with all allied with Altair\nAttack: LFTLFT"),
        cygnus,
    ]
    played = play(start, joint)
    assert (played.navy("Altair"), played.navy("Borealis")) == (navy("4 Laserfrigate"), navy("4 Laserfrigate"))
    assert len(played.of("shield_hit")) == 1


@pytest.mark.rule("GO-43", "GO-R19")
def test_shields_protect_against_spies_too_and_go_together_with_counter_espionage() -> None:
    start = document(generators=1)
    orders = [("Altair", "Raise shields\nUse counter-espionage"), ("Borealis", "Use spy on Altair")]
    played = play(start, orders)
    assert (played.stocks("Altair"), played.stocks("Borealis")[1]) == ((0, 0, 1), 1)
    assert [e.data["stopped"] for e in played.of("spy_result")] == [""]


@pytest.mark.rule("GO-43")
def test_whoever_is_shielded_is_as_safe_from_spies_as_whoever_counters_them() -> None:
    # The shielded player's one special order is Raise Shields, so all that shows is that it is not stopped.
    start = position(player("Altair", "8 Laserfrigate"), player("Borealis", spies=1), player("Cygnus", generators=1))
    orders = [
        ("Altair", "Attack Cygnus with all\nLFTLFT"),
        ("Borealis", "Use spy on Cygnus"),
        ("Cygnus", "Raise shields"),
    ]
    played = play(start, orders)
    assert played.of("order_stopped") == []
    assert len(played.of("shield_hit")) == 1


@pytest.mark.rule("GO-R21", "GO-46", "GO-47")
def test_shields_nobody_attacks_use_up_the_generator_all_the_same_until_it_is_rebuilt() -> None:
    played = play(document(generators=1), [("Altair", "Raise shields")])
    assert played.stocks("Altair")[0] == 0
    assert one_verdict(played.document, "Altair", "Raise shields").status is Status.ERROR
    rebuilt = play(played.document, [("Altair", "Rebuild generator")])
    assert rebuilt.stocks("Altair")[0] == 1
    (event,) = rebuilt.of("generator_built")
    assert (event.data, event.audience) == ({"player": "Altair", "generators": 1}, ("Altair",))
    assert one_verdict(rebuilt.document, "Altair", "Raise shields").status is Status.OK


@pytest.mark.rule("GO-42")
def test_shields_last_one_turn() -> None:
    start = position(player("Altair", "12 Laserfrigate"), player("Cygnus", generators=1))
    orders = [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Cygnus", "Raise shields")]
    first = play(start, orders)
    second = play(first.document, [("Altair", "Attack Cygnus with all\nLFTLFT")])
    assert (len(first.bases("Cygnus")), len(second.bases("Cygnus"))) == (3, 0)


# Stocks


@pytest.mark.rule("GO-47", "GO-48", "GO-R22")
def test_up_to_three_generators_can_be_stocked() -> None:
    state = document()
    for stock in (1, 2, 3, 3):
        played = play(state, [("Altair", "Build generator")])
        assert played.stocks("Altair")[0] == stock
        state = played.document
    wider = {**state, "options": {"max_generators": 4}}
    assert play(wider, [("Altair", "Build generator")]).stocks("Altair")[0] == 4


@pytest.mark.rule("GO-49", "GO-50", "GO-R22")
def test_up_to_three_spies_can_be_stocked() -> None:
    state = document()
    for stock in (1, 2, 3, 3):
        played = play(state, [("Altair", "Train spy")])
        assert played.stocks("Altair")[1] == stock
        state = played.document
    trained = play(document(), [("Altair", "Train spy")]).of("spy_trained")
    assert [(e.data, e.audience) for e in trained] == [({"player": "Altair", "spies": 1}, ("Altair",))]
    wider = {**state, "options": {"max_spies": 4}}
    assert play(wider, [("Altair", "Train spy")]).stocks("Altair")[1] == 4


@pytest.mark.rule("GO-38", "GO-39")
def test_a_spy_cannot_be_used_and_trained_in_the_same_turn() -> None:
    played = play(document(spies=1), [("Altair", "Use spy on Borealis\nTrain spy"), ("Borealis", "Build generator")])
    assert (played.stocks("Altair")[1], played.stocks("Borealis")[0]) == (0, 0)

"""What winners capture, and gifts of bases."""

from typing import Any

import pytest

from pbmd.rules import Status
from tests.rulesets.galactic_overlord.harness import Played, base, navy, one_verdict, play, player, position

ATTACK = "Attack Cygnus with all\nAttack: LFTLFT"


def siege(cygnus: str, altair: str = "3 Lasertitan", borealis: str = "3 Lasertitan", bases: int = 4) -> dict[str, Any]:
    return position(player("Altair", altair), player("Borealis", borealis), player("Cygnus", cygnus, bases=bases))


def taken(played: Played, name: str) -> list[int]:
    """Numbers of the Cygnus bases that player holds, in the order acquired."""
    return [int(b[-1]) for b in played.bases(name) if b.startswith("Cygnus")]


def outcomes(played: Played) -> list[str]:
    return [b.data["outcome"] for b in played.battles]


# Altair posts first, so Borealis is fought first.
BOTH = [("Altair", ATTACK), ("Borealis", ATTACK), ("Cygnus", "LFFLTT")]


@pytest.mark.rule("GO-117", "GO-R33")
def test_a_winner_captures_the_newest_base() -> None:
    # 15 lasers against 14, twice.
    start = siege("7 Lasercruiser")
    orders = [("Altair", ATTACK), ("Cygnus", "LFFLTT")]
    played = play(start, orders)
    assert (played.outcome, taken(played, "Altair"), taken(played, "Cygnus")) == ("attacker_won", [4], [1, 2, 3])
    assert played.battle.data["captured"] == [{"base": "Cygnus Base 4", "by": "Altair"}]
    (event,) = played.of("base_captured")
    assert (event.data, event.audience) == ({"base": "Cygnus Base 4", "from": "Cygnus", "to": "Altair"}, None)
    # Ten bases so far, so it becomes no. 11; its builder stays.
    assert played.base("Cygnus Base 4") == base("Cygnus Base 4", "Altair", builder="Cygnus", acquired=11)
    oldest = play(start, orders, capture_pick="oldest")
    assert taken(oldest, "Altair") == [1]


@pytest.mark.rule("GO-R33", "GO-R04")
def test_newest_means_acquired_last_not_built_last() -> None:
    start = position(
        player("Altair", "3 Lasertitan"),
        player("Cygnus", "7 Lasercruiser"),
        player("Deneb"),
        bases=[base("Prize", "Cygnus", builder="Deneb", acquired=90), base("Own", "Cygnus", acquired=80)],
    )
    played = play(start, [("Altair", ATTACK), ("Cygnus", "LFFLTT")])
    assert played.bases("Altair")[3:] == ["Prize"]
    assert played.base("Prize")["acquired"] == 91


@pytest.mark.rule("GO-118", "GO-115", "GO-117")
def test_destroying_the_entire_enemy_fleet_captures_all_bases() -> None:
    played = play(siege("1 Carrierfrigate"), [("Altair", "Attack Cygnus with all\nLTTLFF"), ("Cygnus", "FTTLLF")])
    assert (played.outcome, taken(played, "Altair"), taken(played, "Cygnus")) == ("attacker_won", [4, 3, 2, 1], [])
    assert [played.base(f"Cygnus Base {n}")["acquired"] for n in (4, 3, 2, 1)] == [11, 12, 13, 14]


@pytest.mark.rule("GO-116", "GO-117", "GO-115")
@pytest.mark.parametrize(("cygnus", "outcome"), [("8 Lasercruiser", "defender_won"), ("3 Lasertitan", "draw")])
def test_who_has_not_won_captures_nothing(cygnus: str, outcome: str) -> None:
    played = play(siege(cygnus), [("Altair", ATTACK), ("Cygnus", "LFTLFT")])
    assert (played.outcome, played.of("base_captured")) == (outcome, [])
    assert len(played.bases("Cygnus")) == 4


@pytest.mark.rule("GO-R30", "GO-64")
def test_ships_away_do_not_save_the_bases_when_the_home_fleet_is_destroyed() -> None:
    start = siege("1 Carrierfrigate, 4 Lasertitan", borealis="9 Lasertitan")
    orders = [
        ("Altair", "Attack Cygnus with all\nLTTLFF"),
        ("Cygnus", "Attack Borealis with 4 Lasertitans\nFTTLLF"),
        ("Borealis", "LFTLFT"),
    ]
    assert taken(play(start, orders), "Altair") == [4, 3, 2, 1]
    assert taken(play(start, orders, sack_scope="whole_navy"), "Altair") == [4]
    # With nothing away the whole navy is the home fleet.
    home = [("Altair", "Attack Cygnus with all\nLTTLFF"), ("Cygnus", "FTTLLF")]
    assert len(taken(play(siege("1 Carrierfrigate"), home, sack_scope="whole_navy"), "Altair")) == 4


# Several winners


@pytest.mark.rule("GO-55", "GO-R32")
def test_winners_who_do_not_destroy_the_fleet_take_one_base_each_in_fighting_order() -> None:
    played = play(siege("7 Lasercruiser"), BOTH)
    assert outcomes(played) == ["attacker_won", "attacker_won"]
    assert (taken(played, "Borealis"), taken(played, "Altair"), taken(played, "Cygnus")) == ([4], [3], [1, 2])


@pytest.mark.rule("GO-R32", "GO-55", "GO-118")
def test_the_winner_who_wiped_out_the_fleet_takes_the_rest_after_everybodys_first_base() -> None:
    # Borealis: 15 lasers against 10: half of the fleet; Altair destroys the other half.
    played = play(siege("2 Lasertitan"), [("Altair", ATTACK), ("Borealis", ATTACK), ("Cygnus", "LFTLFT")])
    assert outcomes(played) == ["attacker_won", "attacker_won"]
    assert (taken(played, "Borealis"), taken(played, "Altair"), taken(played, "Cygnus")) == ([4], [3, 2, 1], [])


@pytest.mark.rule("GO-R32", "GO-R29", "GO-118")
def test_a_group_that_comes_after_the_defence_is_wiped_out_walks_over_and_gets_one_base() -> None:
    start = siege("1 Carrierfrigate")
    orders = [
        ("Altair", "Attack Cygnus with all\nLTTLFF"),
        ("Borealis", "Attack Cygnus with all\nLTTLFF"),
        ("Cygnus", "FTTLLF"),
    ]
    played = play(start, orders)
    assert outcomes(played) == ["attacker_won", "walkover"]
    assert (taken(played, "Borealis"), taken(played, "Altair")) == ([4, 2, 1], [3])
    # Numbers go group by group in fighting order: all of Borealis before Altair's.
    assert [played.base(f"Cygnus Base {n}")["acquired"] for n in (4, 2, 1, 3)] == [11, 12, 13, 14]
    early = play(start, orders, late_winner_base=False)
    assert (taken(early, "Borealis"), taken(early, "Altair")) == ([4, 3, 2, 1], [])


@pytest.mark.rule("GO-R33", "GO-R32")
def test_each_winner_takes_the_oldest_base_where_it_goes_first_and_the_rest_follows_in_that_order() -> None:
    start = siege("1 Carrierfrigate", bases=5)
    orders = [
        ("Altair", "Attack Cygnus with all\nLTTLFF"),
        ("Borealis", "Attack Cygnus with all\nLTTLFF"),
        ("Cygnus", "FTTLLF"),
    ]
    played = play(start, orders, capture_pick="oldest")
    assert (taken(played, "Borealis"), taken(played, "Altair")) == ([1, 3, 4, 5], [2])
    assert [played.base(f"Cygnus Base {n}")["acquired"] for n in (1, 3, 4, 5, 2)] == [12, 13, 14, 15, 16]


@pytest.mark.rule("GO-R32", "GO-R66")
def test_if_the_group_that_wiped_out_the_fleet_did_not_win_the_first_walkover_takes_all() -> None:
    start = siege("1 Torpedofrigate", borealis="1 Laserfrigate", altair="1 Laserfrigate")
    orders = [
        ("Altair", "Attack Cygnus with all\nLFFLTT"),
        ("Borealis", "Attack Cygnus with all\nLFFLTT"),
        ("Cygnus", "FTTFLL"),
    ]
    played = play(start, orders)
    assert outcomes(played) == ["both_destroyed", "walkover"]
    assert (taken(played, "Borealis"), taken(played, "Altair")) == ([], [4, 3, 2, 1])
    one = play(start, orders, undefended="one")
    assert (taken(one, "Altair"), taken(one, "Cygnus")) == ([4], [1, 2, 3])


@pytest.mark.rule("GO-R32")
@pytest.mark.parametrize(("bases", "borealis", "altair"), [(1, [1], []), (2, [2], [1])])
def test_winners_take_a_base_while_any_are_left(bases: int, borealis: list[int], altair: list[int]) -> None:
    start = siege("", bases=bases)
    played = play(start, [("Altair", "Attack Cygnus with all"), ("Borealis", "Attack Cygnus with all")])
    assert (taken(played, "Borealis"), taken(played, "Altair")) == (borealis, altair)


@pytest.mark.rule("GO-R34", "GO-R27")
def test_what_is_captured_in_a_turn_cannot_be_captured_again_in_it() -> None:
    # Altair walks over Borealis while Cygnus walks over Altair, and the reverse order of the list changes nothing.
    for names in (("Altair", "Borealis", "Cygnus"), ("Cygnus", "Borealis", "Altair")):
        start = position(*(player(name, "1 Lasertitan" if name != "Borealis" else "", bases=1) for name in names))
        played = play(start, [("Altair", "Attack Borealis with all"), ("Cygnus", "Attack Altair with all")])
        assert played.bases("Altair") == ["Borealis Base 1"]
        assert set(played.bases("Cygnus")) == {"Altair Base 1", "Cygnus Base 1"}


@pytest.mark.rule("GO-R35", "GO-R34")
@pytest.mark.parametrize("names", [("Altair", "Borealis", "Cygnus"), ("Cygnus", "Borealis", "Altair")])
def test_who_captures_a_base_this_turn_is_no_prey_for_another_fleet_this_turn(names: tuple[str, ...]) -> None:
    # Altair's independent fleet leaves nothing at home and captures a base while Cygnus looks for something to attack there.
    fleets = {"Altair": "1 Lasertitan", "Borealis": "", "Cygnus": "1 Lasertitan"}
    homes = {"Altair": 0, "Borealis": 1, "Cygnus": 1}
    start = position(*(player(name, fleets[name], bases=homes[name]) for name in names))
    played = play(start, [("Altair", "Attack Borealis with all"), ("Cygnus", "Attack Altair with all")])
    assert played.bases("Altair") == ["Borealis Base 1"]
    assert [(event.data["attackers"], event.data["defender"]) for event in played.battles] == [(["Altair"], "Borealis")]


@pytest.mark.rule("GO-R33", "GO-R32", "GO-R44")
@pytest.mark.parametrize(("pick", "order"), [("newest", (5, 4, 3, 2, 1)), ("oldest", (1, 2, 3, 4, 5))])
def test_bases_are_dealt_among_allies_in_the_order_of_capture(pick: str, order: tuple[int, ...]) -> None:
    start = siege("1 Carrierfrigate", bases=5)
    orders = [
        ("Altair", "Attack Cygnus with all allied with Borealis\nLTTLFF"),
        ("Borealis", "Attack Cygnus with all allied with Altair\nLTTLFF"),
        ("Cygnus", "FTTLLF"),
    ]
    played = play(start, orders, capture_pick=pick)
    assert (taken(played, "Altair"), taken(played, "Borealis")) == ([*order[::2]], [*order[1::2]])
    # Eleven bases so far.
    assert [played.base(f"Cygnus Base {n}")["acquired"] for n in order] == [12, 13, 14, 15, 16]


# Gifts


def gifts(altair: str = "", **fields: Any) -> dict[str, Any]:
    return position(player("Altair", altair, **fields), player("Borealis"), player("Cygnus"))


@pytest.mark.rule("GO-63", "GO-R53", "GO-R04")
def test_any_number_of_bases_may_be_given_to_anybody() -> None:
    orders = [
        ("Altair", "Transfer Altair Base 3 to Borealis\nGive Altair Base 1 to Cygnus\nUse CE\nTrain spy"),
        ("Borealis", "Trade Borealis Base 1 to Altair"),
    ]
    played = play(gifts(), orders)
    assert [v.status for v in played.verdicts["Altair"] if v.line] == [Status.OK] * 4
    assert played.bases("Altair") == ["Altair Base 2", "Borealis Base 1"]
    # Numbers in order of arrival and line.
    numbers = {name: played.base(name)["acquired"] for name in ("Altair Base 3", "Altair Base 1", "Borealis Base 1")}
    assert numbers == {"Altair Base 3": 10, "Altair Base 1": 11, "Borealis Base 1": 12}
    events = [(e.data, e.audience) for e in played.of("base_transferred")]
    assert events[0] == ({"base": "Altair Base 3", "from": "Altair", "to": "Borealis"}, None)
    assert len(events) == 3
    # One home and one received: 5 + 2.
    assert played.player("Altair")["bp"] == 7
    assert played.stocks("Altair") == (0, 1, 1)


@pytest.mark.rule("GO-R52")
def test_giving_a_base_away_does_not_rescue_it_from_a_battle() -> None:
    start = position(player("Altair"), player("Borealis"), player("Cygnus", "1 Lasertitan"))
    orders = [("Altair", "Transfer Altair Base 3 to Borealis"), ("Cygnus", "Attack Altair with all")]
    played = play(start, orders)
    assert (played.base("Altair Base 3")["owner"], played.of("base_transferred")) == ("Cygnus", [])
    (failed,) = played.of("order_failed")
    assert (failed.data["player"], failed.audience) == ("Altair", ("Altair",))


@pytest.mark.rule("GO-R52", "GO-61")
def test_a_fresh_capture_can_be_handed_on_in_the_same_turn() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Borealis"), player("Cygnus"))
    played = play(start, [("Altair", "Attack Cygnus with all\nTransfer Cygnus Base 1 to Borealis")])
    assert [v.status for v in played.verdicts["Altair"] if v.line] == [Status.OK, Status.WARNING]
    assert played.base("Cygnus Base 1")["owner"] == "Borealis"


@pytest.mark.rule("GO-R52")
def test_a_base_received_as_a_gift_cannot_be_passed_on_in_the_same_turn() -> None:
    orders = [("Altair", "Transfer Altair Base 1 to Borealis"), ("Borealis", "Transfer Altair Base 1 to Cygnus")]
    for order in (orders, orders[::-1]):
        assert play(gifts(), order).base("Altair Base 1")["owner"] == "Borealis"


@pytest.mark.rule("GO-R52")
def test_gifts_are_exchanged_simultaneously() -> None:
    orders = [("Altair", "Transfer Altair Base 1 to Borealis"), ("Borealis", "Transfer Borealis Base 1 to Altair")]
    played = play(gifts(), orders)
    assert (played.base("Altair Base 1")["owner"], played.base("Borealis Base 1")["owner"]) == ("Borealis", "Altair")


@pytest.mark.rule("GO-63", "GO-28")
def test_a_base_built_this_turn_can_be_given_away_this_turn() -> None:
    played = play(gifts(bp=16), [("Altair", "Build 1 base named Rigel\nTransfer Rigel to Cygnus")])
    assert played.base("Rigel") == base("Rigel", "Cygnus", builder="Altair", acquired=11)


@pytest.mark.rule("GO-62")
def test_ships_cannot_be_given_away() -> None:
    start = gifts("3 Laserfrigate")
    for order in ("Transfer 3 Laserfrigates to Cygnus", "Give Laserfrigates to Cygnus", "Trade 1 Laserfrigate to Cygnus"):
        assert one_verdict(start, "Altair", order).status is Status.ERROR
        assert play(start, [("Altair", f"Stockpile\n{order}")]).navy("Altair") == navy("3 Laserfrigate")

"""Fleets without a base: independence, lack of supply, elimination."""

from typing import Any

import pytest

from tests.rulesets.galactic_overlord.harness import base, navy, play, player, position


def homeless(fleet: str, original: int, **fields: Any) -> dict[str, Any]:
    """Altair roams without a base; the others are at peace."""
    return position(player("Altair", fleet, bases=0, original_ships=original, **fields), player("Borealis"), player("Cygnus"))


@pytest.mark.rule("GO-64", "GO-65", "GO-66", "GO-R30", "GO-R48", "GO-R11")
def test_a_fleet_that_is_away_when_all_bases_are_lost_becomes_independent_and_loses_its_stocks() -> None:
    start = position(
        player("Altair", "20 Laserfrigate", bp=9, generators=2, spies=2, counter_espionage=1),
        player("Borealis", generators=1),
        player("Cygnus", "1 Lasertitan"),
    )
    orders = [
        ("Altair", "Attack Borealis with all\nLFTLFT"),
        ("Borealis", "Raise shields"),
        ("Cygnus", "Attack Altair with all"),
    ]
    played = play(start, orders)
    assert played.bases("Altair") == []
    table = played.player("Altair")
    assert (table["bp"], table["alive"], table["original_ships"]) == (0, True, 14)
    # Counter-espionage is not on the list.
    assert played.stocks("Altair") == (0, 0, 1)
    # Nothing is lost yet: that begins a turn later.
    assert played.navy("Altair") == navy("14 Laserfrigate")
    (event,) = played.of("became_independent")
    assert (event.data, event.audience) == ({"player": "Altair", "ships": 14}, None)
    assert played.of("supply_loss") == []
    early = play(start, orders, supply_start="same_turn")
    assert (early.navy("Altair"), early.player("Altair")["original_ships"]) == (navy("13 Laserfrigate"), 14)


@pytest.mark.rule("GO-R48")
def test_who_gives_his_last_base_away_is_independent_too() -> None:
    start = position(player("Altair", "3 Laserfrigate", bp=5, spies=1, generators=1, bases=1), player("Cygnus"))
    played = play(start, [("Altair", "Transfer Altair Base 1 to Cygnus")])
    assert (played.player("Altair")["bp"], played.stocks("Altair"), played.player("Altair")["original_ships"]) == (
        0,
        (0, 0, 2),
        3,
    )


@pytest.mark.rule("GO-66", "GO-R48", "GO-09")
def test_stocks_are_lost_anew_in_every_turn_that_ends_without_a_base() -> None:
    played = play(homeless("5 Laserfrigate", 5), [("Altair", "Train spy")])
    assert (played.stocks("Altair"), played.player("Altair")["bp"]) == ((0, 0, 2), 0)
    assert len(played.of("spy_trained")) == 1


@pytest.mark.rule("GO-67", "GO-R49")
@pytest.mark.parametrize(("original", "loss"), [(9, 0), (10, 1), (19, 1), (20, 2), (39, 3)])
def test_a_tenth_of_the_original_number_rounded_down_is_lost_every_turn(original: int, loss: int) -> None:
    state = homeless("30 Laserfrigate", original)
    for left in (30 - loss, 30 - 2 * loss):
        played = play(state, [])
        assert played.navy("Altair") == {"Laserfrigate": left}
        assert played.player("Altair")["original_ships"] == original
        expected = [({"player": "Altair", "ships": [{"class": "Laserfrigate", "count": loss}]}, None)] if loss else []
        assert [(e.data, e.audience) for e in played.of("supply_loss")] == expected
        state = played.document


@pytest.mark.rule("GO-67")
def test_the_share_lost_can_be_set() -> None:
    played = play(homeless("20 Laserfrigate", 20), [], supply_loss_percent=25)
    assert played.navy("Altair") == navy("15 Laserfrigate")


@pytest.mark.rule("GO-R50")
@pytest.mark.parametrize(
    ("loss", "left"),
    [
        (1, "1 Laserfrigate, 1 Torpedofrigate, 1 Carrierfrigate@1, 1 Lasercruiser, 1 Carriercruiser@3"),
        (2, "1 Laserfrigate, 1 Torpedofrigate, 1 Lasercruiser, 1 Carriercruiser@3"),
        (3, "1 Torpedofrigate, 1 Lasercruiser, 1 Carriercruiser@3"),
        (4, "1 Lasercruiser, 1 Carriercruiser@3"),
        (5, "1 Lasercruiser"),
    ],
)
def test_small_hulls_go_first_then_damaged_ones_then_lasers_fighters_torpedoes(loss: int, left: str) -> None:
    fleet = "1 Laserfrigate, 1 Torpedofrigate, 1 Torpedofrigate@1.5, 1 Carrierfrigate@1, 1 Lasercruiser, 1 Carriercruiser@3"
    assert play(homeless(fleet, 10 * loss), []).navy("Altair") == navy(left)


@pytest.mark.rule("GO-68", "GO-R51", "GO-R52")
def test_being_given_a_base_ends_the_plight_before_the_next_loss() -> None:
    played = play(homeless("20 Laserfrigate", 20), [("Cygnus", "Transfer Cygnus Base 1 to Altair")])
    assert (played.navy("Altair"), played.player("Altair")["original_ships"]) == (navy("20 Laserfrigate"), 0)
    # A gift is no home base.
    assert played.player("Altair")["bp"] == 2
    assert played.of("supply_loss") == []


@pytest.mark.rule("GO-68", "GO-R51")
def test_capturing_a_base_ends_the_plight_and_losing_it_begins_a_new_count() -> None:
    played = play(homeless("20 Laserfrigate", 40), [("Altair", "Attack Cygnus with all")])
    assert (played.navy("Altair"), played.player("Altair")["original_ships"]) == (navy("20 Laserfrigate"), 0)
    given = "\n".join(f"Transfer Cygnus Base {n} to Borealis" for n in (1, 2, 3))
    again = play(played.document, [("Altair", given)])
    assert again.player("Altair")["original_ships"] == 20


@pytest.mark.rule("GO-R73", "GO-67")
def test_a_fleet_that_starves_is_out() -> None:
    played = play(homeless("1 Lasertitan", 10), [])
    table = played.player("Altair")
    assert (table["alive"], table["original_ships"], table["counter_espionage"]) == (False, 0, 0)
    assert [e.data for e in played.of("eliminated")] == [{"player": "Altair"}]


@pytest.mark.rule("GO-R73", "GO-74")
def test_a_player_without_base_and_ship_is_out_and_his_stocks_go_with_him() -> None:
    start = position(player("Altair", "1 Lasertitan"), player("Borealis"), player("Cygnus", spies=2, generators=2, bp=7))
    played = play(start, [("Altair", "Attack Cygnus with all")])
    table = played.player("Cygnus")
    assert (table["alive"], table["bp"], played.stocks("Cygnus")) == (False, 0, (0, 0, 0))
    (event,) = played.of("eliminated")
    assert (event.data, event.audience) == ({"player": "Cygnus"}, None)
    # Nothing is awaited from him any more.
    again = play(played.document, [])
    assert "Cygnus" not in again.verdicts
    assert again.of("eliminated") == []


@pytest.mark.rule("GO-R73", "GO-65")
def test_a_player_with_ships_only_or_bases_only_goes_on() -> None:
    start = position(player("Altair", "1 Laserfrigate", bases=0, original_ships=1), player("Cygnus"))
    played = play(start, [])
    assert [table["alive"] for table in played.document["players"]] == [True, True]
    assert played.document["status"] == "running"


@pytest.mark.rule("GO-R51", "GO-R04")
def test_an_independent_fleet_with_its_own_base_back_builds_again() -> None:
    start = position(
        player("Altair", "5 Laserfrigate", bases=0, original_ships=5),
        player("Cygnus"),
        bases=[base("Vega", "Cygnus", builder="Altair")],
    )
    played = play(start, [("Cygnus", "Transfer Vega to Altair")])
    assert played.player("Altair")["bp"] == 5
    built = play(played.document, [("Altair", "Build 5 Laserfrigates")])
    assert built.navy("Altair") == navy("10 Laserfrigate")

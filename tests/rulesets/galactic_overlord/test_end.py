"""Winning, and the game that nobody wins."""

import pytest

from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import base, play, player, position


@pytest.mark.rule("GO-03", "GO-74", "GO-R74", "GO-R03", "GO-R12")
def test_the_last_faction_with_a_base_or_ship_is_the_winner() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus", bp=9))
    played = play(start, [("Altair", "Attack Cygnus with all")])
    document = played.document
    assert (document["status"], document["winner"], document["turn"]) == ("finished", "Altair", 5)
    (event,) = played.of("victory")
    assert (event.data, event.audience) == ({"winner": "Altair"}, None)
    outcome = ruleset.outcome(played.position)
    assert outcome is not None
    assert outcome.winners == ("Altair",)
    # Income is paid in the last turn too: 3 home and 3 captured bases.
    assert played.player("Altair")["bp"] == 21
    assert ruleset.awaiting(played.position) == ()


@pytest.mark.rule("GO-74", "GO-65", "GO-R73")
@pytest.mark.parametrize("rest", [{"fleet": "1 Laserfrigate", "bases": 0}, {"fleet": "", "bases": 1}])
def test_an_opponent_with_a_base_or_a_fleet_left_is_not_beaten(rest: dict[str, object]) -> None:
    start = position(player("Altair", "9 Lasertitan"), player("Cygnus", **rest))  # type: ignore[arg-type]
    played = play(start, [])
    assert (played.document["status"], played.document["winner"], played.of("victory")) == ("running", "", [])
    assert ruleset.outcome(played.position) is None


@pytest.mark.rule("GO-75", "GO-R74")
def test_two_allies_have_not_won_together() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Borealis", "1 Laserfrigate"), player("Cygnus"))
    orders = [
        ("Altair", "Attack Cygnus with all allied with Borealis"),
        ("Borealis", "Attack Cygnus with all allied with Altair"),
    ]
    played = play(start, orders)
    assert played.player("Cygnus")["alive"] is False
    assert (played.document["status"], ruleset.outcome(played.position)) == ("running", None)


@pytest.mark.rule("GO-R74", "GO-R12")
def test_mutual_destruction_leaves_everybody_his_bases() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus", "1 Torpedofrigate"))
    played = play(start, [("Altair", "Attack Cygnus with all\nLFFLTT"), ("Cygnus", "FTTFLL")])
    assert played.outcome == "both_destroyed"
    assert [p["alive"] for p in played.document["players"]] == [True, True]


@pytest.mark.rule("GO-R75", "GO-R77", "GO-02")
def test_a_game_goes_on_for_ever_unless_it_has_a_turn_limit() -> None:
    start = position(player("Altair"), player("Cygnus"), turn=999)
    assert play(start, []).document["status"] == "running"
    limited = play(start, [], turn_limit=999)
    assert (limited.document["status"], limited.document["winner"], limited.document["turn"]) == ("finished", "", 1000)
    outcome = ruleset.outcome(limited.position)
    assert outcome is not None
    assert outcome.winners == ()
    assert play(start, [], turn_limit=1000).document["status"] == "running"


@pytest.mark.rule("GO-74")
def test_a_win_in_the_last_turn_is_a_win() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus"), turn=10)
    played = play(start, [("Altair", "Attack Cygnus with all")], turn_limit=10)
    assert (played.document["status"], played.document["winner"]) == ("finished", "Altair")


@pytest.mark.rule("GO-R12", "GO-R74")
def test_eliminated_players_stay_in_the_books_without_bases_and_bases_keep_their_builder() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus"), bases=[base("Vega", "Cygnus", builder="Altair")])
    played = play(start, [("Altair", "Attack Cygnus with all")])
    assert [p["name"] for p in played.document["players"]] == ["Altair", "Cygnus"]
    assert played.base("Cygnus Base 1")["builder"] == "Cygnus"
    # Vega is a home base again: 4 × 5 + 3 × 2.
    assert played.player("Altair")["bp"] == 26


@pytest.mark.rule("GO-R78")
def test_the_winner_is_before_all_others_and_at_a_turn_limit_all_who_are_left_are_first() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus"), player("Deneb", bases=0), turn=10)
    places = ruleset.places
    assert places is not None
    assert places(play(start, [], turn_limit=10).position) == {"Altair": 1, "Cygnus": 1, "Deneb": 3}
    won = play(start, [("Altair", "Attack Cygnus with all")]).position
    assert places(won) == {"Altair": 1, "Cygnus": 2, "Deneb": 2}

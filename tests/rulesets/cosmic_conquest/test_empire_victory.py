"""Empires, victory and the end (7.1, 7.10, 7.13, section 10)."""

from dataclasses import replace

import pytest

from pbmd.rules import Outcome
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.world.state import Result
from tests.rulesets.cosmic_conquest.harness import Played, faction, fault, play, position, receive

FOUR = "Sol 5 Red, Alpha Centauri 5 Red, Groombridge 0 Red, Sirius 5 Red -9, Rigel 9 Green"
APART = "Sol 5 Red, Alpha Centauri 5 Red, Sirius 5 Red, Wolf 5 Red, Rigel 9 Green"


def quiet(start: dict[str, object], *colours: str, **options: object) -> Played:
    """Everybody passes."""
    return play(start, [(colour, "Pass") for colour in colours or ("Red", "Green")], **options)  # type: ignore[arg-type]


@pytest.mark.rule("CC-69", "CC-70", "CC-R64")
def test_four_connected_systems_at_the_start_of_the_turn_allow_the_announcement() -> None:
    words = "needs 4 connected systems at the start of the turn"
    line = "Announce the Intergalactic Empire"
    # Devastated and sabotaged ones count.
    assert receive(position(FOUR, faction("Red"), faction("Green")), "Red", line).filed
    assert fault(position(APART, faction("Red"), faction("Green")), "Red", line) == words
    three = position("Sol 5 Red, Sirius 5 Red, Groombridge 5 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    assert fault(three, "Red", line) == words
    assert receive({**three, "options": {"empire_size": 3}}, "Red", line).filed
    for alone in ("Wolf", "Polaris", "Kruger", "Ross"):
        spread = position(f"{FOUR}, {alone} 5 Red", faction("Red"), faction("Green"))
        assert receive(spread, "Red", line).filed


@pytest.mark.rule("CC-71", "CC-73", "CC-R65", "CC-R66")
def test_the_bonus_counts_from_the_next_turn_and_stays_without_the_systems() -> None:
    start = position(FOUR.replace("Rigel 9 Green", "Castor 9 Green"), faction("Red"), faction("Green"))
    line = "Announce the Intergalactic Empire of Old Terra"
    assert fault(start, "Red", f"{line}\nDefend Sol with 11 units") == "needs 11 units, 10 of 10 are left"
    played = play(start, [("Red", line), ("Green", "Conquer Sirius with 1 unit")])
    assert (played.faction("Red")["empire_turn"], played.faction("Red")["empire_name"]) == (5, "Old Terra")
    assert played.units("Red") == 5 + 5 + 5
    assert played.of("empire") == [{"colour": "Red", "name": "Old Terra"}]
    words = "you have announced your empire already"
    assert fault(played.document, "Red", "Announce the Intergalactic Empire") == words
    assert quiet(played.document).units("Red") == 15


@pytest.mark.rule("CC-R65")
def test_the_bonus_can_count_at_once() -> None:
    start = position(FOUR, faction("Red", "tachyon"), faction("Green"), empire_from="now")
    text = "Defend Sol with 20 units\nAnnounce an Intergalactic Empire"
    assert receive(start, "Red", text).filed
    assert fault(start, "Red", text.replace("20", "21")) == "needs 21 units, 20 of 20 are left"
    assert play(start, [("Red", text), ("Green", "Pass")]).units("Red") == 25


@pytest.mark.rule("CC-R66")
def test_the_announcement_of_an_eliminated_faction_is_void() -> None:
    start = position(
        "Sol 0 Red, Alpha Centauri 20 Green, Rigel 5 Teal", faction("Red"), faction("Green"), faction("Teal"), empire_size=1
    )
    orders = [("Red", "Announce the Intergalactic Empire"), ("Green", "Conquer Sol with 1 unit"), ("Teal", "Pass")]
    played = play(start, orders)
    assert played.of("empire") == []
    assert played.faction("Red")["empire_turn"] == 0


# --- Supreme Overlord ----------------------------------------------------------------------------------------------------


def overlord(text: str, turn: int = 9, **options: object) -> str:
    """The winner after that turn, in which nobody does anything."""
    factions = (faction("Red"), faction("Green"), faction("Teal"))
    played = quiet(position(text, *factions, turn=turn), "Red", "Green", "Teal", **options)
    result = played.document.get("result")
    assert result is None or result["turn"] == turn + 1
    return f"{result['kind']} {result['winner']}" if result else ""


WINNING = "Sol 10 Red, Sirius 10 Red, Rigel 10 Green, Polaris 9 Teal"


@pytest.mark.rule("CC-74", "CC-77", "CC-R70", "CC-119", "CC-05")
def test_the_first_overlord_is_found_right_after_turn_nine() -> None:
    assert overlord(WINNING, turn=9) == "overlord Red"
    assert overlord(WINNING, turn=8) == ""
    assert overlord(WINNING, turn=30) == "overlord Red"
    assert overlord(WINNING, turn=3, first_overlord_turn=4) == "overlord Red"


@pytest.mark.rule("CC-75", "CC-R69", "CC-R68")
def test_an_overlord_has_more_units_than_all_others_together() -> None:
    assert overlord("Sol 10 Red, Sirius 10 Red, Rigel 10 Green, Polaris 10 Teal") == ""
    assert overlord("Sol 10 Red, Sirius 10 Red -2, Rigel 10 Green, Polaris 9 Teal") == "overlord Red"


@pytest.mark.rule("CC-R68")
def test_the_sabotage_of_the_coming_turn_and_bonuses_count_but_not_drones() -> None:
    factions = (faction("Red"), faction("Purple", "psionic", drones=50))
    start = position("Sol 10 Red, Sirius 3 Red, Rigel 11 Purple", *factions, turn=9)
    assert play(start, [("Red", "Pass"), ("Purple", "Psychic Sabotage on Sol")]).document["phase"] == "orders"
    assert play(start, [("Red", "Pass"), ("Purple", "Pass")]).document["phase"] == "ended"
    rich = position(
        "Sol 10 Red, Sirius 3 Red, Rigel 11 Purple", faction("Red"), faction("Purple", traits="resourceful"), turn=9
    )
    assert quiet(rich, "Red", "Purple").document["phase"] == "orders"
    empire = position("Sol 10 Red, Sirius 3 Red, Rigel 11 Purple", faction("Red"), faction("Purple", empire_turn=2), turn=9)
    assert quiet(empire, "Red", "Purple").document["phase"] == "orders"


@pytest.mark.rule("CC-R68")
def test_factions_that_are_out_do_not_count_against_an_overlord() -> None:
    gone = faction("Grey", status="eliminated", empire_turn=3)
    start = position("Sol 10 Red, Sirius 4 Red, Rigel 13 Green", faction("Red"), faction("Green"), gone, turn=9)
    assert quiet(start).document["result"]["winner"] == "Red"


@pytest.mark.rule("CC-76", "CC-R69")
def test_an_overlord_has_more_systems_than_any_other() -> None:
    assert overlord("Sol 30 Red, Sirius 10 Red, Rigel 5 Green, Ross 5 Green, Polaris 9 Teal") == ""
    assert overlord("Sol 30 Red, Sirius 0 Red, Rigel 5 Green, Polaris 9 Teal") == "overlord Red"


@pytest.mark.rule("CC-R67", "CC-05")
def test_an_empire_is_needed_only_with_the_option() -> None:
    assert overlord(WINNING, overlord_needs_empire=True) == ""
    start = position(WINNING, faction("Red", empire_turn=4), faction("Green"), faction("Teal"), turn=9)
    played = quiet(start, "Red", "Green", "Teal", overlord_needs_empire=True)
    assert played.document["result"]["kind"] == "overlord"
    assert ruleset.outcome(played.position) == Outcome(("Red",), "Red is the Supreme Overlord.")


# --- Other ends ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CC-R72")
def test_the_last_faction_left_wins_at_once_unless_the_option_says_no() -> None:
    start = position("Alpha Centauri 20 Red, Procyon 5 Green", faction("Red"), faction("Green"), turn=2)
    orders = [("Red", "Conquer Procyon with 1 unit"), ("Green", "Pass")]
    played = play(start, orders)
    assert played.document["result"] == {"kind": "last_survivor", "winner": "Red", "turn": 3}
    assert play(start, orders, last_survivor_wins=False).document["phase"] == "orders"
    assert ruleset.awaiting(played.position) == ()
    assert ruleset.outcome(played.position) == Outcome(("Red",), "Red is the last faction left and wins.")


@pytest.mark.rule("CC-R72")
def test_who_began_alone_has_outlived_nobody() -> None:
    assert quiet(position("Sol 9 Red", faction("Red"), turn=2), "Red").document["phase"] == "orders"


@pytest.mark.rule("CC-120", "CC-R73")
def test_a_unanimous_vote_ends_the_game_before_anything_else() -> None:
    start = position("Alpha Centauri 20 Red, Procyon 5 Green", faction("Red"), faction("Green"))
    vote = "Vote for a draw"
    played = play(start, [("Red", f"Conquer Procyon with 9 units\n{vote}"), ("Green", vote)])
    assert played.document["result"] == {"kind": "draw", "winner": "", "turn": 5}
    before = ruleset.dump(ruleset.load(start))
    assert {**played.document, "phase": "orders"} == {**before, "result": played.document["result"]}
    assert ruleset.outcome(played.position) == Outcome((), "All agreed to a draw in turn 5.")


@pytest.mark.rule("CC-R73", "CC-R79")
def test_a_vote_that_is_not_unanimous_or_a_stall_is_no_draw() -> None:
    start = position("Alpha Centauri 20 Red, Rigel 5 Green", faction("Red"), faction("Green"))
    for orders in ([("Red", "Vote for a draw"), ("Green", "Pass")], [("Red", "Vote for a draw")]):
        played = play(start, orders)
        assert played.document["phase"] == "orders"
        assert played.of("draw_votes") == [{"count": 1, "of": 2}]
    # Votes are counted per turn.
    again = play(played.document, [("Red", "Pass"), ("Green", "Vote for a draw")])
    assert again.document["phase"] == "orders"


@pytest.mark.rule("CC-R84")
def test_a_game_that_all_have_left_is_abandoned() -> None:
    start = position("Sol 20 Red, Rigel 5 Green", faction("Red"), faction("Green"))
    played = play(start, [], resigns=["Red", "Green"])
    assert played.document["result"] == {"kind": "abandoned", "winner": "", "turn": 6}
    assert ruleset.outcome(played.position) == Outcome((), "Nobody is left; nobody has won.")


@pytest.mark.rule("CC-R91")
def test_places_go_by_the_end_and_then_by_systems() -> None:
    start = position(
        "Alpha Centauri 20 Red, Procyon 5 Green, Sol 9 Green, Rigel 9 Teal, Deneb 9 Grey",
        *(faction(colour) for colour in ("Red", "Green", "Teal", "Grey")),
    )
    over = replace(ruleset.load(start), phase="ended", result=Result("overlord", "Red", 5))
    assert ruleset.places is not None
    assert ruleset.places(over) == {"Red": 1, "Green": 2, "Teal": 3, "Grey": 3}
    assert set(ruleset.places(replace(over, result=Result("draw", "", 5))).values()) == {1}
    assert ruleset.places(replace(over, result=Result("abandoned", "", 5))) == {}

"""Spaceships and the four ways to win."""

from dataclasses import replace

import pytest

from pbmd.rules import Document
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import Played, play, world

NAMES = (
    *("Tower of Babel", "Colosseum", "Trojan Horse", "Acropolis", "Silk Road", "Jihad", "Mafia", "Trans-Siberian Railroad"),
    *("National Rifle Association", "University of California", "NASCAR", "KGB"),
)


def won(played: Played) -> list[tuple[str, str]]:
    """Society and kind of all victories."""
    result = played.document.get("result", {})
    victories = [(victory["society"], victory["kind"]) for victory in result.get("victories", ())]
    assert bool(victories) == result.get("over", False)
    assert sorted({name for name, _ in victories}) == sorted(result.get("winners", ()))
    outcome = ruleset.outcome(played.position)
    assert (outcome is not None) == bool(victories)
    assert outcome is None or sorted(outcome.winners) == sorted(result["winners"])
    return victories


# Spaceships


def ships(ann: str, bob: str = "parts 0", **options: object) -> Document:
    return world("a.b", f"Ann tech 15 gold 5000 {ann}", f"Bob tech 15 gold 5000 {bob}", **options)


@pytest.mark.rule("SO-105", "SO-112", "SO-113", "SO-90", "SO-R90")
def test_a_part_a_turn_for_a_thousand_whatever_is_stated() -> None:
    for order in ("Build spaceship part", "Spaceship (1400)", "Build engines for 1400", "Engines for 3"):
        played = play(ships("parts 0"), f"Ann: {order}")
        assert (played.spent("Ann"), played.each("spaceship_parts"), played.each("engine_spend")) == (1000, [1, 0], [0, 0])
    early = play(world("a.b", "Ann tech 14 gold 5000", "Bob"), "Ann: Build spaceship part")
    assert (early.spent("Ann"), early.failed("Ann")) == (0, ["tech_missing"])


@pytest.mark.rule("SO-114", "SO-115", "SO-171", "SO-173", "SO-R89", "SO-R90", "SO-R92")
@pytest.mark.parametrize(
    ("order", "cost"), [("Build spaceship part", 1000), ("Engines (1400)", 1400), ("Engines for 700", 1000)]
)
def test_the_fourth_part_may_be_overpaid_and_wins(order: str, cost: int) -> None:
    assert won(play(ships("parts 2"), "Ann: Build spaceship part")) == []
    played = play(ships("parts 3"), f"Ann: {order}")
    assert won(played) == [("Ann", "spaceship")]
    assert (played.spent("Ann"), played.society("Ann")["engine_spend"]) == (cost, cost)


@pytest.mark.rule("SO-172", "SO-R89")
def test_three_parts_are_an_option() -> None:
    played = play(ships("parts 2"), "Ann: Engines for 1200", spaceship_parts=3)
    assert won(played) == [("Ann", "spaceship")]
    assert played.spent("Ann") == 1200


@pytest.mark.rule("SO-115", "SO-173", "SO-R90", "SO-R91", "SO-176", "SO-R95")
def test_of_two_ships_in_a_turn_the_dearer_engines_win_then_the_first_in() -> None:
    document = ships("parts 3", "parts 3")
    assert won(play(document, "Ann: Engines (1400)", "Bob: Engines (1401)")) == [("Bob", "spaceship")]
    assert won(play(document, "Ann: Engines (1400)", "Bob: Engines (1400)")) == [("Ann", "spaceship")]
    assert won(play(document, "Bob: Engines (1400)", "Ann: Engines (1400)")) == [("Bob", "spaceship")]


@pytest.mark.rule("SO-R14", "SO-R90")
def test_engines_too_dear_are_cut_as_a_whole() -> None:
    played = play(ships("parts 3"), "Ann: Engines (5001)")
    assert (played.failed("Ann"), played.spent("Ann"), won(played)) == (["cut"], 0, [])


@pytest.mark.rule("SO-R92", "SO-R96")
def test_a_ship_does_not_save_one_who_is_eliminated_in_the_same_turn() -> None:
    document = world("ab.c", "Ann tech 15 gold 5000 parts 3", "Bob tech 15 armies 40", "Cat", wars="Ann Bob 3")
    assert won(play(document, "Ann: Engines (1400)", "Bob: Attack Ann with 40 armies")) == []


# Conquest


@pytest.mark.rule("SO-170", "SO-R96", "SO-R92")
def test_the_last_society_left_wins() -> None:
    document = world("abc", "Ann tech 4 armies 40", "Bob tech 4 nukes 1", "Cat tech 4", wars="Ann Bob 3")
    assert won(play(document, "Ann: Attack Bob with 40 armies")) == []
    played = play(document, "Ann: Attack Bob with 40 armies\nLaunch 1 nuke at Cat\nTargets: C1")
    assert won(played) == []
    document["society"][0]["nukes"] = 1
    played = play(document, "Ann: Attack Bob with 40 armies\nLaunch 1 nuke at Cat\nTargets: C1")
    assert won(played) == [("Ann", "conquest")]
    assert played.document["turn"] == 9
    assert ruleset.awaiting(played.position) == ()


# Culture


def culture(built: int, other: int, obsolete: int = 0, destroyed: int = 0) -> Document:
    """Ann holds so many wonders of her own and of Bob's; the last of them obsolete; she has built others that are gone."""
    names = list(NAMES)
    entries = [f"{names.pop()} Ann {chr(65 + n)}1" for n in range(built)]
    entries += [f"{names.pop()} Ann {chr(65 + built + n)}1 by Bob" for n in range(other)]
    entries = [entry + " obsolete" if n >= len(entries) - obsolete else entry for n, entry in enumerate(entries)]
    entries = [entry.replace(" by Bob obsolete", " obsolete by Bob") for entry in entries]
    entries += [f"{names.pop()} destroyed by Ann" for _ in range(destroyed)]
    return world("a" * 12 + " / b", "Ann tech 1", "Bob tech 1", wonders=", ".join(entries))


@pytest.mark.rule("SO-174", "SO-R93")
@pytest.mark.parametrize(
    ("built", "other", "wins"),
    [(6, 0, False), (7, 0, True), (6, 3, False), (6, 4, True), (0, 9, False), (0, 10, True), (7, 2, True)],
)
def test_seven_wonders_built_and_held_or_ten_held_win(built: int, other: int, wins: bool) -> None:
    assert won(play(culture(built, other))) == ([("Ann", "cultural")] if wins else [])


@pytest.mark.rule("SO-R76", "SO-R93")
def test_obsolete_wonders_count_unless_the_option_says_no_and_destroyed_ones_never() -> None:
    assert won(play(culture(7, 0, obsolete=1))) == [("Ann", "cultural")]
    assert won(play(culture(7, 0, obsolete=1), obsolete_wonders_count=False)) == []
    assert won(play(culture(0, 10, obsolete=3))) == [("Ann", "cultural")]
    assert won(play(culture(0, 10, obsolete=3), obsolete_wonders_count=False)) == []
    assert won(play(culture(6, 0, destroyed=3))) == []


@pytest.mark.rule("SO-174", "SO-R92")
def test_the_seventh_wonder_wins_in_the_turn_it_is_built() -> None:
    document = culture(6, 0)
    document["society"][0] |= {"gold": 9}
    played = play(document, "Ann: Tower of Babel (1)")
    assert won(played) == [("Ann", "cultural")]


# Domination


@pytest.mark.rule("SO-175", "SO-R94", "SO-R43")
def test_whoever_all_others_concede_to_wins() -> None:
    document = world("a.b.c", "Ann tech 3", "Bob tech 3", "Cat tech 3", "Dan eliminated 3")
    bob, cat = "Bob: Concede to Ann", "Cat: Concede to Ann\nRevolution to Monarchy, keep war"
    half = play(document, bob)
    assert won(half) == []
    assert half.document["concession"] == [{"by": "Bob", "to": "Ann"}]
    assert won(play(document, bob, cat)) == [("Ann", "domination")]
    assert won(play(half.document, cat)) == [("Ann", "domination")]
    assert won(play(document, bob, "Cat: Concede to Bob")) == []


@pytest.mark.rule("SO-R94")
def test_a_concession_stands_until_it_is_withdrawn_or_replaced() -> None:
    document = world("a.b.c", "Ann", "Bob", "Cat", concessions="Bob Ann")
    assert play(document).document["concession"] == [{"by": "Bob", "to": "Ann"}]
    assert not play(document, "Bob: Withdraw concession").document.get("concession")
    assert play(document, "Bob: Concede to Cat").document["concession"] == [{"by": "Bob", "to": "Cat"}]
    assert won(play(document, "Bob: Withdraw concession", "Cat: Concede to Ann")) == []


@pytest.mark.rule("SO-R94")
def test_the_game_master_may_have_to_confirm() -> None:
    document = world("a.b", "Ann", "Bob", concessions="Bob Ann")
    assert won(play(document)) == [("Ann", "domination")]
    assert won(play(document, domination_needs_gm=True)) == []
    confirmed = world("a.b", "Ann", "Bob", concessions="Bob Ann", gm_concession="Ann")
    assert won(play(confirmed, domination_needs_gm=True)) == [("Ann", "domination")]
    other = world("a.b", "Ann", "Bob", concessions="Bob Ann", gm_concession="Bob")
    assert won(play(other, domination_needs_gm=True)) == []


# Together


@pytest.mark.rule("SO-176", "SO-R95")
def test_all_who_fulfil_a_condition_in_the_same_turn_win_together() -> None:
    document = culture(7, 0)
    document["society"][1] |= {"tech": 15, "gold": 5000, "spaceship_parts": 3}
    played = play(document, "Bob: Engines (1000)")
    assert sorted(won(played)) == [("Ann", "cultural"), ("Bob", "spaceship")]
    assert len(played.of("victory")) == 2
    document["concession"] = [{"by": "Bob", "to": "Ann"}]
    assert sorted(won(play(document, "Bob: Engines (1000)"))) == [
        ("Ann", "cultural"), ("Ann", "domination"), ("Bob", "spaceship")
    ]  # fmt: skip


@pytest.mark.rule("SO-R92")
def test_without_a_condition_the_game_goes_on_for_ever() -> None:
    played = play(world("a.b", "Ann", "Bob", turn=5000))
    assert (won(played), played.document["turn"]) == ([], 5001)


@pytest.mark.rule("SO-R100")
def test_places_go_by_the_end_then_by_cities_and_then_by_how_long_one_was_in_the_game() -> None:
    won = play(world("a.bb", "Ann tech 15 gold 5000 parts 3", "Bob"), "Ann: Engines for 1000").position
    assert ruleset.places is not None
    assert ruleset.places(won) == {"Ann": 1, "Bob": 2}
    ann, bob = won.societies
    out = [replace(bob, name=name, eliminated_turn=turn) for name, turn in (("Cyd", 3), ("Dan", 7), ("Eve", 3))]
    assert ruleset.places(replace(won, societies=(ann, bob, *out))) == {"Ann": 1, "Bob": 2, "Dan": 3, "Cyd": 4, "Eve": 4}
    nobody = replace(won, result=replace(won.result, winners=(), victories=()), societies=(ann, bob, *out))
    assert ruleset.places(nobody) == {"Ann": 1, "Bob": 1, "Dan": 3, "Cyd": 4, "Eve": 4}

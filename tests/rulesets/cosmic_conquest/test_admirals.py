"""Admirals (7.7, 7.9): leading, death, successors and promotion."""

from typing import Any

import pytest

from tests.rulesets.cosmic_conquest.harness import Played, faction, fault, play, position, sheet

HOME, DIES = 1, 2
LOSES_NEGATIVE, GAINS_POSITIVE = 1, 2
BOTH = "Sol 20 Red, Rigel 20 Green"


def failed_attack(red: dict[str, Any], dice: list[int], **options: Any) -> Played:
    """Red's admiral leads an attack on the independent Sirius and fails: 1 against 10 + 10."""
    start = position(BOTH, red, faction("Green"))
    orders = [("Red", "Conquer Sirius with 1 unit led by the admiral"), ("Green", "Pass")]
    return play(start, orders, [1, 10, *dice], **options)


@pytest.mark.rule("CC-09", "CC-10", "CC-08", "CC-R42")
def test_the_cv_is_added_to_the_action_that_the_admiral_leads_and_to_no_other() -> None:
    start = position(BOTH, faction("Red", "psionic", cv=7), faction("Green"))
    text = "Conquer Sirius with 9 units\nConquer Groombridge with 9 units\nThe admiral leads the attack on Sirius"
    played = play(start, [("Red", text), ("Green", "Pass")], [5, 10, 5, 10])
    assert [attack for _, _, attack, _, _ in played.combats()] == [14, 14 + 7]
    assert played.admiral("Red")["cv"] == 7


@pytest.mark.rule("CC-11", "CC-R43")
def test_leading_needs_a_unit_and_only_one_action_can_be_led() -> None:
    start = position(BOTH, faction("Red", "psionic", drones=2), faction("Green"))
    words = "the admiral needs at least 1 unit, and none is sent to the attack on Sirius"
    assert fault(start, "Red", "The admiral leads the attack on Sirius\nDefend Sol with 1 unit") == words
    assert fault(start, "Red", "Defend Sol with 2 drones led by the admiral") == "drones need at least 1 unit with them"
    twice = "Defend Sol with 1 unit led by the admiral\nConquer Sirius with 1 unit led by the admiral"
    assert fault(start, "Red", twice) == "the admiral leads only one action per turn"
    twice = "Defend Sol with 1 unit led by the admiral\nConquer Sirius with 1 unit\nThe admiral leads the attack on Sirius"
    assert fault(start, "Red", twice) == "the admiral leads only one action per turn"
    same = "Defend Sol with 1 unit led by the admiral\nDefend Sol with 2 units under my admiral"
    assert sheet(start, "Red", same) == ("Defend Sol with 3 units led by the admiral",)


@pytest.mark.rule("CC-12", "CC-13")
def test_heads_brings_the_admiral_home() -> None:
    played = failed_attack(faction("Red", "psionic", admiral="Zel", cv=5, served=3), [HOME])
    assert played.admiral("Red")["name"] == "Zel"
    assert played.admiral("Red")["turns_served"] == 4
    assert played.drawn[-1] == (2, HOME)
    assert [(toss["colour"], toss["died"]) for toss in played.of("admiral_toss")] == [("Red", False)]


@pytest.mark.rule("CC-12")
def test_no_coin_is_tossed_for_an_action_that_succeeds_or_that_nobody_leads() -> None:
    start = position(BOTH, faction("Red", "psionic"), faction("Green"))
    led = play(start, [("Red", "Conquer Sirius with 20 units led by the admiral"), ("Green", "Pass")], [10, 1])
    assert led.of("admiral_toss") == []
    text = "Conquer Sirius with 1 unit\nDefend Sol with 1 unit led by the admiral"
    alone = play(start, [("Red", text), ("Green", "Pass")], [1, 9])
    assert alone.of("admiral_toss") == []


@pytest.mark.rule("CC-12", "CC-14")
def test_a_failed_defense_tosses_a_coin_as_well() -> None:
    start = position("Alpha Centauri 20 Red, Procyon 5 Green, Rigel 9 Green", faction("Red", "psionic"), faction("Green"))
    orders = [("Red", "Conquer Procyon with 20 units"), ("Green", "Defend Procyon with 1 unit led by the admiral")]
    played = play(start, orders, [10, 1, HOME])
    assert [(t["colour"], t["action"], t["died"]) for t in played.of("admiral_toss")] == [("Green", "defend", False)]


@pytest.mark.rule("CC-14", "CC-15", "CC-18", "CC-19", "CC-20", "CC-R42", "CC-R46", "CC-R44")
@pytest.mark.parametrize(("die", "cv"), [(1, 3), (2, 4), (3, 5)])
def test_the_first_death_brings_a_high_admiral_with_one_good_trait(die: int, cv: int) -> None:
    played = failed_attack(faction("Red", "psionic", admiral="Zel"), [DIES, die, 4, 7])
    assert [sides for sides, _ in played.drawn[2:]] == [2, 3, 5, 40]
    assert played.admiral("Red") == {"name": "Theta Nine", "rank": "high", "cv": cv, "traits": ["diplomat"], "turns_served": 0}
    assert (played.faction("Red")["deaths"], played.faction("Red")["fallen"]) == (1, ["Zel"])


@pytest.mark.rule("CC-21", "CC-22", "CC-23", "CC-24", "CC-R45", "CC-R46")
@pytest.mark.parametrize("deaths", [1, 2, 5])
@pytest.mark.parametrize("rank", ["high", "low"])
def test_every_later_death_brings_a_low_admiral_with_a_good_and_a_bad_trait(deaths: int, rank: str) -> None:
    played = failed_attack(faction("Red", "psionic", deaths=deaths, rank=rank), [DIES, 3, 1, 1, 1])
    assert [sides for sides, _ in played.drawn[2:]] == [2, 3, 5, 5, 40]
    # The first bad trait that does not oppose Conqueror: Weak is left out.
    assert played.admiral("Red")["traits"] == ["conqueror", "unprepared"]
    assert (played.admiral("Red")["rank"], played.admiral("Red")["cv"]) == ("low", 3)


@pytest.mark.rule("CC-R46", "CC-28")
@pytest.mark.parametrize(
    ("good", "bad", "sides"),
    [(1, ["unprepared", "overcautious", "arrogant", "indecisive", "inefficient"], 5),
     (2, ["weak", "overcautious", "arrogant", "indecisive", "inefficient"], 5),
     (3, ["weak", "unprepared", "arrogant", "indecisive", "inefficient"], 5),
     (4, ["weak", "unprepared", "overcautious", "indecisive", "inefficient"], 5),
     (5, ["weak", "unprepared", "overcautious", "arrogant", "indecisive", "inefficient"], 6)],
)  # fmt: skip
def test_a_bad_trait_never_opposes_the_good_one(good: int, bad: list[str], sides: int) -> None:
    for face, trait in enumerate(bad, start=1):
        played = failed_attack(faction("Red", "psionic", deaths=1), [DIES, 1, good, face, 1])
        assert played.drawn[-2] == (sides, face)
        assert played.admiral("Red")["traits"][1] == trait


@pytest.mark.rule("CC-R46")
def test_a_name_borne_before_passes_on_to_the_next_and_round_the_list() -> None:
    red = faction("Red", "psionic", admiral="Wyn Solace", fallen=["Vexor Tal"], deaths=1)
    start = position(BOTH, red, faction("Green", admiral="Ilyra Quenn"))
    orders = [("Red", "Conquer Sirius with 1 unit led by the admiral"), ("Green", "Pass")]
    assert play(start, orders, [1, 10, DIES, 1, 1, 1, 40]).admiral("Red")["name"] == "Zhaan Orr"
    short = {**start, "admiral_names": ["Ilyra Quenn", "New One"]}
    assert play(short, orders, [1, 10, DIES, 1, 1, 1, 1]).admiral("Red")["name"] == "New One"
    used_up = {**start, "admiral_names": ["Ilyra Quenn", "Vexor Tal", "Wyn Solace"]}
    assert play(used_up, orders, [1, 10, DIES, 1, 1, 1, 2]).admiral("Red")["name"] == "Vexor Tal"


@pytest.mark.rule("CC-R46")
def test_the_name_of_an_admiral_whose_faction_is_out_is_not_given_again() -> None:
    gone = faction("Teal", status="eliminated", admiral="Vexor Tal", fallen=["Ilyra Quenn"])
    start = position(BOTH, faction("Red", "psionic"), faction("Green"), gone)
    orders = [("Red", "Conquer Sirius with 1 unit led by the admiral"), ("Green", "Pass")]
    assert play(start, orders, [1, 10, DIES, 1, 1, 1]).admiral("Red")["name"] == "Zhaan Orr"


@pytest.mark.rule("CC-12", "CC-R46", "CC-R80")
def test_coins_and_then_successors_are_drawn_in_order_of_arrival_and_not_of_sign_up() -> None:
    start = position(f"{BOTH}, Canopus 20 Teal", *(faction(colour, "psionic") for colour in ("Red", "Green", "Teal")))
    orders = [
        ("Teal", "Conquer Kruger with 1 unit led by the admiral"),
        ("Green", "Conquer Ross with 1 unit led by the admiral"),
        ("Red", "Conquer Sirius with 1 unit led by the admiral"),
    ]
    fights = [1, 10] * 3
    coins = play(start, orders, [*fights, DIES, HOME, HOME, 1, 1, 1])
    assert [(toss["colour"], toss["died"]) for toss in coins.of("admiral_toss")] == [
        ("Teal", True), ("Green", False), ("Red", False)
    ]  # fmt: skip
    dead = play(start, orders, [*fights, DIES, DIES, DIES, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert [dead.admiral(colour)["cv"] for colour in ("Teal", "Green", "Red")] == [3, 4, 5]
    assert [data["name"] for data in dead.of("admiral_successor")] == ["Vexor Tal", "Ilyra Quenn", "Zhaan Orr"]


@pytest.mark.rule("CC-R05", "CC-R44")
def test_a_trait_acts_through_the_turn_of_death_and_the_successor_serves_from_the_next() -> None:
    played = failed_attack(faction("Red", "psionic", "diplomat resourceful"), [DIES, 1, 1, 1])
    assert played.units("Red") == 20
    start = position("Sol 20 Red, Alpha Centauri 9 Red, Rigel 9 Green", faction("Red", "psionic", "diplomat"), faction("Green"))
    text = "Conquer Procyon with 20 units\nConquer Sirius with 1 unit led by the admiral"
    # The admiral dies at Sirius, but Procyon is conquered in the same turn.
    both = play(start, [("Red", text), ("Green", "Pass")], [10, 1, 1, 10, DIES, 1, 1, 1])
    assert both.system("Procyon") == ("Red", 6, 0)


def low(served: int, traits: str = "conqueror unprepared", orders: str = "Pass", dice: tuple[int, ...] = ()) -> Played:
    red = faction("Red", "psionic", traits, rank="low", cv=2, served=served, deaths=2)
    return play(position(BOTH, red, faction("Green")), [("Red", orders), ("Green", "Pass")], dice)


@pytest.mark.rule("CC-25", "CC-26", "CC-27", "CC-R47", "CC-R48")
def test_a_low_admiral_is_promoted_at_the_end_of_the_tenth_turn() -> None:
    assert low(8).admiral("Red")["rank"] == "low"
    heads = low(9, dice=(3, LOSES_NEGATIVE))
    assert heads.admiral("Red") == {
        "name": "Admiral of Red", "rank": "high", "cv": 5, "traits": ["conqueror"], "turns_served": 10
    }  # fmt: skip
    assert low(10).admiral("Red")["rank"] == "low"
    first = low(9, "unprepared conqueror", dice=(3, LOSES_NEGATIVE))
    assert first.admiral("Red")["traits"] == ["conqueror"]


@pytest.mark.rule("CC-27", "CC-R48")
@pytest.mark.parametrize(
    ("traits", "possible"),
    [("conqueror unprepared", ["strategist", "diplomat", "resourceful"]),
     ("conqueror inefficient", ["defender", "strategist", "diplomat", "resourceful"])],
)  # fmt: skip
def test_tails_adds_a_good_trait_that_is_neither_held_nor_opposed(traits: str, possible: list[str]) -> None:
    for face, trait in enumerate(possible, start=1):
        played = low(9, traits, dice=(1, GAINS_POSITIVE, face))
        assert played.drawn[-1] == (len(possible), face)
        assert played.admiral("Red")["traits"] == [*traits.split(), trait]


@pytest.mark.rule("CC-R47", "CC-R45")
def test_one_who_dies_in_the_tenth_turn_is_not_promoted() -> None:
    orders = "Conquer Sirius with 1 unit led by the admiral"
    played = low(9, orders=orders, dice=(1, 10, DIES, 1, 5, 6, 1))
    assert played.admiral("Red")["turns_served"] == 0
    assert played.admiral("Red")["traits"] == ["resourceful", "inefficient"]


@pytest.mark.rule("CC-R47", "CC-25")
def test_only_low_admirals_are_promoted_and_all_count_their_turns() -> None:
    for rank in ("supreme", "high"):
        red = faction("Red", "psionic", rank=rank, served=9)
        played = play(position(BOTH, red, faction("Green")), [("Red", "Pass"), ("Green", "Pass")])
        assert (played.admiral("Red")["rank"], played.admiral("Red")["turns_served"]) == (rank, 10)


@pytest.mark.rule("CC-38", "CC-R49")
def test_an_indecisive_admiral_sends_no_more_than_fifteen_units_to_an_action() -> None:
    start = position("Sol 40 Red, Rigel 20 Green", faction("Red", "psionic", "indecisive", drones=9), faction("Green"))
    words = "an Indecisive admiral allows at most 15 units per action"
    for order in ("Conquer Sirius with 16 units", "Defend Sol with 16 units", "Invest 16 units in Sol"):
        assert fault(start, "Red", order) == words
    assert fault(start, "Red", "Defend Sol with 9 units\nDefend Sol with 7 units") == words
    text = "Defend Sol with 15 units and 9 drones\nInvest 15 units in Sol\nConquer Sirius with 10 units"
    assert len(sheet(start, "Red", text)) == 3

"""Governments, revolutions, taxes and support."""

import pytest

from pbmd.rules import Document
from tests.rulesets.societies.harness import play, world


def long(cities: int, ann: str) -> Document:
    """Ann with that many cities in rows of five, Bob far away."""
    rows = ["a" * min(5, cities - 5 * row) for row in range((cities + 4) // 5)]
    return world(" / ".join([*rows, "....", "....b"]), f"Ann {ann}", "Bob")


def income(cities: int, ann: str, **options: object) -> tuple[int, int]:
    """Gold and armies of Ann, who starts without gold, after a turn."""
    table = play(long(cities, ann), **options).society("Ann")
    return table["gold"], table["armies"]


@pytest.mark.rule("SO-45", "SO-91", "SO-167", "SO-R85", "SO-37", "SO-02", "SO-03")
@pytest.mark.parametrize(("cities", "gold"), [(1, 15), (5, 75), (6, 90), (7, 90), (20, 90)])
def test_despotism_taxes_six_cities(cities: int, gold: int) -> None:
    assert income(cities, "despotism tech 3") == (gold, 0)


@pytest.mark.rule("SO-46", "SO-47", "SO-168", "SO-38", "SO-R85", "SO-R06")
@pytest.mark.parametrize(("cities", "tech", "gold"), [(1, 3, 23), (3, 3, 68), (2, 3, 45), (12, 3, 270), (13, 3, 270)])
def test_monarchy_taxes_twelve_cities_and_half_as_much_again_rounded_up(cities: int, tech: int, gold: int) -> None:
    assert income(cities, f"monarchy tech {tech}") == (gold, 0)


@pytest.mark.rule("SO-49", "SO-38", "SO-168", "SO-R85")
@pytest.mark.parametrize(("cities", "gold"), [(1, 30), (6, 180), (20, 600)])
def test_a_republic_doubles_the_taxes_of_all_cities(cities: int, gold: int) -> None:
    assert income(cities, "republic tech 3") == (gold, 0)
    assert gold == 10 * cities * 3


@pytest.mark.rule("SO-44")
def test_despotism_supports_any_army_for_nothing() -> None:
    assert income(1, "despotism tech 1 armies 500") == (5, 500)


@pytest.mark.rule("SO-48", "SO-51", "SO-R87", "SO-R06")
@pytest.mark.parametrize(
    ("armies", "rounding", "support"),
    [(9, "up", 3), (10, "up", 4), (10, "nearest", 3), (10, "down", 3), (11, "nearest", 4), (11, "down", 3), (1, "down", 0)],
)
def test_a_monarchy_pays_its_army_divided_by_its_cities(armies: int, rounding: str, support: int) -> None:
    assert income(3, f"monarchy tech 3 armies {armies}", support_rounding=rounding) == (68 - support, armies)


@pytest.mark.rule("SO-R87")
def test_half_a_gold_of_support_is_rounded_up_to_the_nearest() -> None:
    assert income(2, "monarchy tech 3 armies 5", support_rounding="nearest") == (45 - 3, 5)


@pytest.mark.rule("SO-R86", "SO-R87", "SO-48")
def test_cities_that_await_rehabilitation_share_the_support_but_pay_no_tax() -> None:
    document = world("aA.b", "Ann monarchy tech 3 armies 4", "Bob tech 1 spies 1")
    played = play(document, "Bob: Spy on Ann, target rehabilitation")
    assert (played.rows(), played.society("Ann")["gold"]) == ("aA.b", 23 - 2)


@pytest.mark.rule("SO-50", "SO-51")
def test_a_republic_pays_every_army() -> None:
    assert income(2, "republic tech 3 armies 40") == (20, 40)


@pytest.mark.rule("SO-51", "SO-52", "SO-R88")
@pytest.mark.parametrize(
    ("ann", "left"),
    [
        ("republic tech 1 armies 13", (0, 10)),
        ("republic tech 1 armies 10", (0, 10)),
        ("republic tech 1 armies 9", (1, 9)),
        ("republic tech 1 armies 13 gold 70", (70, 10)),
        ("monarchy tech 1 armies 9", (0, 8)),
    ],
)
def test_support_is_paid_from_this_turns_income_only_and_the_fewest_armies_are_disbanded(
    ann: str, left: tuple[int, int]
) -> None:
    assert income(1, ann) == left


@pytest.mark.rule("SO-52", "SO-R88")
def test_with_several_cities_a_monarchy_keeps_all_its_income_can_support() -> None:
    """Two cities at level 1 bring 15 gold, which support thirty armies."""
    assert income(2, "monarchy tech 1 armies 33") == (0, 30)
    (event,) = play(long(2, "monarchy tech 1 armies 33")).of("tax", "Ann")
    assert 3 in event.values()


# Revolutions


@pytest.mark.rule("SO-41", "SO-42", "SO-43", "SO-R39", "SO-R40")
def test_a_revolution_takes_the_turn_and_brings_the_government_at_its_end() -> None:
    document = world("aa.b / ..#.", "Ann tech 4 gold 99 armies 5 spies 1", "Bob tech 2 gold 9", wars="")
    text = """Ann: Revolution to Monarchy, keep production
        Spy on Bob, target research
        Trade with Bob
        Research 1
        Buy 1 army
        Give Bob 1 tech"""
    played = play(document, text, "Bob: Iron Working" if False else "Bob: Research 1")
    ann = played.society("Ann")
    assert (ann["government"], ann["tech"], ann["armies"], ann["spies"]) == ("monarchy", 5, 6, 1)
    assert ann["gold"] == 99 - 20 - 5
    assert sorted(played.failed("Ann")) == ["phase_forfeited"] * 3
    assert played.society("Bob")["tech"] == 3
    # The next turn is the new government's.
    assert play(played.document).society("Ann")["gold"] == 74 + 75 - 3


@pytest.mark.rule("SO-42", "SO-43", "SO-R39")
@pytest.mark.parametrize("keep", ["espionage", "trade", "production", "foreign aid", "war", "tax"])
def test_exactly_the_phase_named_is_kept(keep: str) -> None:
    document = world("aabb / Aa.. / ....", "Ann tech 7 gold 99 armies 8 spies 1", "Bob tech 2 gold 9", wars="")
    text = f"""Ann: Revolution to Monarchy, keep {keep}
        Spy on Bob, target research
        Trade with Bob
        Buy 1 army
        Give Bob 1 tech
        Attack Bob with 4 armies
        Targets: C1"""
    played = play(document, text, "Bob: Research 1")
    ann, bob = played.society("Ann"), played.society("Bob")
    kept = {
        "espionage": ann["spies"] == 1 and len(played.of("spy_result", "Ann")) == 1,
        "trade": len(played.of("caravan", "Ann")) > 0,
        "production": ann["armies"] == 9,
        "foreign aid": bob["tech"] == (2 if keep == "espionage" else 3) + 1,
        "war": played.rows().startswith("aaA"),
        "tax": ann["gold"] == 99 + 3 * 35,
    }
    assert [name for name, happened in kept.items() if happened] == [keep]
    assert ("A" in played.rows().split("/")[1]) == (keep != "production")
    assert ann["government"] == "monarchy"


@pytest.mark.rule("SO-R39", "SO-51")
def test_with_the_tax_the_support_is_forfeited_too() -> None:
    document = world("a.b", "Ann republic tech 3 gold 5 armies 50", "Bob")
    played = play(document, "Ann: Revolution to Monarchy, keep war")
    assert (played.society("Ann")["gold"], played.society("Ann")["armies"]) == (5, 50)
    collected = play(document, "Ann: Revolution to Monarchy, keep war", revolution_collects_tax=True)
    assert (collected.society("Ann")["gold"], collected.society("Ann")["armies"]) == (5, 30)


@pytest.mark.rule("SO-R39", "SO-R55")
def test_a_society_in_revolution_defends_with_all_its_armies() -> None:
    document = world("aab", "Ann tech 4 armies 8", "Bob tech 4 armies 8", wars="Ann Bob 3")
    played = play(
        document, "Bob: Attack Ann with 8 armies", "Ann: Revolution to Monarchy, keep trade\nAttack Bob with 8 armies"
    )
    assert (played.rows(), played.each("armies")) == ("aab", [8, 6])


@pytest.mark.rule("SO-R40")
@pytest.mark.parametrize(("option", "gold"), [("next_turn", 15), ("same_turn", 23)])
def test_the_option_lets_the_new_government_begin_at_once(option: str, gold: int) -> None:
    played = play(world("a.b", "Ann tech 3", "Bob"), "Ann: Revolution to Monarchy, keep tax", new_government_from=option)
    assert played.society("Ann")["gold"] == gold


@pytest.mark.rule("SO-R40")
def test_a_new_government_of_the_same_turn_multiplies_trade() -> None:
    document = world("ab", "Ann tech 3 gold 9", "Bob tech 3")
    text = "Ann: Revolution to Monarchy, keep trade\nTrade with Bob"
    assert play(document, text, new_government_from="same_turn").society("Ann")["gold"] == 9 - 6 + 14
    assert play(document, text).society("Ann")["gold"] == 9 - 6 + 9


@pytest.mark.rule("SO-R41", "SO-131")
def test_losing_the_acropolis_later_changes_nothing() -> None:
    document = world("aa.b", "Ann republic tech 4", "Bob", wonders="Acropolis Ann A1 obsolete")
    assert play(document).society("Ann") == {**play(document).society("Ann"), "government": "republic", "gold": 80}


@pytest.mark.rule("SO-131", "SO-41", "SO-42")
def test_the_acropolis_still_needs_a_revolution() -> None:
    document = world("aa.b", "Ann tech 4", "Bob", wonders="Acropolis Ann A1")
    assert play(document).society("Ann")["government"] == "despotism"
    assert play(document, "Ann: Revolution to Republic, keep tax").society("Ann")["government"] == "republic"


@pytest.mark.rule("SO-R41", "SO-105")
def test_the_level_is_judged_at_the_start_of_the_turn() -> None:
    document = world("a.b", "Ann tech 2 gold 99", "Bob", wonders="KGB Bob C1, Acropolis Ann A1")
    document["society"][0]["tech"] = 4
    played = play(document, "Bob: KGB obsoletes Acropolis", "Ann: Revolution to Republic, keep production")
    assert played.society("Ann")["government"] == "republic"


@pytest.mark.rule("SO-40")
def test_despotism_is_where_it_starts() -> None:
    assert "government" not in long(1, "tech 1")["society"][0]
    assert play(long(1, "tech 1")).society("Ann")["government"] == "despotism"


@pytest.mark.rule("SO-13", "SO-R08", "SO-R97")
def test_without_orders_everything_automatic_happens() -> None:
    document = world("aAb", "Ann monarchy tech 7 armies 4", "Bob tech 3 armies 8 gold 99", wars="")
    played = play(document, "Bob: Trade with Ann\nAttack Ann with 8 armies")
    ann = played.society("Ann")
    # A spy, a payout of 21 × 3/2, rehabilitation, defence by 4 armies: (8/7 − 4/2) < 0, taxes 105, support 2.
    assert (ann["spies"], ann["gold"], ann["armies"], ann["missed_turns"]) == (1, 32 + 105 - 2, 4, 1)
    assert played.rows() == "aab"
    again = play(played.document)
    assert again.each("missed_turns") == [2, 1]
    assert play(again.document, "Ann: Research 1").each("missed_turns") == [0, 2]

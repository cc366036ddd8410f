"""Phase 1: spies trained, sent, stopped and lost."""

import pytest

from pbmd.rules import Document
from tests.rulesets.societies.harness import Played, fault, play, resolve, world

EVERYTHING = """Bob: Trade with Cat
    Research 1
    Buy 1 army
    Build city at A3
    Build Mafia for 49
    Give Cat 1 tech
    Attack Cat with 9 armies
    Targets: C1"""
"""Something in every phase, and in every step of Production."""
DONE = {"trade", "research", "military", "cities", "wonders", "rehabilitation", "aid", "war"}


def at_peace(bob: str = "Bob tech 7 gold 900 armies 10", ann: str = "Ann tech 1 spies 1", wonders: str = "") -> Document:
    """Ann, far away, has a spy; Bob has a neighbour, Cat, and a city to rehabilitate."""
    return world("bbccc / Bb.cc / ..... / ..... / ....a", ann, bob, "Cat tech 1 gold 90", wonders=wonders)


def done(played: Played) -> set[str]:
    """What Bob has got done of `EVERYTHING`, seen from the position."""
    cities = {city["square"]: city for city in played.document["city"]}
    signs = {
        "trade": bool(played.of("caravan")),
        "research": played.society("Bob")["tech"] == 8,
        "military": played.society("Bob")["armies"] == 11,
        "cities": "A3" in cities,
        "wonders": played.wonder("Mafia") == "Bob A1",
        "rehabilitation": not cities["A2"].get("rehabilitating", False),
        "aid": played.society("Cat")["tech"] == 2,
        "war": cities["C1"]["owner"] == "Bob",
    }
    return {name for name, sign in signs.items() if sign}


# Training


@pytest.mark.rule("SO-16", "SO-64", "SO-65", "SO-105")
@pytest.mark.parametrize(("tech", "spies"), [(6, 0), (7, 1), (8, 1), (15, 1)])
def test_a_society_with_espionage_trains_a_spy_a_turn_for_nothing(tech: int, spies: int) -> None:
    played = play(world("a.b", f"Ann tech {tech} gold 10", "Bob"))
    assert (played.society("Ann")["spies"], played.spent("Ann")) == (spies, 0)
    assert len(played.of("spies_trained", "Ann")) == spies


@pytest.mark.rule("SO-130")
@pytest.mark.parametrize(
    ("tech", "wonders", "spies"),
    [(1, "Trojan Horse Ann A1", 1), (7, "Trojan Horse Ann A1", 2), (7, "Trojan Horse Ann A1 obsolete", 1),
     (7, "Trojan Horse Bob C1", 1)],
)  # fmt: skip
def test_the_trojan_horse_trains_one_more(tech: int, wonders: str, spies: int) -> None:
    played = play(world("a.b", f"Ann tech {tech}", "Bob", wonders=wonders))
    assert played.society("Ann")["spies"] == spies


@pytest.mark.rule("SO-64", "SO-R05")
def test_espionage_reached_this_turn_trains_from_the_next() -> None:
    assert play(world("a.b", "Ann tech 6 gold 99", "Bob"), "Ann: Espionage").each("spies") == [0, 0]


@pytest.mark.rule("SO-17")
def test_the_new_spy_may_be_used_at_once_or_kept() -> None:
    start = at_peace(ann="Ann tech 7")
    assert play(start).each("spies")[0] == 1
    played = play(start, "Ann: Spy on Bob, target research", "Bob: Research 1")
    assert played.each("spies")[0] == 0
    assert played.society("Bob")["tech"] == 7


@pytest.mark.rule("SO-66", "SO-R27")
def test_only_the_stockpile_is_limited() -> None:
    start = world("abc", "Ann tech 7 spies 5", "Bob tech 1 gold 9", "Cat tech 1")
    assert play(start).each("spies")[0] == 5
    sent = play(start, "Ann: 6 spies on Bob, target trade")
    assert (sent.each("spies")[0], sent.failed("Ann")) == (0, [])
    assert play(start, "Ann: Spy on Bob, target trade").each("spies")[0] == 5


@pytest.mark.rule("SO-66", "SO-R27")
def test_options_set_the_limit_and_when_it_applies() -> None:
    start = world("abc", "Ann tech 7 spies 5", "Bob tech 1 gold 9", "Cat tech 1")
    assert play(start, spy_stock_max=8).each("spies")[0] == 6
    assert play(start, spy_stock_max=2).each("spies")[0] == 2
    early = play(start, "Ann: 6 spies on Bob, target trade", spy_cap_when="on_training")
    assert (early.each("spies")[0], early.failed("Ann")) == (0, ["no_spy"])
    assert play(start, "Ann: 2 spies on Bob, target trade", spy_cap_when="on_training").each("spies")[0] == 3


# What a spy negates


@pytest.mark.rule(
    "SO-18",
    "SO-23",
    "SO-29",
    "SO-31",
    "SO-36",
    "SO-67",
    "SO-68",
    "SO-14",
    "SO-24",
    "SO-25",
    "SO-26",
    "SO-27",
    "SO-28",
    "SO-R36",
    "SO-R07",
)
@pytest.mark.parametrize(
    ("function", "lost"),
    [
        ("trade", {"trade"}),
        ("research", {"research"}),
        ("military", {"military"}),
        ("cities", {"cities"}),
        ("wonders", {"wonders"}),
        ("rehabilitation", {"rehabilitation"}),
        ("foreign aid", {"aid"}),
        ("war", {"war"}),
        ("espionage", set()),
    ],
)
def test_a_spy_negates_a_whole_phase_but_only_one_step_of_production(function: str, lost: set[str]) -> None:
    hit = play(at_peace(), f"Ann: Spy on Bob, target {function}", EVERYTHING)
    assert done(play(at_peace(), EVERYTHING)) == DONE
    assert DONE - done(hit) == lost
    codes = [code for code in hit.failed("Bob") if code == "phase_negated"]
    assert bool(codes) == (function not in ("espionage", "rehabilitation"))
    assert len(hit.of("function_negated", "Bob")) == 1
    assert not hit.of("function_negated", "Cat")


@pytest.mark.rule("SO-R07", "SO-R14")
def test_what_is_negated_costs_nothing_and_leaves_its_gold_in_the_treasury() -> None:
    start = at_peace(bob="Bob tech 7 gold 90")
    text = "Bob: Research 1\nBuild city at A3"
    assert play(start, text).failed("Bob") == ["cut"]
    hit = play(start, "Ann: Spy on Bob, target research", text)
    assert (hit.failed("Bob"), hit.spent("Bob")) == (["phase_negated"], 15)
    freed = play(start, "Ann: Spy on Bob, target cities", text)
    assert (freed.failed("Bob"), freed.society("Bob")["tech"]) == (["phase_negated"], 8)


@pytest.mark.rule("SO-R07", "SO-36", "SO-R55")
def test_armies_and_nukes_of_a_negated_war_stay_home_and_the_armies_defend() -> None:
    start = world(
        "aabb / aabb / ....c", "Ann tech 11 armies 9 nukes 2", "Bob tech 1 armies 9", "Cat tech 1 spies 1", wars="Ann Bob 3"
    )
    text = "Ann: Launch 2 nukes at Bob\nTargets: D1\nAttack Bob with 9 armies"
    hit = play(start, "Cat: Spy on Ann, target war", text, "Bob: Attack Ann with 9 armies")
    assert (hit.society("Ann")["nukes"], hit.society("Ann")["armies"]) == (2, 9)
    assert hit.failed("Ann") == ["phase_negated"] * 2
    assert hit.rows() == "aabb/aabb/....c"


@pytest.mark.rule("SO-R33", "SO-29", "SO-55")
@pytest.mark.parametrize(
    ("orders", "lost"),
    [
        ("Research 1\nBuy 1 army\nBuild city", "research"),
        ("Build city\nBuy 1 army", "military"),
        ("Build Mafia for 49\nBuild city", "cities"),
        ("Build Mafia for 49\nTrade with Cat", "wonders"),
        ("Trade with Cat", "research"),
        ("", "research"),
    ],
)
def test_plain_production_is_the_first_step_with_an_order(orders: str, lost: str) -> None:
    letters = ["Ann: Spy on Bob, target production", *([f"Bob: {orders}"] if orders else [])]
    played = play(at_peace(), *letters)
    (event,) = played.of("function_negated", "Bob")
    assert lost in str(event)


@pytest.mark.rule("SO-R33")
def test_a_rejected_line_is_no_order() -> None:
    letters = [("Ann", "Spy on Bob, target production"), ("Bob", "Religion\nBuy 1 army")]
    (event,) = resolve(at_peace(), letters).of("function_negated", "Bob")
    assert "military" in str(event)


@pytest.mark.rule("SO-R33")
def test_plain_production_is_found_before_defenders_are_tested() -> None:
    text = "Bob: Spy defend research\nResearch 1\nBuy 1 army"
    stopped = play(at_peace(bob="Bob tech 7 gold 900"), "Ann: Spy on Bob, target production", text)
    assert (stopped.society("Bob")["tech"], stopped.society("Bob")["armies"]) == (8, 1)
    assert not stopped.of("function_negated")
    elsewhere = text.replace("defend research", "defend military")
    assert play(at_peace(), "Ann: Spy on Bob, target production", elsewhere).society("Bob")["tech"] == 7


@pytest.mark.rule("SO-R33")
def test_options_for_plain_production() -> None:
    research = play(at_peace(), "Ann: Spy on Bob, target production", "Bob: Buy 1 army", plain_production="research")
    assert research.society("Bob")["armies"] == 11
    assert "research" in str(research.of("function_negated", "Bob"))
    start = at_peace()
    start["options"] = {"plain_production": "reject"}
    assert fault(start, "Ann", "Spy on Bob, target production") == "name_step"


@pytest.mark.rule("SO-R37")
def test_a_second_hit_does_no_more_and_uses_the_spy_up() -> None:
    played = play(at_peace(ann="Ann tech 1 spies 3"), "Ann: 2 spies on Bob, target research", "Bob: Research 1\nBuy 1 army")
    assert played.each("spies")[0] == 1
    assert (played.society("Bob")["tech"], played.society("Bob")["armies"]) == (7, 11)


@pytest.mark.rule("SO-39", "SO-37")
def test_taxes_come_in_whatever_spies_do() -> None:
    spies = "\n".join(f"Spy on Bob, target {word}" for word in ("trade", "3a", "3b", "3c", "3d", "3e", "aid", "war"))
    start = world("a.b", "Ann spies 8", "Bob tech 5 gold 1")
    assert play(start, f"Ann: {spies}").society("Bob")["gold"] == 26


# Which spies get there


@pytest.mark.rule("SO-R28")
def test_spies_are_allotted_in_list_order_and_the_rest_of_the_orders_fail() -> None:
    text = "Ann: Spy on Bob, target research\nSpy on Bob, target military\nSpy defend trade"
    played = play(at_peace(ann="Ann tech 1 spies 1"), text, "Bob: Research 1\nBuy 1 army")
    assert played.failed("Ann") == ["no_spy", "no_spy"]
    assert (played.society("Bob")["tech"], played.society("Bob")["armies"]) == (7, 11)
    partly = play(
        at_peace(ann="Ann tech 1 spies 1"), "Ann: Spy defend trade\n2 spies on Bob, target research", "Bob: Research 1"
    )
    assert (partly.failed("Ann")[:1], partly.society("Bob")["tech"]) == (["no_spy"], 8)


@pytest.mark.rule("SO-R29", "SO-72", "SO-R35")
def test_defenders_take_post_before_any_spy_travels() -> None:
    text = "Bob: Spy defend research\nResearch 1"
    played = play(at_peace(), "Ann: Spy on Bob, target research", text)
    assert played.society("Bob")["tech"] == 8
    assert played.each("spies")[:2] == [0, 0]
    assert len(played.of("defence_result", "Bob")) == 1


@pytest.mark.rule("SO-73")
def test_a_defender_is_retired_even_if_nobody_came() -> None:
    assert play(at_peace(bob="Bob tech 1 spies 3"), "Bob: 2 spies defend trade").each("spies")[1] == 1


@pytest.mark.rule("SO-72")
def test_a_defender_guards_its_own_function_only() -> None:
    text = "Bob: Spy defend military\nResearch 1\nBuy 1 army"
    assert play(at_peace(), "Ann: Spy on Bob, target research", text).society("Bob")["tech"] == 7


@pytest.mark.rule("SO-74", "SO-R02", "SO-R35")
def test_one_defender_stops_only_the_first_spy() -> None:
    start = at_peace(ann="Ann tech 1 spies 2")
    text = "Bob: Spy defend research\nResearch 1"
    letters = ("Ann: 2 spies on Bob, target research", text)
    assert play(start, *letters).society("Bob")["tech"] == 7
    assert play(start, *letters, spy_defence="all").society("Bob")["tech"] == 8


@pytest.mark.rule("SO-75", "SO-R35")
def test_several_defenders_stop_as_many_spies_of_different_enemies() -> None:
    start = world("bb... / ..... / a..c.", "Ann spies 1", "Bob tech 1 gold 99 spies 2", "Cat spies 2")
    ann, bob = "Ann: Spy on Bob, target research", "Bob: 2 spies defend 3a\nResearch 1"
    assert play(start, ann, "Cat: Spy on Bob, target research", bob).society("Bob")["tech"] == 2
    assert play(start, ann, "Cat: 2 spies on Bob, target research", bob).society("Bob")["tech"] == 1


@pytest.mark.rule("SO-15", "SO-R29", "SO-R03")
def test_spies_act_in_the_order_in_which_the_orders_came() -> None:
    """Ann and Cat spy on each other's helpers: whoever is first robs the other of the spies that have not yet acted."""
    start = world("b.... / ..... / a..c.", "Ann spies 1", "Bob tech 1 gold 99", "Cat spies 1")
    ann, cat, bob = "Ann: Spy on Cat, target espionage", "Cat: Spy on Bob, target research", "Bob: Research 1"
    first = play(start, ann, cat, bob)
    assert (first.society("Bob")["tech"], first.each("spies")) == (2, [0, 0, 1])
    second = play(start, cat, ann, bob)
    assert (second.society("Bob")["tech"], second.each("spies")) == (1, [0, 0, 0])


# Spies at each other


@pytest.mark.rule("SO-69", "SO-R30")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_spies_that_two_societies_send_at_each_other_get_nowhere(order: tuple[int, int]) -> None:
    start = at_peace(bob="Bob tech 7 gold 900 spies 1", ann="Ann tech 7 gold 900 spies 1")
    letters = ("Ann: Spy on Bob, target research\nBuy 1 army", "Bob: Spy on Ann, target military\nResearch 1")
    played = play(start, *(letters[place] for place in order))
    assert (played.society("Bob")["tech"], played.society("Ann")["armies"]) == (8, 1)
    assert played.each("spies")[:2] == [1, 1]
    assert not played.of("function_negated")


@pytest.mark.rule("SO-69", "SO-R30")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_unequal_numbers_cancel_one_for_one_first_in_list_first(order: tuple[int, int]) -> None:
    start = at_peace(bob="Bob tech 6 gold 900 spies 1", ann="Ann tech 6 gold 900 spies 2")
    letters = (
        "Ann: Spy on Bob, target military\nSpy on Bob, target research",
        "Bob: Spy on Ann, target war\nResearch 1\nArmy",
    )
    played = play(start, *(letters[place] for place in order))
    assert (played.society("Bob")["tech"], played.society("Bob")["armies"]) == (6, 1)
    both = play(start, *(letters[place] for place in order), mutual_spies="all")
    assert (both.society("Bob")["tech"], both.society("Bob")["armies"]) == (7, 1)
    assert both.each("spies")[:2] == [0, 0]


@pytest.mark.rule("SO-R30", "SO-R32")
def test_spies_that_were_made_to_stay_home_cancel_nobody() -> None:
    start = world("b.c.a", "Ann tech 6 gold 900 spies 1", "Bob tech 6 gold 900 spies 1", "Cat tech 6 spies 1")
    bob, ann = "Bob: Spy on Ann, target war\nResearch 1", "Ann: Spy on Bob, target research"
    assert play(start, ann, bob).society("Bob")["tech"] == 7
    played = play(start, "Cat: Spy on Bob, target espionage", ann, bob)
    assert (played.society("Bob")["tech"], played.each("spies")) == (6, [0, 1, 0])


@pytest.mark.rule("SO-R30", "SO-R31")
def test_mutual_spies_touch_no_defender() -> None:
    start = at_peace(bob="Bob tech 6 gold 900 spies 2", ann="Ann tech 6 gold 900 spies 2")
    bob = "Bob: Spy on Ann, target war\nSpy defend research\nResearch 1"
    assert play(start, "Ann: 2 spies on Bob, target research", bob).society("Bob")["tech"] == 7
    start = at_peace(bob="Bob tech 6 gold 900 spies 2", ann="Ann tech 6 gold 900 spies 3")
    assert play(start, "Ann: 3 spies on Bob, target research", bob).society("Bob")["tech"] == 6


@pytest.mark.rule("SO-R30", "SO-R31")
def test_no_revolution_rule_applies_to_mutual_spies() -> None:
    start = at_peace(bob="Bob tech 3 gold 900 spies 1", ann="Ann tech 3 gold 900 spies 1")
    bob = "Bob: Revolution to Monarchy, keep espionage\nSpy on Ann, target research"
    played = play(start, "Ann: Spy on Bob, target espionage\nResearch 1", bob)
    assert played.society("Ann")["tech"] == 4
    assert not played.of("function_negated")


# Revolutions


@pytest.mark.rule("SO-70", "SO-71", "SO-R42", "SO-R31")
@pytest.mark.parametrize(
    ("keep", "function", "hit"),
    [
        ("production", "research", True),
        ("production", "military", True),
        ("production", "production", True),
        ("production", "trade", False),
        ("trade", "trade", True),
        ("trade", "research", False),
        ("espionage", "espionage", True),
        ("foreign aid", "foreign aid", True),
        ("war", "war", True),
        ("war", "foreign aid", False),
        ("tax", "trade", False),
        ("tax", "research", False),
    ],
)
def test_spies_at_a_society_in_revolution_are_lost_but_for_the_phase_kept(keep: str, function: str, hit: bool) -> None:
    bob = f"Bob: Revolution to Monarchy, keep {keep}"
    played = play(at_peace(), f"Ann: Spy on Bob, target {function}", bob)
    assert played.each("spies")[0] == 0
    assert bool(played.of("function_negated", "Bob")) == hit
    (result,) = played.of("spy_result", "Ann")
    assert (result["through"], result["not_through"]) == ((1, 0) if hit else (0, 1))
    assert played.society("Bob")["government"] == "monarchy"


@pytest.mark.rule("SO-R31")
def test_a_spy_lost_to_a_revolution_uses_no_defender_up() -> None:
    """Defenders of a society in revolution exist only if it keeps Espionage; then a spy on another phase is lost before."""
    start = at_peace(bob="Bob tech 3 gold 900 spies 1", ann="Ann tech 3 spies 1")
    played = play(start, "Ann: Spy on Bob, target trade", "Bob: Revolution to Monarchy, keep espionage\nSpy defend trade")
    assert [event["stopped"] for event in played.of("defence_result", "Bob")] == [0]


@pytest.mark.rule("SO-42", "SO-R39")
def test_no_spies_are_trained_or_used_if_espionage_is_forfeited() -> None:
    start = at_peace(ann="Ann tech 7 spies 2")
    played = play(
        start, "Ann: Revolution to Monarchy, keep trade\nSpy on Bob, target research\nSpy defend trade", "Bob: Research 1"
    )
    assert (played.each("spies")[0], played.society("Bob")["tech"]) == (2, 8)
    assert played.failed("Ann") == ["phase_forfeited"] * 2


# Espionage itself


@pytest.mark.rule("SO-18", "SO-R31", "SO-R32")
def test_a_hit_on_espionage_keeps_the_spies_home_that_have_not_acted_and_takes_the_trained_one() -> None:
    start = world("a.b.c", "Ann tech 7 spies 2", "Bob tech 1 gold 99", "Cat spies 1")
    cat, ann, bob = "Cat: Spy on Ann, target espionage", "Ann: 2 spies on Bob, target research", "Bob: Research 1"
    early = play(start, cat, ann, bob)
    assert (early.each("spies"), early.society("Bob")["tech"]) == ([2, 0, 0], 2)
    assert set(early.failed("Ann")) == {"espionage_negated"}
    kept = play(start, cat, ann, bob, espionage_negates_training=False)
    assert kept.each("spies") == [3, 0, 0]
    late = play(start, ann, cat, bob)
    assert (late.each("spies"), late.society("Bob")["tech"]) == ([0, 0, 0], 1)
    assert play(start, ann, cat, bob, espionage_negates_training=False).each("spies") == [1, 0, 0]


@pytest.mark.rule("SO-R32")
def test_what_was_trained_is_taken_away_but_never_below_nothing() -> None:
    start = world("a.b.c", "Ann tech 7", "Bob tech 1 gold 99", "Cat spies 1", wonders="Trojan Horse Ann A1")
    ann = "Ann: Spy on Bob, target research"
    assert play(start, ann, "Cat: Spy on Ann, target espionage").each("spies") == [0, 0, 0]
    assert play(start, "Cat: Spy on Ann, target espionage", "Ann: Research 1").each("spies") == [0, 0, 0]


@pytest.mark.rule("SO-R32", "SO-73")
def test_defenders_stop_nothing_once_espionage_is_negated_and_are_retired() -> None:
    start = world("a.b.c", "Ann tech 1 gold 99 spies 1", "Bob", "Cat spies 2")
    cat = "Cat: Spy on Ann, target espionage\nSpy on Ann, target research"
    played = play(start, cat, "Ann: Spy defend research\nResearch 1")
    assert (played.society("Ann")["tech"], played.each("spies")) == (1, [0, 0, 0])
    saved = play(start, cat, "Ann: Spy defend espionage\nResearch 1")
    assert (saved.society("Ann")["tech"], saved.each("spies")) == (1, [0, 0, 0])
    turned = play(
        start, "Cat: Spy on Ann, target research\nSpy on Ann, target espionage", "Ann: Spy defend research\nResearch 1"
    )
    assert turned.society("Ann")["tech"] == 2


@pytest.mark.rule("SO-R38", "SO-23")
def test_a_negated_trade_collects_nothing_from_others_either() -> None:
    start = world("aab / ..b / c..", "Ann tech 3 gold 30", "Bob tech 4 gold 30", "Cat spies 1")
    cat, ann = "Cat: Spy on Bob, target trade", "Ann: Trade with Bob"
    played = play(start, cat, ann)
    assert (played.spent("Ann"), played.spent("Bob")) == (7 - 12, 0)
    open_ = play(start, cat, ann, negated_trade_blocks_incoming=False)
    assert (open_.spent("Ann"), open_.spent("Bob")) == (7 - 12, -12)
    sending = play(start, cat, ann, "Bob: Trade with Ann", negated_trade_blocks_incoming=False)
    assert (sending.spent("Ann"), sending.spent("Bob"), sending.failed("Bob")) == (7 - 12, -12, ["phase_negated"])

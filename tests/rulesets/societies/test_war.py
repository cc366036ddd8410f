"""Phase 5: attacks, battles, casualties, the Colosseum."""

from fractions import Fraction
from math import ceil, floor

import pytest

from pbmd.rendering.render import report_text
from pbmd.rules import Document, seat_reader
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import play, world

ROW = "aabbbb"


def row(ann: str, bob: str, text: str = ROW, wars: str = "Ann Bob 3", **fields: str) -> Document:
    return world(text, f"Ann {ann}", f"Bob {bob}", wars=wars, **fields)


def nearest(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


# The formula

CASES = [
    # attackers, their level, defenders, their level
    (18, 7, 7, 5),
    (4, 4, 0, 4),
    (3, 4, 0, 4),
    (8, 4, 0, 4),
    (7, 4, 0, 4),
    (9, 3, 9, 1),
    (10, 2, 3, 3),
    (6, 5, 2, 2),
    (5, 2, 10, 2),
    (20, 3, 11, 6),
    (1, 1, 9, 1),
    (13, 7, 13, 4),
]


@pytest.mark.rule("SO-04", "SO-157", "SO-158", "SO-159", "SO-165", "SO-166", "SO-R60", "SO-R63", "SO-R06")
@pytest.mark.parametrize(("a", "at", "d", "dt"), CASES)
@pytest.mark.parametrize(("rounding", "rounded"), [("down", floor), ("nearest", nearest), ("up", ceil)])
def test_cities_captured_and_casualties(a: int, at: int, d: int, dt: int, rounding: str, rounded: object) -> None:
    assert callable(rounded)
    start = row(f"tech {at} armies {a}", f"tech {dt} armies {d}", "aabbbbb")
    played = play(start, f"Ann: Attack Bob with {a} armies", casualty_rounding=rounding)
    cities = max(0, min(5, floor((Fraction(a, dt) - Fraction(d, 5)) * Fraction(at, dt))))
    assert played.rows() == "aa" + "A" * cities + "b" * (5 - cities)
    lost = min(a, rounded(Fraction(d, at)))
    fallen = min(d, rounded(Fraction(d, 5) * cities))
    assert played.each("armies") == [a - lost, 0 if cities == 5 else d - fallen]


@pytest.mark.rule("SO-166", "SO-R63")
def test_casualties_of_the_attacker_are_due_even_if_no_city_falls() -> None:
    played = play(row("tech 1 armies 5", "tech 5 armies 3"), "Ann: Attack Bob with 5 armies")
    assert (played.rows(), played.each("armies")) == (ROW, [2, 3])


@pytest.mark.rule("SO-R60", "SO-R63", "SO-153")
def test_only_cities_that_can_be_taken_are_and_they_alone_cost_defenders() -> None:
    """The formula gives three cities, but a sneak attack reaches only one."""
    played = play(row("tech 4 armies 20", "tech 4 armies 8", wars=""), "Ann: Attack Bob with 20 armies")
    assert (played.rows(), played.each("armies")) == ("aaAbbb", [18, 6])


@pytest.mark.rule("SO-156")
def test_only_the_attacker_captures_cities() -> None:
    played = play(row("tech 1 armies 1", "tech 9 armies 90"), "Ann: Attack Bob with 1 army")
    assert (played.rows(), played.each("armies")) == (ROW, [0, 90])


@pytest.mark.rule("SO-151", "SO-R55")
def test_no_more_go_than_were_ordered_or_are_there() -> None:
    start = row("tech 4 armies 8", "tech 4")
    assert play(start, "Ann: Attack Bob with 4 armies").rows() == "aaAbbb"
    for force in ("20 armies", "all armies"):
        assert play(start, f"Ann: Attack Bob with {force}").rows() == "aaAAbb"


@pytest.mark.rule("SO-R56", "SO-149")
def test_without_an_army_the_attack_is_called_off() -> None:
    played = play(row("tech 4", "tech 4", wars=""), "Ann: Attack Bob with 4 armies")
    assert (len(played.of("attack_called_off", "Ann")), played.wars()) == (1, {})


@pytest.mark.rule("SO-14", "SO-R05", "SO-15")
def test_armies_bought_and_given_this_turn_fight_this_turn() -> None:
    start = world("aabb / c...", "Ann tech 4 gold 16", "Bob tech 4", "Cat tech 4 armies 4", wars="Ann Bob 3")
    assert play(start, "Ann: Buy 4 armies\nAttack Bob with all armies").rows() == "aaAb/c"
    played = play(start, "Ann: Buy 4 armies\nAttack Bob with all armies", "Cat: Give Ann 4 armies")
    assert played.rows() == "aaAA/c"


# Declared and sneak attacks


@pytest.mark.rule("SO-152", "SO-153", "SO-R53", "SO-R62")
@pytest.mark.parametrize(
    ("wars", "orders", "cities"),
    [
        ("Ann Bob 7", (), 2),
        ("Bob Ann 3", (), 2),
        ("Ann Bob 8", (), 1),
        ("", (), 1),
        ("", ("Ann: Declare war on Bob",), 1),
        ("", ("Bob: Declare war on Ann",), 1),
        # War by a nuke of this turn is no war of an earlier one.
        ("", ("Bob: Launch 1 nuke at Ann\nTargets: A1",), 1),
        # Peace ends it: the attack begins a new one.
        ("Ann Bob 3", ("Ann: Declare peace with Bob", "Bob: Declare peace with Ann"), 1),
        ("Ann Bob 3", ("Ann: Declare peace with Bob",), 2),
    ],
)
def test_a_sneak_attack_reaches_only_what_is_adjacent_when_it_begins(wars: str, orders: tuple[str, ...], cities: int) -> None:
    start = row("tech 4 armies 8", "tech 4 nukes 1", wars=wars)
    letters = {text.partition(":")[0]: text for text in orders}
    ann = letters.get("Ann", "Ann:") + "\nAttack Bob with 8 armies"
    played = play(start, *([letters["Bob"]] if "Bob" in letters else []), ann)
    assert played.rows().count("A") == cities


@pytest.mark.rule("SO-R62", "SO-153")
def test_a_sneak_attack_may_take_several_cities_each_adjacent_from_the_start() -> None:
    start = world("ab.. / abb. / a... / ....", "Ann tech 4 armies 40", "Bob tech 4 armies 2")
    assert play(start, "Ann: Attack Bob with 40 armies\nTargets: C2, B1, B2").rows() == "aA/aAb/a"


@pytest.mark.rule("SO-149")
def test_only_an_adjacent_society_can_be_attacked() -> None:
    start = world("a.b / .b. / ...", "Ann tech 4 armies 8", "Bob tech 4", wars="Ann Bob 3")
    played = play(start, "Ann: Attack Bob with 8 armies")
    assert played.rows() == "a.b/.b"
    near = world("abb / ... / ...", "Ann tech 4 armies 8", "Bob tech 4", wars="Ann Bob 3")
    assert play(near, "Ann: Attack Bob with 4 armies").rows() == "aAb"


@pytest.mark.rule("SO-34", "SO-R55", "SO-149")
def test_a_city_built_this_turn_makes_societies_adjacent() -> None:
    start = world("a.b / ..b / ...", "Ann tech 4 armies 8 gold 6", "Bob tech 4", wars="Ann Bob 3")
    played = play(start, "Ann: City at B1\nAttack Bob with 4 armies")
    assert played.rows() == "aaA/..b"


# Which cities


@pytest.mark.rule("SO-154", "SO-R61")
@pytest.mark.parametrize(
    ("targets", "after"),
    [
        ("C1", "aaAbbb"),
        # D1 is not adjacent yet.
        ("D1, C1", "aaAbbb"),
    ],
)
def test_the_first_listed_city_that_is_adjacent_is_taken(targets: str, after: str) -> None:
    assert play(row("tech 4 armies 4", "tech 4"), f"Ann: Attack Bob with 4 armies\nTargets: {targets}").rows() == after


@pytest.mark.rule("SO-154", "SO-R61", "SO-63")
def test_the_list_is_scanned_from_the_top_for_every_city() -> None:
    """D2 becomes adjacent with D1; E1, further down, has to wait."""
    text = "aabbb / ..bb. / ..... / ..... / ....."
    start = row("tech 4 armies 12", "tech 4", text)
    targets = "D2, C1, D1, E1, etc."
    assert play(start, f"Ann: Attack Bob with 8 armies\nTargets: {targets}").rows() == "aaAAb/..bb"
    assert play(start, f"Ann: Attack Bob with 12 armies\nTargets: {targets}").rows() == "aaAAb/..bA"


@pytest.mark.rule("SO-155", "SO-R13", "SO-R61")
def test_without_a_usable_list_borders_are_kept_short() -> None:
    """C2 leaves eight sides of border, B1 nine."""
    start = row("tech 4 armies 4", "tech 4", ".b... / .ab.. / ..a.. / ..... / ....b")
    for targets in ("", "\nTargets: E5", "\nTargets: A1, A2"):
        assert play(start, f"Ann: Attack Bob with 4 armies{targets}").rows() == ".b/.aA/..a//....b"
    assert play(start, "Ann: Attack Bob with 4 armies\nTargets: B1").rows() == ".A/.ab/..a//....b"


@pytest.mark.rule("SO-R57", "SO-R64", "SO-32", "SO-33")
def test_listed_cities_that_others_took_are_passed_over() -> None:
    start = world("abbbc", "Ann tech 4 armies 4", "Bob tech 4", "Cat tech 4 armies 8", wars="Ann Bob 3, Cat Bob 3")
    ann, cat = "Ann: Attack Bob with 4 armies\nTargets: B1", "Cat: Attack Bob with 4 armies\nTargets: D1"
    assert play(start, ann, cat).rows() == "aAbCc"
    start = world("ab / cb / ...", "Ann tech 4 armies 4", "Bob tech 4", "Cat tech 4 armies 4", wars="Ann Bob 3, Cat Bob 3")
    ann, cat = "Ann: Attack Bob with 4 armies\nTargets: B1, B2", "Cat: Attack Bob with 4 armies\nTargets: B2"
    assert play(start, cat, ann).rows() == "aA/cC"
    wants = "Ann: Attack Bob with 4 armies\nTargets: B2"
    assert play(start, cat, wants).rows() == "aA/cC"


@pytest.mark.rule("SO-R64", "SO-32", "SO-15", "SO-R03")
def test_several_attackers_meet_what_the_earlier_ones_left() -> None:
    start = world("abbbbc", "Ann tech 4 armies 10", "Bob tech 4 armies 8", "Cat tech 4 armies 10", wars="Ann Bob 3, Cat Bob 3")
    ann, cat = "Ann: Attack Bob with 10 armies", "Cat: Attack Bob with 10 armies"
    # (10/4 − 8/4) = ½: nobody gets a city; the defenders stay.
    assert play(start, ann, cat).rows() == "abbbbc"
    start["society"][0]["armies"] = start["society"][2]["armies"] = 16
    # (16/4 − 8/4) = 2 of 4 cities and 4 of 8 defenders; then (16/4 − 4/2) = 2.
    first = play(start, "Ann: Attack Bob with 12 armies", "Cat: Attack Bob with 12 armies")
    # (12/4 − 8/4) = 1 and 2 defenders; then (12/4 − 6/3) = 1 and 2 defenders.
    assert (first.rows(), first.each("armies")) == ("aAbbCc", [14, 4, 15])
    other = play(start, "Cat: Attack Bob with 12 armies", "Ann: Attack Bob with 12 armies")
    assert (other.rows(), other.each("armies")) == ("aAbbCc", [15, 4, 14])


# Armies away and at home


@pytest.mark.rule("SO-150", "SO-34", "SO-R55")
def test_armies_sent_out_do_not_defend_even_if_their_attack_comes_later() -> None:
    start = world("abbc", "Ann tech 4 armies 4", "Bob tech 4 armies 9", "Cat tech 4 armies 40", wars="Ann Bob 3, Cat Bob 3")
    ann, bob = "Ann: Attack Bob with 4 armies", "Bob: Attack Cat with 9 armies"
    assert play(start, ann).rows() == "abbc"
    for order in ((ann, bob), (bob, ann)):
        played = play(start, *order)
        assert played.rows() == "aAbc"
        # Cat's 40 armies kill ten of four levels: all nine.
        assert played.each("armies") == [4, 0, 40]


@pytest.mark.rule("SO-R55", "SO-150")
def test_survivors_are_back_at_the_end_of_the_phase_and_not_earlier() -> None:
    """Bob's attack is over when Ann comes, but his eight survivors do not defend."""
    start = world("abbcc", "Ann tech 4 armies 4", "Bob tech 4 armies 9", "Cat tech 4 armies 4", wars="Ann Bob 3, Cat Bob 3")
    played = play(start, "Bob: Attack Cat with 9 armies", "Ann: Attack Bob with 4 armies")
    # (9/4 − 4/2) × 1 = ¼ of a city.
    assert (played.rows(), played.each("armies")) == ("aAbcc", [4, 8, 4])


@pytest.mark.rule("SO-33", "SO-R56", "SO-32")
def test_an_army_whose_war_somebody_else_has_fought_stays_home_and_defends() -> None:
    start = world(
        "abcd", "Ann tech 4 armies 40", "Bob tech 4", "Cat tech 4 armies 8", "Dan tech 4 armies 8",
        wars="Ann Bob 3, Cat Bob 3, Cat Dan 3",
    )  # fmt: skip
    ann, cat, dan = "Ann: Attack Bob with 40 armies", "Cat: Attack Bob with 8 armies", "Dan: Attack Cat with 8 armies"
    played = play(start, ann, cat, dan)
    assert played.rows() == "aAcd"
    assert played.each("armies")[2:] == [8, 6]
    assert len(played.of("attack_called_off", "Cat")) == 1
    # Had Cat been first in, its armies would have been away.
    assert play(start, dan, cat, ann).rows() == "aADd"


@pytest.mark.rule("SO-R56")
def test_an_attack_called_off_makes_no_war_and_stays_called_off() -> None:
    """At the start of the phase Bob and Cat are apart; when Cat has taken C1 they are neighbours, too late."""
    start = world("abdc", "Ann", "Bob tech 4 armies 8", "Cat tech 4 armies 8", "Dan tech 4", wars="Cat Dan 3")
    played = play(start, "Cat: Attack Dan with 8 armies", "Bob: Attack Cat with 8 armies")
    assert (played.rows(), played.each("armies")) == ("abCc", [0, 8, 8, 0])
    assert len(played.of("attack_called_off", "Bob")) == 1
    assert played.wars() == {}


@pytest.mark.rule("SO-R51", "SO-R56")
def test_the_first_attack_makes_war_of_this_turn() -> None:
    played = play(row("tech 4 armies 4", "tech 4", wars=""), "Ann: Attack Bob with 4 armies")
    assert played.wars() == {frozenset({"Ann", "Bob"}): 8}
    assert play(row("tech 4 armies 4", "tech 4"), "Ann: Attack Bob with 4 armies").wars() == {frozenset({"Ann", "Bob"}): 3}
    assert len(played.of("war")) == 1


# War and peace


@pytest.mark.rule("SO-R51", "SO-R52", "SO-82", "SO-83", "SO-152")
def test_declarations() -> None:
    start = row("tech 4", "tech 4", wars="")
    assert play(start, "Ann: Declare war on Bob").wars() == {frozenset({"Ann", "Bob"}): 8}
    at_war = row("tech 4", "tech 4")
    ann, bob = "Ann: Declare peace with Bob", "Bob: Declare peace with Ann"
    assert play(at_war, ann, bob).wars() == {}
    offered = play(at_war, ann)
    assert offered.wars() == {frozenset({"Ann", "Bob"}): 3}
    assert play({**offered.document}, bob).wars() == {frozenset({"Ann", "Bob"}): 3}
    again = play(at_war, ann, bob + "\nDeclare war on Ann")
    assert again.wars() == {frozenset({"Ann", "Bob"}): 8}
    assert play(at_war, "Ann: Declare war on Bob").wars() == {frozenset({"Ann", "Bob"}): 3}


@pytest.mark.rule("SO-R43")
def test_talk_is_untouched_by_spies_and_revolutions() -> None:
    start = row("tech 4", "tech 4 spies 5", wars="")
    bob = "Bob: Spy on Ann, target war\nSpy on Ann, target aid\nSpy on Ann, target espionage"
    played = play(start, bob, "Ann: Declare war on Bob\nRevolution to Monarchy, keep trade")
    assert played.wars() == {frozenset({"Ann", "Bob"}): 8}


# Two-way battles


@pytest.mark.rule("SO-161", "SO-162", "SO-163", "SO-164", "SO-R58", "SO-R06")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    ("ann", "bob", "left"),
    [
        # Forces and levels; what is left of both armies, each having kept one at home.
        ((10, 3), (4, 5), (4, 0)),
        ((10, 3), (6, 5), (0, 0)),
        ((5, 3), (6, 5), (0, 3)),
        ((1, 7), (6, 1), (1, 0)),
        ((9, 2), (1, 7), (6, 0)),
    ],
)
def test_armies_that_attack_each_other_fight_first(
    order: tuple[int, int], ann: tuple[int, int], bob: tuple[int, int], left: tuple[int, int]
) -> None:
    """The homes are held by so many that nothing else happens: casualties of the attack that follows are known."""
    start = row(f"tech {ann[1]} armies {ann[0] + 90}", f"tech {bob[1]} armies {bob[0] + 90}")
    letters = [f"Ann: Attack Bob with {ann[0]} armies", f"Bob: Attack Ann with {bob[0]} armies"]
    played = play(start, *(letters[place] for place in order))
    # The survivors then attack 90 armies at home, and die by 90 / level of them.
    survivors = [max(0, left[0] - 90 // ann[1]), max(0, left[1] - 90 // bob[1])]
    assert played.each("armies") == [90 + survivors[0], 90 + survivors[1]]
    assert len(played.of("field_battle")) == 1
    assert len(played.of("attack")) == (left != (0, 0))
    undefended = row(f"tech {ann[1]} armies {ann[0]}", f"tech {bob[1]} armies {bob[0]}")
    assert play(undefended, *(letters[place] for place in order)).each("armies") == list(left)


@pytest.mark.rule("SO-R58", "SO-161")
def test_the_winners_attack_follows_against_the_armies_that_the_loser_kept_home() -> None:
    # 12 × 4 − 4 × 4 = 32: 8 of Ann's are left; Bob keeps 8 at home: (8/4 − 8/4) × 1 = 0.
    start = row("tech 4 armies 12", "tech 4 armies 12")
    letters = "Ann: Attack Bob with 12 armies", "Bob: Attack Ann with 4 armies"
    assert play(start, *letters).rows() == ROW
    start["society"][1]["armies"] = 8
    # (8/4 − 4/4) = 1
    assert play(start, *letters).rows() == "aaAbbb"
    start["society"][1]["armies"] = 4
    assert play(start, *letters).rows() == "aaAAbb"


@pytest.mark.rule("SO-R58", "SO-32", "SO-R56")
def test_the_battle_is_fought_at_the_place_of_the_first_and_the_attack_follows_at_the_winners_own() -> None:
    """Ann and Bob touch at A1–B1 only. Bob wins the battle; whether Cat takes B1 before his attack depends on the order."""
    start = world(
        "abb. / .c.. / .c.. / ....", "Ann tech 4 armies 4", "Bob tech 4 armies 12", "Cat tech 4 armies 4",
        wars="Ann Bob 3, Cat Bob 3",
    )  # fmt: skip
    ann, bob = "Ann: Attack Bob with 4 armies", "Bob: Attack Ann with 12 armies"
    cat = "Cat: Attack Bob with 4 armies\nTargets: B1"
    late = play(start, ann, cat, bob)
    assert late.rows() == "aCb/.c/.c"
    assert len(late.of("field_battle")) == 1
    assert len(late.of("attack_called_off", "Bob")) == 1
    assert late.each("armies") == [0, 8, 4]
    early = play(start, bob, cat, ann)
    assert early.society("Ann")["eliminated_turn"] == 8


@pytest.mark.rule("SO-R59")
def test_three_in_a_ring_fight_no_battle() -> None:
    start = world(
        "ab / cb", "Ann tech 4 armies 2", "Bob tech 4 armies 2", "Cat tech 4 armies 2", wars="Ann Bob 3, Bob Cat 3, Cat Ann 3"
    )
    played = play(start, "Ann: Attack Bob with 1 army", "Bob: Attack Cat with 1 army", "Cat: Attack Ann with 1 army")
    assert not played.of("field_battle")
    assert len(played.of("attack")) == 3


@pytest.mark.rule("SO-R58", "SO-35")
def test_nukes_before_the_attack_leave_the_forces_alone() -> None:
    start = row("tech 4 armies 10 nukes 1", "tech 4 armies 4")
    text = "Ann: Launch 1 nuke at Bob\nTargets: F1\nAttack Bob with 10 armies"
    played = play(start, text, "Bob: Attack Ann with 4 armies")
    assert played.each("armies") == [6, 0]
    assert played.rows().endswith("#")


# The Colosseum


def colosseum(ann: str = "tech 4 armies 8", **fields: str) -> Document:
    return row(ann, "tech 4 armies 8", wonders="Colosseum Bob C1", **fields)


@pytest.mark.rule("SO-127", "SO-R65", "SO-R56")
def test_the_owner_of_the_colosseum_cannot_be_attacked() -> None:
    played = play(colosseum(wars=""), "Ann: Attack Bob with 8 armies")
    assert (played.rows(), played.each("armies"), played.wars()) == (ROW, [8, 8], {})
    assert len(played.of("attack_called_off", "Ann")) == 1
    start = colosseum()
    start["wonder"][0]["obsolete"] = True
    start["society"][1]["armies"] = 0
    assert play(start, "Ann: Attack Bob with 8 armies").rows() == "aaAAbb"


@pytest.mark.rule("SO-127", "SO-R65")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_attack_of_the_owner_that_was_called_off_lets_nobody_in(order: tuple[int, int]) -> None:
    letters = ("Ann: Attack Bob with 8 armies", "Bob: Attack Ann with 8 armies")
    played = play(row("tech 4 armies 8", "tech 4", wonders="Colosseum Bob C1"), *(letters[place] for place in order))
    assert played.failed("Ann") == ["immune"]
    assert played.failed("Bob") == ["no_army"]


@pytest.mark.rule("SO-129", "SO-R65")
def test_a_victim_of_the_owner_gets_one_counterattack_which_it_keeps_until_used() -> None:
    start = row("tech 4 armies 20", "tech 4 armies 8", wonders="Colosseum Bob F1")
    hit = play(start, "Bob: Attack Ann with 4 armies")
    assert hit.rights() == {("Ann", "Bob"): 1}
    later = {**hit.document, "turn": 20}
    assert play(later).rights() == {("Ann", "Bob"): 1}
    back = play(later, "Ann: Attack Bob with 8 armies")
    assert (back.rights(), len(back.of("attack"))) == ({}, 1)
    assert play(back.document, "Ann: Attack Bob with 1 army").of("attack") == []
    assert play(hit.document, "Bob: Attack Ann with 1 army").rights() == {("Ann", "Bob"): 2}


@pytest.mark.rule("SO-129", "SO-R65")
def test_the_right_is_against_the_owner_alone_and_its_victims_alone() -> None:
    start = world(
        "abc", "Ann tech 4 armies 8", "Bob tech 4", "Cat tech 4 armies 8", wonders="Colosseum Bob B1", rights="Ann Bob 2"
    )
    assert len(play(start, "Cat: Attack Bob with 8 armies").of("attack")) == 0
    played = play(start, "Ann: Attack Bob with 1 army")
    assert played.rights() == {("Ann", "Bob"): 1}


@pytest.mark.rule("SO-129", "SO-R65", "SO-161")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_owner_who_attacks_may_be_met_in_a_two_way_battle_which_grants_and_uses_nothing(order: tuple[int, int]) -> None:
    start = row("tech 4 armies 12", "tech 4 armies 4", wonders="Colosseum Bob F1")
    letters = ["Ann: Attack Bob with 12 armies", "Bob: Attack Ann with 4 armies"]
    played = play(start, *(letters[place] for place in order))
    # 12 − 4 = 8 armies are left, and Bob has none at home: (8/4) = 2 cities. Immunity does not call that attack off.
    assert (played.rows(), played.rights()) == ("aaAAbb", {})


@pytest.mark.rule("SO-128", "SO-R65")
def test_an_expired_colosseum_protects_nobody_the_moment_somebody_reaches_industrialization() -> None:
    start = row("tech 7 armies 8 gold 99", "tech 4", wonders="Colosseum Bob C1")
    assert play(start, "Ann: Attack Bob with 8 armies").rows() == ROW
    assert play(start, "Ann: Attack Bob with 4 armies\nIndustrialization").rows() == "aaAAbb"


# Elimination


@pytest.mark.rule("SO-R96", "SO-170", "SO-R60")
def test_whoever_loses_the_last_city_is_out_at_once() -> None:
    start = world(
        "abc. / ....", "Ann tech 4 armies 40", "Bob tech 4 gold 99 armies 3 spies 2 nukes 1 sdi 1 parts 2", "Cat tech 4",
        wars="Ann Bob 3, Cat Bob 3", rights="Bob Ann 1", concessions="Bob Cat",
    )  # fmt: skip
    played = play(start, "Ann: Attack Bob with 40 armies", "Bob: Launch 1 nuke at Cat\nTargets: C1\nAttack Cat with 3 armies")
    bob = played.society("Bob")
    assert bob["eliminated_turn"] == 8
    assert [bob[field] for field in ("gold", "armies", "spies", "nukes", "sdi", "spaceship_parts")] == [0] * 6
    assert (played.rows(), played.wars(), played.rights()) == ("aAc", {}, {})
    assert not played.document.get("concession")
    assert len(played.of("eliminated")) == 1


@pytest.mark.rule("SO-160", "SO-169", "SO-R86")
def test_a_captured_city_pays_nothing_in_the_turn_of_its_capture_and_again_in_the_next() -> None:
    played = play(row("tech 4 armies 8", "tech 4"), "Ann: Attack Bob with 8 armies")
    assert (played.rows(), played.society("Ann")["gold"]) == ("aaAAbb", 40)
    after = play(played.document)
    assert (after.rows(), after.society("Ann")["gold"]) == ("aaaabb", 40 + 80)


@pytest.mark.rule("SO-R86")
def test_a_city_captured_back_is_marked_for_its_new_owner() -> None:
    start = row("tech 4 armies 8", "tech 4", "aaBbb")
    played = play(start, "Ann: Attack Bob with 4 armies")
    assert played.rows() == "aaAbb"


@pytest.mark.rule("SO-R12", "SO-11", "SO-12")
@pytest.mark.parametrize(
    ("text", "adjacent"),
    [
        ("ab. / ... / ...", True),
        ("a.. / b.. / ...", True),
        ("a.. / .b. / ...", False),
        ("a.b / ... / ...", False),
        # Nuked and free squares, and those of others, belong to nobody's territory.
        ("a#b / ... / ...", False),
        ("acb / ... / ...", False),
        # Any city of one and any of the other will do.
        ("a.b / ..b / .a.", False),
        ("a.b / ..b / ..a", True),
        # The last column and the first of the next row do not touch.
        ("..a / b.. / ...", False),
    ],
)
def test_societies_are_adjacent_if_cities_of_theirs_share_an_edge(text: str, adjacent: bool) -> None:
    start = world(text, "Ann tech 4 armies 4", "Bob tech 4", "Cat", wars="Ann Bob 3")
    start["society"] = [table for table in start["society"] if any(city["owner"] == table["name"] for city in start["city"])]
    played = play(start, "Ann: Attack Bob with 1 army")
    assert bool(played.of("attack")) == adjacent
    assert played.failed("Ann") == ([] if adjacent else ["not_adjacent"])


@pytest.mark.rule("SO-151")
def test_an_attack_with_fewer_armies_than_ordered_says_how_many_were_missing() -> None:
    played = play(row("tech 4 armies 4", "tech 4"), "Ann: Attack Bob with 9 armies")
    assert [(data["code"], data["count"]) for data in played.of("order_failed", "Ann")] == [("no_army", 5)]
    report = " ".join(report_text(ruleset, ruleset.view(played.position, played.events, seat_reader("Ann"))).split())
    assert "5 not: there were no more armies" in report
    for line in ("Attack Bob with 4 armies", "Attack Bob with all armies"):
        assert play(row("tech 4 armies 4", "tech 4"), f"Ann: {line}").failed("Ann") == []

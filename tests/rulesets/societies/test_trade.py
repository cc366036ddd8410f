"""Phase 2: caravans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.societies.world.squares import Square, distance, steps_to
from tests.rulesets.societies.harness import play, receive, world

NEIGHBOURS = "aab / .bb / ..c"


@pytest.mark.rule("SO-19", "SO-21", "SO-22", "SO-79", "SO-80", "SO-107", "SO-78")
@pytest.mark.parametrize(("ann", "bob"), [(1, 1), (1, 6), (6, 1), (3, 4), (7, 5)])
def test_a_caravan_costs_the_sum_and_pays_the_product_of_the_levels_to_both(ann: int, bob: int) -> None:
    start = world(NEIGHBOURS, f"Ann tech {ann} gold 50", f"Bob tech {bob} gold 0", "Cat")
    played = play(start, "Ann: Trade with Bob")
    assert (played.spent("Ann"), played.spent("Bob"), played.spent("Cat")) == (ann + bob - ann * bob, -ann * bob, 0)


@pytest.mark.rule("SO-20", "SO-R05", "SO-R17")
def test_levels_are_those_of_the_chart_and_not_of_new_research() -> None:
    start = world(NEIGHBOURS, "Ann tech 3 gold 500", "Bob tech 4 gold 500", "Cat tech 1")
    played = play(start, "Bob: Research 2", "Ann: Trade with Bob\nResearch 1")
    assert (played.society("Ann")["tech"], played.society("Bob")["tech"]) == (4, 6)
    assert played.spent("Ann") == 7 - 12 + 8  # Architecture for two thirds: Bob knows it.


@pytest.mark.rule("SO-21", "SO-46", "SO-49", "SO-R46")
@pytest.mark.parametrize(
    ("ann", "bob", "payouts"),
    [("despotism", "despotism", (30, 30)), ("monarchy", "republic", (45, 60)), ("republic", "monarchy", (60, 45))],
)
def test_each_receivers_own_government_multiplies_its_income(ann: str, bob: str, payouts: tuple[int, int]) -> None:
    start = world(NEIGHBOURS, f"Ann {ann} tech 3 gold 50", f"Bob {bob} tech 5", "Cat")
    played = play(start, "Ann: Trade with Bob x2")
    assert (played.spent("Ann"), played.spent("Bob")) == (16 - payouts[0], -payouts[1])


@pytest.mark.rule("SO-R46", "SO-R06", "SO-168")
def test_the_income_of_all_caravans_is_summed_before_it_is_rounded_once() -> None:
    start = world("aab / .bb / a.c", "Ann monarchy tech 3 gold 50", "Bob tech 3 gold 50", "Cat tech 1 gold 9")
    played = play(start, "Ann: Trade with Bob\nTrade with Cat")
    # (9 + 3) × 3/2 = 18 and not 14 + 5
    assert played.spent("Ann") == 6 + 4 - 18
    single = play(start, "Ann: Trade with Cat", "Bob: Trade with Ann")
    assert single.spent("Ann") == 4 - 18
    assert play(start, "Ann: Trade with Cat").spent("Ann") == 4 - 5


@pytest.mark.rule("SO-76", "SO-77", "SO-R44", "SO-R45")
@pytest.mark.parametrize(
    ("text", "tech", "reached"),
    [
        ("ab / ..", 1, True),
        ("a.b / ... / ...", 1, False),
        ("a.b / ... / ...", 2, True),
        ("a.. / .b. / ...", 1, False),
        ("a.. / .b. / ...", 2, True),
        ("a.. / ... / ..b", 3, False),
        ("a.. / ... / ..b", 4, True),
        ("a.a / ... / ..b", 2, True),
    ],
)
def test_as_many_spaces_away_as_the_technology_level(text: str, tech: int, reached: bool) -> None:
    start = world(text, f"Ann tech {tech} gold 50", "Bob tech 9 gold 50")
    receipt = receive(start, "Ann", "Trade with Bob")
    assert [verdict.code for verdict in receipt.verdicts if verdict.code] == ([] if reached else ["out_of_range"])
    assert play(start, "Bob: Trade with Ann").failed("Bob") == []


@pytest.mark.rule("SO-11", "SO-12", "SO-R44", "SO-76")
def test_corners_do_not_touch_and_nothing_bends_distance() -> None:
    """Nuked squares and foreign cities are walked over."""
    start = world("a#b / ccc", "Ann tech 2 gold 50", "Bob tech 1", "Cat tech 1")
    assert play(start, "Ann: Trade with Bob").failed("Ann") == []


@pytest.mark.rule("SO-R44")
@given(st.data(), st.integers(1, 9))
def test_the_distance_is_that_of_the_nearest_two_cities(data: st.DataObject, side: int) -> None:
    squares = st.builds(Square, st.integers(1, side), st.integers(1, side))
    ours, theirs = (data.draw(st.sets(squares, min_size=1)) for _ in range(2))
    steps = steps_to(tuple(sorted(ours)), side)
    assert min(steps[row][column] for row, column in theirs) == min(distance(one, other) for one in ours for other in theirs)


@pytest.mark.rule("SO-81", "SO-R45")
def test_there_is_no_trade_with_an_enemy() -> None:
    start = world(NEIGHBOURS, "Ann tech 3 gold 50", "Bob tech 3 gold 50", "Cat tech 3 gold 50", wars="Ann Bob 7")
    played = play(start, "Ann: Trade with Bob x2\nTrade with Cat", "Bob: Trade with Ann")
    assert set(played.failed("Ann")) == {"at_war"}
    assert played.failed("Bob") == ["at_war"]
    assert (played.spent("Ann"), played.spent("Bob")) == (6 - 9, 0)


@pytest.mark.rule("SO-82", "SO-83", "SO-R52")
def test_trade_resumes_in_the_turn_in_which_both_declare_peace() -> None:
    start = world(NEIGHBOURS, "Ann tech 3 gold 50", "Bob tech 3 gold 50", "Cat", wars="Bob Ann 7")
    ann, bob = "Ann: Declare peace with Bob\nTrade with Bob", "Bob: Peace with Ann"
    both = play(start, ann, bob)
    assert (both.failed("Ann"), both.wars()) == ([], {})
    for one in ([ann], ["Ann: Trade with Bob", bob]):
        played = play(start, *one)
        assert played.failed("Ann") == ["at_war"]
        assert played.wars() == {frozenset({"Ann", "Bob"}): 7}


@pytest.mark.rule("SO-R51")
def test_a_declaration_of_war_does_not_stop_this_turns_trade() -> None:
    start = world(NEIGHBOURS, "Ann tech 3 gold 50", "Bob tech 3 gold 50", "Cat")
    played = play(start, "Ann: Declare war on Bob\nTrade with Bob", "Bob: Attack Ann with 1 army\nBuy 1 army")
    assert played.failed("Ann") == []
    assert played.wars() == {frozenset({"Ann", "Bob"}): 8}


@pytest.mark.rule("SO-84", "SO-57", "SO-22")
def test_income_from_trade_is_spent_in_the_same_turn() -> None:
    start = world(NEIGHBOURS, "Ann tech 6 gold 12", "Bob tech 6", "Cat tech 1")
    played = play(start, "Ann: Trade with Bob\nBuy 6 armies", "Bob: Buy 6 armies")
    assert played.each("armies") == [6, 6, 0]
    assert (played.failed("Ann"), played.failed("Bob")) == ([], [])


@pytest.mark.rule("SO-85", "SO-R15")
def test_income_from_caravans_pays_for_no_caravans_of_the_same_turn() -> None:
    start = world(NEIGHBOURS, "Ann tech 6 gold 23", "Bob tech 6", "Cat tech 1")
    played = play(start, "Ann: Trade with Bob x2", "Bob: Trade with Ann")
    assert (set(played.failed("Ann")), set(played.failed("Bob"))) == ({"no_gold"}, {"no_gold"})
    assert played.spent("Ann") == 12 - 36


@pytest.mark.rule("SO-R15", "SO-15")
def test_a_caravan_that_cannot_be_paid_is_not_sent_and_later_ones_still_try() -> None:
    start = world("aab / cbb / ...", "Ann tech 6 gold 9", "Bob tech 6", "Cat tech 1")
    played = play(start, "Ann: Trade with Bob\nTrade with Cat")
    assert (played.failed("Ann"), played.spent("Ann"), played.spent("Cat")) == (["no_gold"], 7 - 6, -6)


@pytest.mark.rule("SO-R15", "SO-19")
def test_production_never_blocks_a_caravan() -> None:
    start = world(NEIGHBOURS, "Ann tech 1 gold 2", "Bob tech 1", "Cat")
    played = play(start, "Ann: Buy 2 armies\nTrade with Bob")
    assert played.each("armies")[0] == 1
    assert played.spent("Ann") == 2 - 1 + 1


@pytest.mark.rule("SO-86", "SO-87", "SO-R14")
def test_what_an_interdicted_trade_was_to_pay_is_cut_as_listed_or_off_the_back() -> None:
    start = world("aab / .bb / c..", "Ann tech 3 gold 14", "Bob tech 6", "Cat spies 1")
    cat, ann = "Cat: Spy on Ann, target trade", "Ann: Trade with Bob\nBuy 1 army\nArchitecture\nBuild Trojan Horse for 9"
    paid = play(start, ann)
    assert paid.failed("Ann") == []
    cut = play(start, cat, ann)
    assert (cut.society("Ann")["tech"], cut.society("Ann")["armies"], cut.wonder("Trojan Horse")) == (4, 1, "")
    listed = play(start, cat, ann + "\nIf short, cut research")
    assert (listed.society("Ann")["tech"], listed.society("Ann")["armies"], listed.wonder("Trojan Horse")) == (3, 1, "Ann A1")


@pytest.mark.rule("SO-88", "SO-89", "SO-R48", "SO-R02", "SO-R05")
@pytest.mark.parametrize(("tech", "options", "sent"), [(3, {}, 3), (16, {}, 15), (16, {"max_caravans": 20}, 16),
                                                       (5, {"max_caravans": 2}, 2)])  # fmt: skip
def test_at_most_as_many_caravans_as_the_level_or_fifteen(tech: int, options: dict[str, int], sent: int) -> None:
    start = world(NEIGHBOURS, f"Ann tech {tech} gold 900", "Bob tech 1", "Cat tech 1")
    played = play(start, "Ann: Trade with Bob x20", **options)
    assert set(played.failed("Ann")) == {"caravan_limit"}
    assert played.spent("Bob") == -tech * sent


@pytest.mark.rule("SO-R48")
def test_the_limit_counts_caravans_actually_sent_to_anyone_oneself_included() -> None:
    start = world(
        "aab / .cb / ...", "Ann tech 3 gold 900", "Bob tech 1", "Cat tech 1", wonders="NASCAR Ann A1", wars="Ann Bob 3"
    )
    played = play(start, "Ann: Trade with Bob x2\nTrade with me x2\nTrade with Cat x2")
    # Two fail for war, two go home, one of two goes to Cat.
    assert played.spent("Cat") == -3
    assert sorted(set(played.failed("Ann"))) == ["at_war", "caravan_limit"]


@pytest.mark.rule("SO-R48", "SO-R05", "SO-88")
def test_the_limit_is_that_of_the_chart() -> None:
    start = world(NEIGHBOURS, "Ann tech 1 gold 900", "Bob tech 1", "Cat tech 1")
    assert play(start, "Ann: Research 3\nTrade with Bob x3").spent("Bob") == -1


@pytest.mark.rule("SO-R47")
def test_a_partner_cannot_refuse() -> None:
    start = world(NEIGHBOURS, "Ann tech 2 gold 9", "Bob tech 2", "Cat")
    assert play(start, "Ann: Trade with Bob", "Bob: Declare war on Ann").spent("Bob") == -4


@pytest.mark.rule("SO-132", "SO-R49")
def test_the_silk_road_is_free_and_endless_but_not_for_enemies_and_not_without_limit() -> None:
    start = world(
        "a..c / .... / .... / ...b",
        "Ann tech 2",
        "Bob tech 3 gold 9",
        "Cat tech 1",
        wonders="Silk Road Ann A1",
        wars="Ann Cat 3",
    )
    played = play(start, "Ann: Trade with Cat\nTrade with Bob x3")
    assert (played.spent("Ann"), played.spent("Bob")) == (-12, -12)
    assert sorted(set(played.failed("Ann"))) == ["at_war", "caravan_limit"]


@pytest.mark.rule("SO-132", "SO-R49")
def test_caravans_of_others_to_its_owner_cost_what_they_cost() -> None:
    start = world("ab / ..", "Ann tech 2", "Bob tech 3 gold 9", wonders="Silk Road Ann A1")
    assert play(start, "Bob: Trade with Ann").spent("Bob") == 5 - 6


@pytest.mark.rule("SO-133", "SO-R49")
@pytest.mark.parametrize(("option", "obsolete"), [("anyone", True), ("owner", False)])
def test_the_silk_road_expires_with_anyones_mass_education(option: str, obsolete: bool) -> None:
    start = world("a.b", "Ann tech 8 gold 999", "Bob tech 9 gold 999", wonders="Silk Road Ann A1")
    played = play(start, "Bob: Mass Education", silk_road_expires=option)
    assert played.wonder("Silk Road") == "Ann A1" + (" obsolete" if obsolete else "")
    assert play(start, "Ann: Research 1", silk_road_expires=option).wonder("Silk Road") == "Ann A1"
    assert play(start, "Ann: Research 2", silk_road_expires=option).wonder("Silk Road") == "Ann A1 obsolete"


@pytest.mark.rule("SO-133", "SO-R49", "SO-15")
def test_it_expires_after_the_trade_of_the_turn() -> None:
    start = world("a.b", "Ann tech 1", "Bob tech 9 gold 999", wonders="Silk Road Ann A1")
    assert play(start, "Ann: Trade with Bob", "Bob: Mass Education").spent("Ann") == -9


@pytest.mark.rule("SO-139", "SO-R50")
@pytest.mark.parametrize(("government", "tech", "count", "payout"), [("despotism", 3, 1, 5), ("despotism", 3, 2, 9),
                                                                     ("monarchy", 3, 1, 7), ("republic", 3, 1, 9)])  # fmt: skip
def test_a_caravan_to_oneself_pays_half_the_square_once(government: str, tech: int, count: int, payout: int) -> None:
    start = world("a.b", f"Ann {government} tech {tech} gold 99", "Bob", wonders="NASCAR Ann A1")
    played = play(start, f"Ann: Trade with me x{count}")
    assert played.spent("Ann") == 2 * tech * count - payout


@pytest.mark.rule("SO-R50", "SO-R46")
def test_halves_are_added_up_with_other_income_before_the_bonus_and_the_rounding() -> None:
    start = world("ab", "Ann monarchy tech 3 gold 99", "Bob tech 1", wonders="NASCAR Ann A1")
    # (9/2 + 3) × 3/2 = 11¼
    assert play(start, "Ann: Trade with me\nTrade with Bob").spent("Ann") == 6 + 4 - 12


@pytest.mark.rule("SO-R49", "SO-R50")
def test_with_the_silk_road_a_caravan_to_oneself_is_free() -> None:
    start = world("ab", "Ann tech 4", "Bob tech 1", wonders="NASCAR Ann A1, Silk Road Ann B2")
    start["city"].append({"square": "B2", "owner": "Ann"})
    assert play(start, "Ann: Trade with me").spent("Ann") == -8


@pytest.mark.rule("SO-R38", "SO-R39")
def test_a_society_in_revolution_collects_nothing_and_its_partner_all_the_same() -> None:
    start = world("ab", "Ann tech 3 gold 30", "Bob tech 4 gold 30")
    played = play(start, "Ann: Trade with Bob", "Bob: Revolution to Monarchy, keep war")
    assert (played.spent("Ann"), played.society("Bob")["gold"]) == (7 - 12, 30)
    open_ = play(start, "Ann: Trade with Bob", "Bob: Revolution to Monarchy, keep war", negated_trade_blocks_incoming=False)
    assert open_.society("Bob")["gold"] == 42
    kept = play(start, "Ann: Trade with Bob", "Bob: Revolution to Monarchy, keep trade\nTrade with Ann")
    assert kept.society("Bob")["gold"] == 30 - 7 + 24

"""Phase 3: the budget, research, armies and cities."""

from fractions import Fraction
from math import ceil, floor

import pytest

from pbmd.rules import seat_reader
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import Played, play, world

PRICES = (0, 4, 8, 12, 20, 32, 52, 84, 136, 220, 356, 576, 932, 1508, 2440, 3948, 6388, 10336)


# The budget


def bought(played: Played) -> tuple[int, int, int, str]:
    """Level, armies, cities and Colosseum of Ann."""
    cities = sum(city["owner"] == "Ann" for city in played.document["city"])
    return played.society("Ann")["tech"], played.society("Ann")["armies"], cities, played.wonder("Colosseum")


@pytest.mark.rule("SO-87", "SO-R14")
@pytest.mark.parametrize(
    ("gold", "got"),
    [
        # Three armies at the planned level 9, research 4 and 8, the third city 9, the bid 6: 36 gold.
        (36, (3, 3, 3, "Ann A1")),
        (35, (3, 3, 3, "")),
        (30, (3, 3, 3, "")),
        (29, (3, 3, 2, "")),
        (21, (3, 3, 2, "")),
        # The last technology goes, and the armies with it to level 2; then the first.
        (20, (2, 3, 2, "")),
        (10, (2, 3, 2, "")),
        (9, (1, 3, 2, "")),
        (3, (1, 3, 2, "")),
        (2, (1, 2, 2, "")),
        (1, (1, 1, 2, "")),
        (0, (1, 0, 2, "")),
    ],
)
def test_what_gold_does_not_carry_is_taken_off_the_back_of_the_list(gold: int, got: tuple[int, int, int, str]) -> None:
    start = world("ab. / a.. / ...", f"Ann gold {gold}", "Bob")
    played = play(start, "Ann: Buy 3 armies\nResearch 2\nBuild city at A3\nColosseum (6)")
    assert bought(played) == got
    assert played.spent("Ann") <= gold


@pytest.mark.rule("SO-R14")
def test_armies_are_counted_at_the_level_after_the_planned_research() -> None:
    """So research that cannot be paid makes the armies cheaper again."""
    start = world("a.b", "Ann tech 3 gold 32", "Bob")
    assert bought(play(start, "Ann: Buy 5 armies\nArchitecture"))[:2] == (4, 5)
    short = {**start, "society": [{**start["society"][0], "gold": 31}, start["society"][1]]}
    assert bought(play(short, "Ann: Buy 5 armies\nArchitecture"))[:2] == (3, 5)


@pytest.mark.parametrize(("gold", "result"), [(2, "carried out"), (500, "not needed")])
def test_the_order_that_says_what_to_cut_has_a_result(gold: int, result: str) -> None:
    played = play(world("a.b", f"Ann gold {gold}", "Bob"), "Ann: Buy 5 armies\nIf short, cut armies")
    view = ruleset.view(played.position, played.events, seat_reader("Ann"))
    assert ["If short, cut armies", result] in view.data["you"]["orders"]


@pytest.mark.rule("SO-86", "SO-R14")
@pytest.mark.parametrize(
    ("cut", "got"),
    [
        ("armies", (2, 1, 3, "Ann A1")),
        ("cities", (2, 4, 2, "Ann A1")),
        ("Colosseum", (2, 4, 3, "")),
        # Without Iron Working the armies are cheaper, and the bid fails for want of it.
        ("Iron Working", (1, 4, 3, "")),
        ("technology", (1, 4, 3, "")),
        ("nukes, sdi, spaceship, Mafia, cities, armies", (2, 4, 2, "Ann A1")),
    ],
)
def test_the_cut_list_goes_first_in_its_order(cut: str, got: tuple[int, int, int, str]) -> None:
    """Iron Working 4, four armies at level 2, the third city 9, the bid 6: 27 gold, of which 21 are there."""
    start = world("ab. / a.. / ...", "Ann gold 21", "Bob")
    orders = f"Ann: Iron Working\nBuy 4 armies\nBuild city at A3\nColosseum (6)\nIf short, cut {cut}"
    assert bought(play(start, orders)) == got


@pytest.mark.rule("SO-R14")
def test_of_a_cut_item_the_last_unit_of_the_last_order_goes_first_until_enough_is_gone() -> None:
    start = world("ab. / a.. / ...", "Ann tech 2 gold 10", "Bob")
    played = play(start, "Ann: Buy 3 armies\nBuild city at A3\nBuy 2 armies\nIf short, cut armies")
    # 6 + 9 + 4 = 19 gold: the fifth army has to go before 10 suffice.
    assert bought(played)[1:3] == (0, 3)
    richer = {**start, "society": [{**start["society"][0], "gold": 14}, start["society"][1]]}
    assert bought(play(richer, "Ann: Buy 3 armies\nBuild city at A3\nBuy 2 armies\nIf short, cut armies"))[1:3] == (2, 3)


@pytest.mark.rule("SO-R14")
def test_of_several_orders_that_a_cut_item_means_the_last_goes_first() -> None:
    start = world("ab. / a.. / ...", "Ann gold 9", "Bob")
    played = play(start, "Ann: Build city at A3\nBuild city at B2\nIf short, cut cities")
    assert "Ann A3" in [f"{city['owner']} {city['square']}" for city in played.document["city"]]
    assert bought(played)[2] == 3


@pytest.mark.rule("SO-98", "SO-R14", "SO-R20")
def test_a_technology_whose_predecessor_was_cut_is_not_found_and_makes_no_army_dearer() -> None:
    played = play(world("ab", "Ann gold 10", "Bob"), "Ann: Iron Working\nMonarchy\nBuy 2 armies\nIf short, cut Iron Working")
    # Monarchy's 8 are set aside, and the armies cost 1 each.
    assert bought(played)[:2] == (1, 2)
    assert sorted(played.failed("Ann")) == ["cut", "out_of_sequence"]


@pytest.mark.rule("SO-R14")
def test_when_the_cut_list_does_not_suffice_the_back_of_the_list_goes() -> None:
    start = world("ab. / a.. / ...", "Ann tech 2 gold 6", "Bob")
    played = play(start, "Ann: Buy 3 armies\nBuild city at A3\nColosseum (6)\nIf short, cut Colosseum")
    assert bought(played) == (2, 3, 2, "")
    assert played.failed("Ann") == ["cut", "cut"]


@pytest.mark.rule("SO-R14")
def test_orders_count_at_face_price_whether_or_not_they_will_prove_possible() -> None:
    """A nuke without the technology is planned for, so that armies are cut that could have been paid."""
    short = play(world("ab", "Ann tech 2 gold 499", "Bob"), "Ann: Buy 1 nuke\nBuy 3 armies")
    assert (set(short.failed("Ann")), short.each("armies")[0], short.spent("Ann")) == ({"cut"}, 0, 0)
    enough = play(world("ab", "Ann tech 2 gold 506", "Bob"), "Ann: Buy 1 nuke\nBuy 3 armies")
    assert (enough.failed("Ann"), enough.each("armies")[0], enough.spent("Ann")) == (["tech_missing"], 3, 6)


@pytest.mark.rule("SO-R14", "SO-R73")
def test_what_a_failed_order_leaves_is_not_spent_on_what_was_cut() -> None:
    start = world("ab", "Ann tech 2 gold 503", "Bob")
    played = play(start, "Ann: Buy 1 nuke\nBuy 3 armies")
    assert (sorted(played.failed("Ann"))[-1], played.each("armies")[0]) == ("tech_missing", 1)


@pytest.mark.rule("SO-42", "SO-R39")
def test_without_production_nothing_is_bought() -> None:
    start = world("ab. / a.. / ...", "Ann tech 3 gold 99", "Bob")
    played = play(start, "Ann: Revolution to Monarchy, keep war\nResearch 1\nBuy 1 army\nBuild city\nColosseum (6)")
    assert bought(played) == (3, 0, 2, "")
    assert played.failed("Ann") == ["phase_forfeited"] * 4
    assert played.society("Ann")["gold"] == 99


# Research


@pytest.mark.rule("SO-97", "SO-98", "SO-103", "SO-104", "SO-R19", "SO-24", "SO-02")
@pytest.mark.parametrize("level", range(2, 19))
def test_the_price_of_each_technology_nobody_has(level: int) -> None:
    start = world("a.b", f"Ann tech {level - 1} gold 20000", "Bob")
    played = play(start, "Ann: Research 1")
    assert (played.society("Ann")["tech"], played.spent("Ann")) == (level, PRICES[level - 1])


@pytest.mark.rule("SO-98", "SO-104")
def test_several_technologies_in_a_turn() -> None:
    played = play(world("a.b", "Ann gold 20000", "Bob"), "Ann: Research 16")
    assert (played.society("Ann")["tech"], played.spent("Ann")) == (17, sum(PRICES[:17]))


@pytest.mark.rule("SO-03", "SO-105", "SO-R19")
def test_levels_above_fifteen_go_on_forever() -> None:
    played = play(world("a.b", "Ann tech 30 gold 999", "Bob"), "Ann: Buy 2 armies")
    assert (played.spent("Ann"), played.tax("Ann")) == (60, 150)


@pytest.mark.rule("SO-99", "SO-100", "SO-101", "SO-102", "SO-R16", "SO-R18", "SO-R06")
@pytest.mark.parametrize(
    ("others", "level", "price"),
    [
        ((1, 1), 5, 20), ((5, 1), 5, Fraction(40, 3)), ((5, 9), 5, Fraction(20, 3)), ((7, 6), 7, Fraction(104, 3)),
        ((6, 6), 7, 52), ((8, 8, 8), 8, 21),
    ],
)  # fmt: skip
def test_the_more_have_it_the_cheaper_it_is(others: tuple[int, ...], level: int, price: Fraction) -> None:
    names = ("Bob", "Cat", "Dan")[: len(others)]
    societies = [f"{name} tech {tech}" for name, tech in zip(names, others, strict=True)]
    start = world("a.b.c.d"[: 2 * len(others) + 1], f"Ann tech {level - 1} gold 9999", *societies)
    assert play(start, "Ann: Research 1").spent("Ann") == ceil(price)
    nearest = floor(price + Fraction(1, 2))
    assert play(start, "Ann: Research 1", tech_cost_rounding="nearest").spent("Ann") == nearest
    assert play(start, "Ann: Research 1", tech_cost_rounding="down").spent("Ann") == floor(price)


@pytest.mark.rule("SO-R18")
def test_half_a_gold_rounds_up_to_the_nearest() -> None:
    """136 × 3/16 = 25½: thirteen of sixteen know it."""
    names = ["Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kay", "Lou", "Meg", "Ned", "Oda", "Pam"]
    societies = [f"{name} tech {9 if place < 13 else 1}" for place, name in enumerate(names)]
    start = world("abcdefghijklmnop", "Ann tech 8 gold 999", *societies)
    assert [
        play(start, "Ann: Research 1", tech_cost_rounding=rounding).spent("Ann") for rounding in ("up", "nearest", "down")
    ] == [26, 26, 25]


@pytest.mark.rule("SO-100", "SO-R16")
def test_the_printed_formula_is_an_option() -> None:
    start = world("a.b.c", "Ann tech 4 gold 999", "Bob tech 5", "Cat tech 1")
    assert play(start, "Ann: Research 1", tech_cost_formula="literal").spent("Ann") == ceil(20 * (3 - Fraction(1, 3)))
    nobody = world("a.b.c", "Ann tech 4 gold 999", "Bob tech 1", "Cat tech 1")
    assert play(nobody, "Ann: Research 1", tech_cost_formula="literal").spent("Ann") == 60


@pytest.mark.rule("SO-101", "SO-102", "SO-R17")
def test_only_societies_in_the_game_count() -> None:
    start = world("a.b", "Ann tech 4 gold 999", "Bob tech 1", "Cat tech 9 eliminated 3", "Dan eliminated 4")
    assert play(start, "Ann: Research 1").spent("Ann") == 20


@pytest.mark.rule("SO-R17", "SO-R04")
def test_research_of_this_turn_counts_from_the_next() -> None:
    start = world("a.b", "Ann tech 4 gold 999", "Bob tech 4 gold 999")
    for order in ((0, 1), (1, 0)):
        letters = [("Ann: Research 1", "Bob: Research 1")[place] for place in order]
        played = play(start, *letters)
        assert (played.spent("Ann"), played.spent("Bob")) == (20, 20)
        live = play(start, *letters, tech_discount_counts="as_processed")
        prices = [live.spent("Ann"), live.spent("Bob")]
        assert [prices[place] for place in order] == [20, 10]


# The military


@pytest.mark.rule("SO-04", "SO-25", "SO-147", "SO-R05")
@pytest.mark.parametrize(("orders", "cost", "armies"), [("Buy 3 armies", 15, 3), ("Buy 3 armies\nResearch 1", 18 + 32, 3)])
def test_armies_cost_the_level_reached_by_research(orders: str, cost: int, armies: int) -> None:
    played = play(world("a.b", "Ann tech 5 gold 99", "Bob"), f"Ann: {orders}")
    assert (played.spent("Ann"), played.society("Ann")["armies"]) == (cost, armies)


@pytest.mark.rule("SO-148")
def test_armies_are_upgraded_for_nothing() -> None:
    """(9/3 − 3/3) × 2/3 = 1⅓ cities; with level 4, 2⅔."""
    start = world("aabbb", "Ann tech 2 gold 32 armies 9", "Bob tech 3 armies 3", wars="Ann Bob 3")
    assert play(start, "Ann: Attack Bob with 9 armies").rows() == "aaAbb"
    played = play(start, "Ann: Research 2\nAttack Bob with 9 armies")
    assert (played.rows(), played.spent("Ann")) == ("aaAAb", 4 + 12)


@pytest.mark.rule("SO-105", "SO-108", "SO-111", "SO-90", "SO-106", "SO-R78")
@pytest.mark.parametrize(
    ("tech", "order", "price"),
    [(10, "nuke", None), (11, "nuke", 500), (12, "SDI", None), (13, "SDI", 1000)],
)
def test_nukes_and_sdi_need_their_technology(tech: int, order: str, price: int | None) -> None:
    played = play(world("a.b", f"Ann tech {tech} gold 1000", "Bob"), f"Ann: Buy 1 {order}")
    assert (played.spent("Ann"), played.failed("Ann")) == (price or 0, [] if price else ["tech_missing"])
    assert played.society("Ann")["nukes"] + played.society("Ann")["sdi"] == bool(price)


@pytest.mark.rule("SO-R05", "SO-15")
def test_research_comes_before_the_military() -> None:
    played = play(world("a.b", "Ann tech 10 gold 900", "Bob"), "Ann: Buy 1 nuke\nNuclear Fission")
    assert (played.failed("Ann"), played.society("Ann")["nukes"]) == ([], 1)


# Cities


@pytest.mark.rule("SO-92", "SO-95", "SO-96", "SO-26", "SO-02")
@pytest.mark.parametrize(("owned", "price"), [(1, 6), (2, 9), (3, 12), (4, 15)])
def test_a_city_costs_three_times_its_number(owned: int, price: int) -> None:
    start = world("aaaa"[:owned] + ".b / ...... / ......", "Ann gold 99", "Bob")
    assert play(start, "Ann: Build city at A2").spent("Ann") == price


@pytest.mark.rule("SO-95", "SO-R21")
def test_each_of_several_takes_the_first_square_that_is_legal_then() -> None:
    start = world("a..b / .... / .... / ....", "Ann gold 99", "Bob")
    played = play(start, "Ann: 3 cities at A3, A2, B1")
    # A3 touches nothing at first: A2 is built, then A3, then B1.
    assert (played.rows(), played.spent("Ann")) == ("aa.b/a/a", 6 + 9 + 12)
    assert play(start, "Ann: City at A3, B1").rows() == "aa.b"


@pytest.mark.rule("SO-R25")
def test_conquered_cities_count_for_the_number() -> None:
    start = world("aAb / ... / ...", "Ann gold 99", "Bob")
    assert play(start, "Ann: City at A2").spent("Ann") == 9


@pytest.mark.rule("SO-93", "SO-R22", "SO-12", "SO-11")
@pytest.mark.parametrize("squares", ["B2", "C1", "A3", "D1", "A1"])
def test_a_square_that_is_not_adjacent_or_not_free_is_not_used(squares: str) -> None:
    start = world("a#.b / .... / .... / ....", "Ann gold 99", "Bob")
    played = play(start, f"Ann: City at {squares}, B1, A2") if squares != "A1" else play(start, "Ann: City at A2, A1")
    assert played.rows() == "a#.b/a"


@pytest.mark.rule("SO-136", "SO-R22")
def test_with_the_trans_siberian_railroad_cities_stand_anywhere() -> None:
    start = world("a..b / .... / .... / ....", "Ann gold 99", "Bob", wonders="Trans-Siberian Railroad Ann A1")
    assert play(start, "Ann: City at C4").rows() == "a..b///..a"
    start["wonder"][0]["obsolete"] = True
    assert play(start, "Ann: City at C4").rows() != "a..b///..a"


@pytest.mark.rule("SO-94", "SO-R13", "SO-R23")
@pytest.mark.parametrize(
    ("text", "after"),
    [
        # Of two that are as good, the first in reading order.
        ("a.... / ..... / ..... / ..... / ....b", "aa////....b"),
        ("..... / ..... / ..a.. / ..... / ....b", "/..a/..a//....b"),
        # A notch is filled first.
        ("..... / .aa.. / .a... / ..... / ....b", "/.aa/.aa//....b"),
        # The rim is no border.
        ("..... / ..a.. / ..... / ..... / ....b", "..a/..a///....b"),
        # Foreign and nuked squares are border like free ones: B2 would be better without them.
        (".b... / ..b.. / .a... / ..... / ....b", ".b/..b/aa//....b"),
        (".#... / ..#.. / .a... / ..... / ....b", ".#/..#/aa//....b"),
    ],
)
def test_without_coordinates_a_city_stands_where_borders_are_shortest(text: str, after: str) -> None:
    assert play(world(text, "Ann gold 99", "Bob"), "Ann: Build city").rows() == after


@pytest.mark.rule("SO-R23")
def test_if_no_listed_square_is_legal_it_is_placed_all_the_same() -> None:
    start = world("a..b / .... / .... / ....", "Ann gold 99", "Bob")
    played = play(start, "Ann: City at C3, D1")
    assert (played.rows(), played.spent("Ann")) == ("aa.b", 6)
    fails = play(start, "Ann: City at C3, D1", city_list_exhausted="fail")
    assert (fails.rows(), fails.spent("Ann"), fails.failed("Ann")) == ("a..b", 0, ["no_square"])
    assert play(start, "Ann: City", city_list_exhausted="fail").rows() == "aa.b"


@pytest.mark.rule("SO-R23")
def test_without_any_legal_square_the_order_fails_and_costs_nothing() -> None:
    start = world("ab. / #.. / ...", "Ann gold 99", "Bob")
    played = play(start, "Ann: City")
    assert (played.spent("Ann"), played.failed("Ann")) == (0, ["no_square"])


@pytest.mark.rule("SO-R24", "SO-15", "SO-R04")
def test_the_same_square_goes_to_the_first_in_and_one_society_builds_before_the_next() -> None:
    start = world("a.b / ... / ...", "Ann gold 99", "Bob gold 99")
    ann, bob = "Ann: 2 cities at B1, B2", "Bob: 2 cities at B1, B2"
    assert play(start, ann, bob).rows() == "aab/.ab/..b"
    assert play(start, bob, ann).rows() == "abb/ab/a"


@pytest.mark.rule("SO-R26")
def test_a_city_bears_the_name_it_was_given() -> None:
    played = play(world("a.b / ... / ...", "Ann gold 99", "Bob"), "Ann: City of New Thebes (6) A2")
    assert [city.get("name", "") for city in played.document["city"] if city["square"] == "A2"] == ["New Thebes"]


@pytest.mark.rule("SO-91", "SO-167", "SO-R05")
def test_a_new_city_pays_tax_in_the_same_turn_at_the_new_level() -> None:
    played = play(world("a.b / ... / ...", "Ann tech 2 gold 17", "Bob"), "Ann: Research 1\nCity")
    assert played.society("Ann")["gold"] == 17 - 8 - 6 + 2 * 3 * 5


@pytest.mark.rule("SO-28", "SO-R86")
def test_rehabilitation_is_free_and_needs_no_order() -> None:
    played = play(world("aAAb", "Ann tech 2 gold 0", "Bob"))
    assert (played.rows(), played.society("Ann")["gold"]) == ("aaab", 30)
    assert play(world("aAb", "Ann tech 3", "Bob"), "Ann: Revolution to Monarchy, keep war").rows() == "aAb"
    assert play(world("aAb", "Ann tech 3", "Bob"), "Ann: Revolution to Monarchy, keep production").rows() == "aab"

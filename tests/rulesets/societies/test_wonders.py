"""The fourteen wonders: bids, places, effects, ends."""

import pytest

from pbmd.rules import Document
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import Played, play, world

WONDERS = (
    *("Tower of Babel", "Colosseum", "Trojan Horse", "Acropolis", "Silk Road", "Jihad", "Mafia", "Trans-Siberian Railroad"),
    *("National Rifle Association", "University of California", "NASCAR", "KGB", "Majestic-12 Program", "Galactic Overlord"),
)


@pytest.mark.rule("SO-105", "SO-116", "SO-118", "SO-27")
@pytest.mark.parametrize(("number", "name"), list(enumerate(WONDERS, start=1)))
def test_each_level_has_its_wonder_whose_square_is_the_base_cost(number: int, name: str) -> None:
    start = world("a.b", f"Ann tech {number} gold 200", "Bob")
    played = play(start, f"Ann: Build {name} for {number**2}")
    assert played.wonder(name) == "Ann A1"
    assert played.spent("Ann") == number**2
    if number > 1:
        early = play(world("a.b", f"Ann tech {number - 1} gold 200", "Bob"), f"Ann: Build {name} for {number**2}")
        assert (early.wonder(name), early.spent("Ann"), early.failed("Ann")) == ("", 0, ["tech_missing"])


@pytest.mark.rule("SO-116")
def test_there_is_none_for_level_fifteen() -> None:
    assert [table["name"] for table in ruleset.info.tables["wonders"]] == list(WONDERS)


@pytest.mark.rule("SO-R05", "SO-27")
def test_research_of_the_same_turn_counts() -> None:
    played = play(world("a.b", "Ann tech 6 gold 200", "Bob"), "Ann: Espionage\nMafia (49)")
    assert played.wonder("Mafia") == "Ann A1"


# Bids


def rivals(ann: int, bob: int) -> Document:
    return world("a.b / .c.", f"Ann tech 6 gold {ann}", f"Bob tech 6 gold {bob}", "Cat tech 6 gold 90")


@pytest.mark.rule("SO-119", "SO-120", "SO-122", "SO-R72", "SO-R73", "SO-60")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_the_dearest_bid_wins_and_the_others_keep_their_gold(order: tuple[int, int, int]) -> None:
    letters = ["Ann: Jihad (40)\nBuy 1 army", "Bob: Jihad (36)", "Cat: Jihad (41)"]
    played = play(rivals(46, 46), *(letters[place] for place in order))
    assert played.wonder("Jihad") == "Cat B2"
    assert [played.spent(name) for name in ("Ann", "Bob", "Cat")] == [6, 0, 41]
    assert len(played.of("wonder_bid_lost", "Bob")) == 1
    assert len(played.of("wonder_bid_lost", "Ann")) == 1
    assert not played.of("wonder_bid_lost", "Cat")


@pytest.mark.rule("SO-121", "SO-R03", "SO-R72", "SO-15")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_equal_bids_go_to_the_first_in(order: tuple[int, int]) -> None:
    letters = ["Ann: Jihad (40)", "Bob: Jihad (40)"]
    played = play(rivals(46, 46), *(letters[place] for place in order))
    assert played.wonder("Jihad") == ("Ann A1", "Bob C1")[order[0]]


@pytest.mark.rule("SO-R72", "SO-120")
def test_only_valid_bids_compete() -> None:
    """Bob's higher bid lacks the technology; Cat's city has a wonder already."""
    start = world(
        "a.b / .c.", "Ann tech 6 gold 90", "Bob tech 5 gold 90", "Cat tech 6 gold 90", wonders="Tower of Babel Cat B2"
    )
    played = play(start, "Bob: Jihad (60)", "Cat: Jihad (50)", "Ann: Jihad (36)")
    assert played.wonder("Jihad") == "Ann A1"
    assert (played.failed("Bob"), played.failed("Cat")) == (["tech_missing"], ["no_free_city"])
    assert (played.spent("Bob"), played.spent("Cat")) == (0, 0)


@pytest.mark.rule("SO-R73", "SO-122")
def test_what_a_loser_gets_back_is_not_spent_elsewhere_this_turn() -> None:
    played = play(rivals(42, 46), "Bob: Jihad (45)", "Ann: Jihad (40)\nBuy 1 army")
    assert (played.failed("Ann").count("cut"), played.each("armies")[0], played.spent("Ann")) == (1, 0, 0)


@pytest.mark.rule("SO-R72")
def test_wonders_are_resolved_in_ascending_number_whatever_the_list() -> None:
    """One free city for two bids: the lower number gets it."""
    played = play(world("a.b", "Ann tech 7 gold 200", "Bob"), "Ann: Mafia (49)\nJihad (36)")
    assert (played.wonder("Jihad"), played.wonder("Mafia"), played.failed("Ann")) == ("Ann A1", "", ["no_free_city"])
    assert played.spent("Ann") == 36


# Where wonders stand


@pytest.mark.rule("SO-117", "SO-R71")
def test_a_wonder_stands_in_the_city_named_or_else_in_the_first_without_one() -> None:
    start = world("..a.b / a...a / .....", "Ann tech 6 gold 200", "Bob", wonders="Tower of Babel Ann C1")
    assert play(start, "Ann: Jihad (36) in E2").wonder("Jihad") == "Ann E2"
    assert play(start, "Ann: Jihad (36)").wonder("Jihad") == "Ann A2"
    assert play(start, "Ann: Jihad (36) in C1").wonder("Jihad") == "Ann A2"
    assert play(start, "Ann: Jihad (36) in E1").wonder("Jihad") == "Ann A2"


@pytest.mark.rule("SO-R71", "SO-15")
def test_a_city_of_this_turn_qualifies() -> None:
    start = world("a.b / ... / ...", "Ann tech 6 gold 200", "Bob", wonders="Tower of Babel Ann A1")
    assert play(start, "Ann: Jihad (36)\nCity at A2").wonder("Jihad") == "Ann A2"
    failed = play(start, "Ann: Jihad (36)")
    assert (failed.wonder("Jihad"), failed.failed("Ann"), failed.spent("Ann")) == ("", ["no_free_city"], 0)


@pytest.mark.rule("SO-117", "SO-R76")
def test_an_obsolete_wonder_still_occupies_its_city() -> None:
    start = world("a.b", "Ann tech 6 gold 200", "Bob", wonders="Tower of Babel Ann A1 obsolete")
    assert play(start, "Ann: Jihad (36)").failed("Ann") == ["no_free_city"]


# Effects


@pytest.mark.rule("SO-126", "SO-46", "SO-37", "SO-R77", "SO-R85")
@pytest.mark.parametrize(("government", "income"), [("despotism", 35 + 49), ("monarchy", 126), ("republic", 168)])
def test_the_tower_of_babel_brings_the_square_of_the_level(government: str, income: int) -> None:
    start = world("a.b", f"Ann {government} tech 7", "Bob", wonders="Tower of Babel Ann A1")
    assert play(start).society("Ann")["gold"] == income
    start["wonder"][0]["obsolete"] = True
    assert play(start).society("Ann")["gold"] < income


@pytest.mark.rule("SO-126", "SO-R77", "SO-135")
def test_wonder_income_is_paid_in_the_turn_it_is_built() -> None:
    played = play(world("a.b", "Ann tech 7 gold 50", "Bob"), "Ann: Babel (1)")
    assert played.society("Ann")["gold"] == 49 + 35 + 49
    mafia = play(world("a.b / ... / b..", "Ann tech 7 gold 50", "Bob gold 9"), "Ann: Mafia (50)", "Bob: City")
    assert mafia.society("Ann")["gold"] == 35 + 4


@pytest.mark.rule("SO-135", "SO-R77", "SO-R86")
def test_the_mafia_brings_a_gold_for_every_city_in_the_world() -> None:
    start = world("aab / BBB / c..", "Ann monarchy tech 1", "Bob", "Cat", wonders="Mafia Ann A1")
    assert play(start).society("Ann")["gold"] == 26  # (10 + 7) × 3/2, rounded up
    start["wonder"][0]["obsolete"] = True
    assert play(start).society("Ann")["gold"] == 15


@pytest.mark.rule("SO-134", "SO-R53", "SO-153")
def test_with_jihad_no_declaration_is_needed() -> None:
    start = world("aabbb", "Ann tech 6 armies 30", "Bob tech 1", wonders="Tower of Babel Ann B1")
    assert play(start, "Ann: Attack Bob with 30 armies").rows() == "aaAbb"
    start["wonder"][0]["name"] = "Jihad"
    assert play(start, "Ann: Attack Bob with 30 armies").rows() == "aaAAA"
    start["wonder"][0]["obsolete"] = True
    assert play(start, "Ann: Attack Bob with 30 armies").rows() == "aaAbb"


@pytest.mark.rule("SO-137", "SO-50", "SO-48")
def test_with_the_national_rifle_association_a_republic_pays_a_monarchys_support() -> None:
    start = world("aaab", "Ann republic tech 9 armies 10", "Bob")
    assert play(start).society("Ann")["gold"] == 3 * 9 * 5 * 2 - 10
    start["wonder"] = [{"name": "National Rifle Association", "owner": "Ann", "square": "A1"}]
    assert play(start).society("Ann")["gold"] == 270 - 4
    start["wonder"][0]["obsolete"] = True
    assert play(start).society("Ann")["gold"] == 270 - 10


@pytest.mark.rule("SO-138", "SO-R78")
@pytest.mark.parametrize(
    ("order", "needs"),
    [
        ("Buy 1 nuke", 11), ("Buy 1 SDI", 13), ("Build spaceship part", 15), ("Galactic Overlord (196)", 14),
        ("Majestic-12 (169)", 13),
    ],
)  # fmt: skip
def test_the_university_builds_what_another_knows(order: str, needs: int) -> None:
    def world_with(bob: int, wonders: str = "University of California Ann A1", cat: str = "Cat tech 1") -> Document:
        return world("aa.b / ... / ..c", "Ann tech 10 gold 1000", f"Bob tech {bob}", cat, wonders=wonders)

    assert play(world_with(needs), f"Ann: {order}").failed("Ann") == []
    for start in (
        world_with(needs - 1),
        world_with(needs, wonders="Tower of Babel Ann A1"),
        world_with(needs, wonders="University of California Ann A1 obsolete"),
        world_with(needs, wonders="University of California Cat C3"),
    ):
        assert play(start, f"Ann: {order}").failed("Ann") == ["tech_missing"]


@pytest.mark.rule("SO-R78")
def test_the_university_learns_at_that_moment_from_the_living_only() -> None:
    start = world(
        "aa.b / ... / ...", "Ann tech 10 gold 1000", "Bob tech 10 gold 1000", wonders="University of California Ann A1"
    )
    assert play(start, "Bob: Nuclear Fission", "Ann: Buy 1 nuke").failed("Ann") == []
    start = world("aa.b", "Ann tech 10 gold 1000", "Bob", "Cat tech 15 eliminated 3", wonders="University of California Ann A1")
    assert play(start, "Ann: Buy 1 nuke").failed("Ann") == ["tech_missing"]


@pytest.mark.rule("SO-R78", "SO-R72")
def test_won_in_this_turn_it_serves_the_higher_wonders_and_the_parts_but_not_the_military() -> None:
    start = world("aaa.b", "Ann tech 10 gold 3000", "Bob tech 15")
    text = "Ann: University of California (100)\nKGB (144)\nBuild spaceship part\nBuy 1 nuke"
    played = play(start, text)
    assert played.failed("Ann") == ["tech_missing"]
    assert (played.wonder("KGB"), played.society("Ann")["spaceship_parts"], played.society("Ann")["nukes"]) == ("Ann B1", 1, 0)


@pytest.mark.rule("SO-R78", "SO-64")
def test_the_university_trains_no_spies() -> None:
    start = world("a.b", "Ann tech 1", "Bob tech 9", wonders="University of California Ann A1")
    assert play(start).each("spies") == [0, 1]


# The KGB


@pytest.mark.rule("SO-140", "SO-R79")
def test_the_kgb_makes_another_wonder_obsolete_and_then_itself() -> None:
    start = world("a.b", "Ann tech 1", "Bob tech 1", wonders="KGB Ann A1, Mafia Bob C1")
    played = play(start, "Ann: KGB obsoletes Mafia")
    assert (played.wonder("Mafia"), played.wonder("KGB")) == ("Bob C1 obsolete", "Ann A1 obsolete")
    # So it brings nothing already in this turn.
    assert played.society("Bob")["gold"] == 5


@pytest.mark.rule("SO-140", "SO-R79")
def test_it_works_in_the_turn_it_is_built_and_once() -> None:
    start = world("aa.b / b..", "Ann tech 12 gold 200", "Bob", wonders="Mafia Bob D1, Jihad Bob A2")
    played = play(start, "Ann: Use KGB on Mafia\nUse KGB on Jihad\nKGB (144)")
    assert (played.wonder("Mafia"), played.wonder("Jihad"), played.wonder("KGB")) == (
        "Bob D1 obsolete", "Bob A2", "Ann A1 obsolete",
    )  # fmt: skip
    assert played.failed("Ann") == ["no_kgb"]


@pytest.mark.rule("SO-R79")
def test_it_reaches_a_wonder_built_in_the_same_turn_but_none_unbuilt() -> None:
    start = world("a.b", "Ann tech 1", "Bob tech 7 gold 60", wonders="KGB Ann A1")
    built = play(start, "Ann: KGB obsoletes Mafia", "Bob: Mafia (49)")
    assert built.wonder("Mafia") == "Bob C1 obsolete"
    unbuilt = play(start, "Ann: KGB obsoletes Mafia")
    assert (unbuilt.failed("Ann"), unbuilt.wonder("KGB")) == (["bad_wonder"], "Ann A1")


@pytest.mark.rule("SO-R79", "SO-140")
def test_without_an_active_kgb_nothing_happens() -> None:
    start = world("a.b", "Ann", "Bob", wonders="Mafia Bob C1")
    assert play(start, "Ann: KGB obsoletes Mafia").failed("Ann") == ["no_kgb"]
    start = world("aa.b", "Ann", "Bob", wonders="Mafia Bob D1, KGB Ann A1 obsolete")
    assert play(start, "Ann: KGB obsoletes Mafia").failed("Ann") == ["no_kgb"]


# Expiry


@pytest.mark.rule("SO-128", "SO-R65", "SO-R76")
@pytest.mark.parametrize(
    ("bob", "letter", "expired"),
    [
        (6, "Bob: Espionage", False),
        (7, "Bob: Industrialization", True),
        (6, "Cat: Give Bob 1 tech", False),
        (7, "Cat: Give Bob 1 tech\nResearch 1", True),
    ],
)
def test_the_colosseum_expires_when_anyone_reaches_industrialization(bob: int, letter: str, expired: bool) -> None:
    start = world("a.b / ..c", "Ann tech 3", f"Bob tech {bob} gold 99", "Cat tech 7 gold 99", wonders="Colosseum Ann A1")
    assert play(start, letter).wonder("Colosseum") == "Ann A1" + (" obsolete" if expired else "")


@pytest.mark.rule("SO-R76", "SO-133", "SO-128")
def test_built_after_their_expiry_they_are_obsolete_at_once() -> None:
    start = world("aa.b", "Ann tech 5 gold 99", "Bob tech 10")
    played = play(start, "Ann: Colosseum (4)\nSilk Road (25)")
    assert (played.wonder("Colosseum"), played.wonder("Silk Road")) == ("Ann A1 obsolete", "Ann B1 obsolete")
    lonely = world("aa.b", "Ann tech 5 gold 99", "Bob tech 9")
    assert play(lonely, "Ann: Silk Road (25)").wonder("Silk Road") == "Ann A1"
    assert play(start, "Ann: Silk Road (25)", silk_road_expires="owner").wonder("Silk Road") == "Ann A1"


@pytest.mark.rule("SO-133", "SO-R49")
def test_by_the_owners_level_the_silk_road_expires_with_a_gift_or_a_new_owner_too() -> None:
    start = world("ba.c", "Ann tech 10 armies 50", "Bob tech 9", "Cat", wonders="Silk Road Bob A1", wars="Ann Bob 3")
    gift = play(start, "Ann: Give Bob 1 tech", silk_road_expires="owner")
    assert gift.wonder("Silk Road") == "Bob A1 obsolete"
    conquest = play(start, "Ann: Attack Bob with 50 armies", silk_road_expires="owner")
    assert conquest.wonder("Silk Road") == "Ann A1 obsolete"


@pytest.mark.rule("SO-R79")
def test_the_kgb_is_not_used_up_on_a_wonder_that_has_just_expired() -> None:
    start = world("a.b", "Ann tech 7 gold 999", "Bob tech 7", wonders="KGB Ann A1 by Bob, Colosseum Bob C1")
    played = play(start, "Ann: Research 1\nKGB obsoletes Colosseum")
    assert (played.wonder("Colosseum"), played.wonder("KGB")) == ("Bob C1 obsolete", "Ann A1")
    assert played.failed("Ann") == ["bad_wonder"]


@pytest.mark.rule("SO-128")
def test_the_level_of_an_eliminated_society_does_not_count() -> None:
    start = world("a.b", "Ann tech 5 gold 99", "Bob tech 5", "Cat tech 9 eliminated 4")
    assert play(start, "Ann: Colosseum (4)").wonder("Colosseum") == "Ann A1"


# Capture


@pytest.mark.rule("SO-R74", "SO-123")
def test_an_owner_who_lives_on_keeps_the_wonder_in_its_first_free_city() -> None:
    # (8/4 − 0) × 1 = 2 cities: C1 and D1
    start = world(
        "aabbb / ..#bb / ....c", "Ann tech 4 armies 8", "Bob tech 4", "Cat",
        wonders="Mafia Bob C1, Jihad Bob E1, KGB Bob D1", wars="Ann Bob 3",
    )  # fmt: skip
    played = play(start, "Ann: Attack Bob with 8 armies\nTargets: C1, D1")
    assert played.rows() == "aaAAb/..#bb/....c"
    # Mafia (7) moves before the KGB (12); E1 has Jihad.
    assert (played.wonder("Jihad"), played.wonder("Mafia"), played.wonder("KGB")) == ("Bob E1", "Bob D2", "Bob E2")
    assert len(played.of("wonder_moved")) == 2


@pytest.mark.rule("SO-R74")
def test_without_a_free_city_it_moves_to_the_first() -> None:
    start = world("abb", "Ann tech 4 armies 4", "Bob tech 4", wonders="Mafia Bob B1, Jihad Bob C1", wars="Ann Bob 3")
    played = play(start, "Ann: Attack Bob with 4 armies")
    assert (played.rows(), played.wonder("Mafia"), played.wonder("Jihad")) == ("aAb", "Bob C1", "Bob C1")


@pytest.mark.rule("SO-123", "SO-R75")
def test_wonders_are_captured_with_the_last_city() -> None:
    start = world("aabb", "Ann tech 4 armies 30", "Bob tech 4", wonders="Mafia Bob C1, Tower of Babel Bob D1", wars="Ann Bob 3")
    start["society"].append({"name": "Cat"})
    start["map"]["side"] = 5
    start["city"].append({"square": "E5", "owner": "Cat"})
    played = play(start, "Ann: Attack Bob with 30 armies")
    assert (played.wonder("Mafia"), played.wonder("Tower of Babel")) == ("Ann C1", "Ann D1")
    assert [wonder["builder"] for wonder in played.document["wonder"]] == ["Bob", "Bob"]
    assert played.society("Bob")["eliminated_turn"] == 8
    assert len(played.of("wonder_captured")) == 2
    # Captured income is paid at once (the cities are still unproductive).
    assert played.society("Ann")["gold"] == 2 * 20 + 16 + 5


def allies(bob: str = "bb", **orders: str) -> Played:
    """Ann takes C1, then Cat the last city D1 of Bob, who has Mafia at C1 and Jihad at D1; Dan looks on."""
    start = world(
        f"aa{bob}cc / ...... / ..d...", "Ann tech 4 armies 4", "Bob tech 4", "Cat tech 4 armies 9", "Dan tech 4 armies 9",
        wonders="Mafia Bob C1, Jihad Bob D1", wars="Ann Bob 3, Cat Bob 3",
    )  # fmt: skip
    letters = {
        "Ann": "Attack Bob with 4 armies\nTargets: C1",
        "Cat": "Attack Bob with 9 armies\nTargets: D1",
    }
    for name, text in orders.items():
        letters[name] = f"{letters[name]}\n{text}" if name in letters else text
    played = play(start, *(f"{name}: {text}" for name, text in letters.items()))
    assert played.rows().split("/")[0] == "aaACcc"
    return played


@pytest.mark.rule("SO-123", "SO-R75", "SO-R74")
def test_without_an_agreement_the_captor_of_the_last_city_gets_all() -> None:
    played = allies()
    # Mafia's square fell to Ann while Bob lived: it moved to D1 with Jihad; both stay on the heir's square.
    assert (played.wonder("Jihad"), played.wonder("Mafia")) == ("Cat D1", "Cat D1")


@pytest.mark.rule("SO-124", "SO-R75")
def test_allies_who_agree_give_all_or_one_to_one_of_them() -> None:
    spoils = "Spoils of Bob to Ann"
    played = allies(Ann=spoils, Cat=spoils)
    assert (played.wonder("Jihad"), played.wonder("Mafia")) == ("Ann A1", "Ann B1")
    one = "Spoils of Bob: Mafia to Ann"
    played = allies(Ann=one, Cat=one)
    assert (played.wonder("Jihad"), played.wonder("Mafia")) == ("Cat D1", "Ann A1")
    # A line for one wonder goes before one for all.
    played = allies(Ann="Spoils of Bob to Ann", Cat="Spoils of Bob to Cat\nSpoils of Bob: Mafia to Ann")
    assert (played.wonder("Jihad"), played.wonder("Mafia")) == ("Cat D1", "Ann A1")


@pytest.mark.rule("SO-124", "SO-R75")
@pytest.mark.parametrize(
    "orders",
    [
        {"Ann": "Spoils of Bob to Ann"},
        {"Ann": "Spoils of Bob to Ann", "Cat": "Spoils of Bob to Cat"},
        {"Ann": "Spoils of Bob to Dan", "Cat": "Spoils of Bob to Dan"},
        {"Ann": "Spoils of Bob to Ann", "Dan": "Spoils of Bob to Ann"},
        {"Ann": "Spoils of Bob to Ann", "Cat": "Spoils of Bob: Jihad to Cat"},
    ],
)
def test_without_all_attackers_agreeing_on_one_of_them_the_captor_gets_all(orders: dict[str, str]) -> None:
    played = allies(**orders)
    assert (played.wonder("Jihad"), played.wonder("Mafia")) == ("Cat D1", "Cat D1")


@pytest.mark.rule("SO-R75", "SO-R96")
def test_an_attacker_that_was_eliminated_in_the_meantime_inherits_nothing() -> None:
    start = world("abc", "Ann armies 1", "Bob tech 4", "Cat tech 4 armies 8 nukes 1", wonders="Mafia Bob B1")
    played = play(
        start,
        "Ann: Spoils of Bob to Ann\nAttack Bob with 1 army",
        "Cat: Spoils of Bob to Ann\nLaunch 1 nuke at Ann, targets A1\nAttack Bob with 8 armies",
    )
    assert (played.rows(), played.wonder("Mafia")) == ("#Cc", "Cat B1")


@pytest.mark.rule("SO-R43", "SO-R75")
def test_spies_and_revolutions_do_not_touch_the_spoils() -> None:
    spoils = "Spoils of Bob to Ann"
    played = allies(Ann=spoils, Cat=spoils + "\nRevolution to Monarchy, keep war")
    assert played.wonder("Jihad") == "Ann A1"


@pytest.mark.rule("SO-R70", "SO-R75")
def test_if_the_last_city_was_nuked_its_wonders_perish() -> None:
    start = world("aa.b / ..c", "Ann tech 4 nukes 1", "Bob tech 4", "Cat", wonders="Mafia Bob D1")
    played = play(start, "Ann: Launch 1 nuke at Bob\nTargets: D1")
    assert (played.wonder("Mafia"), played.rows()) == ("destroyed", "aa.#/..c")

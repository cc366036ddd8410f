"""Phase 4: foreign aid."""

import re
from html import unescape

import pytest

from pbmd.rendering.render import report_html, report_text
from pbmd.rules import Document, seat_reader
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import fault, play, world


def start(
    ann: str = "tech 5 gold 50 armies 9 spies 3 nukes 2 sdi 2", bob: str = "tech 3", text: str = "ab. / ... / ..c"
) -> Document:
    return world(text, f"Ann {ann}", f"Bob {bob}", "Cat tech 3")


@pytest.mark.rule("SO-30", "SO-145", "SO-R80", "SO-R82", "SO-31")
def test_everything_that_may_be_granted_changes_hands() -> None:
    text = "Ann: Give Bob 2 armies\nGive Bob 1 spy\nGive Bob 1 nuke\nGive Bob 2 SDI\nGive Bob 1 tech\nGive Bob 20 gold"
    played = play(start(), text)
    ann, bob = played.society("Ann"), played.society("Bob")
    assert [ann[field] for field in ("armies", "spies", "nukes", "sdi", "tech")] == [7, 2, 1, 0, 5]
    assert [bob[field] for field in ("armies", "spies", "nukes", "sdi", "tech")] == [2, 1, 1, 2, 4]
    assert (ann["gold"], bob["gold"]) == (50 - 20 + 25, 20 + 20)
    assert set(played.audiences("aid")) == {("Ann", "Bob")}


@pytest.mark.rule("SO-144", "SO-R81")
@pytest.mark.parametrize(
    ("gift", "needs"),
    [("2 armies", True), ("1 nuke", True), ("1 SDI", True), ("1 spy", False), ("1 tech", False), ("Architecture", False),
     ("5 gold", False)],
)  # fmt: skip
def test_military_aid_goes_to_neighbours_only(gift: str, needs: bool) -> None:
    far = start(text="a.b / ... / ..c")
    played = play(far, f"Ann: Give Bob {gift}")
    assert played.failed("Ann") == (["not_adjacent"] if needs else [])
    assert play(start(), f"Ann: Give Bob {gift}").failed("Ann") == []
    assert play(far, f"Ann: Give Bob {gift}", aid_needs_adjacency="").failed("Ann") == []
    everything = "armies, nukes, sdi, tech, spies, gold"
    assert play(far, f"Ann: Give Bob {gift}", aid_needs_adjacency=everything).failed("Ann") == ["not_adjacent"]


@pytest.mark.rule("SO-144", "SO-14")
def test_a_city_of_this_turn_makes_neighbours() -> None:
    far = start(ann="tech 5 gold 50 armies 9", text="a.b / ... / ..c")
    assert play(far, "Ann: Give Bob 2 armies\nCity at B1").failed("Ann") == []


@pytest.mark.rule("SO-R80")
def test_gold_cannot_be_given_with_the_option() -> None:
    document = start()
    assert fault({**document, "options": {"aid_gold": False}}, "Ann", "Give Bob 5 gold") == "not_grantable"


@pytest.mark.rule("SO-R82", "SO-143")
def test_even_an_enemy_can_be_helped() -> None:
    document = {**start(), "war": [{"between": ["Ann", "Bob"], "since": 3}]}
    assert play(document, "Ann: Give Bob 2 armies\nGive Bob 2 armies").each("armies") == [5, 4, 0]


@pytest.mark.rule("SO-R83", "SO-145")
@pytest.mark.parametrize(("techs", "level"), [(1, 4), (2, 5), (7, 5)])
def test_technology_is_kept_by_the_giver_and_raises_the_receiver_at_most_to_its_level(techs: int, level: int) -> None:
    played = play(start(), f"Ann: Give Bob {techs} techs")
    assert played.each("tech") == [5, level, 3]


@pytest.mark.rule("SO-R83", "SO-98")
@pytest.mark.parametrize(
    ("name", "codes", "level"),
    [("Architecture", [], 4), ("Geography", ["not_next_tech"], 3), ("Monarchy", ["not_next_tech"], 3)],
)
def test_a_named_technology_must_be_the_receivers_next(name: str, codes: list[str], level: int) -> None:
    played = play(start(), f"Ann: Give Bob {name}")
    assert (played.failed("Ann"), played.society("Bob")["tech"]) == (codes, level)


@pytest.mark.rule("SO-R83")
def test_what_the_giver_lacks_cannot_be_given() -> None:
    played = play(start(ann="tech 3"), "Ann: Give Bob Architecture\nGive Bob 1 tech\nGive Bob 1 army")
    assert played.each("tech") == [3, 3, 3]
    assert played.failed("Ann")[1:] == ["nothing_to_give"] * 2
    assert len(played.failed("Ann")) == 3


@pytest.mark.rule("SO-R05", "SO-R83")
def test_research_of_this_turn_can_be_given() -> None:
    assert play(start(), "Ann: Religion\nGive Bob 3 techs").each("tech") == [6, 6, 3]


@pytest.mark.rule("SO-R84")
def test_what_there_is_is_given() -> None:
    assert play(start(), "Ann: Give Bob 20 armies").each("armies") == [0, 9, 0]
    played = play(start(), "Ann: Give Bob 99 gold")
    assert played.each("gold")[:2] == [25, 50 + 15]


@pytest.mark.rule("SO-R84", "SO-15", "SO-R04")
def test_what_was_received_earlier_in_the_phase_can_be_passed_on() -> None:
    document = start(ann="tech 3 armies 4", text="abc")
    ann, bob = "Ann: Give Bob 4 armies", "Bob: Give Cat 4 armies"
    assert play(document, ann, bob).each("armies") == [0, 0, 4]
    late = play(document, bob, ann)
    assert (late.each("armies"), late.failed("Bob")) == ([0, 4, 0], ["nothing_to_give"])


@pytest.mark.rule("SO-R84", "SO-R55", "SO-14")
def test_gifts_serve_in_war_the_same_turn() -> None:
    document = world("abbc", "Ann tech 4 armies 9", "Bob tech 4", "Cat tech 4", wars="Bob Cat 3, Ann Bob 3")
    played = play(document, "Ann: Give Bob 4 armies", "Bob: Attack Cat with 4 armies")
    assert played.rows() == "abbB"


@pytest.mark.rule("SO-R27", "SO-66")
def test_a_receiver_takes_spies_only_up_to_the_limit() -> None:
    played = play(start(bob="tech 3 spies 4"), "Ann: Give Bob 3 spies")
    assert played.each("spies") == [2, 5, 0]
    assert played.failed("Ann") == ["spy_limit"]
    full = play(start(bob="tech 3 spies 5"), "Ann: Give Bob 3 spies")
    assert (full.each("spies"), full.failed("Ann")) == ([3, 5, 0], ["spy_limit"])
    assert play(start(bob="tech 3 spies 4"), "Ann: Give Bob 3 spies", spy_stock_max=6).each("spies") == [1, 6, 0]


@pytest.mark.rule("SO-R27", "SO-R83", "SO-R84")
@pytest.mark.parametrize(
    ("line", "words", "codes"),
    [
        ("Give Bob 3 spies", "1 spy given; 2 not: the receiver can keep no more spies", [("spy_limit", 2)]),
        (
            "Give Bob 9 spies",
            "1 spy given; 3 not: the receiver can keep no more spies; 5 not: there was no more to give",
            [("spy_limit", 3), ("nothing_to_give", 5)],
        ),
        ("Give Bob 12 armies", "9 armies given; 3 not: there was no more to give", [("nothing_to_give", 3)]),
        (
            "Give Bob 7 techs",
            "technologies up to Geography given; 5 not: there was no more to give",
            [("nothing_to_give", 5)],
        ),
        ("Give Bob 1 spy", "1 spy given", []),
        ("Give Cat 1 nuke", "there was nothing to give", [("nothing_to_give", 0)]),
    ],
)
def test_a_gift_that_is_cut_says_by_how_much_and_why(line: str, words: str, codes: list[tuple[str, int]]) -> None:
    played = play(start(ann="tech 5 armies 9 spies 4", bob="tech 3 spies 4"), f"Ann: {line}", aid_needs_adjacency="")
    assert [(data["code"], data["count"]) for data in played.of("order_failed", "Ann")] == codes
    view = ruleset.view(played.position, played.events, seat_reader("Ann"))
    for report in (report_text(ruleset, view), report_html(ruleset, view)):
        assert words in " ".join(unescape(re.sub(r"<[^>]+>", " ", report)).split())


@pytest.mark.rule("SO-R39", "SO-31")
def test_a_society_in_revolution_gives_nothing_but_can_receive() -> None:
    played = play(start(), "Bob: Revolution to Monarchy, keep war\nGive Ann 1 army", "Ann: Give Bob 2 armies")
    assert (played.each("armies"), played.failed("Bob")) == ([7, 2, 0], ["phase_forfeited"])


@pytest.mark.rule("SO-31", "SO-R07")
def test_a_negated_phase_gives_nothing_but_receives() -> None:
    document = start()
    document["society"][2]["spies"] = 1
    cat = "Cat: Spy on Bob, target foreign aid"
    played = play(document, cat, "Ann: Give Bob 2 armies", "Bob: Give Ann 1 tech")
    assert (played.each("armies"), played.failed("Bob")) == ([7, 2, 0], ["phase_negated"])

"""Who sees what (section 8): the audience of every event, the chart, the end of the game."""

import re
from typing import Any

import pytest
from hypothesis import given

from pbmd.rendering.picture import map_svg
from pbmd.rendering.render import map_text, report_text
from pbmd.rules import GM, PUBLIC, Event, seat_reader
from rulesets.societies import ruleset
from tests.rulesets.budgets import SMALL
from tests.rulesets.societies.harness import Played, play, resolve, world
from tests.rulesets.societies.strategies import Turn, turns

PUBLIC_EVENTS = {
    "turn_resolved", "research", "city_built", "wonder_built", "wonder_obsolete", "wonder_moved", "wonder_captured",
    "wonder_destroyed", "part_built", "field_battle", "attack", "nuke_strike", "eliminated", "war", "peace", "revolution",
    "government", "victory", "orders_revealed",
}  # fmt: skip
OWN_EVENTS = {
    "spies_trained", "spies_lost", "spy_result", "function_negated", "defence_result", "trade_income", "order_failed",
    "order_cut", "purchase", "wonder_bid_lost", "rehabilitated", "attack_called_off", "tax", "orders", "budget",
    "field_numbers", "attack_numbers", "defence_numbers",
}  # fmt: skip
SHARED_EVENTS = {"caravan": "partner", "aid": "to", "peace_offer": "to", "concession": "to"}


def audience(event: Event) -> tuple[str, ...] | None:
    """Who may know an event, by the table of the specification."""
    if event.kind in PUBLIC_EVENTS:
        return None
    if event.kind in OWN_EVENTS:
        return (event.data["society"],)
    return tuple(sorted({event.data["society"], event.data[SHARED_EVENTS[event.kind]]}))


@pytest.mark.rule("SO-53", "SO-R99")
@given(turns())
@SMALL
def test_every_event_is_told_to_those_of_the_table_and_nobody_else(turn: Turn) -> None:
    for event in turn.played().events:
        told = None if event.audience is None else tuple(sorted(event.audience))
        assert told == audience(event), event
        if event.detail:
            assert event.insiders == (event.data["society"],)


SECRET = ("gold", "cost", "spend", "treasury", "home", "lost", "sent", "armies", "spies", "sdi", "gross", "income")


@pytest.mark.rule("SO-R99")
@given(turns())
@SMALL
def test_no_public_event_has_a_number_that_is_secret(turn: Turn) -> None:
    for event in turn.played().events:
        if event.audience is None and event.kind != "orders_revealed":
            assert not set(event.data) & set(SECRET), event


def start(**options: Any) -> dict[str, Any]:
    return world(
        "aab.. / #cb.. / .c... / ..... / .....",
        "Ann tech 7 gold 111 armies 12 spies 3 nukes 4 sdi 5 parts 2", "Bob republic tech 6 gold 222",
        "Cat tech 4", "Eve eliminated 3",
        wonders="Mafia Ann A1, KGB Ann B1 obsolete, Jihad destroyed by Eve", wars="Ann Cat 3", **options,
    )  # fmt: skip


def own(played: Played, name: str) -> Any:
    return played.view(seat_reader(name))["own"]


@pytest.mark.rule("SO-R99", "SO-20", "SO-08", "SO-01")
def test_the_chart_and_the_map_are_public() -> None:
    """Name, government, level, number of cities, wonders, parts, wars, eliminations; owners, nuked squares, wonders."""
    played = play(start())
    text = report_text(ruleset, ruleset.view(played.position, played.events, PUBLIC))
    for words in (
        "Ann",
        "B  Bob  Republic   level 6 (Religion), 2 cities",
        "Mafia (A1)",
        "KGB (B1, obsolete)",
        "at war with Cat",
        "Eve",
        "Jihad",
    ):
        assert words in text, text
    rows = [line.split() for line in text.splitlines() if line[:2].strip().isdigit()]
    assert rows[0] == ["1", "A*", "A*", "B", ".", "."]
    assert rows[1] == ["2", "x", "C", "B", ".", "."]
    svg = map_svg(ruleset.view(played.position, played.events, PUBLIC))
    assert svg
    for label in (">A<", ">E<", ">1<", ">5<"):
        assert label in svg


@pytest.mark.rule("SO-R99")
def test_treasury_and_forces_are_in_the_owners_report_only() -> None:
    played = play(start())
    stock = own(played, "Ann")["stock"]
    assert stock == {**stock, "gold": 111 + 70 + 6, "armies": 12, "spies": 4, "nukes": 4, "sdi": 5}
    for reader in (PUBLIC, seat_reader("Bob")):
        assert "187" not in report_text(ruleset, ruleset.view(played.position, played.events, reader))
    gm = report_text(ruleset, ruleset.view(played.position, played.events, GM))
    assert "187" in gm


@pytest.mark.rule("SO-R99")
@pytest.mark.parametrize(("column", "value"), [("gold", 187), ("armies", 12), ("spies", 4), ("nukes", 4), ("sdi", 5)])
def test_the_option_adds_columns_to_the_chart(column: str, value: int) -> None:
    played = play(start(public_chart=column))
    text = report_text(ruleset, ruleset.view(played.position, played.events, PUBLIC))
    text = " ".join(text.split())
    assert f"{column} {value}" in text.lower()
    others = {"gold", "armies", "spies", "nukes", "sdi"} - {column}
    chart = text.lower().partition("the chart")[2]
    assert not [name for name in others if f"{name} " in chart]


@pytest.mark.rule("SO-R99")
def test_next_turns_prices_are_in_the_private_report() -> None:
    text = report_text(ruleset, ruleset.view((p := play(start())).position, p.events, seat_reader("Bob")))
    # Espionage for 52 × 2/3, an army at level 6, the third city 9, six caravans.
    for words in ("Espionage 35", "army 6", "city 9", "6 caravans"):
        assert words in text, text


def ended(**options: Any) -> Played:
    document = world("a.b", "Ann tech 15 gold 5000 parts 3", "Bob tech 3 gold 50", **options)
    first = play(document, "Bob: Buy 2 armies", "Ann: Buy 1 army")
    return play(first.document, "Bob: Research 1", "Ann: Engines (1400)").at_the_end(first)


def test_at_the_end_all_orders_are_opened_unless_the_option_says_no() -> None:
    played = ended()
    text = report_text(ruleset, ruleset.view(played.position, played.events, PUBLIC))
    for line in ("Buy 2 armies", "Buy 1 army", "Research 1", "Build engines for 1400"):
        assert line in text, text
    shut = ended(reveal_at_end=False)
    text = report_text(ruleset, ruleset.view(shut.position, shut.events, PUBLIC))
    for line in ("Buy 2 armies", "Buy 1 army", "Research 1", "1400"):
        assert line not in text, text


def test_positions_do_not_grow_with_the_turns() -> None:
    """The orders of turns gone by are not in them; those that a document of former times has are opened with the others."""
    played = ended()
    assert "past" not in played.document
    own = {"turn": 7, "sheets": [{"player": "Bob", "arrival": [1, 0], "lines": ["Buy 9 armies"]}]}
    document = {**world("a.b", "Ann tech 15 gold 5000 parts 3", "Bob tech 3 gold 50"), "past": [own]}
    last = play(document, "Bob: Research 1", "Ann: Engines (1400)").at_the_end()
    assert last.document["past"] == [own]
    opened = [(event.data["turn"], event.data["lines"]) for event in last.events if event.kind == "orders_revealed"]
    assert opened == [(8, ["Build engines for 1400"]), (7, ["Buy 9 armies"]), (8, ["Research 1"])]


@pytest.mark.rule("SO-R03")
def test_opened_orders_do_not_tell_who_was_first() -> None:
    document = world("a.b", "Ann tech 15 gold 5000 parts 3", "Bob tech 3 gold 50")
    letters = [("Bob", "Research 1"), ("Ann", "Engines (1400)")]
    worlds = [resolve(document, letters).at_the_end(), resolve(document, letters[::-1]).at_the_end()]
    for reader in (PUBLIC, seat_reader("Bob")):
        assert worlds[0].bytes_for(reader) == worlds[1].bytes_for(reader)


@pytest.mark.rule("SO-R96")
def test_the_eliminated_learn_what_happened_and_then_only_what_is_public() -> None:
    document = world("ab.c", "Ann tech 4 armies 20", "Bob tech 4 armies 2", "Cat", wars="Ann Bob 3")
    played = play(document, "Ann: Attack Bob with 20 armies")
    assert "2 armies defended" in str(own(played, "Bob"))
    later = play(played.document, "Ann: Buy 1 army")
    assert later.view(seat_reader("Bob")) == {**later.view(PUBLIC), "out": True, "happened": None}


@pytest.mark.rule("SO-R99")
def test_the_reader_stands_first_in_the_chart_and_then_who_has_most_cities() -> None:
    played = play(start())
    text = report_text(ruleset, ruleset.view(played.position, played.events, seat_reader("Cat")))
    rows = [line.split()[:2] for line in text.partition("\nTHE CHART\n")[2].splitlines() if re.match(r"  [A-E]  ", line)]
    assert rows[:4] == [["C", "Cat"], ["A", "Ann"], ["B", "Bob"], ["E", "Eve"]]


def test_who_reached_a_level_stands_in_one_line_and_the_reader_reads_of_it_once() -> None:
    played = play(world("a.b.c", "Ann gold 9", "Bob gold 9", "Cat"), "Ann: Research 1", "Bob: Research 1")
    found = {
        name: report_text(ruleset, ruleset.view(played.position, played.events, seat_reader(name))) for name in ("Ann", "Cat")
    }
    assert "Ann and Bob have reached level 2 (Iron Working)." in found["Cat"]
    assert "Bob has reached level 2 (Iron Working)." in found["Ann"]
    assert "Research 1  level 2 reached, cost 4" in found["Ann"]


def test_the_map_in_words_says_which_cities_everybody_has() -> None:
    played = play(start())
    text = map_text(ruleset, ruleset.view(played.position, (), seat_reader("Bob")))
    assert "A  Ann: A1, B1; wonders: Mafia (A1), KGB (B1, obsolete)\nB  Bob: C1, C2\n" in text
    assert "Nuked squares: A2" in text


def test_a_budget_that_was_not_all_spent_is_shown_with_what_was_cut() -> None:
    document = world("a.b", "Ann tech 3 gold 10", "Bob")
    played = play(document, "Ann: Buy 2 armies\nColosseum (6)")
    text = report_text(ruleset, ruleset.view(played.position, played.events, seat_reader("Ann")))
    for words in ("Buy 2 armies", "6 gold", "Build Colosseum for 6", "cut", "12 gold"):
        assert words in text, text


def test_wars_are_told_with_the_numbers_that_are_ones_own() -> None:
    document = world("aab", "Ann tech 4 armies 9", "Bob tech 4 armies 5", wars="Ann Bob 3")
    played = play(document, "Ann: Attack Bob with 9 armies")
    ann, bob = (str(own(played, name)["wars"]) for name in ("Ann", "Bob"))
    assert ("9 armies" in ann, "lost 1" in ann) == (True, True)
    assert ("5 armies" in bob, "9 armies" in bob) == (True, False)


@pytest.mark.rule("SO-53", "SO-R14")
def test_the_private_report_has_ones_canonical_orders_with_their_outcome() -> None:
    document = world("ab", "Ann tech 3 gold 10", "Bob tech 3", wars="Ann Bob 3")
    played = play(document, "Ann: armies x2\ntrade with bob\nColosseum (6)")
    lines = own(played, "Ann")["sheet"]["lines"]
    assert [line["text"] for line in lines] == ["Buy 2 armies", "Trade with Bob", "Build Colosseum for 6"]
    bought, unsent, cut = (line["result"] for line in lines)
    assert ("cost 6" in bought, "at war" in unsent, "cut" in cut) == (True, True, True)
    assert own(played, "Bob")["sheet"] == {"sent": False, "lines": []}


@pytest.mark.rule("SO-R03", "SO-67")
def test_the_victim_of_two_societies_cannot_tell_which_of_them_came_first() -> None:
    start = world("b.a / ... / c..", "Ann tech 6 spies 1", "Bob tech 6 gold 90 armies 5", "Cat tech 6 spies 1")
    letters = ("Ann: Spy on Bob, target trade", "Cat: Spy on Bob, target aid", "Bob: Research 1")
    reports = [
        report_text(ruleset, ruleset.view(played.position, played.events, seat_reader("Bob")))
        for played in (play(start, *letters), play(start, *reversed(letters)))
    ]
    assert "Spies negated your trade." in reports[0]
    assert reports[0] == reports[1]

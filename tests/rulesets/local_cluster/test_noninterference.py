"""Secrecy, proved: offers, held mails, refusals and failed lines can be changed without a byte of difference to anybody else.

Each test plays a course of mails twice, in two worlds that differ in something only some may know, and compares all that the
others get: views after every item and step, of which reports and maps are made, what is told at once, order forms, who is
awaited. That held mails show to nobody, and refused ones leave no trace, all rulesets have promised.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbmd.archive.write.turns import seen_events
from pbmd.conformance.everything_sent import answer, reader_of, view_and_form
from pbmd.rules import Dice, Document, HmacDice, ScriptedDice, seen_by
from rulesets.local_cluster import ruleset
from tests.doses import dose
from tests.rulesets import budgets
from tests.rulesets.local_cluster.harness import Item, duel, mail, state
from tests.rulesets.local_cluster.strategies import Course, short_course

Told = dict[str, list[str]]
"""All that each seat, and the public (""), gets, one thing after the other."""


def told(document: Document, items: Iterable[Item], dice: Dice) -> Told:
    """All that each seat gets in the course of these items."""
    assert ruleset.ready is not None
    at = ruleset.load(document)
    got: Told = {seat: [] for seat in (*ruleset.seats(at), "")}
    _report(got, at, ())
    for place, item in enumerate(items, start=1):
        if isinstance(item, str):
            for seat in ruleset.awaiting(at):
                at = ruleset.miss(at, seat).position
        else:
            receipt = ruleset.receive(at, mail(*item, place))
            at = receipt.position
            got[item[0]].append(answer(receipt))
            _tell(got, receipt.events)
        while ruleset.outcome(at) is None and ruleset.ready(at):
            resolution = ruleset.resolve(at, dice)
            at = resolution.position
            _report(got, at, resolution.events)
        _report(got, at, ())
    return got


def _tell(got: Told, events: Iterable[Any]) -> None:
    assert ruleset.tell is not None
    for seat in got:
        got[seat] += [ruleset.tell(event) for event in seen_by(tuple(events), reader_of(seat))]


def _report(got: Told, at: Any, events: Iterable[Any]) -> None:
    for seat in got:
        archived = seen_events(tuple(events), reader_of(seat))
        got[seat].append(view_and_form(ruleset, at, tuple(events), seat) + json.dumps([sorted(ruleset.awaiting(at)), archived]))


def unrepeated(entries: list[str]) -> list[str]:
    """What a reader gets, without what is the same as the last: that an item changed nothing cannot be seen."""
    return [entry for place, entry in enumerate(entries) if not place or entry != entries[place - 1]]


def assert_hidden(one: Course, other: Course, but: Iterable[str]) -> None:
    """Nobody but those excepted can tell the two worlds apart."""
    worlds = [told(c.document, c.items, HmacDice(c.secret, b"")) for c in (one, other)]
    _compare(worlds, but)


def _compare(worlds: list[Told], but: Iterable[str]) -> None:
    for seat in worlds[0]:
        if seat not in but:
            seen, seen_too = (unrepeated(world[seat]) for world in worlds)
            assert seen == seen_too, f"{seat or 'the public'} can tell"


def without(course: Course, words: str) -> Course:
    """The same course without the lines that match."""
    items: list[Item] = []
    for item in course.items:
        if isinstance(item, str):
            items.append(item)
        else:
            kept = [line for line in item[1].splitlines() if not re.search(words, line, re.I)]
            items.append((item[0], "\n".join(kept) or "# nothing"))
    return replace(course, items=tuple(items))


def at_places(course: Course, extra: list[tuple[int, Item]]) -> Course:
    """The same course with these items in between."""
    items = list(course.items)
    for place, item in sorted(extra, key=lambda entry: entry[0], reverse=True):
        items.insert(place % (len(items) + 1), item)
    return replace(course, items=tuple(items))


SMALL = settings(budgets.SMALL, max_examples=dose(20, 40))
"""Each example plays two courses of a whole game, and looks at all that everybody gets after each mail."""
# A few, the same for all tests: they take long to make.
COURSES = st.integers(0, 59).map(short_course)
PLACES = st.lists(st.integers(0, 20), min_size=1, max_size=4)
TREATY = st.sampled_from(("peace", "trade treaty", "military pact"))


@pytest.mark.rule("LC-R102", "LC-R36")
@given(COURSES, PLACES, TREATY, st.booleans())
@SMALL
def test_a_third_player_cannot_tell_who_offers_what_to_whom(course: Course, places: list[int], treaty: str, back: bool) -> None:
    """Offers, their withdrawal and their refusal between Terrans and Zorg, as long as nothing is agreed."""
    quiet = without(course, r"(Accept|Decline|Withdraw|Offer) .*(Terrans|Zorg)")
    quiet = replace(quiet, document={**quiet.document, "offers": []})
    ends: Item = ("Terrans", f"Withdraw {treaty} offer to Zorg") if back else ("Zorg", f"Decline {treaty} from Terrans")
    offer: Item = ("Terrans", f"Offer {treaty} to Zorg")
    loud = at_places(quiet, [(place, item) for place, item in zip(places, (offer, ends, offer, offer), strict=False)])
    assert_hidden(quiet, loud, {"Terrans", "Zorg"})


@pytest.mark.rule("LC-R102")
@given(COURSES)
@SMALL
def test_standing_offers_are_hidden_from_third_players(course: Course) -> None:
    quiet = without(course, r"(Accept|Decline|Withdraw|Offer) .*(Terrans|Zorg)")
    turn = quiet.document["turn"]
    none = {**quiet.document, "offers": []}
    some = {**none, "offers": [{"kind": "trade", "from": "Terrans", "to": "Zorg", "turn": turn},
                               {"kind": "pact", "from": "Zorg", "to": "Terrans", "turn": turn}]}  # fmt: skip
    assert_hidden(replace(quiet, document=none), replace(quiet, document=some), {"Terrans", "Zorg"})


FAILING = (
    "Build fleet at {other}", "Develop Portal on {other}", "Research Ascension", "Cancel trade treaty with Wyvern",
    "Null military pact with Wyvern", "Offer peace to Wyvern", "Gift 1 credit to Wyvern", "Move capital to {other}",
    "Bombard Wyvern", "Land all armies on Wyvern", "Load all armies at Wyvern", "Move all fleets from Wyvern to Delphi",
    "Accept peace from Qix", "Withdraw trade treaty offer to Qix", "Redevelop Mines into Portal on {other}",
)  # fmt: skip


@pytest.mark.rule("LC-R102", "LC-R07")
@given(COURSES, st.lists(st.sampled_from(FAILING), min_size=1, max_size=5))
@SMALL
def test_failed_lines_are_seen_by_their_player_only(course: Course, failing: list[str]) -> None:
    document = {**course.document, "turn": 3, "waiting": ["Zorg", "Qix"], "offers": []}
    document["relations"] = [entry for entry in document["relations"] if "Wyvern" not in entry["between"]]
    other = "Wyvern"
    lines = "\n".join(line.format(other=other) for line in failing)
    one = replace(course, document=document, items=(("Zorg", "End move"), *course.items))
    assert_hidden(one, replace(one, items=(("Zorg", f"{lines}\nEnd move"), *course.items)), {"Zorg"})


@pytest.mark.rule("LC-44", "LC-R102")
@pytest.mark.parametrize("treaty", ["trade treaty", "military pact"])
def test_a_refusal_of_an_npc_state_and_its_coin_are_seen_by_the_asker_only(treaty: str) -> None:
    tables = {"units": "F1 Terrans Bastion, F2 Bastion Bastion", "relations": "Terrans war Bastion"}
    document = duel(others=[state("Qix", home="Quill")], planets="Quill Qix", **tables)
    silent = told(document, [("Terrans", "Build army at Aquila")], ScriptedDice([6, 5]))
    asked = told(document, [("Terrans", f"Offer {treaty} to Harrow\nBuild army at Aquila")], ScriptedDice([2, 6, 5]))
    _compare([silent, asked], {"Terrans"})
    assert "tails" in "".join(asked["Terrans"])
    assert silent["Terrans"] != asked["Terrans"]


@pytest.mark.rule("LC-R102")
@given(COURSES, st.integers(1, 40))
@SMALL
def test_credits_are_hidden_with_the_option(course: Course, more: int) -> None:
    """Zorg, who does nothing that costs, has more in one world."""
    quiet = without(course, r"Ascension")
    items = tuple(item for item in quiet.items if isinstance(item, str) or item[0] != "Zorg")
    document = {**quiet.document, "options": {"credits_public": False, "skips_to_npc": 99}}
    rich = {**document, "states": [dict(entry) for entry in document["states"]]}
    zorg = next(entry for entry in rich["states"] if entry["name"] == "Zorg")
    plain = {**document, "states": [{**e, "credits": 200} if e["name"] == "Zorg" else e for e in document["states"]]}
    zorg["credits"] = 200 + more
    assert_hidden(replace(quiet, document=plain, items=items), replace(quiet, document=rich, items=items), {"Zorg"})


@pytest.mark.rule("LC-R102")
def test_amounts_spent_are_hidden_with_the_option() -> None:
    """Income, upkeep and costs differ between the worlds; what the public gets does not."""
    texts = "Build army at Aquila\nResearch Commerce\nDevelop Mines on Aquila\nGift 2 credits to Zorg\nMove capital to Eridu"

    def world(income: int) -> Told:
        document = duel(planets="Eridu Terrans", units="F1 Terrans Aquila", options={
            "credits_public": False, "planet_tax": income, "army_cost": income, "capital_cost": 10 + income,
            "fleet_upkeep": income,
        })  # fmt: skip
        return told(document, [("Terrans", texts), ("Zorg", "Pass"), ("Terrans", "Pass")], ScriptedDice([]))

    one, other = world(2), world(3)
    assert unrepeated(one[""]) == unrepeated(other[""])
    assert unrepeated(one["Terrans"]) != unrepeated(other["Terrans"])


@pytest.mark.rule("LC-R102")
def test_with_public_offers_everybody_sees_them() -> None:
    document = duel(others=[state("Qix", home="Quill")], planets="Quill Qix")
    items: list[Item] = [("Terrans", "Offer trade treaty to Zorg")]
    for public in (False, True):
        seen = told({**document, "options": {"offers_public": public}}, items, ScriptedDice([]))
        for reader in ("Qix", ""):
            assert ("trade treaty" in "".join(seen[reader])) == public


@given(COURSES)
@settings(SMALL, max_examples=3)
def test_the_comparison_itself_notices_differences(course: Course) -> None:
    """A proclamation is public: whoever compares must see it."""
    assume(course.document["states"][1]["proclaims"] != "Qix")
    changed = replace(course, items=(("Zorg", "Proclaim Qix"), *course.items))
    worlds = [told(c.document, c.items, HmacDice(c.secret, b"")) for c in (replace(course, items=()), changed)]
    with pytest.raises(AssertionError):
        _compare(worlds, {"Zorg"})

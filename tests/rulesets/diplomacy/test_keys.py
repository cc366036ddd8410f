"""What each order is for, so that a later mail can put another in its place; and what orders for later phases are for."""

import re
from pathlib import Path

import pytest

from pbmd.rules import Status
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.orders import keys_of, read_canonical
from tests.rulesets.diplomacy.harness import NO_DICE, position, resolved, result_of, units
from tests.rulesets.diplomacy.letters import answered, begun, filed, sent
from tests.rulesets.diplomacy.test_datc import CASES

AUTUMN = position("F1901M", {"GERMANY": ["A MUN", "F KIE"], "FRANCE": ["A PAR"]}, {"GERMANY": ["BER", "KIE", "MUN"]})


@pytest.mark.rule("DI-93", "DI-85")
def test_each_order_has_a_key_for_its_unit_or_slot() -> None:
    lines = ["A PAR - BUR", "F STP/NC S A PAR - BUR", "A VIE R GAL", "A BOH D", "F STP/SC B", "WAIVE", "WAIVE", "DRAW"]
    orders = [order for line in lines if (order := read_canonical(line))]
    keys = ("moves PAR", "moves STP", "leaves VIE", "leaves BOH", "builds STP", "waived 1", "waived 2", "votes")
    assert keys_of(orders) == keys


@pytest.mark.rule("DI-85")
def test_a_vote_touches_no_order() -> None:
    here = sent(begun(), "Austria", "A Vie - Gal\nDRAW").position
    after = sent(here, "Austria", "CONCEDE France", 2).position
    assert [sheet.lines for sheet in after.sheets] == [("A VIE - GAL", "CONCEDE France")]


@pytest.mark.rule("DI-85")
@pytest.mark.parametrize("text", ["DRAW", "CONCEDE France"])
def test_a_vote_alone_ends_no_waiting_and_counts_all_the_same(text: str) -> None:
    receipt = sent(begun(), "Austria", text)
    assert receipt.filed
    assert receipt.later
    assert "Austria" in ruleset.awaiting(receipt.position)
    assert receipt.defaults[:2] == (
        "Your vote is noted. It orders nothing, so your orders for these moves are still awaited.",
        "Without orders: A BUD, F TRI and A VIE, to hold.",
    )
    missed = ruleset.miss(receipt.position, "Austria").position
    assert "Austria" in missed.missed
    assert ruleset.load(ruleset.dump(missed)) == missed
    assert "Austria" in sent(missed, "Austria", text, 2).position.missed
    assert "Austria" not in sent(missed, "Austria", "A Vie H", 2).position.missed
    assert "Austria" not in ruleset.awaiting(sent(receipt.position, "Austria", "A Vie H", 2).position)
    assert "Austria" not in ruleset.awaiting(sent(receipt.position, "Austria", "all hold", 2).position)


@pytest.mark.rule("DI-85", "DI-83", "DI-84")
@pytest.mark.parametrize(("vote", "end"), [("DRAW", "draw"), ("CONCEDE Turkey", "concession")])
def test_nobody_is_awaited_once_votes_alone_end_the_game(vote: str, end: str) -> None:
    here = begun()
    needed = [power for power in here.seats if vote == "DRAW" or power != "Turkey"]
    for number, power in enumerate(needed):
        assert set(ruleset.awaiting(here)) == set(here.seats)
        here = sent(here, power, vote, number + 1).position
    assert ruleset.awaiting(here) == ()
    assert ruleset.load(ruleset.dump(here)) == here
    assert ruleset.resolve(here, NO_DICE).position.end == end


@pytest.mark.rule("DI-06")
def test_orders_for_later_phases_end_no_waiting() -> None:
    receipt = sent(AUTUMN, "Germany", "Build A Ber")
    assert receipt.filed
    assert receipt.later
    assert "Germany" in ruleset.awaiting(receipt.position)
    assert receipt.defaults[0] == "These are orders for later phases only; your orders for this one are still awaited."
    assert "Germany" not in ruleset.awaiting(sent(receipt.position, "Germany", "A Mun H\nBuild A Ber", 2).position)
    missed = ruleset.miss(receipt.position, "Germany").position
    assert "Germany" not in ruleset.awaiting(missed)
    assert ruleset.load(ruleset.dump(missed)) == missed


@pytest.mark.rule("DI-06", "DI-97")
@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("Remove A Ruh", "A RUH D"),
        ("Remove F Lon", ""),
        ("Remove A Par", ""),
        ("Build A Ber", "A BER B"),
        ("A Mun R Ruh", "A MUN R RUH"),
        ("A Mun R Par", ""),
    ],
)
def test_orders_for_later_phases_are_about_something(line: str, canonical: str) -> None:
    verdict = answered(AUTUMN, "Germany", line)
    assert verdict.canonical == canonical
    assert ("kept for" in verdict.message) is (verdict.status is Status.OK)


@pytest.mark.rule("DI-06", "DI-71")
def test_a_home_centre_of_anothers_is_none_to_build_in() -> None:
    here = position("F1901M", {"GERMANY": ["A MUN"]}, {"GERMANY": ["MUN"], "RUSSIA": ["BER"]})
    assert answered(here, "Germany", "Build A Ber").message.startswith("you cannot build in Berlin")


@pytest.mark.rule("DI-42", "DI-100")
def test_a_convoy_that_was_not_used_says_so() -> None:
    held = {"ENGLAND": ["A LVP", "F ENG"], "FRANCE": ["F IRI", "F NTH"], "RUSSIA": ["F NAO", "F NWG"], "GERMANY": ["A EDI"]}
    orders = {
        "ENGLAND": ["A LVP - EDI", "F ENG C A LVP - EDI"],
        "GERMANY": ["A EDI - LVP"],
        "RUSSIA": ["F NWG C A LVP - EDI", "F NAO C A LVP - EDI"],
    }
    after, events = resolved(position("S1901M", held, orders=orders))
    assert {"ENGLAND A EDI", "GERMANY A LVP"} <= set(units(after))
    assert result_of(events, "F ENG C A LVP - EDI")["result"] == "unused"
    assert result_of(events, "F NWG C A LVP - EDI")["result"] == "convoys"
    del orders["RUSSIA"]
    _, events = resolved(position("S1901M", held, orders=orders | {"ENGLAND": ["A LVP - EDI VIA", "F ENG C A LVP - EDI"]}))
    assert result_of(events, "F ENG C A LVP - EDI")["result"] == "in vain"


def test_the_page_has_every_choice_on_which_a_case_rests() -> None:
    page = (Path(__file__).parents[3] / "docs" / "datc.md").read_text(encoding="utf-8")
    told = set(re.findall(r"4\.[A-F]\.\d+", page))
    assert {choice for case in CASES for choice in case.get("rests_on", ())} <= told


def test_the_cases_of_lists_and_retreats_are_filed_as_one_line() -> None:
    here = position("S1901M", {"AUSTRIA": ["A VIE"]})
    assert filed(here, "Austria", "A VIE R GAL BOH") == ("A VIE R GAL BOH",)

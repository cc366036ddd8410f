"""Secrecy, proved: orders that are sealed or sent ahead, and votes, can be others without a byte of difference to anybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.conformance.everything_sent import answer, sent_to_all, view_and_form
from pbmd.conformance.scenes import dice
from pbmd.rules import Mail
from pbmd.rules.lines import order_lines
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.budgets import SMALL, one_of_kept
from tests.rulesets.diplomacy.harness import NO_DICE, position
from tests.rulesets.random_games import steps

OTHERS = ("", "Germany", "Russia")


@cache
def game() -> tuple[Position, ...]:
    """The steps of a game."""
    return tuple(here for here, _ in steps(ruleset, 11, 30) if ruleset.outcome(here) is None)


def letters(here: Position, of: Callable[[str], str]) -> list[Mail]:
    return [Mail(seat, order_lines(of(seat)), (place, 0)) for place, seat in enumerate(ruleset.awaiting(here), start=1)]


@pytest.mark.rule("DI-08")
@given(one_of_kept(game), st.integers(0, 50), st.integers(51, 99))
@SMALL
def test_orders_on_file_are_in_nothing_that_others_get(here: Position, one: int, other: int) -> None:
    """Neither in views and forms, nor in what is answered to letters."""
    writer, *others = ruleset.awaiting(here)
    text = "\n".join(["F Nth - Nwy", "A Vie - Bud", "DRAW", "Build A Par", "nonsense"])
    seen: list[Any] = []
    for seed in (one, other):
        mail = Mail(writer, order_lines(ruleset.random_orders(here, writer, dice(seed, writer))), (1, 0))
        after = ruleset.receive(here, mail).position
        answers = [answer(ruleset.receive(after, Mail(seat, order_lines(text), (2, 0)))) for seat in others]
        seen.append([answers, [view_and_form(ruleset, after, (), seat) for seat in ("", *others)]])
    assert seen[0] == seen[1]


WAR = position(
    "F1901M",
    {"AUSTRIA": ["A VIE", "F ADR"], "ITALY": ["A TYR", "A BOH"], "GERMANY": ["A BER"], "RUSSIA": ["A MOS"]},
    {"AUSTRIA": ["BUD", "TRI", "VIE"], "ITALY": ["ROM", "NAP", "VEN"], "GERMANY": ["BER"], "RUSSIA": ["MOS"]},
)
ORDERS = {"Austria": "A Vie H", "Italy": "A Tyr - Vie\nA Boh S A Tyr - Vie", "Germany": "A Ber H", "Russia": "A Mos H"}


@pytest.mark.rule("DI-08", "DI-06")
@pytest.mark.parametrize("ahead", ["Build A Rom", "Build F Nap", "Waive", "A Ven B\nA Tyr D"])
def test_builds_sent_ahead_are_hidden_until_they_are_used(ahead: str) -> None:
    """In the report of the moves, and while another retreats."""
    plain, sealed = (
        sent_to_all(ruleset, WAR, letters(WAR, lambda seat, add=add: ORDERS[seat] + (add if seat == "Italy" else "")), "x")
        for add in ("\nBuild F Rom", f"\n{ahead}")
    )
    for seat in ("", "Austria", "Germany", "Russia"):
        assert plain[seat] == sealed[seat]


@pytest.mark.rule("DI-86", "DI-08")
def test_a_secret_vote_is_hidden_also_when_it_was_in_vain() -> None:
    seen = [
        sent_to_all(ruleset, WAR, letters(WAR, lambda seat, vote=vote: ORDERS[seat] + (vote if seat == "Italy" else "")), "x")
        for vote in ("", "\nDRAW", "\nCONCEDE Russia")
    ]
    for seat in ("", "Austria", "Germany", "Russia"):
        assert seen[0][seat] == seen[1][seat] == seen[2][seat]


@pytest.mark.rule("DI-06", "DI-08")
def test_what_was_sent_ahead_and_not_used_is_never_told() -> None:
    """Austria is dislodged and sends a retreat; what it had sent ahead for another case nobody learns."""
    ends: list[Any] = []
    for ahead in ("A Vie R Tyr", "F Adr D"):
        here = WAR
        for mail in letters(WAR, lambda seat, ahead=ahead: ORDERS[seat] + (f"\n{ahead}" if seat == "Austria" else "")):
            here = ruleset.receive(here, mail).position
        after = ruleset.resolve(here, NO_DICE).position
        after = ruleset.receive(after, Mail("Austria", order_lines("A Vie - Gal"), (9, 0))).position
        found = ruleset.resolve(after, NO_DICE)
        ends.append([view_and_form(ruleset, found.position, found.events, seat) for seat in (*OTHERS, "Italy", "Austria")])
    assert ends[0] == ends[1]


@pytest.mark.rule("DI-06", "DI-08")
@pytest.mark.parametrize("ahead", ["A Vie R Gal", "Disband A Vie", "A Vie R Bud\nBuild A Tri", "A Vie R Bud, A Bud D"])
def test_retreats_sent_ahead_are_hidden_while_another_power_retreats(ahead: str) -> None:
    """That Austria is not waited for says that they are there, and nothing else."""
    far = position(
        "F1901M",
        {"AUSTRIA": ["A VIE", "F ADR"], "ITALY": ["A TYR", "A BOH"], "RUSSIA": ["A BUL"], "TURKEY": ["A CON", "A GRE"]},
        {"AUSTRIA": ["BUD", "TRI", "VIE"], "ITALY": ["ROM", "NAP"]},
    )
    orders = {"Italy": "A Tyr - Vie\nA Boh S A Tyr - Vie", "Turkey": "A Con - Bul\nA Gre S A Con - Bul"}
    seen: list[Any] = []
    for added in ("A Vie R Bud", ahead):
        here = far
        for mail in letters(
            far, lambda seat, added=added: orders.get(seat, "F Adr H\n" + added if seat == "Austria" else "A Bul H")
        ):
            here = ruleset.receive(here, mail).position
        found = ruleset.resolve(here, NO_DICE)
        after = found.position
        answers = [answer(ruleset.receive(after, Mail("Russia", order_lines("A Bul R Gre\nA Bul R Rum"), (9, 0))))]
        shown_to = [view_and_form(ruleset, after, found.events, seat) for seat in (*OTHERS, "Italy", "Turkey")]
        seen.append((ruleset.awaiting(after), answers, shown_to))
    assert seen[0][0] == ("Russia",)
    assert seen[0] == seen[1]

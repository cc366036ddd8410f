"""PREVIEW's position is made of a view alone, and nothing that is on file is in it."""

from __future__ import annotations

import pytest

from pbmd.desk.player.preview import read_scenario, worked_out
from pbmd.rules import Line, Refused, seat_reader
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import POWERS
from tests.rulesets.diplomacy.letters import begun, sent
from tests.rulesets.random_games import steps

OPTIONS = complete(ruleset.info.options, {})


def imagined(here: Position, seat: str, *lines: str) -> Position:
    assert ruleset.imagine is not None
    view = ruleset.view(here, (), seat_reader(seat))
    return ruleset.imagine(view, OPTIONS, [Line(number, line) for number, line in enumerate(lines, start=1)])


def preview(here: Position, seat: str, text: str) -> str:
    """The report that a player gets by PREVIEW."""
    scenario = read_scenario(ruleset, seat, list(POWERS), order_lines(text))
    return worked_out(ruleset, ruleset.view(here, (), seat_reader(seat)), OPTIONS, scenario, b"x" * 32).report


@pytest.mark.rule("DI-99", "DI-08")
def test_it_is_the_position_without_what_is_on_file() -> None:
    here = sent(begun(), "Italy", "A Ven - Tyr\nDRAW").position
    assert imagined(here, "Austria") == imagined(begun(), "Austria") == begun()


@pytest.mark.rule("DI-99")
def test_it_is_that_of_any_phase() -> None:
    for here, _ in steps(ruleset, 6, 16):
        if ruleset.outcome(here) is None:
            assert imagined(here, here.seats[0]).powers == here.powers
            assert imagined(here, here.seats[0]).code == here.code


@pytest.mark.rule("DI-99")
def test_orders_of_others_are_played_beside_ones_own() -> None:
    told = preview(begun(), "Austria", "A Vie - Gal\nAS Russia\nA War - Gal\nF Sev - Bla")
    assert "A VIE - GAL  bounced with A WAR (Russia)" in told
    assert "F SEV - BLA            moved" in told
    assert "moved" in preview(begun(), "Austria", "A Vie - Gal")


@pytest.mark.rule("DI-99")
def test_nothing_can_be_assumed_besides() -> None:
    with pytest.raises(Refused, match="nothing but orders is hidden"):
        imagined(begun(), "Austria", "Russia: units 3")

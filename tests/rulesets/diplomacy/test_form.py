"""The order form, and the orders of random players."""

from __future__ import annotations

from collections import Counter

import pytest

from pbmd.conformance.scenes import dice
from pbmd.rules import Status
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.orders import read_canonical
from rulesets.diplomacy.world.commands import Convoy, Move, SupportHold, SupportMove
from tests.rulesets.diplomacy.harness import position
from tests.rulesets.diplomacy.letters import begun, sent
from tests.rulesets.random_games import steps


def offered(here, seat: str) -> list[str]:
    return [row[2:] for row in ruleset.order_form(here, seat).splitlines() if row.startswith("# ")]


@pytest.mark.rule("DI-98")
def test_it_has_an_order_for_every_unit() -> None:
    assert offered(begun(), "Russia") == ["A MOS H", "F SEV H", "F STP/SC H", "A WAR H"]


@pytest.mark.rule("DI-98")
def test_it_has_what_can_be_built_and_what_must_be_removed() -> None:
    here = position(
        "W1901A", {"FRANCE": ["A SPA"], "ITALY": ["A ROM", "F ION"]}, {"FRANCE": ["PAR", "SPA", "BRE"], "ITALY": ["ROM"]}
    )
    assert offered(here, "France") == ["A BRE B", "A PAR B"]
    assert offered(here, "Italy") == ["F ION D"]


@pytest.mark.rule("DI-98")
def test_all_of_it_is_accepted_in_every_phase() -> None:
    for here, _ in steps(ruleset, 8, 25):
        for seat in ruleset.awaiting(here):
            receipt = sent(here, seat, "\n".join(offered(here, seat)))
            assert {verdict.status for verdict in receipt.verdicts} == {Status.OK}
            assert receipt.defaults == ()


def test_random_players_move_support_and_convoy_and_are_always_understood() -> None:
    kinds: Counter[type] = Counter()
    for here, _ in steps(ruleset, 9, 40):
        for seat in ruleset.awaiting(here):
            receipt = sent(here, seat, ruleset.random_orders(here, seat, dice(here.code, seat)))
            assert [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR] == []
            orders = next(sheet.lines for sheet in receipt.position.sheets if sheet.seat == seat)
            kinds.update(type(read_canonical(line)) for line in orders)
    assert min(kinds[kind] for kind in (Move, SupportHold, SupportMove, Convoy)) > 3

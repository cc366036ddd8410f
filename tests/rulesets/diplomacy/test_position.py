"""Position documents: whatever stands on a board can be kept, and what cannot be is refused with its place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given

from pbmd.rules import Document, PositionError, Status
from rulesets.diplomacy import ruleset
from tests.rulesets.budgets import SMALL
from tests.rulesets.diplomacy.harness import NO_DICE, position
from tests.rulesets.diplomacy.letters import begun, sent
from tests.rulesets.diplomacy.strategies import documents


@given(documents())
@SMALL
def test_any_position_comes_back_as_it_was_and_goes_on(document: Document) -> None:
    here = ruleset.load(document)
    assert ruleset.load(ruleset.dump(here)) == here
    for seat in ruleset.awaiting(here):
        form = "\n".join(row[2:] for row in ruleset.order_form(here, seat).splitlines() if row.startswith("# "))
        receipt = sent(here, seat, form)
        assert {verdict.status for verdict in receipt.verdicts} == {Status.OK}
        here = receipt.position
    after = ruleset.resolve(here, NO_DICE).position
    assert ruleset.load(ruleset.dump(after)) == after


def changed(**fields: Any) -> Document:
    return {**deepcopy(ruleset.dump(begun())), **fields}


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"history": [[1901, 3, 3]]}, r"history\[0\]"),
        ({"history": [[1905, 3, 3, 3, 3, 3, 4, 3]]}, r"history\[0\]"),
        ({"history": [[1901, 30, 3, 3, 3, 3, 4, 3]]}, r"history\[0\]"),
        ({"seats": []}, "seats"),
        ({"seats": ["Austria", "Atlantis"]}, r"seats\[1\]"),
        ({"phase": "over"}, "end"),
        ({"sheets": [{"player": "Austria", "arrival": [1, 0], "lines": ["A PAR H"]}]}, r"sheets\[0\].lines\[0\]"),
        ({"ahead": [{"player": "Austria", "arrival": [1, 0], "lines": ["A VIE H"]}]}, r"ahead\[0\].lines\[0\]"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(PositionError, match=place):
        ruleset.load(changed(**fields))


def test_the_course_of_years_is_kept_with_a_row_for_each() -> None:
    here = position("F1901M", {"FRANCE": ["A PAR", "A SPA"]}, {"FRANCE": ["PAR"]})
    for seat in ruleset.awaiting(here):
        here = ruleset.miss(here, seat).position
    after = ruleset.resolve(here, NO_DICE).position
    assert after.history == ((1901, 0, 0, 2, 0, 0, 0, 0),)

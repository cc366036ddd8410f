"""Whatever orders a PREVIEW has, in whatever position, it is worked out: no defect shows that the real turn would not have."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.desk.player.preview import Scenario, worked_out
from pbmd.rules import Line, Ruleset, seat_reader
from pbmd.rules.options import complete
from rulesets.cosmic_conquest import ruleset as cosmic_conquest
from rulesets.galactic_overlord import ruleset as galactic_overlord
from rulesets.societies import ruleset as societies
from tests.doses import dose
from tests.rulesets.cosmic_conquest import strategies as conquest
from tests.rulesets.galactic_overlord import strategies as overlord
from tests.rulesets.societies import strategies as society

TURNS = {
    "galactic_overlord": (galactic_overlord, overlord.turns()),
    "cosmic_conquest": (cosmic_conquest, conquest.turns()),
    "societies": (societies, society.turns()),
}


@pytest.mark.parametrize("slug", TURNS)
@given(st.data())
@settings(overlord.SMALL, max_examples=dose(12, 40))
def test_any_orders_in_any_position_are_worked_out(slug: str, data: st.DataObject) -> None:
    ruleset: Ruleset[Any]
    ruleset, turns = TURNS[slug]
    turn = data.draw(turns)
    position = ruleset.load(turn.document)
    awaited = ruleset.awaiting(position)
    seat = data.draw(st.sampled_from(awaited))
    sheets: dict[str, tuple[Line, ...]] = {}
    for name, text in turn.letters:
        if name in awaited and name not in sheets:
            sheets[name] = tuple(Line(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())
    options = complete(ruleset.info.options, turn.document.get("options", {}))
    view = ruleset.view(position, (), seat_reader(seat))
    imagined = worked_out(ruleset, view, options, Scenario(seat, sheets, ()), b"secret")
    assert imagined.report
    assert {name for name, _ in imagined.sheets} == set(awaited)

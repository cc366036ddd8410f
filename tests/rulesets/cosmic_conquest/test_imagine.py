"""PREVIEW's position is made of a view alone: no secret of others is in it, and what can be assumed of them is."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import HmacDice, Line, Refused, canonical_json, seat_reader
from pbmd.rules.options import complete
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.world.state import Position
from tests.rulesets.budgets import SMALL
from tests.rulesets.cosmic_conquest.strategies import documents


def imagined(document: Any, seat: str, *lines: str) -> Position:
    """The position as that seat pictures it."""
    position = ruleset.load(document)
    view = ruleset.view(position, (), seat_reader(seat))
    options = complete(ruleset.info.options, document.get("options", {}))
    assert ruleset.imagine is not None
    return ruleset.imagine(view, options, [Line(number, line) for number, line in enumerate(lines, start=1)])


def outcome(position: Position, seat: str) -> bytes:
    """The position and what its player would get of a turn in it, all standing still."""
    for other in ruleset.awaiting(position):
        position = ruleset.miss(position, other).position
    resolution = ruleset.resolve(position, HmacDice(b"preview", b""))
    view = ruleset.view(resolution.position, resolution.events, seat_reader(seat))
    return canonical_json([ruleset.dump(position), view.data])


@pytest.mark.rule("CC-R63", "CC-R88")
@given(documents(), st.data())
@SMALL
def test_whatever_is_secret_can_be_changed_and_the_imagined_outcome_stays_byte_for_byte(
    document: Any, data: st.DataObject
) -> None:
    """The values of others where they are not public, how long their admirals have served, what they have missed and lost."""
    document = {**document, "options": {**document.get("options", {}), "public_factions": False}}
    seat = data.draw(st.sampled_from([table["colour"] for table in document["factions"]]))
    other = deepcopy(document)
    for table in other["factions"]:
        if table["colour"] == seat:
            continue
        table |= {key: data.draw(st.integers(0, 4)) for key in ("drones", "deaths", "stalls")}
        table["admiral"] = {**table.get("admiral", {}), "cv": data.draw(st.integers(0, 9)), "turns_served": 3, "traits": []}
    for system in other["systems"]:
        if system["owner"] not in ("", seat):
            system["penalty"] = data.draw(st.integers(0, 5))
    assert outcome(imagined(document, seat), seat) == outcome(imagined(other, seat), seat)


def test_orders_that_others_have_on_file_are_not_in_it() -> None:
    document = {
        "ruleset": "cosmic_conquest",
        "systems": [{"name": "Sol", "owner": "Red", "output": 20}, {"name": "Sirius", "owner": "Purple", "output": 20}],
        "factions": [{"colour": "Red", "tech": "tachyon"}, {"colour": "Purple", "tech": "biomech"}],
    }
    with_orders = {**document, "sheets": [{"player": "Purple", "arrival": [1, 0], "lines": ["Pass"]}]}
    assert outcome(imagined(document, "Red"), "Red") == outcome(imagined(with_orders, "Red"), "Red")
    assumed = imagined({**document, "options": {"public_factions": False}}, "Red", "Purple: drones 3, CV 9")
    assert (assumed.colours["Purple"].drones, assumed.colours["Purple"].admiral.cv) == (3, 9)
    with pytest.raises(Refused, match="of others you can assume"):
        imagined(document, "Red", "Purple: gold 9")

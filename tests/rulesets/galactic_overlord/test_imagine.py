"""PREVIEW's position is made of a view alone: no secret of others is in it, and what can be assumed of them is."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmd.rules import HmacDice, Line, Refused, canonical_json, seat_reader
from pbmd.rules.options import complete
from rulesets.galactic_overlord import ruleset
from tests.rulesets.budgets import SMALL
from tests.rulesets.galactic_overlord.strategies import Turn, living, turns


def imagined(document: Any, seat: str, *lines: str) -> Any:
    """The position as that seat pictures it."""
    position = ruleset.load(document)
    options = complete(ruleset.info.options, document.get("options", {}))
    view = ruleset.view(position, (), seat_reader(seat))
    assert ruleset.imagine is not None
    return ruleset.imagine(view, options, [Line(number, line) for number, line in enumerate(lines, start=1)])


@pytest.mark.rule("GO-R76")
@given(turns(), st.data())
@SMALL
def test_whatever_is_secret_can_be_changed_and_the_imagined_outcome_stays_byte_for_byte(
    turn: Turn, data: st.DataObject
) -> None:
    document = deepcopy(turn.document)
    seat = data.draw(st.sampled_from(living(document)))
    other = deepcopy(document)
    for table in other["players"]:
        if table["name"] == seat or not table["alive"]:
            continue
        if not table["original_ships"]:
            table |= {"spies": data.draw(st.integers(0, 3)), "generators": data.draw(st.integers(0, 3))}
        table["counter_espionage"] = data.draw(st.integers(0, 2))
        for entry in table["ships"]:
            if sum((e["hull"], e["weapon"]) == (entry["hull"], entry["weapon"]) for e in table["ships"]) == 1:
                entry["damage"] = 0.0 if entry["damage"] else 0.5
    outcomes: list[bytes] = []
    for world in (document, other):
        position = imagined(world, seat)
        resolution = ruleset.resolve(position, HmacDice(b"preview", b""))
        view = ruleset.view(resolution.position, resolution.events, seat_reader(seat))
        outcomes.append(canonical_json([ruleset.dump(position), view.data]))
    assert outcomes[0] == outcomes[1]


@given(turns())
@SMALL
def test_what_is_assumed_of_a_rival_is_in_it(turn: Turn) -> None:
    alive = living(turn.document)
    assume(len(alive) > 1)
    position = imagined(turn.document, alive[0], f"{alive[1]}: spies 1, Generators 0, counter-espionage 2")
    rival = position.player(alive[1])
    assert (rival.spies, rival.generators, rival.counter_espionage) == (1, 0, 2)


NAMES = ("Altair", "Borealis")
PLAIN = {
    "ruleset": "galactic_overlord",
    "turn": 1,
    "status": "running",
    "winner": "",
    "bases": [{"name": f"Base {n}", "owner": name, "builder": name, "acquired": n} for n, name in enumerate(NAMES, start=1)],
    "players": [{"name": name, "bp": 20, "generators": 0, "spies": 0, "counter_espionage": 1} for name in NAMES],
}


@pytest.mark.parametrize(
    "line", ["Borealis", "Borealis: gold 3", "Borealis: spies many", "Borealis: spies 99", "Nobody: spies 1"]
)
def test_what_cannot_be_assumed_is_refused(line: str) -> None:
    assert imagined(PLAIN, "Altair").turn == 1
    with pytest.raises(Refused, match="line 1: "):
        imagined(PLAIN, "Altair", line)

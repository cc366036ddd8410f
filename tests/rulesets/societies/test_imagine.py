"""PREVIEW's position is made of a view alone: no secret of others is in it, and what can be assumed of them is."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmd.rules import Line, Refused, ScriptedDice, canonical_json, seat_reader
from pbmd.rules.options import complete
from rulesets.societies import ruleset
from rulesets.societies.world.state import Position
from tests.rulesets.budgets import SMALL
from tests.rulesets.societies.harness import mail
from tests.rulesets.societies.strategies import Turn, documents, turns


def imagined(document: Any, seat: str, *lines: str) -> Position:
    """The position as that seat pictures it."""
    position = ruleset.load(document)
    view = ruleset.view(position, (), seat_reader(seat))
    options = complete(ruleset.info.options, dict(position.given))
    assert ruleset.imagine is not None
    return ruleset.imagine(view, options, [Line(number, line) for number, line in enumerate(lines, start=1)])


def outcome(position: Position, seat: str, letters: tuple[tuple[str, str], ...] = ()) -> bytes:
    """The position and what its player would get of a turn in it."""
    for place, (other, text) in enumerate(letters, start=1):
        position = ruleset.receive(position, mail(other, text, place)).position
    for other in ruleset.awaiting(position):
        position = ruleset.miss(position, other).position
    resolution = ruleset.resolve(position, ScriptedDice(()))
    view = ruleset.view(resolution.position, resolution.events, seat_reader(seat))
    return canonical_json([ruleset.dump(position), view.data])


def living(document: Any) -> list[str]:
    return [table["name"] for table in document["society"] if not table.get("eliminated_turn")]


@pytest.mark.rule("SO-R99", "SO-53")
@given(turns(), st.data())
@SMALL
def test_whatever_is_secret_can_be_changed_and_the_imagined_outcome_stays_byte_for_byte(
    turn: Turn, data: st.DataObject
) -> None:
    """The stocks of others, who built what, what they have conceded and may strike back at, since when they are at war; and
    what they have ordered."""
    document = {**turn.document, "sheets": []}
    seat = data.draw(st.sampled_from(living(document)))
    other = deepcopy(document)
    for table in other["society"]:
        if table["name"] != seat:
            table |= {key: data.draw(st.integers(0, 9)) for key in ("gold", "armies", "spies", "nukes", "sdi", "missed_turns")}
    for wonder in other.get("wonder", []):
        wonder["builder"] = data.draw(st.sampled_from(living(document)))
    for city in other["city"]:
        if city["owner"] != seat:
            city |= {"rehabilitating": data.draw(st.booleans())}
    other["concession"] = [each for each in other.get("concession", []) if each["by"] == seat]
    other["counterattack"] = [each for each in other.get("counterattack", []) if each["holder"] == seat]
    letters = tuple(letter for letter in turn.letters if letter[0] in living(document))
    state = ruleset.load(other)
    for place, (name, text) in enumerate(letters, start=1):
        if name != seat:
            state = ruleset.receive(state, mail(name, text, place)).position
    one = outcome(imagined(document, seat), seat, letters)
    assert one == outcome(imagined(ruleset.dump(state), seat), seat, letters)


@given(documents())
@SMALL
def test_what_is_assumed_of_a_rival_is_in_it(document: Any) -> None:
    names = living(document)
    assume(len(names) > 1)
    rival = imagined(document, names[0], f"{names[1]}: gold 70, armies 3, SDI 1").by_name[names[1]]
    assert (rival.gold, rival.armies, rival.sdi) == (70, 3, 1)
    with pytest.raises(Refused, match="of others you can assume"):
        imagined(document, names[0], f"{names[1]}: cities 3")


def test_what_the_chart_shows_is_in_it() -> None:
    document = {
        "ruleset": "societies",
        "options": {"public_chart": "gold, armies"},
        "map": {"side": 4},
        "society": [{"name": "Ann", "gold": 5}, {"name": "Bob", "gold": 40, "armies": 3, "spies": 2}],
        "city": [{"square": "A1", "owner": "Ann", "name": "New Rome"}, {"square": "C3", "owner": "Bob"}],
        "wonder": [{"name": "KGB", "owner": "", "square": "", "destroyed": True}],
        "counterattack": [{"holder": "Ann", "against": "Bob", "count": 2}],
        "concession": [{"by": "Ann", "to": "Bob"}],
    }
    position = imagined(document, "Ann")
    bob = position.by_name["Bob"]
    assert (bob.gold, bob.armies, bob.spies) == (40, 3, 0)
    real = ruleset.view(ruleset.load(document), (), seat_reader("Ann"))
    assert ruleset.view(position, (), seat_reader("Ann")).data == real.data

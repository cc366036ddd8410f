"""What holds for every position and every letter: nothing out of nothing, and what an Insight shows is what is carried out."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import HmacDice
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.budgets import LARGE, SMALL
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, position
from tests.rulesets.cosmic_conquest.strategies import Turn, turns


def check_invariants(turn: Turn, played: Played) -> None:
    """Everything that must be true of a turn whatever was ordered."""
    before, after = ruleset.dump(ruleset.load(turn.document)), played.document
    drawn = after.get("result", {}).get("kind") == "draw"
    assert after["turn"] == before["turn"] + (not drawn)
    assert not {"sheets", "missed", "resigning", "refused"} & set(after)
    assert after["insights"] == []
    _check_systems(played, before, after, drawn)
    if not drawn:
        _check_factions(played, before, after)


def _check_systems(played: Played, before: dict[str, Any], after: dict[str, Any], drawn: bool) -> None:
    changed = {data["system"]: data for data in played.of("conquest")}
    raised = [(data["colour"], data["system"]) for data in played.of("drone_raised")]
    invested = {data["system"]: data["after"] - data["before"] for data in played.of("invested")}
    resigned = {data["colour"] for data in played.of("resigned")}
    assert len(set(raised)) == len(raised)
    if drawn:
        assert (changed, raised, invested) == ({}, [], {})
    for old, new in zip(before["systems"], after["systems"], strict=True):
        name = old["name"]
        output = old["output"] - (name in {system for _, system in raised}) + invested.get(name, 0)
        assert min(invested.get(name, 0), new["output"], new["penalty"]) >= 0
        owner = changed[name]["to"] if name in changed else old["owner"]
        if name in changed:
            assert changed[name]["from"] == old["owner"]
            assert changed[name]["before"] == output
            output = changed[name]["after"]
        assert new["owner"] == ("" if owner in resigned else owner)
        assert new["output"] == (min(output, 30) if owner in resigned else output)


def _check_factions(played: Played, before: dict[str, Any], after: dict[str, Any]) -> None:
    held = {table["owner"] for table in after["systems"]}
    for old, new in zip(before["factions"], after["factions"], strict=True):
        colour = old["colour"]
        assert (new["status"] == "active") == (colour in held)
        if new["status"] != "active":
            assert (new["drones"], new["lost_drones"]) == (0, 0)
            continue
        lost = sum(data["count"] for data in played.of("drones_lost") if data["colour"] == colour)
        back = sum(data["count"] for data in played.of("drones_regenerated") if data["colour"] == colour)
        raised = sum(data["colour"] == colour for data in played.of("drone_raised"))
        assert new["drones"] == old["drones"] - lost + back + raised
        assert new["lost_drones"] == (old["lost_drones"] + lost - back if old["tech"] == "biomech" else 0)
        died = any(data["colour"] == colour and data["died"] for data in played.of("admiral_toss"))
        assert new["deaths"] == old["deaths"] + died
        assert new["admiral"]["turns_served"] == (0 if died else old["admiral"]["turns_served"] + 1)


@pytest.mark.fuzz
@pytest.mark.rule("CC-40", "CC-R06", "CC-R19", "CC-73")
@given(turns())
@LARGE
def test_a_turn_neither_fails_nor_makes_something_out_of_nothing(turn: Turn) -> None:
    check_invariants(turn, turn.played())


@pytest.mark.rule("CC-R75", "CC-R61", "CC-R62")
@given(turns())
@SMALL
def test_an_insight_shows_exactly_what_is_carried_out(turn: Turn) -> None:
    state = ruleset.load(turn.document)
    shown: dict[tuple[str, str], list[str]] = {}
    events = []
    for place, (seat, text) in enumerate(turn.letters, start=1):
        receipt = ruleset.receive(state, mail(seat, text, place))
        state, events = receipt.position, [*events, *receipt.events]
    for seat in ruleset.awaiting(state):
        resolution = ruleset.miss(state, seat)
        state, events = resolution.position, [*events, *resolution.events]
    for event in events:
        if event.kind == "insight":
            assert event.audience == (event.data["by"],)
            shown[event.data["by"], event.data["target"]] = event.data["lines"]
    assert set(shown) == {(insight.by, insight.target) for insight in state.insights}
    for event in ruleset.resolve(state, HmacDice(turn.secret, b"")).events:
        for (_, target), lines in shown.items():
            if event.kind == "orders" and event.data["colour"] == target:
                assert [line["text"] for line in event.data["lines"]] == lines


WRONG = (
    "Conquer Sol with 900 units",
    "900 units to invest in Sol",
    "Defend Sol with 900 units",
    "nonsense",
    "Raise 9 drones in Sol",
    "Time Skip in Nowhere",
    "Psychic Sabotage on Nowhere",
    "Psychic Assault on Sol",
)


@given(turns(noise=False), st.data())
@SMALL
def test_what_is_advised_is_accepted(turn: Turn, data: st.DataObject) -> None:
    """What is proposed is accepted if it takes the place of the wrong line."""
    state = ruleset.load({**turn.document, "options": {}})
    seat = data.draw(st.sampled_from(ruleset.awaiting(state)))
    text = data.draw(st.sampled_from(WRONG))
    receipt = ruleset.receive(state, mail(seat, text))
    (verdict,) = [verdict for verdict in receipt.verdicts if verdict.line]
    for proposed in re.split(" Right: | For example: ", verdict.message)[1:]:
        assert ruleset.receive(state, mail(seat, proposed)).filed, verdict


FORMS = (
    *("Conquer ", "Attack ", "Conquest of", "the attack on", "Defend ", "Defense of", "Invest ", "to Invest in", " RU "),
    *("led by the admiral", "The admiral leads the ", "drones in", "Raise a drone", "Time Skip ", "Temporal Stasis "),
    *("Psychic Sabotage ", "Psychic Assault on the defense of", "'s attack on", "Telepathic Insight "),
    *("Announce the", "Publish", "Vote for", "[b]"),
)


def test_random_players_use_every_kind_of_order_in_the_long_run() -> None:
    text = "Sol 20 Red, Alpha Centauri 20 Red, Sirius 20 Red, Groombridge 20 Red, Procyon 20 Purple, Rigel 20 Teal, Ross 9 Teal"
    start = position(text, faction("Red", drones=9), faction("Purple", "psionic"), faction("Teal", "chronotech"))
    state = ruleset.load(start)
    sent = "\n".join(
        ruleset.random_orders(state, seat, HmacDice(b"orders", bytes([number])))
        for number in range(200)
        for seat in ruleset.awaiting(state)
    )
    for words in FORMS:
        assert words in sent, f"no random player ever writes {words!r}"

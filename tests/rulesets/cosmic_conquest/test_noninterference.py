"""Secrecy, proved: whatever a faction may keep secret can be changed without a byte of difference to anybody else.

Each test plays a random turn twice, in two worlds that differ in something only some may know, and compares all that the
others get: views, verdicts, events at once, order forms. That refused mails leave no trace, all rulesets have promised.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given

from pbmd.conformance.everything_sent import Told, told_in
from pbmd.conformance.scenes import play as play_step
from pbmd.rules import PUBLIC, seat_reader
from pbmd.rules.sheets import digest
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.budgets import SMALL
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, play, position
from tests.rulesets.cosmic_conquest.strategies import Turn, turns


def told(turn: Turn) -> tuple[Told, bytes]:
    """All that each seat gets in the course of a turn and by its report, and the digest that the dice are bound to."""
    letters = [mail(seat, text, place) for place, (seat, text) in enumerate(turn.letters, start=1)]
    step = play_step(ruleset, ruleset.load(turn.document), letters, turn.secret.hex())
    return told_in(ruleset, letters, step), digest(ruleset.sheets(step.positions[-2]))


def assert_hidden(one: Turn, other: Turn, but: Iterable[str]) -> None:
    """Nobody but those excepted can tell the two worlds apart."""
    (seen, bound), (seen_too, bound_too) = told(one), told(other)
    assert bound == bound_too
    for seat in seen:
        if seat not in but:
            assert seen[seat] == seen_too[seat], f"{seat or 'the public'} can tell"


@pytest.mark.rule("CC-102", "CC-R59", "CC-R63")
@given(turns())
@SMALL
def test_nobody_can_tell_that_an_insight_was_used(turn: Turn) -> None:
    without = tuple(letter for letter in turn.letters if not letter[1].startswith("Telepathic Insight"))
    askers = {seat for seat, text in turn.letters if text.startswith("Telepathic Insight")}
    state = ruleset.load(turn.document)
    psionics = [seat for seat in ruleset.awaiting(state) if state.colours[seat].tech == "psionic"]
    targets = [seat for seat in ruleset.awaiting(state) if state.colours[seat].tech != "psionic"]
    assume(psionics and targets)
    asking = tuple((psionic, f"Telepathic Insight on {targets[0]}") for psionic in psionics)
    assert_hidden(replace(turn, letters=without), replace(turn, letters=(*asking, *without)), {*askers, *psionics})


@pytest.mark.rule("CC-102", "CC-R63")
@given(turns(least=3))
@SMALL
def test_an_insight_tells_of_its_target_and_of_nobody_else(turn: Turn) -> None:
    """Whatever a third faction orders, and even if it publishes its orders, the Insight shows the target's only."""
    state = ruleset.load({**turn.document, "options": {}})
    colours = ruleset.awaiting(state)
    psionics = [seat for seat in colours if state.colours[seat].tech == "psionic"]
    targets = [seat for seat in colours if state.colours[seat].tech != "psionic"]
    assume(psionics and targets)
    others = [seat for seat in colours if seat not in (psionics[0], targets[0])]
    ask = (psionics[0], f"Telepathic Insight on {targets[0]}")
    before = (ask, (targets[0], "Pass"), (psionics[0], "Pass"))
    for text in ("Pass", "Vote for a draw", "Publish orders"):
        one = Turn({**turn.document, "options": {}}, (*before, (others[0], text)), turn.secret)
        shown = [event for event in _events(one) if event.kind == "insight"]
        assert [(event.data["target"], event.data["lines"]) for event in shown] == [(targets[0], ["Pass"])]


def _events(turn: Turn) -> list[Any]:
    state, events = ruleset.load(turn.document), []
    for place, (seat, text) in enumerate(turn.letters, start=1):
        receipt = ruleset.receive(state, mail(seat, text, place))
        state, events = receipt.position, [*events, *receipt.events]
    return events


FIVE = position(
    "Sol 20 Red, Sirius 9 Red, Procyon 20 Purple, Rigel 20 Teal, Deneb 20 Green, Polaris 9 Grey",
    faction("Red", "chronotech", drones=3),
    faction("Purple", "psionic"),
    faction("Teal", "psionic"),
    faction("Green", "biomech"),
    faction("Grey", "tachyon"),
)


@pytest.mark.rule("CC-41", "CC-R88")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pass", "Defend Sol with 5 units and 2 drones led by the admiral"),
        ("Defend Sol with 5 units", "Defend Sirius with 9 units"),
        ("Pass", "Time Skip in Sol\nTemporal Stasis on Sirius"),
        ("Pass", "Invest 3 units in Sol"),
        (
            "Invest 5 units in Sirius\nRaise a drone in Sol",
            "Invest 6 units in Sirius\nDefend Sol with 3 units\nRaise a drone in Sol",
        ),
    ],
)
def test_orders_without_public_effect_are_hidden(one: str, other: str) -> None:
    others = tuple((seat, "Pass") for seat in ("Purple", "Teal", "Green", "Grey"))
    (seen, _), (seen_too, _) = (told(Turn(FIVE, (("Red", text), *others), b"1234")) for text in (one, other))
    for reader in ("Purple", "Teal", "Green", "Grey", ""):
        assert seen[reader] == seen_too[reader], f"{reader or 'the public'} can tell"


@pytest.mark.rule("CC-R55", "CC-R57", "CC-R88")
def test_the_author_of_sabotage_and_assault_is_hidden() -> None:
    orders = "Psychic Sabotage on Sol\nPsychic Assault on the attack of Red on Groombridge"
    red = ("Red", "Conquer Groombridge with 9 units")
    worlds = [Turn(FIVE, (red, (author, orders), (other, "Pass"), ("Green", "Pass"), ("Grey", "Pass")), b"1234")
              for author, other in (("Purple", "Teal"), ("Teal", "Purple"))]  # fmt: skip
    (seen, _), (seen_too, _) = told(worlds[0]), told(worlds[1])
    for reader in ("Red", "Green", "Grey", ""):
        assert seen[reader] == seen_too[reader]
    assert "Psychic Assault" in seen["Red"]
    assert "Psychic" not in seen["Green"]


@pytest.mark.rule("CC-R73", "CC-R88")
def test_who_voted_for_a_draw_is_hidden() -> None:
    vote, rest = "Vote for a draw", (("Green", "Pass"), ("Grey", "Pass"), ("Teal", "Pass"))
    worlds = [Turn(FIVE, (("Red", one), ("Purple", other), *rest), b"1234") for one, other in ((vote, "Pass"), ("Pass", vote))]
    (seen, _), (seen_too, _) = told(worlds[0]), told(worlds[1])
    for reader in ("Teal", "Green", "Grey", ""):
        assert seen[reader] == seen_too[reader]


@pytest.mark.rule("CC-R88")
def test_the_values_of_a_faction_are_hidden_with_the_option() -> None:
    def world(**fields: Any) -> Turn:
        factions = [faction("Red", **fields), faction("Green"), faction("Teal", "psionic")]
        document = position("Sol 20 Red, Deneb 9 Green, Rigel 9 Teal", *factions, public_factions=False)
        return Turn(document, tuple((seat, "Pass") for seat in ("Red", "Green", "Teal")), b"1234")

    assert_hidden(world(drones=0), world(drones=5, lost_drones=2, traits="defender", cv=3, served=4, stalls=2), {"Red"})


@pytest.mark.rule("CC-R79", "CC-R88")
def test_of_a_stall_only_the_fact_is_public() -> None:
    """Green's default orders lie between a border and an investment, but nobody attacks it."""

    def world(drones: int) -> Played:
        factions = faction("Red"), faction("Green", drones=drones)
        document = position("Sol 20 Red, Deneb 9 Green, Groombridge 9 Green", *factions, public_factions=False)
        return play(document, [("Red", "Pass")])

    one, other = world(0), world(4)
    assert one.of("default_orders") != other.of("default_orders")
    assert one.bytes_for(seat_reader("Red")) == other.bytes_for(seat_reader("Red"))
    assert one.view(PUBLIC)["stalled"] == ["Green"]

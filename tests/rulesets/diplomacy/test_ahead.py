"""Orders that are sent ahead: kept for the retreats and the winter that follow, and used if they apply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbmd.rules import GM, PUBLIC, Event, Status, seat_reader
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import NO_DICE, dislodged, position, units
from tests.rulesets.diplomacy.letters import answered, filed, sent

READERS = (PUBLIC, GM, seat_reader("Austria"), seat_reader("Italy"))
"""All kinds of those who can look at a game."""
EAST = {"RUSSIA": ["A BUL"], "TURKEY": ["A CON", "A GRE"]}
"""A war of others, far away."""
ATTACK = {"ITALY": ["A TYR - VIE", "A BOH S A TYR - VIE"]}


def attacked(code: str = "F1901M", **more: list[str]) -> Position:
    """Italy dislodges A VIE; Austria has a fleet besides, and three home centres."""
    here = position(
        code,
        {"AUSTRIA": ["A VIE", "F ADR"], "ITALY": ["A TYR", "A BOH"], "FRANCE": ["A PAR"], **EAST},
        {"AUSTRIA": ["BUD", "TRI", "VIE", "SER"], "ITALY": ["ROM", "NAP"]},
    )
    for place, (power, lines) in enumerate({**ATTACK, **more}.items(), start=1):
        here = sent(here, power.title(), "\n".join(lines), place).position
    return here


def resolved(here: Position) -> tuple[Position, tuple[Event, ...]]:
    for seat in ruleset.awaiting(here):
        here = ruleset.miss(here, seat).position
    found = ruleset.resolve(here, NO_DICE)
    assert ruleset.load(ruleset.dump(found.position)) == found.position
    return found.position, found.events


@pytest.mark.rule("DI-06", "DI-96")
def test_a_retreat_is_used_and_nobody_is_waited_for() -> None:
    after, _ = resolved(attacked(AUSTRIA=["F Adr H", "Retreat A Vie - Bud", "Build A Tri"]))
    assert "AUSTRIA A BUD" in units(after)
    assert after.phase == "winter"


@pytest.mark.rule("DI-06", "DI-96")
def test_it_is_used_where_its_unit_was_not_dislodged_by_not_being_used() -> None:
    here = sent(attacked(), "Italy", "A Tyr H", 9).position
    here = sent(here, "Austria", "A VIE R BUD", 10).position
    assert {"AUSTRIA A VIE", "AUSTRIA F ADR"} <= set(units(resolved(here)[0]))


@pytest.mark.rule("DI-06", "DI-96")
def test_one_that_cannot_be_leaves_the_phase_to_its_player() -> None:
    after, _ = resolved(attacked(AUSTRIA=["A VIE R TYR"]))
    assert after.phase == "autumn retreats"
    assert ruleset.awaiting(after) == ("Austria",)
    assert dislodged(after) == {"AUSTRIA A VIE": ("BUD", "GAL", "TRI")}


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize(
    ("heading", "order", "taken"),
    [
        ("Autumn 1901", "A Vie H", "A VIE H"), ("F1901", "A Vie H", "A VIE H"), ("Austria, fall moves:", "A Vie H", "A VIE H"),
        ("Turn 99", "A Vie H", ""), ("Spring 1901:", "A Vie H", ""), ("Spring 1902", "A Vie H", ""), ("F02", "A Vie H", ""),
        ("Winter 1901:", "Build A Bud", "A BUD B"), ("Winter 1902:", "Build A Bud", ""), ("Fall 1835", "A Vie H", "A VIE H"),
        ("Fall 1901 retreats:", "A Vie - Bud", "A VIE R BUD"), ("Spring 1901 retreats:", "A Vie - Bud", ""),
        ("Winter 1901 builds", "A Bud", "A BUD B"), ("Winter 1902 builds", "A Bud", ""), ("Spring retreats", "A Vie - Bud", ""),
        ("Turn 7, fall 1901", "A Vie H", "A VIE H"), ("Fall turn 1901", "A Vie H", "A VIE H"), ("F1901M", "A Vie H", "A VIE H"),
        ("S1901M", "A Vie H", ""), ("Winter 1901/1902", "Build A Bud", "A BUD B"), ("Turn 7, fall", "A Vie H", ""),
    ],
)  # fmt: skip
def test_a_line_that_only_names_a_time_says_for_when_orders_are(heading: str, order: str, taken: str) -> None:
    verdict = next(each for each in sent(attacked(), "Austria", f"{heading}\n{order}").verdicts if each.line == 2)
    assert (verdict.status is Status.ERROR, verdict.canonical) == (not taken, taken)


@pytest.mark.rule("DI-96")
@pytest.mark.parametrize("heading", ["Fall 1901", "F01:", "Autumn 1901 adjustments", "Winter 1901", "Fall 1901 builds:"])
def test_builds_may_stand_below_the_autumn_that_they_follow(heading: str) -> None:
    winter, _ = resolved(attacked(AUSTRIA=["A VIE R TRI"], ITALY=[*ATTACK["ITALY"], "waive"]))
    assert winter.phase == "winter"
    verdict = next(each for each in sent(winter, "Austria", f"{heading}\nBuild A Bud", 20).verdicts if each.line == 2)
    assert verdict.canonical == "A BUD B"


@pytest.mark.rule("DI-06", "DI-96")
def test_builds_are_used_in_winter() -> None:
    after, _ = resolved(attacked(AUSTRIA=["A VIE R TRI", "Build A Bud, waive"], ITALY=[*ATTACK["ITALY"], "waive"]))
    assert {"AUSTRIA A BUD", "AUSTRIA A TRI"} <= set(units(after))


@pytest.mark.rule("DI-06", "DI-96")
@pytest.mark.parametrize(
    ("later", "built"),
    [
        ("A Vie - Bud", "AUSTRIA A TRI"),
        ("A Vie D", "AUSTRIA A TRI"),
        ("A Vie - Bud\nBuild F Tri, waive", "AUSTRIA F TRI"),
        ("Disband A Vie\nBuild F Tri, waive", "AUSTRIA F TRI"),
    ],
)
def test_builds_stand_until_others_are_sent(later: str, built: str) -> None:
    here, _ = resolved(attacked(AUSTRIA=["Build A Tri", "waive"], ITALY=[*ATTACK["ITALY"], "waive"]))
    assert here.phase == "autumn retreats"
    after, _ = resolved(sent(here, "Austria", later, 20).position)
    assert built in units(after)


@pytest.mark.rule("DI-06", "DI-96")
def test_retreats_stand_when_builds_alone_are_sent_while_another_power_is_waited_for() -> None:
    here, _ = resolved(attacked(AUSTRIA=["A VIE R BUD"], TURKEY=["A CON - BUL", "A GRE S A CON - BUL"]))
    assert ruleset.awaiting(here) == ("Russia",)
    receipt = sent(here, "Austria", "Build A Vie", 20)
    assert [verdict.message for verdict in receipt.verdicts if "disbanded" in verdict.message] == []
    after, _ = resolved(receipt.position)
    assert "AUSTRIA A BUD" in units(after)
    assert "AUSTRIA A BUD" not in units(resolved(sent(here, "Austria", "A Vie D", 20).position)[0])


@pytest.mark.rule("DI-06", "DI-96")
def test_removals_that_come_with_retreats_are_kept_for_winter() -> None:
    here = attacked()
    poor = [replace(power, centres=()) if power.name == "Austria" else power for power in here.powers]
    here, _ = resolved(replace(here, powers=tuple(poor)))
    winter, _ = resolved(sent(here, "Austria", "A Vie - Bud\nRemove A Bud", 20).position)
    after, _ = resolved(winter)
    assert ruleset.awaiting(winter) == ("Italy",)
    assert [unit for unit in units(after) if unit.startswith("AUSTRIA")] == ["AUSTRIA F ADR"]


@pytest.mark.rule("DI-06", "DI-96")
def test_what_is_left_is_dropped_with_the_next_moves() -> None:
    here, _ = resolved(attacked("S1901M", AUSTRIA=["A VIE R BUD", "F ADR D"]))
    assert here.phase == "autumn moves"
    assert here.ahead == ()


@pytest.mark.rule("DI-06", "DI-96")
def test_orders_below_a_heading_are_for_its_phase() -> None:
    text = "Moves:\nF Adr - Tri\nRetreats\nA Vie - Bud\nBuilds:\nA Vie\nRemovals\nF Adr\nMoves\nA Vie H"
    orders = ("F ADR - TRI", "A VIE B", "F ADR D", "A VIE H")
    # The retreat is left out: of two orders for a unit that leaves, the last counts.
    assert [line for line in filed(attacked(), "Austria", text) if line != "A VIE R BUD"] == [*orders]


@pytest.mark.rule("DI-06", "DI-96")
def test_a_letter_of_headings_alone_is_an_empty_one() -> None:
    receipt = sent(attacked(), "Austria", "Moves:\nRetreats:\nBuilds:")
    assert [verdict for verdict in receipt.verdicts if verdict.line] == []


@pytest.mark.rule("DI-06", "DI-96")
@pytest.mark.parametrize("line", ["Build A Vie", "waive", "A Bud B"])
def test_builds_are_taken_from_autumn_on(line: str) -> None:
    assert answered(attacked(), "Austria", line).status is Status.OK
    early = answered(attacked("S1901M"), "Austria", line)
    assert (early.status, early.canonical) == (Status.ERROR, "")


@pytest.mark.rule("DI-06", "DI-96")
def test_a_retreat_that_never_can_be_is_refused() -> None:
    assert answered(attacked(), "Austria", "A Vie R Par").message == "A VIE cannot go to PAR. For example: A VIE H"
    assert answered(attacked(), "Austria", "A Par R Gas").message.startswith("you have no unit in Paris")


@pytest.mark.rule("DI-08")
def test_what_is_on_file_and_was_sent_ahead_is_in_no_view() -> None:
    secret = attacked(AUSTRIA=["F Adr - Tri", "A VIE R GAL", "Build F Tri", "DRAW"])
    without = ruleset.withdraw(secret, "Austria")
    after = ruleset.resolve(attacked(AUSTRIA=["Build F Tri"]), NO_DICE).position
    assert after.ahead != ()
    for reader in READERS:
        assert ruleset.view(secret, (), reader) == ruleset.view(without, (), reader)
        shown = ruleset.view(after, (), reader)
        assert "F TRI B" not in str(shown.data)
        assert "ahead" not in shown.data["document"]

"""The map of a view: centres, units, and what the last orders came to."""

from __future__ import annotations

from typing import Any

import pytest

from pbmd.reports.picture import read_map
from pbmd.rules import GM, PUBLIC, seat_reader
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import NO_DICE, position
from tests.rulesets.diplomacy.letters import begun, sent
from tests.rulesets.random_games import steps


def drawn(here: Position) -> dict[str, Any]:
    """The map after the phase that comes."""
    found = ruleset.resolve(here, NO_DICE)
    data = ruleset.view(found.position, found.events, PUBLIC).data["map"]
    read_map(data)
    return data


def moves(units: dict[str, list[str]], orders: dict[str, list[str]]) -> dict[str, Any]:
    return drawn(position("S1901M", units, orders=orders))


@pytest.mark.rule("DI-102", "DI-10")
def test_has_all_provinces_with_the_powers_that_own_them() -> None:
    data = ruleset.view(begun(), (), PUBLIC).data["map"]
    owners = {node["name"]: node["owner"] for node in data["nodes"]}
    assert len(owners) == 75
    assert (owners["PAR"], owners["BEL"], owners["NTH"]) == ("France", "", "")
    assert {node["name"] for node in data["nodes"] if node.get("kind") == "sea"} >= {"NTH", "BLA", "BOT"}


@pytest.mark.rule("DI-102", "DI-10")
def test_has_every_border_once() -> None:
    links = {tuple(link) for link in ruleset.view(begun(), (), PUBLIC).data["map"]["links"]}
    assert {("BUR", "PAR"), ("BLA", "BUL"), ("MAO", "SPA")} <= links
    assert not links & {(other, one) for one, other in links}


@pytest.mark.rule("DI-102", "DI-10")
def test_has_the_units_where_they_are_now() -> None:
    data = moves({"FRANCE": ["A PAR"], "RUSSIA": ["F STP/SC"]}, {"FRANCE": ["A PAR - BUR"]})
    pieces = {(piece["at"], piece["kind"], piece["owner"], piece["note"]) for piece in data["pieces"]}
    assert pieces == {("BUR", "A", "France", ""), ("STP", "F", "Russia", "sc")}


@pytest.mark.rule("DI-102", "DI-10")
def test_shows_moves_and_what_failed() -> None:
    data = moves(
        {"FRANCE": ["A PAR", "A BRE"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["A PAR - BUR", "A BRE - PIC"], "GERMANY": ["A MUN - BUR"]},
    )
    arrows = {tuple(arrow["path"]): arrow["failed"] for arrow in data["arrows"]}
    assert arrows == {("PAR", "BUR"): True, ("MUN", "BUR"): True, ("BRE", "PIC"): False}
    assert data["clashes"] == ["BUR"]


@pytest.mark.rule("DI-102", "DI-10")
def test_shows_the_way_of_a_convoy() -> None:
    data = moves(
        {"ENGLAND": ["A YOR", "F NTH", "F NWG"]},
        {"ENGLAND": ["A YOR - CLY VIA", "F NTH C A YOR - CLY", "F NWG C A YOR - CLY"]},
    )
    assert [arrow["path"] for arrow in data["arrows"]] == [["YOR", "NTH", "NWG", "CLY"]]


@pytest.mark.rule("DI-102", "DI-10")
def test_shows_supports_of_moves_and_of_units() -> None:
    data = moves(
        {"FRANCE": ["A PAR", "A MAR", "A GAS", "A PIC"]},
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A PIC S A GAS - BRE", "A GAS S A MAR"]},
    )
    supports = {support["at"]: (support["of"], support["failed"]) for support in data["supports"]}
    assert supports == {"MAR": (["PAR", "BUR"], False), "PIC": (["GAS"], True), "GAS": (["MAR"], False)}


@pytest.mark.rule("DI-102", "DI-10")
def test_leaves_out_what_could_not_be() -> None:
    data = moves({"FRANCE": ["A PAR", "A MAR"]}, {"FRANCE": ["A PAR - MUN", "A MAR S A PAR - MUN"]})
    assert (data["arrows"], data["supports"]) == ([], [])


@pytest.mark.rule("DI-102", "DI-10")
def test_shows_dislodged_units_and_then_their_retreats() -> None:
    units = {"FRANCE": ["A PAR", "A BEL"], "GERMANY": ["A BUR"]}
    here = position("S1901M", units, orders={"FRANCE": ["A PAR - BUR", "A BEL S A PAR - BUR"]})
    displaced = [piece for piece in drawn(here)["pieces"] if piece["displaced"]]
    assert [(piece["at"], piece["owner"]) for piece in displaced] == [("BUR", "Germany")]
    after = ruleset.resolve(here, NO_DICE).position
    after = sent(after, "Germany", "A Bur - Mun").position
    assert [arrow["path"] for arrow in drawn(after)["arrows"]] == [["BUR", "MUN"]]


@pytest.mark.rule("DI-102", "DI-10")
def test_is_the_same_for_all_who_look_and_can_always_be_drawn() -> None:
    for here, events in steps(ruleset, 4, 12):
        maps = [ruleset.view(here, events, reader).data["map"] for reader in (PUBLIC, GM, seat_reader("Italy"))]
        assert maps[0] == maps[1] == maps[2]
        read_map(maps[0])

"""The map of a view: centres, units, and what the last orders came to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbmd.rendering.picture import map_svg, read_map, svg_of, svg_png
from pbmd.rules import GM, PUBLIC, Signup, seat_reader
from pbmd.rules.options import complete
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import board
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


def on_map(name: str, seats: list[str]) -> dict[str, Any]:
    """The map as a game on that board begins."""
    options = complete(ruleset.info.options, {"map": name})
    return ruleset.view(ruleset.setup([Signup(seat) for seat in seats], options, NO_DICE), (), PUBLIC).data["map"]


def owners(data: dict[str, Any]) -> dict[str, str]:
    return {area["name"]: area["owner"] for area in data["areas"]}


@pytest.mark.rule("DI-102", "DI-10")
def test_has_all_provinces_with_the_powers_that_own_them() -> None:
    data = ruleset.view(begun(), (), PUBLIC).data["map"]
    found = owners(data)
    assert len([area for area in data["areas"] if area["label"]]) == 75
    assert (found["PAR"], found["BEL"], found["NTH"]) == ("France", "", "")
    seas = {area["name"] for area in data["areas"] if area["ground"] == "sea"}
    assert seas >= {"NTH", "BLA", "BOT"}
    assert len([area for area in data["areas"] if area["centre"]]) == 34


@pytest.mark.rule("DI-102")
def test_land_without_a_centre_is_that_of_the_unit_in_it_or_of_whoever_holds_the_country() -> None:
    found = owners(ruleset.view(begun(), (), PUBLIC).data["map"])
    assert (found["BOH"], found["SYR"], found["ALB"]) == ("Austria", "Turkey", "")
    here = position("S1901M", {"ITALY": ["A BOH", "F ADR"]}, centres={"ITALY": ["VIE", "BUD"], "AUSTRIA": ["TRI"]})
    found = owners(ruleset.view(here, (), PUBLIC).data["map"])
    assert (found["BOH"], found["GAL"], found["TRI"], found["ADR"]) == ("Italy", "Italy", "Austria", "")


@pytest.mark.rule("DI-102", "DI-10")
@pytest.mark.parametrize(("name", "seats"), [("france_austria", ["France", "Austria"]), ("sound", ["Norden", "Suden"])])
def test_boards_without_outlines_are_places_with_every_border_once(name: str, seats: list[str]) -> None:
    data = on_map(name, seats)
    links = {tuple(link) for link in data["links"]}
    assert {("BUR", "PAR"), ("BLA", "BUL"), ("MAO", "SPA")} <= links or name == "sound"
    assert not links & {(other, one) for one, other in links}
    assert {node["name"] for node in data["nodes"]} == {*board(name).by_id}
    assert "areas" not in data
    read_map(data)


@pytest.mark.rule("DI-102", "DI-10")
def test_has_the_units_where_they_are_now() -> None:
    data = moves({"FRANCE": ["A PAR"], "RUSSIA": ["F STP/SC"]}, {"FRANCE": ["A PAR - BUR"]})
    pieces = {(piece["at"], piece["kind"], piece["owner"]) for piece in data["pieces"]}
    assert pieces == {("BUR", "A", "France"), ("STP/SC", "F", "Russia")}


@pytest.mark.rule("DI-102", "DI-10")
def test_fleets_go_to_and_from_coasts() -> None:
    data = moves(
        {"FRANCE": ["F GAS", "F MAO"], "RUSSIA": ["F STP/NC"]},
        {"FRANCE": ["F GAS - SPA/NC", "F MAO S F GAS - SPA"], "RUSSIA": ["F STP/NC - BAR"]},
    )
    assert [arrow["path"] for arrow in data["arrows"]] == [["GAS", "SPA/NC"], ["STP/NC", "BAR"]]
    assert [support["of"] for support in data["supports"]] == [["GAS", "SPA/NC"]]


@pytest.mark.rule("DI-102")
def test_is_called_by_what_it_tells_of() -> None:
    assert ruleset.view(begun(), (), PUBLIC).data["map"]["title"] == "Diplomacy (Standard), Spring 1901, moves"
    assert moves({"FRANCE": ["A PAR"]}, {"FRANCE": ["A PAR - BUR"]})["title"] == "Spring 1901, moves: what happened"


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


EVERY_OUTCOME = position(
    "S1902M",
    {
        "FRANCE": ["A PAR", "A MAR", "A BUR"],
        "GERMANY": ["A MUN", "A RUH"],
        "ENGLAND": ["A YOR", "F NTH", "F LON"],
        "ITALY": ["A VEN", "F ADR", "A APU"],
        "AUSTRIA": ["A TRI", "A VIE"],
    },
    orders={
        "FRANCE": ["A PAR - PIC", "A MAR S A BUR"],
        "GERMANY": ["A MUN - TYR", "A RUH S A MUN - BUR"],
        "ENGLAND": ["A YOR - NWY VIA", "F NTH C A YOR - NWY", "F LON - ENG"],
        "ITALY": ["A VEN - TRI", "F ADR S A VEN - TRI", "A APU - VEN"],
        "AUSTRIA": ["A VIE - TYR"],
    },
)


@pytest.mark.rule("DI-102")
def test_every_outcome_is_drawn_and_said_in_words() -> None:
    """A move, a convoy, supports that were given and that came to nothing, a bounce, and a unit that was dislodged."""
    found = ruleset.resolve(EVERY_OUTCOME, NO_DICE)
    svg = map_svg(ruleset.view(found.position, found.events, PUBLIC))
    assert svg is not None
    for words in (
        "France from PAR to PIC",
        "England from YOR by NTH to NWY",
        "ADR of VEN to TRI",
        "RUH of MUN, failed",
        "Germany from MUN to TYR, failed",
        "Austria from VIE to TYR, failed",
        "Austria army at TRI, displaced",
        "Clashes: TYR.",
    ):
        assert words in svg


@pytest.mark.rule("DI-102")
def test_is_the_same_picture_whenever_it_is_drawn() -> None:
    found = ruleset.resolve(EVERY_OUTCOME, NO_DICE)
    pictures = []
    for _ in range(2):
        svg_of.cache_clear()
        svg_png.cache_clear()
        svg = map_svg(ruleset.view(found.position, found.events, PUBLIC)) or ""
        pictures.append((svg, svg_png(svg)))
    assert pictures[0] == pictures[1]


@pytest.mark.rule("DI-102", "DI-08")
def test_shows_nothing_of_orders_that_were_not_carried_out() -> None:
    """Whatever is on file for the phase to come, the map is the same."""
    quiet = replace(EVERY_OUTCOME, sheets=())
    assert EVERY_OUTCOME.sheets
    maps = [ruleset.view(here, (), seat_reader("France")).data["map"] for here in (EVERY_OUTCOME, quiet)]
    assert maps[0] == maps[1]

"""Positions that the given cases leave out: coasts, rings, moves head to head, convoys, retreats, winters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.rulesets.diplomacy.harness import dislodged, position, resolved, rows, sheets, units

Orders = Mapping[str, Sequence[str]]


def placed(orders: Orders) -> dict[str, list[str]]:
    """The units of these orders."""
    return {power: [" ".join(line.split()[:2]) for line in lines] for power, lines in orders.items()}


def moved(orders: Orders) -> set[str]:
    """Which orders to move are carried out."""
    _, events = resolved(position("S1901M", placed(orders), orders=orders))
    return {row["order"] for row in rows(events) if row["result"] == "moves"}


def open_to(orders: Orders) -> dict[str, tuple[str, ...]]:
    """Which units are dislodged, and where they can go; nowhere, if they are disbanded at once."""
    _, events = resolved(position("S1901M", placed(orders), orders=orders))
    return {" ".join(row["order"].split()[:2]): tuple(row["retreats"]) for row in rows(events) if "dislodged_by" in row}


CASES: Mapping[str, tuple[Orders, set[str]]] = {
    "no fleet goes further than one step": ({"ENGLAND": ["F NTH - PIC"]}, set()),
    "no unit supports itself": (
        {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"], "AUSTRIA": ["F TRI S F TRI"]},
        {"A VEN - TRI"},
    ),
    "a fleet supports nothing to which there is no shared coast": (
        {"AUSTRIA": ["A VEN H"], "ITALY": ["F ROM S A APU - VEN", "A APU - VEN"]},
        set(),
    ),
    "three equal moves bounce": ({"AUSTRIA": ["A VIE - TYR"], "GERMANY": ["A MUN - TYR"], "ITALY": ["A VEN - TYR"]}, set()),
    "a coast that must be named": ({"FRANCE": ["F POR - SPA"]}, set()),
    "the wrong coast": ({"FRANCE": ["F GAS - SPA/SC"]}, set()),
    "no support from a coast that does not reach": (
        {"FRANCE": ["F MAR - LYO", "F SPA/NC S F MAR - LYO"], "ITALY": ["F LYO H"]},
        set(),
    ),
    "a ring with one too many": ({"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"], "RUSSIA": ["A BUL - CON"]}, set()),
    "a ring in which a move is supported": (
        {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK", "A BUL S F ANK - CON"], "RUSSIA": ["F BLA - CON"]},
        {"F ANK - CON", "A CON - SMY", "A SMY - ANK"},
    ),
    "a ring that would dislodge a unit of its own": (
        {
            "TURKEY": ["F CON - BLA", "A BUL - CON", "A SMY S A BUL - CON"],
            "RUSSIA": ["F BLA - BUL/EC"],
            "AUSTRIA": ["A SER - BUL"],
        },
        set(),
    ),
    "support to hold that is cut": (
        {
            "AUSTRIA": ["F ADR S A TRI - VEN", "A TRI - VEN", "A VIE - TYR"],
            "ITALY": ["A VEN H", "A TYR S A VEN"],
        },
        {"A TRI - VEN"},
    ),
    "no support to hold for a unit that moves": (
        {"ITALY": ["A VEN - TRI", "A TYR S A VEN"], "AUSTRIA": ["A ALB S A TRI - SER", "A TRI - SER"], "TURKEY": ["A SER H"]},
        {"A TRI - SER", "A VEN - TRI"},
    ),
    "nobody dislodges a unit of their own": ({"GERMANY": ["A BER H", "F KIE - BER", "A MUN S F KIE - BER"]}, set()),
    "nobody dislodges a unit of their own that comes back": (
        {"GERMANY": ["A BER - PRU", "F KIE - BER", "A MUN S F KIE - BER"], "RUSSIA": ["A WAR - PRU"]},
        set(),
    ),
    "nobody helps to dislodge a unit of their own that comes back": (
        {
            "AUSTRIA": ["F TRI - ADR", "A VIE S A VEN - TRI"],
            "ITALY": ["A VEN - TRI", "F APU - ADR"],
        },
        set(),
    ),
    "a province attacked with and without a support to hold": (
        {
            "ENGLAND": ["A LVP - YOR", "F EDI S A LVP - YOR"],
            "FRANCE": ["F LON S A YOR"],
            "GERMANY": ["A YOR - HOL"],
        },
        set(),
    ),
    "no support into the province in which one stands": (
        {
            "GERMANY": ["A BER - PRU", "A SIL S A BER - PRU", "F BAL S A BER - PRU"],
            "ITALY": ["A PRU S A LVN - PRU"],
            "RUSSIA": ["A WAR S A LVN - PRU", "A LVN - PRU"],
        },
        {"A BER - PRU"},
    ),
    "a support that is not wanted": (
        {"AUSTRIA": ["A SER - BUD", "A VIE - BUD"], "RUSSIA": ["A GAL S A SER - BUD"], "TURKEY": ["A BUL - SER"]},
        {"A SER - BUD", "A BUL - SER"},
    ),
    "no head-to-head move against ones own": (
        {"ENGLAND": ["A HOL - KIE", "F DEN S A HOL - KIE"], "GERMANY": ["A KIE - HOL"], "FRANCE": ["A RUH - HOL"]},
        {"A HOL - KIE", "A RUH - HOL"},
    ),
    "who loses head to head keeps nobody out": (
        {
            "GERMANY": ["A BER - PRU", "A SIL S A BER - PRU"],
            "RUSSIA": ["A PRU - BER"],
            "FRANCE": ["A KIE - BER"],
        },
        {"A BER - PRU", "A KIE - BER"},
    ),
    "a beleaguered garrison": (
        {
            "GERMANY": ["F HOL - NTH", "F HEL S F HOL - NTH"],
            "RUSSIA": ["F NWY - NTH", "F SKA S F NWY - NTH"],
            "ENGLAND": ["F NTH H"],
        },
        set(),
    ),
    "a beleaguered garrison is not helped by its own": (
        {
            "ENGLAND": ["F NTH H", "F YOR S F NWY - NTH"],
            "GERMANY": ["F HOL S F HEL - NTH", "F HEL - NTH"],
            "RUSSIA": ["F SKA S F NWY - NTH", "F NWY - NTH"],
        },
        set(),
    ),
    "a garrison beleaguered by a unit of its own too": (
        {
            "ENGLAND": ["F NTH - NWG", "F YOR S F NWY - NTH"],
            "GERMANY": ["F HOL S F HEL - NTH", "F HEL - NTH"],
            "RUSSIA": ["F SKA S F NWY - NTH", "F NWY - NTH"],
        },
        {"F NTH - NWG", "F NWY - NTH"},
    ),
    "the last of a column bounces, all do": (
        {
            "AUSTRIA": ["A TRI - BUD"],
            "ITALY": ["A VEN - TRI"],
            "GERMANY": ["A TYR - VEN"],
            "RUSSIA": ["A GAL - BUD"],
        },
        set(),
    ),
    "a convoy with two routes, one of another power, loses that": (
        {
            "ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL"],
            "GERMANY": ["F ENG C A LON - BEL"],
            "FRANCE": ["F BRE S F MAO - ENG", "F MAO - ENG"],
        },
        {"A LON - BEL", "F MAO - ENG"},
    ),
    "a support of the attack on the fleet that carries the army is cut by another one": (
        {
            "ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL"],
            "FRANCE": ["F BEL S F ENG - NTH", "F ENG - NTH"],
            "GERMANY": ["A HOL - BEL"],
        },
        set(),
    ),
    "Pandin's paradox": (
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        },
        set(),
    ),
    "Pandin's paradox, extended": (
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON", "F YOR S A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        },
        set(),
    ),
    "betrayal": (
        {
            "ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL", "F ENG S A LON - BEL"],
            "FRANCE": ["F BEL S F NTH"],
            "GERMANY": ["F HEL S F SKA - NTH", "F SKA - NTH"],
        },
        set(),
    ),
    "an army that comes home by sea": (
        {
            "RUSSIA": ["A EDI S A NWY - CLY", "F NWG C A NWY - CLY", "A NWY - CLY"],
            "FRANCE": ["F IRI S F MAO - NAO", "F MAO - NAO"],
            "ENGLAND": ["A LVP - CLY VIA", "F NAO C A LVP - CLY", "F CLY S F NAO"],
        },
        {"A NWY - CLY", "F MAO - NAO"},
    ),
    "two change places, one by the sea of its own fleet on a chain": (
        {"ITALY": ["A ROM - APU", "F TYS C A APU - ROM"], "TURKEY": ["A APU - ROM", "F ION C A APU - ROM"]},
        {"A ROM - APU", "A APU - ROM"},
    ),
    "an own fleet on a route that its other fleets could make whole shows the intent": (
        {
            "ENGLAND": ["A LVP - EDI", "F ENG C A LVP - EDI"],
            "GERMANY": ["A EDI - LVP"],
            "FRANCE": ["F IRI H", "F NTH H"],
            "RUSSIA": ["F NWG C A LVP - EDI", "F NAO C A LVP - EDI"],
        },
        {"A LVP - EDI", "A EDI - LVP"},
    ),
    "an own fleet on no route at all means nothing": (
        {"ENGLAND": ["F SKA C A SWE - NWY", "F NWY - SWE"], "RUSSIA": ["A SWE - NWY", "F BOT C A SWE - NWY"]},
        set(),
    ),
    "an army that is swapped is not dislodged": (
        {
            "ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE", "F FIN S A NWY - SWE"],
            "RUSSIA": ["A SWE - NWY"],
        },
        {"A NWY - SWE", "A SWE - NWY"},
    ),
    "a convoy to the next province that is a paradox": (
        {
            "ENGLAND": ["F NWY S F NTH - SKA", "F NTH - SKA"],
            "RUSSIA": ["A SWE - NWY", "F SKA C A SWE - NWY", "F BAR S A SWE - NWY"],
        },
        {"F NTH - SKA"},
    ),
    "two armies change places by two convoys": (
        {
            "ENGLAND": ["A LVP - EDI VIA", "F NAO C A LVP - EDI", "F NWG C A LVP - EDI"],
            "GERMANY": ["A EDI - LVP VIA", "F NTH C A EDI - LVP", "F ENG C A EDI - LVP", "F IRI C A EDI - LVP"],
        },
        {"A LVP - EDI VIA", "A EDI - LVP VIA"},
    ),
    "two armies by convoy bounce with a third": (
        {
            "ENGLAND": ["F NTH C A LON - BEL", "A HOL - BEL", "A YOR - LON", "A LON - BEL"],
            "FRANCE": ["F ENG C A BEL - LON", "A BEL - LON VIA"],
        },
        set(),
    ),
    "two are not in one province after two convoys": (
        {
            "ENGLAND": ["A NWY - SWE VIA", "A DEN S A NWY - SWE", "F BAL S A NWY - SWE", "F NTH - NWY"],
            "RUSSIA": ["A SWE - NWY VIA", "F SKA C A SWE - NWY", "F NWG S A SWE - NWY"],
        },
        {"A SWE - NWY VIA"},
    ),
    "a convoy does not cut the support of an attack on its own fleet": (
        {
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        },
        {"F WAL - ENG"},
    ),
}


@pytest.mark.rule("DI-23", "DI-32", "DI-34", "DI-35", "DI-42", "DI-53", "DI-54", "DI-55", "DI-57")
@pytest.mark.parametrize("name", CASES, ids=lambda name: name.replace(" ", "-"))
def test_who_gets_where(name: str) -> None:
    orders, expected = CASES[name]
    assert moved(orders) == expected


# --- Retreats -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DI-61")
def test_who_is_dislodged_keeps_nobody_out_of_the_province_of_its_attacker() -> None:
    orders = {
        "ENGLAND": ["F HEL - KIE", "F DEN S F HEL - KIE"],
        "GERMANY": ["A BER - PRU", "F KIE H", "A SIL S A BER - PRU"],
        "RUSSIA": ["A PRU - BER"],
    }
    found = open_to(orders)
    assert "BER" in found["F KIE"]
    assert "BER" not in found["A PRU"]


@pytest.mark.rule("DI-61")
def test_a_bounce_on_one_coast_closes_the_other() -> None:
    orders = {
        "FRANCE": ["F MAO - SPA/NC", "F GAS - SPA/NC", "F WES H"],
        "ITALY": ["F TUN S F TYS - WES", "F TYS - WES"],
    }
    assert not [place for place in open_to(orders)["F WES"] if place.startswith("SPA")]


@pytest.mark.rule("DI-63")
def test_three_units_that_retreat_to_one_province_are_all_disbanded() -> None:
    orders = {
        "ENGLAND": ["A LVP - EDI", "F YOR S A LVP - EDI"],
        "RUSSIA": ["F EDI H"],
        "GERMANY": ["A KIE S A RUH - HOL", "A RUH - HOL"],
        "ITALY": ["F NWG - NWY", "A SWE S F NWG - NWY"],
        "TURKEY": ["F NWY H"],
        "FRANCE": ["F HOL H"],
    }
    after, _ = resolved(position("S1901M", placed(orders), orders=orders))
    assert set(dislodged(after)) == {"RUSSIA F EDI", "FRANCE F HOL", "TURKEY F NWY"}
    going = {"RUSSIA": ["F EDI R NTH"], "FRANCE": ["F HOL R NTH"], "TURKEY": ["F NWY R NTH"]}
    last, _ = resolved(replace(after, sheets=sheets(going)))
    assert len(units(last)) == len(units(after))


@pytest.mark.rule("DI-26", "DI-60")
def test_an_army_retreats_whatever_coast_is_named() -> None:
    orders = {"FRANCE": ["A MAR H"], "ITALY": ["A PIE - MAR", "F LYO S A PIE - MAR"]}
    after, _ = resolved(position("S1901M", placed(orders), orders=orders))
    last, _ = resolved(replace(after, sheets=sheets({"FRANCE": ["A MAR R SPA/NC"]})))
    assert "FRANCE A SPA" in units(last)


# --- Winter ---------------------------------------------------------------------------------------------------------------

ALL_CENTRES = {"GERMANY": ["BER", "KIE", "MUN", "WAR"]}


def winter(held: Orders, centres: Orders, orders: Orders, **options: str) -> list[str]:
    return units(resolved(position("W1901A", held, centres, orders, **options))[0])


@pytest.mark.rule("DI-71")
@pytest.mark.parametrize("line", ["A WAR B", "A RUH B", "F MUN B"])
def test_nothing_is_built_but_in_home_centres_where_it_can_be(line: str) -> None:
    assert winter({"GERMANY": ["A WAR"]}, ALL_CENTRES, {"GERMANY": [line]}) == ["GERMANY A WAR"]


@pytest.mark.rule("DI-71")
def test_nothing_is_built_in_a_home_centre_that_another_power_has() -> None:
    centres = {"GERMANY": ["MUN", "DEN"], "RUSSIA": ["BER"]}
    assert winter({"GERMANY": ["A DEN"]}, centres, {"GERMANY": ["A BER B"]}) == ["GERMANY A DEN"]


@pytest.mark.rule("DI-74", "DI-75", "DI-76")
def test_a_unit_that_is_removed_twice_counts_once() -> None:
    held = {"FRANCE": ["A PIC", "A PAR", "F NAO"]}
    assert winter(held, {"FRANCE": ["PAR"]}, {"FRANCE": ["A PAR D", "A PAR D"]}) == ["FRANCE A PIC"]


@pytest.mark.rule("DI-76")
@pytest.mark.parametrize(
    ("held", "centre", "left"),
    [
        (["A LVN", "F BAR"], "STP", "RUSSIA A LVN"),  # as far: fleets first
        (["A LVN", "A UKR"], "MOS", "RUSSIA A UKR"),  # as far: by the alphabet
        (["F BOT", "F FIN"], "STP", "RUSSIA F BOT"),  # by names, not by ids
        (["A TYR", "A LVN"], "STP", "RUSSIA A LVN"),
        (["F SKA", "F NWG"], "SWE", "RUSSIA F SKA"),
        (["A YOR", "F BAL"], "LVP", "RUSSIA A YOR"),
    ],
)
def test_what_is_farthest_goes_first(held: list[str], centre: str, left: str) -> None:
    assert winter({"RUSSIA": held}, {"RUSSIA": [centre]}, {}) == [left]

"""The Diplomacy Adjudicator Test Cases 3.0, under the defaults: those in ``datc.toml``, all of them, none left out."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.rulesets.diplomacy.harness import by_power, position, resolved, rows, sheets, units

CASES: Sequence[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("datc.toml").read_text(encoding="utf-8"))["case"]
MOVES = [case for case in CASES if case["phase"].endswith("M")]
WINTERS = [case for case in CASES if case["phase"].endswith("A")]


def test_no_case_is_left_out() -> None:
    assert (len(MOVES), len(WINTERS), len({case["id"] for case in CASES})) == (145, 20, 165)


def _key(order: str) -> tuple[str, ...]:
    """Unit and goal of a move: a fleet may be named with another coast than it is on (4.B.5)."""
    unit, _, to = order.removesuffix(" VIA").partition(" - ")
    return unit[:5], to


@pytest.mark.rule("DI-20", "DI-21", "DI-22", "DI-23", "DI-24", "DI-25", "DI-26")
@pytest.mark.rule("DI-30", "DI-31", "DI-32", "DI-33", "DI-34", "DI-35", "DI-36")
@pytest.mark.rule("DI-40", "DI-41", "DI-42", "DI-43", "DI-50", "DI-51", "DI-52", "DI-53", "DI-54", "DI-55", "DI-56", "DI-57")
@pytest.mark.parametrize("case", MOVES, ids=lambda case: case["id"])
def test_moves(case: dict[str, Any]) -> None:
    after, events = resolved(position(case["phase"], by_power(case["units"]), orders=case["orders"]))
    told = rows(events)
    assert units(after) == case["after"]
    lost = sorted(f"{row['power'].upper()} {_unit_of(row)}" for row in told if "dislodged_by" in row)
    assert lost == case.get("dislodged", [])
    moved = {_key(row["order"]) for row in told if row["result"] == "moves"}
    assert moved >= {_key(order) for order in case.get("moved", ())}
    assert not moved & {_key(order) for order in case.get("failed", ())}


def _unit_of(row: Any) -> str:
    return " ".join(row["order"].split()[:2])


@pytest.mark.rule("DI-61")
@pytest.mark.parametrize("case", [case for case in MOVES if "retreat" in case], ids=lambda case: case["id"])
def test_open_retreats(case: dict[str, Any]) -> None:
    _, events = resolved(position(case["phase"], by_power(case["units"]), orders=case["orders"]))
    probe = case["retreat"]
    (retreats,) = (row["retreats"] for row in rows(events) if _unit_of(row) == probe["unit"])
    assert (probe["to"] in retreats) is probe["can"]


@pytest.mark.rule("DI-60", "DI-62", "DI-64")
@pytest.mark.parametrize("case", [case for case in MOVES if "retreats" in case], ids=lambda case: case["id"])
def test_retreats(case: dict[str, Any]) -> None:
    after, _ = resolved(position(case["phase"], by_power(case["units"]), orders=case["orders"]))
    assert after.phase == "spring retreats"
    last, _ = resolved(replace(after, sheets=sheets(case["retreats"])))
    assert units(last) == case["after_retreats"]


@pytest.mark.rule("DI-70", "DI-71", "DI-72", "DI-74", "DI-75", "DI-76")
@pytest.mark.parametrize("case", WINTERS, ids=lambda case: case["id"])
def test_winters(case: dict[str, Any]) -> None:
    after, _ = resolved(position(case["phase"], by_power(case["units"]), case["centres"], case["orders"]))
    assert units(after) == case["after"]


@pytest.mark.parametrize("case", MOVES, ids=lambda case: case["id"])
def test_nothing_depends_on_the_order_of_orders(case: dict[str, Any]) -> None:
    before = position(case["phase"], by_power(case["units"]), orders=case["orders"])
    turned = replace(before, sheets=tuple(replace(sheet, lines=sheet.lines[::-1]) for sheet in before.sheets[::-1]))
    assert resolved(turned)[0] == resolved(before)[0]


@pytest.mark.rule("DI-44")
@pytest.mark.parametrize(("case", "arrived"), [("6.G.8", "FRANCE A HOL"), ("6.G.20", "FRANCE A BEL")])
def test_by_option_an_army_walks_where_its_convoy_fails(case: str, arrived: str) -> None:
    (given,) = (each for each in CASES if each["id"] == case)
    before = position(given["phase"], by_power(given["units"]), orders=given["orders"], land_fallback=True)
    assert arrived not in given["after"]
    assert arrived in units(resolved(before)[0])


@pytest.mark.rule("DI-42")
def test_a_fleet_of_ones_own_says_that_the_army_goes_by_sea() -> None:
    held = {"ENGLAND": ["A NWY", "F SKA"], "RUSSIA": ["A SWE"]}
    orders = {"ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]}
    assert units(resolved(position("S1901M", held, orders=orders))[0]) == ["ENGLAND A SWE", "ENGLAND F SKA", "RUSSIA A NWY"]
    orders["ENGLAND"] = ["A NWY - SWE"]
    assert units(resolved(position("S1901M", held, orders=orders))[0]) == ["ENGLAND A NWY", "ENGLAND F SKA", "RUSSIA A SWE"]


@pytest.mark.rule("DI-57")
def test_a_convoy_that_is_disrupted_as_a_paradox_is_told_so() -> None:
    (given,) = (each for each in CASES if each["id"] == "6.F.14")
    _, events = resolved(position(given["phase"], by_power(given["units"]), orders=given["orders"]))
    assert [row["result"] for row in rows(events) if row.get("paradox")] == ["no convoy"]

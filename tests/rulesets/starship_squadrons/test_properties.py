"""What holds for every position and every letter: no exception, nothing out of nothing, the same in, the same out."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import Document, HmacDice
from rulesets.starship_squadrons import ruleset
from tests.rulesets.budgets import LARGE, SMALL
from tests.rulesets.starship_squadrons.harness import Played, receive, resolve, where
from tests.rulesets.starship_squadrons.strategies import documents, noise, random_world

KEYS = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply")


def letters_for(document: Document, seed: int, lines: int = 7) -> list[tuple[str, str]]:
    """Letters of random legal players with nonsense between; some stay silent."""
    chance = random.Random(seed)
    state = ruleset.load(document)
    letters: list[tuple[str, str]] = []
    for seat in chance.sample(ruleset.awaiting(state), len(ruleset.awaiting(state))):
        if chance.random() < 0.15:
            continue
        said = [noise(chance) for _ in range(chance.randint(0, lines))]
        if chance.random() < 0.5:
            said.append(ruleset.random_orders(state, seat, HmacDice(b"players", seat.encode())))
        letters.append((seat, "\n".join([*said, "PASS"])))
    return letters


def supplies(document: Document) -> int:
    """All Supply counters there are."""
    stock = sum(body.get("stock", 0) for system in document["systems"] for body in system.get("bodies", ()))
    return stock + sum(unit.get("supply_counters", 0) for unit in document["units"])


def check_counters(before: Document, played: Played) -> None:
    """Nothing comes out of nothing and nothing is negative."""
    after = played.document
    options = after["options"]
    days = max(1, after["day"] - before["day"])
    names = Counter((u["side"], u["name"].casefold()) for u in after["units"])
    assert max(names.values(), default=1) == 1
    alive = {(u["side"], u["name"]) for u in after["units"]}
    lost = {(loss["side"], loss["name"]) for loss in after.get("losses", ())}
    assert {(u["side"], u["name"]) for u in before["units"]} == alive | lost
    for unit in after["units"]:
        full = played.unit(unit["name"], unit["side"])
        assert 0 <= full["fuel_counters"] <= full["jump"]
        assert min(full["damage"], full["supply_counters"], full["admiral_counters"]) >= 0
        pen = max(0, full["damage"] - full["defense"])
        supply = full["supply"] - pen if options.get("damage_model") != "labelled" else full["supply"]
        if options.get("supply_hits") != "keep":
            assert full["supply_counters"] <= max(0, supply) * options.get("supply_per_factor", 1)
        toughness = full["defense"] + max(full[key] + _bonus(full, key) for key in KEYS if key != "defense")
        if options.get("damage_model") != "labelled":
            assert full["damage"] <= toughness
    admirals = [sum(u.get("admiral_counters", 0) for u in table["units"]) for table in (before, after)]
    assert admirals[1] <= admirals[0]
    starports = sum(body.get("starport", False) for system in after["systems"] for body in system.get("bodies", ()))
    assert supplies(after) <= supplies(before) + days * starports * options.get("starport_supply", 2)


def _bonus(unit: dict[str, Any], key: str) -> int:
    return unit["admiral_counters"] if key in ("sensor_range", "attack", "attack_range") else 0


def check_places(played: Played) -> None:
    """Stacks and groups: everything is somewhere it may be."""
    after = played.document
    groups = {group["id"] for group in after.get("transits", ())}
    used = {
        table["transit"] for key in ("units", "questions") for table in after.get(key, ()) if table.get("where") == "transit"
    }
    assert used <= groups
    ids = Counter((q["player"], q["id"]) for q in after.get("questions", ()))
    assert max(ids.values(), default=1) == 1
    places = {u["name"]: where(u) for u in after["units"]}
    marks = {(q["player"], q["id"]): where(q) for q in after.get("questions", ())}
    joined = Counter[tuple[str, str]]()
    for fleet in after.get("fleets", ()):
        assert fleet["members"]
        spots = {_place(fleet["player"], name, places, marks, after) for name in fleet["members"]}
        assert len(spots) == 1
        assert "reserve" not in spots
        joined.update((fleet["player"], name) for name in fleet["members"])
    assert max(joined.values(), default=1) == 1


def _place(player: str, name: str, places: dict[str, str], marks: dict[tuple[str, str], str], after: Document) -> str:
    if (player, name) in marks:
        return marks[player, name]
    side = next(p["side"] for p in after["players"] if p["name"] == player)
    return where(next(u for u in after["units"] if u["name"] == name and u["side"] == side))


@pytest.mark.fuzz
@pytest.mark.rule("SQ-R31", "SQ-R58", "SQ-72", "SQ-R50", "SQ-R71", "SQ-80", "SQ-R45")
@given(documents(), st.integers(0, 10**6))
@LARGE
def test_counters_are_conserved_and_stacks_are_legal(document: Document, seed: int) -> None:
    played = resolve(document, letters_for(document, seed), HmacDice(b"1", b"2"))
    check_counters(ruleset.dump(ruleset.load(document)), played)
    check_places(played)


@given(st.text(alphabet="MOVEFIRTQ?12 ,&+:=-#>0659\u00df\u0130", max_size=60))
@SMALL
def test_any_line_like_an_order_is_answered(text: str) -> None:
    for prefix in ("MOVE ", "FIRE ALL AT ", "PLACE ? ", "FLEET ", "JUMP Q1 TO ", "REPAIR ", ""):
        receive(random_world(7), "anna", prefix + text)

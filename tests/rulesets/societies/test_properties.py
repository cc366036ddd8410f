"""What holds for every position and every letter: no exception, nothing out of nothing, the same in, the same out."""

from collections import Counter
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import ScriptedDice
from rulesets.societies import ruleset
from tests.rulesets.budgets import LARGE, SMALL
from tests.rulesets.societies.harness import Played, mail
from tests.rulesets.societies.strategies import WONDERS, Turn, turns


def check_invariants(turn: Turn, played: Played) -> None:
    """Everything that must be true of a turn whatever was ordered."""
    after = played.document
    assert after["turn"] == turn.document["turn"] + 1
    _check_map(turn.document, played)
    _check_wonders(turn.document, played)
    _check_gold(turn.document, played)
    for table in after["society"]:
        assert (
            min(table[field] for field in ("gold", "armies", "spies", "nukes", "sdi", "spaceship_parts", "missed_turns")) >= 0
        )
        assert table["spies"] <= max(5, after["options"].get("spy_stock_max", 5))
        owned = sum(city["owner"] == table["name"] for city in after["city"])
        assert (owned == 0) == bool(table["eliminated_turn"])


def _check_map(before: dict[str, Any], played: Played) -> None:
    after = played.document
    squares = [city["square"] for city in after["city"]]
    assert len(squares) == len(set(squares))
    assert not set(squares) & set(after["map"]["nuked"])
    assert set(before["map"]["nuked"]) <= set(after["map"]["nuked"])
    was = {city["square"] for city in before["city"]}
    built = {data["square"] for data in played.of("city_built")}
    gone = {place for data in played.of("nuke_strike") for place in data["squares"]}
    assert set(squares) == (was | built) - gone
    assert gone == set(after["map"]["nuked"]) - set(before["map"]["nuked"])
    # Each city changes hands at most by way of attacks, and a captured one is marked.
    owner = {city["square"]: city["owner"] for city in before["city"]} | {
        d["square"]: d["society"] for d in played.of("city_built")
    }
    for city in after["city"]:
        if city["owner"] != owner[city["square"]]:
            assert city["rehabilitating"]
            assert any(city["square"] in data["squares"] for data in played.of("attack"))


def _check_wonders(before: dict[str, Any], played: Played) -> None:
    was = {table["name"]: table for table in before["wonder"]}
    now = {table["name"]: table for table in played.document["wonder"]}
    assert len(now) == len(played.document["wonder"])
    assert set(was) <= set(now)
    assert set(now) - set(was) == {data["wonder"] for data in played.of("wonder_built")}
    owner = {city["square"]: city["owner"] for city in played.document["city"]}
    for name, table in now.items():
        assert table["destroyed"] or owner[table["square"]] == table["owner"]
        assert table["obsolete"] >= was.get(name, table).get("obsolete", False) or table["destroyed"]
    # One wonder a city: only those that lost their cities may crowd together.
    moved = {data["wonder"] for data in played.of("wonder_moved")}
    settled = Counter(table["square"] for name, table in now.items() if not table["destroyed"] and name not in moved)
    assert all(count == 1 for count in settled.values()), settled


def _check_gold(before: dict[str, Any], played: Played) -> None:
    """Gold comes from taxes and caravans only, goes for caravans and purchases only, and gifts only move it."""
    out = {table["name"] for table in played.document["society"] if table["eliminated_turn"]}
    for old, new in zip(before["society"], played.document["society"], strict=True):
        name = old["name"]
        came = sum(data["gold"] for data in played.of("trade_income") if data["society"] == name)
        came += sum(data["income"] - data["support"] for data in played.of("tax") if data["society"] == name)
        paid = sum(data["cost"] for data in played.of("caravan") if data["society"] == name)
        paid += sum(data["cost"] for data in played.of("purchase") if data["society"] == name)
        gifts = [data for data in played.of("aid") if data["gift"] == "gold"]
        moved = sum(data["count"] * ((data["to"] == name) - (data["society"] == name)) for data in gifts)
        assert new["gold"] == (0 if name in out else old["gold"] + came - paid + moved)
    _check_payouts(before, played)


def _check_payouts(before: dict[str, Any], played: Played) -> None:
    """Both ends of a caravan get the product of the published levels, with their own bonus."""
    level = {table["name"]: table["tech"] for table in before["society"]}
    bonus = {"despotism": Fraction(1), "monarchy": Fraction(3, 2), "republic": Fraction(2)}
    government = {table["name"]: table["government"] for table in before["society"]}
    raw: Counter[str] = Counter()
    sums: dict[str, Fraction] = {}
    for data in played.of("caravan"):
        one, other = data["society"], data["partner"]
        raw[one] += data["count"]
        product = Fraction(level[one] * level[other], 2 if one == other else 1) * data["count"]
        for name in {one, other}:
            sums[name] = sums.get(name, Fraction(0)) + product
    assert all(count <= min(level[name], played.before["options"].get("max_caravans", 15)) for name, count in raw.items())
    for data in played.of("trade_income"):
        if played.before["options"].get("new_government_from") != "same_turn":
            assert data["gold"] == ceil(sums[data["society"]] * bonus[government[data["society"]]])


@pytest.mark.fuzz
@pytest.mark.rule("SO-02", "SO-110", "SO-116", "SO-117", "SO-R06", "SO-122", "SO-38")
@given(turns())
@LARGE
def test_a_turn_neither_fails_nor_makes_something_out_of_nothing(turn: Turn) -> None:
    check_invariants(turn, turn.played())


BARE = {
    "ruleset": "societies",
    "map": {"side": 4},
    "society": [{"name": "Ann"}, {"name": "Bob"}],
    "city": [{"square": "A1", "owner": "Ann"}, {"square": "D4", "owner": "Bob"}],
}


@given(st.lists(st.sampled_from(WONDERS), min_size=2, max_size=2, unique=True))
@SMALL
def test_one_free_city_gets_one_wonder(pair: list[str]) -> None:
    start = {**BARE, "society": [{"name": "Ann", "tech": 14, "gold": 500}, {"name": "Bob"}], "options": {}}
    state = ruleset.load(start)
    state = ruleset.receive(state, mail("Ann", "\n".join(f"Build {wonder} for 200" for wonder in pair))).position
    state = ruleset.miss(state, "Bob").position
    assert len(ruleset.dump(ruleset.resolve(state, ScriptedDice(())).position)["wonder"]) == 1

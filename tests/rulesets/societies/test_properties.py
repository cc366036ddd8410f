"""What holds for every position and every letter: no exception, nothing out of nothing, the same in, the same out."""

from collections import Counter
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.reports import report_html, report_text
from pbmd.rules import GM, PUBLIC, ScriptedDice, Status, View, canonical_json, seat_reader
from pbmd.rules.sheets import sheet_of
from rulesets.societies import ruleset
from tests.rulesets.hash_seeds import printed_under_other_hash_seeds
from tests.rulesets.societies.harness import Played, mail
from tests.rulesets.societies.strategies import LARGE, SMALL, WONDERS, Turn, documents, turns


def check_invariants(turn: Turn, played: Played) -> None:
    """Everything that must be true of a turn whatever was ordered."""
    after = played.document
    assert after["turn"] == turn.document["turn"] + 1
    assert ruleset.load(after) == played.position
    assert ruleset.dump(ruleset.load(after)) == after
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


@pytest.mark.rule("SO-02", "SO-110", "SO-116", "SO-117", "SO-R06", "SO-122", "SO-38")
@given(turns())
@SMALL
def test_a_turn_neither_fails_nor_makes_something_out_of_nothing(turn: Turn) -> None:
    check_invariants(turn, turn.played())


@pytest.mark.fuzz
@given(turns())
@LARGE
def test_many_turns_neither_fail_nor_make_something_out_of_nothing(turn: Turn) -> None:
    check_invariants(turn, turn.played())


@given(turns())
@SMALL
def test_the_same_input_gives_the_same_bytes(turn: Turn) -> None:
    one, other = turn.played(), turn.played()
    assert one.events == other.events
    assert canonical_json(one.document) == canonical_json(other.document)
    for reader in one.readers():
        assert one.bytes_for(reader) == other.bytes_for(reader)


@pytest.mark.rule("SO-R11")
@given(turns())
@SMALL
def test_a_turn_draws_no_dice_and_can_be_stored_at_any_time(turn: Turn) -> None:
    state = stored = ruleset.load(turn.document)
    for place, (seat, text) in enumerate(turn.letters, start=1):
        state = ruleset.receive(state, mail(seat, text, place)).position
        stored = ruleset.load(ruleset.dump(ruleset.receive(stored, mail(seat, text, place)).position))
        assert stored == state
    for seat in ruleset.awaiting(state):
        state, stored = ruleset.miss(state, seat).position, ruleset.load(ruleset.dump(ruleset.miss(stored, seat).position))
    assert ruleset.resolve(state, ScriptedDice(())) == ruleset.resolve(stored, ScriptedDice(()))


@given(turns(noise=False))
@SMALL
def test_random_players_send_legal_orders(turn: Turn) -> None:
    for receipt in turn.played().receipts:
        assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts


@given(turns())
@SMALL
def test_canonical_lines_mean_what_was_written(turn: Turn) -> None:
    state = ruleset.load(turn.document)
    for seat, text in turn.letters:
        sheet = sheet_of(ruleset.sheets(ruleset.receive(state, mail(seat, text)).position), seat)
        assert sheet is not None
        again = ruleset.receive(state, mail(seat, "\n".join(sheet.lines)))
        assert not [verdict for verdict in again.verdicts if verdict.status is Status.ERROR], again.verdicts
        assert sheet_of(ruleset.sheets(again.position), seat) == sheet


@given(documents())
@SMALL
def test_the_order_form_is_good_once_it_is_no_comment(document: dict[str, Any]) -> None:
    state = ruleset.load(document)
    for seat in ruleset.awaiting(state):
        form = ruleset.order_form(state, seat)
        assert all(line.startswith("#") and len(line) <= 70 for line in form.splitlines())
        orders = "\n".join(line[2:] for line in form.splitlines() if line.startswith("# "))
        receipt = ruleset.receive(state, mail(seat, orders))
        assert receipt.filed
        assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts
        untouched = ruleset.receive(state, mail(seat, form))
        assert not sheet_of(ruleset.sheets(untouched.position), seat) or not ruleset.sheets(untouched.position)[0].lines


@given(st.text(max_size=200))
@SMALL
def test_any_text_is_answered(text: str) -> None:
    state = ruleset.load({**BARE, "options": {}})
    receipt = ruleset.receive(state, mail("Ann", text))
    assert {verdict.line for verdict in receipt.verdicts} <= set(range(len(text.splitlines()) + 1))


BARE = {
    "ruleset": "societies",
    "map": {"side": 4},
    "society": [{"name": "Ann"}, {"name": "Bob"}],
    "city": [{"square": "A1", "owner": "Ann"}, {"square": "D4", "owner": "Bob"}],
}


@given(turns())
@SMALL
def test_every_reader_gets_a_report_in_text_and_html(turn: Turn) -> None:
    played = turn.played()
    for reader in played.readers():
        view = ruleset.view(played.position, played.events, reader)
        # Only what can be kept as JSON is in it.
        assert canonical_json(view.data)
        text = report_text(ruleset, view)
        assert max(map(len, text.splitlines())) <= 78
        assert "<" in report_html(ruleset, View(view.reader, view.turn, view.data))


@given(st.lists(st.sampled_from(WONDERS), min_size=2, max_size=2, unique=True))
@SMALL
def test_one_free_city_gets_one_wonder(pair: list[str]) -> None:
    start = {**BARE, "society": [{"name": "Ann", "tech": 14, "gold": 500}, {"name": "Bob"}], "options": {}}
    state = ruleset.load(start)
    state = ruleset.receive(state, mail("Ann", "\n".join(f"Build {wonder} for 200" for wonder in pair))).position
    state = ruleset.miss(state, "Bob").position
    assert len(ruleset.dump(ruleset.resolve(state, ScriptedDice(())).position)["wonder"]) == 1


_DIGEST = """
import hashlib
from pbmd.rules import GM, HmacDice, canonical_json
from rulesets.societies import ruleset
from tests.rulesets.societies.test_worked_example import played
example = played()
form = ruleset.order_form(example.position, "Ann")
orders = ruleset.random_orders(example.position, "Ann", HmacDice(b"1", b"2"))
print(hashlib.sha256(canonical_json([example.document, form, orders]) + example.bytes_for(GM)).hexdigest())
"""


def test_nothing_depends_on_the_hash_seed_of_the_interpreter() -> None:
    assert len(printed_under_other_hash_seeds(_DIGEST)) == 1


def test_views_are_for_the_public_the_game_master_and_seats() -> None:
    state = ruleset.load({**BARE, "options": {}})
    for reader in (PUBLIC, GM, seat_reader("Ann")):
        assert ruleset.view(state, (), reader).reader == reader

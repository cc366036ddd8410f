"""What holds for every position and every letter: no exception, nothing out of nothing, the same in, the same out."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.reports import report_html, report_text
from pbmd.rules import Document, HmacDice, Status, canonical_json
from pbmd.rules.sheets import sheet_of
from rulesets.starship_squadrons import ruleset
from tests.rulesets.hash_seeds import printed_under_other_hash_seeds
from tests.rulesets.starship_squadrons.harness import Played, mail, receive, resolve, where
from tests.rulesets.starship_squadrons.strategies import LARGE, SMALL, documents, noise, random_world

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
    assert ruleset.load(played.document) == played.position
    assert ruleset.dump(ruleset.load(played.document)) == played.document


@given(documents(), st.integers(0, 10**6))
@SMALL
def test_the_same_letters_and_dice_bring_about_the_same(document: Document, seed: int) -> None:
    letters = letters_for(document, seed)
    one, two = (resolve(document, letters, HmacDice(b"1", b"2")) for _ in range(2))
    assert one.document == two.document
    assert one.events == two.events
    for reader in one.readers():
        assert canonical_json(one.view(reader)) == canonical_json(two.view(reader))


@given(documents(), st.integers(0, 10**6))
@SMALL
def test_every_reader_gets_a_report_in_text_and_html(document: Document, seed: int) -> None:
    played = resolve(document, letters_for(document, seed), HmacDice(b"1", b"2"))
    for reader in played.readers():
        view = ruleset.view(played.position, played.events, reader)
        # Only what can be kept as JSON is in it.
        assert canonical_json(view.data)
        text = report_text(ruleset, view)
        assert max(map(len, text.splitlines())) <= 78
        assert "<" in report_html(ruleset, view)


@given(documents(), st.integers(0, 10**6))
@SMALL
def test_random_players_and_order_forms_are_legal(document: Document, seed: int) -> None:
    state = ruleset.load(document)
    for seat in ruleset.awaiting(state):
        orders = ruleset.random_orders(state, seat, HmacDice(seed.to_bytes(4, "big"), b""))
        receipt = ruleset.receive(state, mail(seat, orders))
        assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts
        form = ruleset.receive(state, mail(seat, ruleset.order_form(state, seat)))
        assert not [verdict for verdict in form.verdicts if verdict.status is Status.ERROR], form.verdicts
        sheet = sheet_of(ruleset.sheets(form.position), seat)
        assert sheet is None or sheet.lines == ()


@given(documents(), st.integers(0, 10**6))
@SMALL
def test_canonical_lines_are_orders_themselves_and_mean_the_same(document: Document, seed: int) -> None:
    state = ruleset.load(document)
    for seat, text in letters_for(document, seed):
        receipt = ruleset.receive(state, mail(seat, text))
        sheet = sheet_of(ruleset.sheets(receipt.position), seat)
        if sheet is None:
            continue
        again = ruleset.receive(state, mail(seat, "\n".join(sheet.lines)))
        assert sheet_of(ruleset.sheets(again.position), seat) == sheet
        assert ruleset.load(ruleset.dump(receipt.position)) == receipt.position


@given(st.text(max_size=200))
@SMALL
def test_any_text_is_answered(text: str) -> None:
    receipt = receive(random_world(7), "anna", text)
    assert {verdict.line for verdict in receipt.verdicts} <= set(range(len(text.splitlines()) + 1))


@given(st.text(alphabet="MOVEFIRTQ?12 ,&+:=-#>0659\u00df\u0130", max_size=60))
@SMALL
def test_any_line_like_an_order_is_answered(text: str) -> None:
    for prefix in ("MOVE ", "FIRE ALL AT ", "PLACE ? ", "FLEET ", "JUMP Q1 TO ", "REPAIR ", ""):
        receive(random_world(7), "anna", prefix + text)


def test_huge_numbers_do_no_harm() -> None:
    many = "9" * 5000
    lines = (
        f"MOVE Ship 0 TO {many}", f"REPAIR {many} HITS ON ALL", f"WAIT {many}", f"FIRE ALL AT ANY WITHIN {many}",
        f"PLACE Q{many} ON Guard", f"TRANSFER {many} SUPPLY FROM Guard TO Ship 0", f"MOVE {many} Guard TO 0101",
    )  # fmt: skip
    for line in lines:
        assert receive(random_world(7), "anna", line).verdicts


_DIGEST = """
import hashlib
from pbmd.rules import GM, HmacDice, canonical_json, seat_reader
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import resolve
from tests.rulesets.starship_squadrons.strategies import random_world
from tests.rulesets.starship_squadrons.test_properties import letters_for
found = hashlib.sha256()
for seed in range(12):
    document = random_world(seed)
    played = resolve(document, letters_for(document, seed), HmacDice(b"1", b"2"))
    forms = [ruleset.order_form(played.position, seat) for seat in ruleset.seats(played.position)]
    orders = [ruleset.random_orders(played.position, seat, HmacDice(b"1", b"2")) for seat in ruleset.awaiting(played.position)]
    found.update(canonical_json([played.document, forms, orders, [played.view(reader) for reader in played.readers()]]))
print(found.hexdigest())
"""


def test_nothing_depends_on_the_hash_seed_of_the_interpreter() -> None:
    assert len(printed_under_other_hash_seeds(_DIGEST)) == 1

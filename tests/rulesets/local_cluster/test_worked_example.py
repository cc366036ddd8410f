"""The worked example of the specification (section 12), number for number."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from pbmd.rules import PUBLIC, canonical_json, seat_reader
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.example import ACCEPT, DICE, TERRANS, ZORG, example
from tests.rulesets.local_cluster.harness import Played, play

ROOT = Path(__file__).parents[3]
ITEMS = (("Terrans", TERRANS), ("Zorg", ACCEPT), ("Zorg", ZORG))


@cache
def played() -> Played:
    return play(example(), ITEMS, DICE)


@cache
def first_move() -> Played:
    return play(example(), ITEMS[:1], DICE[:7])


def changed(table: str, key: str) -> dict[str, Any]:
    """What is different in a table after the Turn, by name; None stands for what is gone."""
    before = {entry[key]: entry for entry in ruleset.dump(ruleset.load(example()))[table]}
    after = {entry[key]: entry for entry in played().document[table]}
    return {name: after.get(name) for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)}


@pytest.mark.rule("LC-13", "LC-14", "LC-15", "LC-17", "LC-30", "LC-66", "LC-69", "LC-R05", "LC-R17")
def test_income_and_upkeep_come_first() -> None:
    income, upkeep = first_move().of("income")[0], first_move().of("upkeep")[0]
    assert (income["state"], income["tax"], income["trade"]) == ("Terrans", 8, 10)
    assert upkeep["amount"] == 8
    assert first_move().credits("Terrans") == 6 + 18 - 8 - 10 - 3


@pytest.mark.rule("LC-49", "LC-50", "LC-52", "LC-R69", "LC-R70", "LC-R80")
def test_the_fleet_battle_at_bastion() -> None:
    one, two = first_move().of("fleet_round")
    assert [(r["unit"], r["die"], r["modifier"], r["total"]) for r in one["rolls"]] == [
        ("F33", 9, 1, 10),
        ("F34", 3, 1, 4),
        ("F1", 10, 0, 10),
    ]
    assert [(r["unit"], r["die"], r["modifier"], r["total"]) for r in two["rolls"]] == [("F33", 6, 1, 7), ("F1", 2, 0, 2)]
    assert first_move().where("F34") == "Aquila"
    assert first_move().where("F1") == ""


@pytest.mark.rule("LC-59", "LC-60", "LC-R66", "LC-R80", "LC-89", "LC-90")
def test_the_landing_and_the_army_battle() -> None:
    (only,) = first_move().of("army_round")
    assert [(r["unit"], r["die"], r["modifier"], r["total"]) for r in only["rolls"]] == [("A33", 7, 0, 7), ("A1", 3, 1, 4)]
    assert (first_move().where("A33"), first_move().where("A1")) == ("Bastion", "")
    assert first_move().owner("Bastion") == "Terrans"


@pytest.mark.rule("LC-25", "LC-35", "LC-R35", "LC-88", "LC-89")
def test_the_development_on_a_planet_not_yet_owned_fails() -> None:
    assert first_move().failed == [("Develop Mines on Bastion", "", "not_owner")]
    (event,) = [event for event in first_move().events if event.kind == "order_failed"]
    assert event.audience == ("Terrans",)


@pytest.mark.rule("LC-43", "LC-44", "LC-R53", "LC-R54")
def test_fenris_accepts_without_a_coin_and_ilium_refuses_by_one() -> None:
    assert played().relation("Zorg", "Fenris") == "trade pact"
    assert played().relation("Zorg", "Ilium") == "peace"
    assert ("Offer military pact to Ilium", "", "npc_refused") in played().failed
    assert ("Develop Portal on Garnet", "", "no_slot") in played().failed


def test_the_dice_are_those_of_the_rules_in_their_order() -> None:
    assert played().drawn == tuple(zip((10,) * 7 + (2,), DICE, strict=True))


@pytest.mark.rule("LC-11", "LC-R01")
def test_the_new_position_differs_only_as_in_the_specification() -> None:
    after = played().document
    assert (after["turn"], after["phase"], after["waiting"]) == (4, "moves", ["Terrans", "Zorg"])
    assert (after["next_fleet"], after["next_army"], after["offers"]) == (36, 39, [])
    assert changed("planets", "name") == {
        "Bastion": played().planet("Bastion") | {"owner": "Terrans", "resources": ["Barracks"]},
        "Garnet": played().planet("Garnet") | {"owner": "Zorg", "resources": ["Refinery", "Mines"]},
    }
    assert changed("fleets", "id") == {
        "F1": None,
        "F33": {"id": "F33", "owner": "Terrans", "planet": "Bastion"},
        "F35": {"id": "F35", "owner": "Zorg", "planet": "Fenris"},
    }
    assert changed("armies", "id") == {
        "A1": None,
        "A33": {"id": "A33", "owner": "Terrans", "planet": "Bastion"},
        "A36": {"id": "A36", "owner": "Terrans", "planet": "Aquila"},
        "A37": {"id": "A37", "owner": "Zorg", "planet": "Garnet"},
        "A38": {"id": "A38", "owner": "Zorg", "planet": "Garnet"},
    }
    states = changed("states", "name")
    assert (states["Terrans"]["credits"], states["Terrans"]["technologies"]) == (3, ["Portal I"])
    assert states["Zorg"]["credits"] == 5
    assert states["Bastion"]["kind"] == "eliminated"
    npcs = {name: table["credits"] for name, table in states.items() if table["kind"] == "npc"}
    assert (npcs.pop("Eridu"), npcs.pop("Hesper"), npcs.pop("Fenris")) == (7, 7, 12)
    assert len(npcs) == 28
    assert set(npcs.values()) == {2}
    assert {tuple(sorted(entry["between"])) for entry in after["relations"]} == {
        ("Terrans", "Zorg"), ("Fenris", "Zorg"), ("Eridu", "Terrans"), ("Fenris", "Terrans"), ("Hesper", "Zorg")
    }  # fmt: skip
    assert played().relation("Terrans", "Zorg") == "trade"


@pytest.mark.rule("LC-37", "LC-R37", "LC-R39")
def test_zorg_gets_the_offer_and_how_to_answer_it() -> None:
    made = next(event for event in first_move().events if event.kind == "offer_made")
    assert set(made.audience or ()) == {"Terrans", "Zorg"}
    assert ruleset.tell is not None
    assert ACCEPT in ruleset.tell(made)
    assert first_move().offers == ["trade Terrans Zorg 3"]
    agreed = played().receipts[1]
    assert (agreed.filed, agreed.granted) == (False, True)
    assert [event.kind for event in agreed.events] == ["agreed"]
    assert agreed.events[0].audience is None


@pytest.mark.rule("LC-R102")
def test_the_refusal_and_the_failed_lines_are_for_their_player_only() -> None:
    for words in (b"npc_refused", b"no_slot", b"not_owner"):
        for reader in (PUBLIC, seat_reader("Terrans")):
            if words != b"not_owner" or reader is PUBLIC:
                assert words not in played().bytes_for(reader)


@pytest.mark.rule("LC-11")
def test_the_adjudicator_gets_the_same(tmp_path: Path) -> None:
    """Through the command line, from files."""
    position, orders = tmp_path / "position.toml", tmp_path / "orders.toml"
    position.write_text(tomli_w.dumps(example()), encoding="utf-8")
    entries = [
        {"player": seat, "received": datetime(2026, 1, 1, place, tzinfo=UTC), "text": text}
        for place, (seat, text) in enumerate(ITEMS)
    ]
    orders.write_text(tomli_w.dumps({"orders": entries}), encoding="utf-8")
    command = [sys.executable, "-c", "from pbmd.cli import main; main()", "adjudicate", str(position), str(orders)]
    dice = " ".join(map(str, DICE))
    run = subprocess.run([*command, "--dice", dice, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    result = json.loads(run.stdout)
    assert result["position"] == json.loads(canonical_json(played().document))
    assert result["dice"] == [list(roll) for roll in played().drawn]

"""The position document: read, written, refused (section 4)."""

import json
import tomllib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import tomli_w

from pbmd.rules import Document, PositionError
from rulesets.societies import ruleset
from tests.rulesets.societies.example import example
from tests.rulesets.societies.harness import mail, play, world


def full() -> Document:
    """A position that has something of everything."""
    return world(
        "aab#. / Abb.c / ..... / ..... / .....",
        "Ann monarchy tech 15 gold 60 armies 16 spies 1 nukes 2 sdi 3 parts 4 engine_spend 1400 missed_turns 2",
        "Bob republic tech 9 gold 4", "Cat", "Dan eliminated 3",
        wonders="Tower of Babel Ann A1, KGB Ann B1 obsolete by Bob, Mafia destroyed by Cat, Jihad Bob B2",
        wars="Ann Bob 7, Cat Ann 8", rights="Bob Ann 2", concessions="Cat Ann, Bob Ann", gm_concession="Ann",
        domination_needs_gm=True, starts="A1, B3", public_chart="gold, sdi", aid_gold=False, max_caravans=3,
    )  # fmt: skip


def again(document: Document) -> Document:
    return ruleset.dump(ruleset.load(document))


@pytest.mark.parametrize("document", [example(), full()])
def test_a_document_is_written_as_it_was_read(document: Document) -> None:
    written = again(document)
    assert again(written) == written
    assert ruleset.load(written) == ruleset.load(document)
    assert again(tomllib.loads(tomli_w.dumps(written))) == written
    assert again(json.loads(json.dumps(written))) == written
    for key, value in document.items():
        if isinstance(value, list):
            for table, entry in zip(written[key], value, strict=True):
                assert {**table, **entry} == table
        elif isinstance(value, dict):
            assert {**written[key], **value} == written[key]
        else:
            assert written[key] == value


def test_fields_not_given_take_their_defaults() -> None:
    least = {
        "ruleset": "societies", "map": {"side": 2},
        "society": [{"name": "Ann"}], "city": [{"square": "b2", "owner": "Ann"}],
    }  # fmt: skip
    written = again(least)
    assert written["turn"] == 1
    assert written["society"] == [
        {
            "name": "Ann", "title": "", "government": "despotism", "tech": 1, "gold": 0, "armies": 0, "spies": 0, "nukes": 0,
            "sdi": 0, "spaceship_parts": 0, "engine_spend": 0, "eliminated_turn": 0, "missed_turns": 0,
        }
    ]  # fmt: skip
    assert written["city"] == [{"square": "B2", "owner": "Ann", "name": "", "rehabilitating": False}]
    assert written["map"]["nuked"] == []


@pytest.mark.rule("SO-08")
def test_columns_after_z_have_two_letters_in_either_case() -> None:
    document = world("a.b", "Ann gold 99", "Bob")
    document["map"] = {"side": 99, "nuked": ["AA1", "cu99"]}
    document["city"] = [{"square": "z1", "owner": "Ann"}, {"square": "BA7", "owner": "Bob"}]
    assert again(document)["map"]["nuked"] == ["AA1", "CU99"]
    # AA1, to the right of Z1, is nuked: the city goes to Z2.
    played = play(document, "Ann: City at AA1, z2")
    assert {city["square"] for city in played.document["city"]} == {"Z1", "Z2", "BA7"}


def test_the_builder_is_the_owner_unless_said() -> None:
    document = world("a.b", "Ann", "Bob", wonders="Mafia Ann A1")
    assert again(document)["wonder"][0]["builder"] == "Ann"


def test_nothing_of_a_turn_is_left_over_after_it() -> None:
    played = play(world("a.b", "Ann gold 9", "Bob"), "Ann: Buy 1 army")
    assert ruleset.sheets(played.position) == ()
    assert not played.document.get("sheets")
    assert not played.document.get("missed")
    assert ruleset.awaiting(played.position) == ("Ann", "Bob")


def _set(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


def _add(key: str, **entry: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        value[key].append(entry)

    return change


def _drop(*path: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        del value[path[-1]]

    return change


WRONG = [
    # head and map
    (_set("ruleset", to="chess"), "ruleset"),
    (_drop("ruleset"), "ruleset"),
    (_set("turn", to=0), "turn"),
    (_set("turn", to="8"), "turn"),
    (_set("turn", to=8.0), "turn"),
    (_set("unknown", to=1), "unknown"),
    (_set("gm_concession", to="Nobody"), "gm_concession"),
    (_drop("map"), "map"),
    (_set("map", "side", to=1), "map.side"),
    (_set("map", "side", to=100), "map.side"),
    (_set("map", "nuked", 0, to="Z9"), "map.nuked[0]"),
    (_set("map", "nuked", 0, to="9Z"), "map.nuked[0]"),
    (_set("map", "nuked", 0, to="A1"), "city"),
    (_set("options", "max_caravans", to="many"), "options"),
    (_set("options", "colour", to="red"), "options"),
    (_set("options", "spy_defence", to="some"), "options"),
    # societies
    (_set("society", to=[]), "society"),
    (_drop("society", 0, "name"), "society[0].name"),
    (_set("society", 1, "name", to="ANN"), "society[1].name"),
    (_set("society", 0, "government", to="anarchy"), "society[0].government"),
    (_set("society", 0, "tech", to=0), "society[0].tech"),
    (_set("society", 0, "gold", to=-1), "society[0].gold"),
    (_set("society", 0, "gold", to=1.5), "society[0].gold"),
    (_set("society", 0, "gold", to=True), "society[0].gold"),
    (_set("society", 0, "armies", to=-1), "society[0].armies"),
    (_set("society", 0, "spaceship_parts", to=5), "society[0].spaceship_parts"),
    (_set("society", 0, "engine_spend", to=999), "society[0].engine_spend"),
    (_set("society", 0, "missed_turns", to=-1), "society[0].missed_turns"),
    (_set("society", 0, "colour", to="red"), "society[0].colour"),
    (_set("society", 3, "eliminated_turn", to=0), "society[3]"),
    (_set("society", 0, "eliminated_turn", to=2), ""),
    # cities
    (_add("city", square="A1", owner="Ann"), "city[7].square"),
    (_add("city", square="D1", owner="Ann"), "city[7].square"),
    (_add("city", square="F1", owner="Ann"), "city[7].square"),
    (_add("city", square="E5", owner="Nobody"), "city[7].owner"),
    (_add("city", square="E5"), "city[7].owner"),
    (_add("city", owner="Ann"), "city[7].square"),
    (_set("city", 0, "rehabilitating", to="yes"), "city[0].rehabilitating"),
    # wonders
    (_add("wonder", name="Jihad", owner="Ann", square="B1"), "wonder[4].name"),
    (_add("wonder", name="Pyramids", owner="Ann", square="B1"), "wonder[4].name"),
    (_add("wonder", name="Acropolis", owner="Nobody", square="B1"), "wonder[4]"),
    (_add("wonder", name="Acropolis", owner="Ann", square="C1"), "wonder[4].square"),
    (_add("wonder", name="Acropolis", owner="Ann", square="E5"), "wonder[4].square"),
    (_add("wonder", name="Acropolis", owner="Ann", square=""), "wonder[4].square"),
    (_add("wonder", name="Acropolis", owner="", square="A1"), "wonder[4]"),
    (_add("wonder", name="Acropolis", owner="Ann", square="A2", builder="Nobody"), "wonder[4].builder"),
    (_add("wonder", name="Acropolis", owner="Ann", square="A2", destroyed=True), "wonder[4]"),
    # wars, rights, concessions
    (_set("war", 0, "between", to=["Ann", "Ann"]), "war[0]"),
    (_set("war", 0, "between", to=["Ann", "Nobody"]), "war[0]"),
    (_set("war", 0, "between", to=["Ann"]), "war[0].between"),
    (_drop("war", 0, "since"), "war[0].since"),
    (_add("war", between=["Bob", "Ann"], since=2), "war[2]"),
    (_set("counterattack", 0, "count", to=0), "counterattack[0].count"),
    (_set("counterattack", 0, "holder", to="Nobody"), "counterattack[0]"),
    (_set("concession", 0, "to", to="Nobody"), "concession[0]"),
    (_set("concession", 0, "to", to="Cat"), "concession[0]"),
    # the end
    (_set("result", to={"over": True, "winners": ["Nobody"]}), "result"),
    (_set("result", to={"over": True, "victories": [{"society": "Ann", "kind": "luck"}]}), "result"),
]


@pytest.mark.rule("SO-01", "SO-110", "SO-116")
@pytest.mark.parametrize(("change", "place"), WRONG)
def test_a_document_that_breaks_its_rules_is_refused_with_the_place(change: Callable[[Any], None], place: str) -> None:
    document = deepcopy(again(full()))
    ruleset.load(document)
    change(document)
    with pytest.raises(PositionError) as refused:
        ruleset.load(document)
    assert refused.value.place.startswith(place), refused.value
    assert refused.value.problem


def test_orders_that_no_game_has_on_file_are_refused() -> None:
    state = ruleset.receive(ruleset.load(full()), mail("Bob", "Buy 1 army")).position
    document = ruleset.dump(state)
    for broken in ({"lines": ["Buy 0 armies"]}, {"lines": ["Research the moon"]}, {"player": "Nobody"}, {"arrival": ["x", 0]}):
        changed = deepcopy(document)
        changed["sheets"][0] |= broken
        with pytest.raises(PositionError):
            ruleset.load(changed)

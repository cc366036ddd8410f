"""The position document: read, written, refused."""

import json
import tomllib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import tomli_w

from pbmd.rules import Document, PositionError, Refused
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import base, mail, navy, play, player, position, receive


def document() -> Document:
    """The start of the worked example."""
    return position(
        player("Altair", "3 Laserfrigate, 1 Torpedocruiser@1", bp=23, spies=1),
        player("Borealis", "4 Carrierfrigate, 2 Torpedobattleship", bp=9, generators=1, spies=1),
        player("Cygnus", "1 Lasercruiser, 3 Carriercruiser, 2 Torpedofrigate", bp=14, generators=1, counter_espionage=1),
        bases=[base("Vega", "Altair", acquired=10), base("Deneb", "Borealis", builder="Cygnus", acquired=12)],
    )


def again(value: Document) -> Document:
    return ruleset.dump(ruleset.load(value))


def test_a_document_is_written_as_it_was_read() -> None:
    written = again(document())
    assert {key: value for key, value in written.items() if key != "options"} == {
        key: value for key, value in document().items() if key != "options"
    }
    assert again(written) == written
    assert ruleset.load(written) == ruleset.load(document())


def test_a_document_survives_toml_and_json() -> None:
    written = again(document())
    assert again(tomllib.loads(tomli_w.dumps(written))) == written
    assert again(json.loads(json.dumps(written))) == written


def test_the_order_of_bases_and_ships_and_missing_defaults_do_not_matter() -> None:
    loose = deepcopy(document())
    loose["bases"].reverse()
    for table in loose["players"]:
        table["ships"].reverse()
        for field in ("alive", "original_ships"):
            del table[field]
        for entry in table["ships"]:
            if not entry["damage"]:
                del entry["damage"]
    del loose["options"]
    written = again(loose)
    assert written["players"] == document()["players"]
    assert sorted(written["bases"], key=lambda b: b["acquired"]) == document()["bases"]


def test_ships_of_equal_hull_weapon_and_damage_are_one_entry_in_the_canonical_order() -> None:
    start = position(
        player("Altair", "1 Torpedofrigate, 1 Lasertitan, 2 Laserfrigate, 1 Laserfrigate@1", bp=2), player("Cygnus")
    )
    played = play(start, [("Altair", "Build 1 Laserfrigate\nBuild 1 Carrierfrigate")])
    entries = played.player("Altair")["ships"]
    assert [(e["weapon"], e["hull"], e["damage"], e["count"]) for e in entries] == [
        ("laser", "frigate", 0, 3),
        ("laser", "frigate", 1, 1),
        ("laser", "titan", 0, 1),
        ("fighter", "frigate", 0, 1),
        ("torpedo", "frigate", 0, 1),
    ]


def test_orders_on_file_are_part_of_the_position() -> None:
    state = receive(document(), "Altair", "Train spy\nAttack: LFTLFT close in").position
    state = ruleset.receive(state, mail("Cygnus", "Use CE", 2)).position
    written = ruleset.dump(state)
    restored = ruleset.load(json.loads(json.dumps(written)))
    assert ruleset.dump(restored) == written
    assert ruleset.sheets(restored) == ruleset.sheets(state)
    assert ruleset.awaiting(restored) == ("Borealis",)
    assert [sheet.seat for sheet in ruleset.sheets(restored)] == ["Altair", "Cygnus"]


def test_nothing_of_a_turn_is_left_over_after_it() -> None:
    played = play(document(), [("Altair", "Train spy"), ("Borealis", "LFTLFT")])
    assert ruleset.sheets(played.position) == ()
    assert ruleset.awaiting(played.position) == ("Altair", "Borealis", "Cygnus")
    assert set(played.document) == set(again(document()))


@pytest.mark.rule("GO-73")
def test_stocks_may_be_as_large_as_the_options_allow() -> None:
    start = document()
    start["options"] = {"max_generators": 5, "max_spies": 4, "starting_counter_espionage": 6}
    start["players"][0] |= {"generators": 5, "spies": 4, "counter_espionage": 6}
    assert again(start)["players"][0]["generators"] == 5


def _set(*path: Any, to: Any) -> Callable[[Document], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


def _drop(*path: Any) -> Callable[[Document], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        del value[path[-1]]

    return change


BROKEN = [
    (_set("ruleset", to="local_cluster"), "ruleset"),
    (_set("turn", to=-1), "turn"),
    (_set("turn", to="four"), "turn"),
    (_set("status", to="paused"), "status"),
    (_set("winner", to="Nobody"), "winner"),
    (_drop("players"), "players"),
    (_drop("bases"), "bases"),
    (_set("players", to=[]), "players"),
    (_set("players", 1, "name", to="ALTAIR"), "players[1].name"),
    (_set("players", 1, "name", to=""), "players[1].name"),
    (_drop("players", 1, "name"), "players[1]"),
    (_set("players", 0, "bp", to=-1), "players[0].bp"),
    (_set("players", 0, "bp", to=True), "players[0].bp"),
    (_set("players", 0, "bp", to=1.5), "players[0].bp"),
    (_set("players", 0, "generators", to=4), "players[0].generators"),
    (_set("players", 0, "spies", to=4), "players[0].spies"),
    (_set("players", 0, "spies", to=-1), "players[0].spies"),
    (_set("players", 0, "counter_espionage", to=3), "players[0].counter_espionage"),
    (_set("players", 0, "original_ships", to=-2), "players[0].original_ships"),
    (_set("players", 0, "ships", 0, "hull", to="carrier"), "players[0].ships[0].hull"),
    (_set("players", 0, "ships", 0, "weapon", to="ram"), "players[0].ships[0].weapon"),
    (_set("players", 0, "ships", 0, "count", to=0), "players[0].ships[0].count"),
    (_set("players", 0, "ships", 0, "damage", to=2), "players[0].ships[0].damage"),
    (_set("players", 0, "ships", 0, "damage", to=0.3), "players[0].ships[0].damage"),
    (_set("players", 0, "ships", 0, "damage", to=-1), "players[0].ships[0].damage"),
    (_set("bases", 0, "owner", to="Nobody"), "bases[0].owner"),
    (_set("bases", 0, "builder", to="Nobody"), "bases[0].builder"),
    (_set("bases", 1, "name", to="altair base 1"), "bases[1].name"),
    (_set("bases", 1, "acquired", to=1), "bases[1].acquired"),
    (_set("bases", 0, "acquired", to=0), "bases[0].acquired"),
    (_set("treasure", to=1), "treasure"),
    (_set("players", 0, "gold", to=1), "players[0]"),
]


@pytest.mark.parametrize(("breaks", "place"), BROKEN, ids=[f"{place}-{n}" for n, (_, place) in enumerate(BROKEN)])
def test_a_broken_document_is_refused_with_the_place_of_the_fault(breaks: Callable[[Document], None], place: str) -> None:
    broken = deepcopy(document())
    breaks(broken)
    with pytest.raises(PositionError) as caught:
        ruleset.load(broken)
    assert caught.value.place.startswith(place.removesuffix(".name")) or place in str(caught.value)
    assert caught.value.problem


def test_a_finished_game_takes_no_orders() -> None:
    start = position(
        player("Altair"), player("Cygnus", bases=0, alive=False, counter_espionage=0), bases=[base("Vega", "Altair")]
    )
    start |= {"status": "finished", "winner": "Altair"}
    state = ruleset.load(start)
    assert ruleset.awaiting(state) == ()
    outcome = ruleset.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("Altair",)


def test_orders_that_are_not_on_file_cannot_be_taken_back() -> None:
    with pytest.raises(Refused):
        ruleset.withdraw(ruleset.load(document()), "Altair")


@pytest.mark.rule("GO-R10", "GO-R55")
def test_damage_is_read_in_quarters() -> None:
    start = position(player("Altair", "1 Laserfrigate@0.25, 1 Laserfrigate@1.75"), player("Cygnus"))
    assert play(start, []).navy("Altair") == navy("1 Laserfrigate@0.25, 1 Laserfrigate@1.75")

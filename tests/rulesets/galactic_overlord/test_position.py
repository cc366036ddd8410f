"""The position document: read, written, refused."""

import gc
import json
from collections.abc import Callable
from copy import deepcopy
from itertools import permutations
from typing import Any

import pytest

from pbmd.rules import Document, PositionError, Refused
from rulesets.galactic_overlord import ruleset
from rulesets.galactic_overlord.world.state import Position
from tests.rulesets.galactic_overlord.harness import base, navy, play, player, position


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


def test_ships_that_are_alike_are_written_as_one_entry_in_the_canonical_order() -> None:
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


# Orders in a document


def with_sheet(*lines: str, seat: str = "Altair") -> Document:
    return {**document(), "sheets": [{"player": seat, "arrival": [1, 0], "lines": list(lines)}]}


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["Stockpile", "Use spy on Borealis"], "sheets[0].lines[1]"),
        (["Train spy", "Build generator"], "sheets[0].lines[1]"),
        (["Raise shields"], "sheets[0].lines[0]"),
        (["Build 1 Lasertitan"], "sheets[0].lines[0]"),
        (["OOB vs borealis: LFTLTF"], "sheets[0].lines[0]"),
        (["build 1 base"], "sheets[0].lines[0]"),
        (["Attack Boreal with all"], "sheets[0].lines[0]"),
        (["Train spy", "# Stockpile"], "sheets[0].lines[1]"),
        (["Train spy", ""], "sheets[0].lines[1]"),
    ],
)
def test_orders_that_would_be_refused_cannot_be_on_file(lines: list[str], place: str) -> None:
    broken = with_sheet(*lines, seat="Cygnus" if "Use spy" in lines[-1] else "Altair")
    with pytest.raises(PositionError) as caught:
        ruleset.load(broken)
    assert caught.value.place == place


def test_an_eliminated_or_unknown_faction_or_a_finished_game_has_no_orders_on_file() -> None:
    gone = with_sheet("Stockpile", seat="Deneb")
    with pytest.raises(PositionError, match=r"sheets\[0\]\.player"):
        ruleset.load(gone)
    gone["players"].append({**player("Deneb"), "alive": False})
    del gone["players"][-1]["_bases"]
    with pytest.raises(PositionError, match=r"sheets\[0\]\.player: there is no \"Deneb\" who can have orders now"):
        ruleset.load(gone)
    over = with_sheet("Stockpile") | {"status": "finished"}
    with pytest.raises(PositionError, match=r"sheets\[0\]\.player"):
        ruleset.load(over)


@pytest.mark.parametrize(
    ("sheet", "place"),
    [
        ({"player": "Nobody", "arrival": [1, 0], "lines": []}, "past[1].sheets[0].player"),
        ({"player": "Altair", "arrival": [1, 0], "lines": ["Stockpile", "Rest"]}, "past[1].sheets[0].lines[1]"),
        ({"player": "Altair", "arrival": [1, 0], "lines": ["Use spy on Nobody"]}, "past[1].sheets[0].lines[0]"),
    ],
)
def test_the_sheets_of_past_turns_are_checked_for_form_and_names(sheet: Document, place: str) -> None:
    good = {"player": "Altair", "arrival": [1, 0], "lines": ["Use spy on Cygnus", "Attack Borealis with 9 Lasertitans"]}
    past = [{"turn": 2, "sheets": [good]}, {"turn": 3, "sheets": [sheet]}]
    assert ruleset.load({**document(), "past": past[:1]})
    with pytest.raises(PositionError) as caught:
        ruleset.load({**document(), "past": past})
    assert caught.value.place == place


def test_numbers_as_large_as_a_game_may_reach_are_read_again() -> None:
    start = document()
    start["players"][0] |= {"bp": 3_000_000_000, "original_ships": 0}
    start["players"][0]["ships"][0]["count"] = 5_000_000
    played = play(start, [("Altair", "Build 2 Laserfrigates")])
    written = played.document
    assert again(json.loads(json.dumps(written))) == written
    assert written["players"][0]["bp"] > 3_000_000_000 - 3


@pytest.mark.parametrize(
    ("breaks", "words"),
    [
        (_set("players", 0, "bp", to="4"), "players[0].bp: a whole number is wanted here, not '4'"),
        (_set("players", 0, "bp", to=-1), "players[0].bp: at least 0 is wanted here, not -1"),
        (_set("players", 0, "alive", to="yes"), "players[0].alive: true or false is wanted here, not 'yes'"),
        (_set("players", 0, "name", to=4), "players[0].name: a text in quotation marks is wanted here, not 4"),
        (_set("players", 0, "ships", to=4), "players[0].ships: a list is wanted here, not 4"),
        (_set("players", 0, "ships", 0, to=4), "players[0].ships[0]: a table is wanted here, not 4"),
        (_set("players", 0, "ships", 0, "damage", to="no"), "players[0].ships[0].damage: a number is wanted here, not 'no'"),
        (
            _set("players", 0, "ships", 0, "damage", to=float("inf")),
            "players[0].ships[0].damage: a number is wanted here, not inf",
        ),
        (_set("options", to=[]), "options: a table is wanted here, not a list"),
        (_set("players", to=[]), "players: at least 1 must be there, not 0"),
        (_set("status", to="paused"), "status: 'running' or 'finished' is wanted here, not 'paused'"),
        (_set("players", 0, "bp", to=2**53), f"players[0].bp: at most {2**53 - 1} is wanted here, not {2**53}"),
        (
            _set("sheets", to=[{"player": "Altair", "arrival": [1], "lines": []}]),
            "sheets[0].arrival[1]: this field is missing",
        ),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(breaks: Callable[[Document], None], words: str) -> None:
    broken = deepcopy(document())
    breaks(broken)
    with pytest.raises(PositionError) as caught:
        ruleset.load(broken)
    assert str(caught.value) == words


@pytest.mark.parametrize("name", ["public", "PUBLIC", "Public"])
def test_no_faction_is_called_as_the_report_for_everybody_is(name: str) -> None:
    broken = deepcopy(document())
    broken["players"][2]["name"] = name
    for entry in broken["bases"]:
        for role in ("owner", "builder"):
            entry[role] = name if entry[role] == "Cygnus" else entry[role]
    with pytest.raises(PositionError, match=r"players\[2\]\.name"):
        ruleset.load(broken)


def test_what_is_remembered_of_sheets_holds_their_position_once() -> None:
    """A daemon reads it again with each sheet that is filed."""

    def kept() -> int:
        gc.collect()
        return sum(isinstance(each, Position) for each in gc.get_objects())

    before = kept()
    for lines in permutations(("Train spy", "Build 1 Laserfrigate", "Build 1 Carrierfrigate", "Build 1 Torpedofrigate")):
        ruleset.load(with_sheet(*lines))
    assert kept() - before <= 1

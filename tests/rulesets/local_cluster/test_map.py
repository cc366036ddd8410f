"""The map: wars, trade and blockades, who is to move, what happened; all of it public but whose planets and treaties are whose.

That no secret changes a byte of it is proved with all else that readers get in `test_noninterference.py`.
"""

from typing import Any

import pytest

from pbmd.rendering.picture import map_svg
from pbmd.rules import GM, PUBLIC, Reader, seat_reader
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.appendix import NEIGHBOURS
from tests.rulesets.local_cluster.harness import Played, duel, move, play, state

THREE: dict[str, Any] = {"others": [state("Qix", home="Quill")], "planets": "Quill Qix"}
TERRANS, ZORG = seat_reader("Terrans"), seat_reader("Zorg")


def chart(found: Played, reader: Reader = PUBLIC) -> dict[str, Any]:
    return ruleset.view(found.position, found.events, reader).data["map"]


def nodes(found: Played, look: str) -> list[str]:
    return [node["name"] for node in chart(found)["nodes"] if node[look]]


def ties(found: Played, look: str, reader: Reader = PUBLIC) -> list[list[str]]:
    return [tie["between"] for tie in chart(found, reader)["ties"] if tie["look"] == look]


@pytest.mark.rule("LC-46", "LC-R99")
def test_a_war_is_on_all_lines_at_which_the_two_border_or_from_home_to_home() -> None:
    near = play(duel(planets="Bastion Zorg; Eridu Zorg; Aquila Terrans", relations="Terrans war Zorg"), [])
    assert sorted(map(sorted, ties(near, "jagged"))) == [["Aquila", "Bastion"], ["Aquila", "Eridu"]]
    far = play(duel(relations="Terrans war Zorg"), [])
    assert ties(far, "jagged") == [["Aquila", "Garnet"]]


@pytest.mark.rule("LC-30")
def test_trade_is_that_of_the_reader_and_for_others_that_of_nations() -> None:
    found = play(duel(**THREE, relations="Terrans trade Qix, Terrans trade Calyx, Zorg trade Qix"), [])
    assert ties(found, "double", TERRANS) == [["Aquila", "Quill"], ["Aquila", "Calyx"]]
    assert ties(found, "double", ZORG) == [["Garnet", "Quill"]]
    for reader in (PUBLIC, GM):
        assert ties(found, "double", reader) == [["Aquila", "Quill"], ["Garnet", "Quill"]]


def test_of_more_wars_than_can_be_drawn_the_readers_own_come_first() -> None:
    others = [name for name in NEIGHBOURS if name not in ("Aquila", "Garnet")]
    wars = [f"{one} war {other}" for place, one in enumerate(others) for other in others[place + 1 :]]
    found = play(duel(relations=", ".join([*wars, *(f"Terrans war {other}" for other in others)])), [])
    for reader in (PUBLIC, TERRANS):
        assert map_svg(ruleset.view(found.position, (), reader))
    own = ties(found, "jagged", TERRANS)
    assert sum("Aquila" in pair for pair in own) == len(others)


@pytest.mark.rule("LC-71")
def test_a_blockade_bars_the_planet() -> None:
    found = play(duel(units="F1 Terrans Aquila, F9 Zorg Aquila", relations="Terrans war Zorg"), [])
    assert nodes(found, "barred") == ["Aquila"]
    assert "Blockaded: Aquila." in str(map_svg(ruleset.view(found.position, (), PUBLIC)))


def test_who_is_to_move_has_a_halo_until_the_game_is_over() -> None:
    assert nodes(play(duel(**THREE), []), "halo") == ["Aquila"]
    assert nodes(move(duel(**THREE), "Pass"), "halo") == ["Garnet"]
    assert nodes(play(duel(phase="over", winner="Zorg", victory="planets"), []), "halo") == []


def test_what_moved_has_an_arrow_once_and_what_was_fought_for_a_burst() -> None:
    document = duel(units="F1 Terrans Aquila, F2 Terrans Aquila, F3 Bastion Bastion", relations="Terrans war Bastion")
    found = move(document, "Move F1 to Bastion\nMove F2 to Bastion", [9, 9, 1])
    data = chart(found)
    assert data["arrows"] == [{"path": ["Aquila", "Bastion"], "owner": "Terrans", "failed": False}]
    assert data["clashes"] == ["Bastion"]


def test_the_words_of_the_map_tell_who_took_what_and_is_at_war() -> None:
    document = duel(units="A1 Terrans Bastion", relations="Terrans war Bastion, Terrans war Zorg")
    told = chart(move(document, "Pass"))["caption"]
    assert told == "Terrans 2 planets; Zorg 1 planet; Terrans took Bastion; Terrans and Zorg are at war"


def test_signs_tell_what_is_there() -> None:
    document = duel(units="F1 Terrans Aquila, A1 Terrans F1, A2 Terrans Aquila", planets="Aquila Terrans: Mines, Portal")
    signs = {node["name"]: node["signs"] for node in chart(play(document, []))["nodes"]}
    assert signs["Aquila"] == [["home", 1], ["portal", 1], ["resource", 2], ["fleet", 1], ["army", 2]]
    assert signs["Bastion"] == []


def test_nobody_sees_more_than_the_public_but_what_is_their_own() -> None:
    document = duel(**THREE, held=[{"state": "Zorg", "lines": ["End move"]}], relations="Terrans war Bastion")
    found = move(document | {"offers": [{"kind": "peace", "from": "Zorg", "to": "Terrans", "turn": 3}]}, "Pass")

    def plain(data: dict[str, Any]) -> dict[str, Any]:
        own = {"nodes": [{**node, "own": False} for node in data["nodes"]], "legend": {**data["legend"], "double": ""}}
        return {**data, **own}

    assert len({str(plain(chart(found, reader))) for reader in (PUBLIC, GM, TERRANS, ZORG)}) == 1

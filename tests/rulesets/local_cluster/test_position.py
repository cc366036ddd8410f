"""The position document (section 4), its checks, and the data of appendix A."""

from collections import deque
from typing import Any

import pytest

from pbmd.rules import PositionError
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.appendix import MAP, NEIGHBOURS
from tests.rulesets.local_cluster.example import example
from tests.rulesets.local_cluster.harness import duel, move, play, position, state


def written(document: dict[str, Any]) -> dict[str, Any]:
    return ruleset.dump(ruleset.load(document))


# --- Round trip ----------------------------------------------------------------------------------------------------------


def test_saved_positions_write_every_planet_with_its_owner_and_every_state() -> None:
    saved = written(example())
    assert [entry["name"] for entry in saved["planets"]] == list(NEIGHBOURS)
    assert all(entry["owner"] for entry in saved["planets"])
    names = [entry["name"] for entry in saved["states"]]
    assert names[:2] == ["Terrans", "Zorg"]
    assert names[2:] == [name for name in NEIGHBOURS if name not in ("Aquila", "Garnet")]
    assert len(names) == 34


def test_everything_a_game_keeps_survives_the_round_trip() -> None:
    document = duel(
        {"skips": 1, "proclaims": "Zorg", "color": "teal", "leader": "A", "player_name": "B", "technologies": ["Commerce"]},
        {"proclaims": ""},
        planets="Aquila Terrans: Portal",
        units="F3 Terrans Aquila, A3 Terrans F3, A4 Terrans Aquila",
        relations="Terrans war Bastion, Terrans trade pact Fenris",
        offers="trade Terrans Zorg 2, pact Zorg Terrans 3",
        waiting=["Zorg"],
        ascended=["Zorg"],
        next_fleet=9,
        next_army=12,
        options={"slots": 3},
        held=[{"state": "Terrans", "lines": ["End move"]}],
    )
    saved = written(document)
    assert written(saved) == saved
    for key in ("turn", "waiting", "ascended", "next_fleet", "next_army", "options", "fleets", "armies", "offers"):
        assert saved[key] == document[key], key
    assert [(held["state"], held["lines"]) for held in saved["held"]] == [("Terrans", ["End move"])]
    for given, kept in zip(document["states"], saved["states"], strict=False):
        assert given.items() <= kept.items()


def test_what_is_left_out_takes_its_default() -> None:
    least = {"ruleset": "local_cluster", "states": [{"name": "Terrans"}], "planets": [{"name": "Aquila", "owner": "Terrans"}]}
    saved = written(least)
    assert (saved["turn"], saved["phase"], saved["waiting"], saved["map"]) == (1, "moves", ["Terrans"], "local_cluster")
    assert (saved["next_fleet"], saved["next_army"]) == (1, 1)
    terrans, bastion = saved["states"][:2]
    assert terrans.items() >= {
        "kind": "player", "leader": "", "player_name": "", "color": "", "home_planet": "", "traits": [], "technologies": [],
        "credits": 0, "skips": 0, "proclaims": "Terrans",
    }.items()  # fmt: skip
    assert (bastion["name"], bastion["kind"], bastion["credits"], bastion["proclaims"]) == ("Bastion", "npc", 0, "")
    assert (bastion["establishment_armies"], bastion["establishment_fleets"]) == (0, 0)
    numbers = written({**least, "fleets": [{"id": "F7", "owner": "Terrans", "planet": "Aquila"}]})
    assert (numbers["next_fleet"], numbers["next_army"]) == (8, 1)


def test_npc_states_without_an_entry_are_listed_after_the_given_ones_in_planet_order() -> None:
    document = duel(others=[state("Harrow", kind="npc"), state("Dorado", kind="npc")])
    names = [entry["name"] for entry in written(document)["states"]]
    assert names[:5] in (["Terrans", "Zorg", "Harrow", "Dorado", "Bastion"], ["Terrans", "Zorg", "Bastion", "Calyx", "Dorado"])
    assert sorted(names[2:]) == sorted(name for name in NEIGHBOURS if name not in ("Aquila", "Garnet"))


# --- Loading checks ------------------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "units": "F1 Terrans Aquila, A1 Terrans F1, F2 Zorg Garnet, A2 Zorg Garnet",
    "relations": "Terrans trade Eridu",
}

REJECTED: list[tuple[str, dict[str, Any]]] = [
    ("another ruleset", {"ruleset": "galactic_overlord"}),
    ("an unknown field", {"typo": 1}),
    ("a negative turn", {"turn": -1}),
    ("an unknown phase", {"phase": "war"}),
    ("an unknown option", {"options": {"colour": 1}}),
    ("an option of a wrong value", {"options": {"casualty": "highest"}}),
    ("somebody unknown waits", {"waiting": ["Martians"]}),
    ("an NPC State waits", {"waiting": ["Bastion"]}),
    ("somebody waits twice", {"waiting": ["Zorg", "Zorg"]}),
    ("an unknown planet", {"planets": "Terra Terrans"}),
    ("a planet twice", {"planets": "Eridu Terrans; Eridu Zorg"}),
    ("an unknown owner", {"planets": "Eridu Martians"}),
    ("an unknown resource", {"planets": "Eridu: Gold"}),
    ("an unknown trait", {"terrans": {"traits": ["Brave"]}}),
    ("an unknown technology", {"terrans": {"technologies": ["Magic"]}}),
    ("a technology twice", {"terrans": {"technologies": ["Commerce", "Commerce"]}}),
    ("negative credits", {"terrans": {"credits": -1}}),
    ("negative skips", {"terrans": {"skips": -1}}),
    ("an unknown home", {"terrans": {"home_planet": "Terra"}}),
    ("an unknown kind of State", {"terrans": {"kind": "god"}}),
    ("a State twice", {"terrans": {"name": "Zorg"}}),
    ("an unknown proclaimed State", {"terrans": {"proclaims": "Martians"}}),
    ("a unit of nobody", {"units": "F1 Martians Aquila"}),
    ("a fleet nowhere", {"units": "F1 Terrans Terra"}),
    ("a fleet number twice", {"units": "F1 Terrans Aquila, F1 Zorg Garnet"}),
    ("an army number twice", {"units": "A1 Terrans Aquila, A1 Zorg Garnet"}),
    ("a number that is to come", {"units": "F5 Terrans Aquila", "next_fleet": 5}),
    ("an army number that is to come", {"units": "A5 Terrans Aquila", "next_army": 2}),
    ("a fleet without the right to be there", {"units": "F1 Terrans Garnet"}),
    ("an army without the right to be there", {"units": "A1 Terrans Bastion"}),
    ("a fleet above an NPC State at peace", {"units": "F1 Terrans Bastion", "relations": "Terrans trade Bastion"}),
    ("an army aboard a foreign fleet", {"units": "F1 Zorg Aquila, A1 Terrans F1", "relations": "Terrans pact Zorg"}),
    ("an army aboard no fleet", {"units": "A1 Terrans F9"}),
    ("more armies than a fleet holds", {"units": "F1 Terrans Aquila, A1 Terrans F1, A2 Terrans F1"}),
    ("two entries of a pair", {"relations": "Terrans trade Zorg, Zorg pact Terrans"}),
    ("a relation with oneself", {"relations": "Terrans trade Terrans"}),
    ("a relation with nobody", {"relations": "Terrans trade Martians"}),
    ("war and trade", {"relations": "Terrans war trade Zorg"}),
    ("war and pact", {"relations": "Terrans war pact Zorg"}),
    ("four treaties", {"relations": "Terrans trade Eridu, Terrans trade Fenris, Terrans trade Zorg, Terrans trade Bastion"}),
    ("an offer of nobody", {"offers": "trade Martians Zorg 3"}),
    ("an unknown kind of offer", {"offers": "love Terrans Zorg 3"}),
    ("an offer to oneself", {"offers": "trade Zorg Zorg 3"}),
    ("a held mail of nobody", {"held": [{"state": "Martians", "lines": ["End move"]}]}),
    ("a held mail that is no order", {"held": [{"state": "Zorg", "lines": ["nonsense"]}]}),
    ("two held mails of one", {"held": [{"state": "Zorg", "lines": ["End move"]}] * 2}),
    ("an unknown player ascended", {"ascended": ["Martians"]}),
    ("lines of the map without a custom map", {"lines": [["Aquila", "Harrow"]]}),
]  # fmt: skip


@pytest.mark.parametrize("change", [change for _, change in REJECTED], ids=[name for name, _ in REJECTED])
def test_what_a_position_cannot_be_is_rejected_with_its_place(change: dict[str, Any]) -> None:
    assert written(duel(**GOOD))
    document = duel(**{**GOOD, **change})
    with pytest.raises(PositionError) as problem:
        ruleset.load(document)
    assert problem.value.problem


@pytest.mark.rule("LC-R61", "LC-R44")
def test_units_may_be_at_own_planets_and_those_of_enemies_and_partners() -> None:
    units = "F1 Terrans Aquila, A1 Terrans Aquila, F2 Terrans Bastion, A2 Terrans Bastion, F3 Terrans Garnet, A3 Terrans Garnet"
    assert written(duel(units=units, relations="Terrans war Bastion, Terrans pact Zorg"))


def test_eliminated_states_stay_in_the_list() -> None:
    saved = written(duel(others=[state("Ghosts", 0, kind="eliminated")]))
    assert [entry["kind"] for entry in saved["states"] if entry["name"] == "Ghosts"] == ["eliminated"]


# --- The map -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-05", "LC-79")
def test_the_map_is_that_of_the_appendix() -> None:
    saved = written(duel())
    assert [
        f"{entry['name']} {entry['x']} {entry['y']} {', '.join(NEIGHBOURS[entry['name']])}" for entry in saved["planets"]
    ] == (MAP.splitlines())
    assert len(NEIGHBOURS) == 34
    for name in NEIGHBOURS:
        document = position(state("Terrans", 500), planets=f"{name} Terrans", units=f"F1 Terrans {name}")
        document["relations"] = [{"between": ["Terrans", other], "status": "war"} for other in NEIGHBOURS if other != name]
        far = next(other for other in NEIGHBOURS if other != name and other not in NEIGHBOURS[name])
        for other in NEIGHBOURS[name]:
            assert move(document, f"Move F1 to {other}").where("F1") == other
        assert move(document, f"Move F1 to {far}").where("F1") == name


def test_the_map_has_52_lines_and_a_longest_shortest_path_of_8() -> None:
    assert sum(map(len, NEIGHBOURS.values())) == 104
    longest = 0
    for start in NEIGHBOURS:
        found, queue = {start: 0}, deque([start])
        while queue:
            name = queue.popleft()
            for other in NEIGHBOURS[name]:
                if other not in found:
                    found[other] = found[name] + 1
                    queue.append(other)
        longest = max(longest, *found.values())
    assert longest == 8


CUSTOM: dict[str, Any] = {
    "map": "custom",
    "lines": [["Ada", "Bel"], ["Bel", "Cyd"], ["Cyd", "Dov"]],
    "planets": [
        {"name": "Ada", "x": 1, "y": 2, "owner": "Terrans"},
        {"name": "Bel", "x": 50, "y": 2},
        {"name": "Cyd", "x": 50, "y": 80, "owner": "Zorg"},
        {"name": "Dov", "x": 100, "y": 0},
    ],
}


def custom(**fields: Any) -> dict[str, Any]:
    one, two = state("Terrans", home="Ada"), state("Zorg", home="Cyd")
    return {**position(one, two, units="F1 Terrans Ada", relations="Terrans war Bel"), **CUSTOM, **fields}


@pytest.mark.rule("LC-79", "LC-R46")
def test_a_custom_map_is_exactly_the_listed_planets_and_lines() -> None:
    saved = written(custom())
    assert written(saved) == saved
    assert [entry["name"] for entry in saved["planets"]] == ["Ada", "Bel", "Cyd", "Dov"]
    assert saved["lines"] == CUSTOM["lines"]
    assert [entry["name"] for entry in saved["states"]] == ["Terrans", "Zorg", "Bel", "Dov"]
    assert move(custom(), "Move F1 to Bel").where("F1") == "Bel"
    assert move(custom(relations=[{"between": ["Terrans", "Zorg"], "status": "war"}]), "Move F1 to Cyd").reasons == [
        "not_adjacent"
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"lines": [["Ada", "Eve"]]},
        {"lines": [["Ada", "Ada"]]},
        {"lines": [["Ada"]]},
        {"planets": [*CUSTOM["planets"], {"name": "Ada", "x": 3, "y": 3}]},
        {"planets": [*CUSTOM["planets"][:3], {"name": "Dov", "x": 101, "y": 3}]},
        {"planets": [*CUSTOM["planets"][:3], {"name": "Dov", "x": 1, "y": 81}]},
        {"map": "flat"},
    ],
)
def test_what_is_wrong_with_a_map_is_rejected(change: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        ruleset.load(custom(**change))


# --- Data of one's own ---------------------------------------------------------------------------------------------------


def test_tables_of_ones_own_replace_those_of_the_appendix() -> None:
    document = duel({"traits": ["Rich"]}, planets="Aquila Terrans: Gold")
    document["data"] = {
        "traits": [{"name": "Rich", "effects": {"tax_income": 7}}],
        "resources": [{"name": "Gold", "cost": 4, "tax": 9, "weight": 1, "unique": False, "effects": {}}],
        "technologies": [{"name": "Magic", "cost": 20, "requires": [], "effects": {"slots": 1}}],
    }
    played = play(document, [("Terrans", "Develop Gold on Aquila\nResearch Magic")])
    assert played.failed == []
    assert played.credits("Terrans") == 100 + 4 + 7 + 9 - 4 - 20
    assert played.document["data"] == document["data"]

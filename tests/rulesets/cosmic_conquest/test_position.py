"""The position document (section 4) and the map (section 5.3)."""

from collections import deque
from copy import deepcopy
from typing import Any

import pytest

from pbmd.rules import PUBLIC, PositionError, canonical_json
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.world.galaxy import HOMES, MAPS
from tests.rulesets.cosmic_conquest.example import INSIGHT, PURPLE, RED, example
from tests.rulesets.cosmic_conquest.harness import faction, mail, position, receive

GALAXY = MAPS["standard33"]
TRIANGLE = [
    {"number": 3, "name": "Ada", "x": 10, "y": 0.5, "neighbours": ["Bel", "61 Cygni"]},
    {"number": 1, "name": "Bel", "x": 20, "y": 20, "neighbours": ["Ada"]},
    {"number": 2, "name": "61 Cygni", "x": 30, "y": 30, "neighbours": ["Ada"]},
]


def own_map() -> dict[str, Any]:
    """A document with a map, homes and names of its own."""
    document = position("", faction("Red"), faction("Green"))
    document["systems"] = [{"name": "Ada", "owner": "Red", "output": 9}, {"name": "Bel", "owner": "Green", "output": 9}]
    homes, names = {"2": ["Ada", "Bel"]}, ["New One", "New Two"]
    return {**document, "map_systems": deepcopy(TRIANGLE), "homes": homes, "admiral_names": names}


def test_a_document_is_written_as_it_was_read() -> None:
    written = ruleset.dump(ruleset.load(example()))
    assert ruleset.dump(ruleset.load(written)) == written
    assert len(written["systems"]) == 33
    assert written["systems"][10] == {"name": "Rigel", "owner": "", "output": 10, "penalty": 0}
    assert written["factions"][2]["lost_drones"] == 1
    assert canonical_json(written)


def test_a_document_in_the_middle_of_a_turn_is_written_as_it_was_read() -> None:
    state = ruleset.load(example())
    for place, (seat, text) in enumerate(
        (("Purple", INSIGHT), ("Green", "nonsense"), ("Red", RED), ("Purple", PURPLE)), start=1
    ):
        state = ruleset.receive(state, mail(seat, text, place)).position
    assert ruleset.resign is not None
    state = ruleset.resign(state, "Green").position
    written = ruleset.dump(state)
    assert {"sheets", "missed", "resigning", "refused"} <= set(written)
    assert ruleset.load(written) == state
    assert ruleset.dump(ruleset.load(written)) == written


def test_defaults_are_those_of_the_specification() -> None:
    least = {
        "ruleset": "cosmic_conquest",
        "systems": [{"name": "Sol", "owner": "Red"}],
        "factions": [{"colour": "Red", "tech": "psionic"}],
    }
    written = ruleset.dump(ruleset.load(least))
    assert (written["turn"], written["phase"], written["map"], written["options"]) == (1, "orders", "standard33", {})
    assert written["systems"][0] == {"name": "Sol", "owner": "Red", "output": 10, "penalty": 0}
    red = written["factions"][0]
    assert (red["name"], red["status"], red["drones"]) == ("Red", "active", 0)
    assert red["admiral"] == {"name": "Admiral of Red", "rank": "supreme", "cv": 6, "traits": [], "turns_served": 0}


def test_a_map_of_ones_own_is_played_and_written_as_it_was_read() -> None:
    document = own_map()
    state = ruleset.load(document)
    assert ruleset.load(ruleset.dump(state)) == state
    assert ruleset.dump(state)["map_systems"] == TRIANGLE
    assert [star["name"] for star in ruleset.view(state, (), PUBLIC).data["systems"]] == ["Bel", "61 Cygni", "Ada"]
    assert receive(document, "Red", "9 units for Conquest of 61").filed


def _set(path: str, value: Any) -> Any:
    """A change of the example: "systems.0.name" gets the value."""

    def change(document: dict[str, Any]) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        table: Any = document
        for step in steps:
            table = table[step]
        table[last] = value

    return change


REJECTED = [
    (_set("ruleset", "galactic_overlord"), "ruleset", "not of"),
    (_set("map", "flat"), "map", 'no map "flat"'),
    (_set("turn", 0), "turn", "at least 1"),
    (_set("typo", 1), "typo", "no such field"),
    (_set("phase", "ended"), "result", "has a result"),
    (_set("result", {"kind": "draw", "winner": "", "turn": 5}), "result", "no other has one"),
    (_set("options", {"map": "x"}), "options", "map"),
    (_set("options", {"colour": 1}), "options", "no option"),
    (_set("systems.0.name", "Terra"), "systems[0].name", 'no system "Terra"'),
    (_set("systems.1.name", "Sol"), "systems[1].name", "twice"),
    (_set("systems.0.owner", "Blue"), "systems[0].owner", 'no faction "Blue"'),
    (_set("systems.0.output", -1), "systems[0].output", "at least 0"),
    (_set("systems.0.penalty", -1), "systems[0].penalty", "at least 0"),
    (_set("factions.0.colour", "Mauve"), "systems[0].owner", 'no faction "Red"'),
    (_set("factions.1.colour", "Red"), "systems[4].owner", 'no faction "Purple"'),
    (_set("factions.1.name", "crimson concord"), "factions[1].name", "already"),
    (_set("factions.1.name", "Teal"), "factions[1].name", "is a colour"),
    (_set("factions.1.name", "Gray"), "factions[1].name", "is a colour"),
    (_set("factions.1.name", "A, B"), "factions[1].name", "no comma"),
    (_set("factions.1.tech", "magic"), "factions[1].tech", "wanted"),
    (_set("factions.1.drones", -1), "factions[1].drones", "at least 0"),
    (_set("factions.1.lost_drones", 1), "factions[1].lost_drones", "BioMech"),
    (_set("factions.1.status", "eliminated"), "systems[4].owner", "holds nothing"),
    (_set("factions.0.admiral.traits", ["brave"]), "factions[0].admiral.traits[0]", 'no trait "brave"'),
    (_set("factions.0.admiral.traits", ["weak", "conqueror"]), "factions[0].admiral.traits[1]", "exclude each other"),
    (_set("factions.0.admiral.traits", ["weak", "weak"]), "factions[0].admiral.traits[1]", "twice"),
    (_set("factions.0.admiral.cv", -1), "factions[0].admiral.cv", "at least 0"),
    (_set("factions.0.admiral.rank", "vice"), "factions[0].admiral.rank", "wanted"),
    (_set("factions.0.admiral.name", "a\nb"), "factions[0].admiral.name", "one line"),
    (_set("insights", [{"by": "Red", "target": "Green", "answered": False}]), "insights[0].by", "cannot use"),
    (_set("insights", [{"by": "Purple", "target": "Blue", "answered": False}]), "insights[0].target", "no faction"),
    (_set("insights", [{"by": "Purple", "target": "Red", "answered": True}]), "insights[0].answered", "as soon as"),
    (_set("sheets", [{"player": "Blue", "arrival": [1, 1], "lines": ["Pass"]}]), "sheets[0].player", 'no "Blue"'),
    (_set("sheets", [{"player": "Red", "arrival": [1, 1], "lines": ["Pass", "x"]}]), "sheets[0].lines[1]", "this is no order"),
    (_set("sheets", [{"player": "Red", "arrival": [1, 1], "lines": ["pass", "Pass"]}]), "sheets[0].lines[0]", "on file"),
    (_set("sheets", [{"player": "Red", "arrival": [1], "lines": ["Pass"]}]), "sheets[0].arrival[1]", "missing"),
    (_set("sheets", 2 * [{"player": "Red", "arrival": [1, 1], "lines": ["Pass"]}]), "sheets[1].player", "twice"),
    (_set("missed", ["Blue"]), "missed[0]", 'no "Blue"'),
    (_set("missed", ["Red", "Red"]), "missed[1]", "twice"),
    (_set("resigning", ["Blue"]), "resigning[0]", "no faction"),
    (_set("refused", [{"player": "Blue", "errors": []}]), "refused[0].player", "no faction"),
    (_set("homes", {"2": ["Sol"]}), "homes.2", "as many entries"),
    (_set("homes", {"2": ["Sol", "Sol"]}), "homes.2[1]", "twice"),
    (_set("homes", {"1": ["Terra"]}), "homes.1[0]", "no system"),
    (_set("admiral_names", ["A", "A"]), "admiral_names[1]", "twice"),
]


@pytest.mark.parametrize(
    ("change", "place", "words"), REJECTED, ids=[f"{place}-{n}" for n, (_, place, _) in enumerate(REJECTED)]
)
def test_what_is_wrong_is_named_with_its_place(change: Any, place: str, words: str) -> None:
    document = example()
    change(document)
    with pytest.raises(PositionError) as problem:
        ruleset.load(document)
    assert problem.value.place == place
    assert words in problem.value.problem


@pytest.mark.parametrize(
    "running",
    [
        {"sheets": [{"player": "Red", "arrival": [1, 1], "lines": ["Pass"]}]},
        {"missed": ["Red"]},
        {"resigning": ["Red"]},
        {"insights": [{"by": "Purple", "target": "Red", "answered": False}]},
    ],
)
def test_a_game_that_has_ended_has_no_running_turn(running: dict[str, Any]) -> None:
    ended = {**example(), "phase": "ended", "result": {"kind": "draw", "winner": "", "turn": 5}}
    assert ruleset.dump(ruleset.load(ended))["phase"] == "ended"
    with pytest.raises(PositionError, match="phase: a game that has ended has no orders"):
        ruleset.load({**ended, **running})


def test_an_active_faction_without_a_system_is_rejected_and_an_unknown_colour() -> None:
    with pytest.raises(PositionError, match=r"factions\[1\]\.status: Green is active, but holds no system"):
        ruleset.load(position("Sol 5 Red", faction("Red"), faction("Green")))
    with pytest.raises(PositionError, match=r"factions\[0\]\.colour: there is no colour"):
        ruleset.load(position("", faction("Mauve")))
    with pytest.raises(PositionError, match=r'factions\[1\]\.colour: "Red" is there twice'):
        ruleset.load(position("Sol 5 Red", faction("Red"), faction("Red", name="Other")))
    with pytest.raises(PositionError, match=r"factions\[1\]\.drones: Green is resigned and has no drones"):
        ruleset.load(position("Sol 5 Red", faction("Red"), faction("Green", status="resigned", drones=1)))


MAP_REJECTED = [
    (_set("map_systems.1.neighbours", []), "map_systems[0].neighbours", "Bel is a neighbour of Ada, but Ada is none of Bel"),
    (_set("map_systems.1.neighbours", ["Ada", "Ada"]), "map_systems[1].neighbours", "twice"),
    (_set("map_systems.1.neighbours", ["Ada", "Bel"]), "map_systems[1].neighbours", "its own neighbour"),
    (_set("map_systems.1.neighbours", ["Ada", "Sol"]), "map_systems[1].neighbours", "no system"),
    (_set("map_systems.1.number", 3), "map_systems[1].number", "already"),
    (_set("map_systems.1.name", "ADA"), "map_systems[1].name", "already"),
    (_set("map_systems.1.x", 101), "map_systems[1].x", "0 to 100"),
    (_set("map_systems.1.y", -1), "map_systems[1].y", "0 to 100"),
    *((_set("map_systems.1.name", name), "map_systems[1].name", "") for name in
      ("Bel, Far", "Bel and Ada", "Land with Sun", "Down Under", "Led Star", "On Top", "", "Bel.", " Bel", "x" * 41)),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place", "words"), MAP_REJECTED)
def test_what_is_wrong_with_a_map_is_named_with_its_place(change: Any, place: str, words: str) -> None:
    document = own_map()
    change(document)
    with pytest.raises(PositionError) as problem:
        ruleset.load(document)
    assert problem.value.place == place
    assert words in problem.value.problem


# --- The standard map ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("CC-65", "CC-R64")
def test_the_standard_map_has_33_systems_and_57_links() -> None:
    assert [star.number for star in GALAXY.stars] == list(range(1, 34))
    links = {frozenset((star.name, other)) for star in GALAXY.stars for other in star.neighbours}
    assert len(links) == 57
    assert all(star.name in GALAXY.neighbours(other) for star in GALAXY.stars for other in star.neighbours)
    sirius = GALAXY.stars[24]
    assert (sirius.number, sirius.name, sirius.x, sirius.y) == (25, "Sirius", 50, 26)
    assert sirius.neighbours == ("Sol", "Alpha Centauri", "Procyon", "Arcturus", "Castor", "Betelgeuse")


def distances(start: str) -> dict[str, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        name = queue.popleft()
        for other in GALAXY.neighbours(name):
            if other not in found:
                found[other] = found[name] + 1
                queue.append(other)
    return found


@pytest.mark.rule("CC-66", "CC-R87")
def test_every_home_is_as_good_as_any_other() -> None:
    homes = HOMES["standard33"]
    assert sorted(homes) == list(range(2, 13))
    for count, names in homes.items():
        assert len(set(names)) == count
        assert set(names) <= set(homes[12])
    for home in homes[12]:
        steps = list(distances(home).values())
        assert [steps.count(distance) for distance in range(1, 6)] == [3, 5, 10, 9, 5]


def _side(a: Any, b: Any, c: Any) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def test_no_two_links_of_the_standard_map_cross() -> None:
    stars = {star.name: star for star in GALAXY.stars}
    links = sorted({tuple(sorted((star.name, other))) for star in GALAXY.stars for other in star.neighbours})
    for i, (a, b) in enumerate(links):
        for c, d in links[i + 1 :]:
            if {a, b} & {c, d}:
                continue
            p, q, r, s = (stars[name] for name in (a, b, c, d))
            assert _side(p, q, r) * _side(p, q, s) > 0 or _side(r, s, p) * _side(r, s, q) > 0, (a, b, c, d)

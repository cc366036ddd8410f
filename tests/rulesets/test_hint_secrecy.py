"""What is said of a wrong line, the names asked about and the right line with it, is made of what its writer may know.

Each game is looked at in two worlds that differ in what is hidden of all other seats; the same misspelt lines of a seat must be
answered in the same words in both.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from pbmd.adjudicate import order_lines
from pbmd.conformance.scenes import dice, is_due
from pbmd.rules import Document, Line, Mail, Ruleset, Verdict
from pbmd.rules.advice import EXAMPLE, RIGHT
from pbmd.rules.registry import get, slugs
from rulesets.starship_squadrons.checking.lookup import enemies_in_view
from tests.doses import dose
from tests.rulesets.random_games import steps
from tests.rulesets.test_hints import refused

TURNS = 2
SEEDS = 12
"""Games that are looked at, at most: in some there are few names to be misspelt."""


def more(document: Document, table: str, key: str, seat: str, *fields: str) -> Document:
    """The document with 3 more of each of these fields in a table, in all rows but the seat's."""
    changed = deepcopy(document)
    for row in changed[table]:
        if row[key] != seat and row.get("kind", "player") == "player":
            row.update({field: row[field] + 3 for field in fields})
    return changed


def other_clusters(document: Document, seat: str) -> Document:
    changed = more(document, "states", "name", seat, "credits")
    one, other, *_ = [row["name"] for row in document["states"] if row["kind"] == "player" and row["name"] != seat]
    changed["offers"] = [offer for offer in document.get("offers", []) if seat in (offer["from"], offer["to"])]
    changed["offers"] += [{"kind": "pact", "from": one, "to": other, "turn": document["turn"]}]
    return changed


def other_overlords(document: Document, seat: str) -> Document:
    changed = deepcopy(document)
    for row in changed["players"]:
        if row["name"] != seat:
            row.update({stock: 0 if row[stock] else 1 for stock in ("spies", "counter_espionage", "generators")})
            row["ships"] = [{**ships, "damage": 0} for ships in row["ships"]]
    return changed


def other_squadrons(document: Document, seat: str) -> Document:
    """Other names and stocks for what others hide, and one unit fewer."""
    seen = enemies_in_view(get("starship_squadrons").load(document), seat)
    hidden = [unit for unit in document["units"] if unit["player"] != seat and unit["name"] not in seen]
    changed = deepcopy(document)
    changed["units"] = [unit for unit in changed["units"] if unit not in hidden]
    changed["units"] += [{**unit, "name": f"Wraith {place}"} for place, unit in enumerate(hidden[1:])]
    changed["fleets"] = [fleet for fleet in changed.get("fleets", []) if fleet["player"] == seat]
    return changed


HIDDEN: Mapping[str, tuple[dict[str, object], Callable[[Document, str], Document]]] = {
    "cosmic_conquest": (
        {"public_factions": False},
        lambda document, seat: more(document, "factions", "colour", seat, "drones"),
    ),
    "diplomacy": ({}, lambda document, _seat: document),  # nothing is hidden but orders, which others send in their world
    "galactic_overlord": ({}, other_overlords),
    "local_cluster": ({"credits_public": False}, other_clusters),
    "societies": (
        {},
        lambda document, seat: more(document, "society", "name", seat, "gold", "armies", "spies", "nukes", "sdi"),
    ),
    "starship_squadrons": ({}, other_squadrons),
}
"""Options with which the most is hidden, and a world in which it is otherwise for all seats but one."""


def worlds(ruleset: Ruleset[Any], seed: int) -> Iterator[tuple[str, Any, Any]]:
    """A seat, and two positions that are the same to it."""
    options, otherwise = HIDDEN[ruleset.info.slug]
    for at, _ in steps(ruleset, seed, TURNS):
        document = dict(ruleset.dump(at))
        document["options"] = {**document.get("options", {}), **options}
        for seat in ruleset.awaiting(at)[: dose(1, 2)]:
            yield seat, ruleset.load(document), with_letters(ruleset, ruleset.load(otherwise(document, seat)), seat)


def with_letters(ruleset: Ruleset[Any], position: Any, seat: str) -> Any:
    """The position when others have sent orders, too, as long as that makes nothing due and is told to nobody."""
    for place, other in enumerate(ruleset.awaiting(position)):
        mail = Mail(other, order_lines(ruleset.random_orders(position, other, dice("letter", place))), (10**5, place))
        receipt = ruleset.receive(position, mail)
        if other != seat and not receipt.events and not is_due(ruleset, receipt.position):
            position = receipt.position
    return position


@pytest.mark.rule("LC-R10", "LC-R102", "SQ-27", "GO-R76", "SO-R99", "CC-R88")
@pytest.mark.parametrize("slug", slugs())
def test_what_is_said_of_a_wrong_line_tells_nothing_of_others(slug: str) -> None:
    ruleset, asked, shown = get(slug), 0, 0
    for seed in range(SEEDS):
        for verdict in verdicts_in_both(ruleset, seed):
            asked += "did you mean" in verdict.message
            shown += any(f" {mark} " in verdict.message for mark in (RIGHT, EXAMPLE))
        if asked > 3 and shown > 50:
            return
    pytest.fail(f"asked about {asked} names and shown {shown} lines only")


def verdicts_in_both(ruleset: Ruleset[Any], seed: int) -> Iterator[Verdict]:
    """What is said of wrong lines, after it was seen to be the same in both worlds."""
    for seat, one, other in worlds(ruleset, seed):
        assert ruleset.dump(one) != ruleset.dump(other)
        for mail, verdict in refused(ruleset, one, seat):
            alone = Mail(seat, (Line(1, verdict.text),), mail.arrival)
            for letter in (mail, alone):
                assert ruleset.receive(one, letter).verdicts == ruleset.receive(other, letter).verdicts, verdict.text
            yield verdict


# Names of others that only they may know; the line is all but right.
@pytest.mark.parametrize("wrong", ["MOVE 1 Wrait 0 TO 0505", "FIRE Wraith O AT NEAREST", "FLEET Alpha: Wraiht 1"])
def test_a_hidden_unit_of_the_enemy_is_asked_about_nowhere(wrong: str) -> None:
    ruleset = get("starship_squadrons")
    for seat, _, other in worlds(ruleset, 1):
        for verdict in ruleset.receive(other, Mail(seat, (Line(1, wrong),), (10**6, 0))).verdicts:
            assert not re.search(r"Wraith \d", verdict.message)

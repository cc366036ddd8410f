"""What holds for every position and every letter: nothing out of nothing, and every line is answered."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import HmacDice, Status
from rulesets.galactic_overlord import ruleset
from tests.rulesets.budgets import LARGE, SMALL
from tests.rulesets.galactic_overlord.harness import WEAPONS, Played, mail, player, position
from tests.rulesets.galactic_overlord.strategies import NAMES, Turn, documents, living, nonsense, turns


def classes(table: Mapping[str, Any]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for entry in table["ships"]:
        counted[f"{WEAPONS[entry['weapon']]}{entry['hull']}"] += entry["count"]
    return counted


def entries(rows: Iterable[Mapping[str, Any]], name: str = "") -> Counter[str]:
    return Counter({row["class"]: row["count"] for row in rows if not name or row["player"] == name})


def check_invariants(turn: Turn, played: Played) -> None:
    """Everything that must be true of a turn whatever was ordered."""
    before, after = ruleset.dump(ruleset.load(turn.document)), played.document
    assert after["turn"] == before["turn"] + 1
    _check_bases(played, before, after)
    for old, new in zip(before["players"], after["players"], strict=True):
        assert old["name"] == new["name"]
        assert new["alive"] <= old["alive"]
        _check_stocks(new)
        _check_bp(played, after, old, new)
        _check_ships(played, old, new)


def _check_bases(played: Played, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    built = {name for event in played.of("built") for name in event.data["bases"]}
    old = {entry["name"]: entry["builder"] for entry in before["bases"]}
    new = {entry["name"]: entry["builder"] for entry in after["bases"]}
    assert set(new) == set(old) | built
    assert not set(old) & built
    assert {name: new[name] for name in old} == old
    assert len({entry["acquired"] for entry in after["bases"]}) == len(after["bases"])
    alive = {table["name"] for table in after["players"] if table["alive"]}
    assert {entry["owner"] for entry in after["bases"]} <= alive


def _check_stocks(new: Mapping[str, Any]) -> None:
    assert min(new["bp"], new["generators"], new["spies"], new["counter_espionage"], new["original_ships"]) >= 0
    assert max(new["generators"], new["spies"]) <= 3


def _check_bp(played: Played, after: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    name = old["name"]
    held = [entry for entry in after["bases"] if entry["owner"] == name]
    income = sum(5 if entry["builder"] == name else 2 for entry in held)
    spent = sum(e.data["cost"] for kind in ("built", "repaired") for e in played.of(kind) if e.data["player"] == name)
    assert spent <= old["bp"]
    assert new["bp"] == (old["bp"] - spent + income if held else 0)
    assert (new["original_ships"] > 0) == (not held and bool(new["ships"]))
    assert new["alive"] == bool(held or new["ships"])


def _check_ships(played: Played, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    name = old["name"]
    fleet = classes(old)
    for event in played.events:
        if event.kind == "built" and event.data["player"] == name:
            fleet += entries(event.data["ships"])
        if event.kind == "shield_hit" or (event.kind == "battle" and event.data["outcome"] != "ran_into_shields"):
            fleet.subtract(entries(event.data["lost"], name))
        if event.kind == "supply_loss" and event.data["player"] == name:
            fleet.subtract(entries(event.data["ships"]))
    assert {kind: count for kind, count in fleet.items() if count} == dict(classes(new))


@pytest.mark.fuzz
@pytest.mark.rule("GO-R12", "GO-R74", "GO-09", "GO-66", "GO-R03", "GO-R49")
@given(turns())
@LARGE
def test_a_turn_neither_fails_nor_makes_something_out_of_nothing(turn: Turn) -> None:
    check_invariants(turn, turn.played())


def test_a_random_player_with_nothing_to_order_sends_a_legal_letter_too() -> None:
    idle = position(player("Altair", generators=3, spies=3, counter_espionage=0), player("Borealis"))
    state = ruleset.load(idle)
    for seed in range(100):
        text = ruleset.random_orders(state, "Altair", HmacDice(b"secret", bytes([seed])))
        answers = ruleset.receive(state, mail("Altair", text)).verdicts
        assert Status.ERROR not in {v.status for v in answers}, text


def test_random_players_use_every_kind_of_order_in_the_long_run() -> None:
    fleet = "9 Laserfrigate@1, 2 Torpedotitan, 3 Carriercruiser@2"
    rich = {"bp": 90, "spies": 1, "generators": 1, "bases": 5}
    fleets = [player(name, fleet, **rich) for name in ("Altair", "Borealis", "Cygnus")]
    # In turn 3 the weakest join against the strongest, in turn 4 everybody is on his own.
    states = [ruleset.load(position(*fleets, turn=turn)) for turn in (3, 4)]
    dice = [HmacDice(b"secret", bytes([number])) for number in range(200)]
    sent = "\n".join(ruleset.random_orders(state, "Altair", die) for state in states for die in dice)
    for words in ("build", "base", "repair", "spy on", "counter-espionage", "attack ", "shields", "generator", "train"):
        assert words in sent.casefold(), f"no random player ever writes {words!r}"
    joint = ("allied with ", "Captured bases to ", "Spoils to ")
    for words in ("base named ", "Repair 1", "OOB vs ", "Attack vs ", "OOB defence vs ", "Transfer base ", *joint):
        assert words in sent, f"no random player ever writes {words!r}"
    assert re.search(r"^Build \d.*(,| and| \+) \d", sent, re.MULTILINE), "no random player ever builds several things in a line"
    assert re.search(r"^Repair \d.*(,| and) \d", sent, re.MULTILINE), "no random player ever repairs several classes in a line"


def random_turn(document: dict[str, Any], secret: bytes) -> Played:
    """One turn of random players only."""
    state = ruleset.load(document)
    dice = HmacDice(secret, b"players")
    letters = tuple((seat, ruleset.random_orders(state, seat, dice)) for seat in ruleset.awaiting(state))
    return Turn(document, letters, secret).played()


@pytest.mark.rule("GO-51", "GO-56", "GO-R13", "GO-R40")
def test_random_players_come_to_joint_battles_divide_bases_and_want_the_same_names() -> None:
    reached = Counter[str]()
    for number in range(6):
        document: dict[str, Any] = position(*(player(name, bp=32, bases=3) for name in NAMES[:5]), turn=1)
        for turn in range(12):
            played = random_turn(document, bytes([number, turn]))
            document = played.document
            joint = [battle.data for battle in played.battles if battle.data["joint"]]
            reached["joint battle"] += len(joint)
            reached["division"] += sum(len({row["by"] for row in data["captured"]}) > 1 for data in joint)
            reached["name taken"] += sum("was taken before" in str(event.data) for event in played.of("order_failed"))
            reached["no agreement"] += _allies_who_fight_alone(played)
            assert Status.ERROR not in {v.status for answers in played.verdicts.values() for v in answers}
            if document["status"] == "finished":
                break
    missing = {"joint battle", "division", "name taken", "no agreement"} - set(+reached)
    assert not missing, f"random players never come to: {missing}"


def _allies_who_fight_alone(played: Played) -> int:
    """How many who named allies fought without any, though an ally of theirs fought at the same home."""
    named = {
        seat: verdict.canonical
        for seat, answers in played.verdicts.items()
        for verdict in answers
        if " allied with " in verdict.canonical
    }
    alone = [(battle.data["attackers"][0], battle.data["defender"]) for battle in played.battles if not battle.data["joint"]]
    return sum(
        any(other in named and seat in named[other] and home == there for other, there in alone)
        for seat, home in alone
        if seat in named
    )


@given(documents(), st.lists(nonsense(), max_size=8))
@SMALL
def test_every_line_gets_one_verdict_and_canonical_text_means_the_same(document: dict[str, Any], lines: list[str]) -> None:
    state = ruleset.load(document)
    seat = living(document)[0]
    letter = mail(seat, "\n".join(lines))
    receipt = ruleset.receive(state, letter)
    answered = [v.line for v in receipt.verdicts if v.line]
    assert sorted(set(answered)) == sorted(answered)
    assert set(answered) <= {line.number for line in letter.lines}
    canonical = [v.canonical for v in receipt.verdicts if v.line and v.canonical]
    assert all(bool(v.canonical) == (v.status is not Status.ERROR) for v in receipt.verdicts if v.line)
    again = ruleset.receive(state, mail(seat, "\n".join(canonical)))
    assert [v.canonical for v in again.verdicts if v.line] == canonical


@given(turns(options=False))
@SMALL
def test_a_game_can_be_played_on_from_any_turn(turn: Turn) -> None:
    document = turn.document
    for number in range(3):
        state = ruleset.load(document)
        letters = tuple(
            (seat, ruleset.random_orders(state, seat, HmacDice(turn.secret, bytes([number]) + seat.encode())))
            for seat in ruleset.awaiting(state)
        )
        step = Turn(document, letters, turn.secret)
        played = step.played()
        check_invariants(step, played)
        if played.document["status"] == "finished":
            break
        document = played.document

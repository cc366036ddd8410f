"""What holds for every position and every mail: nothing fails, nothing comes out of nothing, the same in gives the same out."""

from collections import Counter

import pytest
from hypothesis import given

from pbmd.rules import Document, HmacDice, Status, canonical_json
from rulesets.local_cluster import ruleset
from tests.rulesets.budgets import LARGE, SMALL
from tests.rulesets.local_cluster.harness import Played, duel, mail, resolve
from tests.rulesets.local_cluster.strategies import Course, courses, documents, may_be_at, random_course


def check_invariants(course: Course, played: Played) -> None:
    """Everything that must be true whatever was ordered."""
    before, after = ruleset.dump(ruleset.load(course.document)), played.document
    _check_units(before, after)
    _check_relations(before, after)
    _check_states(after)
    _check_credits(before, played)


def _check_units(before: Document, after: Document) -> None:
    for table in ("fleets", "armies"):
        ids = [unit["id"] for unit in after[table]]
        assert len(set(ids)) == len(ids)
        counter = f"next_{table[:-1] if table == 'fleets' else 'army'}"
        assert all(int(unit[1:]) < after[counter] for unit in ids)
        fresh = set(ids) - {unit["id"] for unit in before[table]}
        assert all(int(unit[1:]) >= before[counter] for unit in fresh), "a number is used again"
        for unit in after[table]:
            if "planet" in unit:
                assert may_be_at(after, unit["owner"], unit["planet"]), unit
    owners = {fleet["id"]: fleet["owner"] for fleet in after["fleets"]}
    aboard = Counter(army["fleet"] for army in after["armies"] if army.get("fleet"))
    assert all(army["owner"] == owners[army["fleet"]] for army in after["armies"] if army.get("fleet"))
    assert max(aboard.values(), default=0) <= after["options"].get("fleet_capacity", 1) + 1


def _check_relations(before: Document, after: Document) -> None:
    pairs = [frozenset(entry["between"]) for entry in after["relations"]]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 for pair in pairs)
    trades = Counter(name for entry in after["relations"] if entry.get("trade") for name in entry["between"])
    assert max(trades.values(), default=0) <= 3
    for entry in after["relations"]:
        assert not (entry.get("status") == "war" and (entry.get("trade") or entry.get("pact")))
    kinds = {entry["name"]: entry["kind"] for entry in after["states"]}
    assert all(kinds[name] != "eliminated" for pair in pairs for name in pair)
    for offer in after["offers"]:
        assert kinds[offer["from"]] == kinds[offer["to"]] == "player"
    offers = [(offer["kind"], offer["from"], offer["to"]) for offer in after["offers"]]
    assert len(set(offers)) == len(offers)


def _check_states(after: Document) -> None:
    owners = {entry["owner"] for entry in after["planets"]}
    owning = {unit["owner"] for unit in (*after["fleets"], *after["armies"])}
    players = [entry["name"] for entry in after["states"] if entry["kind"] == "player"]
    for entry in after["states"]:
        assert entry["credits"] >= 0
        assert (entry["kind"] == "eliminated") == (entry["name"] not in owners)
        assert entry["kind"] != "eliminated" or entry["name"] not in owning
        assert entry["proclaims"] in ("", *players)
        assert entry["kind"] == "player" or not entry["proclaims"]
        assert len(set(entry["technologies"])) == len(entry["technologies"])
    assert after["waiting"] == [name for name in players if name in after["waiting"]]
    assert all(held["state"] in players for held in after["held"])
    assert (after["phase"] == "over") == bool(after["victory"])
    assert after["phase"] == "over" or after["waiting"]
    resources = {row["name"]: row["unique"] for row in ruleset.info.tables["data"]["resources"]}
    for planet in after["planets"]:
        counted = Counter(planet["resources"])
        assert all(count == 1 or not resources[name] for name, count in counted.items())


def _check_credits(before: Document, played: Played) -> None:
    """What a nation has is what it had, and what the events say."""
    balance = Counter({entry["name"]: entry["credits"] for entry in before["states"]})
    for event in played.events:
        data = {**event.data, **event.detail}
        match event.kind:
            case "income":
                balance[data["state"]] += data["tax"] + data["trade"]
            case "upkeep":
                balance[data["state"]] -= data["amount"]
            case "gift":
                balance[data["state"]] -= data["credits"]
                balance[data["to"]] += data["credits"]
            case "researched" | "built" | "developed" | "redeveloped" | "capital_moved":
                balance[data["state"]] -= data["cost"]
    for entry in played.document["states"]:
        if entry["kind"] == "player":
            assert entry["credits"] == balance[entry["name"]], entry["name"]


@pytest.mark.fuzz
@pytest.mark.rule("LC-12", "LC-R19", "LC-R61", "LC-31", "LC-34", "LC-29")
@given(courses(length=14))
@LARGE
def test_no_mail_makes_something_out_of_nothing(course: Course) -> None:
    check_invariants(course, course.played())


@given(courses())
@SMALL
def test_a_mail_that_is_neither_filed_nor_granted_changes_nothing(course: Course) -> None:
    at = ruleset.load(course.document)
    for place, item in enumerate(course.items, start=1):
        if not isinstance(item, str):
            receipt = ruleset.receive(at, mail(*item, place))
            refused = any(verdict.status is Status.ERROR for verdict in receipt.verdicts)
            assert receipt.filed or receipt.granted or refused
            if not (receipt.filed or receipt.granted):
                assert (receipt.position, receipt.events) == (at, ())


@given(documents())
@SMALL
def test_random_players_send_legal_orders(document: Document) -> None:
    at = ruleset.load(document)
    for number in range(3):
        for seat in ruleset.awaiting(at):
            text = ruleset.random_orders(at, seat, HmacDice(b"orders", bytes([number])))
            receipt = ruleset.receive(at, mail(seat, text))
            assert receipt.filed, receipt.verdicts
            assert {verdict.status for verdict in receipt.verdicts} <= {Status.OK}, receipt.verdicts


KINDS = (
    *(
        "income",
        "upkeep",
        "disbanded",
        "offer_made",
        "offer_declined",
        "offer_withdrawn",
        "offer_lapsed",
        "npc_refused",
        "agreed",
    ),
    *(
        "war_declared",
        "treaty_ended",
        "gift",
        "proclaimed",
        "boarded",
        "moved",
        "landed",
        "fleet_round",
        "bombarded",
        "army_round",
    ),
    *(
        "researched",
        "built",
        "developed",
        "redeveloped",
        "capital_moved",
        "planet_taken",
        "evicted",
        "surrendered",
        "eliminated",
    ),
    *("skipped", "became_npc", "npc_built", "turn_ended", "game_over", "order_failed"),
)
PRIVATE = {"offer_made", "offer_declined", "offer_withdrawn", "offer_lapsed", "npc_refused", "order_failed"}


@pytest.mark.rule("LC-R102")
def test_all_kinds_of_events_happen_and_only_the_private_ones_have_an_audience() -> None:
    seen: set[str] = set()
    for seed in range(60):
        for event in random_course(seed, options=False, players=0, length=12).played().events:
            seen.add(event.kind)
            assert (event.audience is not None) == (event.kind in PRIVATE), event
    assert set(KINDS) - seen <= {"game_over"}, set(KINDS) - seen


def test_a_mail_of_thousands_of_lines_is_answered() -> None:
    """All that arrives by mail may be hostile."""
    text = "\n".join(["Build 999999999 armies at Aquila", "Move 99999 fleets from Aquila to Bastion", "Disband A1"] * 300)
    played = resolve(
        duel(), [("Terrans", text), ("Terrans", "Pass\nBuild 100000000000 fleets at Aquila, Eridu, Fenris")], HmacDice(b"", b"")
    )
    assert len(canonical_json([event._asdict() for event in played.events if event.kind != "order_failed"])) < 10_000_000

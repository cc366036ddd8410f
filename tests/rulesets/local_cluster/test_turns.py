"""Turns, moves, early mails, skips and the sequence of a move (LC-07 to LC-11, LC-85 to LC-93)."""

import pytest

from pbmd.rules import Refused, ScriptedDice, Status
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import DEADLINE, duel, mail, move, play, position, receive, state

THREE = [state("Qix", home="Quill")]


def three(**fields: object) -> dict[str, object]:
    return duel(others=THREE, planets="Quill Qix", **fields)


# --- Turn 0 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-07", "LC-R02", "LC-11")
def test_in_turn_0_everybody_may_move_at_once_in_any_order() -> None:
    start = ruleset.load(three(turn=0))
    assert ruleset.awaiting(start) == ("Terrans", "Zorg", "Qix")
    played = play(three(turn=0), [("Qix", "Build army at Quill"), ("Terrans", "End move")])
    assert played.units("Qix") == ["A1"]
    assert (played.document["turn"], played.waiting, ruleset.awaiting(played.position)) == (0, ["Zorg"], ("Zorg",))
    played = play(three(turn=0), [("Qix", "End move"), ("Terrans", "End move"), ("Zorg", "End move")])
    assert (played.document["turn"], played.waiting) == (1, ["Terrans", "Zorg", "Qix"])
    assert ruleset.awaiting(played.position) == ("Terrans",)


@pytest.mark.rule("LC-91", "LC-R13")
def test_who_has_missed_is_skipped_first_and_writes_for_the_next_turn_only() -> None:
    at = ruleset.miss(ruleset.load(three(turn=0)), "Zorg").position
    assert ruleset.ready is not None
    assert (ruleset.awaiting(at), ruleset.ready(at)) == (("Terrans", "Qix"), True)
    # In Turn 0 there is no research.
    late = ruleset.receive(at, mail("Zorg", "Research Commerce"))
    assert late.filed
    at = ruleset.receive(late.position, mail("Terrans", "End move", 2)).position
    skipped = ruleset.resolve(at, ScriptedDice([]))
    assert [(event.kind, event.data["state"]) for event in skipped.events] == [("skipped", "Zorg")]
    moved = ruleset.resolve(skipped.position, ScriptedDice([])).position
    assert ([sheet.seat for sheet in ruleset.sheets(moved)], ruleset.awaiting(moved)) == (["Zorg"], ("Qix",))


@pytest.mark.rule("LC-R08")
def test_an_older_mail_that_comes_to_light_later_replaces_nothing() -> None:
    at = ruleset.receive(ruleset.load(duel()), mail("Zorg", "Research Commerce", 5)).position
    older = ruleset.receive(at, mail("Zorg", "End move", 3))
    assert (older.filed, older.position) == (False, at)
    newer = ruleset.receive(at, mail("Zorg", "End move", 6))
    assert [sheet.lines for sheet in ruleset.sheets(newer.position)] == [("End move",)]


@pytest.mark.rule("LC-R02")
def test_an_option_forces_list_order_in_turn_0() -> None:
    document = three(turn=0, options={"turn0_order": "list"})
    assert ruleset.awaiting(ruleset.load(document)) == ("Terrans",)
    played = play(document, [("Zorg", "Build army at Garnet")])
    assert (played.units("Zorg"), [held["state"] for held in played.document["held"]]) == ([], ["Zorg"])
    played = play(document, [("Zorg", "Build army at Garnet"), ("Terrans", "End move")])
    assert (played.units("Zorg"), played.waiting) == (["A1"], ["Qix"])
    played = play(document, [DEADLINE])
    assert ([s["skips"] for s in played.document["states"][:3]], played.waiting) == ([1, 0, 0], ["Zorg", "Qix"])


@pytest.mark.rule("LC-R04", "LC-08", "LC-09", "LC-12")
def test_in_turn_0_there_is_no_income_and_no_upkeep() -> None:
    document = duel({"credits": 30}, {"credits": 30}, turn=0, units="F1 Terrans Aquila, A1 Terrans Aquila")
    played = move(document, "Build army at Aquila")
    assert played.credits("Terrans") == 27
    assert not {"income", "upkeep"} & set(played.kinds())
    played = play(document, [DEADLINE])
    assert (played.credits("Terrans"), played.credits("Zorg")) == (30, 30)


@pytest.mark.rule("LC-10", "LC-R03")
def test_turn_0_has_diplomacy_between_players() -> None:
    items = [
        ("Terrans", "Offer trade treaty to Zorg\nBuild army at Aquila"),
        ("Zorg", "Accept trade treaty from Terrans\nEnd move"),
    ]
    played = play(duel(turn=0), items)
    assert (played.relation("Terrans", "Zorg"), played.document["turn"]) == ("trade", 1)
    played = play(duel(turn=0), [("Terrans", "Declare war on Zorg")])
    assert played.relation("Terrans", "Zorg") == "war"


@pytest.mark.rule("LC-R13", "LC-93", "LC-91")
def test_a_turn_0_skip_counts() -> None:
    played = play(three(turn=0), [("Zorg", "End move"), DEADLINE])
    assert [s["skips"] for s in played.document["states"][:3]] == [1, 0, 1]
    assert (played.document["turn"], played.waiting) == (1, ["Terrans", "Zorg", "Qix"])
    assert [data["state"] for data in played.of("skipped")] == ["Terrans", "Qix"]
    played = play(three(turn=0), [("Zorg", "End move"), DEADLINE, DEADLINE])
    assert played.state("Terrans")["kind"] == "npc"
    assert played.waiting == ["Zorg", "Qix"]


# --- Later Turns ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-11", "LC-R01")
def test_later_turns_are_played_in_list_order_each_move_resolved_at_once() -> None:
    played = play(three(), [("Terrans", "Build army at Aquila")])
    assert (played.units("Terrans"), played.waiting, played.document["turn"]) == (["A1"], ["Zorg", "Qix"], 3)
    assert ruleset.awaiting(played.position) == ("Zorg",)
    played = play(three(), [("Terrans", "End move"), ("Zorg", "End move"), ("Qix", "End move")])
    assert (played.document["turn"], played.waiting) == (4, ["Terrans", "Zorg", "Qix"])


@pytest.mark.rule("LC-R08", "LC-R09")
def test_an_early_move_is_held_and_executed_the_moment_it_is_due() -> None:
    early = ("Zorg", "Offer trade treaty to Qix\nBuild army at Garnet")
    held = play(three(), [early])
    assert [(entry["state"], tuple(entry["lines"])) for entry in held.document["held"]] == [
        ("Zorg", ("Offer trade treaty to Qix", "Build army at Garnet"))
    ]
    assert (held.units("Zorg"), held.offers, held.waiting) == ([], [], ["Terrans", "Zorg", "Qix"])
    assert ruleset.awaiting(held.position) == ("Terrans",)
    assert [sheet.seat for sheet in ruleset.sheets(held.position)] == ["Zorg"]
    played = play(three(), [early, ("Terrans", "End move")])
    assert (played.units("Zorg"), played.offers, played.waiting) == (["A1"], ["trade Zorg Qix 3"], ["Qix"])
    assert played.document["held"] == []
    assert len(played.steps) == 2


@pytest.mark.rule("LC-R08")
def test_one_mail_may_settle_several_moves_and_end_the_turn() -> None:
    items = [("Qix", "End move"), ("Zorg", "Build army at Garnet"), ("Terrans", "End move"), ("Terrans", "Research Bunkers")]
    played = play(three(), items[:3])
    assert (played.document["turn"], played.waiting, len(played.steps)) == (4, ["Terrans", "Zorg", "Qix"], 3)
    early = [("Terrans", "End move"), items[3], ("Qix", "End move"), ("Zorg", "End move")]
    played = play(three(), early)
    assert played.state("Terrans")["technologies"] == ["Bunkers"]
    assert (played.document["turn"], played.waiting) == (4, ["Zorg", "Qix"])


@pytest.mark.rule("LC-R08", "LC-R09")
def test_a_newer_held_mail_replaces_the_older_and_it_can_be_withdrawn() -> None:
    played = play(three(), [("Zorg", "Build army at Garnet"), ("Zorg", "Research Bunkers")])
    assert [tuple(entry["lines"]) for entry in played.document["held"]] == [("Research Bunkers",)]
    assert ruleset.dump(ruleset.withdraw(played.position, "Zorg"))["held"] == []
    with pytest.raises(Refused):
        ruleset.withdraw(played.position, "Qix")


@pytest.mark.rule("LC-R08")
def test_a_held_mail_is_overtaken_by_nobodys_diplomatic_mail() -> None:
    played = play(three(), [("Zorg", "Build army at Garnet"), ("Zorg", "Offer peace to Qix\nProclaim Qix")])
    assert (played.state("Zorg")["proclaims"], len(played.document["held"])) == ("Qix", 1)


@pytest.mark.rule("LC-R08")
def test_an_option_returns_early_moves() -> None:
    receipt = receive(three(options={"early_orders": "return"}), "Zorg", "Build army at Garnet")
    assert (receipt.filed, receipt.granted) == (False, False)
    assert any(verdict.status is Status.ERROR for verdict in receipt.verdicts)
    assert ruleset.sheets(receipt.position) == ()
    assert receive(three(options={"early_orders": "return"}), "Zorg", "Offer peace to Qix").granted


@pytest.mark.rule("LC-R36", "LC-R01")
def test_a_diplomatic_mail_never_uses_up_a_move() -> None:
    for seat in ("Terrans", "Zorg"):
        played = play(three(), [(seat, "Offer trade treaty to Qix")])
        assert (played.offers, played.waiting) == ([f"trade {seat} Qix 3"], ["Terrans", "Zorg", "Qix"])
        assert played.steps == ()
        receipt = played.receipts[0]
        assert (receipt.filed, receipt.granted, [event.kind for event in receipt.events]) == (False, True, ["offer_made"])


def test_a_position_can_be_stored_between_arrival_and_resolution() -> None:
    assert ruleset.ready is not None
    state_ = receive(three(), "Terrans", "Build army at Aquila").position
    assert ruleset.ready(state_)
    stored = ruleset.load(ruleset.dump(state_))
    assert stored == state_
    assert ruleset.ready(stored)
    missed = ruleset.miss(ruleset.load(three()), "Terrans").position
    assert ruleset.ready(missed)
    assert ruleset.load(ruleset.dump(missed)) == missed
    one, other = (ruleset.resolve(p, ScriptedDice([])) for p in (missed, ruleset.load(ruleset.dump(missed))))
    assert one == other


# --- Skips ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-91", "LC-R11", "LC-R12", "LC-R83")
def test_who_misses_the_deadline_is_skipped_but_gets_income_and_pays_upkeep() -> None:
    units = "F1 Terrans Bastion, A1 Terrans Bastion, A2 Bastion Bastion"
    document = three(units=units, relations="Terrans war Bastion")
    played = play(document, [DEADLINE])
    assert (played.credits("Terrans"), played.state("Terrans")["skips"]) == (100 + 4 - 4, 1)
    assert (played.waiting, played.owner("Bastion")) == (["Zorg", "Qix"], "Bastion")
    assert {"skipped", "income", "upkeep"} <= set(played.kinds())
    assert "army_round" not in played.kinds()


@pytest.mark.rule("LC-R12", "LC-R20")
def test_a_skipped_player_who_cannot_pay_disbands() -> None:
    played = play(three(units="F1 Terrans Aquila, F2 Terrans Aquila") | {}, [DEADLINE])
    assert played.credits("Terrans") == 98
    poor = duel({"credits": 0}, units="F1 Terrans Aquila, F2 Terrans Aquila")
    played = play(poor, [DEADLINE])
    assert (played.units("Terrans"), played.credits("Terrans")) == (["F1"], 1)


@pytest.mark.rule("LC-R12")
def test_an_option_skips_income_and_upkeep_as_well() -> None:
    played = play(three(units="F1 Terrans Aquila"), [DEADLINE], skip_income=False)
    assert (played.credits("Terrans"), played.state("Terrans")["skips"]) == (100, 1)


@pytest.mark.rule("LC-R13", "LC-93")
def test_any_move_resets_the_counter() -> None:
    played = move(duel({"skips": 1}), "End move")
    assert played.state("Terrans")["skips"] == 0
    played = play(duel({"skips": 1}), [("Terrans", "Offer peace to Zorg\nProclaim Zorg")])
    assert played.state("Terrans")["skips"] == 1


@pytest.mark.rule("LC-R16")
def test_a_held_mail_is_not_overtaken_by_a_skip() -> None:
    played = play(three(), [("Zorg", "Build army at Garnet"), DEADLINE])
    assert (played.state("Terrans")["skips"], played.state("Zorg")["skips"]) == (1, 0)
    assert (played.units("Zorg"), played.waiting) == (["A1"], ["Qix"])


@pytest.mark.rule("LC-93", "LC-R14", "LC-46", "LC-R57")
def test_the_second_skip_in_a_row_makes_an_npc_empire() -> None:
    document = duel(
        {"skips": 1, "credits": 50, "traits": ["Warlike", "Swarm"], "technologies": ["Commerce"], "proclaims": "Zorg"},
        {"proclaims": "Terrans"},
        THREE,
        planets="Quill Qix; Eridu Terrans: Mines",
        units="F1 Terrans Aquila, A1 Terrans F1, A2 Terrans Eridu, A3 Terrans Quill",
        relations="Terrans trade Fenris, Terrans pact Qix, Terrans war Zorg",
        offers="trade Terrans Qix 3, trade Qix Terrans 3, trade Zorg Qix 3",
    )
    played = play(document, [DEADLINE])
    terrans = played.state("Terrans")
    assert (terrans["kind"], terrans["proclaims"], terrans["home_planet"]) == ("npc", "", "Aquila")
    assert (terrans["establishment_armies"], terrans["establishment_fleets"]) == (3, 1)
    assert (terrans["traits"], terrans["technologies"], terrans["credits"]) == (["Warlike", "Swarm"], ["Commerce"], 50)
    assert played.state("Zorg")["proclaims"] == "Zorg"
    assert played.offers == ["trade Zorg Qix 3"]
    assert played.waiting == ["Zorg", "Qix"]
    assert [played.relation("Terrans", other) for other in ("Fenris", "Qix", "Zorg")] == ["trade", "pact", "war"]
    assert (played.owner("Aquila"), played.owner("Eridu")) == ("Terrans", "Terrans")
    assert [played.where(unit) for unit in ("F1", "A1", "A2", "A3")] == ["Aquila", "F1", "Eridu", "Quill"]
    assert [data["state"] for data in played.of("became_npc")] == ["Terrans"]


@pytest.mark.rule("LC-R14", "LC-47", "LC-R56")
def test_an_npc_empire_acts_in_the_npc_phase_of_the_same_turn() -> None:
    """Instead of the bookkeeping of a skip: 2 + 2 + 2 − 3 − 1 are booked once."""
    document = duel({"skips": 1, "credits": 50}, planets="Eridu Terrans", units="F1 Terrans Aquila, A1 Terrans Eridu")
    played = play(document, [DEADLINE, ("Zorg", "End move")])
    assert (played.document["turn"], played.credits("Terrans")) == (4, 52)
    assert played.waiting == ["Zorg"]


@pytest.mark.rule("LC-R14", "LC-93")
def test_the_number_of_skips_is_an_option() -> None:
    played = play(duel(), [DEADLINE], skips_to_npc=1)
    assert played.state("Terrans")["kind"] == "npc"
    played = play(duel({"skips": 1}), [DEADLINE], skips_to_npc=3)
    assert (played.state("Terrans")["kind"], played.state("Terrans")["skips"]) == ("player", 2)


@pytest.mark.rule("LC-R15")
def test_only_a_decision_from_outside_brings_an_empire_back() -> None:
    assert ruleset.take_over is not None
    played = play(duel({"skips": 1}, others=THREE, planets="Quill Qix"), [DEADLINE])
    back = ruleset.dump(ruleset.take_over(played.position, "Terrans", "Noor"))
    terrans = back["states"][0]
    assert (terrans["kind"], terrans["skips"], terrans["proclaims"], back["waiting"]) == (
        "player",
        0,
        "Terrans",
        ["Zorg", "Qix"],
    )
    assert terrans["player_name"] == "Noor"
    played = play(back, [("Zorg", "End move"), ("Qix", "End move")])
    assert played.waiting == ["Terrans", "Zorg", "Qix"]
    # A journal of former times does not say the name, so that it stays; one that is taken is given to nobody else.
    assert ruleset.take_over(played.position, "Zorg", None) == played.position
    assert ruleset.dump(ruleset.take_over(played.position, "Zorg", "noor"))["states"][1]["player_name"] == ""
    gone = ruleset.load(duel(others=[state("Ghosts", 0, kind="eliminated")]))
    with pytest.raises(Refused):
        ruleset.take_over(gone, "Ghosts", "")


@pytest.mark.rule("LC-92", "LC-91")
def test_the_clock_of_a_move_is_72_hours() -> None:
    option = ruleset.info.options["move_hours"]
    assert option.default == 72
    assert ruleset.info.timing == "sequential"


# --- The sequence --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-85", "LC-86", "LC-87", "LC-88", "LC-89", "LC-90", "LC-R06", "LC-R07", "LC-R35")
def test_the_steps_of_a_move_do_not_depend_on_the_order_of_its_lines() -> None:
    lines = [
        "Move capital to Eridu",
        "Develop Mines on Aquila",
        "Build army at Aquila",
        "Research Ion Cannons",
        "Move F1 to Bastion",
        "Declare war on Bastion",
        "Disband A9",
    ]
    document = duel(
        {"credits": 200},
        planets="Eridu Terrans; Bastion: Mines",
        units="F1 Terrans Aquila, F2 Bastion Bastion, A9 Terrans Aquila",
    )
    one = move(document, "\n".join(lines), [9, 1])
    other = move(document, "\n".join(reversed(lines)), [9, 1])
    assert one.events == other.events
    assert one.document == other.document
    assert one.failed == []
    order = [
        "income",
        "disbanded",
        "upkeep",
        "war_declared",
        "moved",
        "fleet_round",
        "researched",
        "built",
        "developed",
        "capital_moved",
    ]
    assert [kind for kind in one.kinds() if kind in order] == order
    # Research comes after the battle: its effects did not count in it, and neither did the war before it.
    assert one.of("fleet_round")[0]["rolls"][0]["modifier"] == 0


@pytest.mark.rule("LC-R07", "LC-R19")
def test_within_a_step_line_order_decides_who_gets_scarce_credits() -> None:
    document = duel({"credits": 6}, planets="Eridu Terrans")  # 6 + 2 + 2 + 2 = 12
    played = move(document, "Build fleet at Aquila\nBuild army at Eridu\nBuild fleet at Eridu")
    assert (played.units("Terrans"), played.reasons, played.credits("Terrans")) == (["F1"], ["no_credits", "no_credits"], 2)
    played = move(document, "Build army at Eridu\nBuild fleet at Aquila\nBuild army at Aquila")
    assert (played.units("Terrans"), played.reasons, played.credits("Terrans")) == (["A1", "A2"], ["no_credits"], 6)


@pytest.mark.rule("LC-89", "LC-R86")
def test_armies_and_ships_are_built_before_resources() -> None:
    document = duel({"credits": 6})  # 10 with the income
    played = move(document, "Develop Mines on Aquila\nBuild army at Aquila")
    assert (played.units("Terrans"), played.resources("Aquila"), played.reasons) == (["A1"], [], ["no_credits"])


@pytest.mark.rule("LC-R07", "LC-R86")
def test_units_are_built_in_line_order_not_armies_first() -> None:
    document = duel({"credits": 8})
    played = move(document, "Build fleet at Aquila\nBuild army at Aquila")
    assert played.units("Terrans") == ["F1"]


@pytest.mark.rule("LC-R08")
def test_mails_are_taken_one_by_one_whether_in_one_call_or_in_several() -> None:
    items = [
        ("Zorg", "Build army at Garnet"),
        ("Zorg", "Offer trade treaty to Terrans"),
        ("Terrans", "Accept trade from Zorg\nPass"),
    ]
    whole = play(duel(), items)
    document = duel()
    for item in items:
        document = play(document, [item]).document
    assert document == whole.document


def test_a_position_over_takes_nothing() -> None:
    document = position(
        state("Terrans", home="Aquila"), planets="Aquila Terrans", phase="over", winner="Terrans", victory="planets"
    )
    at = ruleset.load(document)
    assert ruleset.awaiting(at) == ()
    receipt = ruleset.receive(at, mail("Terrans", "Offer peace to Bastion"))
    assert (receipt.filed, receipt.granted, receipt.events) == (False, False, ())

"""War, peace, treaties, pacts, gifts and proclamations between players (LC-27 to LC-39)."""

import pytest

from pbmd.rules import Status
from tests.rulesets.local_cluster.harness import Played, duel, fault, move, play, state

QIX = [state("Qix", home="Quill"), state("Ur", home="Rhea")]


def four(**tables: object) -> dict[str, object]:
    """Four players; the homes of the others are Quill and Rhea."""
    return duel(others=QIX, planets="Quill Qix; Rhea Ur;" + str(tables.pop("planets", "")), **tables)


def codes(played: Played) -> list[str]:
    """The codes of the lines of diplomatic mails that could not be carried out."""
    found = [verdict for receipt in played.receipts for verdict in receipt.verdicts if verdict.code]
    assert {verdict.status for verdict in found} <= {Status.WARNING}
    return [verdict.code for verdict in found]


def say(document: dict[str, object], seat: str, line: str) -> Played:
    """One diplomatic mail."""
    return play(document, [(seat, line)])


KINDS = [("peace", "peace", "war"), ("trade treaty", "trade", ""), ("military pact", "pact", "")]


def between(status: str) -> str:
    return f"Terrans {status} Zorg" if status else ""


# --- Offers --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-28", "LC-30", "LC-32", "LC-R36")
@pytest.mark.parametrize(("words", "kind", "status"), KINDS)
@pytest.mark.parametrize("taker_moves", [True, False])
def test_an_offer_stands_until_the_other_accepts(words: str, kind: str, status: str, taker_moves: bool) -> None:
    offered = say(four(relations=between(status)), "Terrans", f"Offer {words} to Zorg")
    assert offered.offers == [f"{kind} Terrans Zorg 3"]
    assert offered.relation("Terrans", "Zorg") == (status or "peace")
    (event,) = offered.events
    assert (event.kind, set(event.audience or ())) == ("offer_made", {"Terrans", "Zorg"})
    accept = f"Accept {words} from Terrans"
    items = [("Terrans", "Pass"), ("Zorg", f"{accept}\nPass")] if taker_moves else [("Zorg", accept)]
    agreed = play(offered.document, items)
    assert (agreed.offers, agreed.relation("Terrans", "Zorg")) == ([], kind)
    (event,) = [event for event in agreed.events if event.kind == "agreed"]
    assert event.audience is None


@pytest.mark.rule("LC-R36")
@pytest.mark.parametrize(("words", "kind", "status"), KINDS)
def test_the_same_offer_back_is_an_acceptance(words: str, kind: str, status: str) -> None:
    document = four(relations=between(status), offers=f"{kind} Zorg Terrans 3")
    played = say(document, "Terrans", f"Offer {words} to Zorg")
    assert (played.relation("Terrans", "Zorg"), played.offers) == (kind, [])


@pytest.mark.rule("LC-R38", "LC-R93")
def test_nobody_is_told_of_what_changes_nothing() -> None:
    items = [("Terrans", line) for line in ("Offer trade to Zorg", "Proclaim Zorg") for _ in range(2)]
    played = play(duel(), items)
    assert (played.kinds(), codes(played)) == (["offer_made", "proclaimed"], [])


@pytest.mark.rule("LC-R36")
def test_no_relation_changes_without_an_act_of_both() -> None:
    for line in (
        "Offer peace to Zorg",
        "Offer trade treaty to Zorg",
        "Offer military pact to Zorg",
        "Accept trade treaty from Zorg",
    ):
        for status in ("war", ""):
            assert move(four(relations=between(status)), f"{line}\nPass").relation("Terrans", "Zorg") == (status or "peace")


@pytest.mark.rule("LC-R36")
@pytest.mark.parametrize(("words", "kind", "status"), KINDS)
def test_offers_can_be_declined_and_withdrawn(words: str, kind: str, status: str) -> None:
    document = four(relations=between(status), offers=f"{kind} Terrans Zorg 3")
    declined = say(document, "Zorg", f"Decline {words} from Terrans")
    withdrawn = say(document, "Terrans", f"Withdraw {words} offer to Zorg")
    for played, event_kind in ((declined, "offer_declined"), (withdrawn, "offer_withdrawn")):
        assert (played.offers, codes(played)) == ([], [])
        (event,) = played.events
        assert (event.kind, set(event.audience or ())) == (event_kind, {"Terrans", "Zorg"})
        assert played.relation("Terrans", "Zorg") == (status or "peace")


@pytest.mark.rule("LC-R36")
@pytest.mark.parametrize(
    ("line", "giver"),
    [
        ("Accept {} from Zorg", "Terrans Zorg"),
        ("Decline {} from Zorg", "Terrans Zorg"),
        ("Withdraw {} offer to Zorg", "Zorg Terrans"),
    ],
)
@pytest.mark.parametrize(("words", "kind", "status"), KINDS)
def test_an_offer_in_the_other_direction_cannot_be_answered(line: str, giver: str, words: str, kind: str, status: str) -> None:
    document = four(relations=between(status), offers=f"{kind} {giver} 3")
    played = say(document, "Terrans", line.format(words))
    assert (codes(played), played.offers) == (["no_such_offer"], [f"{kind} {giver} 3"])
    assert played.relation("Terrans", "Zorg") == (status or "peace")


@pytest.mark.rule("LC-R36")
def test_an_offer_of_another_kind_or_player_is_not_answered() -> None:
    document = four(offers="trade Zorg Terrans 3, pact Qix Terrans 3")
    played = say(document, "Terrans", "Accept pact from Zorg\nAccept trade from Qix\nDecline pact from Zorg")
    assert (codes(played), len(played.offers)) == (["no_such_offer"] * 3, 2)


@pytest.mark.rule("LC-R37")
@pytest.mark.parametrize(
    ("line", "relations", "reason"),
    [
        ("Offer peace to Zorg", "", "not_at_war"),
        ("Offer peace to Zorg", "Terrans pact Zorg", "not_at_war"),
        ("Offer trade treaty to Zorg", "Terrans war Zorg", "at_war"),
        ("Offer trade treaty to Zorg", "Terrans trade Zorg", "already_agreed"),
        ("Offer military pact to Zorg", "Terrans war Zorg", "at_war"),
        ("Offer military pact to Zorg", "Terrans pact Zorg", "already_agreed"),
        ("Offer trade treaty to Zorg", "Terrans trade Eridu, Terrans trade Fenris, Terrans trade Qix", "treaty_limit"),
        ("Offer trade treaty to Zorg", "Zorg trade Eridu, Zorg trade Fenris, Zorg trade Qix", "treaty_limit"),
        ("Offer trade treaty to Zorg", "Terrans trade Zorg, Terrans trade Fenris, Terrans trade Qix", "already_agreed"),
    ],
)
def test_the_conditions_are_tested_when_offered(line: str, relations: str, reason: str) -> None:
    in_mail = say(four(relations=relations), "Terrans", line)
    assert (codes(in_mail), in_mail.offers) == ([reason], [])
    in_move = move(four(relations=relations), f"{line}\nPass")
    assert (in_move.failed, in_move.offers) == ([(line, "", reason)], [])


@pytest.mark.rule("LC-R37", "LC-R39", "LC-31")
def test_the_conditions_are_tested_again_when_accepted_and_the_offer_stays() -> None:
    offers = "trade Terrans Zorg 3, trade Qix Zorg 3"
    document = four(relations="Zorg trade Eridu, Zorg trade Fenris", offers=offers)
    first = say(document, "Zorg", "Accept trade from Qix")
    second = say(first.document, "Zorg", "Accept trade from Terrans")
    assert (codes(second), second.offers) == (["treaty_limit"], ["trade Terrans Zorg 3"])
    both = say(document, "Zorg", "Accept trade from Qix\nAccept trade from Terrans")
    assert (both.relation("Zorg", "Qix"), both.relation("Zorg", "Terrans")) == ("trade", "peace")


@pytest.mark.rule("LC-R39", "LC-31")
def test_of_two_acceptances_of_the_third_slot_the_first_to_arrive_wins() -> None:
    document = four(relations="Zorg trade Eridu, Zorg trade Fenris", offers="trade Zorg Terrans 3, trade Zorg Qix 3")
    played = play(document, [("Qix", "Accept trade from Zorg"), ("Terrans", "Accept trade from Zorg")])
    assert (played.relation("Zorg", "Qix"), played.relation("Zorg", "Terrans")) == ("trade", "peace")
    assert codes(played) == ["treaty_limit"]


@pytest.mark.rule("LC-31")
def test_the_treaty_limit_is_an_option() -> None:
    document = four(relations="Terrans trade Eridu", options={"trade_limit": 1})
    assert codes(say(document, "Terrans", "Offer trade treaty to Zorg")) == ["treaty_limit"]
    assert codes(say(document | {"options": {}}, "Terrans", "Offer trade treaty to Zorg")) == []


@pytest.mark.rule("LC-R38")
def test_an_offer_lapses_at_the_end_of_the_turn_after_it_was_made() -> None:
    ends = [("Terrans", "Pass"), ("Zorg", "Pass")]
    document = duel(offers="trade Terrans Zorg 3")
    assert play(document, ends).offers == ["trade Terrans Zorg 3"]
    twice = play(document, ends * 2)
    assert twice.offers == []
    (event,) = [event for event in twice.events if event.kind == "offer_lapsed"]
    assert set(event.audience or ()) == {"Terrans", "Zorg"}
    assert play(document, ends, offer_turns=0).offers == []
    assert play(document, ends * 2, offer_turns=2).offers == ["trade Terrans Zorg 3"]
    renewed = play(document, [*ends, ("Terrans", "Offer trade to Zorg"), *ends])
    assert renewed.offers == ["trade Terrans Zorg 4"]


@pytest.mark.rule("LC-R38", "LC-R40")
def test_offers_lapse_with_war_elimination_and_becoming_npc() -> None:
    offers = "trade Terrans Zorg 3, pact Zorg Terrans 3, trade Zorg Qix 3"
    assert move(four(offers=offers), "Declare war on Zorg").offers == ["trade Zorg Qix 3"]
    doomed = four(offers=offers, units="A1 Terrans Garnet", relations="Terrans war Zorg")
    doomed["offers"] = [entry for entry in doomed["offers"] if "Qix" in entry.values()]  # type: ignore[union-attr]
    gone = move(doomed, "Pass")
    assert (gone.state("Zorg")["kind"], gone.offers) == ("eliminated", [])


# --- War and peace -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-R40", "LC-27")
def test_war_is_declared_by_one_side_ends_trade_and_opens_the_way_in_the_same_move() -> None:
    document = duel(units="F1 Terrans Fenris, A1 Terrans F1", planets="Fenris Terrans", relations="Terrans trade Zorg")
    played = move(document, "Land A1 on Garnet\nMove F1 to Garnet\nDeclare war on Zorg")
    assert played.relation("Terrans", "Zorg") == "war"
    assert (played.where("F1"), played.reasons) == ("Garnet", ["not_there"])
    (event,) = [event for event in played.events if event.kind == "war_declared"]
    assert event.audience is None
    npc = move(duel(), "Declare war on Fenris")
    assert npc.relation("Terrans", "Fenris") == "war"


@pytest.mark.rule("LC-R40", "LC-34", "LC-R41")
@pytest.mark.parametrize(
    ("relations", "text", "reason"),
    [
        ("Terrans war Zorg", "Declare war on Zorg", "at_war"),
        ("Terrans pact Zorg", "Declare war on Zorg", "pact_in_force"),
        ("Terrans pact Zorg", "Null military pact with Zorg\nDeclare war on Zorg", "pact_nulled_now"),
        ("Terrans pact Fenris", "Declare war on Fenris", "pact_in_force"),
    ],
)
def test_when_war_cannot_be_declared(relations: str, text: str, reason: str) -> None:
    played = move(duel(relations=relations), text)
    assert played.reasons == [reason]
    assert "war_declared" not in played.kinds()


@pytest.mark.rule("LC-R41", "LC-34")
def test_after_a_nulled_pact_war_is_possible_in_the_next_move_of_either() -> None:
    start = duel(relations="Terrans pact Zorg")
    null = ("Terrans", "Null military pact with Zorg")
    played = play(start, [null, ("Zorg", "Declare war on Terrans")])
    assert played.relation("Terrans", "Zorg") == "war"
    played = play(start, [null, ("Zorg", "Pass"), ("Terrans", "Declare war on Zorg")])
    assert played.relation("Terrans", "Zorg") == "war"


@pytest.mark.rule("LC-28", "LC-29")
def test_at_peace_nobody_may_dock_or_land() -> None:
    document = duel(units="F1 Terrans Aquila, F2 Terrans Fenris", planets="Fenris Terrans")
    assert move(document, "Move F1 to Bastion").reasons == ["no_right"]
    assert move(document, "Move F2 to Garnet").reasons == ["no_right"]
    assert move(document | {"relations": []}, "Move F2 from Fenris to Aquila").reasons == []


@pytest.mark.rule("LC-27", "LC-29", "LC-R47", "LC-R46")
def test_peace_sends_the_units_of_both_home() -> None:
    units = "F1 Terrans Garnet, A1 Terrans F1, A2 Terrans Garnet, F2 Zorg Aquila, A3 Zorg Aquila"
    document = duel(
        units=units, relations="Terrans war Zorg", offers="peace Zorg Terrans 3", planets="Fenris Terrans; Umbra Zorg"
    )
    played = say(document, "Terrans", "Accept peace from Zorg")
    assert played.relation("Terrans", "Zorg") == "peace"
    assert [played.where(unit) for unit in ("F1", "A1", "A2", "F2", "A3")] == ["Fenris", "F1", "", "Garnet", ""]
    assert {"evicted", "surrendered"} <= set(played.kinds())


@pytest.mark.rule("LC-R43")
def test_a_partners_wars_are_not_ones_own() -> None:
    played = move(four(relations="Terrans pact Zorg, Zorg war Qix"), "Pass")
    assert played.relation("Terrans", "Qix") == "peace"
    assert move(four(relations="Terrans pact Zorg"), "Declare war on Qix").relation("Zorg", "Qix") == "peace"


# --- Trade treaties ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-30", "LC-R42")
def test_a_trade_treaty_brings_5_credits_to_both_and_is_ended_by_either_alone() -> None:
    document = duel(relations="Terrans trade Zorg")
    played = play(document, [("Terrans", "Cancel trade treaty with Zorg"), ("Zorg", "Pass")])
    assert (played.credits("Terrans"), played.credits("Zorg")) == (109, 104)
    assert played.relation("Terrans", "Zorg") == "peace"
    assert move(duel(), "Cancel trade treaty with Zorg").reasons == ["no_such_treaty"]
    assert move(duel(relations="Terrans pact Zorg"), "Cancel trade treaty with Zorg").reasons == ["no_such_treaty"]
    assert move(document, "Null pact with Zorg").reasons == ["no_such_treaty"]
    assert move(duel(relations="Terrans trade Fenris"), "Cancel trade with Fenris").relation("Terrans", "Fenris") == "peace"
    both = move(duel(relations="Terrans trade pact Zorg"), "Cancel trade with Zorg")
    assert both.relation("Terrans", "Zorg") == "pact"


# --- Pacts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-32", "LC-33", "LC-R44", "LC-R61")
def test_a_pact_lets_fleets_dock_and_armies_land_for_as_long_as_it_lasts() -> None:
    document = duel(units="F1 Terrans Fenris, A1 Terrans F1", planets="Fenris Terrans", relations="Terrans pact Zorg")
    played = move(document, "Move F1 to Garnet\nLand A1 on Garnet")
    assert (played.where("F1"), played.where("A1"), played.owner("Garnet")) == ("Garnet", "Garnet", "Zorg")
    later = play(played.document, [("Zorg", "Pass"), ("Terrans", "Pass"), ("Zorg", "Pass")])
    assert (later.where("F1"), later.where("A1")) == ("Garnet", "Garnet")
    on = play(played.document, [("Zorg", "Pass"), ("Terrans", "Load A1 onto F1\nMove F1 to Fenris")])
    assert on.where("F1") == "Fenris"


@pytest.mark.rule("LC-35", "LC-36", "LC-R45", "LC-R46")
def test_nulling_a_pact_takes_armies_and_sends_fleets_to_the_closest_planet() -> None:
    units = (
        "F1 Terrans Garnet, A1 Terrans F1, A2 Terrans Garnet, F2 Zorg Aquila, A3 Zorg Aquila, A4 Zorg Garnet,"
        "F3 Terrans Quill, A5 Terrans Quill, A6 Terrans Aquila"
    )
    document = four(units=units, relations="Terrans pact Zorg, Terrans pact Qix", planets="Hesper Terrans")
    played = move(document, "Null military pact with Zorg")
    where = {unit: played.where(unit) for unit in ("F1", "A1", "A2", "F2", "A3", "A4", "F3", "A5", "A6")}
    assert where == {
        "F1": "Hesper", "A1": "F1", "A2": "", "F2": "Garnet", "A3": "", "A4": "Garnet", "F3": "Quill", "A5": "Quill",
        "A6": "Aquila",
    }  # fmt: skip
    assert [data["unit"] for data in played.of("evicted")] == ["F1", "F2"]
    assert [data["unit"] for data in played.of("surrendered")] == ["A2", "A3"]


@pytest.mark.rule("LC-R45", "LC-35")
def test_an_option_lets_the_planets_owner_capture_them() -> None:
    document = duel(units="A2 Terrans Garnet, A3 Zorg Aquila", relations="Terrans pact Zorg")
    played = move(document, "Null military pact with Zorg", surrender="captured")
    assert (played.units("Zorg"), played.units("Terrans")) == (["A2"], ["A3"])


@pytest.mark.rule("LC-36", "LC-R46")
def test_the_closest_planet_counts_lines_and_ties_go_to_the_lower_number() -> None:
    """From Garnet both Bastion (2) and Hesper (8) are one line away, Aquila two."""
    document = duel(units="F1 Terrans Garnet", relations="Terrans pact Zorg", planets="Hesper Terrans; Bastion Terrans")
    assert move(document, "Null pact with Zorg").where("F1") == "Bastion"
    far = duel(units="F1 Terrans Garnet", relations="Terrans pact Zorg, Terrans war Fenris, Terrans war Bastion")
    assert move(far, "Null pact with Zorg").where("F1") == "Aquila"


@pytest.mark.rule("LC-R46")
def test_a_fleet_sent_home_may_still_move_in_that_move() -> None:
    document = duel(units="F1 Terrans Garnet", relations="Terrans pact Zorg", planets="Fenris Terrans")
    assert move(document, "Null pact with Zorg\nMove F1 from Fenris to Aquila").where("F1") == "Aquila"


@pytest.mark.rule("LC-R46", "LC-R74")
def test_a_fleet_sent_home_starts_no_battle_by_itself() -> None:
    """F9 of Qix blockades Fenris; F1 arrives there in the move of Zorg, who is at peace with Qix."""
    document = four(
        units="F1 Terrans Garnet, F9 Qix Fenris", relations="Terrans pact Zorg, Terrans war Qix", planets="Fenris Terrans"
    )
    played = play(document, [("Terrans", "Pass"), ("Zorg", "Null pact with Terrans")])
    assert (played.where("F1"), played.where("F9")) == ("Fenris", "Fenris")
    then = play(played.document, [("Qix", "Pass")], [5, 6])
    assert [roll["unit"] for roll in then.of("fleet_round")[0]["rolls"]] == ["F9", "F1"]


# --- Gifts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-37", "LC-R49")
def test_a_gift_sends_credits_at_once() -> None:
    played = move(duel(), "Gift 4 credits to Zorg")
    assert (played.credits("Terrans"), played.credits("Zorg")) == (100, 104)
    (event,) = [event for event in played.events if event.kind == "gift"]
    assert event.audience is None


@pytest.mark.rule("LC-38", "LC-39", "LC-R48", "LC-R49")
@pytest.mark.parametrize(
    ("relations", "text", "reasons", "given"),
    [
        ("", "Gift 5 credits to Zorg", ["gift_limit"], 0),
        ("", "Gift 3 credits to Zorg\nGift 2 credits to Zorg\nGift 1 credit to Zorg", ["gift_limit"], 4),
        ("Terrans war Zorg", "Gift 4 credits to Zorg", ["at_war"], 0),
        ("Terrans pact Zorg", "Gift 4 credits to Zorg", [], 4),
        ("Terrans trade Zorg", "Gift 5 credits to Zorg", ["gift_limit"], 0),
        ("", "Declare war on Zorg\nGift 4 credits to Zorg", ["at_war"], 0),
        ("", "Gift 4 credits to Zorg\nDeclare war on Zorg", [], 4),
    ],
)
def test_gifts_need_peace_and_their_sum_has_a_limit(relations: str, text: str, reasons: list[str], given: int) -> None:
    played = move(duel(relations=relations), text)
    assert (played.reasons, played.credits("Zorg")) == (reasons, 100 + given)


@pytest.mark.rule("LC-R48", "LC-39")
def test_the_gift_limit_counts_trade_income_by_option_and_holds_in_turn_0() -> None:
    document = duel(relations="Terrans trade Zorg")
    assert move(document, "Gift 9 credits to Zorg", gift_limit="tax_and_trade").failed == []
    assert move(document, "Gift 10 credits to Zorg", gift_limit="tax_and_trade").reasons == ["gift_limit"]
    turn0 = duel(turn=0)
    assert move(turn0, "Gift 4 credits to Zorg").credits("Zorg") == 104
    assert move(turn0, "Gift 5 credits to Zorg").reasons == ["gift_limit"]


@pytest.mark.rule("LC-R19", "LC-37")
def test_a_gift_beyond_the_credits_fails_whole() -> None:
    document = duel({"credits": 0}, units="A1 Terrans Aquila")
    played = move(document, "Gift 4 credits to Zorg")
    assert (played.reasons, played.credits("Zorg"), played.credits("Terrans")) == (["no_credits"], 100, 3)


@pytest.mark.rule("LC-R50", "LC-37")
def test_nothing_but_credits_can_be_given_away() -> None:
    for line in ("Gift F1 to Zorg", "Give Aquila to Zorg", "Gift Commerce to Zorg"):
        assert fault(duel(units="F1 Terrans Aquila"), "Terrans", line) == "syntax"


# --- Proclamations -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-R93", "LC-83")
def test_a_proclamation_stands_until_changed() -> None:
    played = say(four(), "Zorg", "Proclaim Qix")
    assert played.state("Zorg")["proclaims"] == "Qix"
    assert [(event.kind, event.audience) for event in played.events] == [("proclaimed", None)]
    assert say(four(), "Zorg", "Proclaim nobody").state("Zorg")["proclaims"] == ""
    later = play(played.document, [("Terrans", "Pass"), ("Zorg", "Pass")])
    assert later.state("Zorg")["proclaims"] == "Qix"
    assert say(later.document, "Zorg", "Proclaim Zorg").state("Zorg")["proclaims"] == "Zorg"

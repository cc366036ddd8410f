"""Stalling and resigning (9.4, 7.12)."""

import pytest

from pbmd.rules import HmacDice
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, messages, play, position

# Sol touches Alpha Centauri, Groombridge and Sirius; Deneb touches Groombridge and Castor.
TOUCHING = "Sol 12 Red, Groombridge 5 Red, Algol 3 Red, Sirius 9 Green, Deneb 9 Green"


def defaults(text: str, red: dict[str, object] | None = None, **options: object) -> list[str]:
    """Red's default orders."""
    start = position(text, red or faction("Red"), faction("Green"), **options)
    state = ruleset.miss(ruleset.load(start), "Red").position
    played = ruleset.resolve(state, HmacDice(b"stalling", b"")).events
    return next(event.data["lines"] for event in played if event.kind == "default_orders")


@pytest.mark.rule("CC-50", "CC-R77", "CC-R78")
def test_units_and_drones_are_spread_over_the_borders_the_first_ones_get_more() -> None:
    red = faction("Red", drones=3)
    assert defaults(TOUCHING, red) == ["Defend Sol with 10 units and 2 drones", "Defend Groombridge with 10 units and 1 drone"]
    odd = TOUCHING.replace("Sol 12", "Sol 13")
    assert defaults(odd)[0] == "Defend Sol with 11 units"


@pytest.mark.rule("CC-51", "CC-R77", "CC-R78")
def test_without_a_border_to_a_faction_all_is_invested_whatever_the_maximum() -> None:
    red = faction("Red", drones=3)
    assert defaults("Sol 30 Red, Algol 3 Red, Rigel 9 Green", red) == ["Invest 17 units in Sol", "Invest 16 units in Algol"]


@pytest.mark.rule("CC-50", "CC-R28")
def test_what_is_spread_are_all_units_of_the_turn() -> None:
    sabotaged = TOUCHING.replace("Sol 12 Red", "Sol 12 Red -3")
    assert defaults(sabotaged, faction("Red", traits="resourceful", empire_turn=1)) == [
        "Defend Sol with 14 units",
        "Defend Groombridge with 13 units",
    ]


@pytest.mark.rule("CC-R77")
def test_with_the_option_any_system_that_is_not_own_makes_a_border() -> None:
    assert defaults("Sol 9 Red, Rigel 9 Green", borders="any") == ["Defend Sol with 9 units"]
    text = "Sol 10 Red, Alpha Centauri 1 Red, Groombridge 1 Red, Sirius 0 Red, Rigel 9 Green"
    assert "Sol" not in " ".join(defaults(text, borders="any"))


@pytest.mark.rule("CC-R77", "CC-R84")
def test_a_faction_that_is_out_makes_no_border() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"), faction("Teal", status="resigned"))
    state = ruleset.load(start)
    assert ruleset.awaiting(state) == ("Red", "Green")
    assert ruleset.resign is not None
    assert ruleset.resign(state, "Teal").position == state
    played = play(start, [("Green", "Pass")])
    assert played.of("default_orders")[0]["lines"] == ["Invest 9 units in Sol"]


@pytest.mark.rule("CC-R78")
def test_borders_that_would_get_nothing_are_left_out_and_drones_go_only_with_units() -> None:
    text = "Sol 1 Red, Groombridge 0 Red, Sirius 9 Green, Deneb 9 Green"
    assert defaults(text, faction("Red", drones=4)) == ["Defend Sol with 1 unit and 4 drones"]
    empty = "Sol 0 Red, Sirius 9 Green"
    assert defaults(empty, faction("Red", drones=4)) == ["Pass"]


@pytest.mark.rule("CC-R49")
def test_an_indecisive_admiral_limits_default_orders_as_well() -> None:
    assert defaults(TOUCHING.replace("Sol 12", "Sol 40"), faction("Red", traits="indecisive")) == [
        "Defend Sol with 15 units",
        "Defend Groombridge with 15 units",
    ]
    assert defaults("Sol 30 Red, Rigel 9 Green", faction("Red", traits="indecisive")) == ["Invest 15 units in Sol"]


@pytest.mark.rule("CC-R79", "CC-R89")
def test_a_stalled_faction_does_nothing_else() -> None:
    start = position(TOUCHING, faction("Red", "chronotech"), faction("Green"))
    played = play(start, [("Green", "Pass")])
    (lines,) = [event["lines"] for event in played.of("default_orders")]
    assert all(line.startswith("Defend ") and "admiral" not in line for line in lines)
    assert played.faction("Red")["drones"] == 0


@pytest.mark.rule("CC-R80")
def test_stalled_factions_come_last_in_arrival_order_as_they_signed_up() -> None:
    start = position(
        "Alpha Centauri 3 Red, Procyon 3 Purple, Castor 3 Teal, Sirius 1 Green, Rigel 3 Teal, Ross 3 Purple",
        *(faction(colour, "psionic") for colour in ("Red", "Purple", "Teal", "Green")),
    )
    # Teal and Purple sent orders, so that the coin's heads is Teal's, whose mail was first.
    attack = "Conquer Sirius with 3 units"
    played = play(start, [("Teal", attack), ("Purple", attack), ("Green", "Pass")], [1])
    assert played.system("Sirius")[0] == "Teal"
    assert played.of("stalled") == [{"colour": "Red"}]
    assert [event["colour"] for event in played.of("orders")] == ["Teal", "Purple", "Green", "Red"]
    two = play(start, [("Teal", "Pass")])
    assert [event["colour"] for event in two.of("orders")] == ["Teal", "Red", "Purple", "Green"]


@pytest.mark.rule("CC-R81", "CC-48")
def test_mail_after_a_stall_is_refused_and_the_default_orders_stand() -> None:
    start = ruleset.load(position(TOUCHING, faction("Red"), faction("Green")))
    assert ruleset.awaiting(start) == ("Red", "Green")
    stalled = ruleset.miss(start, "Red").position
    assert ruleset.awaiting(stalled) == ("Green",)
    receipt = ruleset.receive(stalled, mail("Red", "Defend Sol with 1 unit"))
    assert (receipt.filed, receipt.position) == (False, stalled)
    assert messages(receipt) == ["your default orders for turn 5 are fixed and final."]
    assert ruleset.miss(stalled, "Red").position == stalled


@pytest.mark.rule("CC-R75", "CC-R61")
def test_a_deadline_changes_nothing_for_who_has_sent_orders() -> None:
    start = ruleset.load(position(TOUCHING, faction("Red"), faction("Green")))
    sent = ruleset.receive(start, mail("Red", "Defend Sol with 1 unit")).position
    assert ruleset.miss(sent, "Red").position == sent


def turns(count: int, **options: object) -> Played:
    document = position(
        "Sol 40 Red, Rigel 5 Green, Polaris 5 Teal", faction("Red"), faction("Green"), faction("Teal"), **options
    )
    for _ in range(count):
        played = play(document, [("Green", "Pass"), ("Teal", "Pass")])
        document = played.document
    return played


@pytest.mark.rule("CC-R83")
def test_stalls_are_counted_in_a_row_without_any_limit() -> None:
    played = turns(4)
    assert played.faction("Red")["stalls"] == 4
    assert played.faction("Red")["status"] == "active"
    back = play(played.document, [(colour, "Pass") for colour in ("Red", "Green", "Teal")])
    assert back.faction("Red")["stalls"] == 0


@pytest.mark.rule("CC-R83", "CC-R84")
def test_with_a_limit_a_faction_that_stalls_so_often_resigns() -> None:
    once = turns(1, stall_limit=2)
    assert once.faction("Red")["status"] == "active"
    back = play(once.document, [(colour, "Pass") for colour in ("Red", "Green", "Teal")])
    assert back.faction("Red")["status"] == "active"
    played = turns(2, stall_limit=2)
    assert played.faction("Red")["status"] == "resigned"
    assert played.system("Sol") == ("", 30, 0)
    assert played.of("resigned") == [{"colour": "Red"}]


@pytest.mark.rule("CC-R84")
def test_who_resigns_without_orders_gets_default_orders_and_is_not_awaited() -> None:
    assert ruleset.resign is not None
    start = ruleset.load(position(TOUCHING, faction("Red", drones=2), faction("Green")))
    state = ruleset.resign(start, "Red").position
    assert ruleset.awaiting(state) == ("Green",)
    assert ruleset.load(ruleset.dump(state)) == state
    assert ruleset.resign(state, "Red").position == state
    played = play(position(TOUCHING, faction("Red", drones=2), faction("Green")), [("Green", "Pass")], resigns=["Red"])
    red = played.faction("Red")
    assert (red["status"], red["drones"]) == ("resigned", 0)
    assert played.system("Groombridge") == ("", 5, 0)
    assert played.document["result"]["winner"] == "Green"


@pytest.mark.rule("CC-R84", "CC-45")
def test_orders_of_who_resigns_afterwards_are_carried_out() -> None:
    start = position("Sol 20 Red, Rigel 5 Green, Ross 5 Teal", faction("Red", "psionic"), faction("Green"), faction("Teal"))
    orders = [("Red", "Conquer Sirius with 20 units"), ("Green", "Pass"), ("Teal", "Pass")]
    played = play(start, orders, [10, 1], resigns=["Red"])
    assert played.of("stalled") == []
    assert played.system("Sirius") == ("", 5, 0)

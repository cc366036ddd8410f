"""Resupply, transfers, repair and fuel (SQ-32 to SQ-43, SQ-84 to SQ-87)."""

import pytest

from tests.rulesets.starship_squadrons.harness import Played, days, fault, play, remarks, world

PORT = "Port planet 0607 limit 1 owner 1 starport stock 4"
BASE = [PORT]
HURT = "Duke J4 M6 D6 U2 damage 5"


# Resupply


@pytest.mark.rule("SQ-35", "SQ-R52")
@pytest.mark.parametrize(
    ("body", "options", "stock"),
    [
        (PORT, {}, 6),
        ("Port planet 0607 limit 1 owner 2 starport stock 19", {}, 20),
        ("Port planet 0607 limit 1 owner 2 starport stock 20", {}, 20),
        ("Port planet 0607 limit 1 owner 2 starport stock 25", {}, 25),
        ("Port planet 0607 limit 1 starport stock 4", {}, 4),
        ("Port planet 0607 limit 1 owner 1", {}, 0),
        (PORT, {"starport_supply": 5, "starport_stock_max": 8}, 8),
        (PORT, {"starport_supply": 0}, 4),
    ],
)
def test_owned_starports_get_supply_every_day_up_to_a_limit(body: str, options: dict[str, int], stock: int) -> None:
    assert play(world(bodies=[body], **options)).body("Port")["stock"] == stock


@pytest.mark.rule("SQ-35", "SQ-52", "SQ-R52")
def test_what_comes_in_today_can_be_loaded_today() -> None:
    start = world(["Tender U9 M1 @0607"], bodies=["Port planet 0607 limit 1 owner 1 starport"])
    done = play(start, anna="LOAD 9 SUPPLIES FROM STARPORT TO Tender")
    assert (done.unit("Tender")["supply_counters"], done.body("Port")["stock"]) == (2, 0)


@pytest.mark.rule("SQ-R52", "SQ-R72")
@pytest.mark.parametrize("owner", [0, 2])
def test_only_the_owning_side_may_load_and_only_in_the_hex(owner: int) -> None:
    start = world(["Tender U9 M1 @0607"], bodies=[f"Port planet 0607 limit 1 owner {owner} starport stock 4"])
    done = play(start, anna="TRANSFER 2 SUPPLY FROM STARPORT TO Tender")
    assert done.unit("Tender")["supply_counters"] == 0
    away = world(["Tender U9 M1 @0608"], bodies=BASE)
    done = play(away, anna="TRANSFER 2 SUPPLY FROM STARPORT TO Tender")
    assert (done.unit("Tender")["supply_counters"], done.body("Port")["stock"]) == (0, 6)
    assert "TRANSFER" in done.told("anna")


# Transfers


@pytest.mark.rule("SQ-R58", "SQ-32", "SQ-R49")
def test_supply_goes_from_unit_to_unit_as_far_as_there_is_some_and_room() -> None:
    start = world(["Tender U9 supplies 6 @0607", "Duke U2 M1 @0607", "Far U9 M1 @0608"], bodies=BASE)
    done = play(start, anna="TRANSFER 5 SUPPLY FROM Tender TO Duke\nTRANSFER 9 SUPPLY FROM Tender TO STARPORT")
    assert [done.unit(name)["supply_counters"] for name in ("Tender", "Duke")] == [0, 2]
    assert done.body("Port")["stock"] == 10
    done = play(start, anna="TRANSFER 1 SUPPLY FROM Tender TO Far")
    assert [done.unit(name)["supply_counters"] for name in ("Tender", "Far")] == [6, 0]
    assert "TRANSFER" in done.told("anna")


@pytest.mark.rule("SQ-R58", "SQ-R50")
def test_room_is_that_of_the_current_supply_factor() -> None:
    start = world(["Tender U9 supplies 6 @0607", "Duke U4 damage 3 @0607"], auto_repair=False)
    assert play(start, anna="TRANSFER 9 SUPPLY FROM Tender TO Duke").unit("Duke")["supply_counters"] == 1
    start["options"]["supply_per_factor"] = 3
    assert play(start, anna="TRANSFER 9 SUPPLY FROM Tender TO Duke").unit("Duke")["supply_counters"] == 3


@pytest.mark.rule("SQ-R58")
def test_a_stock_takes_any_number_of_counters() -> None:
    start = world(["Tender U9 supplies 6 @0607"], bodies=["Port planet 0607 limit 1 owner 1 starport stock 20"])
    assert play(start, anna="TRANSFER 6 SUPPLY FROM Tender TO STARPORT").body("Port")["stock"] == 26


@pytest.mark.rule("SQ-R58", "SQ-44")
def test_admirals_go_from_unit_to_unit_in_a_hex() -> None:
    start = world(["Duke A3 admirals 3 @0607", "Earl A3 @0607", "Far A3 @0608"])
    done = play(start, anna="TRANSFER 2 ADMIRALS FROM Duke TO Earl\nTRANSFER 1 ADMIRAL FROM Duke TO Far")
    assert [done.unit(name)["admiral_counters"] for name in ("Duke", "Earl", "Far")] == [1, 2, 0]
    assert play(start, anna="TRANSFER 9 ADMIRAL FROM Duke TO Earl").unit("Earl")["admiral_counters"] == 3


@pytest.mark.rule("SQ-R63")
def test_a_unit_is_not_destroyed_by_an_admiral_leaving() -> None:
    start = world(["Duke A2 admirals 2 damage 3 @0607", "Earl A3 @0607"], auto_repair=False)
    done = play(start, anna="TRANSFER 2 ADMIRAL FROM Duke TO Earl")
    assert (done.alive("Duke"), done.damage("Duke")) == (True, 3)


@pytest.mark.rule("SQ-R72", "SQ-R58")
def test_allies_may_be_given_supply_but_not_robbed() -> None:
    start = world(["Tender U9 supplies 6 @0607", "Carl U9 supplies 1 by carl @0607"], players="anna ben carl")
    done = play(start, anna="TRANSFER 2 SUPPLY FROM Tender TO Carl", carl="PASS", ben="PASS")
    assert done.unit("Carl")["supply_counters"] == 3
    assert fault(start, "carl", "PASS\nTRANSFER 2 SUPPLY FROM Tender TO Carl")


@pytest.mark.rule("SQ-R04", "SQ-R03")
def test_transfers_add_up_mail_by_mail_in_order_of_arrival() -> None:
    start = world(["Duke U9 M1 @0607", "Carl U9 M1 by carl @0607"], players="anna ben carl", bodies=BASE, starport_supply=0)
    order = "TRANSFER 3 SUPPLY FROM STARPORT TO {0}\nTRANSFER 1 SUPPLY FROM STARPORT TO {0}"
    first = play(start, anna=order.format("Duke"), carl=order.format("Carl"), ben="PASS")
    assert [first.unit(name)["supply_counters"] for name in ("Duke", "Carl")] == [4, 0]
    second = play(start, carl=order.format("Carl"), anna=order.format("Duke"), ben="PASS")
    assert [second.unit(name)["supply_counters"] for name in ("Duke", "Carl")] == [0, 4]


# Repair


@pytest.mark.rule("SQ-33", "SQ-38", "SQ-84", "SQ-85", "SQ-86", "SQ-R54")
def test_a_repair_takes_one_counter_for_one_hit_a_day() -> None:
    start = world([f"{HURT} supplies 2 @0607"])
    done = play(start, anna="REPAIR Duke")
    assert (done.damage("Duke"), done.unit("Duke")["supply_counters"]) == (4, 1)
    assert days(start, 4, anna="PASS").damage("Duke") == 3


@pytest.mark.rule("SQ-85")
def test_without_supply_there_is_no_repair() -> None:
    done = play(world([f"{HURT} @0607"]), anna="REPAIR Duke")
    assert done.damage("Duke") == 5
    assert "REPAIR" in done.told("anna")


@pytest.mark.rule("SQ-45", "SQ-R54")
def test_an_admiral_is_one_repair_more() -> None:
    start = world([f"{HURT} supplies 2 admirals 1 @0607"])
    done = play(start, anna="REPAIR 9 HITS ON Duke")
    assert (done.damage("Duke"), done.unit("Duke")["supply_counters"]) == (3, 0)
    assert remarks(start, "anna", "REPAIR 9 HITS ON Duke")
    assert remarks(start, "anna", "REPAIR 2 HITS ON Duke") == []
    assert play(start, anna="REPAIR 1 HIT ON Duke").damage("Duke") == 4


@pytest.mark.rule("SQ-R54", "SQ-24")
def test_planets_repair_alike() -> None:
    start = world(["planet Port D6 U3 supplies 3 damage 2 @0607"], bodies=BASE)
    assert play(start, anna="REPAIR Port FROM SELF").damage("Port") == 1


@pytest.mark.rule("SQ-87", "SQ-R49", "SQ-R56")
def test_a_supply_squadron_in_the_hex_helps_and_one_elsewhere_does_not() -> None:
    start = world([f"{HURT} @0607", "Tender U9 supplies 6 @0607", "Far U9 supplies 6 @0608"])
    done = play(start, anna="REPAIR Duke FROM Tender")
    assert (done.damage("Duke"), done.unit("Tender")["supply_counters"]) == (4, 5)
    done = play(start, anna="REPAIR Duke FROM Far")
    assert (done.damage("Duke"), done.unit("Far")["supply_counters"]) == (5, 6)


@pytest.mark.rule("SQ-R56", "SQ-86", "SQ-87")
def test_without_from_itself_then_others_in_the_hex_then_the_starport() -> None:
    order = "REPAIR Duke"
    units = [f"{HURT} supplies 1 @0607", "Tender U9 supplies 1 @0607", "Second U9 supplies 1 @0607"]
    done = play(world(units, bodies=BASE), anna=order)
    assert [done.unit(n)["supply_counters"] for n in ("Duke", "Tender", "Second")] == [0, 1, 1]
    units[0] = f"{HURT} @0607"
    done = play(world(units, bodies=BASE), anna=order)
    assert [done.unit(n)["supply_counters"] for n in ("Duke", "Tender", "Second")] == [0, 0, 1]
    done = play(world(units[:1], bodies=BASE), anna=order)
    assert (done.damage("Duke"), done.body("Port")["stock"]) == (4, 5)
    allied = [f"{HURT} @0607", "Carl U9 supplies 1 by carl @0607"]
    done = play(world(allied, players="anna ben carl", bodies=BASE), anna=order, ben="PASS", carl="PASS")
    assert (done.unit("Carl")["supply_counters"], done.body("Port")["stock"]) == (0, 6)


@pytest.mark.rule("SQ-R56")
def test_with_from_only_that_source_is_used() -> None:
    start = world([f"{HURT} supplies 2 admirals 1 @0607", "Tender U9 supplies 1 @0607"])
    done = play(start, anna="REPAIR 2 HITS ON Duke FROM Tender")
    assert (done.damage("Duke"), done.unit("Duke")["supply_counters"], done.unit("Tender")["supply_counters"]) == (4, 2, 0)
    assert play(start, anna="REPAIR Duke FROM STARPORT").damage("Duke") == 5


@pytest.mark.rule("SQ-R53")
def test_the_stock_of_an_own_starport_repairs_unless_the_option_forbids_it() -> None:
    for order in ("REPAIR Duke", "PASS"):
        done = play(world([f"{HURT} @0607"], bodies=BASE), anna=order)
        assert (done.damage("Duke"), done.body("Port")["stock"]) == (4, 5)
        assert play(world([f"{HURT} @0607"], bodies=BASE, starport_repair=False), anna=order).damage("Duke") == 5
    foreign = world([f"{HURT} @0607"], ["Swift M1 @0607"], bodies=["Port planet 0607 limit 1 owner 2 starport stock 4"])
    assert play(foreign, anna="REPAIR Duke").damage("Duke") == 5


@pytest.mark.rule("SQ-R55", "SQ-84")
def test_a_repaired_point_restores_what_was_lost_last() -> None:
    """Damage 8 on defense 6: attack 7 of 9 today, 8 tomorrow."""
    start = world(["Duke A9 R9 D6 J9 U5 supplies 3 damage 8 @0607"], ["Swift D99 M1 @0607"])
    first = play(start, anna="FIRE 1 Duke AT Swift")
    assert first.damage("Swift", 2) == 7
    assert play(first.document, anna="FIRE 1 Duke AT Swift").damage("Swift", 2) == 7 + 8


@pytest.mark.rule("SQ-R57")
def test_what_has_no_line_repairs_by_itself_with_the_players_own_supply() -> None:
    start = world([f"{HURT} @0607", "Tender U9 supplies 6 @0607"])
    assert play(start, anna="PASS").damage("Duke") == 4
    assert play(start).damage("Duke") == 4
    assert play(start, anna="NO REPAIR Duke").damage("Duke") == 5
    start["options"]["auto_repair"] = False
    assert play(start, anna="PASS").damage("Duke") == 5
    allied = world([f"{HURT} @0607", "Carl U9 supplies 1 by carl @0607"], players="anna ben carl")
    done = play(allied, anna="PASS", ben="PASS", carl="PASS")
    assert (done.damage("Duke"), done.unit("Carl")["supply_counters"]) == (5, 1)


@pytest.mark.rule("SQ-R57")
def test_explicit_repairs_come_first_and_a_named_unit_gets_no_automatic_one() -> None:
    start = world([f"{HURT} @0607", "Earl D6 damage 3 @0607", "Tender U9 supplies 1 @0607"])
    done = play(start, anna="REPAIR Earl")
    assert (done.damage("Duke"), done.damage("Earl")) == (5, 2)
    done = play(start, anna="REPAIR Duke FROM SELF")
    assert (done.damage("Duke"), done.damage("Earl")) == (5, 2)


@pytest.mark.rule("SQ-R57")
def test_an_automatic_repair_without_a_source_is_no_failure() -> None:
    quiet = play(world([f"{HURT} @0607"]), anna="PASS")
    assert "repair" not in quiet.told("anna").lower()


@pytest.mark.rule("SQ-R57", "SQ-R04")
def test_of_repair_and_no_repair_the_later_wins() -> None:
    start = world([f"{HURT} supplies 2 admirals 3 @0607"])
    assert play(start, anna="REPAIR Duke\nNO REPAIR Duke").damage("Duke") == 5
    assert play(start, anna="NO REPAIR Duke\nREPAIR 1 HIT ON Duke").damage("Duke") == 4
    assert play(start, anna="REPAIR 1 HIT ON Duke\nREPAIR 1 HIT ON Duke").damage("Duke") == 3


@pytest.mark.rule("SQ-R54", "SQ-R04")
def test_several_lines_together_do_not_exceed_the_actions_of_the_day() -> None:
    start = world([f"{HURT} supplies 2 admirals 1 @0607", "Tender U9 supplies 6 @0607"])
    done = play(start, anna="REPAIR 2 HITS ON Duke\nREPAIR 2 HITS ON Duke FROM Tender")
    assert done.damage("Duke") == 3
    assert done.unit("Tender")["supply_counters"] == 6


@pytest.mark.rule("SQ-R54", "SQ-R58")
def test_admirals_handed_over_today_repair_where_they_are() -> None:
    start = world([f"{HURT} supplies 2 @0607", "Earl A1 admirals 1 @0607"])
    assert play(start, anna="TRANSFER 1 ADMIRAL FROM Earl TO Duke").damage("Duke") == 3


@pytest.mark.rule("SQ-R62")
def test_in_transit_a_unit_repairs_with_what_it_carries_itself_only() -> None:
    units = [f"{HURT} supplies 1 @T1", "Other J1 damage 3 D9 @T1", "Tender U9 supplies 5 @T1"]
    start = world(units, transits=["T1 anna day 2 Near:0303"])
    done = play(start, anna="REPAIR Other\nTRANSFER 2 SUPPLY FROM Tender TO Duke")
    assert (done.damage("Duke"), done.damage("Other")) == (4, 3)
    assert done.unit("Tender")["supply_counters"] == 5
    assert play(start, anna="REPAIR Duke FROM Tender").damage("Duke") == 5


# Fuel


GIANT = ["Big gas_giant 0607 limit 2"]


def fuel(done: Played, name: str = "Duke") -> int:
    return done.unit(name)["fuel_counters"]


@pytest.mark.rule("SQ-39", "SQ-42", "SQ-43", "SQ-66", "SQ-R59", "SQ-R60", "SQ-R61")
@pytest.mark.parametrize(
    ("bodies", "orders", "count"),
    [
        (GIANT, "PASS", 5),
        (["Port planet 0607 limit 1 owner 1 starport"], "PASS", 5),
        (["Port planet 0607 limit 1 starport"], "PASS", 5),
        (["Port planet 0607 limit 1 owner 2 starport"], "PASS", 1),
        (["Port planet 0607 limit 1 owner 1"], "PASS", 1),
        (["Sun star 0607 limit 1"], "PASS", 1),
        (["Big gas_giant 0608 limit 2"], "PASS", 1),
        (["Big gas_giant 0608 limit 2"], "MOVE 1 Duke TO 0608", 1),
        (GIANT, "MOVE 1 Duke TO 0608\nMOVE 2 Duke TO 0607", 1),  # it has moved, though it is back
        (GIANT, "MOVE 1 Duke TO 0607", 5),  # it has not
    ],
)
def test_a_squadron_that_spends_the_day_at_a_source_is_filled(bodies: list[str], orders: str, count: int) -> None:
    assert fuel(play(world(["Duke J5 M6 fuel 1 @0607"], bodies=bodies), anna=orders)) == count


@pytest.mark.rule("SQ-R60")
def test_fighting_does_not_stop_refuelling_and_a_silent_player_refuels_too() -> None:
    start = world(["Duke J5 A5 R9 D1 fuel 3 @0607"], ["Gun A3 R9 @0601"], bodies=GIANT)
    done = play(start, anna="FIRE Duke AT Gun", ben="FIRE 1 Gun AT Duke")
    assert (done.damage("Duke"), fuel(done)) == (3, 5)
    assert fuel(play(start)) == 5


@pytest.mark.rule("SQ-R60")
def test_one_counter_a_day_is_an_option() -> None:
    assert fuel(play(world(["Duke J5 M6 fuel 1 @0607"], bodies=GIANT, refuel="one"), anna="PASS")) == 2


@pytest.mark.rule("SQ-R59", "SQ-R62")
def test_capacity_is_the_printed_jump_factor_and_there_is_no_fuel_in_transit() -> None:
    assert fuel(play(world(["Duke J5 M6 damage 3 fuel 1 @0607"], bodies=GIANT), anna="PASS")) == 5
    start = world(["Duke J5 fuel 1 @T1"], transits=["T1 anna day 2 Near:0303"], bodies=GIANT)
    assert fuel(play(start, anna="PASS")) == 1


@pytest.mark.rule("SQ-42", "SQ-R61")
def test_a_planet_counter_has_no_fuel() -> None:
    start = world(["planet Port A3 @0607"], bodies=BASE)
    assert fuel(play(start, anna="PASS"), "Port") == 0


@pytest.mark.rule("SQ-R58")
def test_fuel_cannot_be_transferred() -> None:
    start = world(["Duke J5 @0607", "Earl J5 fuel 0 @0607"])
    assert fault(start, "anna", "PASS\nTRANSFER 2 FUEL FROM Duke TO Earl")


# What was done in part


@pytest.mark.rule("SQ-R05", "SQ-R58", "SQ-R54", "SQ-R56")
@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("TRANSFER 5 SUPPLY FROM Tender TO Duke", "3 of 5 not: Duke has no further room"),
        ("TRANSFER 9 SUPPLY FROM Tender TO STARPORT", "3 of 9 not: Tender has none left"),
        ("TRANSFER 3 ADMIRAL FROM Tender TO Duke", "2 of 3 not: Tender has no further Admiral"),
        ("REPAIR 3 HITS ON Duke FROM Tender", "1 of 3 not: it has made all its repairs of the day"),
        ("REPAIR 2 HITS ON Scratch FROM Tender", "1 of 2 not: it is not damaged any more"),
        ("REPAIR 2 HITS ON Duke FROM Small", "1 of 2 not: there was no further Supply counter for it"),
    ],
)
def test_what_was_done_in_part_says_how_much_was_not_and_why(order: str, why: str) -> None:
    start = world(
        [
            "Tender U9 supplies 6 admirals 1 M1 @0607", "Duke U2 M9 D9 damage 5 admirals 1 @0607",
            "Scratch M1 D9 damage 1 admirals 2 @0607", "Small U1 supplies 1 M1 @0607",
        ],
        bodies=BASE,
    )  # fmt: skip
    assert why in play(start, anna=f"{order}\nNO REPAIR Small").told("anna")


@pytest.mark.rule("SQ-R58")
def test_what_was_done_in_full_has_no_remark() -> None:
    start = world(["Tender U9 supplies 6 M1 @0607", "Duke U2 M1 D9 damage 1 @0607"])
    done = play(start, anna="TRANSFER 2 SUPPLY FROM Tender TO Duke\nREPAIR 1 HIT ON Duke FROM Tender")
    assert "not:" not in done.told("anna")

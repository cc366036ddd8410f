"""Income, prices, building, repair, names of bases."""

import pytest

from pbmd.rules import Status
from tests.rulesets.galactic_overlord.harness import (
    CLASSES,
    HULLS,
    SIZE,
    base,
    navy,
    one_verdict,
    play,
    player,
    position,
    verdicts,
)


def rich(bp: int = 1000, bases: int = 5, fleet: str = "", **options: object) -> dict[str, object]:
    """Altair with money, Cygnus as the other player."""
    return position(player("Altair", fleet, bp=bp, bases=bases), player("Cygnus"), **options)


# Income


@pytest.mark.rule("GO-09", "GO-10", "GO-11", "GO-R03", "GO-R04")
def test_income_is_five_bp_for_a_home_base_and_two_for_a_captured_one_at_the_end_of_the_turn() -> None:
    document = position(
        player("Altair", bp=7, bases=2), player("Cygnus", bases=1), bases=[base("Deneb", "Altair", builder="Cygnus")]
    )
    played = play(document, [])
    assert (played.player("Altair")["bp"], played.player("Cygnus")["bp"]) == (7 + 2 * 5 + 2, 5)


@pytest.mark.rule("GO-R03", "GO-23", "GO-26")
def test_income_comes_too_late_for_this_turns_orders_and_unspent_bp_are_kept() -> None:
    played = play(rich(bp=4, bases=3), [("Altair", "Build 5 Laserfrigates")])
    assert (played.navy("Altair"), played.player("Altair")["bp"]) == (navy("4 Laserfrigate"), 15)
    played = play(played.document, [("Altair", "Stockpile")])
    assert played.player("Altair")["bp"] == 30


@pytest.mark.rule("GO-10", "GO-11")
def test_income_can_be_set() -> None:
    document = position(player("Altair", bases=2), player("Cygnus"), bases=[base("Deneb", "Altair", builder="Cygnus")])
    assert play(document, [], income_home=7).player("Altair")["bp"] == 16
    assert play(document, [], income_captured=4).player("Altair")["bp"] == 14


@pytest.mark.rule("GO-R04", "GO-11")
def test_a_base_counts_as_home_for_its_builder_only_whoever_gave_or_took_it() -> None:
    document = position(
        player("Altair", bases=1),
        player("Cygnus", bases=1),
        bases=[base("Vega", "Cygnus", builder="Altair"), base("Deneb", "Cygnus")],
    )
    played = play(document, [("Cygnus", "Transfer Vega to Altair\nTransfer Deneb to Altair")])
    # Altair: own base 5, Vega is home again 5, Deneb is a gift 2. Cygnus keeps one.
    assert (played.player("Altair")["bp"], played.player("Cygnus")["bp"]) == (12, 5)
    assert played.base("Deneb")["builder"] == "Cygnus"


# Prices of ships, hull allowance, weapons


@pytest.mark.rule("GO-12", "GO-15", "GO-16", "GO-18", "GO-22", "GO-19")
@pytest.mark.parametrize("name", sorted(CLASSES))
def test_a_ship_costs_its_size_and_needs_as_many_home_bases(name: str) -> None:
    size = SIZE[CLASSES[name][0]]
    played = play(rich(bp=20, bases=size), [("Altair", f"Build 1 {name}")])
    assert played.navy("Altair") == {name: 1}
    assert played.player("Altair")["bp"] == 20 - size + 5 * size
    (event,) = played.of("built")
    assert event.data == {"player": "Altair", "ships": [{"class": name, "count": 1}], "bases": [], "cost": size}
    assert event.audience == ("Altair",)
    if size > 1:
        assert one_verdict(rich(bp=20, bases=size - 1), "Altair", f"Build 1 {name}").status is Status.ERROR


@pytest.mark.rule("GO-17", "GO-R07", "GO-16")
def test_captured_bases_do_not_count_for_the_hull_allowance() -> None:
    document = position(
        player("Altair", bp=99, bases=2), player("Cygnus", bases=1), bases=[base("Deneb", "Altair", builder="Cygnus")]
    )
    assert one_verdict(document, "Altair", "Build 1 Laserbattleship").status is Status.ERROR
    assert one_verdict(document, "Altair", "Build 1 Lasercruiser").status is Status.OK


@pytest.mark.rule("GO-30", "GO-R07")
def test_a_base_built_this_turn_does_not_count_for_the_hull_allowance_yet() -> None:
    answers = verdicts(rich(bases=3), "Altair", "Build 1 base\nBuild 1 Laserdreadnaught")
    assert [verdict.status for verdict in answers] == [Status.OK, Status.ERROR]
    played = play(rich(bases=3), [("Altair", "Build 1 base")])
    assert one_verdict(played.document, "Altair", "Build 1 Laserdreadnaught").status is Status.OK


@pytest.mark.rule("GO-R07")
def test_ships_stay_when_the_bases_that_allowed_them_are_gone() -> None:
    document = position(player("Altair", "1 Lasertitan", bases=5), player("Cygnus"))
    given = "\n".join(f"Transfer Altair Base {n} to Cygnus" for n in range(1, 5))
    assert play(document, [("Altair", given)]).navy("Altair") == navy("1 Lasertitan")


@pytest.mark.rule("GO-19", "GO-20", "GO-22", "GO-R08")
@pytest.mark.parametrize(
    ("order", "status"),
    [
        ("Build a Battleship 3xLasers", Status.OK),
        ("Build a Battleship 2xLasers", Status.ERROR),
        ("Build a Battleship 4xLasers", Status.ERROR),
        ("Build a Battleship 2xLasers 1xTorpedoes", Status.ERROR),
        ("Build a Battleship", Status.ERROR),
        ("Build a Frigate with 1xFighters", Status.OK),
        ("Build a Titan 5xTorpedoes", Status.OK),
        ("Build a Battleship 3xLasers (Torpedobattleship)", Status.ERROR),
    ],
)
def test_a_ship_carries_one_kind_of_weapon_and_exactly_fills_its_space(order: str, status: Status) -> None:
    assert one_verdict(rich(), "Altair", order).status is status


@pytest.mark.rule("GO-21", "GO-101", "GO-29")
@pytest.mark.parametrize("hull", HULLS)
def test_a_ship_has_two_hit_points_for_each_bp_it_cost(hull: str) -> None:
    # Shields deal a settable number of hits: one less than the hit points leaves the ship, that many destroys it.
    document = position(player("Altair", f"1 Laser{hull}"), player("Cygnus", generators=1))
    orders = [("Altair", "Attack Cygnus with all\nLFTLFT"), ("Cygnus", "Raise shields")]
    points = 2 * SIZE[hull]
    assert play(document, orders, shield_hits=points - 1).navy("Altair") == {f"Laser{hull}@{points - 1}": 1}
    assert play(document, orders, shield_hits=points).navy("Altair") == {}


# Bases


@pytest.mark.rule("GO-13", "GO-14", "GO-12", "GO-R05")
@pytest.mark.parametrize(
    ("held", "price"), [(1, 16), (5, 16), (6, 24), (11, 24), (12, 32), (17, 32), (18, 40), (23, 40), (24, 48)]
)
def test_every_six_self_built_bases_the_price_rises(held: int, price: int) -> None:
    played = play(rich(bp=60, bases=held), [("Altair", "Build 1 base")])
    assert played.player("Altair")["bp"] == 60 - price + 5 * (held + 1)
    assert played.of("built")[0].data["cost"] == price


@pytest.mark.rule("GO-R06", "GO-13")
def test_several_bases_in_one_turn_are_priced_one_after_another() -> None:
    played = play(rich(bp=60, bases=5), [("Altair", "Build 2 bases")])
    assert played.player("Altair")["bp"] == 60 - 16 - 24 + 7 * 5


@pytest.mark.rule("GO-R05", "GO-17")
def test_captured_bases_do_not_raise_the_price_and_lost_ones_lower_it() -> None:
    others = [base(f"Prize {n}", "Altair", builder="Cygnus") for n in range(4)]
    gone = [base(f"Gone {n}", "Cygnus", builder="Altair") for n in range(4)]
    document = position(player("Altair", bp=60, bases=5), player("Cygnus"), bases=[*others, *gone])
    held = play(document, [("Altair", "Build 1 base")])
    assert held.of("built")[0].data["cost"] == 16
    # Nine bases in the game are his work: the next is no. 10.
    ever = play(document, [("Altair", "Build 1 base")], base_price_count="ever")
    assert ever.of("built")[0].data["cost"] == 24


@pytest.mark.rule("GO-13")
def test_prices_of_bases_can_be_set() -> None:
    document = rich(bp=90, bases=4)
    orders = [("Altair", "Build 1 base")]
    assert play(document, orders, base_cost=20).of("built")[0].data["cost"] == 20
    assert play(document, orders, base_cost_tier=4).of("built")[0].data["cost"] == 24
    assert play(document, orders, base_cost_tier=4, base_cost_step=10).of("built")[0].data["cost"] == 26


@pytest.mark.rule("GO-R13")
def test_the_builder_may_name_a_base_else_it_is_numbered_by_the_bases_he_has_built() -> None:
    document = position(
        player("Altair", bp=99),
        player("Cygnus"),
        bases=[base("Vega", "Cygnus", builder="Altair"), base("Altair Base 5", "Cygnus")],
    )
    played = play(document, [("Altair", "Build 2 bases named Rigel, Nova Roma\nBuild base")])
    # Vega is his work too: four built, then Rigel and Nova Roma: the next is his seventh.
    assert played.bases("Altair")[3:] == ["Rigel", "Nova Roma", "Altair Base 7"]
    assert {b["builder"] for b in played.document["bases"] if b["owner"] == "Altair"} == {"Altair"}
    taken = play(document, [("Altair", "Build 1 base")])
    assert taken.bases("Altair")[3:] == ["Altair Base 6"]


@pytest.mark.rule("GO-R13")
@pytest.mark.parametrize("first", ["Altair", "Cygnus"])
def test_the_same_name_chosen_twice_in_a_turn_goes_to_the_first_to_arrive(first: str) -> None:
    document = position(player("Altair", bp=16), player("Cygnus", bp=16))
    second = "Cygnus" if first == "Altair" else "Altair"
    played = play(document, [(first, "Build 1 base named Rigel"), (second, "Build 1 base named RIGEL")])
    assert played.base("Rigel")["owner"] == first
    assert played.bases(second)[3:] == [f"{second} Base 4"]


@pytest.mark.rule("GO-30", "GO-R13")
def test_new_bases_are_numbered_in_order_of_arrival() -> None:
    document = position(player("Altair", bp=32), player("Cygnus", bp=16))
    played = play(document, [("Cygnus", "Build 1 base named Zeta"), ("Altair", "Build 2 bases named Eta, Theta")])
    assert [played.base(name)["acquired"] for name in ("Zeta", "Eta", "Theta")] == [7, 8, 9]


@pytest.mark.rule("GO-28", "GO-R12")
def test_a_new_base_can_be_captured_at_once_but_no_base_ever_disappears() -> None:
    document = position(player("Altair", "1 Laserfrigate"), player("Cygnus", bp=16))
    played = play(document, [("Cygnus", "Build 1 base named Rigel"), ("Altair", "Attack Cygnus with all")])
    assert played.base("Rigel")["owner"] == "Altair"
    assert len(played.document["bases"]) == 7


# Not enough BP, order of lines


@pytest.mark.rule("GO-R09")
@pytest.mark.parametrize(
    ("orders", "built", "left"),
    [
        # One after another while the money lasts, the rest of an item is skipped, the next items are tried.
        ("Build 5 Laserbattleships, 3 Carrierfrigates", "3 Laserbattleship, 1 Carrierfrigate", 0),
        ("Build 5 Lasercruisers\nBuild 1 Carrierfrigate", "5 Lasercruiser", 0),
        ("Build 1 base\nBuild 1 Laserbattleship", "1 Laserbattleship", 7),
        ("Build 1 Carrierfrigate\nBuild 4 Laserbattleships", "1 Carrierfrigate, 3 Laserbattleship", 0),
    ],
)
def test_units_that_cannot_be_paid_are_not_built_and_the_acknowledgement_says_so(orders: str, built: str, left: int) -> None:
    played = play(rich(bp=10, bases=3), [("Altair", orders)])
    assert played.navy("Altair") == navy(built)
    assert played.player("Altair")["bp"] == left + 15
    assert Status.WARNING in {verdict.status for verdict in played.verdicts["Altair"] if verdict.line}
    assert Status.ERROR not in {verdict.status for verdict in played.verdicts["Altair"]}


@pytest.mark.rule("GO-R09", "GO-29")
def test_repairs_and_builds_are_paid_in_the_order_written() -> None:
    document = rich(bp=2, bases=3, fleet="1 Laserfrigate@1")
    first = play(document, [("Altair", "Repair all\nBuild 2 Torpedofrigates")])
    assert first.navy("Altair") == navy("1 Laserfrigate, 1 Torpedofrigate")
    last = play(document, [("Altair", "Build 2 Torpedofrigates\nRepair all")])
    assert last.navy("Altair") == navy("1 Laserfrigate@1, 2 Torpedofrigate")


# Repair


@pytest.mark.rule("GO-29", "GO-R10")
@pytest.mark.parametrize("damage", ["0.25", "1", "9.75"])
def test_one_bp_repairs_a_ship_whatever_its_damage(damage: str) -> None:
    played = play(rich(bp=3, bases=3, fleet=f"1 Lasertitan@{damage}"), [("Altair", "Repair 1 Lasertitan")])
    assert (played.navy("Altair"), played.player("Altair")["bp"]) == (navy("1 Lasertitan"), 2 + 15)
    (event,) = played.of("repaired")
    assert event.data == {"player": "Altair", "ships": [{"class": "Lasertitan", "count": 1}], "cost": 1}
    assert event.audience == ("Altair",)


@pytest.mark.rule("GO-R10")
def test_the_most_damaged_ship_of_the_class_is_repaired_first() -> None:
    fleet = "1 Lasercruiser@1, 1 Lasercruiser@3, 1 Lasercruiser@2, 1 Torpedocruiser@3.5"
    played = play(rich(bp=9, bases=3, fleet=fleet), [("Altair", "Repair 2 Lasercruisers")])
    assert played.navy("Altair") == navy("2 Lasercruiser, 1 Lasercruiser@1, 1 Torpedocruiser@3.5")


@pytest.mark.rule("GO-R10")
@pytest.mark.parametrize(
    ("bp", "left"),
    [
        (1, "1 Lasertitan@1, 1 Lasercruiser@2, 1 Lasercruiser@1, 1 Carriercruiser@3, 1 Carriercruiser@1, 1 Torpedocruiser@3"),
        (2, "1 Lasercruiser@2, 1 Lasercruiser@1, 1 Carriercruiser@3, 1 Carriercruiser@1, 1 Torpedocruiser@3"),
        (3, "1 Lasercruiser@1, 1 Carriercruiser@3, 1 Carriercruiser@1, 1 Torpedocruiser@3"),
        (4, "1 Carriercruiser@3, 1 Carriercruiser@1, 1 Torpedocruiser@3"),
        (5, "1 Carriercruiser@1, 1 Torpedocruiser@3"),
        (6, "1 Torpedocruiser@3"),
        (7, ""),
    ],
)
def test_repair_all_goes_from_titans_down_by_weapon_and_then_by_damage(bp: int, left: str) -> None:
    # The weapon comes before the damage: the lasers are mended first although they are the least damaged cruisers.
    cruisers = "1 Torpedocruiser@3, 1 Carriercruiser@1, 1 Carriercruiser@3, 1 Lasercruiser@1, 1 Lasercruiser@2"
    document = rich(bp=bp, bases=3, fleet=f"{cruisers}, 1 Lasertitan@1, 1 Lasertitan@5")
    played = play(document, [("Altair", "Repair all")])
    assert {name: n for name, n in played.navy("Altair").items() if "@" in name} == navy(left)


@pytest.mark.rule("GO-R10", "GO-29")
def test_repairs_come_before_combat() -> None:
    document = position(player("Altair", "1 Lasertitan@9", bp=1), player("Cygnus", generators=1))
    orders = [("Altair", "Repair all\nAttack Cygnus with all\nLFTLFT"), ("Cygnus", "Raise shields")]
    assert play(document, orders, shield_hits=9).navy("Altair") == navy("1 Lasertitan@9")


# Ships built this turn


@pytest.mark.rule("GO-27")
def test_ships_built_this_turn_attack_and_defend_this_turn() -> None:
    document = position(player("Altair", bp=32), player("Cygnus", bp=1))
    orders = "Build 1 Laserbattleship\nAttack Cygnus with all\nAttack: LTTLFF"
    played = play(document, [("Altair", orders), ("Cygnus", "Build 1 Carrierfrigate\nDefence: FTTLLF")])
    # 3 lasers × 2 against 1 fighter: 5 hits on 2 hit points in round 1.
    assert (played.outcome, played.rounds, played.tallies) == ("attacker_won", 1, [(0, 5)])


# Nothing else can be bought or given


@pytest.mark.rule("GO-R11", "GO-62")
@pytest.mark.parametrize(
    "order",
    [
        "Give 5 BP to Cygnus",
        "Transfer 1 spy to Cygnus",
        "Give generator to Cygnus",
        "Trade counter-espionage to Cygnus",
        "Transfer 2 Laserfrigates to Cygnus",
        "Give Laserfrigate to Cygnus",
    ],
)
def test_only_bases_can_be_given_away(order: str) -> None:
    document = position(player("Altair", "2 Laserfrigate", bp=9, spies=1, generators=1), player("Cygnus"))
    assert one_verdict(document, "Altair", order).status is Status.ERROR
    played = play(document, [("Altair", f"Stockpile\n{order}")])
    assert played.player("Cygnus") == {**play(document, []).player("Cygnus")}

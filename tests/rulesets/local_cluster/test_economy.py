"""Credits, income, upkeep, disbanding and building (LC-12 to LC-20, LC-64 to LC-75)."""

import pytest

from tests.rulesets.local_cluster.harness import DEADLINE, Played, duel, move, play


def income(played: Played) -> tuple[int, int]:
    """Tax and Trade Income of the first move of Terrans."""
    return incomes(played, "Terrans")[0]


def incomes(played: Played, name: str) -> list[tuple[int, int]]:
    """Tax and Trade Income of that State in each of its moves."""
    return [(data["tax"], data["trade"]) for data in played.of("income") if data["state"] == name]


RESOURCE_TAX = {
    "Farmland": 1, "Barracks": 0, "Mines": 2, "Orbital Guns": 0, "Shield Generator": 0, "Shipyard": 1, "Laboratory": 1,
    "Refinery": 3, "Portal": 0, "Trade Port": 1, "Habitat": 1, "Arcology": 5,
}  # fmt: skip


@pytest.mark.rule("LC-13", "LC-14", "LC-17", "LC-R05", "LC-R17", "LC-R24")
def test_planets_and_the_home_planet_bring_tax_income() -> None:
    assert income(move(duel(), "Pass")) == (4, 0)
    played = move(duel(planets="Eridu Terrans; Fenris Terrans"), "Pass")
    assert income(played) == (8, 0)
    assert played.credits("Terrans") == 108
    assert income(move(duel({"home_planet": ""}), "Pass")) == (2, 0)


@pytest.mark.rule("LC-15")
@pytest.mark.parametrize(("resource", "tax"), RESOURCE_TAX.items())
def test_each_resource_has_the_tax_income_of_the_list(resource: str, tax: int) -> None:
    assert income(move(duel(planets=f"Aquila Terrans: {resource}"), "Pass")) == (4 + tax, 0)


@pytest.mark.rule("LC-R17", "LC-30", "LC-13")
def test_treaties_bring_trade_income() -> None:
    document = duel(planets="Eridu Terrans: Trade Port", relations="Terrans trade Zorg, Terrans trade Fenris")
    assert income(move(document, "Pass")) == (7, 2 * (5 + 1))


@pytest.mark.rule("LC-R17")
@pytest.mark.parametrize(
    ("fields", "tax", "trade"),
    [
        ({"traits": ["Merchants"]}, 6, 12),
        ({"traits": ["Industrious"]}, 8, 10),
        ({"technologies": ["Commerce"]}, 6, 12),
        ({"technologies": ["Commerce", "Administration"]}, 8, 12),
        ({"technologies": ["Commerce", "Administration", "Terraforming", "Collective Mind"]}, 13, 12),
        ({"technologies": ["Commerce"], "traits": ["Merchants", "Industrious"]}, 8, 14),
    ],
)
def test_traits_and_technologies_add_to_income(fields: dict[str, object], tax: int, trade: int) -> None:
    relations = "Terrans trade Zorg, Terrans trade Fenris"
    assert income(move(duel(fields, planets="Eridu Terrans", relations=relations), "Pass")) == (tax, trade)


@pytest.mark.rule("LC-R18")
def test_income_is_that_of_the_position_at_the_start_of_the_move() -> None:
    document = duel(relations="Terrans trade Zorg", planets="Aquila Terrans: Farmland; Eridu Terrans")
    played = move(document, "Cancel trade treaty with Zorg\nDevelop Arcology on Eridu\nMove capital to Eridu")
    assert income(played) == (7, 5)


@pytest.mark.rule("LC-66", "LC-69", "LC-R05")
def test_armies_cost_1_and_fleets_3_a_turn() -> None:
    units = "F1 Terrans Aquila, F2 Terrans Aquila, A1 Terrans F1, A2 Terrans Aquila, A3 Terrans Aquila"
    played = move(duel(units=units), "Pass")
    assert played.of("upkeep")[0]["amount"] == 9
    assert played.credits("Terrans") == 100 + 4 - 9
    assert played.credits("Zorg") == 100


@pytest.mark.rule("LC-R05", "LC-70")
def test_the_income_of_this_move_pays_its_upkeep() -> None:
    played = move(duel({"credits": 0}, units="F1 Terrans Aquila, A1 Terrans Aquila"), "Pass")
    assert (played.units("Terrans"), played.credits("Terrans")) == (["F1", "A1"], 0)


@pytest.mark.rule("LC-R23")
def test_fleet_logistics_and_the_floor_of_upkeep() -> None:
    logistic = {"technologies": ["Deflectors", "Fleet Logistics"]}
    assert move(duel(logistic, units="F1 Terrans Aquila"), "Pass").of("upkeep")[0]["amount"] == 2
    free = move(duel(logistic, units="F1 Terrans Aquila, A1 Terrans Aquila"), "Pass", fleet_upkeep=0, army_upkeep=0)
    assert free.credits("Terrans") == 104


DISBANDED = [
    # (units, credits before income of 4, what is left, credits)
    ("F1 Terrans Aquila, F2 Terrans Aquila", 1, ["F1"], 2),
    ("F1 Terrans Aquila, A1 Terrans Aquila, A2 Terrans Aquila", 0, ["F1", "A1"], 0),
    ("F2 Terrans Aquila, F10 Terrans Aquila, A1 Terrans F10", 0, ["F10", "A1"], 0),
    ("F1 Terrans Aquila, F2 Terrans Aquila, A1 Terrans F1, A2 Terrans F2", 0, ["F1", "A1"], 0),
    (
        "A1 Terrans Aquila, A2 Terrans Aquila, A3 Terrans Aquila, A4 Terrans Aquila, A5 Terrans Aquila",
        0,
        ["A1", "A2", "A3", "A4"],
        0,
    ),
]


@pytest.mark.rule("LC-70", "LC-R20", "LC-R22")
@pytest.mark.parametrize(("units", "credits", "left", "rest"), DISBANDED)
def test_units_that_cannot_be_paid_are_disbanded(units: str, credits: int, left: list[str], rest: int) -> None:  # noqa: A002
    played = move(duel({"credits": credits}, units=units), "Pass")
    assert (played.units("Terrans"), played.credits("Terrans")) == (left, rest)
    assert played.of("disbanded")


@pytest.mark.rule("LC-R20")
def test_short_by_a_fleet_or_more_takes_a_fleet_first() -> None:
    """Upkeep 8, credits 4: short 4 takes the fleet without an army, then short 1 the newest army wherever it is."""
    units = "F1 Terrans Aquila, F2 Terrans Aquila, A9 Terrans F1, A2 Terrans Aquila"
    played = move(duel({"credits": 0}, units=units), "Pass")
    assert (played.units("Terrans"), played.credits("Terrans")) == (["F1", "A2"], 0)
    assert [data["unit"] for data in played.of("disbanded")] == ["F2", "A9"]


@pytest.mark.rule("LC-R20")
def test_without_armies_that_cost_fleets_go() -> None:
    units = "F1 Terrans Aquila, F2 Terrans Aquila, A1 Terrans Aquila"
    played = move(duel({"credits": 0}, units=units), "Pass", army_upkeep=0)
    assert played.units("Terrans") == ["F1", "A1"]
    played = move(
        duel({"credits": 0}, units="F1 Terrans Aquila, A1 Terrans Aquila, A2 Terrans Aquila"),
        "Pass",
        fleet_upkeep=0,
        army_upkeep=3,
    )
    assert played.units("Terrans") == ["F1", "A1"]


@pytest.mark.rule("LC-72", "LC-73", "LC-R21", "LC-70")
def test_disbanding_at_will_saves_upkeep_and_gives_nothing_back() -> None:
    units = "F1 Terrans Aquila, F2 Terrans Aquila, A1 Terrans Aquila, A2 Terrans F1"
    played = move(duel({"credits": 0}, units=units), "Disband F2 and A1")
    assert (played.units("Terrans"), played.credits("Terrans")) == (["F1", "A2"], 0)
    assert [data["unit"] for data in played.of("disbanded")] == ["F2", "A1"]
    twice = move(duel(units=units), "Disband A1\nDisband A1, F2")
    assert twice.failed == [("Disband A1, F2", "A1", "not_your_unit")]


@pytest.mark.rule("LC-R22")
def test_armies_aboard_a_disbanded_fleet_land_at_home_and_are_lost_elsewhere() -> None:
    units = "F1 Terrans Aquila, A1 Terrans F1, F2 Terrans Bastion, A2 Terrans F2, F3 Terrans Garnet, A3 Terrans F3"
    document = duel(units=units, relations="Terrans war Bastion, Terrans pact Zorg")
    played = move(document, "Disband F1, F2, F3")
    assert [played.where(unit) for unit in ("A1", "A2", "A3")] == ["Aquila", "", ""]
    broke = duel({"credits": 1}, units="F1 Terrans Aquila, A1 Terrans F1, F2 Terrans Aquila, A2 Terrans F2")
    assert (move(broke, "Pass").units("Terrans"), move(broke, "Pass").where("A2")) == (["F1", "A1", "A2"], "Aquila")


# --- Building ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-64", "LC-65", "LC-67", "LC-68", "LC-R85", "LC-R88", "LC-12")
def test_each_planet_builds_one_army_for_3_and_one_fleet_for_10_a_turn() -> None:
    played = move(duel(planets="Eridu Terrans"), "Build 2 armies at Aquila\nBuild 2 fleets at Aquila, Eridu")
    assert played.credits("Terrans") == 100 + 6 - 3 - 10 - 10
    assert [played.where(unit) for unit in ("A1", "F1", "F2")] == ["Aquila", "Aquila", "Eridu"]
    assert played.reasons == ["limit_reached"] * 3
    again = play(duel(), [("Terrans", "Build army at Aquila"), ("Zorg", "Pass"), ("Terrans", "Build army at Aquila")])
    assert len(again.units("Terrans")) == 2


@pytest.mark.rule("LC-R88")
def test_new_units_get_the_next_numbers() -> None:
    document = duel(next_fleet=40, next_army=50, units="F3 Terrans Aquila, A3 Terrans Aquila")
    played = move(document, "Build fleet at Aquila\nBuild army at Aquila")
    assert played.units("Terrans") == ["F3", "F40", "A3", "A50"]
    assert (played.document["next_fleet"], played.document["next_army"]) == (41, 51)
    gone = play(played.document, [("Zorg", "Pass"), ("Terrans", "Disband F40\nBuild fleet at Aquila")])
    assert gone.units("Terrans") == ["F3", "F41", "A3", "A50"]


@pytest.mark.rule("LC-R85", "LC-R23")
@pytest.mark.parametrize(
    ("fields", "resources", "line", "built", "spent"),
    [
        ({"traits": ["Swarm"]}, "", "Build 3 armies at Aquila", 2, 4),
        ({"traits": ["Swarm"]}, "Barracks", "Build 4 armies at Aquila", 3, 6),
        ({}, "Barracks", "Build 3 armies at Aquila", 2, 6),
        ({"traits": ["Shipwrights"]}, "", "Build 2 fleets at Aquila", 1, 8),
        ({}, "Shipyard", "Build 3 fleets at Aquila", 2, 18),
        ({"traits": ["Shipwrights"]}, "Shipyard", "Build 3 fleets at Aquila", 2, 14),
    ],
)
def test_effects_change_limits_and_costs(fields: dict[str, object], resources: str, line: str, built: int, spent: int) -> None:
    document = duel(fields, planets=f"Aquila Terrans: {resources}")
    idle, played = move(document, "Pass"), move(document, line)
    assert len(played.units("Terrans")) == built
    assert idle.credits("Terrans") - played.credits("Terrans") == spent
    assert played.reasons == ["limit_reached"]


@pytest.mark.rule("LC-R85")
def test_a_shipyard_and_barracks_help_their_planet_only() -> None:
    document = duel(planets="Aquila Terrans: Shipyard, Barracks; Eridu Terrans")
    played = move(document, "Build 2 fleets at Eridu\nBuild 2 armies at Eridu")
    assert (played.units("Terrans"), played.reasons) == (["F1", "A1"], ["limit_reached"] * 2)
    assert played.credits("Terrans") == 100 + 7 - 13


@pytest.mark.rule("LC-R23")
def test_no_cost_goes_below_1() -> None:
    played = move(
        duel({"traits": ["Swarm", "Shipwrights"]}), "Build army at Aquila\nBuild fleet at Aquila", army_cost=1, fleet_cost=2
    )
    assert played.credits("Terrans") == 104 - 2
    played = move(duel({"traits": ["Architects", "Swarm"]}), "Develop Farmland on Aquila")
    assert played.credits("Terrans") == 104 - 3


@pytest.mark.rule("LC-71", "LC-R87")
def test_no_fleet_is_built_where_enemy_fleets_blockade() -> None:
    units = "F1 Zorg Aquila, F2 Fenris Fenris"
    played = move(
        duel(units=units, relations="Terrans war Zorg"), "Build fleet at Aquila\nBuild army at Aquila\nDevelop Mines on Aquila"
    )
    assert (played.reasons, played.units("Terrans"), played.resources("Aquila")) == (["blockaded"], ["A1"], ["Mines"])
    friends = move(duel(units=units, relations="Terrans pact Zorg"), "Build fleet at Aquila")
    assert friends.failed == []


@pytest.mark.rule("LC-R87", "LC-87", "LC-89")
def test_a_blockade_broken_in_this_moves_battles_no_longer_counts() -> None:
    document = duel(units="F1 Zorg Aquila, F2 Terrans Aquila", relations="Terrans war Zorg")
    played = move(document, "Build fleet at Aquila", [5, 4])
    assert (played.failed, played.units("Terrans"), played.units("Zorg")) == ([], ["F2", "F3"], [])


@pytest.mark.rule("LC-89", "LC-R35")
def test_building_needs_the_planet() -> None:
    document = duel(units="F1 Terrans Bastion, A1 Terrans F1", relations="Terrans war Bastion")
    played = move(document, "Land A1 on Bastion\nBuild army at Bastion\nBuild fleet at Garnet\nDevelop Mines on Bastion")
    assert played.owner("Bastion") == "Terrans"
    assert played.reasons == ["not_owner"] * 3


@pytest.mark.rule("LC-74", "LC-R68")
def test_fresh_units_cannot_be_moved_in_the_move_that_built_them() -> None:
    played = play(
        duel(), [("Terrans", "Build fleet at Aquila\nBuild army at Aquila"), ("Zorg", "Pass"), ("Terrans", "Load A1 onto F1")]
    )
    assert played.where("A1") == "F1"
    # A number takes only what is there when movements are carried out.
    none = move(duel(), "Build army at Aquila\nBuild fleet at Aquila\nLoad all armies at Aquila")
    assert none.reasons == ["not_enough_units"]


@pytest.mark.rule("LC-75")
def test_fresh_units_defend_on_other_players_moves() -> None:
    document = duel(units="F1 Zorg Fenris, A1 Zorg F1", relations="Terrans war Zorg", planets="Fenris Zorg")
    items = [("Terrans", "Build fleet at Aquila\nBuild army at Aquila"), ("Zorg", "Move F1 to Aquila\nLand A1 on Aquila")]
    played = play(document, items, [1, 9])
    assert [roll["unit"] for roll in played.of("fleet_round")[0]["rolls"]] == ["F1", "F2"]
    assert (played.units("Zorg"), played.units("Terrans")) == ([], ["F2", "A2"])


@pytest.mark.rule("LC-R19", "LC-12")
def test_what_cannot_be_paid_in_full_fails_and_cheaper_things_are_still_tried() -> None:
    document = duel({"credits": 10}, planets="Eridu Terrans")
    text = (
        "Gift 99 credits to Zorg\nResearch Fusion Lances\nBuild fleet at Aquila\nBuild fleet at Eridu\nBuild army at Eridu\n"
        "Develop Farmland on Aquila\nMove capital to Eridu"
    )
    played = move(document, text)
    assert played.credits("Terrans") == 16 - 10 - 3
    assert played.reasons == ["gift_limit", "prerequisite", "no_credits", "no_credits", "no_credits"]


# --- The capital ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-19", "LC-20", "LC-R28", "LC-R24", "LC-16")
def test_the_capital_moves_to_another_own_planet_for_50_credits() -> None:
    played = move(duel(planets="Eridu Terrans"), "Move capital to Eridu")
    assert (played.state("Terrans")["home_planet"], played.credits("Terrans")) == ("Eridu", 56)
    for line, reason in (
        ("Move capital to Aquila", "already_capital"),
        ("Move capital to Garnet", "not_owner"),
    ):
        assert move(duel(), line).reasons == [reason]
    assert move(duel({"credits": 45}, planets="Eridu Terrans"), "Move capital to Eridu", capital_cost=52).reasons == [
        "no_credits"
    ]
    assert move(duel({"credits": 44}, planets="Eridu Terrans"), "Move capital to Eridu").credits("Terrans") == 0


@pytest.mark.rule("LC-R06")
def test_the_capital_move_is_the_last_thing_of_the_building_step() -> None:
    document = duel({"credits": 50}, planets="Eridu Terrans")
    played = move(document, "Move capital to Eridu\nDevelop Mines on Aquila")
    assert (played.resources("Aquila"), played.reasons) == (["Mines"], ["no_credits"])


@pytest.mark.rule("LC-R26", "LC-17")
def test_a_captured_home_planet_helps_nobody_until_it_is_back() -> None:
    """Zorg holds Aquila; Terrans still call it their home."""
    document = duel(planets="Aquila Zorg; Eridu Terrans", units="A1 Terrans Eridu")
    assert income(move(document, "Pass")) == (2, 0)
    assert move(document, "Pass").state("Terrans")["home_planet"] == "Aquila"
    zorg = play(document, [("Terrans", "Pass"), ("Zorg", "Pass")])
    assert incomes(zorg, "Zorg") == [(6, 0)]
    assert income(move(duel(planets="Eridu Terrans"), "Pass")) == (6, 0)
    new = play(document, [("Terrans", "Move capital to Eridu"), ("Zorg", "Pass"), ("Terrans", "Pass")])
    assert incomes(new, "Terrans")[1] == (4, 0)


@pytest.mark.rule("LC-R27", "LC-17")
def test_an_npc_state_has_no_home_bonus_without_the_option() -> None:
    items = [("Terrans", "Pass"), ("Zorg", "Pass")]
    assert play(duel(), items).credits("Bastion") == 2
    assert play(duel(), items, npc_home_bonus=True).credits("Bastion") == 4


@pytest.mark.rule("LC-R12")
def test_a_skip_books_income_at_the_place_of_the_move() -> None:
    played = play(duel(relations="Terrans trade Zorg"), [DEADLINE, ("Zorg", "Pass")])
    assert (played.credits("Terrans"), played.credits("Zorg")) == (109, 109)

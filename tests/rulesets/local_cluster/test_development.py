"""Resources: slots, uniqueness, re-development, and when they count (LC-21 to LC-26)."""

import pytest

from tests.rulesets.local_cluster.harness import duel, move, play

COSTS = {
    "Farmland": 5, "Barracks": 7, "Mines": 9, "Orbital Guns": 10, "Shield Generator": 10, "Shipyard": 12, "Laboratory": 12,
    "Refinery": 14, "Portal": 15, "Trade Port": 16, "Habitat": 18, "Arcology": 22,
}  # fmt: skip
UNIQUE = {"Barracks", "Orbital Guns", "Shield Generator", "Shipyard", "Portal", "Habitat"}


@pytest.mark.rule("LC-21", "LC-22", "LC-12")
@pytest.mark.parametrize(("resource", "cost"), COSTS.items())
def test_each_resource_has_the_development_cost_of_the_list(resource: str, cost: int) -> None:
    played = move(duel(planets="Eridu Terrans"), f"Develop {resource} on Eridu")
    assert (played.resources("Eridu"), played.credits("Terrans")) == ([resource], 106 - cost)


@pytest.mark.rule("LC-R23", "LC-22")
@pytest.mark.parametrize(
    ("trait", "resource", "cost"),
    [("Architects", "Farmland", 3), ("Architects", "Portal", 13), ("Gatekeepers", "Portal", 10), ("Gatekeepers", "Mines", 9)],
)
def test_traits_change_development_costs(trait: str, resource: str, cost: int) -> None:
    assert move(duel({"traits": [trait]}), f"Develop {resource} on Aquila").credits("Terrans") == 104 - cost


@pytest.mark.rule("LC-R29")
@pytest.mark.parametrize("resource", COSTS)
def test_only_unique_resources_cannot_be_there_twice(resource: str) -> None:
    played = move(duel(planets=f"Aquila Terrans: {resource}"), f"Develop {resource} on Aquila")
    assert played.reasons == (["only_one"] if resource in UNIQUE else [])
    assert len(played.resources("Aquila")) == (1 if resource in UNIQUE else 2)


@pytest.mark.rule("LC-23", "LC-R34", "LC-R30")
def test_a_planet_holds_two_resources_developed_in_one_move_if_credits_allow() -> None:
    played = move(duel(), "Develop Mines on Aquila\nDevelop Farmland on Aquila\nDevelop Farmland on Aquila")
    assert (played.resources("Aquila"), played.reasons) == (["Mines", "Farmland"], ["no_slot"])
    assert move(duel(), "Develop Mines on Aquila\nDevelop Farmland on Aquila", slots=1).reasons == ["no_slot"]


@pytest.mark.rule("LC-R30", "LC-23")
@pytest.mark.parametrize(
    ("fields", "home", "other"),
    [
        ({}, 2, 2),
        ({"traits": ["Metropolitan"]}, 3, 2),
        ({"technologies": ["Commerce", "Terraforming"]}, 3, 3),
        ({"traits": ["Metropolitan"], "technologies": ["Commerce", "Terraforming"]}, 4, 3),
    ],
)
def test_effects_add_slots(fields: dict[str, object], home: int, other: int) -> None:
    document = duel({"credits": 500, **fields}, planets="Eridu Terrans")
    played = move(document, "Develop Farmland on Aquila\n" * 8 + "Develop Farmland on Eridu\n" * 8)
    assert (len(played.resources("Aquila")), len(played.resources("Eridu"))) == (home, other)
    with_habitat = duel({"credits": 500, **fields}, planets="Aquila Terrans: Habitat; Eridu Terrans")
    played = move(with_habitat, "Develop Farmland on Aquila\n" * 8)
    assert len(played.resources("Aquila")) == home + 2


@pytest.mark.rule("LC-25", "LC-R31")
def test_a_new_habitat_needs_a_slot_and_gives_its_own_from_the_next_move_on() -> None:
    document = duel({"credits": 300}, planets="Aquila Terrans: Mines")
    played = move(document, "Develop Habitat on Aquila\nDevelop Farmland on Aquila")
    assert (played.resources("Aquila"), played.reasons) == (["Mines", "Habitat"], ["no_slot"])
    later = play(played.document, [("Zorg", "Pass"), ("Terrans", "Develop Farmland on Aquila\n" * 3)])
    assert (len(later.resources("Aquila")), later.reasons) == (4, ["no_slot"])
    full = move(duel(planets="Aquila Terrans: Mines, Mines"), "Develop Habitat on Aquila")
    assert full.reasons == ["no_slot"]


@pytest.mark.rule("LC-25", "LC-26", "LC-R31")
def test_a_portal_cannot_be_built_and_used_at_once() -> None:
    document = duel(planets="Aquila Terrans: Portal; Eridu Terrans", units="A1 Terrans Aquila")
    played = move(document, "Develop Portal on Eridu\nMove A1 from Aquila to Eridu by portal")
    assert (played.where("A1"), played.reasons, played.resources("Eridu")) == ("Aquila", ["no_portal"], ["Portal"])
    later = play(played.document, [("Zorg", "Pass"), ("Terrans", "Move A1 to Eridu by portal")])
    assert later.where("A1") == "Eridu"


@pytest.mark.rule("LC-25", "LC-R31")
def test_a_new_resource_brings_income_from_the_next_move_on() -> None:
    played = play(duel(), [("Terrans", "Develop Arcology on Aquila"), ("Zorg", "Pass"), ("Terrans", "Pass")])
    assert [data["tax"] for data in played.of("income") if data["state"] == "Terrans"] == [4, 9]


@pytest.mark.rule("LC-25")
def test_new_barracks_and_shipyards_do_not_help_in_the_move_that_built_them() -> None:
    played = move(duel(), "Develop Barracks on Aquila\nBuild 2 armies at Aquila")
    assert (played.units("Terrans"), played.reasons) == (["A1"], ["limit_reached"])


@pytest.mark.rule("LC-24", "LC-R32")
def test_redevelopment_costs_the_full_price_and_takes_the_place_of_the_old() -> None:
    document = duel(planets="Aquila Terrans: Mines, Farmland, Mines")
    played = move(document, "Redevelop Mines into Refinery on Aquila")
    assert (played.resources("Aquila"), played.credits("Terrans")) == (["Refinery", "Farmland", "Mines"], 100 + 9 - 14)


@pytest.mark.rule("LC-R32", "LC-24")
@pytest.mark.parametrize(
    ("resources", "line", "reason"),
    [
        ("Mines", "Redevelop Mines into Mines on Aquila", "only_one"),
        ("Mines, Portal", "Redevelop Mines into Portal on Aquila", "only_one"),
        ("Mines", "Redevelop Farmland into Portal on Aquila", "no_such_resource"),
        ("Mines", "Redevelop Farmland into Portal on Garnet", "not_owner"),
        ("Habitat, Mines, Mines", "Redevelop Habitat into Portal on Aquila", "no_slot"),
        ("Habitat, Mines, Mines, Mines", "Redevelop Habitat into Mines on Aquila", "no_slot"),
    ],
)
def test_what_redevelopment_refuses(resources: str, line: str, reason: str) -> None:
    played = move(duel(planets=f"Aquila Terrans: {resources}"), line)
    assert (played.reasons, played.resources("Aquila")) == ([reason], resources.split(", "))


@pytest.mark.rule("LC-R32")
def test_a_habitat_can_be_redeveloped_while_the_planet_could_hold_what_it_has() -> None:
    played = move(duel(planets="Aquila Terrans: Habitat, Mines"), "Redevelop Habitat into Portal on Aquila")
    assert played.resources("Aquila") == ["Portal", "Mines"]
    metropolitan = duel({"traits": ["Metropolitan"]}, planets="Aquila Terrans: Habitat, Mines, Mines")
    assert move(metropolitan, "Redevelop Habitat into Portal on Aquila").failed == []


@pytest.mark.rule("LC-R32", "LC-25")
def test_the_effects_of_the_old_resource_stop_at_once() -> None:
    """No loophole: the slots of the Habitat are gone in the line after."""
    document = duel(planets="Aquila Terrans: Habitat, Mines")
    played = move(document, "Redevelop Habitat into Portal on Aquila\nDevelop Farmland on Aquila")
    assert (played.resources("Aquila"), played.reasons) == (["Portal", "Mines"], ["no_slot"])


@pytest.mark.rule("LC-25", "LC-R31")
def test_the_slots_of_a_habitat_made_by_redevelopment_can_be_used_from_the_next_move() -> None:
    lines = "Redevelop Mines into Habitat on Aquila\nDevelop Farmland on Aquila"
    played = move(duel(planets="Aquila Terrans: Mines, Mines"), lines)
    assert (played.resources("Aquila"), played.reasons) == (["Habitat", "Mines"], ["no_slot"])


@pytest.mark.rule("LC-R33")
def test_too_many_resources_are_kept_but_nothing_can_be_added() -> None:
    document = duel(planets="Aquila Terrans: Mines, Mines, Mines, Farmland")
    played = move(document, "Develop Farmland on Aquila\nRedevelop Farmland into Arcology on Aquila")
    assert (played.resources("Aquila"), played.reasons) == (["Mines", "Mines", "Mines", "Arcology"], ["no_slot"])


@pytest.mark.rule("LC-21")
def test_the_checks_come_in_the_order_of_the_table() -> None:
    poor = duel({"credits": 0}, planets="Aquila Terrans: Portal, Mines; Eridu Terrans: Portal")
    assert move(poor, "Develop Portal on Aquila").reasons == ["only_one"]
    assert move(poor, "Develop Mines on Aquila").reasons == ["no_slot"]
    assert move(poor, "Develop Mines on Eridu").reasons == ["no_credits"]
    assert move(poor, "Develop Portal on Garnet").reasons == ["not_owner"]

"""Boarding, moving, landing and portals (LC-76 to LC-81)."""

import pytest

from tests.rulesets.local_cluster.harness import duel, fault, move, play, state

WAR = "Terrans war Bastion"


# --- Fleets --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-79", "LC-R58", "LC-R61")
@pytest.mark.parametrize(
    ("planet", "reason"),
    [("Eridu", ""), ("Bastion", ""), ("Fenris", "no_right"), ("Calyx", "not_adjacent"), ("Aquila", "not_adjacent")],
)
def test_a_fleet_jumps_along_one_line_to_where_it_may_be(planet: str, reason: str) -> None:
    played = move(duel(units="F1 Terrans Aquila", planets="Eridu Terrans", relations=WAR), f"Move F1 from Aquila to {planet}")
    assert played.reasons == ([reason] if reason else [])
    assert played.where("F1") == ("Aquila" if reason else planet)


@pytest.mark.rule("LC-R58", "LC-R62")
def test_a_fleet_moves_once_in_a_move() -> None:
    document = duel(units="F1 Terrans Eridu", planets="Eridu Terrans", relations=WAR)
    played = move(document, "Move F1 to Aquila\nMove F1 to Bastion")
    assert (played.where("F1"), played.reasons) == ("Aquila", ["already_moved"])


@pytest.mark.rule("LC-R62")
def test_enemy_fleets_hinder_nobody_from_leaving_or_boarding() -> None:
    document = duel(
        units="F1 Terrans Aquila, A1 Terrans Aquila, F9 Zorg Aquila", relations="Terrans war Zorg", planets="Eridu Terrans"
    )
    played = move(document, "Load A1 onto F1\nMove F1 to Eridu")
    assert (played.where("F1"), played.where("A1"), played.failed) == ("Eridu", "F1", [])
    portals = duel(
        units="A1 Terrans Aquila, F9 Zorg Aquila, F8 Zorg Eridu",
        relations="Terrans war Zorg",
        planets="Aquila Terrans: Portal; Eridu Terrans: Portal",
    )
    assert move(portals, "Teleport A1 to Eridu").where("A1") == "Eridu"


@pytest.mark.rule("LC-R07", "LC-R67", "LC-77")
def test_movements_are_carried_out_as_written() -> None:
    document = duel(units="F1 Terrans Bastion, A1 Terrans F1", relations=WAR)
    landed = move(document, "Land A1 on Bastion\nMove F1 to Aquila")
    assert (landed.where("A1"), landed.where("F1"), landed.failed) == ("Bastion", "Aquila", [])
    flown = move(document, "Move F1 to Aquila\nLand A1 on Bastion")
    assert (flown.where("A1"), flown.reasons) == ("F1", ["not_there"])


@pytest.mark.rule("LC-79")
def test_the_checks_of_a_fleet_come_in_the_order_of_the_table() -> None:
    document = duel(units="F1 Terrans Aquila, F2 Terrans Aquila, F9 Zorg Garnet", planets="Eridu Terrans", relations=WAR)
    text = (
        "Disband F2\nMove F2 from Garnet to Harrow\nMove F1 to Eridu\nMove F1 from Garnet to Harrow\n"
        "Move F1 from Eridu to Harrow"
    )
    assert move(document, text).reasons == ["not_your_unit", "not_there", "already_moved"]
    assert move(document, "Move F1 from Aquila to Harrow").reasons == ["not_adjacent"]


# --- Armies and fleets ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-76", "LC-77", "LC-R58")
def test_an_army_boards_in_one_move_and_lands_in_the_next_at_the_earliest() -> None:
    document = duel(units="F1 Terrans Aquila, A1 Terrans Aquila", relations=WAR)
    played = move(document, "Load A1 onto F1\nMove F1 to Bastion\nLand A1 on Bastion")
    assert (played.where("A1"), played.where("F1"), played.reasons) == ("F1", "Bastion", ["already_moved"])
    later = play(played.document, [("Zorg", "Pass"), ("Terrans", "Land A1 on Bastion")])
    assert (later.where("A1"), later.owner("Bastion")) == ("Bastion", "Terrans")
    aboard = duel(units="F1 Terrans Aquila, A1 Terrans F1", relations=WAR)
    assert move(aboard, "Move F1 to Bastion\nLand A1 on Bastion").where("A1") == "Bastion"


@pytest.mark.rule("LC-R58")
def test_an_option_lifts_the_limit_for_armies_only() -> None:
    document = duel(units="F1 Terrans Aquila, A1 Terrans Aquila", relations=WAR, options={"army_steps": "free"})
    played = move(document, "Load A1 onto F1\nMove F1 to Bastion\nLand A1 on Bastion\nLoad A1 onto F1\nMove F1 to Aquila")
    assert (played.where("A1"), played.where("F1"), played.reasons) == ("F1", "Bastion", ["already_moved"])


@pytest.mark.rule("LC-R59", "LC-76")
def test_a_fleet_carries_one_army_unless_an_effect_says_more() -> None:
    units = "F1 Terrans Aquila, A1 Terrans Aquila, A2 Terrans Aquila, A3 Terrans Aquila"
    text = "Load A1 onto F1\nLoad A2 onto F1\nLoad A3 onto F1"
    assert move(duel(units=units), text).reasons == ["no_room"] * 2
    assert move(duel({"technologies": ["Powered Armour", "Troop Carriers"]}, units=units), text).reasons == ["no_room"]
    assert move(duel(units=units), text, fleet_capacity=3).reasons == []


@pytest.mark.rule("LC-R60", "LC-76")
def test_only_fleets_of_the_armys_owner_carry() -> None:
    document = duel(units="F1 Zorg Aquila, A1 Terrans Aquila", relations="Terrans pact Zorg")
    assert fault(document, "Terrans", "Load A1 onto F1") == "unknown_unit"
    assert move(document, "Load 1 army at Aquila").reasons == ["not_enough_units"]


@pytest.mark.rule("LC-76", "LC-R58")
@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Load A1 onto F2", ["not_together"]),
        ("Load A2 onto F3", ["not_together"]),
        ("Load A1 onto F1\nLoad A1 onto F1", ["already_moved"]),
        ("Disband A1\nLoad A1 onto F1", ["not_your_unit"]),
        ("Disband F1\nLoad A1 onto F1", ["not_your_unit"]),
        ("Move F1 to Aquila\nLoad A1 onto F1", ["not_adjacent"]),
        ("Bombard Bastion with F4\nLoad A4 onto F4", ["no_target"]),
        ("Move F5 to Bastion\nLoad A4 onto F5", []),
    ],
)
def test_the_checks_of_boarding(text: str, reasons: list[str]) -> None:
    """Whether the fleet has moved or bombards does not matter."""
    units = (
        "F1 Terrans Aquila, A1 Terrans Aquila, F2 Terrans Eridu, F3 Terrans Aquila, A2 Terrans F1, F4 Terrans Bastion,"
        "A4 Terrans Bastion, F5 Terrans Aquila"
    )
    document = duel(units=units, planets="Eridu Terrans", relations=WAR)
    if "A1 onto F1" in text:
        document["armies"] = [army for army in document["armies"] if army["id"] != "A2"]
    played = move(document, text)
    assert played.reasons == reasons


@pytest.mark.rule("LC-76")
def test_a_number_of_armies_boards_the_lowest_fleets_with_room() -> None:
    units = (
        "F1 Terrans Aquila, F2 Terrans Aquila, F3 Terrans Aquila, A1 Terrans F1, A5 Terrans Aquila, A4 Terrans Aquila,"
        "A6 Terrans Aquila"
    )
    played = move(duel(units=units), "Load 2 armies at Aquila")
    assert [played.where(unit) for unit in ("A1", "A4", "A5", "A6")] == ["F1", "F2", "F3", "Aquila"]
    everything = move(duel(units=units), "Load all armies at Aquila")
    assert [everything.where(unit) for unit in ("A4", "A5", "A6")] == ["F2", "F3", "Aquila"]
    assert everything.failed == []


@pytest.mark.rule("LC-77", "LC-R61", "LC-29")
@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Land A1 on Bastion", []),
        ("Land A2 on Bastion", ["not_aboard"]),
        ("Land A1 on Aquila", ["not_there"]),
        ("Land A1 on Bastion\nLand A1 on Bastion", ["not_aboard"]),
        ("Disband A1\nLand A1 on Bastion", ["not_your_unit"]),
        ("Land A3 on Aquila\nLoad A3 onto F3", ["already_moved"]),
        ("Land A3 on Aquila\nMove F3 to Bastion", []),
        ("Offer peace to Bastion\nLand A1 on Bastion", ["not_there"]),
    ],
)
def test_the_checks_of_landing(text: str, reasons: list[str]) -> None:
    units = "F1 Terrans Bastion, A1 Terrans F1, A2 Terrans Bastion, F3 Terrans Aquila, A3 Terrans F3"
    assert move(duel(units=units, relations=WAR), text).reasons == reasons


@pytest.mark.rule("LC-27", "LC-R66", "LC-54")
def test_a_landing_below_enemy_fleets_is_contested_until_they_are_gone() -> None:
    document = duel(units="F1 Terrans Aquila, A1 Terrans F1, F9 Bastion Bastion", relations=WAR)
    text = "Move F1 to Bastion\nLand A1 on Bastion"
    won = move(document, text, [9, 1])
    assert (won.where("A1"), won.where("F1"), won.failed, won.owner("Bastion")) == ("Bastion", "Bastion", [], "Terrans")
    lost = move(document, text, [1, 9])
    assert (lost.where("A1"), lost.where("F1"), lost.reasons) == ("", "", ["fleet_lost"])
    drawn = move(document, text, [5, 5])
    assert (drawn.where("A1"), drawn.where("F1"), drawn.reasons) == ("F1", "Aquila", ["fleet_withdrew"])
    assert [unit for _, unit, _ in drawn.failed] == ["A1"]


@pytest.mark.rule("LC-R66")
def test_a_fleet_with_a_contested_landing_cannot_move_any_more() -> None:
    document = duel(units="F1 Terrans Bastion, A1 Terrans F1, F9 Bastion Bastion", relations=WAR)
    played = move(document, "Land A1 on Bastion\nMove F1 to Aquila", [9, 1])
    assert (played.where("F1"), played.where("A1"), played.reasons) == ("Bastion", "Bastion", ["already_moved"])
    twice = move(document, "Land A1 on Bastion\nLand A1 on Bastion", [9, 1])
    assert twice.reasons == ["already_moved"]


@pytest.mark.rule("LC-R66")
def test_contested_landings_go_down_with_their_fleets() -> None:
    document = duel(
        units="F1 Terrans Bastion, F2 Terrans Bastion, A1 Terrans F1, A2 Terrans F2, F9 Bastion Bastion", relations=WAR
    )
    played = move(document, "Land A1 on Bastion\nLand A2 on Bastion", [2, 1, 5, 2, 5])
    assert sorted(played.reasons) == ["fleet_lost", "fleet_lost"]


@pytest.mark.rule("LC-R66", "LC-R07")
def test_whether_a_landing_is_contested_is_decided_when_its_line_is_executed() -> None:
    """A third State's planet: Zorg's fleet is above, war is declared in this very move, before movements."""
    document = duel(
        units="F1 Terrans Bastion, A1 Terrans F1, F9 Zorg Bastion", relations="Terrans war Bastion, Zorg war Bastion"
    )
    peace = move(document, "Land A1 on Bastion")
    assert (peace.where("A1"), peace.owner("Bastion"), peace.drawn) == ("Bastion", "Terrans", ())
    war = move(document, "Land A1 on Bastion\nDeclare war on Zorg", [1, 9])
    assert (war.where("A1"), war.reasons) == ("", ["fleet_lost"])


# --- Portals -------------------------------------------------------------------------------------------------------------

PORTALS = "; ".join(f"{name} Terrans: Portal" for name in ("Aquila", "Calyx", "Hesper", "Pallas", "Delphi")) + "; Eridu Terrans"


@pytest.mark.rule("LC-80", "LC-81", "LC-R63")
@pytest.mark.parametrize(
    ("known", "traits", "reach"),
    [
        ([], [], ["Calyx"]),
        (["Portal I"], [], ["Calyx", "Hesper"]),
        (["Portal I", "Portal II"], [], ["Calyx", "Hesper", "Pallas"]),
        (["Portal I", "Portal II", "Portal III"], [], ["Calyx", "Hesper", "Pallas", "Delphi"]),
        ([], ["Gatekeepers"], ["Calyx", "Hesper", "Pallas"]),
        (["Portal I"], ["Gatekeepers"], ["Calyx", "Hesper", "Pallas"]),
    ],
)
def test_fleets_travel_between_own_portals_within_range(known: list[str], traits: list[str], reach: list[str]) -> None:
    document = duel({"technologies": known, "traits": traits}, units="F1 Terrans Aquila, A1 Terrans Aquila", planets=PORTALS)
    for planet in ("Calyx", "Hesper", "Pallas", "Delphi"):
        for text in (f"Move F1 from Aquila to {planet}", f"Move F1 to {planet} by portal", f"Move A1 from Aquila to {planet}"):
            played = move(document, text)
            assert played.reasons == ([] if planet in reach else ["out_of_range"]), (planet, text)
            unit = text.split()[1]
            assert played.where(unit) == (planet if planet in reach else "Aquila")


@pytest.mark.rule("LC-81", "LC-R63")
def test_the_range_without_technology_is_an_option() -> None:
    document = duel(units="F1 Terrans Aquila", planets=PORTALS)
    assert move(document, "Move F1 to Hesper", portal_base_range=3).where("F1") == "Hesper"
    assert move(document, "Move F1 to Calyx", portal_base_range=1).reasons == ["out_of_range"]


@pytest.mark.rule("LC-80", "LC-R64")
def test_portals_must_be_at_both_ends_and_friendly() -> None:
    units = "F1 Terrans Aquila, A1 Terrans Aquila, F2 Terrans Bastion"
    document = duel(
        units=units, planets="Aquila Terrans: Portal; Dorado Terrans; Garnet Zorg: Portal; Bastion: Portal", relations=WAR
    )
    for text, reason in (
        ("Move F1 to Dorado", "not_adjacent"),
        ("Move F1 to Dorado by portal", "no_portal"),
        ("Move A1 from Aquila to Dorado", "no_portal"),
        ("Move F1 to Garnet by portal", "no_portal"),
        ("Move F1 to Bastion by portal", "no_portal"),
        ("Move A1 from Aquila to Bastion", "no_portal"),
        ("Move F1 to Aquila by portal", "not_adjacent"),
    ):
        assert move(document, text).reasons == [reason], text
    assert move(document, "Move F1 to Bastion").failed == []


@pytest.mark.rule("LC-80", "LC-R64", "LC-R44", "LC-32", "LC-33")
def test_the_portals_of_partners_form_one_network_with_the_movers_range() -> None:
    document = duel(
        {},
        {"technologies": ["Portal I"]},
        [state("Qix", home="Quill")],
        units="F1 Terrans Aquila, A1 Terrans Aquila, F2 Zorg Garnet",
        planets="Aquila Terrans: Portal; Garnet Zorg: Portal; Jotun Zorg: Portal; Quill Qix",
        relations="Terrans pact Zorg",
    )
    played = play(document, [("Terrans", "Move F1 to Garnet\nMove A1 from Aquila to Garnet"), ("Zorg", "Move F2 to Aquila")])
    assert (played.where("F1"), played.where("A1"), played.where("F2"), played.failed) == ("Garnet", "Garnet", "Aquila", [])
    assert move(document, "Move F1 to Jotun").reasons == ["out_of_range"]
    back = play(played.document, [("Qix", "Pass"), ("Terrans", "Pass"), ("Zorg", "Move F2 to Jotun")])
    assert back.where("F2") == "Jotun"


@pytest.mark.rule("LC-78", "LC-R65", "LC-R58")
def test_armies_travel_by_portal_from_surface_to_surface() -> None:
    units = "A1 Terrans Aquila, A2 Terrans F1, F1 Terrans Aquila, A3 Terrans Eridu, A4 Terrans Aquila"
    document = duel(units=units, planets=PORTALS)
    played = move(document, "Move A1 to Calyx by portal\nTeleport A1 to Aquila")
    assert (played.where("A1"), played.reasons) == ("Calyx", ["already_moved"])
    assert move(document, "Move A3 from Eridu to Aquila").reasons == ["no_portal"]
    assert move(document, "Move A3 from Aquila to Calyx").reasons == ["not_there"]
    assert move(document, "Move 1 army from Aquila to Calyx").where("A1") == "Calyx"
    carried = move(document, "Move F1 to Calyx by portal")
    assert (carried.where("F1"), carried.where("A2")) == ("Calyx", "F1")


@pytest.mark.rule("LC-79", "LC-80")
def test_a_line_is_used_where_there_is_one_unless_the_portal_is_asked_for() -> None:
    document = duel(units="F1 Terrans Aquila", planets=PORTALS)
    assert move(document, "Move F1 to Eridu").failed == []
    assert move(document, "Move F1 to Eridu by portal").reasons == ["no_portal"]

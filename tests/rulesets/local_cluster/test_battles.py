"""Battles of fleets and armies, and bombardment (LC-48 to LC-63)."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.rulesets.local_cluster.harness import Played, duel, move, play, state

WAR = "Terrans war Bastion"


def rounds(played: Played, kind: str = "fleet_round") -> list[dict[str, tuple[int, int]]]:
    """The rounds: unit → (die, total), in listing order."""
    return [{roll["unit"]: (roll["die"], roll["total"]) for roll in data["rolls"]} for data in played.of(kind)]


def fleets(mine: int, theirs: int, dice: Iterable[int], **tables: Any) -> Played:
    """F1 to F`mine` of Terrans jump from Aquila to Bastion, where F11 and on of Bastion wait; F1 carries A1, F11 A11."""
    units = [f"F{n} Terrans Aquila" for n in range(1, mine + 1)] + [f"F{n} Bastion Bastion" for n in range(11, 11 + theirs)]
    units += ["A1 Terrans F1", "A11 Bastion F11"]
    return move(duel(units=",".join(units), relations=WAR, **tables), "Move all fleets from Aquila to Bastion", dice)


def armies(mine: int, theirs: int, dice: Iterable[int], **tables: Any) -> Played:
    """A1 to A`mine` of Terrans land on Bastion from F1 and on, where A11 and on wait."""
    units = [f"F{n} Terrans Bastion" for n in range(1, mine + 1)] + [f"A{n} Terrans F{n}" for n in range(1, mine + 1)]
    units += [f"A{n} Bastion Bastion" for n in range(11, 11 + theirs)]
    return move(duel(units=",".join(units), relations=WAR, **tables), "Land all armies on Bastion", dice)


# --- Fleets --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-48", "LC-49", "LC-50", "LC-54", "LC-R69")
def test_a_higher_score_of_the_attacker_destroys_a_defender_with_its_army() -> None:
    played = fleets(1, 1, [6, 5])
    assert rounds(played) == [{"F1": (6, 6), "F11": (5, 5)}]
    assert [played.where(unit) for unit in ("F1", "A1", "F11", "A11")] == ["Bastion", "F1", "", ""]
    assert played.drawn == ((10, 6), (10, 5))


@pytest.mark.rule("LC-51", "LC-54")
def test_a_higher_score_of_the_defender_destroys_an_attacker_with_its_army() -> None:
    played = fleets(1, 1, [5, 6])
    assert [played.where(unit) for unit in ("F1", "A1", "F11", "A11")] == ["", "", "Bastion", "F11"]


@pytest.mark.rule("LC-52", "LC-54")
def test_equal_scores_send_an_attacker_and_its_army_back_to_its_origin() -> None:
    played = fleets(1, 1, [6, 6])
    assert [played.where(unit) for unit in ("F1", "A1", "F11", "A11")] == ["Aquila", "F1", "Bastion", "F11"]


@pytest.mark.rule("LC-49", "LC-53", "LC-R69", "LC-R70", "LC-R79")
def test_match_ups_go_on_and_every_fleet_rolls_again_in_each() -> None:
    """The highest of each side are compared, the lowest of the losing side goes, among equals the one listed last."""
    played = fleets(3, 2, [1, 9, 1, 8, 8, 2, 3, 7, 2])
    assert rounds(played) == [
        {"F1": (1, 1), "F2": (9, 9), "F3": (1, 1), "F11": (8, 8), "F12": (8, 8)},
        {"F1": (2, 2), "F2": (3, 3), "F3": (7, 7), "F11": (2, 2)},
    ]
    assert [played.where(unit) for unit in ("F1", "F2", "F3", "F11", "F12")] == ["Bastion", "Bastion", "Bastion", "", ""]


def lost_in_first_round(dice: Iterable[int], **options: Any) -> list[str]:
    """Three attackers against two defenders; who of them is not above Bastion any more in the second round."""
    units = "F1 Terrans Aquila, F2 Terrans Aquila, F3 Terrans Aquila, F11 Bastion Bastion, F12 Bastion Bastion"
    document = duel(units=units, relations=WAR, options=options)
    played = move(document, "Move all fleets from Aquila to Bastion", dice)
    first, second = rounds(played)[:2]
    return [unit for unit in first if unit not in second]


@pytest.mark.rule("LC-R70", "LC-50", "LC-51", "LC-52")
@pytest.mark.parametrize(
    ("first", "lowest", "newest"),
    [
        ([9, 1, 2, 8, 7], "F12", "F12"),
        ([9, 1, 2, 7, 8], "F11", "F12"),
        ([9, 1, 2, 8, 8], "F12", "F12"),
        ([5, 4, 6, 9, 1], "F2", "F3"),
        ([4, 4, 6, 9, 1], "F2", "F3"),
        ([6, 4, 5, 6, 1], "F2", "F3"),
        ([4, 6, 4, 6, 1], "F3", "F3"),
    ],
)
def test_which_fleet_is_the_one(first: list[int], lowest: str, newest: str) -> None:
    """After the first round the attackers win, or lose, in the fewest rounds."""
    for casualty, gone in (("lowest", lowest), ("newest", newest)):
        rest = [9, 9, 9, 1] if gone.startswith("F1") and len(gone) == 3 else [9, 9, 1, 1, 9, 9, 1]
        assert lost_in_first_round([*first, *rest], casualty=casualty) == [gone]


@pytest.mark.rule("LC-R70")
def test_the_one_listed_last_among_equals_is_the_highest_number() -> None:
    played = fleets(2, 1, [3, 3, 9, 9, 1])
    assert [list(found) for found in rounds(played)] == [["F1", "F2", "F11"], ["F1", "F11"]]
    assert (played.where("F1"), played.where("F2"), played.where("F11")) == ("Bastion", "", "")


@pytest.mark.rule("LC-49")
def test_the_sides_of_the_die_are_an_option() -> None:
    units = "F1 Terrans Aquila, F11 Bastion Bastion"
    played = move(duel(units=units, relations=WAR), "Move F1 to Bastion", [20, 19], die_sides=20)
    assert played.drawn == ((20, 20), (20, 19))


@pytest.mark.rule("LC-R71", "LC-48", "LC-R43")
def test_the_active_players_units_attack_all_his_enemies_there_together() -> None:
    """Qix and Zorg are at war with each other, yet both defend; Ur, a partner of Terrans, does not join."""
    document = duel(
        others=[state("Qix", home="Quill"), state("Ur", home="Rhea")],
        planets="Quill Qix; Rhea Ur",
        units="F1 Terrans Bastion, F2 Zorg Bastion, F3 Qix Bastion, F4 Ur Bastion, F5 Bastion Bastion",
        relations="Terrans war Zorg, Terrans war Qix, Qix war Zorg, Terrans war Bastion, Zorg war Bastion, Qix war Bastion,"
        "Ur war Bastion, Terrans pact Ur, Ur war Zorg",
    )
    played = move(document, "Pass", [1, 2, 3, 9])
    assert [list(found) for found in rounds(played)] == [["F1", "F2", "F3", "F5"]]
    assert (played.where("F1"), played.where("F4")) == ("", "Bastion")


@pytest.mark.rule("LC-R79")
def test_units_are_listed_by_state_and_then_by_number() -> None:
    document = duel(
        others=[state("Qix", home="Quill")],
        planets="Quill Qix",
        units="F10 Terrans Bastion, F9 Terrans Bastion, F3 Qix Bastion, F12 Zorg Bastion, F7 Zorg Bastion",
        relations="Terrans war Zorg, Terrans war Qix, Terrans war Bastion, Zorg war Bastion, Qix war Bastion",
    )
    played = move(document, "Pass", [1, 1, 9, 9, 9, 1, 9, 9, 9])
    assert list(rounds(played)[0]) == ["F9", "F10", "F7", "F12", "F3"]
    assert list(rounds(played)[1]) == ["F9", "F7", "F12", "F3"]


@pytest.mark.rule("LC-R72", "LC-R47")
def test_a_defenders_partner_who_is_at_peace_stays_out_and_is_evicted_afterwards() -> None:
    document = duel(
        others=[state("Qix", home="Quill")],
        planets="Quill Qix; Bastion Zorg; Hesper Qix",
        units="F1 Terrans Aquila, A1 Terrans F1, F3 Qix Bastion, A3 Qix Bastion",
        relations="Terrans war Zorg, Zorg pact Qix",
    )
    text = "Move F1 to Bastion\nLand A1 on Bastion"
    played = move(document, text)
    assert (played.owner("Bastion"), played.where("F3"), played.where("A3"), played.drawn) == ("Terrans", "Hesper", "", ())
    joined = move(document, "Move F1 to Bastion", [1, 9], pact_joins_defense=True)
    assert (joined.owner("Bastion"), joined.where("F1"), joined.where("F3")) == ("Zorg", "", "Bastion")
    both = document | {"relations": [*document["relations"], {"between": ["Terrans", "Qix"], "pact": True}]}
    assert move(both, text, pact_joins_defense=True).owner("Bastion") == "Terrans"


@pytest.mark.rule("LC-R73", "LC-52")
def test_a_fleet_that_did_not_move_withdraws_to_the_closest_other_planet() -> None:
    document = duel(
        units="F1 Terrans Aquila, A1 Terrans F1, F9 Zorg Aquila",
        relations="Terrans war Zorg",
        planets="Fenris Terrans; Umbra Terrans",
    )
    played = move(document, "Pass", [4, 4])
    assert (played.where("F1"), played.where("A1")) == ("Fenris", "F1")
    alone = duel(units="F1 Terrans Aquila, F9 Zorg Aquila", relations="Terrans war Zorg")
    played = move(alone, "Pass", [4, 4])
    assert (played.where("F1"), played.where("F9")) == ("Aquila", "Aquila")


@pytest.mark.rule("LC-R76", "LC-R73")
def test_withdrawn_units_take_no_part_in_anything_later_in_the_move() -> None:
    units = "F1 Terrans Bastion, A1 Terrans F1, F9 Bastion Bastion"
    played = move(
        duel(units=units, relations=WAR, planets="Bastion: Mines"), "Bombard Bastion with F1\nLand A1 on Bastion", [3, 3]
    )
    assert (played.reasons, played.where("F1")) == (["fleet_withdrew", "fleet_withdrew"], "Aquila")
    # F1 withdraws from Aquila (1) to Fenris (6), where it came from and where F8 is: no battle there any more.
    back = duel(
        {"home_planet": ""},
        planets="Aquila Zorg; Fenris Terrans",
        units="F1 Terrans Fenris, F8 Zorg Fenris, F9 Zorg Aquila",
        relations="Terrans war Zorg",
    )
    played = move(back, "Move F1 to Aquila", [3, 3])
    assert (played.where("F1"), list(map(list, rounds(played)))) == ("Fenris", [["F1", "F9"]])


@pytest.mark.rule("LC-R74", "LC-R62")
def test_enemies_at_one_place_fight_in_the_next_move_of_either_owner() -> None:
    """Both are at war with Bastion and dock there; a new war makes them enemies."""
    tables = {"units": "F1 Terrans Bastion, F2 Zorg Bastion", "relations": "Terrans war Bastion, Zorg war Bastion"}
    declared = move(duel(**tables), "Declare war on Zorg", [5, 9])
    assert (declared.where("F1"), declared.where("F2")) == ("", "Bastion")
    at_war = duel(**{**tables, "relations": tables["relations"] + ", Terrans war Zorg"})
    played = play(at_war, [("Terrans", "Move F1 to Aquila"), ("Zorg", "Pass")])
    assert rounds(played) == []
    played = move(at_war, "Pass", [9, 5])
    assert (played.where("F1"), played.where("F2")) == ("Bastion", "")
    skipped = play(at_war, ["the deadline passes", ("Zorg", "Pass")], [9, 5])
    assert list(rounds(skipped)[0]) == ["F2", "F1"]


@pytest.mark.rule("LC-R77", "LC-87")
def test_battles_are_fought_in_planet_number_order_fleets_bombardments_landings_armies() -> None:
    units = (
        "F1 Terrans Aquila, F2 Terrans Garnet, A2 Terrans F2, F8 Bastion Bastion, F9 Zorg Garnet, A9 Zorg Garnet,"
        "F3 Terrans Hesper, A3 Terrans F3, A8 Hesper Hesper, F4 Terrans Hesper"
    )
    document = duel(
        units=units,
        relations="Terrans war Bastion, Terrans war Zorg, Terrans war Hesper",
        planets="Garnet Zorg: Mines; Hesper: Mines",
    )
    text = "Land A3 on Hesper\nLand A2 on Garnet\nBombard Garnet with F2\nBombard Hesper with F4\nMove F1 to Bastion"
    played = move(document, text, [9, 1, 9, 1, 1, 1, 9, 1, 9, 1])
    kinds = [kind for kind in played.kinds() if kind in ("fleet_round", "bombarded", "landed", "army_round")]
    assert kinds == ["landed", "fleet_round", "fleet_round", "bombarded", "bombarded", "landed", "army_round", "army_round"]
    assert [data["planet"] for data in played.of("fleet_round")] == ["Bastion", "Garnet"]
    assert [data["planet"] for data in played.of("bombarded")] == ["Garnet", "Hesper"]
    assert [data["planet"] for data in played.of("army_round")] == ["Garnet", "Hesper"]
    assert [sides for sides, _ in played.drawn] == [10, 10, 10, 10, 2, 2, 10, 10, 10, 10]


@pytest.mark.rule("LC-R77", "LC-R66")
def test_contested_landings_are_by_planet_number_and_then_by_army_number() -> None:
    document = duel(
        units="F1 Terrans Bastion, F2 Terrans Bastion, F3 Terrans Calyx, A9 Terrans F1, A4 Terrans F2, A1 Terrans F3,"
        "F8 Bastion Bastion, F7 Calyx Calyx",
        relations="Terrans war Bastion, Terrans war Calyx",
    )
    played = move(document, "Land A1 on Calyx\nLand A9, A4 on Bastion", [9, 9, 1, 9, 1])
    assert [data["unit"] for data in played.of("landed")] == ["A4", "A9", "A1"]


@pytest.mark.rule("LC-R78")
def test_armies_aboard_and_fleets_in_orbit_have_no_part_in_the_other_battle() -> None:
    document = duel(
        {"traits": ["Ferocious"]},
        units="F1 Terrans Bastion, A1 Terrans F1, A2 Terrans Bastion, A11 Bastion Bastion, F9 Zorg Bastion",
        relations="Terrans war Bastion, Zorg war Bastion",
    )
    played = move(document, "Pass", [3, 3])
    assert [list(found) for found in rounds(played, "army_round")] == [["A2", "A11"]]
    assert rounds(played) == []


@pytest.mark.rule("LC-R83")
def test_there_is_no_battle_in_turn_0_or_on_a_skip_or_in_the_npc_phase() -> None:
    tables = {"units": "F1 Terrans Bastion, F2 Bastion Bastion", "relations": WAR}
    assert rounds(play(duel(turn=0, **tables), [("Terrans", "Pass"), ("Zorg", "Pass")])) == []
    assert rounds(play(duel(**tables), ["the deadline passes", ("Zorg", "Pass")])) == []


# --- Modifiers -----------------------------------------------------------------------------------------------------------


def fleet_modifiers(
    terrans: dict[str, Any] | None = None, zorg: dict[str, Any] | None = None, *, planet: str = "Garnet", **tables: Any
) -> tuple[int, int]:
    """What is added to the dice of F1 of Terrans and F9 of Zorg above that planet."""
    tables = {"relations": "Terrans war Zorg", **tables}
    document = duel(terrans, zorg, units=f"F1 Terrans {planet}, F9 Zorg {planet}", **tables)
    played = move(document, "Pass", [10, 1])
    ((mine, theirs),) = [tuple(total - die for die, total in found.values()) for found in rounds(played)]
    return mine, theirs


@pytest.mark.rule("LC-49", "LC-R80", "LC-18")
@pytest.mark.parametrize(
    ("terrans", "zorg", "modifiers"),
    [
        ({}, {"home_planet": ""}, (0, 0)),
        ({}, {}, (0, 1)),
        ({"traits": ["Warlike"]}, {"traits": ["Warlike"]}, (1, 1)),
        ({"traits": ["Vigilant"]}, {"traits": ["Vigilant"]}, (0, 2)),
        ({"traits": ["Ferocious", "Stalwart"]}, {"traits": ["Ferocious", "Stalwart"]}, (0, 1)),
        ({"technologies": ["Ion Cannons"]}, {"technologies": ["Ion Cannons"]}, (1, 1)),
        ({"technologies": ["Ion Cannons", "Fusion Lances"], "traits": ["Warlike"]}, {}, (3, 1)),
        ({"technologies": ["Deflectors"]}, {"technologies": ["Deflectors", "Aegis Shields"], "traits": ["Vigilant"]}, (0, 4)),
    ],
)
def test_fleet_modifiers_of_traits_technologies_and_home(
    terrans: dict[str, Any], zorg: dict[str, Any], modifiers: tuple[int, int]
) -> None:
    assert fleet_modifiers(terrans, zorg) == modifiers


@pytest.mark.rule("LC-R80", "LC-18", "LC-R25")
def test_orbital_guns_and_the_home_bonus_help_defenders_of_the_planet_only() -> None:
    assert fleet_modifiers(planets="Garnet Zorg: Orbital Guns") == (0, 2)
    assert fleet_modifiers(planets="Garnet Zorg: Barracks") == (0, 1)
    assert fleet_modifiers(planets="Garnet Zorg: Orbital Guns", options={"home_defense": 3}) == (0, 4)
    # Terrans fight to free their own home: they attack, and Zorg blockades.
    assert fleet_modifiers(planet="Aquila", planets="Aquila Terrans: Orbital Guns") == (0, 0)
    # A third State's planet helps nobody but its owner and his partners.
    wars = "Terrans war Zorg, Terrans war Bastion, Zorg war Bastion"
    assert fleet_modifiers(planet="Bastion", planets="Bastion: Orbital Guns", relations=wars) == (0, 0)
    pact = "Terrans war Zorg, Terrans war Bastion, Zorg pact Bastion"
    assert fleet_modifiers(planet="Bastion", planets="Bastion: Orbital Guns", relations=pact) == (0, 1)


@pytest.mark.rule("LC-R25", "LC-18")
def test_the_home_bonus_is_also_that_of_the_owners_partners() -> None:
    document = duel(
        others=[state("Qix", home="Quill")],
        planets="Quill Qix; Garnet Zorg: Orbital Guns",
        units="F1 Terrans Garnet, F8 Qix Garnet",
        relations="Terrans war Zorg, Terrans war Qix, Zorg pact Qix",
    )
    assert rounds(move(document, "Pass", [1, 5])) == [{"F1": (1, 1), "F8": (5, 7)}]


@pytest.mark.rule("LC-R26", "LC-18")
def test_a_captured_home_planet_gives_nobody_a_bonus() -> None:
    """Aquila, home of Terrans, is Zorg's."""
    tables = {
        "planets": "Aquila Zorg; Eridu Terrans",
        "units": "F1 Terrans Aquila, F9 Zorg Aquila",
        "relations": "Terrans war Zorg",
    }
    assert rounds(move(duel(**tables), "Pass", [1, 5])) == [{"F1": (1, 1), "F9": (5, 5)}]


@pytest.mark.rule("LC-R27", "LC-18")
def test_npc_states_have_a_home_bonus_by_option_only() -> None:
    tables = {"units": "F1 Terrans Bastion, F9 Bastion Bastion", "relations": WAR}
    assert rounds(move(duel(**tables), "Pass", [1, 5])) == [{"F1": (1, 1), "F9": (5, 5)}]
    assert rounds(move(duel(**tables), "Pass", [1, 5], npc_home_bonus=True)) == [{"F1": (1, 1), "F9": (5, 6)}]


@pytest.mark.rule("LC-R80")
def test_a_modified_total_may_exceed_10_and_a_plain_10_is_nothing_special() -> None:
    document = duel({"traits": ["Warlike"]}, units="F1 Terrans Bastion, F9 Bastion Bastion", relations=WAR)
    assert rounds(move(document, "Pass", [10, 10])) == [{"F1": (10, 11), "F9": (10, 10)}]


@pytest.mark.rule("LC-59", "LC-R80", "LC-18")
@pytest.mark.parametrize(
    ("terrans", "zorg", "resource", "modifiers"),
    [
        ({}, {"home_planet": ""}, "Mines", (0, 0)),
        ({}, {}, "Mines", (0, 1)),
        ({"traits": ["Ferocious"]}, {"traits": ["Ferocious"]}, "Mines", (1, 1)),
        ({"traits": ["Stalwart"]}, {"traits": ["Stalwart"]}, "Mines", (0, 2)),
        ({"traits": ["Warlike", "Vigilant"]}, {"traits": ["Warlike", "Vigilant"]}, "Orbital Guns", (0, 1)),
        ({}, {}, "Barracks", (0, 2)),
        ({"technologies": ["Powered Armour", "Drop Troops"]}, {"technologies": ["Bunkers", "Citadels"]}, "Barracks", (2, 4)),
        ({"technologies": ["Bunkers"]}, {"technologies": ["Powered Armour"]}, "Mines", (0, 1)),
    ],
)
def test_army_modifiers(terrans: dict[str, Any], zorg: dict[str, Any], resource: str, modifiers: tuple[int, int]) -> None:
    document = duel(
        terrans,
        zorg,
        units="A1 Terrans Garnet, A9 Zorg Garnet",
        relations="Terrans war Zorg",
        planets=f"Garnet Zorg: {resource}",
    )
    played = move(document, "Pass", [10, 1])
    (found,) = rounds(played, "army_round")
    assert tuple(total - die for die, total in found.values()) == modifiers


# --- Armies --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-58", "LC-59", "LC-60", "LC-63", "LC-R89")
def test_a_higher_score_of_the_attacker_destroys_a_defending_army() -> None:
    played = armies(1, 1, [6, 5])
    assert rounds(played, "army_round") == [{"A1": (6, 6), "A11": (5, 5)}]
    assert (played.where("A1"), played.where("A11"), played.owner("Bastion")) == ("Bastion", "", "Terrans")


@pytest.mark.rule("LC-61")
def test_a_higher_score_of_the_defender_destroys_an_attacking_army() -> None:
    played = armies(1, 1, [5, 6])
    assert (played.where("A1"), played.where("A11"), played.owner("Bastion")) == ("", "Bastion", "Bastion")


@pytest.mark.rule("LC-62", "LC-R75")
def test_equal_scores_send_an_attacking_army_back_to_its_fleet() -> None:
    played = armies(1, 1, [6, 6])
    assert (played.where("A1"), played.where("A11"), played.owner("Bastion")) == ("F1", "Bastion", "Bastion")


@pytest.mark.rule("LC-63", "LC-59", "LC-R69", "LC-R70")
def test_army_match_ups_go_on_until_one_side_is_left() -> None:
    played = armies(2, 2, [7, 2, 5, 4, 9, 3, 9, 8, 1])
    assert [list(found) for found in rounds(played, "army_round")] == [
        ["A1", "A2", "A11", "A12"],
        ["A1", "A2", "A11"],
        ["A1", "A11"],
    ]
    assert [played.where(unit) for unit in ("A1", "A2", "A11", "A12")] == ["Bastion", "F2", "", ""]


@pytest.mark.rule("LC-R75", "LC-62")
def test_where_a_withdrawing_army_goes() -> None:
    other = duel(
        units="A1 Terrans Bastion, A9 Bastion Bastion, A5 Terrans F5, F5 Terrans Bastion, F7 Terrans Bastion,"
        "F8 Terrans Bastion",
        relations=WAR,
    )
    assert move(other, "Pass", [4, 4]).where("A1") == "F7"
    nowhere = duel(units="A1 Terrans Bastion, A9 Bastion Bastion, F5 Terrans Bastion, A5 Terrans F5", relations=WAR)
    assert move(nowhere, "Pass", [4, 4]).where("A1") == ""
    left = duel(units="F1 Terrans Bastion, A1 Terrans F1, A9 Bastion Bastion, F2 Terrans Bastion", relations=WAR)
    assert move(left, "Land A1 on Bastion\nMove F1 to Aquila", [4, 4]).where("A1") == "F2"
    refilled = duel(units="F1 Terrans Bastion, A1 Terrans F1, A2 Terrans Bastion, A9 Bastion Bastion", relations=WAR)
    played = move(refilled, "Land A1 on Bastion\nLoad A2 onto F1", [4, 4])
    assert (played.where("A1"), played.where("A2")) == ("", "F1")


@pytest.mark.rule("LC-R75", "LC-78")
def test_an_army_that_came_by_portal_withdraws_through_it() -> None:
    """Bastion belongs to Qix, a partner of Terrans, but Zorg's army stands there."""
    document = duel(
        others=[state("Qix", home="Quill")],
        planets="Aquila Terrans: Portal; Bastion Qix: Portal; Quill Qix",
        units="A1 Terrans Aquila, A9 Zorg Bastion",
        relations="Terrans pact Qix, Terrans war Zorg, Zorg war Qix",
    )
    played = move(document, "Move A1 from Aquila to Bastion by portal", [4, 4])
    assert (played.where("A1"), played.where("A9")) == ("Aquila", "Bastion")


@pytest.mark.rule("LC-R79", "LC-R71", "LC-58")
def test_armies_of_all_enemies_defend_together_in_listing_order() -> None:
    document = duel(
        others=[state("Qix", home="Quill")],
        planets="Quill Qix",
        units="A9 Terrans Bastion, A1 Bastion Bastion, A8 Qix Bastion, A7 Zorg Bastion, A3 Zorg Bastion",
        relations="Terrans war Zorg, Terrans war Qix, Terrans war Bastion, Zorg war Bastion, Qix war Bastion",
    )
    played = move(document, "Pass", [1, 2, 3, 4, 5])
    assert list(rounds(played, "army_round")[0]) == ["A9", "A3", "A7", "A8", "A1"]


# --- Bombardment ---------------------------------------------------------------------------------------------------------


def bombard(text: str, dice: Iterable[int], planets: str = "", units: str = "", relations: str = WAR, **fields: Any) -> Played:
    return move(duel(planets=planets, units=units, relations=relations, **fields), text, dice)


@pytest.mark.rule("LC-55", "LC-56", "LC-57", "LC-R82")
@pytest.mark.parametrize(
    ("roll", "resources", "gone"),
    [(1, ["Farmland"], ""), (2, ["Mines"], ""), (3, ["Mines", "Farmland"], "A3"), (4, ["Mines", "Farmland"], "A5")],
)
def test_a_bombardment_removes_a_random_resource_or_enemy_army(roll: int, resources: list[str], gone: str) -> None:
    units = "F1 Terrans Bastion, A5 Bastion Bastion, A3 Bastion Bastion, A4 Qix Bastion"
    played = bombard(
        "Bombard Bastion with F1",
        [roll],
        "Bastion: Mines, Farmland; Quill Qix",
        units,
        others=[state("Qix", home="Quill")],
        relations="Terrans war Bastion, Qix pact Bastion",
    )
    assert played.drawn == ((4, roll),)
    assert played.resources("Bastion") == resources
    assert [unit for unit in ("A3", "A4", "A5") if not played.where(unit)] == ([gone] if gone else [])


@pytest.mark.rule("LC-R82", "LC-R79")
def test_the_armies_of_several_enemies_are_counted_in_listing_order() -> None:
    """Zorg comes before Bastion in the list, whatever the numbers."""
    for roll, gone in ((1, "A7"), (2, "A8"), (3, "A2")):
        played = bombard(
            "Bombard Bastion",
            [roll],
            units="F1 Terrans Bastion, A2 Bastion Bastion, A8 Zorg Bastion, A7 Zorg Bastion",
            relations="Terrans war Bastion, Terrans war Zorg, Zorg war Bastion",
        )
        assert [unit for unit in ("A2", "A7", "A8") if not played.where(unit)] == [gone]


@pytest.mark.rule("LC-R82")
def test_one_candidate_needs_no_die_and_none_fails() -> None:
    one = bombard("Bombard Bastion", [], "Bastion: Mines", "F1 Terrans Bastion")
    assert (one.resources("Bastion"), one.drawn) == ([], ())
    none = bombard("Bombard Bastion", [], "", "F1 Terrans Bastion")
    assert none.failed == [("Bombard Bastion", "F1", "no_target")]


@pytest.mark.rule("LC-R82")
def test_a_shield_generator_is_hit_instead_without_a_die() -> None:
    played = bombard(
        "Bombard Bastion", [], "Bastion: Mines, Shield Generator, Farmland", "F1 Terrans Bastion, A1 Bastion Bastion"
    )
    assert (played.resources("Bastion"), played.where("A1"), played.drawn) == (["Mines", "Farmland"], "Bastion", ())


@pytest.mark.rule("LC-R82")
def test_several_fleets_bombard_one_after_the_other_with_new_candidates() -> None:
    played = bombard(
        "Bombard Bastion",
        [3, 1],
        "Bastion: Mines, Farmland, Portal",
        "F2 Terrans Bastion, F1 Terrans Bastion, F3 Terrans Bastion",
    )
    assert (played.drawn, played.resources("Bastion")) == (((3, 3), (2, 1)), [])
    shield = bombard(
        "Bombard Bastion with F2 and F1",
        [2],
        "Bastion: Mines, Shield Generator, Farmland",
        "F2 Terrans Bastion, F1 Terrans Bastion",
    )
    assert shield.resources("Bastion") == ["Mines"]
    assert [data["unit"] for data in shield.of("bombarded")] == ["F2", "F1"]


@pytest.mark.rule("LC-55", "LC-R81", "LC-R58")
@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Bombard Bastion with F1", []),
        ("Bombard Bastion with F2", ["not_there"]),
        ("Move F2 to Bastion\nBombard Bastion with F2", ["already_moved"]),
        ("Bombard Bastion with F1\nBombard Bastion with F1", ["already_moved"]),
        ("Bombard Bastion with F1\nMove F1 to Aquila", ["already_moved"]),
        ("Move F1 to Aquila\nBombard Bastion with F1", ["not_there"]),
        ("Bombard Aquila with F2", ["not_at_war"]),
        ("Disband F1\nBombard Bastion with F1", ["not_your_unit"]),
        ("Bombard Bastion with F1\nBombard Bastion", ["not_enough_units"]),
        ("Bombard Bastion with 2 fleets", ["not_enough_units"]),
        ("Bombard Bastion with all fleets", []),
    ],
)
def test_the_checks_of_bombardment(text: str, reasons: list[str]) -> None:
    played = bombard(text, [], "Bastion: Mines", "F1 Terrans Bastion, F2 Terrans Aquila")
    assert played.reasons == reasons


@pytest.mark.rule("LC-R81", "LC-54")
@pytest.mark.parametrize(("dice", "reasons"), [([9, 1], []), ([1, 9], ["fleet_lost"]), ([5, 5], ["fleet_withdrew"])])
def test_a_bombardment_comes_after_the_fleet_battle(dice: list[int], reasons: list[str]) -> None:
    played = bombard("Bombard Bastion with F1", dice, "Bastion: Mines", "F1 Terrans Bastion, F9 Bastion Bastion")
    assert (played.reasons, played.resources("Bastion")) == (reasons, ["Mines"] if reasons else [])


@pytest.mark.rule("LC-R81", "LC-R77")
def test_the_army_of_a_bombarding_fleet_may_land() -> None:
    units = "F1 Terrans Bastion, A1 Terrans F1, A9 Bastion Bastion"
    played = bombard("Bombard Bastion with F1\nLand A1 on Bastion", [], "", units)
    assert (played.where("A9"), played.where("A1"), played.owner("Bastion")) == ("", "Bastion", "Terrans")
    for text in ("Land A1 on Bastion\nBombard Bastion with F1", "Bombard Bastion with F1\nLand A1 on Bastion"):
        contested = bombard(text, [9, 1], "", f"{units}, F9 Bastion Bastion")
        assert (contested.owner("Bastion"), contested.failed, contested.where("A9")) == ("Terrans", [], "")
        assert [kind for kind in contested.kinds() if kind in ("bombarded", "landed")] == ["bombarded", "landed"]


# --- Ownership -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-90", "LC-R89", "LC-R90")
def test_a_planet_changes_hands_with_its_resources_and_nothing_else() -> None:
    document = duel(
        {"credits": 0},
        {"technologies": ["Commerce"]},
        units="F1 Terrans Garnet, A1 Terrans F1, A8 Zorg F8, F8 Zorg Umbra",
        relations="Terrans war Zorg",
        planets="Garnet Zorg: Mines, Portal; Umbra Zorg",
    )
    played = move(document, "Land A1 on Garnet")
    assert (played.owner("Garnet"), played.resources("Garnet")) == ("Terrans", ["Mines", "Portal"])
    assert (played.credits("Terrans"), played.credits("Zorg"), played.state("Terrans")["technologies"]) == (0, 100, [])
    assert played.units("Zorg") == ["F8", "A8"]
    assert played.state("Zorg")["home_planet"] == "Garnet"


@pytest.mark.rule("LC-R89")
@pytest.mark.parametrize(
    ("units", "relations", "owner"),
    [
        ("F1 Terrans Bastion", WAR, "Bastion"),
        ("F1 Terrans Bastion, A1 Terrans F1", WAR, "Bastion"),
        ("A1 Terrans Bastion", WAR, "Terrans"),
        ("A1 Terrans Bastion", "Terrans pact Bastion", "Bastion"),
        ("A1 Terrans Bastion, A2 Zorg Bastion", "Terrans war Bastion, Zorg war Bastion", "Terrans"),
        ("A1 Zorg Bastion", "Zorg war Bastion", "Bastion"),
    ],
)
def test_who_takes_a_planet(units: str, relations: str, owner: str) -> None:
    assert move(duel(units=units, relations=relations), "Pass").owner("Bastion") == owner


@pytest.mark.rule("LC-R89", "LC-63")
def test_an_army_beaten_off_takes_nothing() -> None:
    assert armies(1, 1, [4, 4]).owner("Bastion") == "Bastion"
    assert armies(1, 0, []).owner("Bastion") == "Terrans"

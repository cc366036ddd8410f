"""Combat (7.4): numbers, several attackers, undefended and independent systems."""

from typing import Any

import pytest

from tests.rulesets.cosmic_conquest.harness import Played, faction, fault, play, position, receive

HEADS, TAILS = 1, 2


def duel(attack: str, defense: str, dice: list[int], red: Any = None, green: Any = None, **options: Any) -> Played:
    """Red at Alpha Centauri attacks Green at Procyon; each has 20 units. The orders are the force and what follows it."""
    start = position(
        "Alpha Centauri 20 Red, Procyon 20 Green",
        red or faction("Red", "psionic", drones=5),
        green or faction("Green", "psionic", drones=5),
    )
    orders = [("Red", f"Conquer Procyon with {attack}")]
    orders.append(("Green", f"Defend Procyon with {defense}" if defense else "Pass"))
    # Whoever loses the only system is out, so that nothing else is drawn.
    return play(start, orders, dice, **options)


@pytest.mark.rule("CC-52", "CC-54", "CC-R02", "CC-95", "CC-R04", "CC-83")
def test_each_side_adds_its_units_and_three_for_each_drone_to_its_own_die() -> None:
    played = duel("7 units and 2 drones", "6 units and 1 drone", [3, 9])
    assert played.combats() == [("Procyon", "Red", 3 + 7 + 6, 9 + 6 + 3, False)]
    assert played.drawn == ((10, 3), (10, 9))


@pytest.mark.rule("CC-55", "CC-R03")
@pytest.mark.parametrize(("die", "won"), [(5, False), (6, True)])
def test_the_attacker_needs_a_higher_number(die: int, won: bool) -> None:
    played = duel("10 units", "10 units", [die, 5])
    assert played.system("Procyon")[0] == ("Red" if won else "Green")
    assert [combat["won"] for combat in played.of("combat")] == [won]


@pytest.mark.rule("CC-82", "CC-R14")
def test_a_system_without_units_on_defense_falls_to_one_unit_without_dice() -> None:
    green = faction("Green", "psionic", "defender", drones=2)
    played = duel("1 unit", "", [], green=green)
    assert played.system("Procyon")[0] == "Red"
    assert played.of("undefended") == [{"system": "Procyon", "attackers": ["Red"]}]
    assert played.of("combat") == []


@pytest.mark.rule("CC-R14", "CC-R43")
def test_nobody_fails_where_nothing_was_rolled() -> None:
    start = position(
        "Alpha Centauri 20 Red, Procyon 20 Green, Rigel 10 Green",
        faction("Red", "psionic"),
        faction("Green", "psionic"),
    )
    orders = [("Red", "Conquer Procyon with 1 unit led by the admiral\nPsychic Assault on the defense of Procyon")]
    played = play(start, [*orders, ("Green", "Pass")])
    assert played.of("admiral_toss") == []
    assert played.of("assault") == [{"by": "Red", "target": "the defense of Procyon", "effect": "nothing to disrupt"}]


def three(red: str, purple: str, green: str, dice: list[int], green_faction: Any = None, **options: Any) -> Played:
    """Red and Purple attack Green at Alpha Centauri, from Sol and Procyon; red's mail comes first."""
    start = position(
        "Sol 20 Red, Procyon 20 Purple, Alpha Centauri 20 Green, Rigel 10 Green",
        faction("Red", "psionic", drones=9),
        faction("Purple", "psionic", drones=9),
        green_faction or faction("Green", "psionic", drones=9),
    )
    orders = [(seat, text) for seat, text in (("Red", red), ("Purple", purple), ("Green", green)) if text]
    return play(start, orders, dice, **options)


def conquer(force: str) -> str:
    return f"Conquer Alpha Centauri with {force}"


@pytest.mark.rule("CC-56", "CC-57", "CC-R11", "CC-R12", "CC-R10")
def test_a_defense_is_spread_over_the_attackers_with_the_rest_against_the_top_one() -> None:
    played = three(conquer("3 units"), conquer("4 units"), "Defend Alpha Centauri with 7 units and 3 drones", [1, 1, 1, 1])
    assert played.parts("defense_parts", "Alpha Centauri", "Red") == {
        "die": 1, "units": 3, "drones": 1, "drone_bonus": 3, "total": 7
    }  # fmt: skip
    assert played.parts("defense_parts", "Alpha Centauri", "Purple") == {
        "die": 1, "units": 4, "drones": 2, "drone_bonus": 6, "total": 11
    }  # fmt: skip


@pytest.mark.rule("CC-R12")
def test_the_top_attacker_has_most_units_then_most_drones_then_came_first() -> None:
    cases = [
        ("3 units and 1 drone", "3 units", "Red"),
        ("3 units", "3 units and 1 drone", "Purple"),
        ("3 units", "3 units", "Red"),
        ("3 units and 9 drones", "4 units", "Purple"),
    ]
    for red, purple, top in cases:
        played = three(conquer(red), conquer(purple), "Defend Alpha Centauri with 19 units", [1, 10, 1, 10])
        units = {data["attacker"]: data["parts"]["units"] for data in played.of("defense_parts")}
        assert units[top] == 10
        assert sorted(units.values()) == [9, 10]


@pytest.mark.rule("CC-R11", "CC-10")
def test_leader_traits_and_assault_count_in_full_against_each_attacker_and_each_has_new_dice() -> None:
    green = faction("Green", "psionic", "defender", cv=6)
    red = f"{conquer('3 units')}\nPsychic Assault on the defense of Alpha Centauri"
    played = three(red, conquer("4 units"), "Defend Alpha Centauri with 8 units led by the admiral", [2, 3, 4, 5], green)
    numbers = [number for _, _, _, number, _ in played.combats()]
    assert numbers == [3 + 4 + 6 + 2 - 2, 5 + 4 + 6 + 2 - 2]
    assert [roll for _, roll in played.drawn] == [2, 3, 4, 5]


@pytest.mark.rule("CC-R13")
def test_a_share_of_no_units_still_rolls_and_has_its_drones() -> None:
    played = three(conquer("5 units"), conquer("6 units"), "Defend Alpha Centauri with 1 unit and 2 drones", [9, 9, 1, 10])
    assert played.parts("defense_parts", "Alpha Centauri", "Red") == {"die": 9, "drones": 1, "drone_bonus": 3, "total": 12}
    assert played.system("Alpha Centauri")[0] == "Red"


@pytest.mark.rule("CC-58", "CC-R15", "CC-R17", "CC-R19")
def test_of_several_winners_the_one_with_most_units_gets_the_system_which_is_halved_once() -> None:
    played = three(conquer("3 units and 3 drones"), conquer("4 units"), "Defend Alpha Centauri with 1 unit", [9, 1, 9, 1])
    assert [combat["won"] for combat in played.of("combat")] == [True, True]
    assert played.system("Alpha Centauri") == ("Purple", 10, 0)
    # Red won, too: nothing of its is lost, and it has nothing.
    assert played.faction("Red")["drones"] == 9
    assert played.of("tie_toss") == []


@pytest.mark.rule("CC-59", "CC-R16")
@pytest.mark.parametrize(("coin", "winner"), [(HEADS, "Red"), (TAILS, "Purple")])
def test_equal_winners_toss_a_coin_and_heads_is_the_earlier(coin: int, winner: str) -> None:
    played = three(conquer("4 units"), conquer("4 units"), "Defend Alpha Centauri with 1 unit", [9, 1, 9, 1, coin])
    assert played.system("Alpha Centauri")[0] == winner
    assert played.of("tie_toss") == [{"system": "Alpha Centauri", "colours": ["Red", "Purple"], "winner": winner}]
    assert played.drawn[-1] == (2, coin)


@pytest.mark.rule("CC-R16", "CC-R14", "CC-58")
def test_three_equal_winners_roll_a_die_of_three_sides_without_a_fight_as_well() -> None:
    start = position(
        "Alpha Centauri 20 Red, Procyon 20 Purple, Castor 20 Teal, Sirius 20 Green, Rigel 5 Green",
        *(faction(colour, "psionic") for colour in ("Red", "Purple", "Teal", "Green")),
    )
    orders = [(colour, "Conquer Sirius with 4 units") for colour in ("Teal", "Red", "Purple")]
    played = play(start, [*orders, ("Green", "Pass")], [2])
    assert played.drawn == ((3, 2),)
    assert played.system("Sirius")[0] == "Red"


@pytest.mark.rule("CC-R18", "CC-98")
@pytest.mark.parametrize("lost", [True, False])
def test_a_defense_fails_as_a_whole_when_the_system_is_lost(lost: bool) -> None:
    dice = [10, 1, 1, 10] if lost else [1, 10, 1, 10]
    played = three(conquer("5 units"), conquer("5 units"), "Defend Alpha Centauri with 4 units and 3 drones", dice)
    assert played.faction("Green")["drones"] == (6 if lost else 9)


@pytest.mark.rule("CC-78", "CC-R24", "CC-79", "CC-80")
def test_independents_defend_with_ten_units_whatever_their_output_and_do_nothing_else() -> None:
    start = position("Sol 20 Red, Sirius 3, Groombridge 25, Rigel 20 Green", faction("Red", "psionic"), faction("Green"))
    orders = [("Red", "Conquer Sirius with 8 units\nConquer Groombridge with 9 units"), ("Green", "Pass")]
    played = play(start, orders, [5, 4, 10, 9])
    assert played.combats() == [("Groombridge", "Red", 14, 14, False), ("Sirius", "Red", 18, 19, False)]
    assert (played.system("Sirius"), played.system("Groombridge")) == (("", 3, 0), ("", 25, 0))
    assert played.system("Sol") == ("Red", 20, 0)


@pytest.mark.rule("CC-R24", "CC-R11")
def test_the_units_of_independents_are_spread_over_their_attackers() -> None:
    start = position("Sol 20 Red, Procyon 20 Purple", faction("Red", "psionic"), faction("Purple", "psionic"))
    orders = [(colour, "Conquer Alpha Centauri with 6 units") for colour in ("Purple", "Red")]
    played = play(start, orders, [1, 1, 1, 1], independent_units=11)
    assert [(attacker, defense) for _, attacker, _, defense, _ in played.combats()] == [("Purple", 7), ("Red", 6)]


@pytest.mark.rule("CC-R06", "CC-R08", "CC-40")
def test_two_factions_that_attack_each_other_can_swap_systems() -> None:
    start = position("Alpha Centauri 20 Red, Procyon 20 Green", faction("Red", "psionic"), faction("Green", "psionic"))
    orders = [("Red", "Conquer Procyon with 20 units"), ("Green", "Conquer Alpha Centauri with 20 units")]
    played = play(start, orders)
    assert (played.system("Procyon")[0], played.system("Alpha Centauri")[0]) == ("Red", "Green")
    assert played.of("eliminated") == []


@pytest.mark.rule("CC-R06", "CC-R89")
def test_a_system_taken_this_turn_is_defended_by_its_former_owner_only() -> None:
    start = position("Sol 20 Red, Sirius 10 Green, Rigel 9 Green", faction("Red"), faction("Green"))
    assert fault(start, "Red", "Conquer Sirius with 5 units\nDefend Sirius with 5 units") == "you do not hold Sirius"


@pytest.mark.rule("CC-R05", "CC-29", "CC-31", "CC-R02")
def test_traits_and_technology_count_without_a_leader() -> None:
    red, green = faction("Red", "tachyon", "conqueror", drones=1), faction("Green", "biomech", "defender", drones=1)
    played = duel("5 units and 1 drone", "5 units and 1 drone", [1, 1], red, green)
    assert played.combats()[0][2:4] == (1 + 5 + 4 + 2 + 1, 1 + 5 + 5 + 2)


@pytest.mark.rule("CC-30", "CC-32")
def test_weak_and_unprepared_take_two_away_and_numbers_can_be_below_zero() -> None:
    red, green = faction("Red", "psionic", "weak"), faction("Green", "psionic", "unprepared")
    played = duel("1 unit", "1 unit", [1, 1], red, green)
    assert played.combats()[0][2:4] == (0, 0)


@pytest.mark.rule("CC-R02")
def test_the_defense_may_roll_once_for_all_attackers_or_not_at_all() -> None:
    forces = (conquer("3 units"), conquer("3 units"), "Defend Alpha Centauri with 8 units")
    once = three(*forces, [9, 1, 2], defense_roll="once")
    assert [defense for _, _, _, defense, _ in once.combats()] == [13, 13]
    assert [attack for _, _, attack, _, _ in once.combats()] == [4, 5]
    none = three(*forces, [1, 2], defense_roll="none")
    assert [defense for _, _, _, defense, _ in none.combats()] == [4, 4]


@pytest.mark.rule("CC-53", "CC-R07")
def test_only_neighbours_can_be_attacked_and_no_origin_is_named() -> None:
    start = position("Sol 20 Red, Rigel 20 Green", faction("Red"), faction("Green"))
    words = "Vega is not adjacent to any system of yours that can launch an attack"
    assert fault(start, "Red", "10 Resource Units for Conquest of Vega") == words
    assert fault(start, "Red", "Conquer Sol with 10 units") == "you hold Sol already"
    assert receive(start, "Red", "Conquer Sirius with 10 units").filed


@pytest.mark.rule("CC-R25", "CC-R26", "CC-R09", "CC-R27")
def test_units_are_spent_and_those_not_assigned_are_lost() -> None:
    start = position("Sol 12 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    text = "Conquer Sirius with 2 units\nConquer Groombridge with 1 unit\nAttack Sirius with 3 units"
    played = play(start, [("Red", text), ("Green", "Pass")], [1, 10, 1, 10])
    assert [(system, attack) for system, _, attack, _, _ in played.combats()] == [("Groombridge", 2), ("Sirius", 6)]
    assert (played.units("Red"), played.units("Green")) == (12, 9)

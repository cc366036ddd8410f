"""Conquest (7.5): what is left of the output, and elimination (7.6)."""

import pytest

from tests.rulesets.cosmic_conquest.harness import Played, faction, play, position


def taken(output: int, traits: str = "", defense: str = "Pass", dice: tuple[int, ...] = (), **options: object) -> Played:
    """Red takes Procyon of that output from Green, without a fight unless there is a defense."""
    start = position(
        f"Alpha Centauri 30 Red, Procyon {output} Green, Rigel 20 Green", faction("Red", "psionic", traits), faction("Green")
    )
    return play(start, [("Red", "Conquer Procyon with 30 units"), ("Green", defense)], dice, **options)


@pytest.mark.rule("CC-60", "CC-R20", "CC-R21", "CC-35", "CC-36", "CC-62", "CC-R22")
@pytest.mark.parametrize(
    ("output", "plain", "diplomat", "arrogant"), [(10, 5, 6, 4), (15, 7, 8, 6), (1, 0, 1, 0), (0, 0, 0, 0), (35, 17, 18, 16)]
)
def test_conquest_halves_the_output_and_the_conquerors_trait_counts(
    output: int, plain: int, diplomat: int, arrogant: int
) -> None:
    assert taken(output).system("Procyon") == ("Red", plain, 0)
    assert taken(output, "diplomat").system("Procyon") == ("Red", diplomat, 0)
    assert taken(output, "arrogant").system("Procyon") == ("Red", arrogant, 0)


@pytest.mark.rule("CC-R21")
def test_the_traits_of_the_loser_do_not_count() -> None:
    start = position(
        "Alpha Centauri 30 Red, Procyon 10 Green, Rigel 9 Green", faction("Red"), faction("Green", traits="diplomat")
    )
    played = play(start, [("Red", "Conquer Procyon with 1 unit"), ("Green", "Pass")])
    assert played.of("conquest") == [{"system": "Procyon", "from": "Green", "to": "Red", "before": 10, "after": 5}]


@pytest.mark.rule("CC-R20")
@pytest.mark.parametrize(("output", "left"), [(15, 8), (1, 1), (10, 5), (0, 0)])
def test_halves_can_be_rounded_up(output: int, left: int) -> None:
    assert taken(output, halve="up").system("Procyon")[1] == left


@pytest.mark.rule("CC-R22")
def test_a_system_taken_from_a_faction_without_a_fight_can_keep_its_output() -> None:
    assert taken(15, "arrogant", halve_undefended=False).system("Procyon")[1] == 15
    fought = taken(15, defense="Defend Procyon with 1 unit", dice=(1, 1), halve_undefended=False)
    assert fought.system("Procyon")[1] == 7
    start = position("Sol 30 Red, Rigel 7 Green", faction("Red", "psionic"), faction("Green"))
    independent = play(start, [("Red", "Conquer Sirius with 30 units"), ("Green", "Pass")], [1, 1], halve_undefended=False)
    assert independent.system("Sirius") == ("Red", 5, 0)


@pytest.mark.rule("CC-R23")
@pytest.mark.parametrize(("option", "left"), [("halved", (20 - 1 + 4) // 2), ("lost", (20 - 1) // 2)])
def test_drones_and_investment_come_before_the_fall(option: str, left: int) -> None:
    defense = "Raise a drone in Procyon\nInvest 20 units in Procyon"
    played = taken(20, defense=defense, conquered_investment=option)
    assert played.system("Procyon")[1] == left
    assert [(data["before"], data["after"]) for data in played.of("conquest")] == [(20 - 1 + 4, left)]
    assert played.faction("Green")["drones"] == 1


@pytest.mark.rule("CC-61")
def test_the_output_comes_back_only_by_investing() -> None:
    after = taken(10).document
    played = play(after, [("Red", "Invest 25 units in Procyon"), ("Green", "Pass")])
    assert played.system("Procyon")[1] == 10
    assert play(after, [("Red", "Pass"), ("Green", "Pass")]).system("Procyon")[1] == 5


@pytest.mark.rule("CC-R32")
def test_the_higher_maximum_of_biomech_matters_to_investing_only() -> None:
    start = position("Alpha Centauri 30 Red, Procyon 35 Green, Rigel 20 Green", faction("Red", "psionic"), faction("Green"))
    assert play(start, [("Red", "Conquer Procyon with 1 unit"), ("Green", "Pass")]).system("Procyon")[1] == 17
    others = position("Sol 35 Red, Rigel 20 Green, Deneb 9 Teal", faction("Red"), faction("Green"), faction("Teal"))
    gone = play(others, [("Green", "Pass"), ("Teal", "Pass")], resigns=["Red"])
    assert gone.system("Sol") == ("", 30, 0)


@pytest.mark.rule("CC-R71", "CC-R44", "CC-73")
def test_a_faction_without_systems_is_eliminated_with_all_it_has() -> None:
    green = faction("Green", "biomech", drones=3, lost_drones=2, empire_turn=2)
    start = position("Alpha Centauri 30 Red, Procyon 10 Green, Rigel 5 Teal", faction("Red", "psionic"), green, faction("Teal"))
    orders = [("Red", "Conquer Procyon with 30 units"), ("Green", "Defend Procyon with 1 unit led by the admiral")]
    # Neither a toss for the admiral nor anything for a successor.
    played = play(start, [*orders, ("Teal", "Pass")], [10, 1])
    green = played.faction("Green")
    assert (green["status"], green["drones"], green["lost_drones"], green["deaths"]) == ("eliminated", 0, 0, 0)
    assert played.of("eliminated") == [{"colour": "Green"}]
    assert played.units("Green") == 0


@pytest.mark.rule("CC-R71")
def test_a_faction_that_loses_all_and_takes_another_system_lives_on() -> None:
    start = position("Alpha Centauri 30 Red, Procyon 10 Green, Rigel 5 Red", faction("Red", "psionic"), faction("Green"))
    played = play(start, [("Red", "Conquer Procyon with 1 unit"), ("Green", "Conquer Alpha Centauri with 1 unit")])
    assert played.faction("Green")["status"] == "active"
    assert played.system("Alpha Centauri") == ("Green", 15, 0)

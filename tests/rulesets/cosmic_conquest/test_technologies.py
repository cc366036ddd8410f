"""The four technologies and their abilities (2.9, 3.5)."""

import pytest

from pbmd.rules import seat_reader
from tests.rulesets.cosmic_conquest.harness import Played, faction, fault, play, position, receive

RED_GREEN = "Alpha Centauri 20 Red, Procyon 20 Green, Rigel 9 Green"


def chrono(text: str = "Sol 12 Red, Sirius 5 Red, Rigel 20 Green, Castor 20 Green", **options: object) -> dict[str, object]:
    return position(text, faction("Red", "chronotech", drones=2), faction("Green", "psionic", drones=2), **options)


@pytest.mark.rule("CC-99", "CC-72")
def test_the_empire_of_a_tachyon_faction_brings_ten() -> None:
    start = position("Sol 1 Red, Rigel 1 Green", faction("Red", "tachyon", empire_turn=1), faction("Green", empire_turn=1))
    played = play(start, [("Red", "Defend Sol with 11 units"), ("Green", "Defend Rigel with 6 units")])
    assert (played.units("Red"), played.units("Green")) == (11, 6)


@pytest.mark.rule("CC-100", "CC-101", "CC-110", "CC-95")
@pytest.mark.parametrize(
    ("tech", "attack", "defense"),
    [("tachyon", 1 + 4 + 1, 4), ("psionic", 1 + 3, 3), ("biomech", 1 + 3, 5), ("chronotech", 4, 3)],
)
def test_what_a_drone_and_the_technology_add(tech: str, attack: int, defense: int) -> None:
    start = position(RED_GREEN, faction("Red", tech, drones=1), faction("Green", tech, drones=1))
    orders = [("Red", "Conquer Procyon with 1 unit and 1 drone"), ("Green", "Defend Procyon with 9 units and 1 drone")]
    played = play(start, orders, [1, 1])
    assert played.combats()[0][2:4] == (1 + attack, 1 + 9 + defense)


@pytest.mark.rule("CC-112", "CC-R28", "CC-R50")
def test_a_time_skip_adds_five_units_to_the_pool_of_this_turn_only() -> None:
    start = chrono()
    assert receive(start, "Red", "Defend Sol with 22 units\nTime Skip in Sirius").filed
    assert fault(start, "Red", "Defend Sol with 23 units\nTime Skip in Sirius") == "needs 23 units, 22 of 22 are left"
    played = play(start, [("Red", "Time Skip in Sirius"), ("Green", "Pass")])
    assert played.units("Red") == 17
    assert played.system("Sirius") == ("Red", 5, 0)


@pytest.mark.rule("CC-R51")
def test_a_time_skip_ignores_the_maximum_and_lifts_no_system_up() -> None:
    full = chrono("Sol 30 Red, Rigel 20 Green")
    assert receive(full, "Red", "Defend Sol with 35 units\nTime Skip in Sol").filed
    empty = chrono("Sol 0 Red, Algol 5 Red, Rigel 20 Green")
    text = "Time Skip in Sol\nConquer Groombridge with 5 units"
    words = "Groombridge is not adjacent to any system of yours that can launch an attack"
    assert fault(empty, "Red", text) == words
    lifting = {**empty, "options": {"time_skip_lifts": True}}
    assert receive(lifting, "Red", text).filed
    assert fault(lifting, "Red", text.replace("Skip in Sol", "Skip in Algol")) == words


@pytest.mark.rule("CC-114", "CC-R53", "CC-R52")
def test_an_attack_on_a_system_in_stasis_is_blocked_without_dice_and_nothing_fails() -> None:
    orders = [
        ("Green", "Conquer Sirius with 20 units and 2 drones led by the admiral"),
        ("Red", "Temporal Stasis on Sirius\nDefend Sirius with 1 unit"),
    ]
    played = play(chrono(), orders)
    assert played.of("attack_blocked") == [{"system": "Sirius", "attackers": ["Green"]}]
    assert played.system("Sirius")[0] == "Red"
    assert (played.faction("Green")["drones"], played.faction("Red")["drones"]) == (2, 2)
    failed = play(chrono(), orders, [1], stasis_is_failure=True)
    assert failed.faction("Green")["drones"] == 0
    assert [toss["died"] for toss in failed.of("admiral_toss")] == [False]


@pytest.mark.rule("CC-115", "CC-R28", "CC-R52")
def test_a_system_in_stasis_yields_nothing_and_launches_nothing_but_can_be_invested_in() -> None:
    start = chrono()
    assert fault(start, "Red", "Temporal Stasis on Sol\nDefend Sol with 6 units") == "needs 6 units, 5 of 5 are left"
    text = "Temporal Stasis on Sol\nConquer Groombridge with 1 unit"
    words = "Groombridge is not adjacent to any system of yours that can launch an attack"
    assert fault(start, "Red", text) == words
    assert receive({**start, "options": {"stasis_blocks_launch": False}}, "Red", text).filed
    played = play(start, [("Red", "Temporal Stasis on Sol\nInvest 4 units in Sol"), ("Green", "Pass")])
    assert played.system("Sol")[1] == 13


@pytest.mark.rule("CC-R52")
def test_a_sabotaged_system_in_stasis_takes_only_its_effective_output_from_the_pool() -> None:
    start = chrono("Sol 12 Red -3, Sirius 5 Red, Rigel 20 Green")
    assert receive(start, "Red", "Temporal Stasis on Sol\nDefend Sol with 5 units").filed


@pytest.mark.rule("CC-R52", "CC-R50")
def test_time_skip_and_stasis_cannot_meet_and_each_comes_once() -> None:
    start = chrono()
    assert fault(start, "Red", "Time Skip in Sol\nTemporal Stasis on Sol") == "Sol has a Time Skip this turn"
    assert fault(start, "Red", "Temporal Stasis on Sol\nTime Skip in Sol") == "Sol is in Temporal Stasis this turn"
    assert receive(start, "Red", "Time Skip in Sol\nTemporal Stasis on Sirius").filed
    assert fault(start, "Red", "Time Skip in Sol\nTime Skip in Sirius") == "only once per turn"
    assert fault(start, "Red", "Temporal Stasis on Sol\nTemporal Stasis on Sirius") == "only once per turn"


@pytest.mark.rule("CC-R54", "CC-114")
def test_stasis_can_be_repeated_turn_after_turn() -> None:
    first = play(chrono(), [("Red", "Temporal Stasis on Sol"), ("Green", "Pass")])
    assert play(first.document, [("Red", "Temporal Stasis on Sol"), ("Green", "Pass")]).system("Sol")[0] == "Red"


@pytest.mark.rule("CC-R50", "CC-R89")
def test_abilities_need_the_technology_and_a_system_of_ones_own() -> None:
    start = chrono()
    assert fault(start, "Green", "Time Skip in Rigel") == "Time Skip is a ChronoTech ability"
    assert fault(start, "Green", "Temporal Stasis on Rigel") == "Temporal Stasis is a ChronoTech ability"
    assert fault(start, "Red", "Psychic Sabotage on Rigel") == "Psychic Sabotage is a Psionic ability"
    assert fault(start, "Red", "Psychic Assault on the defense of Rigel") == "Psychic Assault is a Psionic ability"
    assert fault(start, "Red", "Time Skip in Rigel") == "you do not hold Rigel"
    assert fault(start, "Red", "Temporal Stasis on Vega") == "you do not hold Vega"


# --- Psionic -------------------------------------------------------------------------------------------------------------


def psionics(*more: str) -> dict[str, object]:
    colours = ("Purple", "Teal", *more)
    text = "Sol 12 Red, Procyon 9 Purple, Rigel 9 Teal, Wolf 2 Red"
    return position(text, faction("Red", "biomech"), *(faction(colour, "psionic") for colour in colours))


def sabotage(*orders: tuple[str, str]) -> Played:
    sent = dict(orders)
    return play(psionics(), [(colour, sent.get(colour, "Pass")) for colour in ("Red", "Purple", "Teal")])


@pytest.mark.rule("CC-106", "CC-R55")
def test_a_sabotaged_system_yields_three_units_less_for_one_turn() -> None:
    played = sabotage(("Purple", "Psychic Sabotage on Sol"))
    assert played.system("Sol") == ("Red", 12, 3)
    assert played.units("Red") == 9 + 2
    after = play(played.document, [(colour, "Pass") for colour in ("Red", "Purple", "Teal")])
    assert after.system("Sol") == ("Red", 12, 0)


@pytest.mark.rule("CC-R55", "CC-107", "CC-R07")
def test_sabotages_add_up_but_no_system_yields_less_than_nothing() -> None:
    played = sabotage(("Purple", "Psychic Sabotage on Wolf"), ("Teal", "Psychic Sabotage on Wolf"))
    assert played.system("Wolf") == ("Red", 2, 6)
    assert played.units("Red") == 12
    words = "Altair is not adjacent to any system of yours that can launch an attack"
    assert fault(played.document, "Red", "Conquer Altair with 1 unit") == words


@pytest.mark.rule("CC-R55")
def test_a_sabotage_stays_with_the_system_whoever_holds_it() -> None:
    start = position("Alpha Centauri 9 Red, Procyon 20 Purple, Sol 20 Red", faction("Red"), faction("Purple", "psionic"))
    text = "Psychic Sabotage on Alpha Centauri\nConquer Alpha Centauri with 1 unit"
    played = play(start, [("Red", "Pass"), ("Purple", text)])
    assert played.system("Alpha Centauri") == ("Purple", 4, 3)
    assert played.units("Purple") == 21


@pytest.mark.rule("CC-R55", "CC-R88")
def test_a_sabotage_is_told_to_who_holds_the_system_in_the_end() -> None:
    start = position(
        "Alpha Centauri 9 Red, Procyon 20 Teal, Rigel 9 Purple, Wolf 5 Red",
        faction("Red"), faction("Teal"), faction("Purple", "psionic"),
    )  # fmt: skip
    orders = [
        ("Red", "Pass"),
        ("Teal", "Conquer Alpha Centauri with 1 unit"),
        ("Purple", "Psychic Sabotage on Alpha Centauri"),
    ]
    played = play(start, orders)
    (told,) = [event for event in played.events if event.kind == "sabotaged"]
    assert told.audience == ("Teal",)
    assert "abotage" not in str(played.view(seat_reader("Red"))["own"]["news"])


@pytest.mark.rule("CC-R55")
def test_the_sabotage_of_a_faction_eliminated_this_turn_counts() -> None:
    start = position(
        "Alpha Centauri 9 Red, Procyon 5 Purple, Rigel 5 Teal", faction("Red"), faction("Purple", "psionic"), faction("Teal")
    )
    orders = [("Red", "Conquer Procyon with 1 unit"), ("Purple", "Psychic Sabotage on Rigel"), ("Teal", "Pass")]
    played = play(start, orders)
    assert played.faction("Purple")["status"] == "eliminated"
    assert played.system("Rigel") == ("Teal", 5, 3)


@pytest.mark.rule("CC-R56", "CC-R58")
def test_sabotage_hits_systems_of_other_factions_only_in_stasis_too() -> None:
    assert fault(psionics(), "Purple", "Psychic Sabotage on Procyon") == "Procyon is not held by another faction"
    assert fault(psionics(), "Purple", "Psychic Sabotage on Sirius") == "Sirius is not held by another faction"
    start = position("Sol 12 Red, Procyon 9 Purple", faction("Red", "chronotech"), faction("Purple", "psionic"))
    played = play(start, [("Red", "Temporal Stasis on Sol"), ("Purple", "Psychic Sabotage on Sol")])
    assert played.system("Sol")[2] == 3


@pytest.mark.rule("CC-108", "CC-R57")
def test_assaults_take_two_each_from_an_attack() -> None:
    start = position(
        "Alpha Centauri 20 Red, Procyon 9 Purple, Rigel 9 Teal",
        faction("Red"),
        faction("Purple", "psionic"),
        faction("Teal", "psionic"),
    )
    orders = [
        ("Red", "Conquer Procyon with 9 units"),
        ("Purple", "Defend Procyon with 9 units\nPsychic Assault on Red's attack on Procyon"),
        ("Teal", "Psychic Assault on the attack of Red on Procyon"),
    ]
    played = play(start, orders, [5, 1])
    assert played.combats() == [("Procyon", "Red", 10, 10, False)]
    assert played.parts("attack_parts", "Procyon", "Red")["assault"] == -4
    assert {data["effect"] for data in played.of("assault")} == {"weakened"}


@pytest.mark.rule("CC-R57")
def test_an_assault_weakens_the_defense_of_independents_unless_the_option_forbids_it() -> None:
    start = position("Sol 20 Red, Procyon 9 Purple", faction("Red"), faction("Purple", "psionic"))
    orders = "Psychic Assault on the defense of Alpha Centauri"
    played = play(start, [("Red", "Conquer Alpha Centauri with 9 units"), ("Purple", orders)], [2, 2])
    assert played.combats() == [("Alpha Centauri", "Red", 11, 10, True)]
    strict = {**start, "options": {"assault_independents": False}}
    assert fault(strict, "Purple", orders) == "Alpha Centauri is independent"
    assert fault(start, "Purple", "Psychic Assault on the defense of Procyon") == "you hold Procyon yourself"
    assert fault(start, "Purple", "Psychic Assault on the attack of Purple on Sol") == "you cannot use this on yourself"


@pytest.mark.rule("CC-R57")
@pytest.mark.parametrize(
    ("red", "purple"),
    [
        ("Pass", "Psychic Assault on the attack of Red on Procyon"),
        ("Temporal Stasis on Alpha Centauri", "Psychic Assault on the defense of Alpha Centauri"),
        ("Defend Alpha Centauri with 1 unit", "Psychic Assault on the defense of Alpha Centauri"),
    ],
)
def test_an_assault_that_meets_nothing_is_told_to_its_author_only(red: str, purple: str) -> None:
    start = position("Alpha Centauri 9 Red, Procyon 9 Purple", faction("Red", "chronotech"), faction("Purple", "psionic"))
    played = play(start, [("Red", red), ("Purple", purple)])
    assert [data["effect"] for data in played.of("assault")] == ["nothing to disrupt"]
    assert "nothing to disrupt" in str(played.view(seat_reader("Purple")))
    assert "disrupt" not in str(played.view(seat_reader("Red")))


@pytest.mark.rule("CC-R57", "CC-R53")
def test_an_assault_on_a_blocked_attack_meets_nothing() -> None:
    start = position(
        "Alpha Centauri 9 Red, Procyon 9 Purple, Sol 9 Teal",
        faction("Red"),
        faction("Purple", "psionic"),
        faction("Teal", "chronotech"),
    )
    orders = [
        ("Red", "Conquer Sol with 5 units"),
        ("Purple", "Psychic Assault on the attack of Red on Sol"),
        ("Teal", "Temporal Stasis on Sol"),
    ]
    assert [data["effect"] for data in play(start, orders).of("assault")] == ["nothing to disrupt"]


@pytest.mark.rule("CC-R50", "CC-R57")
def test_sabotage_and_assault_of_either_kind_come_once() -> None:
    assert fault(psionics(), "Purple", "Psychic Sabotage on Sol\nPsychic Sabotage on Wolf") == "only once per turn"
    twice = "Psychic Assault on the defense of Sol\nPsychic Assault on the attack of Red on Procyon"
    assert fault(psionics(), "Purple", twice) == "only once per turn"

"""Research, elimination, proclamations and the end of the game (LC-82 to LC-84)."""

from dataclasses import replace
from typing import Any

import pytest

from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import DEADLINE, Played, duel, move, play, state

ENDS = [("Terrans", "Pass"), ("Zorg", "Pass")]
THIRD = [state("Qix", home="Quill")]
MORE = ("Bastion", "Calyx", "Dorado", "Eridu", "Fenris", "Hesper", "Ilium", "Jotun", "Kestrel", "Lumen", "Mirach", "Nadir",
        "Oberon", "Pallas", "Rhea", "Sirocco", "Tethys")  # fmt: skip


def owning(terrans: int, zorg: int = 1, **tables: Any) -> dict[str, Any]:
    """A position in which Terrans and Zorg own that many planets."""
    text = "; ".join(f"{name} Terrans" for name in MORE[: terrans - 1])
    text += "".join(f"; {name} Zorg" for name in MORE[terrans - 1 :][: zorg - 1])
    return duel(planets=f"{text}; {tables.pop('planets', '')}", **tables)


def result(played: Played) -> tuple[str, str, str, int]:
    """Phase, winner, victory, Turn."""
    document = played.document
    return document["phase"], document.get("winner", ""), document.get("victory", ""), document["turn"]


RUNNING = ("moves", "", "", 4)

TECHNOLOGIES = {
    "Commerce": (12, ""), "Administration": (35, "Commerce"), "Terraforming": (40, "Commerce"), "Portal I": (12, ""),
    "Portal II": (25, "Portal I"), "Portal III": (50, "Portal II"), "Ion Cannons": (15, ""),
    "Fusion Lances": (35, "Ion Cannons"),
    "Deflectors": (15, ""), "Aegis Shields": (35, "Deflectors"), "Powered Armour": (12, ""),
    "Drop Troops": (28, "Powered Armour"),
    "Bunkers": (12, ""), "Citadels": (28, "Bunkers"), "Troop Carriers": (25, "Powered Armour"),
    "Fleet Logistics": (40, "Deflectors"), "Collective Mind": (60, "Administration, Terraforming"),
    "Ascension": (200, "Collective Mind, Portal III"),
}  # fmt: skip


# --- Research ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-R84", "LC-12")
@pytest.mark.parametrize("name", TECHNOLOGIES)
def test_each_technology_has_its_cost_and_its_requirements(name: str) -> None:
    cost, requires = TECHNOLOGIES[name]
    needed = [other for other in requires.split(", ") if other]
    fields = {"credits": cost - 4, "technologies": needed}
    tax = {"Administration": 1, "Collective Mind": 5}
    income = 4 + sum(tax.get(other, 0) for other in needed)
    played = move(duel({**fields, "credits": cost - income}), f"Research {name}")
    assert (played.state("Terrans")["technologies"], played.credits("Terrans")) == ([*needed, name], 0)
    assert move(duel({**fields, "credits": cost - income - 1}), f"Research {name}").reasons == ["no_credits"]
    for missing in needed:
        some = [other for other in needed if other != missing]
        assert move(duel({"credits": 999, "technologies": some}), f"Research {name}").reasons == ["prerequisite"]


@pytest.mark.rule("LC-R84")
def test_one_technology_in_a_move_and_none_twice() -> None:
    played = move(duel(), "Research Commerce\nResearch Bunkers\nResearch Commerce")
    assert (played.state("Terrans")["technologies"], played.reasons) == (["Commerce"], ["research_limit", "already_known"])
    assert move(duel(), "Research Commerce\nResearch Administration", research_per_move=2).failed == []
    assert move(duel(), "Research Administration\nResearch Commerce").reasons == ["prerequisite"]


@pytest.mark.rule("LC-R84")
def test_several_players_may_know_the_same() -> None:
    played = play(duel(), [("Terrans", "Research Commerce"), ("Zorg", "Research Commerce")])
    assert [played.state(name)["technologies"] for name in ("Terrans", "Zorg")] == [["Commerce"]] * 2


@pytest.mark.rule("LC-R84", "LC-88", "LC-89")
def test_the_effects_count_from_this_moves_building_step_on() -> None:
    document = duel({"technologies": ["Commerce"]}, planets="Aquila Terrans: Mines, Mines")
    assert move(document, "Develop Mines on Aquila\nResearch Terraforming").failed == []
    assert move(document, "Develop Mines on Aquila").reasons == ["no_slot"]


@pytest.mark.rule("LC-R23", "LC-R84")
@pytest.mark.parametrize(
    ("traits", "resources", "name", "cost"),
    [
        (["Scholars"], "", "Commerce", 10),
        (["Scholars"], "", "Ion Cannons", 12),
        ([], "Laboratory", "Commerce", 10),
        ([], "Laboratory, Laboratory", "Commerce", 8),
        ([], "Laboratory, Laboratory, Laboratory, Laboratory", "Commerce", 6),
        (["Scholars"], "Laboratory, Laboratory, Laboratory, Laboratory", "Ion Cannons", 8),
    ],
)
def test_discounts_are_rounded_down_and_half_the_price_is_the_least(
    traits: list[str], resources: str, name: str, cost: int
) -> None:
    document = duel({"traits": traits}, planets=f"Aquila Terrans; Eridu Terrans: {resources}")
    idle = move(document, "Pass").credits("Terrans")
    assert idle - move(document, f"Research {name}").credits("Terrans") == cost


# --- Elimination ---------------------------------------------------------------------------------------------------------


def conquest(**tables: Any) -> dict[str, Any]:
    """Terrans stand on Garnet, the only planet of Zorg."""
    return duel({}, {"proclaims": "Qix"}, THIRD, units="A1 Terrans Garnet, F5 Zorg Umbra, A5 Zorg F5, A6 Zorg Umbra", **tables)


@pytest.mark.rule("LC-R91", "LC-R16", "LC-90")
def test_a_state_without_planets_is_eliminated_at_once() -> None:
    document = conquest(
        planets="Quill Qix",
        relations="Terrans war Zorg, Zorg pact Umbra, Zorg trade Qix, Terrans trade Qix",
        offers="pact Zorg Qix 3, trade Terrans Umbra 3",
    )
    document["offers"] = document["offers"][:1]
    document["states"][2]["proclaims"] = "Zorg"
    document["held"] = [{"state": "Zorg", "lines": ["End move"]}]
    played = move(document, "Pass")
    zorg = played.state("Zorg")
    assert (zorg["kind"], zorg["proclaims"]) == ("eliminated", "")
    assert (played.units("Zorg"), played.offers, played.document["held"]) == ([], [], [])
    assert [set(entry["between"]) for entry in played.document["relations"]] == [{"Terrans", "Qix"}]
    assert played.state("Qix")["proclaims"] == "Qix"
    assert played.waiting == ["Qix"]
    assert [data["state"] for data in played.of("eliminated")] == ["Zorg"]
    assert "Zorg" in [entry["name"] for entry in played.document["states"]]
    after = play(played.document, [("Qix", "Pass")])
    assert (after.document["turn"], after.waiting) == (4, ["Terrans", "Qix"])


@pytest.mark.rule("LC-R91")
def test_the_home_planet_lost_does_not_eliminate_who_owns_another() -> None:
    played = move(conquest(planets="Quill Qix; Lumen Zorg", relations="Terrans war Zorg, Zorg pact Umbra"), "Pass")
    assert (played.state("Zorg")["kind"], played.owner("Garnet"), played.where("F5")) == ("player", "Terrans", "Umbra")


@pytest.mark.rule("LC-R91", "LC-R47")
def test_the_planet_taken_turns_out_who_is_at_peace_with_the_conqueror() -> None:
    document = duel(
        {},
        {},
        THIRD,
        planets="Quill Qix; Umbra Zorg",
        units="A1 Terrans Garnet, F7 Qix Garnet, A7 Qix Garnet",
        relations="Terrans war Zorg, Qix war Zorg",
    )
    played = move(document, "Pass")
    assert (played.owner("Garnet"), played.where("A7"), played.where("F7")) == ("Terrans", "", "Quill")


@pytest.mark.rule("LC-R91", "LC-R47")
def test_eliminations_come_before_evictions() -> None:
    document = duel(
        others=THIRD,
        planets="Quill Qix",
        units="A1 Terrans Garnet, F7 Qix Garnet",
        relations="Terrans war Zorg, Qix war Zorg",
    )
    kinds = [kind for kind in move(document, "Pass").kinds() if kind in ("planet_taken", "eliminated", "evicted")]
    assert kinds == ["planet_taken", "eliminated", "evicted"]


# --- Planets -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-82", "LC-83", "LC-R92", "LC-R93")
def test_the_owner_of_18_planets_wins_at_the_end_of_the_turn() -> None:
    half = play(owning(18), ENDS[:1])
    assert result(half) == ("moves", "", "", 3)
    played = play(owning(18), ENDS)
    assert result(played) == ("over", "Terrans", "planets", 3)
    assert ruleset.awaiting(played.position) == ()
    outcome = ruleset.outcome(played.position)
    assert outcome is not None
    assert outcome.winners == ("Terrans",)
    assert result(play(owning(17), ENDS)) == RUNNING
    assert "game_over" in played.kinds()


@pytest.mark.rule("LC-83", "LC-R93")
def test_the_owners_of_18_planets_together_decide() -> None:
    document = owning(10, 8)
    assert result(play(document, ENDS)) == RUNNING
    assert result(play(document, [("Terrans", "Proclaim Zorg\nPass"), ENDS[1]])) == ("over", "Zorg", "planets", 3)
    assert result(play(owning(10, 7), [("Terrans", "Proclaim Zorg\nPass"), ENDS[1]])) == RUNNING
    assert result(play(owning(18), [("Terrans", "Proclaim nobody\nPass"), ENDS[1]])) == RUNNING
    assert result(play(owning(18), [("Terrans", "Proclaim Zorg"), *ENDS])) == ("over", "Zorg", "planets", 3)


@pytest.mark.rule("LC-R93")
def test_npc_planets_never_count() -> None:
    document = owning(18)
    document["states"].append(state("Robots", kind="npc"))
    document["planets"] = [
        {**entry, "owner": "Robots"} if entry["name"] == "Bastion" else entry for entry in document["planets"]
    ]
    assert result(play(document, ENDS)) == RUNNING


@pytest.mark.rule("LC-R94")
def test_of_several_the_highest_total_wins_then_the_earlier_in_the_list() -> None:
    assert result(play(owning(3, 5), ENDS, victory_planets=3)) == ("over", "Zorg", "planets", 3)
    assert result(play(owning(4, 4), ENDS, victory_planets=3)) == ("over", "Terrans", "planets", 3)
    assert result(play(owning(4, 4), ENDS, victory_planets=5)) == RUNNING


@pytest.mark.rule("LC-R92", "LC-82")
def test_an_option_tests_after_every_move() -> None:
    played = play(owning(18), ENDS[:1], victory_check="move")
    assert result(played) == ("over", "Terrans", "planets", 3)
    assert result(play(owning(17), ENDS[:1], victory_check="move")) == ("moves", "", "", 3)


@pytest.mark.rule("LC-R92", "LC-R02")
def test_the_end_of_turn_0_is_tested_too() -> None:
    assert result(play(owning(18, turn=0), ENDS)) == ("over", "Terrans", "planets", 0)


# --- Ascension -----------------------------------------------------------------------------------------------------------

READY = {
    "technologies": ["Commerce", "Administration", "Terraforming", "Collective Mind", "Portal I", "Portal II", "Portal III"]
}


@pytest.mark.rule("LC-84", "LC-R95", "LC-82")
def test_who_researches_ascension_wins_at_the_end_of_the_turn() -> None:
    document = duel({**READY, "credits": 200})
    assert result(play(document, [("Terrans", "Research Ascension")])) == ("moves", "", "", 3)
    played = play(document, [("Terrans", "Research Ascension"), ENDS[1]])
    assert result(played) == ("over", "Terrans", "ascension", 3)
    assert played.document["ascended"] == ["Terrans"]
    assert result(play(document, [("Terrans", "Research Ascension")], victory_check="move")) == (
        "over",
        "Terrans",
        "ascension",
        3,
    )


@pytest.mark.rule("LC-R95")
def test_the_first_who_is_still_a_player_wins() -> None:
    assert result(play(duel(ascended=["Zorg", "Terrans"]), ENDS)) == ("over", "Zorg", "ascension", 3)
    gone = duel({"skips": 1}, others=THIRD, planets="Quill Qix", ascended=["Terrans", "Qix"])
    assert result(play(gone, [DEADLINE, ENDS[1], ("Qix", "Pass")])) == ("over", "Qix", "ascension", 3)
    alone = duel({"skips": 1}, ascended=["Terrans"], others=THIRD, planets="Quill Qix")
    assert result(play(alone, [DEADLINE, ENDS[1], ("Qix", "Pass")])) == RUNNING


@pytest.mark.rule("LC-R95")
def test_planets_come_before_ascension_unless_the_option_says_otherwise() -> None:
    document = owning(18, ascended=["Zorg"])
    assert result(play(document, ENDS)) == ("over", "Terrans", "planets", 3)
    assert result(play(document, ENDS, victory_order="ascension_first")) == ("over", "Zorg", "ascension", 3)


# --- The last players ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-R96")
def test_the_last_player_wins_by_option_only() -> None:
    document = duel({}, {"skips": 1})
    assert result(play(document, [ENDS[0], DEADLINE])) == RUNNING
    assert result(play(document, [ENDS[0], DEADLINE], last_player_wins=True)) == ("over", "Terrans", "last_player", 3)
    assert result(play(duel(), ENDS, last_player_wins=True)) == RUNNING


@pytest.mark.rule("LC-R97")
def test_without_players_the_game_ends_without_a_winner() -> None:
    played = play(duel({"skips": 1}, {"skips": 1}), [DEADLINE, DEADLINE])
    assert result(played) == ("over", "", "none", 3)
    outcome = ruleset.outcome(played.position)
    assert outcome is not None
    assert outcome.winners == ()


@pytest.mark.rule("LC-R103")
def test_places_go_by_the_end_then_by_planets_and_nations_that_are_no_players_come_last() -> None:
    won = play(owning(18, 1, others=THIRD, planets="Quill Qix"), [*ENDS, ("Qix", "Pass")]).position
    places = ruleset.places
    assert places is not None
    assert places(won) == {"Terrans": 1, "Zorg": 2, "Qix": 2}
    left = replace(won, states=tuple(replace(each, kind="npc") if each.name == "Zorg" else each for each in won.states))
    assert places(left) == {"Terrans": 1, "Qix": 2, "Zorg": 3}
    assert places(replace(won, winner="")) == {}

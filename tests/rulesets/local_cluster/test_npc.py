"""NPC States: what they accept, what they do, how they keep up (LC-40 to LC-47)."""

import pytest

from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import DEADLINE, duel, move, play, state

ENDS = [("Terrans", "Pass"), ("Zorg", "Pass")]


def npc(name: str, credits: int = 0, armies: int = 1, fleets: int = 1, **fields: object) -> dict[str, object]:  # noqa: A002
    return state(name, credits, kind="npc", establishment_armies=armies, establishment_fleets=fleets, **fields)


@pytest.mark.rule("LC-42", "LC-43", "LC-R53", "LC-R54")
@pytest.mark.parametrize(
    ("words", "relation", "status"), [("peace", "peace", "war"), ("trade treaty", "trade", ""), ("military pact", "pact", "")]
)
def test_an_adjacent_npc_state_accepts_at_once_without_a_coin(words: str, relation: str, status: str) -> None:
    document = duel(relations=f"Terrans {status} Fenris" if status else "")
    played = move(document, f"Offer {words} to Fenris\nPass")
    assert (played.relation("Terrans", "Fenris"), played.offers, played.drawn) == (relation, [], ())
    (event,) = [event for event in played.events if event.kind == "agreed"]
    assert event.audience is None


@pytest.mark.rule("LC-44", "LC-R54")
@pytest.mark.parametrize(("coin", "relation"), [(1, "trade"), (2, "peace")])
def test_another_npc_state_tosses_a_coin(coin: int, relation: str) -> None:
    played = move(duel(), "Offer trade treaty to Harrow\nPass", [coin])
    assert (played.relation("Terrans", "Harrow"), played.drawn) == (relation, ((2, coin),))
    assert played.reasons == ([] if coin == 1 else ["npc_refused"])
    refusals = [event for event in played.events if event.kind == "npc_refused"]
    assert [event.audience for event in refusals] == ([] if coin == 1 else [("Terrans",)])


@pytest.mark.rule("LC-43", "LC-44", "LC-R54")
def test_the_charismatic_are_always_accepted() -> None:
    played = move(duel({"traits": ["Charismatic"]}), "Offer trade treaty to Harrow\nPass")
    assert (played.relation("Terrans", "Harrow"), played.drawn) == ("trade", ())


@pytest.mark.rule("LC-R53")
def test_portals_and_fleets_do_not_make_neighbours_but_other_planets_do() -> None:
    portals = duel(
        planets="Aquila Terrans: Portal; Oberon Terrans: Portal", units="F1 Terrans Nadir", relations="Terrans war Nadir"
    )
    played = move(portals, "Offer trade treaty to Umbra\nOffer trade treaty to Tethys\nPass", [2])
    assert (played.relation("Terrans", "Umbra"), played.relation("Terrans", "Tethys")) == ("trade", "peace")


@pytest.mark.rule("LC-R53")
def test_an_npc_empire_is_adjacent_by_any_of_its_planets() -> None:
    document = duel(others=[npc("Robots", home="Harrow")], planets="Harrow Robots; Eridu Robots")
    assert move(document, "Offer trade treaty to Robots\nPass").relation("Terrans", "Robots") == "trade"


@pytest.mark.rule("LC-R54")
def test_at_most_one_approach_per_npc_state_and_kind_in_one_move() -> None:
    text = "Offer trade treaty to Harrow\nOffer trade treaty to Harrow\nOffer military pact to Harrow\nPass"
    played = move(duel(), text, [2, 1])
    assert played.reasons == ["npc_refused", "already_asked"]
    assert played.relation("Terrans", "Harrow") == "pact"
    assert move(duel(), "Offer pact to Harrow\nOffer pact to Harrow\nPass", [2]).reasons == ["npc_refused", "already_asked"]
    again = play(played.document, [("Zorg", "Pass"), ("Terrans", "Offer trade to Harrow\nPass")], [1])
    assert again.relation("Terrans", "Harrow") == "trade pact"


@pytest.mark.rule("LC-R54", "LC-R37", "LC-31")
@pytest.mark.parametrize(
    ("line", "relations", "reason"),
    [
        ("Offer peace to Harrow", "", "not_at_war"),
        ("Offer trade treaty to Harrow", "Terrans war Harrow", "at_war"),
        ("Offer trade treaty to Harrow", "Terrans trade Harrow", "already_agreed"),
        ("Offer trade treaty to Harrow", "Harrow trade Zorg, Harrow trade Calyx, Harrow trade Eridu", "treaty_limit"),
        ("Offer military pact to Harrow", "Terrans pact Harrow", "already_agreed"),
    ],
)
def test_a_line_that_fails_the_conditions_draws_no_coin_and_is_no_approach(line: str, relations: str, reason: str) -> None:
    played = move(duel(relations=relations), f"{line}\n{line}\nPass")
    assert (played.reasons, played.drawn) == ([reason, reason], ())


@pytest.mark.rule("LC-R54", "LC-R03")
def test_a_treaty_made_now_counts_for_the_next_line() -> None:
    relations = "Terrans trade Bastion, Terrans trade Fenris"
    played = move(duel(relations=relations), "Offer trade treaty to Eridu\nOffer trade treaty to Calyx\nPass")
    assert (played.reasons, played.relation("Terrans", "Eridu")) == (["treaty_limit"], "trade")


@pytest.mark.rule("LC-42", "LC-44")
def test_an_npc_state_has_nothing_to_accept_or_to_be_given() -> None:
    played = move(duel(), "Accept trade treaty from Fenris\nGift 1 credit to Fenris\nPass")
    assert played.reasons == ["no_such_offer", "npc_no_gift"]


# --- What they do by themselves ------------------------------------------------------------------------------------------


@pytest.mark.rule("LC-45", "LC-46", "LC-R55", "LC-R56")
def test_npc_states_do_nothing_but_book_and_rebuild() -> None:
    document = duel(
        others=[npc("Bastion", 500, traits="Warlike"), npc("Fenris", 500)],
        units="F1 Bastion Bastion, A1 Bastion Bastion, F2 Fenris Fenris, A2 Fenris F2, F9 Terrans Bastion",
        relations="Terrans war Bastion, Bastion pact Fenris, Terrans pact Fenris",
        planets="Bastion: Mines; Fenris: Farmland",
    )
    played = play(document, [DEADLINE, DEADLINE])
    assert played.state("Bastion") == ruleset.dump(ruleset.load(document))["states"][2] | {"credits": 500 + 4 - 4}
    assert played.state("Fenris")["credits"] == 500 + 3 - 4
    for table in ("planets", "fleets", "armies", "relations"):
        assert played.document[table] == ruleset.dump(ruleset.load(document))[table]
    assert not {"war_declared", "developed", "researched", "moved", "fleet_round", "bombarded"} & set(played.kinds())


@pytest.mark.rule("LC-R57", "LC-47")
def test_the_first_planet_whose_fleet_cannot_be_paid_ends_the_fleets() -> None:
    document = duel(others=[npc("Robots", 2, 0, 1, home="Harrow")], planets="Harrow Robots; Delphi Robots: Shipyard")
    # Income is 7, and a fleet costs 10 at Harrow, which is asked first, 9 at Delphi.
    played = play(document, ENDS)
    assert (played.credits("Robots"), played.units("Robots")) == (9, [])
    assert play(played.document, ENDS).units("Robots") != []


@pytest.mark.rule("LC-R56", "LC-14", "LC-15", "LC-30")
def test_npc_states_book_the_same_income_and_upkeep_but_never_disband() -> None:
    document = duel(
        others=[npc("Bastion", 3), npc("Fenris", 3, 0, 0)],
        units="F1 Bastion Bastion, A1 Bastion Bastion",
        planets="Bastion: Mines; Fenris: Mines",
        relations="Terrans trade Fenris",
    )
    played = play(document, ENDS)
    assert (played.credits("Bastion"), played.credits("Fenris")) == (3 + 4 - 4, 3 + 4 + 5)
    poor = duel(others=[npc("Bastion", 0)], units="F1 Bastion Bastion, F2 Bastion Bastion")
    played = play(poor, ENDS)
    assert (played.credits("Bastion"), played.units("Bastion")) == (0, ["F1", "F2"])
    assert play(poor, ENDS, npc_pays_upkeep=False).units("Bastion") == ["F1", "F2"]
    fleets_only = duel(others=[npc("Bastion", 0, 0, 2)], units="F1 Bastion Bastion, F2 Bastion Bastion")
    assert play(fleets_only, ENDS, npc_pays_upkeep=False).credits("Bastion") == 2
    assert play(fleets_only, ENDS).credits("Bastion") == 0


@pytest.mark.rule("LC-47", "LC-R57", "LC-65", "LC-68")
@pytest.mark.parametrize(
    ("credits", "units", "built", "rest"),
    [
        (0, "", [], 2),
        (1, "", ["A1"], 0),
        (10, "", ["A1"], 9),
        (11, "", ["A1", "F1"], 0),
        (12, "F7 Bastion Bastion", ["A1"], 8),
        (8, "A7 Bastion Bastion", [], 9),
        (9, "A7 Bastion Bastion", ["F1"], 0),
        (50, "F7 Bastion Bastion, A7 Bastion Bastion", [], 48),
    ],
)
def test_lost_units_are_rebuilt_up_to_the_establishment(credits: int, units: str, built: list[str], rest: int) -> None:  # noqa: A002
    document = duel(others=[npc("Bastion", credits)], units=units)
    played = play(document, ENDS)
    made = [data["unit"] for data in played.of("npc_built")]
    assert [unit[0] for unit in made] == [unit[0] for unit in built]
    assert played.credits("Bastion") == rest
    assert all(played.where(unit) == "Bastion" for unit in made)


@pytest.mark.rule("LC-47", "LC-R57", "LC-71")
def test_npc_fleets_are_not_built_under_blockade_but_armies_are() -> None:
    document = duel(others=[npc("Bastion", 50)], units="F1 Terrans Bastion", relations="Terrans war Bastion")
    played = play(document, ENDS)
    assert played.units("Bastion") == ["A1"]
    assert played.credits("Bastion") == 49


@pytest.mark.rule("LC-R57", "LC-R14", "LC-64")
def test_an_npc_empire_rebuilds_at_home_first_then_by_planet_number_one_each() -> None:
    """Establishment 4 armies and 2 fleets on three planets; Calyx is blockaded."""
    document = duel(
        others=[npc("Robots", 200, 4, 2, home="Pallas")],
        planets="Hesper Robots; Pallas Robots; Calyx Robots",
        units="F1 Zorg Calyx",
        relations="Zorg war Robots",
    )
    played = play(document, [DEADLINE, DEADLINE])
    assert [played.where(unit) for unit in ("A1", "A2", "A3")] == ["Pallas", "Calyx", "Hesper"]
    assert [played.where(unit) for unit in ("F2", "F3")] == ["Pallas", "Hesper"]
    assert played.credits("Robots") == 200 + 3 * 2 + 2 - 9 - 20
    later = play(played.document, [("Terrans", "Pass"), ("Zorg", "Pass")])
    assert len([unit for unit in later.units("Robots") if unit.startswith("A")]) == 4


@pytest.mark.rule("LC-R57")
def test_the_first_army_that_cannot_be_paid_ends_the_armies_of_an_npc_state() -> None:
    document = duel(others=[npc("Robots", 0, 3, 0, home="Pallas")], planets="Hesper Robots; Pallas Robots; Calyx Robots")
    played = play(document, ENDS)  # 3 × 2 + 2 = 8
    assert [played.where(unit) for unit in played.units("Robots")] == ["Pallas", "Calyx"]
    assert played.credits("Robots") == 2


@pytest.mark.rule("LC-R55", "LC-45")
def test_npc_states_defend_and_accept_peace() -> None:
    document = duel(units="F1 Terrans Aquila, F2 Bastion Bastion", relations="Terrans war Bastion")
    played = move(document, "Move F1 to Bastion", [1, 5])
    assert (played.where("F1"), played.where("F2")) == ("", "Bastion")
    assert move(document, "Offer peace to Bastion\nPass").relation("Terrans", "Bastion") == "peace"


@pytest.mark.rule("LC-R51", "LC-R57")
def test_in_turn_0_there_is_no_npc_phase() -> None:
    document = duel(others=[npc("Bastion", 50)], turn=0)
    played = play(document, ENDS)
    assert (played.document["turn"], played.credits("Bastion"), played.units("Bastion")) == (1, 50, [])

"""Who owns a planet, how the game ends, and who takes over from whom (SQ-R73 to SQ-R75, sections 9 and 10)."""

from typing import Any

import pytest

from pbmd.rules import Document
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import Played, play, world

PORT = "Port planet 0607 limit 1 value 7"


def owner(*one: str, two: tuple[str, ...] = (), questions: tuple[str, ...] = (), body: str = PORT, orders: str = "PASS") -> int:
    start = world(list(one), list(two), questions=questions, bodies=[body])
    return play(start, anna=orders).body("Port")["owner"]


@pytest.mark.rule("SQ-R73")
@pytest.mark.parametrize(
    ("one", "two", "questions", "now"),
    [
        (["Duke A1 @0607"], [], [], 1),
        (["Duke M1 @0607"], [], [], 0),  # unarmed
        (["Duke M1 admirals 1 @0607"], [], [], 1),  # an Admiral is an attack factor of 1
        (["Duke A1 J9 damage 1 @0607"], [], [], 0),
        (["Duke A1 @0608"], [], [], 0),
        (["Duke A1 @0607"], [], ["anna Q1 @0607"], 0),  # covered
        (["Duke A1 D9 @0607"], ["Swift M1 D9 @0607"], [], 0),
        (["Duke A1 D9 @0607"], ["Swift M1 D9 @0607"], ["ben Q1 @0607"], 0),  # its "?" is found, but it is there
        (["Duke A1 @0607"], [], ["ben Q1 @0607"], 1),  # a decoy holds nothing
        ([], ["Swift A1 @0607"], [], 2),
    ],
)
def test_a_planet_passes_to_the_side_alone_there_with_an_armed_uncovered_squadron(
    one: list[str], two: list[str], questions: list[str], now: int
) -> None:
    start = world(one, two, questions=questions, bodies=[PORT], auto_repair=False)
    assert play(start, anna="PASS").body("Port")["owner"] == now


@pytest.mark.rule("SQ-R73")
def test_planet_counters_cannot_capture_but_hold() -> None:
    assert owner("planet Port A5 @0607") == 0
    held = PORT + " owner 2"
    assert owner("Duke A1 D99 @0607", two=("planet Port M0 D9 @0607",), body=held) == 2
    assert owner("Duke A1 D99 @0607", body=held) == 1


@pytest.mark.rule("SQ-R73", "SQ-R52")
def test_starport_and_stock_go_with_the_planet() -> None:
    start = world(["Duke A1 U3 M1 @0607"], bodies=["Port planet 0607 limit 1 owner 2 starport stock 4"])
    done = play(start, anna="PASS")
    assert (done.body("Port")["owner"], done.body("Port")["stock"]) == (1, 6)
    done = play(done.document, anna="TRANSFER 3 SUPPLY FROM STARPORT TO Duke")
    assert done.unit("Duke")["supply_counters"] == 3


@pytest.mark.rule("SQ-R73", "SQ-55")
def test_control_is_after_the_arrivals_and_the_departures() -> None:
    arriving = world(["Duke A1 J1 @T1"], bodies=[PORT], transits=["T1 anna day 6 Field:0607"])
    assert play(arriving, anna="PASS").body("Port")["owner"] == 1
    leaving = world(["Duke A1 J1 @0607"], bodies=[PORT])
    assert play(leaving, anna="JUMP Duke TO Near 0303").body("Port")["owner"] == 0


@pytest.mark.rule("SQ-R73")
@pytest.mark.parametrize("kind", ["star", "gas_giant"])
def test_only_planets_are_owned(kind: str) -> None:
    assert owner("Duke A1 @0607", body=f"Port {kind} 0607 limit 1") == 0


# The end


def ended(document: Document, **letters: str) -> tuple[Played, int]:
    done = play(document, **letters)
    return done, done.document.get("winner", -1)


@pytest.mark.rule("SQ-R74", "SQ-05", "SQ-01")
def test_the_game_goes_on_while_both_sides_have_a_squadron() -> None:
    done, winner = ended(world(["Duke M1 @T1"], transits=["T1 anna day 1 Near:0303"]), anna="PASS")
    assert winner == -1
    assert ruleset.outcome(done.position) is None


@pytest.mark.rule("SQ-R74")
def test_a_side_without_squadrons_loses() -> None:
    bodies = ["Port planet 0607 limit 1 owner 2"]
    start = world(
        ["Duke A9 R9 @0601"],
        ["Swift M1 @0605", "planet Port A3 @0607"],
        questions=["ben Q1 @0101"],
        bodies=bodies,
        anchors=False,
    )
    done, winner = ended(start, anna="FIRE 1 Duke AT Swift")
    assert winner == 1
    outcome = ruleset.outcome(done.position)
    assert outcome is not None
    assert outcome.winners == ("anna",)
    assert done.document["phase"] == "over"
    assert ruleset.awaiting(done.position) == ()


@pytest.mark.rule("SQ-R74")
def test_a_squadron_in_transit_counts() -> None:
    start = world(["Duke A9 R9 @0601"], ["Swift M1 J1 @T1"], transits=["T1 ben day 1 Near:0303"], anchors=False)
    assert ended(start)[1] == -1


@pytest.mark.rule("SQ-R74", "SQ-R45")
def test_if_both_are_eliminated_the_score_decides() -> None:
    start = world(["Duke A9 R9 @0601"], ["Swift A9 R9 J1 @0605"], anchors=False)
    done, winner = ended(start, anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT Duke")
    assert not done.alive("Swift", 2)
    assert not done.alive("Duke")
    # Duke was worth 18 points, Swift 19.
    assert winner == 1
    even = world(["Duke A9 R9 @0601"], ["Swift A9 R9 @0605"], anchors=False)
    done, winner = ended(even, anna="FIRE 1 Duke AT Swift", ben="FIRE 1 Swift AT Duke")
    assert winner == 0
    outcome = ruleset.outcome(done.position)
    assert outcome is not None
    assert outcome.winners == ()


CAPITALS = ["Port planet 0607 limit 1 owner {} capital", "Rock planet 1007 limit 1 owner 2 capital"]


@pytest.mark.rule("SQ-R74")
def test_who_owns_all_capitals_wins_if_there_are_two() -> None:
    start = world(["Duke A1 @1007"], bodies=[text.format(1) for text in CAPITALS])
    assert ended(start)[1] == 1
    start = world(["Duke A1 @1007"], bodies=[text.format(2) for text in CAPITALS])
    assert ended(start)[1] == -1
    start = world(["Duke A1 @1007"], bodies=[CAPITALS[1]])
    assert ended(start)[1] == -1


@pytest.mark.rule("SQ-R74", "SQ-R16")
@pytest.mark.parametrize(
    ("bodies", "winner"),
    [
        (["Port planet 0607 limit 1 owner 1 value 9"], 1),
        (["Port planet 0607 limit 1 owner 2 value 9"], 2),
        (["Port planet 0607 limit 1 value 9"], 0),
        (["Port planet 0607 limit 1 owner 1 value 9", "Rock planet 1007 limit 1 owner 2 value 9"], 0),
    ],
)
def test_after_the_last_day_the_score_decides(bodies: list[str], winner: int) -> None:
    assert ended(world(bodies=bodies, day=27), anna="PASS")[1] == -1
    assert ended(world(bodies=bodies, day=28), anna="PASS")[1] == winner
    assert ended(world(bodies=bodies, day=3, day_limit=3), anna="PASS")[1] == winner


@pytest.mark.rule("SQ-R74", "SQ-R79", "SQ-R16")
def test_units_destroyed_under_cover_count_and_the_score_is_told_at_the_end() -> None:
    """Five points of factors; what the Admiral cost is not counted."""
    start = world(["Gun A40 R9 @0601"], ["Swift D5 admirals 1 @0605"], questions=["ben Q1 @0605"], day=28)
    start["units"][0]["cost"] = 333
    start["systems"][1]["bodies"] = [{"name": "Rock", "kind": "planet", "hex": "1515", "limit": 0, "owner": 2, "value": 4}]
    done, winner = ended(start, anna="FIRE 1 Gun AT ?")
    assert winner == 1
    for seat in ("anna", "ben", ""):
        assert "5" in done.told(seat)
        assert "Swift" in done.told(seat)
    start["systems"][1]["bodies"][0]["value"] = 5
    assert ended(start, anna="FIRE 1 Gun AT ?")[1] == 0


@pytest.mark.rule("SQ-R74", "SQ-R79")
def test_at_the_end_everything_is_published() -> None:
    start = world(["Hidden Duke J4 M1 @0607"], questions=["anna Q1 @0607"], day=28, day_limit=28)
    done, _ = ended(start, anna="PASS")
    assert "Hidden Duke" in done.told("ben")
    assert "Hidden Duke" in done.told()
    assert "Hidden Duke" not in play(start | {"day": 27}, anna="PASS").told("ben")


# Missed turns


def misses(document: Document, count: int) -> Played:
    """Ben sends orders, anna none."""
    done = play(document, ben="PASS")
    for _ in range(count - 1):
        done = play(done.document, ben="PASS")
    return done


@pytest.mark.rule("SQ-R75")
def test_misses_are_counted_and_orders_reset_them() -> None:
    done = misses(world(), 2)
    assert (done.player("anna")["missed"], done.player("ben")["missed"]) == (2, 0)
    assert play(done.document, anna="PASS").player("anna")["missed"] == 0


@pytest.mark.rule("SQ-R75", "SQ-R74")
def test_a_third_miss_in_a_row_without_an_ally_loses_the_game() -> None:
    done = misses(world(), 3)
    assert done.player("anna")["status"] == "absent"
    outcome = ruleset.outcome(done.position)
    assert outcome is not None
    assert outcome.winners == ("ben",)
    assert ruleset.outcome(misses(world(max_missed=0), 5).position) is None
    assert ruleset.outcome(misses(world(max_missed=1), 1).position) is not None


@pytest.mark.rule("SQ-R75", "SQ-R74")
def test_if_nobody_is_left_it_is_a_draw() -> None:
    done = play(world(max_missed=1))
    outcome = ruleset.outcome(done.position)
    assert outcome is not None
    assert outcome.winners == ()
    assert done.document["winner"] == 0


ALLIES: dict[str, Any] = {"players": "anna ben carl", "players_per_side": 2, "max_missed": 1}


@pytest.mark.rule("SQ-R75", "SQ-R03", "SQ-R72")
def test_an_ally_takes_over_the_counters() -> None:
    fleets = [
        {"player": "anna", "name": "Alpha", "members": ["Duke", "Q2"]},
        {"player": "carl", "name": "Beta", "members": ["Carl"]},
    ]
    start = world(
        ["Duke J4 M3 @0607", "Carl J4 M3 by carl @0607"],
        questions=["anna Q2 @0607", "carl Q1 @0101", "anna Q5 reserve"],
        transits=["T1 anna day 2 Near:0303"],
        fleets=fleets,
        **ALLIES,
    )
    done = play(start, carl="PASS", ben="PASS")
    assert done.unit("Duke")["player"] == "carl"
    assert done.player("anna")["status"] == "absent"
    assert done.fleets("anna") == {}
    assert done.fleets("carl") == {"Beta": ["Carl"]}
    assert done.questions("anna") == {}
    places = done.questions("carl")
    assert places["Q1"] == "Field 0101"
    assert sorted(places.values()).count("Field 0607") == 1
    assert {table["player"] for table in done.document["transits"]} == {"carl"}
    assert ruleset.outcome(done.position) is None
    assert ruleset.awaiting(done.position) == ("ben", "carl")
    # Carl commands them from now on.
    assert play(done.document, carl="MOVE 1 Duke TO 0606", ben="PASS").at("Duke") == "Field 0606"


@pytest.mark.rule("SQ-R75", "SQ-R03")
def test_the_heir_is_the_ally_whose_mail_came_first() -> None:
    def heir(*order: str) -> str:
        start = world(["Duke M1 @0607"], players="anna ben carl dan", players_per_side=3, max_missed=1)
        return play(start, **dict.fromkeys(order, "PASS")).unit("Duke")["player"]

    assert heir("dan", "carl", "ben") == "dan"
    assert heir("carl", "dan", "ben") == "carl"


@pytest.mark.rule("SQ-R75")
def test_without_any_mail_the_first_in_the_list_inherits() -> None:
    start = world(["Duke M1 @0607"], players="anna ben carl dan", players_per_side=3, max_missed=2)
    next(p for p in start["players"] if p["name"] == "anna")["missed"] = 1
    done = play(start, ben="PASS")
    assert done.unit("Duke")["player"] == "carl"


@pytest.mark.rule("SQ-R75", "SQ-R74")
def test_who_resigns_hands_over_at_the_end_of_the_day_or_loses() -> None:
    assert ruleset.resign is not None
    start = world(["Duke M1 @0607"], players="anna ben carl", players_per_side=2)
    state = ruleset.resign(ruleset.load(start), "anna").position
    assert "anna" not in ruleset.awaiting(state)
    done = play(ruleset.dump(state), ben="PASS", carl="PASS")
    assert done.player("anna")["status"] == "resigned"
    assert done.unit("Duke")["player"] == "carl"
    alone = ruleset.resign(ruleset.load(world()), "anna").position
    outcome = ruleset.outcome(play(ruleset.dump(alone), ben="PASS").position) or ruleset.outcome(alone)
    assert outcome is not None
    assert outcome.winners == ("ben",)


@pytest.mark.rule("SQ-R75", "SQ-R72")
def test_sides_win_as_a_whole_even_players_without_units() -> None:
    start = world(["Duke A9 R9 @0601"], ["Swift M1 @0605"], players="anna ben carl", players_per_side=2, anchors=False)
    done = play(start, anna="FIRE 1 Duke AT Swift", ben="PASS", carl="PASS")
    outcome = ruleset.outcome(done.position)
    assert outcome is not None
    assert set(outcome.winners) == {"anna", "carl"}
    # A player without units is still awaited and may use "?" counters.
    again = world(["Duke A9 R9 @0601"], players="anna ben carl", players_per_side=2)
    assert "carl" in ruleset.awaiting(ruleset.load(again))

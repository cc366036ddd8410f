"""NEW: a game that players join by mail, made by mail."""

import json
from typing import Any

import pytest

from pbmd.ledger.tables import Game, GameStatus
from tests.desk.world import ADDRESS, World, address_of, body_of

SET_UP = """NEW nebula
ruleset: relay
seats: 2
deadline: every Friday 20:00 Europe/Berlin
reminders: 48h, 12h
press: no
min-met: 80%
target: 30
standing: yes
END NEW"""


@pytest.fixture
def gm(world: World) -> World:
    world.count()
    return world


def made(world: World, name: str) -> dict[str, Any]:
    entry = next(entry for entry in world.journal("created") if json.loads(entry.public)["game"] == name)
    return json.loads(entry.public)


def names(world: World) -> list[str]:
    return [game.name for game in world.rows(Game)]


def test_a_game_is_made_as_its_lines_say(gm: World) -> None:
    told = gm.master(SET_UP).replace(" | ", " ")
    assert "nebula-1 (Relay) takes sign-ups, and LIST shows it. It begins when 2 seats are filled." in told
    assert "Then the next game takes sign-ups." in told
    assert "First deadline" in told
    assert "Reminders" in told
    public = made(gm, "nebula-1")
    terms = public["terms"]
    assert (public["ruleset"], public["options"]) == ("relay", {"target": 30})
    assert (terms["seats"], terms["deadline"], terms["press"]) == (2, "every Friday 20:00 Europe/Berlin", False)
    assert (terms["reminders"], terms["min_met"], terms["grace"]) == (["48h", "12h"], 80, "0h")
    assert gm.game("nebula-1").standing


def test_from_there_on_it_runs_by_mail_alone(gm: World) -> None:
    gm.master(SET_UP)
    mine = next(mail for mail in gm.outbox("alarm") if "You are the game master of nebula-1" in " ".join(body_of(mail).split()))
    assert "nebula-1" in gm.reply(mine, "STATUS")
    for seat in ("Deneb", "Eridanus"):
        gm.send(seat, f"JOIN nebula-1 AS {seat}", to=ADDRESS)
        gm.confirm(address_of(seat))
    assert gm.game("nebula-1").status is GameStatus.RUNNING
    assert names(gm) == ["galaxy-7", "nebula-1", "nebula-2"]


def test_what_is_left_out_is_as_the_settings_and_the_game_of_that_mail_have_it(gm: World) -> None:
    gm.settle(game={"grace": "2h"})
    assert "when you say START in reply to the mail about it" in gm.master("NEW nebula-9\nEND NEW").replace(" | ", " ")
    public = made(gm, "nebula-9")
    assert (public["ruleset"], public["options"], public["terms"]["grace"]) == ("count", {}, "2h")
    assert not gm.game("nebula-9").standing


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("seats 5", '"seats 5" is not read; write each as KEY: VALUE'),
        ("seat: 5", '"seat" is neither a term of a game nor an option of Count; did you mean "seats"?'),
        ("zzz: 5", "pbmd rules count --options lists the options"),
        ("seats: 5\nSeats: 6", '"seats" stands there twice'),
        ("deadline: soon", 'deadline: "soon" is not a length of time'),
        ("seats: many", "seats: Input should be a valid integer"),
        ("press: perhaps", 'press is yes or no, not "perhaps"'),
        ("standing: yes", "a game that stands needs a number of seats"),
        ("ruleset: chess", 'there is no ruleset "chess"'),
        ("target: lots", 'option "target" is a whole number, not "lots"'),
        ("min_met: 101", "less than or equal to 100"),
        ("holders: gunboat", "holders: Input should be 'named' or 'hidden'"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_made(gm: World, lines: str, problem: str) -> None:
    assert problem in gm.master(f"NEW nebula-9\n{lines}\nEND NEW")
    assert names(gm) == ["galaxy-7"]


def test_settings_for_phases_that_no_rules_have_are_named_and_nothing_is_made(gm: World) -> None:
    gm.settle(game={"phases": {"retreat": {"deadline": "12h"}}})
    told = " ".join(gm.master("NEW nebula-9\nruleset: diplomacy\nEND NEW").replace(" | ", " ").split())
    assert '[game.phases.retreat] in the settings: no ruleset has phases of that kind (did you mean "retreats"?)' in told
    assert names(gm) == ["galaxy-7"]


def test_what_is_chosen_is_read_in_any_case(gm: World) -> None:
    gm.master("NEW war\nruleset: Diplomacy\nmap: Hundred\nHolders: Hidden\nVote-ballots: Open\nEND NEW")
    public = made(gm, "war")
    assert public["options"] == {"map": "hundred"}
    assert (public["terms"]["holders"], public["terms"]["vote_ballots"]) == ("hidden", "open")


def test_who_plays_can_be_hidden(gm: World) -> None:
    assert "An anonymous game (gunboat)" in gm.master("NEW nebula-9\nholders: hidden\nEND NEW").replace(" | ", " ")
    assert made(gm, "nebula-9")["terms"]["holders"] == "hidden"


@pytest.mark.parametrize("name", ["galaxy-7", "galaxy-l7", "help", "x" * 40])
def test_a_name_that_cannot_be_is_refused(gm: World, name: str) -> None:
    count = len(names(gm))
    gm.master(f"NEW {name}\nEND NEW")
    assert len(names(gm)) == count + (name == "galaxy-l7")


def test_without_its_end_nothing_is_made(gm: World) -> None:
    assert "END NEW is missing, so nothing was made" in gm.master("NEW nebula-9\nseats: 5")
    assert names(gm) == ["galaxy-7"]


def test_a_new_token_is_no_new_game(gm: World) -> None:
    assert "your new secret is on its way" in gm.master("NEW TOKEN")
    assert names(gm) == ["galaxy-7"]


def test_nobody_else_can_make_one(gm: World) -> None:
    gm.send("Altair", SET_UP)
    gm.send("Deneb", SET_UP, to=ADDRESS)
    assert names(gm) == ["galaxy-7"]


FRIDAYS = """NEW europe
ruleset: diplomacy
deadline: every Friday 20:00 Europe/Berlin
deadline: retreats=24h
deadline: builds=24h
early: moves=no
reminders: 24h, 2h
reminders: retreats=6h, 2h
END NEW"""


def test_seats_can_be_given_by_preference(gm: World) -> None:
    told = gm.master("NEW europe\nruleset: diplomacy\nseating: preference\nEND NEW")
    assert "by the lists that players have sent with PREFER" in told.replace(" | ", " ")
    assert made(gm, "europe")["terms"]["seating"] == "preference"
    refused = gm.master("NEW galaxy\nruleset: galactic_overlord\nseating: lot\nEND NEW").replace(" | ", " ")
    assert "in Galactic Overlord players choose the name of their faction, so there are no seats to give by lot" in refused


def test_phases_have_terms_of_their_own(gm: World) -> None:
    told = gm.master(FRIDAYS).replace(" | ", " ")
    assert "Retreats due 1 day after the report; " in told
    terms = made(gm, "europe")["terms"]
    assert (terms["deadline"], terms["early"], terms["reminders"]) == ("every Friday 20:00 Europe/Berlin", True, ["24h", "2h"])
    assert {kind: said.get("deadline") for kind, said in terms["phases"].items()} == {
        "retreats": "24h",
        "builds": "24h",
        "moves": None,
    }
    assert terms["phases"]["retreats"]["reminders"] == ["6h", "2h"]
    gm.send("Ann", "JOIN europe AS Austria", to=ADDRESS)
    gm.confirm(address_of("Ann"))
    assert "Moves: due every Friday 20:00 Europe/Berlin; never resolved before that" in " ".join(
        body_of(gm.outbox("acknowledgement")[-1]).split()
    )
    assert "deadlines: moves every Friday 20:00 Europe/Berlin; retreats 1 day; builds 1 day" in " ".join(
        gm.send("Bob", "LIST", to=ADDRESS).split()
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "ruleset: diplomacy\ndeadline: days=24h",
            'Diplomacy has no phases of the kind "days"; it has moves, retreats and builds',
        ),
        ("deadline: retreats=24h", 'Count has no phases of the kind "retreats"; all its steps have the same terms'),
        ("ruleset: diplomacy\nearly: moves=perhaps", 'early of moves: early is yes or no, not "perhaps"'),
        ("ruleset: diplomacy\nearly: no\nearly: yes", "early: it is given twice"),
        ("phases: 3", '"phases" is neither a term of a game'),
    ],
)
def test_terms_of_phases_that_cannot_be_are_refused(gm: World, line: str, said: str) -> None:
    assert said in gm.master(f"NEW europe\n{line}\nEND NEW").replace(" | ", " ")
    assert names(gm) == ["galaxy-7"]

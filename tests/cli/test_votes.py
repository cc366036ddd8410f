"""`pbmd votes`, `pbmd veto`, and the terms of votes of a new game."""

import json

import pytest

from pbmd.ledger.tables import Game, Vote
from tests.cli.conftest import Home
from tests.cli.test_letters import receive


def terms(home: Home) -> dict[str, object]:
    return json.loads(home.rows(Game)[0].terms)


def test_votes_are_switched_on_and_off_and_listed(home: Home) -> None:
    home.start_game()
    allow = "Players may vote on nothing. pbmd votes galaxy-7 all allows them all."
    assert home.good("votes", "galaxy-7") == f"{allow}\n"
    assert "Players may vote on pause and draw from now on" in home.good("votes", "galaxy-7", "pause,draw")
    assert terms(home)["votes"] == ["pause", "draw"]
    listed = " ".join(home.good("votes", "galaxy-7").split())
    assert "players may vote on pause and draw (pbmd votes galaxy-7 none ends that)" in listed
    assert "Players may vote on nothing from now on" in home.good("votes", "galaxy-7", "none", "--because", "enough")
    assert "votes" not in terms(home)
    assert home.problem("votes", "galaxy-7", "war").startswith("votes are on pause, extension, replace")
    assert home.problem("veto", "galaxy-7", "1") == "there is no open vote 1 in galaxy-7"
    assert home.rows(Vote) == []


@pytest.mark.parametrize("ballots", ["open", "secret"])
def test_open_votes_are_listed_for_people_and_programs_as_everybody_may_know_them(home: Home, ballots: str) -> None:
    home.start_game("galaxy-7", "--vote", "draw", "--vote-ballots", ballots)
    receive(home, 1, "a vote", f"PROPOSE DRAW {'because we are friends' if ballots == 'open' else ''}")
    assert "(pbmd veto galaxy-7 1 stops it)" in " ".join(home.good("votes", "galaxy-7").split())
    told = home.json("votes", "galaxy-7")
    assert (told["game"], told["may_vote_on"]) == ("galaxy-7", ["draw"])
    (vote,) = told["open"]
    assert (vote["vote"], vote["kind"], vote["reason"]) == (1, "draw", "we are friends" if ballots == "open" else "")
    assert vote["ends"].endswith("Z")
    known = {"proposed_by": "Altair", "yes": ["Altair"], "no": []} if ballots == "open" else {}
    assert {key: vote[key] for key in ("proposed_by", "yes", "no") if key in vote} == known


def test_of_a_game_that_is_over_no_votes_are_offered(home: Home) -> None:
    home.start_game()
    home.good("abandon", "galaxy-7", "--yes")
    assert home.good("votes", "galaxy-7") == "The game is over.\n"


def test_what_is_so_after_a_change_is_told_to_programs(home: Home) -> None:
    home.start_game()
    assert home.json("votes", "galaxy-7", "pause,draw")["may_vote_on"] == ["pause", "draw"]
    assert home.json("votes", "galaxy-7", "none") == {"game": "galaxy-7", "may_vote_on": [], "open": []}


def test_the_terms_of_votes_are_options_of_a_new_game(home: Home) -> None:
    options = [
        "--vote",
        "all",
        "--vote-quorum",
        "60%",
        "--vote-ballots",
        "open",
        "--vote-time",
        "2 days",
        "--failed-votes",
        "untold",
    ]
    told = " ".join(home.good("new", "galaxy-7", "--ruleset", "count", *options).split())
    found = terms(home)
    assert found["votes"] == ["pause", "extension", "replace", "draw", "cancel"]
    assert (found["vote_quorum"], found["vote_ballots"], found["vote_time"], found["failed_votes"]) == (
        60,
        "open",
        "2 days",
        "untold",
    )
    assert "60 % of the players must say yes within 2 days" in told

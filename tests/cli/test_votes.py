"""`pbmd votes`, `pbmd veto`, and the terms of votes of a new game."""

import json

from pbmd.ledger.tables import Game, Vote
from tests.cli.conftest import Home


def terms(home: Home) -> dict[str, object]:
    return json.loads(home.rows(Game)[0].terms)


def test_votes_are_switched_on_and_off_and_listed(home: Home) -> None:
    home.start_game()
    assert "Players may vote on nothing." in home.good("votes", "galaxy-7")
    assert "Players may vote on pause and draw from now on" in home.good("votes", "galaxy-7", "pause,draw")
    assert terms(home)["votes"] == ["pause", "draw"]
    assert "players may vote on pause and draw" in " ".join(home.good("votes", "galaxy-7").split())
    assert "Players may vote on nothing from now on" in home.good("votes", "galaxy-7", "none", "--because", "enough")
    assert "votes" not in terms(home)
    assert home.problem("votes", "galaxy-7", "war").startswith("votes are on pause, extension, replace")
    assert home.problem("veto", "galaxy-7", "1") == "there is no open vote 1 in galaxy-7"
    assert home.rows(Vote) == []


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

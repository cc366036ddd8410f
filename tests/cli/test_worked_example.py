"""`pbmd adjudicate` as a process, on the sample files with the worked example of Galactic Overlord (section 12)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "data" / "samples" / "galactic_overlord"


def adjudicate(*arguments):
    command = [sys.executable, "-c", "from pbmd.cli import main; main()", "adjudicate", "position.toml", "orders.toml"]
    return subprocess.run([*command, *arguments], cwd=SAMPLES, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def result():
    return json.loads(adjudicate("--dice", "88", "--json"))


def test_one_die_is_rolled(result):
    assert result["dice"] == [[90, 88]]


def test_all_orders_are_accepted_in_order_of_arrival_not_of_the_file(result):
    lines = [verdict for verdict in result["verdicts"] if verdict["line"]]
    assert list(dict.fromkeys(verdict["player"] for verdict in lines)) == ["Borealis", "Cygnus", "Altair"]
    assert {verdict["status"] for verdict in lines} == {"ok"}


def test_stocks_are_those_of_the_specification(result):
    keys = ("name", "bp", "generators", "spies", "counter_espionage")
    assert [tuple(player[key] for key in keys) for player in result["position"]["players"]] == [
        ("Altair", 25, 0, 0, 2),
        ("Borealis", 22, 1, 1, 2),
        ("Cygnus", 21, 1, 1, 0),
    ]


def test_navies_are_those_of_the_specification(result):
    navies = {
        player["name"]: [(ship["count"], ship["weapon"], ship["hull"], ship["damage"]) for ship in player["ships"]]
        for player in result["position"]["players"]
    }
    assert navies == {
        "Altair": [(1, "torpedo", "cruiser", 0)],
        "Borealis": [(2, "laser", "battleship", 0), (4, "fighter", "frigate", 0), (1, "torpedo", "battleship", 2)],
        "Cygnus": [(2, "fighter", "cruiser", 0)],
    }


def test_a_base_is_built_and_one_is_captured(result):
    bases = {base["name"]: (base["owner"], base["acquired"]) for base in result["position"]["bases"]}
    assert (bases["Rigel"], bases["Cygnus Base 3"]) == (("Altair", 13), ("Borealis", 14))


def test_the_game_goes_on(result):
    assert (result["position"]["turn"], result["outcome"]) == (5, None)


def test_nobody_but_altair_learns_of_his_spy(result):
    assert "Use spy on Cygnus" in result["reports"]["Altair"]
    for reader in ("Borealis", "Cygnus", "public"):
        assert "spy on" not in result["reports"][reader].lower()


def test_the_reports_are_printed_without_json(result):
    assert adjudicate("--dice", "88") == "".join(
        f"=== {reader} ===\n\n{text.rstrip()}\n\n" for reader, text in result["reports"].items()
    )


def test_a_secret_gives_the_same_result_every_time():
    assert adjudicate("--secret", "00ff", "--json") == adjudicate("--secret", "00ff", "--json")

"""`pbmd simulate`, on the tiny ruleset "count"."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from tests.rules import count, relay

COUNT = str(Path(count.__file__).parent)


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments, players="3"):
    return CliRunner().invoke(app, ["simulate", COUNT, "--players", players, *arguments])


def figures(*arguments):
    """The JSON without what no seed can fix."""
    done = run("--json", *arguments)
    assert done.exit_code == 0
    content = json.loads(done.stdout)
    del content["turns_per_second"]
    return content


def test_the_same_seed_gives_the_same_games_whatever_the_processes():
    assert figures("--games", "6", "--seed", "4") == figures("--games", "6", "--seed", "4", "--jobs", "2")


def test_another_seed_gives_other_games():
    assert figures("--games", "20", "--seed", "1") != figures("--games", "20", "--seed", "2")


def test_games_of_a_run_differ_and_can_be_repeated_alone():
    runs = [figures("--games", "1", "--first", str(number)) for number in range(1, 25)]
    assert len({json.dumps(run) for run in runs}) > 1
    whole = figures("--games", "24")
    assert whole["turns"] == sum(run["turns"] for run in runs)
    assert whole["wins"] == {seat: sum(run["wins"][seat] for run in runs) for seat in whole["wins"]}


def test_the_figures_add_up():
    content = figures("--games", "10")
    assert (content["games"], content["ended"], content["unfinished"], content["failed"]) == (10, 10, 0, 0)
    assert content["shortest"] <= content["median"] <= content["longest"]
    assert 10 * content["shortest"] <= content["turns"] <= 10 * content["longest"]
    assert list(content["wins"]) == ["Altair", "Borealis", "Cygnus"]
    assert sum(content["wins"].values()) >= 10
    # Three letters a turn with one good line each, every sixth with a wrong one besides.
    assert 3 <= content["orders_per_turn"] <= 6
    assert content["errors_per_turn"] == pytest.approx(content["orders_per_turn"] - 3)


def test_a_table_is_printed_without_json():
    done = run("--games", "2")
    assert done.exit_code == 0
    assert "2 ended, 0 unfinished, 0 failed" in done.stdout
    assert "Altair" in done.stdout
    assert "turns a second" in done.stdout


def test_games_are_given_up_after_the_most_turns():
    content = figures("--games", "2", "--max-turns", "3", "--option", "target=1000")
    assert (content["ended"], content["unfinished"], content["longest"], content["draws"]) == (0, 2, 3, 0)


def test_more_players_than_names_are_numbered():
    arguments = ["simulate", "galactic_overlord", "--players", "13", "--games", "1", "--max-turns", "1", "--json"]
    assert list(json.loads(CliRunner().invoke(app, arguments).stdout)["wins"])[::12] == ["Altair", "Altair 2"]


def test_galactic_overlord_is_played_with_legal_orders_only():
    done = CliRunner().invoke(app, ["simulate", "galactic_overlord", "--players", "4", "--games", "3", "--json"])
    assert done.exit_code == 0
    content = json.loads(done.stdout)
    assert (content["ended"], content["failed"], content["errors_per_turn"]) == (3, 0, 0)
    assert sum(content["wins"].values()) + content["draws"] == 3


class TestAFailingRuleset:
    def test_is_told_with_game_turn_and_how_to_repeat_it(self):
        done = run("--games", "2", "--option", "crash_turn=2")
        assert done.exit_code == 1
        assert "0 ended, 0 unfinished, 2 failed" in done.stdout
        assert "pbmd: game 1, turn 2: ZeroDivisionError: this turn was asked to fail\n" in done.stderr
        again = f"pbmd simulate {COUNT} --players 3 --seed 1 --max-turns 500 --option crash_turn=2 --first 2 --games 1"
        assert again in done.stderr
        assert "Traceback" not in done.stderr

    def test_repeated_alone_has_the_traceback(self):
        done = run("--games", "1", "--first", "2", "--option", "crash_turn=2")
        assert done.exit_code == 1
        assert "Traceback (most recent call last)" in done.stderr
        assert "in _resolve" in done.stderr

    def test_does_not_stop_the_other_games(self):
        # Games that end before the turn that fails are counted as ended.
        lengths = [figures("--games", "1", "--first", str(number))["turns"] for number in range(1, 25)]
        after_the_shortest = min(lengths) + 1
        done = run("--games", "24", "--json", "--option", f"crash_turn={after_the_shortest}")
        content = json.loads(done.stdout)
        assert content["ended"] == sum(length < after_the_shortest for length in lengths)
        assert [problem["turn"] for problem in content["problems"]] == [after_the_shortest] * content["failed"]
        assert content["failed"] == 24 - content["ended"] > 0


class TestWrongUse:
    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (("--option", "targt=3"), 'there is no option "targt"; did you mean "target"?'),
            (("--option", "target=many"), 'option "target" is a whole number, not "many"'),
            (("--option", "target=0"), 'option "target" is at least 1, not 0'),
            (
                ("--option", "target"),
                '--option takes KEY=VALUE, not "target"; its options are target, die, greeting, crash_turn',
            ),
        ],
    )
    def test_of_options_is_one_line(self, arguments, problem):
        done = run(*arguments)
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"pbmd: {problem}\n")

    @pytest.mark.parametrize("players", ["1", "5"])
    def test_of_the_number_of_players_is_one_line(self, players):
        done = run(players=players)
        assert (done.exit_code, done.stderr) == (2, f"pbmd: Count is for 2 to 4 players, not {players}\n")

    def test_of_a_name_is_one_line(self):
        done = CliRunner().invoke(app, ["simulate", "galactic_overlrd"])
        assert (done.exit_code, done.stdout) == (2, "")
        assert 'Did you mean "galactic_overlord"?' in done.stderr


def test_help_has_examples():
    assert "pbmd simulate galactic_overlord --players 6" in CliRunner().invoke(app, ["simulate", "--help"]).stdout


RELAY = str(Path(relay.__file__).parent)


def test_a_sequential_game_is_played_move_by_move_to_its_end():
    arguments = ["simulate", RELAY, "--players", "4", "--games", "3", "--seed", "2", "--json", "--option", "target=100"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)
    assert content["ended"] == 3
    assert content["failed"] == 0

"""`pbmd adjudicate`, on the tiny ruleset "count"."""

import json
import subprocess
import sys
import tomllib

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli import files as module
from pbmd.rules import HmacDice
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.salts import digest_of_all
from tests.rules import count

POSITION = """
ruleset = "count"
turn = 3
players = [{ name = "Ann", score = 0 }, { name = "Bob", score = 2 }]
[options]
target = 50
"""
ORDERS = """
[[orders]]
player = "Bob"
received = 2026-05-01T12:00:01Z
text = "Add 5"

[[orders]]
player = "Ann"
received = 2026-05-01T14:00:00+02:00
text = '''

Add 3
Ad 4
'''
"""


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    def get(slug):
        if slug != "count":
            raise UnknownRuleset(f'there is no ruleset "{slug}". There are: count.')
        return count.ruleset

    monkeypatch.setattr(module, "get", get)


@pytest.fixture
def run(tmp_path):
    """Run the command with these files; a file that is None does not exist."""

    def run(*arguments, position=POSITION, orders=ORDERS):
        for name, content in (("position.toml", position), ("orders.toml", orders)):
            if content is not None:
                (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        files = [str(tmp_path / "position.toml"), str(tmp_path / "orders.toml")]
        return CliRunner().invoke(app, ["adjudicate", *files, *arguments])

    return run


class TestJson:
    @pytest.fixture
    def result(self, run):
        done = run("--json", "--dice", "1 6")
        assert done.exit_code == 0
        return json.loads(done.stdout)

    def test_has_exactly_these_keys(self, result):
        assert list(result) == ["position", "verdicts", "events", "reports", "dice", "outcome"]

    def test_has_the_new_position_document(self, result):
        assert result["position"]["turn"] == 4
        assert result["position"]["players"] == [{"name": "Ann", "score": 4}, {"name": "Bob", "score": 13}]

    def test_has_a_verdict_for_each_line_in_order_of_arrival(self, result):
        message = "this adds nothing. Example: Add 3"
        wrong = {"status": "error", "code": "not_a_number", "message": message, "canonical": ""}
        assert result["verdicts"] == [
            {"player": "Ann", "line": 2, "text": "Add 3", "status": "ok", "message": "", "canonical": "Add 3"},
            {"player": "Ann", "line": 3, "text": "Ad 4", **wrong},
            {"player": "Bob", "line": 1, "text": "Add 5", "status": "ok", "message": "", "canonical": "Add 5"},
        ]

    def test_has_the_events_with_their_audiences(self, result):
        assert result["events"] == [
            {"kind": "added", "audience": ["Ann"], "data": {"by": "Ann"}, "detail": {"number": 4}, "insiders": ["Ann"]},
            {"kind": "added", "audience": ["Bob"], "data": {"by": "Bob"}, "detail": {"number": 11}, "insiders": ["Bob"]},
            {"kind": "total", "audience": "all", "data": {"total": 17}},
        ]

    def test_has_a_report_per_player_and_the_public_one(self, result):
        assert list(result["reports"]) == ["Ann", "Bob", "public"]
        assert result["reports"]["Ann"] == "plain, Ann\nadded Ann 4\ntotal 17\nTotal 17 after turn 3 of Count\n"
        assert result["reports"]["public"] == "plain, everybody\ntotal 17\nTotal 17 after turn 3 of Count\n"

    def test_has_the_dice_in_the_order_drawn(self, result):
        assert result["dice"] == [[6, 1], [6, 6]]

    def test_has_no_outcome_while_the_game_runs(self, result):
        assert result["outcome"] is None

    def test_has_the_outcome_when_it_is_over(self, run):
        done = run("--json", "--dice", "1 6", position=POSITION.replace("50", "13"))
        assert json.loads(done.stdout)["outcome"] == {"winners": ["Bob"], "reason": "the target was reached"}


class TestReports:
    def test_are_printed_without_json(self, run):
        done = run("--dice", "1 6")
        assert done.exit_code == 0
        assert done.stdout.startswith("=== Ann ===\n\nplain, Ann\nadded Ann 4\n")
        assert "=== public ===\n\nplain, everybody\ntotal 17\n" in done.stdout

    def test_end_with_who_has_won_when_the_game_is_over(self, run):
        done = run("--dice", "1 6", position=POSITION.replace("50", "13"))
        assert done.stdout.endswith("\nThe game is over: the target was reached. Winner: Bob.\n")
        assert "The game is over" not in run("--dice", "1 6").stdout

    def test_come_with_the_refused_lines_on_standard_error(self, run):
        assert run("--dice", "1 6").stderr == "Ann, line 3: error: this adds nothing. Example: Add 3\n"

    def test_of_several_steps_follow_each_other(self, run):
        deadline = "\n[[orders]]\ndeadline = true\nreceived = 2026-05-01T13:00:00\n"
        more = '\n[[orders]]\nplayer = "Ann"\nreceived = 2026-05-02T13:00:00\ntext = ""\n'
        done = run("--json", "--dice", "1 6 2", orders=ORDERS + deadline + more)
        text = json.loads(done.stdout)["reports"]["public"]
        assert text.index("after turn 3") < text.index("missed Bob") < text.index("after turn 4")


class TestDice:
    def test_given_too_few_is_one_line_that_says_which_is_missing(self, run):
        done = run("--dice", "1")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "pbmd: --dice: roll 2 (a d6) was needed, but the dice script has only 1\n"

    def test_not_used_are_mentioned(self, run):
        assert "Not used of --dice: 3 4\n" in run("--dice", "1, 2, 3, 4").stderr

    def test_of_a_drawn_secret_can_be_had_again(self, run):
        first = run("--json")
        words = first.stderr.split()
        assert words[-2] == "--secret"
        again = run("--json", "--secret", words[-1])
        assert (again.stdout, again.stderr) == (first.stdout, "")

    def test_of_two_runs_have_different_secrets(self, run):
        assert run("--json").stderr != run("--json").stderr

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (("--dice", "1 x"), '--dice takes whole numbers from 1 on such as "7 3 10", not "1 x"'),
            (("--secret", "abc"), "--secret takes an even number of hexadecimal digits"),
            (("--secret", ""), "--secret is empty"),
            (("--dice", "88 0"), '--dice takes whole numbers from 1 on such as "7 3 10", not "88 0"'),
            (("--secret", "ab", "--dice", "1"), "--dice and --secret exclude each other; give one of them"),
            (("--salts", "dice.json"), "--salts goes with --secret: rolls are made of both"),
        ],
    )
    def test_given_wrongly_are_one_line(self, run, arguments, problem):
        done = run(*arguments)
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"pbmd: {problem}\n")

    def test_of_a_game_come_from_the_salts_of_its_seats_too(self, run, tmp_path):
        path = tmp_path / "dice.json"
        seats = [{"number": n, "seat": seat, "salt": f"{n:032x}"} for n, seat in enumerate(("Ann", "Bob"), start=1)]
        path.write_text(json.dumps({"seats": seats}))
        salts = [("Ann", (1).to_bytes(16, "big")), ("Bob", (2).to_bytes(16, "big"))]
        dice = HmacDice(b"\xab", digest_of_all(salts, {"Ann": ("Add 3",), "Bob": ("Add 5",)}))
        done = run("--json", "--secret", "ab", "--salts", str(path))
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["dice"] == [[6, dice.roll(6)], [6, dice.roll(6)]]

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (None, "No such file or directory"),
            ("{", "seats: there are no salts of all seats in it, as in the dice.json of an archive"),
            ('{"sheets": []}', "seats: there are no salts of all seats in it, as in the dice.json of an archive"),
            ('{"seats": [{"seat": "Ann", "digest": "ab"}]}', "seats: there are no salts of all seats in it"),
            ('{"seats": [{"seat": "Ann", "salt": "ab"}]}', "seats: it has not one salt of 16 bytes for each of Ann, Bob"),
        ],
    )
    def test_of_a_file_without_salts_are_one_line(self, run, tmp_path, content, problem):
        path = tmp_path / "dice.json"
        if content is not None:
            path.write_text(content)
        done = run("--secret", "ab", "--salts", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"pbmd: {path}: {problem}")


ENTRY = '[[orders]]\nplayer = "Ann"\nreceived = 2026-05-01T12:00:00Z\ntext = "Add 1"\n'


class TestWrongFile:
    @pytest.mark.parametrize(
        ("position", "problem"),
        [
            (None, "position.toml: No such file or directory"),
            ("turn = 3\nruleset = count\n", "position.toml: this is not TOML: Invalid value (at line 2, column 11)"),
            (
                f"turn = {'3' * 5000}\n",
                "position.toml: this is not TOML: A number has more than 4300 digits (at line 1, column 8)",
            ),
            (b"# one\n# \xe9\n", "position.toml: line 2: this is not UTF-8 text"),
            ("turn = 3\n", "position.toml: ruleset: the name of the ruleset is missing"),
            ("ruleset = 7\n", "position.toml: ruleset: the name of the ruleset is missing"),
            ('ruleset = "chess"\n', 'position.toml: ruleset: there is no ruleset "chess". There are: count.'),
            (POSITION.replace("score = 2", 'score = "x"'), "position.toml: players[1].score: a whole number is missing here"),
            ("trun = 3\n" + POSITION, "position.toml: trun: there is no such key"),
        ],
    )
    def test_position_is_named_in_one_line_with_place_and_problem(self, run, position, problem):
        self.check(run(position=position), problem)

    @pytest.mark.parametrize(
        ("orders", "problem"),
        [
            (None, "orders.toml: No such file or directory"),
            (ORDERS + "x = \n", "orders.toml: this is not TOML: Invalid value (at line 15, column 5)"),
            ("[[order]]\n", 'orders.toml: order: an orders file has only "[[orders]]" entries'),
            ("orders = 3\n", 'orders.toml: orders: entries begin with "[[orders]]" on a line of its own'),
            ("orders = [3]\n", 'orders.toml: orders: entries begin with "[[orders]]" on a line of its own'),
            (ENTRY + "[[orders]]\n", 'orders.toml: [[orders]] no. 2: "player" is missing'),
            (ENTRY.replace('text = "Add 1"\n', ""), 'orders.toml: [[orders]] no. 1: "text" is missing'),
            (ENTRY + 'txt = ""\n', '[[orders]] no. 1: txt: there is no such key; did you mean "text"?'),
            (ENTRY + "zzz = 1\n", "[[orders]] no. 1: zzz: there is no such key; there are player, received, text"),
            (ENTRY.replace("Ann", "Anne"), '[[orders]] no. 1: player: there is no counter "Anne"; did you mean "Ann"?'),
            (ENTRY.replace("Ann", "Zoe"), 'no. 1: player: there is no counter "Zoe"; there are Ann, Bob'),
            (ENTRY.replace('"Ann"', "1"), "no. 1: player: text is wanted here, not 1"),
            (ENTRY.replace('"Add 1"', "[]"), "no. 1: text: text is wanted here, not []"),
            (
                ENTRY.replace("2026-05-01T12:00:00Z", '"noon"'),
                'no. 1: received: a TOML date and time such as 2026-05-01T18:30:00Z is wanted here, not "noon"',
            ),
            (ENTRY.replace("T12:00:00Z", ""), "received: a TOML date and time such as 2026-05-01T18:30:00Z is wanted here"),
            (ENTRY + "deadline = 1\n", "no. 1: deadline: true or false is wanted here, not 1"),
            (ENTRY + "deadline = true\n", 'no. 1: player: an entry with "deadline = true" has only "received" besides'),
            ("[[orders]]\ndeadline = true\n", 'no. 1: "received" is missing'),
        ],
    )
    def test_orders_are_named_in_one_line_with_place_and_problem(self, run, orders, problem):
        self.check(run(orders=orders), problem)

    def test_a_folder_is_no_file(self, run, tmp_path):
        (tmp_path / "orders.toml").mkdir()
        self.check(run(orders=None), "orders.toml: Is a directory")

    @staticmethod
    def check(done, problem):
        assert (done.exit_code, done.stdout) == (2, "")
        assert problem in done.stderr
        assert done.stderr.startswith("pbmd: ")
        assert done.stderr.count("\n") == 1


class TestRightFile:
    def test_an_orders_file_may_be_empty(self, run):
        assert "missed Ann" in run("--dice", "", orders="").stdout

    def test_players_are_known_whatever_the_case(self, run):
        done = run("--json", "--dice", "1", orders=ENTRY.replace("Ann", "aNN"))
        assert json.loads(done.stdout)["verdicts"][0]["player"] == "Ann"

    def test_an_entry_may_say_that_it_is_no_deadline(self, run):
        assert run("--dice", "1", orders=ENTRY + "deadline = false\n").exit_code == 0


class TestWritePosition:
    def test_writes_what_json_tells(self, run, tmp_path):
        done = run("--json", "--dice", "1 6", "--write-position", str(tmp_path / "next.toml"))
        assert tomllib.loads((tmp_path / "next.toml").read_text()) == json.loads(done.stdout)["position"]

    def test_can_be_played_on_and_reads_back_exactly(self, run, tmp_path):
        run("--dice", "1 6", "--write-position", str(tmp_path / "next.toml"))
        written = (tmp_path / "next.toml").read_text()
        finished = written.replace("target = 50", "target = 1")  # a finished game changes no more
        run("--write-position", str(tmp_path / "again.toml"), position=finished, orders="")
        assert (tmp_path / "again.toml").read_text() == finished

    def test_into_a_folder_that_is_not_there_is_one_line(self, run, tmp_path):
        done = run("--dice", "1 6", "--write-position", str(tmp_path / "no" / "next.toml"))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.endswith("next.toml: No such file or directory\n")


def test_help_has_examples():
    done = CliRunner().invoke(app, ["adjudicate", "--help"])
    assert done.exit_code == 0
    assert "pbmd adjudicate position.toml orders.toml" in done.stdout


def test_as_a_process_a_wrong_file_leaves_no_traceback(tmp_path):
    command = [sys.executable, "-c", "from pbmd.cli import main; main()", "adjudicate", "nowhere.toml", "nowhere.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pbmd: nowhere.toml: No such file or directory\n"

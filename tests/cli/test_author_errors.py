"""What the author of a ruleset in a folder sees: a path works wherever a name does, and an error has its file and line."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app
from tests.cli.conftest import PLAYERS, TOML, Home
from tests.rules import count

POSITION = 'ruleset = "count"\nturn = 3\n[[players]]\nname = "Ann"\nscore = 0\n[[players]]\nname = "Bob"\nscore = 2\n'
BROKEN = """
from dataclasses import replace as but
def broken(*_):
    raise KeyError("no such star")  # HERE
ruleset = but(ruleset, {function}=broken)
"""
HINT = "\n  PBMD_TRACE=1 in the environment shows the whole trace.\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the ruleset ``count``, and a position and orders beside it."""
    shutil.copytree(Path(count.__file__).parent, tmp_path / "count", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "position.toml").write_text(POSITION)
    (tmp_path / "orders.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


ADJUDICATE = ("adjudicate", "position.toml", "orders.toml", "--ruleset", "./count", "--dice", "")
EVERYWHERE = {
    "rules": ("rules", "./count"),
    "simulate": ("simulate", "./count", "--games", "1", "--players", "2"),
    "adjudicate": ADJUDICATE,
    "map": ("map", "position.toml", "-o", "map.svg", "--ruleset", "./count"),
}


class TestAPath:
    @pytest.mark.parametrize("command", ["rules", "simulate", "adjudicate"])
    def test_is_taken(self, command: str) -> None:
        done = run(*EVERYWHERE[command])
        assert done.exit_code == 0, done.output

    def test_is_taken_by_the_command_for_maps(self) -> None:
        assert run(*EVERYWHERE["map"]).stderr == "pbmd: position.toml: Count has no map\n"

    @pytest.mark.parametrize("command", EVERYWHERE)
    def test_that_is_none_is_refused_in_a_line(self, command: str) -> None:
        done = run(*[argument.replace("./count", "./cuont") for argument in EVERYWHERE[command]])
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("pbmd: ")
        assert done.stderr.endswith("cuont is no ruleset: there is no such folder\n")

    def test_must_have_the_rules_of_the_position(self, here: Path) -> None:
        (here / "position.toml").write_text(POSITION.replace("count", "tides"))
        told = run(*ADJUDICATE).stderr
        assert told == "pbmd: position.toml: ruleset: this is a position of tides, and ./count has the rules of count\n"

    def test_without_its_slash_is_told_with_it(self, here: Path) -> None:
        (here / "count").rename(here / "zzz")
        told = 'there is no ruleset "zzz". The folder of that name is ./zzz'
        assert run("simulate", "zzz").stderr == f"pbmd: {told}\n"
        home = Home(here)
        home.settings.write_text(TOML.format(rulesets="other", imap_port=1, smtp_port=1))
        assert home.problem("new", "galaxy-7", "--ruleset", "zzz") == told

    @pytest.mark.parametrize("name", ["x" * 5000, "./" + "x" * 5000])
    def test_that_is_too_long_is_refused_in_a_line(self, name: str) -> None:
        done = run("simulate", name)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)

    def test_in_a_position_is_none(self, here: Path) -> None:
        (here / "position.toml").write_text(POSITION.replace('"count"', '"./count"'))
        told = run("adjudicate", "position.toml", "orders.toml").stderr
        assert told.startswith('pbmd: position.toml: ruleset: there is no ruleset "./count". There are: ')

    def test_can_be_where_one_is(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(here / "count")
        assert run("rules", ".").stdout == count.info.handbook


class TestANewGameByAPath:
    def test_begins_if_the_settings_have_the_path(self, here: Path) -> None:
        home = Home(here)
        home.settings.write_text(TOML.format(rulesets="count", imap_port=1, smtp_port=1))
        told = home.good("new", "galaxy-7", "--ruleset", "./count", "--players", home.write("players.toml", PLAYERS))
        assert told.startswith("galaxy-7 has begun with 2 players")

    def test_is_refused_with_the_line_to_add_if_they_have_it_not(self, here: Path) -> None:
        home = Home(here)
        home.settings.write_text(TOML.format(rulesets="other", imap_port=1, smtp_port=1))
        told = home.problem("new", "galaxy-7", "--ruleset", "./count")
        assert f'put rulesets = ["{here / "count"}"] into {home.settings}' in told


class TestAnErrorOfTheAuthors:
    @pytest.mark.parametrize(
        ("function", "command"),
        [("setup", "simulate"), ("resolve", "adjudicate"), ("load", "adjudicate"), ("view", "map")],
    )
    def test_in_a_function_has_file_and_line(self, here: Path, function: str, command: str) -> None:
        line = write(here, lambda code: code + BROKEN.format(function=function))
        done = run(*EVERYWHERE[command])
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == f"pbmd: count/__init__.py, line {line}, in broken: KeyError: 'no such star'{HINT}"

    @pytest.mark.parametrize("command", EVERYWHERE)
    def test_on_import_has_file_and_line(self, here: Path, command: str) -> None:
        line = write(here, lambda code: code + "\nNUMBER = 1 / 0  # HERE\n")
        done = run(*EVERYWHERE[command])
        assert done.exit_code != 0
        assert done.stdout == ""
        assert f"count/__init__.py, line {line}: ZeroDivisionError: division by zero\n" in done.stderr
        assert done.stderr.count("\n") <= 2

    def test_of_grammar_has_file_and_line(self, here: Path) -> None:
        (here / "count" / "numbers.py").write_text("ONE = 1\nTWO = = 2\n")
        write(here, lambda code: code + "\nfrom .numbers import TWO\n")
        told = run("rules", "./count").stderr
        assert told.startswith("pbmd: ")
        assert "count/numbers.py, line 2: SyntaxError: invalid syntax\n" in told

    def test_in_a_template_has_file_and_line(self, here: Path) -> None:
        template = here / "count" / "templates" / "reports" / "count" / "report.txt.j2"
        template.write_text("Hello\n{{ view.data.totl }}\n")
        told = run(*ADJUDICATE).stderr
        assert told.startswith("pbmd: count/templates/reports/count/report.txt.j2, line 2: jinja2.exceptions.UndefinedError: ")
        assert told.endswith(f"has no attribute 'totl'{HINT}")

    def test_of_grammar_in_a_template_has_file_and_line(self, here: Path) -> None:
        template = here / "count" / "templates" / "reports" / "count" / "report.html.j2"
        template.write_text("<p>\n{% if %}\n")
        home = Home(here)
        home.settings.write_text(TOML.format(rulesets="count", imap_port=1, smtp_port=1))
        told = home.run("new", "galaxy-7", "--ruleset", "count").stderr
        assert "reports/count/report.html.j2, line 2: jinja2.exceptions.TemplateSyntaxError: " in told
        assert told.endswith(HINT)

    def test_a_template_that_is_missing_is_named(self, here: Path) -> None:
        (here / "count" / "templates" / "reports" / "count" / "report.txt.j2").unlink()
        told = run(*ADJUDICATE).stderr
        assert told == "pbmd: the ruleset has no template reports/count/report.txt.j2; it belongs into its folder templates\n"

    def test_a_handbook_that_is_missing_is_named(self, here: Path) -> None:
        (here / "count" / "RULES.md").unlink()
        assert run("rules", "./count").stderr == f"pbmd: Count has no handbook: {here / 'count' / 'RULES.md'}\n"

    def test_has_its_trace_if_that_is_wanted(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(here, lambda code: code + BROKEN.format(function="resolve"))
        monkeypatch.setenv("PBMD_TRACE", "1")
        assert isinstance(run(*ADJUDICATE).exception, KeyError)

    def test_on_import_has_its_trace_if_that_is_wanted(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(here, lambda code: code + "\nNUMBER = 1 / 0\n")
        monkeypatch.setenv("PBMD_TRACE", "1")
        found = run("rules", "./count").exception
        assert isinstance(found, ZeroDivisionError) or isinstance(found and found.__cause__, ZeroDivisionError)

    def test_in_a_random_game_has_file_and_line(self, here: Path) -> None:
        line = write(here, lambda code: code + BROKEN.format(function="resolve"))
        told = run("simulate", "./count", "--games", "2", "--players", "2").stderr
        assert "pbmd: game 1, turn 1: KeyError: 'no such star'\n" in told
        assert told.count(f"\n  at count/__init__.py, line {line}, in broken\n") == 2


class TestWhatIsOfAnotherType:
    @pytest.mark.parametrize(
        ("function", "code", "command", "problem"),
        [
            ("resolve", "lambda position, dice: (position, ())", "simulate", "it is tuple, and not Resolution"),
            ("resolve", "lambda position, dice: (position, ())", "adjudicate", "it is tuple, and not Resolution"),
            ("view", "lambda *_: []", "adjudicate", "it is list, and not View"),
            ("view", "lambda *_: {}", "map", "it is dict, and not View"),
            ("awaiting", "lambda position: [7]", "simulate", "[0] is int, and not str"),
            ("outcome", "lambda position: 'Ann'", "simulate", "it is str, and not Outcome"),
            ("outcome", "lambda position: 'Ann'", "adjudicate", "it is str, and not Outcome"),
            ("receive", "lambda position, mail: position", "simulate", "it is Position, and not Receipt"),
            ("seats", "lambda position: 3", "map", "it is int, and not tuple"),
        ],
    )
    def test_is_told_with_file_and_line(self, here: Path, function: str, code: str, command: str, problem: str) -> None:
        changed = f"\nfrom dataclasses import replace as but\nruleset = but(ruleset, {function}={code})  # HERE\n"
        line = write(here, lambda old: old + changed)
        arguments = (*EVERYWHERE[command], *(("--for", "Ann") if command == "map" else ()))
        told, place = run(*arguments).stderr, f"count/__init__.py, line {line}"
        assert f"what {function} gives back: {problem}\n" in told
        assert place in told
        assert "Traceback" not in told or command == "simulate"

    def test_is_found_by_a_simulation_in_the_games_that_fail(self, here: Path) -> None:
        code = """
from dataclasses import replace as but
sound = ruleset.resolve
ruleset = but(ruleset, resolve=lambda position, dice: None if dice.roll(4) == 1 else sound(position, dice))  # HERE
"""
        line = write(here, lambda old: old + code)
        done = run("simulate", "./count", "--games", "9", "--players", "2")
        failed = int(re.findall(r"(\d+) failed", done.stdout)[0])
        assert failed > 1
        told = f": what resolve gives back: it is None, and not Resolution\n  at count/__init__.py, line {line}\n"
        assert done.stderr.count(told) == failed

    def test_does_not_change_the_figures_of_a_sound_one(self) -> None:
        several = run("simulate", "./count", "--games", "3", "--players", "2", "--json").stdout
        in_processes = run("simulate", "./count", "--games", "3", "--players", "2", "--json", "--jobs", "2").stdout
        without_time = re.compile(r'"turns_per_second": [\d.]+')
        assert without_time.sub("", several) == without_time.sub("", in_processes)


class TestAPositionThatCannotBeKept:
    def test_because_load_refuses_it_is_told_by_adjudicate(self, here: Path) -> None:
        code = """
from dataclasses import replace as but
from pbmd.rules import PositionError
def strict(document):
    if document["turn"] > 3:
        raise PositionError("turn", "that is too late")  # HERE
    return sound(document)
sound = ruleset.load
ruleset = but(ruleset, load=strict)
"""
        line = write(here, lambda old: old + code)
        done = run(*ADJUDICATE)
        assert done.exit_code == 1
        assert "=== public ===" in done.stdout
        assert done.stderr == (
            "pbmd: this cannot be kept: load does not read what dump has written: "
            f"count/__init__.py, line {line}, in strict: pbmd.rules.protocol.PositionError: turn: that is too late\n"
        )

    def test_because_another_comes_back_is_told_by_adjudicate(self, here: Path) -> None:
        code = """
from dataclasses import replace as but
sound = ruleset.load
ruleset = but(ruleset, load=lambda document: sound({**document, "turn": min(document["turn"], 3)}))  # HERE
"""
        line = write(here, lambda old: old + code)
        done = run(*ADJUDICATE)
        assert done.exit_code == 1
        assert done.stderr == (
            "pbmd: this cannot be kept: the ruleset count does not read the position that it wrote as what it was, at "
            f"turn (count/__init__.py, line {line})\n"
        )


class TestAMapOfTheAuthors:
    MAP = """
from dataclasses import replace as but
from pbmd.rules import View
def mapped(position, events, reader):  # HERE
    node = {{"name": "Sol", "x": 0, "y": 0, "owner": "", "value": "", "own": False, "ringed": False}}
    told = {{"title": "A map", "nodes": [node], "links": [], "owners": [], "legend": {{}}, "notes": []}}
    {change}
    return View(reader, position.turn, {{"map": told}})
ruleset = but(ruleset, view=mapped)
"""

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            ("del node['own']", "the key 'own' is missing in it"),
            ("del told['links']", "the key 'links' is missing in it"),
            ("node['x'] = 'far'", "something in it is of another type than in a map: must be real number, not str"),
            ("told = []", "something in it is of another type than in a map: "),
            ("told['title'] = {1}", "it cannot be JSON: "),
            (
                "told['owners'] = [{'name': 'Ann', 'colour': 'red', 'code': '', 'note': ''}]",
                'owners[0].colour: a colour is written as "#rrggbb", with small letters',
            ),
        ],
    )
    def test_that_cannot_be_drawn_has_file_and_line(self, here: Path, change: str, problem: str) -> None:
        line = write(here, lambda old: old + self.MAP.format(change=change))
        done = run(*EVERYWHERE["map"])
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"pbmd: position.toml: map: {problem}")
        assert done.stderr.endswith(f" (count/__init__.py, line {line}, in mapped)\n")
        assert not (here / "map.svg").exists()


def test_an_error_of_pbmd_is_none_of_the_authors(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.cli.adjudicate.adjudicate", lambda *_: 1 / 0)
    assert isinstance(run(*ADJUDICATE).exception, ZeroDivisionError)


def write(here: Path, change: Callable[[str], str]) -> int:
    """Change the code of the ruleset; gives the line with HERE."""
    init = here / "count" / "__init__.py"
    init.write_text(change(init.read_text()))
    lines = init.read_text().splitlines()
    return next((number for number, line in enumerate(lines, start=1) if "HERE" in line), 0)

"""`pbmd rules`, on the tiny ruleset "count" as a folder and on what is installed."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli import rules as module
from pbmd.rules.registry import from_folder, get
from tests.rules import count

COUNT = str(Path(count.__file__).parent)


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(module, "slugs", lambda: ("count",))
    monkeypatch.setattr(module, "find", lambda slug, _folders: {"count": count.ruleset}[slug])


def run(*arguments):
    return CliRunner().invoke(app, ["rules", *arguments])


@pytest.mark.usefixtures("installed")
class TestList:
    def test_shows_each_ruleset_in_a_row(self):
        done = run()
        assert done.exit_code == 0
        cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in done.stdout.splitlines()]
        at = cells.index(["count", "Count"])
        assert cells[at + 1 : at + 3] == [
            ["2–4 players", "Add numbers until somebody has enough. For tests."],
            ["simultaneous", ""],
        ]

    def test_fits_a_narrow_window(self, monkeypatch):
        monkeypatch.setenv("COLUMNS", "80")
        assert all(len(line) <= 80 for told in (run(), run(COUNT, "--options")) for line in told.stdout.splitlines())

    def test_as_json_has_the_head_of_each(self):
        assert json.loads(run("--json").stdout) == [
            {
                "slug": "count",
                "title": "Count",
                "summary": "Add numbers until somebody has enough. For tests.",
                "source": "made up",
                "seat_word": "counter",
                "min_seats": 2,
                "max_seats": 4,
                "timing": "simultaneous",
            }
        ]

    def test_options_need_a_ruleset(self):
        done = run("--options")
        assert (done.exit_code, done.stderr) == (2, "pbmd: --options needs a ruleset: pbmd rules RULESET --options\n")


class TestHandbook:
    def test_is_plain_markdown_when_piped(self):
        assert run(COUNT).stdout == count.info.handbook

    def test_is_in_the_json(self):
        content = json.loads(run(COUNT, "--json").stdout)
        assert (content["slug"], content["handbook"]) == ("count", count.info.handbook)

    def test_of_galactic_overlord_is_installed(self):
        assert run("galactic_overlord").stdout.startswith("# Galactic Overlord")


class TestOptions:
    def test_are_a_table_with_defaults_kinds_and_help(self):
        done = run(COUNT, "--options")
        cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in done.stdout.splitlines()]
        assert ["target = 20", "Who reaches this first wins."] in cells
        assert ["whole number, 1 to 1000", ""] in cells
        assert ["die = true", "Add a d6 to each number."] in cells
        assert ["greeting = plain", "How the report begins."] in cells
        assert ["one of plain, <b>bold</b>", ""] in cells
        assert ["crash_turn = 0", "The resolution of this turn fails. 0 is never."] in cells
        assert ["whole number, at least 0", ""] in cells

    def test_as_json_have_their_limits(self):
        options = {option["key"]: option for option in json.loads(run(COUNT, "--options", "--json").stdout)}
        assert options["die"] == {"key": "die", "default": True, "kind": "true or false", "help": "Add a d6 to each number."}
        assert (options["target"]["minimum"], options["target"]["maximum"]) == (1, 1000)
        assert options["greeting"]["choices"] == ["plain", "<b>bold</b>"]


class TestUnknownRuleset:
    def test_brings_the_nearest(self):
        done = run("galactic_overlrd")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == 'pbmd: there is no ruleset "galactic_overlrd". Did you mean "galactic_overlord"?\n'

    def test_in_a_folder_says_what_is_missing(self, tmp_path):
        done = run(f"{tmp_path}/nothing")
        assert done.exit_code == 2
        assert done.stderr.endswith("is no ruleset: there is no such folder\n")


def test_help_has_examples():
    assert "pbmd rules galactic_overlord --options" in run("--help").stdout


class TestARulesetThatCannotBeRead:
    @pytest.fixture
    def broken(self, tmp_path, monkeypatch):
        """A ruleset with a misspelt key, beside those that are installed."""
        folder = tmp_path / "broken"
        shutil.copytree(Path(count.__file__).parent, folder)
        file = folder / "ruleset.toml"
        file.write_text(file.read_text().replace("min_seats", "min_seat"))
        monkeypatch.setattr(module, "slugs", lambda: ("broken", "societies"))
        monkeypatch.setattr(module, "find", lambda slug, _folders: from_folder(folder) if slug == "broken" else get(slug))
        return file

    def test_is_one_line_with_its_file_and_line(self, broken):
        done = run(f"{broken.parent}")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f'pbmd: {broken}, line 7: there is no key "min_seat"; did you mean "min_seats"?\n'

    def test_hides_no_other_in_the_list(self, broken):
        done = run()
        assert done.exit_code == 1
        assert "Societies" in done.stdout
        assert done.stderr.startswith(f"pbmd: {broken}, line 7: ")


class TestRulesetsOfTheSettings:
    @pytest.fixture
    def settings(self, tmp_path, monkeypatch):
        """Settings that are not filled in, in the current folder; beside them is the ruleset that they name."""
        shutil.copytree(COUNT, tmp_path / "abacus")
        file = tmp_path / "abacus" / "ruleset.toml"
        file.write_text(file.read_text().replace('slug = "count"', 'slug = "abacus"').replace('"Count"', '"Abacus"'))
        (tmp_path / "pbmd.toml").write_text('rulesets = ["abacus"]\n\n[imap]\n')
        monkeypatch.chdir(tmp_path)
        return tmp_path / "pbmd.toml"

    @pytest.mark.usefixtures("settings")
    def test_of_the_current_folder_are_found_by_name(self):
        assert json.loads(run("abacus", "--json").stdout)["title"] == "Abacus"
        assert "abacus" in [head["slug"] for head in json.loads(run("--json").stdout)]

    def test_are_found_by_settings_that_are_named(self, settings, tmp_path, monkeypatch):
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert 'there is no ruleset "abacus"' in run("abacus").stderr
        assert run("abacus", "--settings", str(settings)).stdout == count.info.handbook

    def test_need_settings_that_are_there_if_they_are_named(self, tmp_path):
        done = run("--settings", str(tmp_path / "none.toml"))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"pbmd: {tmp_path / 'none.toml'}: there is no such file")

    def test_are_paths(self, settings):
        settings.write_text("\nrulesets = [3]\n")
        done = run()
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("pbmd: pbmd.toml, line 2: rulesets.0: ")

"""`pbmd map`: the map of a position as a file."""

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
import tomli_w
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli import files as module
from pbmd.rendering.picture import map_svg
from pbmd.rules import GM, PUBLIC, seat_reader
from pbmd.rules.registry import UnknownRuleset
from rulesets.cosmic_conquest import ruleset
from tests.rules import count
from tests.rulesets.cosmic_conquest.harness import faction, position

pytestmark = pytest.mark.usefixtures("small_pictures")

POSITION = position("Sol 12 Red, Castor 5 Green -3", faction("Red"), faction("Green", "psionic"))


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    def get(slug):
        found = {"cosmic_conquest": ruleset, "count": count.ruleset}.get(slug)
        if found is None:
            raise UnknownRuleset(f'there is no ruleset "{slug}". There are: cosmic_conquest, count.')
        return found

    monkeypatch.setattr(module, "get", get)


@pytest.fixture
def run(tmp_path):
    """Run the command on a position; the picture goes into the same folder."""

    def run(*arguments, document=POSITION, to="map.svg"):
        (tmp_path / "position.toml").write_text(tomli_w.dumps(document))
        paths = [str(tmp_path / "position.toml"), "-o", str(tmp_path / to)]
        return CliRunner().invoke(app, ["map", *paths, *arguments])

    return run


def problem(done) -> str:
    assert (done.exit_code, done.stdout) == (2, ""), (done.output, done.exception)
    assert done.stderr.startswith("pbmd: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_ending_says_the_kind_of_picture(run, tmp_path):
    assert run().exit_code == 0
    assert ET.parse(tmp_path / "map.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert run(to="map.PNG").exit_code == 0
    assert (tmp_path / "map.PNG").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("arguments", "reader"),
    [
        ((), PUBLIC),
        (("--for", "public"), PUBLIC),
        (("--for", "gm"), GM),
        (("--for", "Red"), seat_reader("Red")),
        (("--for", "gREEN"), seat_reader("Green")),
    ],
)
def test_it_is_the_map_of_the_readers_view(run, tmp_path, arguments, reader):
    assert run(*arguments).exit_code == 0
    assert (tmp_path / "map.svg").read_text() == map_svg(ruleset.view(ruleset.load(POSITION), (), reader))


def test_another_reader_is_refused_with_those_there_are(run):
    assert problem(run("--for", "Blue")) == 'pbmd: --for: there is no colour "Blue"; there are Red, Green, or public, or gm\n'
    assert 'did you mean "Green"?' in problem(run("--for", "Gren"))


def test_another_ending_is_refused(run, tmp_path):
    assert "map.jpg: the name of a picture ends in .svg or .png" in problem(run(to="map.jpg"))
    assert not (tmp_path / "map.jpg").exists()


def test_a_ruleset_without_a_map_says_so(run):
    document = {"ruleset": "count", "turn": 3, "players": [{"name": "Ann", "score": 0}, {"name": "Bob", "score": 2}]}
    assert problem(run(document=document)).endswith("position.toml: Count has no map\n")


def test_a_wrong_position_is_named_with_place_and_problem(run):
    assert "position.toml: map: there is no map" in problem(run(document={**POSITION, "map": "flat"}))
    assert 'position.toml: ruleset: there is no ruleset "chess"' in problem(run(document={"ruleset": "chess"}))


def test_a_map_that_is_too_large_is_one_line(run):
    stars = [{"number": n, "name": f"Star {n}", "x": n % 11, "y": n // 11, "neighbours": []} for n in range(1, 122)]
    systems = [{"name": star["name"], "owner": "", "output": 10, "penalty": 0} for star in stars]
    systems[0]["owner"], systems[1]["owner"] = "Red", "Green"
    document = {**POSITION, "systems": systems, "map_systems": stars}
    assert "position.toml: map: nodes: 121 are more than the 120 that can be drawn" in problem(run(document=document))


def test_a_folder_that_is_not_there_is_one_line(run):
    assert "map.svg: No such file or directory" in problem(run(to="no/map.svg"))


@pytest.mark.usefixtures("no_pictures")
def test_without_the_packages_for_pictures_it_draws_and_says_what_is_missing(run, tmp_path):
    assert run().exit_code == 0
    told = problem(run(to="map.png"))
    assert told.endswith(
        "map.png: pictures need pillow, pyoxipng, resvg-py, ttf-opensans: pip install 'pbmd-games[pictures]'\n"
    )
    assert not (tmp_path / "map.png").exists()


def test_help_has_examples():
    done = CliRunner().invoke(app, ["map", "--help"])
    assert done.exit_code == 0
    assert "pbmd map position.toml --for Red -o red.png" in done.stdout


def test_as_a_process_a_wrong_file_leaves_no_traceback(tmp_path):
    command = [sys.executable, "-c", "from pbmd.cli import main; main()", "map", "nowhere.toml", "-o", "map.svg"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "pbmd: nowhere.toml: No such file or directory\n")

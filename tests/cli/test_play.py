"""`pbmd play`, as it is called."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.play import games_called
from pbmd.rules.registry import slugs
from tests.rules import count

COUNT = str(Path(count.__file__).parent)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str, typed: str = ""):
    return CliRunner().invoke(app, ["play", *arguments], input=typed)


def test_a_game_is_played_from_what_is_piped_in() -> None:
    done = run(COUNT, "--players", "2", typed="Add 3\n\nresolve\nquit\n")
    assert done.exit_code == 0
    assert "Turn 1: what happened" in done.stdout


def test_without_a_ruleset_it_lists_the_games_that_can_be_played() -> None:
    done = run()
    assert done.exit_code == 2
    assert all(slug in done.stdout for slug in slugs())
    assert "say which: pbmd play RULESET" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), 'there is no ruleset "chess"'),
        ((COUNT, "--players", "9"), "Count is for 2 to 4 players, not 9"),
        ((COUNT, "--seat", "Zorn"), 'no seat is called "Zorn"'),
        ((COUNT, "--option", "target=0"), "target"),
        ((COUNT, "--option", "zzz=1"), 'there is no option "zzz"; its options are target, '),
        ((COUNT, "--option", "zzz"), 'takes KEY=VALUE, not "zzz"; its options are target, '),
        (("--load", "no-such-file"), "no-such-file: No such file or directory"),
        (("--load", "x", "--record", "y"), "--record writes down a game from its beginning"),
        (("count", "--load", "x", "--seed", "2"), "so that RULESET and --seed cannot be given with it"),
        (("--load", "x", "--seat", "A", "--players", "2"), "so that --seat and --players cannot be given with it"),
        (("diplomacy", "--reload"), "--reload is for the folder of a ruleset"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.output


def test_a_saved_game_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "kept.pbmd"
    run(COUNT, "--players", "2", typed=f"Add 3\n\nsave {file}\nquit\n")
    done = run("--load", str(file), typed="STATUS\n\n")
    assert "Add 3" in done.stdout


def test_a_saved_game_finds_its_ruleset_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.pbmd"
    monkeypatch.chdir(Path(COUNT).parent)
    run("./count", "--players", "2", typed=f"Add 3\n\nsave {file}\nquit\n")
    monkeypatch.chdir(tmp_path)
    assert "Add 3" in run("--load", str(file), typed="STATUS\n\n").stdout


def test_a_game_that_was_loaded_within_another_is_saved_as_what_it_is(tmp_path: Path) -> None:
    first, second = tmp_path / "first.play", tmp_path / "second.play"
    run("galactic_overlord", "--seed", "1", typed=f"save {first}\n")
    run("societies", "--seed", "1", typed=f"load {first}\nsave {second}\n")
    assert run("--load", str(second), typed="STATUS\n\n").exit_code == 0


def test_no_other_game_is_loaded_while_one_is_recorded(tmp_path: Path) -> None:
    file = tmp_path / "kept.play"
    typed = f"save {file}\nload {file}\n"
    shown = run("galactic_overlord", "--seed", "1", "--record", str(tmp_path / "story.txt"), typed=typed).stdout
    assert "no other game is loaded while one is recorded" in " ".join(shown.split())


def test_saved_files_of_an_author_are_taken_in_and_broken_ones_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "count"
    shutil.copytree(COUNT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    template = next((folder / "templates").rglob("report.txt.j2"))

    def typed():
        yield "Add 3"
        yield ""
        template.write_text("{{ 'A NEW LINE' }}\n" + template.read_text())
        yield "resolve"
        (folder / "__init__.py").write_text((folder / "__init__.py").read_text() + "\noops(\n")
        yield "resolve"

    monkeypatch.setattr("pbmd.cli.play.with_newlines_gone", lambda _: typed())
    shown = run(str(folder), "--players", "2", "--reload").stdout
    assert "The rules were read anew." in shown
    assert "A NEW LINE" in shown
    assert "The game goes on by the rules as they were." in shown
    assert "Turn 2: what happened" in shown


TITLES = {"diplomacy": "Diplomacy", "galactic_overlord": "Galactic Overlord", "galaxy": "Galaxy Wars"}


@pytest.mark.parametrize(
    ("said", "games"),
    [
        ("1", ["diplomacy"]),
        ("3", ["galaxy"]),
        ("0", []),
        ("4", []),
        ("diplo", ["diplomacy"]),
        ("Galactic o", ["galactic_overlord"]),
        ("galactic_", ["galactic_overlord"]),
        ("GALAXY", ["galaxy"]),
        ("gal", ["galactic_overlord", "galaxy"]),
        ("xyz", []),
        ("", []),
    ],
)
def test_a_game_is_chosen_by_number_name_or_beginning(said: str, games: list[str]) -> None:
    assert games_called(said, TITLES) == games

"""`pbmd replay` shows what comes out of an archive, `pbmd diff` tells what is different between two."""

import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.replay.diff import between
from pbmd.cli import app
from tests.archive.made import export, forge
from tests.desk.world import World
from tests.rules import count

DAY = timedelta(days=1)


def turn(world: World, first: int, second: int) -> None:
    world.send("Altair", f"Add {first}")
    world.send("Borealis", f"Add {second}")
    assert world.pass_time(4 * DAY) == 1


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Two turns of Count."""
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.count(seats=("Altair", "Borealis"))
    turn(world, 1, 2)
    turn(world, 3, 4)
    yield world
    world.close()


@pytest.fixture
def archive(world: World, tmp_path: Path) -> Path:
    return export(world, tmp_path / "archive")


def run(command: str, *arguments: str | Path) -> Result:
    rules = ["--ruleset", str(Path(count.__file__).parent)] if command == "replay" else []
    return CliRunner().invoke(app, [command, *map(str, arguments), *rules])


class TestReplay:
    def test_prints_the_public_report_of_each_turn(self, archive: Path) -> None:
        done = run("replay", archive)
        assert done.exit_code == 0, done.output
        headings = [line for line in done.stdout.splitlines() if line.startswith("===")]
        assert headings[0] == "=== The beginning: public ==="
        assert [heading[:11] for heading in headings[1:]] == ["=== Turn 1,", "=== Turn 2,"]
        kept = (archive / "data" / "turns" / "002" / "reports" / "public.txt").read_text()
        assert kept.rstrip() in done.stdout

    def test_prints_all_reports_of_a_turn(self, archive: Path) -> None:
        done = run("replay", archive, "--turn", "2")
        for name in ("public", "1-altair", "2-borealis"):
            assert (archive / "data" / "turns" / "002" / "reports" / f"{name}.txt").read_text().rstrip() in done.stdout
        assert "Turn 1," not in done.stdout

    def test_prints_the_reports_as_json(self, archive: Path) -> None:
        told = json.loads(run("replay", str(archive), "--turn", "2", "--json").stdout)["reports"]
        assert [(each["turn"], each["reader"]) for each in told] == [(2, "public"), (2, "Altair"), (2, "Borealis")]
        assert all(each["heading"].startswith("Turn 2, resolved ") for each in told)
        assert all(each["text"].rstrip() in run("replay", str(archive), "--turn", "2").stdout for each in told)
        assert run("replay", str(archive), "--json", "--html").exit_code == 2

    def test_makes_a_page_that_loads_nothing(self, archive: Path) -> None:
        page = run("replay", archive, "--html").stdout
        assert page.startswith("<!DOCTYPE html>")
        assert "default-src 'none'" in page
        assert "<h2>The beginning</h2>" in page

    def test_shows_what_comes_out_and_not_what_somebody_has_put_into_the_files(self, archive: Path) -> None:
        for form in ("txt", "html"):
            (archive / "data" / "turns" / "002" / "reports" / f"public.{form}").write_text("<script>evil()</script>")
        for more in ((), ("--html",), ("--turn", "2", "--html")):
            assert "evil" not in run("replay", archive, *more).stdout

    def test_shows_the_kept_texts_of_archives_that_have_only_a_part(self, world: World, tmp_path: Path) -> None:
        part = export(world, tmp_path / "part", audience=TO_PUBLIC)
        report = part / "data" / "turns" / "002" / "reports" / "public.txt"
        report.write_text("\x1b[2J<script>evil()</script>" + report.read_text())
        done = run("replay", part, "--turn", "2")
        assert (done.exit_code, "\x1b" in done.stdout) == (0, False)
        assert "as it is kept: public" in done.stdout
        assert "<script>" not in run("replay", part, "--html").stdout

    def test_makes_a_whole_page_of_a_game_that_breaks_off_and_none_of_nothing(self, archive: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            last = next(entry for entry in reversed(entries) if entry["kind"] == "orders")
            last["secret"]["lines"] = "<b>"

        forge(archive, change)
        done = run("replay", archive, "--html")
        assert (done.exit_code, "cannot be" in done.stderr) == (1, True)
        assert done.stdout.count("It breaks off here: entry") == 1
        assert done.stdout.endswith("</p>\n</body>\n</html>\n")
        assert "<h2>Turn 1," in done.stdout
        assert run("replay", archive, "--html", "--turn", "9").stdout == ""

    def test_says_what_there_is_not(self, archive: Path, tmp_path: Path) -> None:
        done = run("replay", archive, "--turn", "9")
        assert (done.exit_code, done.stdout) == (1, "")
        assert "no report of turn 9" in done.stderr
        missing, text = tmp_path / "nothing", tmp_path / "a.txt"
        text.write_text("no archive")
        for path, why in ((missing, "No such file or directory"), (text, "it is neither a folder nor a file that can be")):
            done = run("replay", path)
            assert (done.exit_code, done.stderr.startswith(f"pbmd: {path}: {why}")) == (1, True), done.stderr


class TestDiff:
    def test_of_the_same_is_nothing(self, archive: Path) -> None:
        done = run("diff", archive, archive)
        assert (done.exit_code, done.stdout) == (0, "Nothing is different.\n")

    def test_is_told_as_json(self, archive: Path) -> None:
        same = run("diff", str(archive), str(archive), "--json")
        assert (same.exit_code, json.loads(same.stdout)) == (0, {"differences": []})
        turns = [str(archive / "data" / "turns" / number / "position.toml") for number in ("001", "002")]
        other = run("diff", *turns, "--json")
        assert (other.exit_code, json.loads(other.stdout)["differences"]) == (1, run("diff", *turns).stdout.splitlines())

    def test_of_archives_says_where_they_part(self, world: World, archive: Path, tmp_path: Path) -> None:
        turn(world, 5, 6)
        done = run("diff", archive, export(world, tmp_path / "later"))
        assert done.exit_code == 1
        entries = len((archive / "data" / "journal.jsonl").read_text().splitlines())
        assert (
            f"journal: the first {entries} entries are the same; from entry {entries + 1} on they are two games" in done.stdout
        )
        assert "turn 003 is only in the second" in done.stdout
        assert "the game: resolved steps: 2 in the first, 3 in the second" in done.stdout
        assert "turn 001" not in done.stdout

    def test_of_archives_counts_the_pages_that_are_others(self, archive: Path, tmp_path: Path) -> None:
        """After an import all pages of seats are others, and whatever else is different must be seen."""
        other = shutil.copytree(archive, tmp_path / "other")
        turns = other / "data" / "turns"
        pages = list(turns.glob("*/reports/[1-9]*.html"))
        for page in pages:
            page.write_text("<p>Orders are due at another time.</p>")
        report = turns / "001" / "reports" / "1-altair.txt"
        report.write_text(report.read_text() + "One line more.\n")
        lines = len(report.read_text().splitlines())
        assert run("diff", archive, other).stdout.splitlines() == [
            f'turn 001: the report of altair: line {lines} is only in the second: "One line more."',
            f"{len(pages)} pages of reports: not the same (compare folders below data/turns/ to see which)",
        ]
        assert "the page of altair is another" in run("diff", archive / "data/turns/001", turns / "001").stdout

    def test_of_turns_and_positions_is_in_words(self, archive: Path) -> None:
        turns = archive / "data" / "turns"
        assert "players, Altair, score: 1 in the first, 4 in the second" in run("diff", turns / "001", turns / "002").stdout
        done = run("diff", turns / "002" / "position.toml", turns / "002" / "after.toml")
        assert "players, Borealis, score: 2 in the first, 6 in the second" in done.stdout

    def test_of_turns_tells_of_sheets_numbers_reports_and_maps(self, archive: Path, tmp_path: Path) -> None:
        turns = archive / "data" / "turns"
        told = run("diff", turns / "001", turns / "002").stdout.splitlines()
        assert "the order sheets: Altair, lines, no. 1: Add 1 in the first, Add 3 in the second" in told
        assert "the page of altair is another" in told
        other = shutil.copytree(turns / "001", tmp_path / "other")
        report = other / "reports" / "public.txt"
        lines = report.read_text().splitlines()
        report.write_text("\n".join([*lines[:1], "Put in.", *lines[1:-1], "Another end."]) + "\n")
        (other / "numbers.json").write_text('{"Score": {"Altair": 9}}')
        (other / "maps").mkdir()
        (other / "maps" / "public.svg").write_text("<svg/>")
        assert run("diff", turns / "001", other).stdout.splitlines() == [
            "the numbers: Score: only in the second, Altair 9",
            "the map of public is only in the second",
            'the report of public: line 2 is only in the second: "Put in."',
            f'the report of public: line {len(lines)}: "{lines[-1]}" in the first, "Another end." in the second',
        ]

    @pytest.mark.parametrize("other", ["data/turns/001", "data/game.toml", "data/turns/001/events.json"])
    def test_of_different_things_is_refused(self, archive: Path, other: str) -> None:
        done = run("diff", archive, archive / other)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "there is nothing to compare" in done.stderr

    def test_of_what_is_none_is_refused(self, archive: Path, tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_text("[" * 5000)
        for other in (tmp_path / "a.toml", tmp_path / "none.toml", tmp_path):
            done = run("diff", other, archive / "data" / "game.toml")
            assert (done.exit_code, done.stdout) == (2, "")


class TestBetween:
    @pytest.mark.parametrize(
        ("first", "second", "words"),
        [
            ({"a": 1}, {"a": 1}, []),
            ({"a": 1}, {"a": 1.0}, ["a: 1 in the first, 1.0 in the second"]),
            ({"a": True}, {"a": 1}, ["a: yes in the first, 1 in the second"]),
            ({"a": [1, 2]}, {"a": [1, 3]}, ["a, no. 2: 2 in the first, 3 in the second"]),
            ({"a": [1]}, {}, ["a: only in the first, 1"]),
            (
                {"s": [{"name": "x", "n": 1}]},
                {"s": [{"name": "y", "n": 1}]},
                ["s, x: only in the first, name x; n 1", "s, y: only in the second, name y; n 1"],
            ),
            ({"s": [{"name": "x"}, {"name": "y"}]}, {"s": [{"name": "y"}, {"name": "x"}]}, ["s is in another order"]),
            ({"s": []}, {"s": [{"name": "y"}]}, ["s, y: only in the second, name y"]),
            ({"build_points": 3}, {"build_points": None}, ["build points: 3 in the first, nothing in the second"]),
            ({"a": [{"b": [1, 2]}]}, {}, ["a: only in the first, (b 1, 2)"]),
            ([1], {"a": 1}, ["all of it: 1 in the first, a 1 in the second"]),
        ],
    )
    def test_tells_things_apart_by_their_names(self, first: object, second: object, words: list[str]) -> None:
        assert list(between(first, second)) == words

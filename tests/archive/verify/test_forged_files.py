"""Archives of which files were forged, or left out, or added, with all checksums right and the chain as it was."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import bagit
import pytest
from typer.testing import CliRunner

from pbmd import __version__
from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.findings import FORMAT, MOST_PROBLEMS, Findings, Problem
from pbmd.cli import app
from tests.archive.made import derive_again, export, forge, kept, seal_again, verified
from tests.desk.world import NAMES, World
from tests.rules import count

TURN = "data/turns/001"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of Count that is over, with press and a late letter."""
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.as_ever("a game of Count that is over after two turns", lambda: two_turns(world))
    yield world
    world.close()


def two_turns(world: World) -> None:
    world.start(seats=NAMES[:2], options={"target": 18}, ruleset="count", reminders=())
    for numbers in ((9, 1), (9, 1)):  # whatever is rolled, it is over after two turns
        for seat, number in zip(NAMES, numbers, strict=False):
            world.now += timedelta(minutes=1)
            world.send(seat, f"Add {number}")
        world.pass_time(timedelta(days=4))
    assert world.game().status == "finished"


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    def make() -> Path:
        return export(request.getfixturevalue("world"), tmp_path / "made")

    return kept("a game of Count that is over after two turns", make, tmp_path / "archive")


def test_as_it_was_made_it_holds(archive: Path) -> None:
    assert verified(archive).problems == []


def put(path: str, text: str) -> Callable[[Path], None]:
    def change(archive: Path) -> None:
        (archive / path).parent.mkdir(exist_ok=True)
        (archive / path).write_text(text)

    return change


def without(*names: str) -> Callable[[Path], None]:
    def change(archive: Path) -> None:
        for name in names:
            for path in archive.glob(name):
                path.unlink()

    return change


def in_file(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(archive: Path) -> None:
        text = (archive / path).read_text()
        assert old in text
        (archive / path).write_text(text.replace(old, new, 1))

    return change


def in_game(old: str, new: str) -> Callable[[Path], None]:
    return in_file("data/game.toml", old, new)


WON = "the target was reached. Winner: Altair."
LAST = "data/turns/002/reports/1-altair.html"


def test_the_end_is_told_with_the_winners_or_as_older_archives_have_it(archive: Path) -> None:
    page = archive / LAST
    text = page.read_text()
    assert WON in text
    for told, problems in (("the target was reached", 0), (WON.replace("Altair", "Borealis"), 1), ("the end was reached", 1)):
        page.write_text(text.replace(WON, told))
        seal_again(archive)
        assert [problem.file for problem in verified(archive).problems] == [LAST] * problems


def in_database(archive: Path) -> None:
    with closing(sqlite3.connect(archive / "data" / "game.sqlite")) as database:
        database.execute("UPDATE events SET data = '{}'")
        database.commit()


def another_head(archive: Path) -> None:
    bag = bagit.Bag(str(archive))
    bag.info["External-Identifier"] = "0" * 64
    bag.save()


PAGE = f"{TURN}/reports/1-altair.html"


@pytest.mark.parametrize(
    ("change", "file"),
    [
        (in_game('winners = [\n    "Altair",\n]', "winners = []"), "data/game.toml"),
        (in_game('name = "galaxy-7"', 'name = "galaxy-8"'), "data/game.toml"),
        (in_game('title = "', 'title = "More '), "data/game.toml"),
        (in_game("target = 18", "target = 19"), "data/game.toml"),
        (in_game('name = "Borealis"', 'name = "Boreas"'), "data/game.toml"),
        (in_game('status = "finished"', 'status = "running"'), "data/game.toml"),
        (in_game("resolved_steps = ", "resolved_steps = 2"), "data/game.toml"),
        (in_game('deadline = "72h"', 'deadline = "1h"'), "data/game.toml"),
        (another_head, "bag-info.txt"),
        (put(f"{TURN}/numbers.json", '{"Score": {"Altair": 99}}\n'), f"{TURN}/numbers.json"),
        (without("data/turns/*/numbers.json"), "data/turns/000/numbers.json"),
        (without("data/turns/*/sheets.json"), f"{TURN}/sheets.json"),
        (without("data/game.sqlite"), "data/game.sqlite"),
        (without("data/index.html"), "data/index.html"),
        (without("data/schemas/dice.schema.json"), "data/schemas/dice.schema.json"),
        (put("data/schemas/dice.schema.json", "{}"), "data/schemas/dice.schema.json"),
        (put("data/index.html", "<script>alert(1)</script>"), "data/index.html"),
        (put("data/assets/turns/009.html", "forged"), "data/assets/turns/009.html"),
        (put("data/READ-ME.html", "forged"), "data/READ-ME.html"),
        (put("fetch.txt", "http://evil.example/x 10 data/x\n"), "fetch.txt"),
        (in_database, "data/game.sqlite"),
        (put("data/game.sqlite", "no database"), "data/game.sqlite"),
        (in_file(PAGE, "</h1>\n", "</h1>\n<script>alert(1)</script>\n"), PAGE),
        (in_file(PAGE, "</h1>\n", '</h1>\n<p style="position:fixed;inset:0;background:white">You won.</p>\n'), PAGE),
        (in_file(PAGE, "</h1>\n", "</h1>\n<template>\n"), PAGE),
        (in_file(PAGE, "</body>", "<p>You won.</p></body>"), PAGE),
    ],
)
def test_what_was_forged_beside_the_journal_is_named(archive: Path, change: Callable[[Path], None], file: str) -> None:
    change(archive)
    seal_again(archive)
    findings = verified(archive)
    assert file in [problem.file for problem in findings.problems]


def test_a_page_that_hides_the_true_report_is_named(archive: Path) -> None:
    path = archive / PAGE
    path.write_text(f"<h1>You have won</h1><template>{path.read_text()}</template>")
    seal_again(archive)
    assert [problem.file for problem in verified(archive).problems] == [PAGE]


@pytest.mark.parametrize("number", [r"\g<1>", "", ", entry 99999"])
def test_a_page_with_a_head_that_is_none_of_the_journal_is_named(archive: Path, number: str) -> None:
    path = archive / PAGE
    forged = rf"Head of the journal{number}: <code>{'0' * 64}"
    path.write_text(re.sub(r"Head of the journal(, entry \d+): <code>[0-9a-f]{64}", forged, path.read_text()))
    seal_again(archive)
    assert [problem.file for problem in verified(archive).problems] == [PAGE]


def test_what_only_checksums_hold_is_said(archive: Path) -> None:
    (archive / "data" / "letters.mbox").write_text("From x\n\nforged\n")
    seal_again(archive)
    findings = verified(archive)
    assert findings.ok
    assert [said for said in findings.unchecked if "letters.mbox" in said]
    done = CliRunner().invoke(app, ["verify", str(archive), "--ruleset", str(Path(count.__file__).parent)])
    assert done.exit_code == 0
    assert "All of it is as it was written" not in done.stdout


class TestViews:
    """No line of game.toml switches off what is checked."""

    @pytest.mark.parametrize(
        "line", ['view = "public"', 'view = "seat:Nobody"', 'view = "seat:Altair"', 'view = "all"\nanonymised = "no"']
    )
    def test_of_others_have_no_positions(self, archive: Path, line: str) -> None:
        in_game('view = "all"' + ("\nanonymised = false" if "anonymised" in line else ""), line)(archive)
        for path in archive.glob("data/turns/*/after.toml"):
            path.write_text("forged = true\n")
        seal_again(archive)
        findings = verified(archive)
        assert not findings.ok
        assert {problem.file for problem in findings.problems} & {"data/game.toml", f"{TURN}/after.toml"}

    def test_anonymised_ones_have_no_letters(self, archive: Path) -> None:
        in_game("anonymised = false", 'anonymised = true\nchanged = ["001", "002"]')(archive)
        seal_again(archive)
        assert "data/letters.mbox" in [problem.file for problem in verified(archive).problems]

    @pytest.mark.parametrize("audience", [TO_PUBLIC, Audience("seat", "Altair")])
    def test_of_a_part_hold_as_they_were_made(self, world: World, tmp_path: Path, audience: Audience) -> None:
        assert verified(export(world, tmp_path / "part", audience=audience)).problems == []

    @pytest.mark.parametrize("audience", [TO_PUBLIC, Audience("seat", "Altair")])
    @pytest.mark.parametrize(
        ("change", "file"),
        [
            (put(f"{TURN}/reports/2-borealis.txt", "forged"), f"{TURN}/reports/2-borealis.txt"),
            (put("data/turns/003/numbers.json", "{}"), "data/game.toml"),
            (without(f"{TURN}/events.json"), f"{TURN}/events.json"),
            (in_game('winners = [\n    "Altair",\n]', "winners = []"), "data/game.toml"),
            (put("data/index.html", "forged"), "data/index.html"),
        ],
    )
    def test_of_a_part_have_the_files_of_that_part(
        self, world: World, tmp_path: Path, audience: Audience, change: Callable[[Path], None], file: str
    ) -> None:
        part = export(world, tmp_path / "part", audience=audience)
        change(part)
        seal_again(part)
        assert file in [problem.file for problem in verified(part).problems]


class TestVersions:
    def test_a_format_that_is_not_known_names_what_is_needed(self, archive: Path) -> None:
        in_game(f"format = {FORMAT}", "format = 99")(archive)
        in_game(f'pbmd = "{__version__}"', 'pbmd = "9.1"')(archive)
        seal_again(archive)
        assert verified(archive).needs.startswith("pbmd 9.1 with count")

    def test_another_pbmd_is_named_if_a_report_comes_out_differently(self, archive: Path) -> None:
        in_game(f'pbmd = "{__version__}"', 'pbmd = "0.0.1"')(archive)
        put(f"{TURN}/reports/public.txt", "as it was then\n")(archive)
        seal_again(archive)
        assert verified(archive).needs.startswith("pbmd 0.0.1 with count")

    def test_pages_of_another_pbmd_are_said_to_be_unchecked(self, archive: Path) -> None:
        in_game(f'pbmd = "{__version__}"', 'pbmd = "0.0.1"')(archive)
        info = (archive / "bag-info.txt").read_text()
        put("bag-info.txt", info.replace(f"pbmd {__version__} with", "pbmd 0.0.1 with"))(archive)
        put("data/assets/style.css", "body { color: red }\n")(archive)
        seal_again(archive)
        findings = verified(archive)
        assert findings.ok
        assert [said for said in findings.unchecked if "checksums was checked: assets/style.css" in said], findings.unchecked


class TestTheEnd:
    """The chain is made anew, and with it all that is made of it."""

    def forged(self, archive: Path, change: Callable[[list[dict[str, Any]]], None]) -> list[str]:
        forge(archive, change)
        game = archive / "data" / "game.toml"
        entry = json.loads((archive / "data" / "journal.jsonl").read_text().splitlines()[-1])
        if entry["kind"] == "finished":
            game.write_text(
                re.sub(r"winners = \[[^]]*\]", f"winners = {json.dumps(entry['public']['winners'])}", game.read_text())
            )
        derive_again(archive)
        return [problem.problem for problem in verified(archive).problems if problem.file == "data/journal.jsonl"]

    def test_with_another_winner(self, archive: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            entries[-1]["public"]["winners"] = ["Borealis"]

        assert self.forged(archive, change) == ["how the game ended is not what comes out"]

    def test_that_came_before_the_beginning(self, archive: Path) -> None:
        told = self.forged(archive, lambda entries: entries.insert(2, json.loads(json.dumps(entries[-1]))))
        assert told[0] == "entry 3 (finished) comes before the game has begun"

    def test_that_came_twice(self, archive: Path) -> None:
        told = self.forged(archive, lambda entries: entries.append(json.loads(json.dumps(entries[-1]))))
        assert any(said.endswith("(finished) comes after the game was over") for said in told)

    def test_that_was_cut_off(self, archive: Path) -> None:
        in_game('status = "finished"', 'status = "running"')(archive)

        def cut(entries: list[dict[str, Any]]) -> None:
            del entries[-1]

        forge(archive, cut)
        assert "how the game ended is not what comes out" in [problem.problem for problem in verified(archive).problems]


class TestManyProblems:
    def test_are_counted_though_not_all_are_kept(self) -> None:
        findings = Findings("archive")
        for number in range(MOST_PROBLEMS + 7):
            findings.add(Problem(f"data/{number}", "it is missing"))
        document = findings.document()
        assert (len(document["problems"]), document["unnamed"]) == (MOST_PROBLEMS, 7)

    @pytest.mark.parametrize(("files", "words"), [(1, "1 problem:"), (3, "3 problems:"), (150, "More than 100 problems:")])
    def test_are_told_in_words(self, archive: Path, files: int, words: str) -> None:
        for number in range(files):
            put(f"data/{number}.txt", "more")(archive)
        seal_again(archive)
        done = CliRunner().invoke(app, ["verify", str(archive), "--ruleset", str(Path(count.__file__).parent)])
        assert words in done.stdout
        assert done.exit_code == 1


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_the_folder_of_other_rules_is_an_error(archive: Path, command: str) -> None:
    other = Path(count.__file__).parent.parent / "tides"
    done = CliRunner().invoke(app, [command, str(archive), "--ruleset", str(other)])
    assert done.exit_code == 2
    assert "has the rules of tides, and the game of this archive was played by those of count" in " ".join(done.stderr.split())


def test_a_number_that_is_too_long_to_be_read_is_named(archive: Path) -> None:
    in_game("resolved_steps = 2", f"resolved_steps = {'9' * 5000}")(archive)
    seal_again(archive)
    [problem] = verified(archive).problems
    assert (problem.file, "it is not TOML" in problem.problem) == ("data/game.toml", True)

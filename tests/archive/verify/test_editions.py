"""A game that began with an older edition of pbmd, which wrote reports in other words and read fewer orders, is not accused."""

import re
from pathlib import Path

import pytest

from pbmd.archive.format.findings import Findings
from pbmd.desk.changes import new_game
from pbmd.desk.step import resolve
from tests.archive.made import derive_again, export, seal_again, verified
from tests.archive.verify.test_verify import play
from tests.desk.world import World
from tests.rules import count

OLDER = 1


@pytest.fixture
def archive(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Turn 1 was dealt with by an older edition, turns 2 and 3 by this one."""
    with monkeypatch.context() as older:
        for module in (new_game, resolve):
            older.setattr(module, "EDITION", OLDER)
        world.count(target=999)  # a game of its own: others are kept, and are of this edition
        world.send("Altair", "Add 3\nAdd: 4")
        play(world)
    play(world, 5)
    play(world, 6)
    return export(world, tmp_path / "archive")


def altered(archive: Path, path: str, old: str, new: str) -> Findings:
    """What is found once that stands there, with all checksums and pages right."""
    file = archive / "data" / "turns" / path
    assert old in file.read_text(encoding="utf-8")
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    derive_again(archive)
    seal_again(archive)
    return verified(archive)


def said_of_another(findings: Findings) -> list[str]:
    return [said for said in findings.unchecked if said.startswith("Another edition of pbmd was at work in turn")]


def test_the_words_of_another_are_passed_over_and_that_is_said(archive: Path) -> None:
    findings = altered(archive, "001/reports/public.txt", "total 3", "in all 3")
    assert not findings.problems
    [said] = said_of_another(findings)
    assert re.search(r"in turn 000, 001, 002: it wrote its reports and answers in other words", said)


def test_of_a_turn_that_was_played_by_both_the_answers_are_passed_over(archive: Path) -> None:
    assert not altered(archive, "002/sheets.json", '"message": ""', '"message": "thanks"').problems


@pytest.mark.parametrize(
    ("path", "word"),
    [("002/reports/public.txt", "total"), ("003/reports/public.txt", "total"), ("003/reports/public.html", "everybody")],
)
def test_the_reports_of_ones_own_are_held(archive: Path, path: str, word: str) -> None:
    assert [problem.file for problem in altered(archive, path, word, "in all").problems] == [f"data/turns/{path}"]


def test_the_answers_of_ones_own_are_held(archive: Path) -> None:
    [problem] = altered(archive, "003/sheets.json", '"message": ""', '"message": "thanks"').problems
    assert problem.file == "data/turns/003/sheets.json"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("001/sheets.json", '"Add 3"\n', '"Add 9"\n'),
        ("001/events.json", '"total": 3', '"total": 4'),
        ("001/after.toml", "score = 3", "score = 4"),
    ],
)
def test_what_happened_is_held_whoever_dealt_with_it(archive: Path, path: str, old: str, new: str) -> None:
    assert f"data/turns/{path}" in {problem.file for problem in altered(archive, path, old, new).problems}


def test_a_report_of_another_that_is_gone_is_missed(archive: Path) -> None:
    (archive / "data/turns/001/reports/public.txt").unlink()
    seal_again(archive)
    assert "data/turns/001/reports/public.txt" in {problem.file for problem in verified(archive).problems}


def test_what_another_refused_stays_refused(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "_ADD", re.compile(r"add:? ([1-9])", re.IGNORECASE))
    assert not verified(archive).problems


def test_a_letter_that_another_refused_as_a_whole_stays_refused(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        for module in (new_game, resolve):
            older.setattr(module, "EDITION", OLDER)
        world.count(target=999)
        world.send("Altair", "Add: 4\nAdd: 5")
        play(world)
    archive = export(world, tmp_path / "archive")
    monkeypatch.setattr(count, "_ADD", re.compile(r"add:? ([1-9])", re.IGNORECASE))
    assert not verified(archive).problems


def test_what_this_one_refused_does_not(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world.count()
    world.send("Altair", "Add 3\nAdd: 4")
    play(world)
    archive = export(world, tmp_path / "archive")
    assert not said_of_another(verified(archive))
    monkeypatch.setattr(count, "_ADD", re.compile(r"add:? ([1-9])", re.IGNORECASE))
    assert verified(archive).problems

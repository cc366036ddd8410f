"""`sheets.json`: whoever changes what became of orders, and makes all checksums fit, is found out."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.evidence.claims import claims_of_code
from pbmd.archive.format.audience import Audience
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.sheets import Letters
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.entries.parts import Orders
from pbmd.rules import Sheet
from tests.archive.made import derive_again, examined, export, seal_again, verified
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World

MINUTE, DAYS = timedelta(minutes=1), timedelta(days=4)
FILE = "data/turns/001/sheets.json"
Change = Callable[[list[dict[str, Any]]], object]


@pytest.fixture
def played(world: World) -> World:
    """Altair's first orders of turn 1 were replaced, those of Borealis refused; turn 2 was the last."""
    world.as_ever("orders replaced, refused, and taken to the last turn", lambda: to_the_last_turn(world))
    return world


def to_the_last_turn(world: World) -> None:
    world.start(seats=NAMES[:2], options={"target": 12}, ruleset="count", reminders=())
    for seat, text in (("Altair", "Add 1"), ("Altair", "Add 2"), ("Borealis", "STATIS\nnonsense")):
        world.send(seat, text)
        world.now += MINUTE
    world.pass_time(DAYS)
    world.send("Altair", "Add 9")
    world.send("Borealis", "Add 9")
    world.pass_time(DAYS)
    assert (world.game().status, world.game().step) == ("finished", 2)


def forged(archive: Path, change: Change) -> str:
    """Change the sheets of turn 1 and make all checksums fit; gives the file as it is then."""
    path = archive / FILE
    sheets = json.loads(path.read_text())
    change(sheets)
    path.write_text(json.dumps(sheets, ensure_ascii=False, indent=2) + "\n")
    seal_again(archive)
    return path.read_text()


def line_of(text: str, words: str, count: int = 1) -> int:
    """Where something stands for the `count`th time."""
    return [number for number, line in enumerate(text.splitlines(), 1) if words in line][count - 1]


@pytest.mark.parametrize(
    ("change", "words", "count"),
    [
        (lambda sheets: sheets[0].update(state="used"), '"state"', 1),
        (lambda sheets: sheets[1].update(state="late"), '"state"', 2),
        (lambda sheets: sheets[1].update(lines=["Add 8"]), '"Add 8"', 1),
        (lambda sheets: sheets[1].update(digest="ab" * 32), '"digest"', 2),
        (lambda sheets: sheets[0].update(receipt=1), '"receipt"', 1),
        (lambda sheets: sheets[2]["verdicts"][0].update(message="as you like"), "as you like", 1),
        (lambda sheets: sheets[2].update(arrived_at="2026-11-20T11:00:00.000000Z"), '"arrived_at"', 3),
        (lambda sheets: sheets.pop(0), '"arrived_at"', 1),
    ],
)
def test_a_forged_one_is_named_with_its_turn_and_line(
    played: World, tmp_path: Path, change: Change, words: str, count: int
) -> None:
    archive = export(played, tmp_path / "archive")
    assert verified(archive).problems == []
    text = forged(archive, change)
    (problem,) = verified(archive).problems
    assert (problem.file, problem.turn, problem.line) == (FILE, "001", line_of(text, words, count))


def test_it_says_what_the_rules_said_without_hints_of_the_desk(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "archive")
    refused = json.loads((archive / FILE).read_text())[2]
    assert refused["state"] == "refused"
    assert "If you meant a command" not in json.dumps(refused)


def test_an_archive_with_none_at_all_is_found_out(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "archive")
    for path in archive.rglob("sheets.json"):
        path.write_text("[]\n")
    derive_again(archive)
    assert [problem.file for problem in verified(archive).problems] == [FILE, FILE.replace("001", "002")]


def test_one_that_is_empty_beside_others_is_a_problem(played: World, tmp_path: Path) -> None:
    archive = export(played, tmp_path / "archive")
    forged(archive, list.clear)
    assert [problem.file for problem in verified(archive).problems] == [FILE]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda sheets: sheets[1].update(arrived_at="2026-11-20T11:00:00.000000Z"), "are not those of entry"),
        (lambda sheets: sheets[1].update(state="late"), "are late here and filed in the journal"),
        (lambda sheets: sheets[1].update(lines=["Add 8"]), "is not that of their lines"),
        (lambda sheets: sheets[1].update(receipt=1), "has none (created)"),
        (lambda sheets: sheets[1].update(receipt=999), "no such entry"),
        (lambda sheets: sheets[1].update(receipt="x"), "not as pbmd writes it"),
    ],
)
def test_in_the_view_of_a_seat_it_is_held_against_what_the_journal_shows(
    played: World, tmp_path: Path, change: Change, told: str
) -> None:
    archive = export(played, tmp_path / "altair", audience=Audience("seat", "Altair"))
    findings = verified(archive)
    assert findings.ok, findings.problems
    assert "what became of them was not" in findings.unchecked[1]
    text = forged(archive, change)
    (problem,) = verified(archive).problems
    assert (problem.file, problem.turn, problem.line) == (FILE, "001", line_of(text, '"receipt"', 2))
    assert told in problem.problem


def test_a_receipt_says_on_whose_word_it_relies(played: World, tmp_path: Path) -> None:
    books = books_of_archive(export(played, tmp_path / "archive") / "data")
    (given,) = (given for given in books.orders if given.seat == "Altair" and given.state == "replaced")
    for code in (str(given.receipt), given.digest):
        _, finding = examined(claims_of_code(code), books)
        assert finding.holds
        assert finding.words.endswith("not used (as sheets.json has it, which pbmd verify checks)")


def test_moves_taken_back_are_shown_no_earlier_than_the_journal_has_them(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world))
    for text in ("Add 3", "CANCEL ORDERS", "Add 4"):
        world.send("Cygnus", text)
        world.now += MINUTE
    world.send("Altair", "Add 1")
    world.send("Cygnus", "nonsense")
    running = export(world, tmp_path / "running", GAME)
    assert verified(running).problems == []
    shown = [sheet for path in running.rglob("sheets.json") for sheet in json.loads(path.read_text())]
    assert ["Add 1"] in [sheet["lines"] for sheet in shown]
    assert not [sheet for sheet in shown if sheet["lines"] in (["Add 3"], ["Add 4"])]
    world.send("Borealis", "Add 2")
    world.send("Altair", "Add 7")
    world.act(GAME, roll_back, 1)
    world.act(GAME, abandon)
    over = export(world, tmp_path / "over", GAME)
    assert verified(over).problems == []
    states = [sheet["state"] for path in over.rglob("sheets.json") for sheet in json.loads(path.read_text())]
    assert {"used", "cancelled", "refused"} <= set(states)


def test_moves_that_were_never_carried_out_come_out_cancelled(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, target=10))
    for text in ("Add 3", "CANCEL ORDERS", "Add 4", "Add 5"):
        world.send("Cygnus", text)
        world.now += MINUTE
    world.send("Altair", "Add 9")
    world.send("Borealis", "Add 9")
    assert world.game(GAME).status == "finished"
    archive = export(world, tmp_path / "over", GAME)
    assert verified(archive).problems == []
    states = {sheet["state"] for path in archive.rglob("sheets.json") for sheet in json.loads(path.read_text())}
    assert "cancelled" in states


def test_what_a_move_that_waits_has_refused_is_told_with_that_move(world: World, tmp_path: Path) -> None:
    """The rules say no to a letter that arrived before the move which waits: without that move they would not."""
    past_turn_0(relay(world))
    world.send("Cygnus", "Add 3")
    world.send("Cygnus", "Add 4", at=world.now - MINUTE)
    world.send("Altair", "Add 1")
    running = export(world, tmp_path / "running", GAME)
    assert verified(running).problems == []
    assert "a later mail of yours" not in "".join(path.read_text() for path in running.rglob("sheets.json"))
    world.send("Borealis", "Add 1")
    later = export(world, tmp_path / "later", GAME)
    assert verified(later).problems == []
    assert "a later mail of yours" in "".join(path.read_text() for path in later.rglob("sheets.json"))


def test_letters_are_forgotten_once_nothing_can_happen_to_them() -> None:
    letters = Letters({0: 7})
    sent = Orders(seat="Altair", state="filed", letter="", arrival=(0, 1), lines=())
    letters.came(sent, 0, 5, Sheet("Altair", (0, 1), ("Add 1",)))
    assert list(letters.settled(5)) == []
    letters.resolved(0, {"Altair"})
    assert list(letters.settled(6)) == []  # the journal has a late one
    letters.came(replace(sent, state="late"), 0, 7)
    ((step, sheets),) = letters.settled(7)
    assert (step, [sheet["state"] for sheet in sheets]) == (0, ["used", "late"])
    assert list(letters.settled()) == []

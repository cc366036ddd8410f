"""Archives forged so that the head of their journal stays the one that players have in their mails."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.evidence.claims import claims_of_code
from pbmd.archive.format.audience import ALL
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.entries import BrokenJournal, read_entries
from pbmd.archive.format.seals import NotReadable, files_of
from pbmd.ledger.journal import FIRST_HASH, chained
from pbmd.rules import canonical_json
from tests.archive.made import examined, export, forge, seal_again, verified
from tests.desk.world import NAMES, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.as_ever("a turn of two", lambda: one_turn(world))
    yield world
    world.close()


def one_turn(world: World) -> None:
    world.start(seats=NAMES[:2], options={"target": 99}, ruleset="count", reminders=())
    for seat in NAMES[:2]:
        world.send(seat, "Add 3")
    world.pass_time(timedelta(days=4))


@pytest.fixture
def archive(world: World, tmp_path: Path) -> Path:
    return export(world, tmp_path / "archive", audience=ALL)


def entries_of(archive: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (archive / "data" / "journal.jsonl").read_text().splitlines()]


def write(archive: Path, entries: list[dict[str, Any]]) -> None:
    (archive / "data" / "journal.jsonl").write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))
    seal_again(archive)


def other_lines(archive: Path, lines: list[Any]) -> int:
    """Other orders in place of those that the chain has, without the salt that would tell."""
    entries = entries_of(archive)
    entry = next(entry for entry in entries if entry["kind"] == "orders")
    del entry["salt"]
    entry["secret"]["lines"] = lines
    write(archive, entries)
    return entry["number"]


def another_beginning(archive: Path) -> tuple[int, str]:
    """Another time in the first entry, with hashes that fit up to one called withheld. Gives its number and the head."""
    entries = entries_of(archive)
    entries[0]["at"] = entries[0]["at"].replace("2026", "2025")
    head, last = FIRST_HASH, next(place for place, entry in enumerate(entries) if entry["kind"] == "orders")
    for entry in entries[:last]:
        at = datetime.fromisoformat(entry["at"])
        head = entry["hash"] = chained(
            head, entry["number"], at, entry["kind"], canonical_json(entry["public"]), entry["sealed"]
        )
    entries[last] = {key: entries[last][key] for key in ("number", "at", "kind", "hash")} | {"withheld": True}
    write(archive, entries)
    return entries[last]["number"], entries[-1]["hash"]


def test_what_has_no_salt_though_nothing_was_blanked_is_no_entry(archive: Path) -> None:
    number = other_lines(archive, [[1, "Add 7"]])
    with pytest.raises(BrokenJournal, match="no salt"):
        list(read_entries(archive / "data" / "journal.jsonl"))
    assert [problem.line for problem in verified(archive).problems] == [number]
    assert "no salt" in books_of_archive(archive / "data").broken


def test_what_was_blanked_is_said_to_be_held_by_nothing(archive: Path) -> None:
    assert verified(archive).unbound == []
    number = other_lines(archive, [[1, "Add 3"], [2, "g1p1.xxxxxxxxxxxxxxxx"]])
    (said,) = verified(archive).unbound
    assert f"In entry {number} of the journal a token was blanked" in said


def test_a_head_proves_nothing_of_what_stands_before_a_withheld_entry(archive: Path) -> None:
    number, head = another_beginning(archive)
    (said,) = verified(archive).unbound
    assert f"Of entry {number} of the journal the public part is withheld" in said
    books = books_of_archive(archive / "data")
    assert not books.broken
    findings = {finding.what: finding for finding in examined(claims_of_code(head), books)}
    assert findings["chain head"].holds is None
    assert f"entry {number}" in findings["chain head"].words
    assert f"entry {number}" in findings["journal"].words


def test_orders_of_which_a_token_was_blanked_are_not_proved_by_a_receipt(archive: Path) -> None:
    number = other_lines(archive, [[1, "Add 3"], [2, "g1p1.xxxxxxxxxxxxxxxx"]])
    findings = {finding.what: finding for finding in examined(claims_of_code(str(number)), books_of_archive(archive / "data"))}
    assert findings["receipt"].holds is None
    assert "blanked" in findings["receipt"].words


@pytest.mark.parametrize(
    ("kind", "change"), [("resolved", {"cause": None}), ("resolved", {"step": "0"}), ("orders", {"turn": {}})]
)
def test_a_journal_that_says_anything_makes_findings_and_no_crash(archive: Path, kind: str, change: dict[str, Any]) -> None:
    def changed(entries: list[dict[str, Any]]) -> None:
        next(entry for entry in entries if entry["kind"] == kind)["public"].update(change)

    forge(archive, changed)
    assert all(problem.file.startswith("data/") for problem in verified(archive).problems)


def test_orders_without_their_state_are_a_finding(archive: Path) -> None:
    forge(archive, lambda entries: next(entry for entry in entries if entry["kind"] == "orders")["secret"].pop("state"))
    (problem,) = verified(archive).problems
    assert problem.file == "data/journal.jsonl"


def test_folders_without_end_are_not_read(archive: Path) -> None:
    (archive / "data" / "/".join("a" * 20)).mkdir(parents=True)
    with pytest.raises(NotReadable, match="deeper"):
        files_of(archive)

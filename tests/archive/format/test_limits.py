"""Archives made to keep whoever reads them busy, or out of memory: files that are huge, and cost their maker nothing."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.limits import LARGEST_ARCHIVE, LARGEST_TEXT
from pbmd.archive.format.seals import NotReadable, files_of
from pbmd.cli import app
from tests.archive.made import export, seal_again, verified
from tests.desk.world import NAMES, World
from tests.rules import count

TERABYTE = 1 << 40


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=NAMES[:2], options={"target": 99}, ruleset="count", reminders=())
    world.send("Altair", "Add 3")
    world.pass_time(timedelta(days=4))
    yield export(world, tmp_path / "archive")
    world.close()


def swollen(path: Path, size: int) -> Path:
    """The file with zeros at its end, which take no room on the disk."""
    with path.open("ab") as file:
        file.truncate(size)
    return path


def run(*arguments: object) -> Result:
    more = ["--ruleset", str(Path(count.__file__).parent)] if arguments[0] in ("verify", "replay") else []
    return CliRunner().invoke(app, [*map(str, arguments), *more])


@pytest.mark.parametrize(
    "name", ["data/letters.mbox", "data/journal.jsonl", "data/new.bin", "bagit.txt", "manifest-sha256.txt"]
)
def test_a_terabyte_of_nothing_is_not_read(archive: Path, name: str) -> None:
    assert swollen(archive / name, TERABYTE).stat().st_blocks * 512 < LARGEST_TEXT
    for arguments in (
        ("verify", archive),
        ("replay", archive),
        ("diff", archive, archive),
        ("receipt", "5", "--archive", archive),
    ):
        done = run(*arguments)
        said = " ".join(done.stderr.split())
        if arguments[0] == "receipt" and not name.startswith("data/"):
            continue  # it looks at nothing but the payload
        assert (done.exit_code in (1, 2), done.stdout) == (True, ""), done.output
        assert f"{name.removeprefix('data/')} alone 1,099,511,627,776" in said
        assert f"no archive has more than {LARGEST_ARCHIVE:,}" in said


def test_neither_are_many_files_that_are_too_much_together(archive: Path) -> None:
    for number in range(5):
        swollen(archive / "data" / f"{number}.bin", LARGEST_ARCHIVE // 4)
    with pytest.raises(NotReadable, match="no archive has more than"):
        files_of(archive)


@pytest.mark.parametrize("name", ["after.toml", "sheets.json", "reports/public.txt"])
def test_a_file_that_would_have_to_be_read_is_named_if_it_is_too_large(archive: Path, name: str) -> None:
    swollen(archive / "data" / "turns" / "001" / name, LARGEST_TEXT + 1)
    seal_again(archive)
    (problem,) = verified(archive).problems
    assert (problem.file, problem.turn) == (f"data/turns/001/{name}", "001")
    assert "too large" in problem.problem


def test_letters_may_be_larger_than_what_is_read(archive: Path) -> None:
    swollen(archive / "data" / "letters.mbox", LARGEST_TEXT + 1)
    seal_again(archive)
    assert verified(archive).problems == []


def test_sheets_that_are_too_large_make_books_that_prove_nothing(archive: Path) -> None:
    swollen(archive / "data" / "turns" / "001" / "sheets.json", LARGEST_TEXT + 1)
    books = books_of_archive(archive / "data")
    assert books.where[0] == "turns/001/sheets.json"
    assert books.broken


def test_turns_that_are_compared_are_not_read_if_they_are_too_large(archive: Path) -> None:
    turn = archive / "data" / "turns" / "001"
    swollen(turn / "after.toml", TERABYTE)
    done = run("diff", turn, turn)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "too large" in done.stderr


def test_a_journal_in_one_line_is_compared_in_pieces(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for path in archive.rglob("*"):
        if path.is_file():
            copy = other / path.relative_to(archive)
            copy.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, copy)
    (other / "data" / "journal.jsonl").unlink()
    swollen(other / "data" / "journal.jsonl", LARGEST_ARCHIVE // 2)
    done = run("diff", archive, other)
    assert "journal: the first 0 entries are the same" in done.stdout

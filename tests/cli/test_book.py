"""`pbmd export --book` and `--zine`, as a game master types them."""

import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pypdf
import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.desk.changes.rollback import roll_back
from tests.archive.made import world_of_commands
from tests.archive.samples import FOLDER
from tests.desk.world import World

SAMPLE = str(FOLDER / "starship_squadrons.tar.xz")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of Count, one turn of which is over, at a desk that the command line can open."""
    world = world_of_commands(tmp_path / "home")
    world.count(target=20)
    world.send("Borealis", "PRESS TO ALL\nWho counts?\nEND PRESS")
    count(world, 9)
    yield world
    world.close()


def count(world: World, number: int) -> None:
    """A turn in which all add that number."""
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, f"Add {number}")
    world.pass_time(timedelta(days=4))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["export", *arguments], env={"COLUMNS": "200"})


def at(world: World, *arguments: str) -> Result:
    return run("galaxy-7", *arguments, "--settings", str(world.folder / "pbmd.toml"))


def refused(done: Result, code: int = 2) -> str:
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1), (done.output, done.exception)
    return done.stderr


def words_of(pdf: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf.read_bytes())).pages)


def test_of_a_game_that_runs_there_is_a_newspaper_and_no_book(world: World, tmp_path: Path) -> None:
    assert "galaxy-7 is not over, and a book opens what is secret until then" in refused(at(world, "--book"))
    done = at(world, "--zine", "1", "--to", str(tmp_path))
    assert done.exit_code == 0, (done.output, done.exception)
    text = (tmp_path / "galaxy-7-turn-1.txt").read_text()
    assert "\nPRESS\nBorealis:\n| Who counts?\n" in text
    assert "Who counts?" in words_of(tmp_path / "galaxy-7-turn-1.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["galaxy-7-turn-1.pdf", "galaxy-7-turn-1.txt", "home"]
    assert "nothing was told of turn 2 of galaxy-7" in refused(at(world, "--zine", "2", "--to", str(tmp_path)))


def test_a_book_is_made_of_a_game_that_is_over_and_of_its_archive_the_same(world: World, tmp_path: Path) -> None:
    count(world, 9)
    count(world, 9)
    assert at(world, "--to", str(tmp_path / "packed.zip")).exit_code == 0
    for to, game in (("a", "galaxy-7"), ("b", str(tmp_path / "packed.zip"))):
        (tmp_path / to).mkdir()
        done = run(game, "--book", "--to", f"{tmp_path / to}/x.epub", "--json", "--settings", str(world.folder / "pbmd.toml"))
        assert done.exit_code == 0, (done.output, done.exception)
        assert json.loads(done.stdout)["files"][0]["file"] == f"{tmp_path / to}/x.epub"
    assert (tmp_path / "a" / "x.epub").read_bytes() == (tmp_path / "b" / "x.epub").read_bytes()
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["x.epub"]


def test_a_newspaper_is_the_same_from_the_ledger_and_from_the_archive_also_after_a_rollback(
    world: World, tmp_path: Path
) -> None:
    count(world, 2)
    world.send("Altair", "PRESS TO ALL\nAgain?\nEND PRESS")
    world.act("galaxy-7", roll_back, 2)
    count(world, 3)
    count(world, 9)
    assert at(world, "--to", str(tmp_path / "packed.zip"), "--view", "public").exit_code == 0
    for turn in ("0", "2"):
        for ending in ("txt", "epub"):
            papers = []
            for to, game in (("a", "galaxy-7"), ("b", str(tmp_path / "packed.zip"))):
                place = tmp_path / f"{to}.{ending}"
                done = run(game, "--zine", turn, "--to", str(place), "--force", "--settings", str(world.folder / "pbmd.toml"))
                assert done.exit_code == 0, (done.output, done.exception)
                papers.append(place.read_bytes())
            assert papers[0] == papers[1]
            assert ending == "epub" or (b"Again?" in papers[0]) == (turn == "2")


def test_the_archive_of_a_game_makes_its_book_and_its_newspapers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings and no ledger are needed for it."""
    monkeypatch.chdir(tmp_path)
    done = run(SAMPLE, "--book")
    assert done.exit_code == 0, (done.output, done.exception)
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "starship_squadrons.pdf",
        "starship_squadrons.epub",
    ]
    assert run(SAMPLE, "--zine", "2", "--to", "paper.html").exit_code == 0
    assert "We shall meet." in Path("paper.html").read_text()
    assert "is there; --force replaces it" in refused(run(SAMPLE, "--zine", "2", "--to", "paper.html"))
    assert run(SAMPLE, "--zine", "2", "--to", "paper.html", "--force").exit_code == 0


def test_a_link_that_waits_in_the_folder_leads_nothing_astray(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    (tmp_path / f".paper.txt.{os.getpid()}").symlink_to(kept)
    (tmp_path / "paper.txt").symlink_to(kept)
    assert run(SAMPLE, "--zine", "2", "--to", str(tmp_path / "paper.txt"), "--force").exit_code == 0
    assert (kept.read_text(), (tmp_path / "paper.txt").is_symlink()) == ("mine", False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["galaxy-7", "--book", "--zine", "2"], "--book or --zine, not both"),
        ([SAMPLE, "--book", "--view", "public"], "an archive is for whom it was made"),
        ([SAMPLE, "--zine", "2", "--anonymise"], "takes no --view and no --anonymise"),
        ([SAMPLE, "--book", "--to", "book.doc"], "name a file that ends in .pdf, .epub or .html"),
        ([SAMPLE, "--zine", "77"], "nothing was told of turn 77"),
        ([SAMPLE, "--book", "--to", "no/book.epub"], "--to no/book.epub: there is no folder no; make it first"),
        (["no.zip", "--book", "--to", "no/book.epub"], "there is no folder no"),  # before anything is read
    ],
)
def test_what_cannot_be_is_said(arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(run(*arguments))
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_archive_is_said(tmp_path: Path) -> None:
    missing = str(tmp_path / "no.zip")
    assert f"pbmd: {missing}: No such file or directory\n" == refused(run(missing, "--book"), 1)
    (tmp_path / "x.zip").write_bytes(b"no archive")
    assert "it is neither a folder nor a file that can be unpacked" in refused(run(str(tmp_path / "x.zip"), "--book"), 1)
    (tmp_path / "folder").mkdir()
    assert "folder" in refused(run(str(tmp_path / "folder"), "--book"), 1)
    shutil.copy(SAMPLE, tmp_path / "short.tar.xz")
    (tmp_path / "short.tar.xz").write_bytes((tmp_path / "short.tar.xz").read_bytes()[:5000])
    assert "it cannot be unpacked" in refused(run(str(tmp_path / "short.tar.xz"), "--zine", "1"), 1)


def test_without_typst_the_epub_can_be_made_and_the_pdf_is_said_to_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.chdir(tmp_path)
    assert "pip install 'pbmd-games[book]'" in refused(run(SAMPLE, "--book"), 1)
    assert list(tmp_path.iterdir()) == []
    assert run(SAMPLE, "--book", "--to", "book.epub").exit_code == 0

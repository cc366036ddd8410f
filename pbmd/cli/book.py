"""`pbmd export --book` and `--zine`: a game, or a turn of it, to be read like a book or a newspaper."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from pbmd.archive.format.documents import GameDocument, GameHead
from pbmd.archive.format.findings import plain
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.plan import NothingToExport, plan_export
from pbmd.archive.format.seals import NotReadable
from pbmd.book.chapters import book_of, check_over
from pbmd.book.elements import Book
from pbmd.book.epub import epub_of
from pbmd.book.from_archive import BookStep, NotABook, read_story
from pbmd.book.pdf import NotTypeset, pdf_of
from pbmd.book.running import game_words, public_turn
from pbmd.book.web import page_of
from pbmd.book.zine import zine_of, zine_text
from pbmd.cli.common import WENT_WRONG, fail
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.exporting import export_plan, progress
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tokens_of_game import tokens_about
from pbmd.files import keep_file
from pbmd.post.blank import Blanker
from pbmd.rules import PositionError
from pbmd.rules.troubles import BrokenGame, place_of

_ALL = "all"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made: from which game or archive, into which file or folder, for whom."""

    game: str
    to: Path | None
    view: str
    anonymise: bool
    force: bool
    as_json: bool
    settings: Path

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive, and not a game of the ledger: no game has a dot or a slash in its name."""
        return "." in self.game or "/" in self.game


_Content = Callable[[], bytes]


def make_book(wanted: Wanted) -> None:
    """Write the book of a finished game. Ends the command when there can be none."""
    if wanted.is_archive and (wanted.view != _ALL or wanted.anonymise):
        fail("an archive is for whom it was made: --view and --anonymise are for a game of the ledger")
    places = _places(wanted, _stem(wanted), (".pdf", ".epub"), (".pdf", ".epub", ".html"))
    with _troubles(wanted), _archive(wanted) as folder:
        turns = sum(1 for _ in (folder / "data" / "turns").glob("**/reports"))
        with progress(turns + len(places), "book") as done:
            story = read_story(folder, done)
            _write(wanted, places, _kinds(book_of(story)), done)


def make_zine(wanted: Wanted, turn: int) -> None:
    """Write the newspaper of a turn. Ends the command when there is none."""
    if wanted.view != _ALL or wanted.anonymise:
        fail("a newspaper has only what everybody was told: it takes no --view and no --anonymise")
    kinds = (".pdf", ".epub", ".html", ".txt")
    places = _places(wanted, f"{_stem(wanted)}-turn-{turn}", (".pdf", ".txt"), kinds)
    with _troubles(wanted), ExitStack() as stack:
        game, steps = _of_archive(wanted, turn, stack) if wanted.is_archive else _of_ledger(wanted, turn, stack)
        contents = _kinds(zine_of(game, turn, steps))
        contents[".txt"] = lambda: zine_text(game, turn, steps).encode()
        with progress(len(places), "newspaper") as done:
            _write(wanted, places, contents, done)


_Steps = tuple[GameHead | GameDocument, tuple[BookStep, ...]]


def _of_archive(wanted: Wanted, turn: int, stack: ExitStack) -> _Steps:
    """What an archive says about the game and about a turn."""
    story = read_story(stack.enter_context(unpacked(Path(wanted.game))), lambda: None, turn)
    return story.game, story.steps


def _of_ledger(wanted: Wanted, turn: int, stack: ExitStack) -> _Steps:
    """What everybody may know from the ledger about the game and about a turn."""
    desk = stack.enter_context(at_desk(wanted.settings))
    with TemporaryDirectory(prefix="pbmd-") as home, Transaction(desk, reads=True) as work:
        table = table_of(work, wanted.game)
        try:
            plan = plan_export(work.session, table.game, table.ruleset)
            told = public_turn(work.session, plan, turn, Blanker(tokens_about(work, table)), Path(home))
        except PositionError as problem:
            raise BrokenGame(
                wanted.game, f"the ruleset {table.game.ruleset} cannot read a position: {place_of(problem)}"
            ) from problem
        return game_words(plan), told


@contextmanager
def _troubles(wanted: Wanted) -> Generator[None]:
    try:
        yield
    except (NotABook, NothingToExport) as problem:
        fail(problem)
    except NotReadable as problem:
        fail(plain(f"{wanted.game}: {problem}"), WENT_WRONG)
    except NotTypeset as problem:
        fail(plain(str(problem)), WENT_WRONG)
    except OSError as problem:
        fail(plain(f"{problem.filename or wanted.game}: {problem.strerror or problem}"), WENT_WRONG)


@contextmanager
def _archive(wanted: Wanted) -> Generator[Path]:
    """The folder of the archive from which a book is made; for a game of the ledger it is temporary."""
    if wanted.is_archive:
        with unpacked(Path(wanted.game)) as folder:
            yield folder
        return
    with at_desk(wanted.settings) as desk, TemporaryDirectory(prefix="pbmd-") as home:
        _check(desk, wanted.game)
        export_plan(desk, wanted.game, Path(home) / "archive", wanted.view, anonymise=wanted.anonymise)
        yield Path(home) / "archive"


def _check(desk: Desk, name: str) -> None:
    """Check that there can be a book of the game. Raises `NotABook`."""
    with Transaction(desk, reads=True) as work:
        game = table_of(work, name).game
        check_over(game.name, game.status.value)


def _stem(wanted: Wanted) -> str:
    """What the files are called by default."""
    if not wanted.is_archive:
        return wanted.game
    name = Path(wanted.game).resolve().name
    ending = next((each for each in (".zip", ".tar", ".tar.gz", ".tar.xz") if name.endswith(each)), "")
    return name.removesuffix(ending)


def _places(wanted: Wanted, stem: str, usual: Sequence[str], possible: Sequence[str]) -> list[Path]:
    """The files to write; ends the command if one exists, or cannot be such a file."""
    to = wanted.to
    if to is None or to.is_dir():
        places = [(to or Path()) / f"{stem}{ending}" for ending in usual]
    elif to.suffix in possible:
        places = [to]
    else:
        fail(f"--to {to}: name a file that ends in {', '.join(possible[:-1])} or {possible[-1]}, or a folder that is there")
    if not places[0].parent.is_dir():
        fail(f"--to {to}: there is no folder {places[0].parent}; make it first")
    if there := [place for place in places if place.exists() and not wanted.force]:
        fail(f"{there[0]} is there; --force replaces it")
    return places


def _kinds(book: Book) -> dict[str, _Content]:
    """How each kind of file is made from a book."""
    return {
        ".pdf": lambda: pdf_of(book),
        ".epub": lambda: epub_of(book),
        ".html": lambda: page_of(book).encode(),
    }


def _write(wanted: Wanted, places: Sequence[Path], kinds: Mapping[str, _Content], done: Callable[[], None]) -> None:
    made: list[tuple[Path, bytes]] = []
    for place in places:
        made.append((place, kinds[place.suffix]()))
        done()
    for place, content in made:
        keep_file(place, content, 0o666)
    if wanted.as_json:
        files = [{"file": str(place), "bytes": len(content)} for place, content in made]
        typer.echo(json.dumps({"game": wanted.game, "files": files}, indent=2))
        return
    for place, content in made:
        typer.echo(f"{place}: {max(1, len(content) // 1000):,} kB")

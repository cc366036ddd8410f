"""What an archive contains for a book: its steps one after the other, with what was said before each. Nothing is believed
beyond what it proves: the chain of the journal is checked, and whatever is not as pbmd writes it ends the reading."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.documents import GameDocument, Numbers
from pbmd.archive.format.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.format.findings import GAME, JOURNAL, head_of
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.seals import NotReadable, files_of
from pbmd.archive.write.chronicle import Chronicle, Hand, Note
from pbmd.archive.write.open_step_orders import Waiting, orders_left
from pbmd.archive.write.presentation import Message, StepSummary, said_in, step_shown
from pbmd.archive.write.reader import PUBLIC_REPORT, Archive, DatedEntry, Turn
from pbmd.book import report
from pbmd.book.clean_text import clean
from pbmd.book.drawings import map_picture
from pbmd.book.elements import Block, Picture, Verbatim
from pbmd.book.report import OddPage, blocks_of
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.rendering.foreign_svg import LARGEST_SVG

_WORD_FOR_WORD = frozenset({"press", "announced", "orders", "cancelled", "rolled-back"})
_TROUBLES = (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration, RecursionError, OverflowError)


class NotABook(ValueError):
    """There can be no such book, or newspaper; the message says why."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Orders that were resolved: whose, and the lines as the rules understood them."""

    seat: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BookStep:
    """A step that stands. `blocks` are its public report, empty if it has none of its own; `said` is what was said to everybody
    since the step before, and `notes` what happened to the game in that time. `text` is the report as text, `drawn` its map, if
    it has one."""

    shown: StepSummary
    blocks: tuple[Block, ...]
    text: str
    said: tuple[Message, ...]
    numbers: Numbers
    orders: tuple[Ordered, ...]
    drawn: Picture | None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """What came after the last step: what was said and what happened, orders for a turn that was never played, and when the
    game ended."""

    said: tuple[Message, ...]
    notes: tuple[Note, ...]
    left: tuple[Waiting, ...]
    at: datetime | None


@dataclass(frozen=True)
class Story:
    """Everything that an archive contains for a book. `hands` are all who ever held a seat. `head` is the last hash of its
    journal, empty if that is not shown; `entries` is the number of its entries, and `taken_back` the number of steps that were
    taken back."""

    archive: Archive
    steps: tuple[BookStep, ...]
    ending: Ending
    hands: tuple[Hand, ...]
    head: str
    entries: int
    taken_back: int

    @property
    def game(self) -> GameDocument:
        """game.toml."""
        return self.archive.game


def read_story(folder: Path, done: Callable[[], None], turn: int | None = None) -> Story:
    """Read an archive, or only one turn of it. `done` is called for each step.

    Raises `NotReadable` for one that is not as pbmd writes them, and `OSError`.
    """
    files = files_of(folder)
    head_of(folder, files)
    _check_sizes(files)
    with as_pbmd_writes():
        return _story(Archive(folder / "data"), folder / JOURNAL, done, turn)


@contextmanager
def as_pbmd_writes() -> Generator[None]:
    """Whatever goes wrong because an archive is not as pbmd writes them becomes `NotReadable`."""
    try:
        yield
    except (NotABook, NotReadable):
        raise
    except BrokenJournal as problem:
        raise NotReadable(f"its journal does not hold, line {problem.line}: {problem}") from None
    except _TROUBLES as problem:
        said = f"{type(problem).__name__}: {problem}"[:200]
        raise NotReadable(f"it is not as pbmd writes archives ({said}); pbmd verify says what is wrong with it") from problem


def _check_sizes(files: Mapping[str, int]) -> None:
    wanted = (GAME, JOURNAL)
    if missing := [name for name in wanted if name not in files]:
        raise NotReadable(f"it has no {missing[0]}, so it is no archive")
    large = [name for name, size in files.items() if name.startswith("data/turns/") and size > LARGEST_TEXT]
    if large:
        raise NotReadable(f"{large[0]} is larger than any such file")


def _story(archive: Archive, journal: Path, done: Callable[[], None], wanted: int | None) -> Story:
    stretches = _Stretches(journal)
    steps: list[BookStep] = []
    waiting: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    taken_back = last_turn = 0
    for turn in archive.turns():
        now = step_shown(turn)
        if turn.began:
            said, happened = stretches.next_told(f"before {now.words}")
            waiting, notes = (*waiting, *said), (*notes, *happened)
        done()
        if now.rolled_back:
            taken_back += 1
            continue
        if type(now.turn) is not int or now.turn < last_turn:
            raise ValueError(f"turn {now.turn!r} comes after turn {last_turn}")
        last_turn = now.turn
        if wanted in (None, now.turn):
            steps.append(replace(told_of(turn, now, waiting), notes=notes))
        waiting, notes = (), ()
    last = stretches.rest()
    notes = (*notes, *stretches.chronicle.take(last, f"after turn {last_turn}"))
    ended = next((entry.at for entry in reversed(last) if entry.kind == "finished"), None)
    at = datetime.fromisoformat(ended) if ended else None
    ending = Ending((*waiting, *_to_all(last)), notes, tuple(orders_left(last)), at)
    hands = tuple(stretches.chronicle.hands(archive.game["seats"]))
    said_head = archive.game["journal"].get("head", "")
    if said_head != stretches.head:
        raise NotReadable("its game.toml tells another head than its journal has; pbmd verify says more")
    return Story(archive, tuple(steps), ending, hands, stretches.head, stretches.entries, taken_back)


class _Stretches:
    """The entries of a journal up to each resolution, on demand."""

    def __init__(self, journal: Path) -> None:
        self._entries = read_entries(journal)
        self.head, self.entries = "", 0
        self.chronicle = Chronicle()

    def next_told(self, where: str) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
        """What was said to everybody up to the next resolution, and what happened in that time; `where` says when that was."""
        said: list[Message] = []
        notes: list[Note] = []
        for entry in self._all():
            said += _to_all((entry,))
            notes += self.chronicle.take((entry,), where)
            if entry.kind == "resolved":
                break
        return tuple(said), tuple(notes)

    def rest(self) -> list[DatedEntry]:
        """The entries that are left."""
        return list(self._all())

    def _all(self) -> Iterator[DatedEntry]:
        for entry in self._entries:
            self.head, self.entries = entry.hash, entry.number
            yield DatedEntry(entry.number, entry.at.isoformat(), entry.kind, _content(entry))


def _content(entry: Entry) -> Content | None:
    """What an entry says. Raises `MalformedEntry` if the book would need people's words, or their orders, from it."""
    if entry.public is None or entry.kind in _WORD_FOR_WORD:
        return entry.content
    return entry_for_audience(entry.kind, entry.public, entry.secret)


def moment(at: object) -> datetime:
    """A time in an archive. Raises `TypeError` if it is none."""
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise TypeError(f"{at!r} is no time")
    return at


def _to_all(entries: Sequence[DatedEntry]) -> tuple[Message, ...]:
    return tuple(said for said in said_in(entries) if said.for_all)


def told_of(turn: Turn, now: StepSummary, said: tuple[Message, ...]) -> BookStep:
    """What the folder of a step contains, and what was said before it."""
    picture, path = _picture(turn, now), turn.path / "reports" / f"{PUBLIC_REPORT}.txt"
    text = clean(path.read_text(encoding="utf-8")).strip("\n") if path.exists() else ""
    return BookStep(now, _report(turn, text, picture), text, said, turn.numbers, tuple(_orders(turn)), picture)


def _picture(turn: Turn, now: StepSummary) -> Picture | None:
    path = turn.path / "maps" / f"{PUBLIC_REPORT}.svg"
    if not path.exists() or path.stat().st_size > LARGEST_SVG:
        return None
    return map_picture(path.read_text(encoding="utf-8"), clean(now.words))


def _report(turn: Turn, text: str, picture: Picture | None) -> tuple[Block, ...]:
    """The public report of a step: its page, or its text if there is no usable page."""
    page = turn.path / "reports" / f"{PUBLIC_REPORT}.html"
    if page.exists() and page.stat().st_size <= report.LARGEST:
        try:
            found = blocks_of(page.read_text(encoding="utf-8"), picture)
        except OddPage:
            found = ()
        if found:
            return found if picture is None or picture in _all_blocks(found) else (picture, *found)
    return (*([picture] if picture else []), Verbatim(text)) if text else ()


def _all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    return chain.from_iterable((block, *_all_blocks(getattr(block, "blocks", ()))) for block in blocks)


def _orders(turn: Turn) -> Iterator[Ordered]:
    for sheet in turn.sheets:
        if sheet["state"] == "used":
            yield Ordered(clean(sheet["seat"]), tuple(clean(line) for line in sheet["lines"]))

"""The elements of a book. They do not say how it is typeset: each writer makes of them what its format can do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

Style = Literal["", "strong", "soft", "aside", "code"]


@dataclass(frozen=True, slots=True)
class Run:
    """Words in one style; `aside` stands at the end of its line. A line break is a run that is "\\n"."""

    text: str
    style: Style = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a part of a chapter; the chapter itself is level 1."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that are kept as they are, such as orders."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item consists of blocks."""

    items: tuple[tuple["Block", ...], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, which may be the header of its column or row, and span several columns."""

    runs: Runs
    head: bool = False
    right: bool = False
    span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table with as many columns as its longest row; `head` are the rows that are repeated on every page. `about` describes
    it for those who cannot see it."""

    rows: tuple[tuple[Cell, ...], ...]
    head: int = 0
    about: str = ""

    @property
    def columns(self) -> int:
        """The number of columns."""
        return max((sum(cell.span for cell in row) for row in self.rows), default=0)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG; `alt` describes it for those who cannot see it."""

    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Box:
    """What belongs together, such as everything about one seat."""

    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Press:
    """What a player or the game master said to everybody."""

    who: str
    text: str


Block = Heading | Paragraph | Verbatim | Items | Table | Picture | Box | Press


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a book; `name` is unique within the book and consists of letters, digits and dashes."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A book. `lines` stand on its title page, one below the other; `at` is its time: the same game gives the same bytes."""

    identifier: str
    title: str
    subtitle: str
    lines: tuple[str, ...]
    at: datetime
    chapters: tuple[Chapter, ...]
    cover: Picture | None = None
    kind: Literal["book", "zine"] = "book"


def plain_words(runs: Sequence[Run]) -> str:
    """The words alone."""
    return "".join(run.text for run in runs)


def paragraph(text: str) -> Paragraph:
    """A paragraph in one style."""
    return Paragraph((Run(text),))


def pictures_in(blocks: Sequence[Block]) -> Iterator[Picture]:
    """The pictures among these blocks, in order."""
    for block in blocks:
        if isinstance(block, Picture):
            yield block
        elif isinstance(block, Box):
            yield from pictures_in(block.blocks)
        elif isinstance(block, Items):
            for item in block.items:
                yield from pictures_in(item)


def levelled(blocks: Sequence[Block], under: int) -> tuple[Block, ...]:
    """The same with headings that skip no level below one of the level `under`: screen readers navigate by them."""
    found: list[Block] = []
    last, lowest = under, min((block.level for block in blocks if isinstance(block, Heading)), default=0)
    for block in blocks:
        if isinstance(block, Heading):
            last = min(under + 1 + block.level - lowest, last + 1)
            block = replace(block, level=last)
        found.append(block)
    return tuple(found)

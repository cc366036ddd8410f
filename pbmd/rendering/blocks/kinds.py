"""The blocks that mails are made of. All text in them is plain: the one who writes HTML escapes it."""

from dataclasses import dataclass

Lines = tuple[str, ...]
"""What begins on a line of its own each; what was only wrapped is put together again."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A line in capitals, or an underlined one."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose, from the left edge."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Items:
    """Indented lines, each of which may go on below; `marks` are the bullets or numbers before them, if they have any."""

    items: tuple[Lines, ...]
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, of each cell its lines. `numbers` are the columns that are aligned to the right; `head` tells whether the
    first row names the columns."""

    rows: tuple[tuple[Lines, ...], ...]
    head: bool = False
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Speech:
    """What players, or others, said: each line without its mark, and indented as it was."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines whose blanks matter."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Form:
    """Lines that are there to be changed and sent: an order form from mark to mark, or a sign-up."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Foot:
    """A line "--": what stands below it is said in every such mail."""


Block = Heading | Paragraph | Items | Table | Speech | Verbatim | Form | Foot

"""Ways to damage a ledger that have happened to SQLite files: in each kind of page, and in rows.

The format is that of https://sqlite.org/fileformat2.html. What is damaged is found in the file itself, so that a change of the
tables leaves no way without its page.
"""

import sqlite3
import struct
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
_FREE = 32
"""Where in the header of the file the first page of the free list is named."""


@dataclass
class Pages:
    """A closed SQLite file, to be damaged page by page."""

    path: Path

    def __post_init__(self) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.size: int = connection.execute("PRAGMA page_size").fetchone()[0]
            self.roots: dict[str, int] = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage"))
        self.data = bytearray(self.path.read_bytes())

    def at(self, page: int) -> int:
        return (page - 1) * self.size

    def kind(self, page: int) -> int:
        return self.data[self.at(page)]

    def number(self, place: int) -> int:
        return struct.unpack_from(">I", self.data, place)[0]

    def write(self, place: int, data: bytes) -> None:
        self.data[place : place + len(data)] = data
        self.path.write_bytes(self.data)

    def leaf_below(self, page: int) -> int:
        """The last leaf below a page."""
        while self.kind(page) in (INNER_TABLE, INNER_INDEX):
            page = self.number(self.at(page) + 8)
        return page

    def last_cell(self, page: int) -> int:
        """Where the last cell of a leaf begins, which is the one with the highest key."""
        begin = self.at(page)
        (count,) = struct.unpack_from(">H", self.data, begin + 3)
        (cell,) = struct.unpack_from(">H", self.data, begin + 8 + 2 * (count - 1))
        return begin + cell


def wipe(path: Path, *names: str) -> None:
    """Make the first pages of these tables and their indexes unreadable, in a file that others have open."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = connection.execute("SELECT tbl_name, rootpage FROM sqlite_master WHERE rootpage").fetchall()
    with path.open("rb+") as file:
        for page in (page for table, page in roots if table in names):
            file.seek((page - 1) * size)
            file.write(bytes(size))


def _header(pages: Pages) -> None:
    pages.write(0, b"SQLite formatted wrong\0")


def _schema(pages: Pages) -> None:
    pages.write(100, b"\x00")


def _inner_page(pages: Pages) -> None:
    root = pages.roots["letter"]
    assert pages.kind(root) == INNER_TABLE
    pages.write(pages.at(root) + 8, struct.pack(">I", 999_999))


def _leaf(pages: Pages) -> None:
    leaf = pages.leaf_below(pages.roots["letter"])
    assert pages.kind(leaf) == LEAF_TABLE
    pages.write(pages.at(leaf), bytes(pages.size))


def _index_page(pages: Pages) -> None:
    leaf = pages.leaf_below(pages.roots["sqlite_autoindex_letter_1"])
    assert pages.kind(leaf) == LEAF_INDEX
    pages.write(pages.at(leaf) + 3, struct.pack(">H", 60_000))


def _index_entry(pages: Pages) -> None:
    cell = pages.last_cell(pages.leaf_below(pages.roots["sqlite_autoindex_letter_1"]))
    at = pages.data.index(b"f", cell)
    pages.write(at, b"g")


def _free_list(pages: Pages) -> None:
    assert pages.number(_FREE)
    pages.write(_FREE, struct.pack(">I", 999_999))


def _overflow(pages: Pages) -> None:
    """The second page of a long row names one that is not there."""
    at = next(
        place
        for page in range(2, len(pages.data) // pages.size + 1)
        if pages.data[(place := pages.at(page)) + 4 : place + 204] == b"x" * 200 and 0 < pages.number(place) < 100_000
    )
    pages.write(at, struct.pack(">I", 999_999))


def _middle(pages: Pages) -> None:
    at = pages.at(len(pages.data) // pages.size // 2)
    pages.write(at, b"\xa5" * 5 * pages.size)


def _end(pages: Pages) -> None:
    pages.path.write_bytes(pages.data[: -4 * pages.size])


def _by(*statements: str) -> Callable[[Pages], None]:
    def damage(pages: Pages) -> None:
        with closing(sqlite3.connect(pages.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            for statement in statements:
                assert connection.execute(statement).rowcount > 0
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    return damage


_ENTRY = "WHERE id = (SELECT max(id) - 1 FROM journal)"
OF_PAGES: Mapping[str, Callable[[Pages], None]] = {
    "the file's header": _header,
    "the page of the schema": _schema,
    "an inner page of a table": _inner_page,
    "a leaf of a table": _leaf,
    "a page of an index": _index_page,
    "the list of free pages": _free_list,
    "a page that goes on with a long row": _overflow,
    "the middle, overwritten": _middle,
    "the end, cut off": _end,
}
"""What a quick look finds."""
OF_ROWS: Mapping[str, Callable[[Pages], None]] = {
    "an entry of an index": _index_entry,
}
"""What only a look at the whole finds."""
OF_JOURNALS: Mapping[str, Callable[[Pages], None]] = {
    "an altered entry": _by(f"UPDATE journal SET public = replace(public, ':', ': ') {_ENTRY}"),
    "an entry taken away": _by(f"DELETE FROM journal {_ENTRY}"),
    "the last entry taken away": _by("DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)"),
}
"""What the hashes of a journal tell."""

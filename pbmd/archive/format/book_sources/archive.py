"""The books in an archive, which may be anybody's."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from pbmd.archive.format.books import OPENS_DICE, Books, KeptReport, books_of_entries
from pbmd.archive.format.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.format.orders_on_file import (
    BrokenBooks,
    OrdersOnFile,
    orders_not_seen,
    orders_of_archive,
    read_file,
    sound_letters_in,
)
from pbmd.archive.format.seals import files_of
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.player_entries import OrdersEntry
from pbmd.ledger.tables import step_words
from pbmd.rendering.picture import picture_file, picture_within

_OF_SHEETS = "as sheets.json has it, which pbmd verify checks"


def books_of_archive(payload: Path) -> Books:
    """The books in an archive; `payload` is the folder with its game.toml. Raises `OSError` and, if it is no archive,
    `ValueError`."""
    files = files_of(payload)
    try:
        game = tomllib.loads(read_file(payload / "game.toml"))
    except RecursionError:
        raise ValueError("its game.toml is no TOML: its brackets are nested too deep") from None
    entries: list[Entry] = []
    orders: list[OrdersOnFile] = []
    broken, where = "", ("", 0)
    try:
        entries.extend(read_entries(payload / "journal.jsonl"))
        orders.extend(orders_of_archive(payload, files, entries))
    except BrokenJournal as problem:
        broken, where = str(problem), ("journal.jsonl", problem.line)
    except BrokenBooks as problem:
        broken, where = str(problem), (problem.file, problem.line)
    books = books_of_entries(str(game.get("name", "")), entries, orders, broken, open_end=game.get("status") != "finished")
    journal, seats = game.get("journal"), _seats(game)
    books = replace(
        books,
        numbers=seats,
        key=str(journal.get("key", "")) if isinstance(journal, Mapping) else "",
        arrivals=_arrivals(entries),
        where=where,
        told_by=_OF_SHEETS,
        unseen=orders_not_seen(game.get("view"), orders, entries),
        withheld=[entry.number for entry in entries if not entry.bound],
        blanked=frozenset(entry.number for entry in entries if entry.bound and not entry.sure),
        unopened=[entry.number for entry in entries if entry.public is None and entry.kind in OPENS_DICE],
    )
    if game.get("anonymised"):
        return replace(books, no_reports="what tells who somebody is was taken out of the reports of this archive")
    return replace(books, reports=[*_reports(payload, files, books)], seats=frozenset(seats.values()))


def _reports(payload: Path, files: Iterable[str], books: Books) -> Iterator[KeptReport]:
    """The reports in the folders of turns. The resolution.toml of a folder says which step it is about."""
    there = frozenset(files)
    steps: dict[str, tuple[str, str]] = {}
    for name in sorted(there):
        folder, _, report = name.rpartition("/reports/")
        if not folder.startswith("turns/") or not report.endswith(".txt"):
            continue
        if folder not in steps:
            steps[folder] = _step_of(payload, folder) if f"{folder}/resolution.toml" in there else ("", "")
        words, secret = steps[folder]
        seat = "" if report == "public.txt" else books.numbers.get(report.partition("-")[0])
        if seat is None:
            continue
        page = f"{name.removesuffix('.txt')}.html"
        page_of = partial(_page, payload, page) if page in there else str
        yield KeptReport(seat, words, secret, "" if words else books.first_promise, partial(read_file, payload / name), page_of)


def _page(payload: Path, name: str) -> str:
    """The page of a report, including its picture."""
    page = read_file(payload / name)
    picture = payload / f"{name.rpartition('/reports/')[0]}/maps/{picture_file(page)}.svg"
    return picture_within(page, read_file(picture)) if picture_file(page) and picture.is_file() else page


def _seats(game: Mapping[str, object]) -> dict[str, str]:
    """The names of the seats by their numbers, as game.toml has them."""
    seats: Any = game.get("seats")
    said: list[Any] = [seat for seat in seats if isinstance(seat, Mapping)] if isinstance(seats, list) else []
    return {str(seat.get("number")): str(seat.get("name")) for seat in said}


def _step_of(payload: Path, folder: str) -> tuple[str, str]:
    """What a resolved step is called, and its secret, as its folder says."""
    try:
        resolution = tomllib.loads(read_file(payload / folder / "resolution.toml"))
    except (ValueError, RecursionError):
        return "", ""
    turn, name, secret = (resolution.get(key, "") for key in ("turn", "name", "secret"))
    return (step_words(turn, str(name)), str(secret)) if isinstance(turn, int) else ("", "")


def _arrivals(entries: Iterable[Entry]) -> dict[int, datetime]:
    """When the orders in entries arrived, as far as these are shown, and as pbmd writes them."""
    found: dict[int, datetime] = {}
    for entry in entries:
        for orders in sound_letters_in(entry) if entry.kind == OrdersEntry.kind and entry.sure else ():
            with suppress(OverflowError):
                found[entry.number] = moment(orders.arrival)
    return found

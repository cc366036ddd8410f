"""Mails and archives that are read and held against each other once for all who ask: most hosts who cheat, and most odd games,
change few of them."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache

import pytest

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence import report_mails, witness
from pbmd.archive.evidence.claims import Claims, claims_of_mail
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.books import Books

claims = cache(claims_of_mail)
books = cache(books_of_archive)
"""Of archives that nobody changes any more."""


@contextmanager
def each_examined_once() -> Generator[None]:
    """What of it comes from `claims` and `books` is examined once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_mails, "compare_page", cache(report_mails.compare_page))
        patch.setattr(witness, "examine", _once(witness.examine))
        yield


def _once(examine: Callable[[Claims, Books], list[Finding]]) -> Callable[[Claims, Books], list[Finding]]:
    found: dict[tuple[int, int], tuple[Claims, Books, list[Finding]]] = {}

    def examined(claims: Claims, books: Books) -> list[Finding]:
        key = id(claims), id(books)
        if key not in found:
            found[key] = claims, books, examine(claims, books)  # who is kept here, their numbers are given to no others
        return found[key][2]

    return examined

"""The samples, unpacked once a run, and the books of them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pbmd.book.chapters import book_of
from pbmd.book.elements import Book
from pbmd.book.from_archive import Story, read_story
from tests.archive.samples import FOLDER, unpack

Sample = Callable[[str], Path]


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """The folder of a sample, which nobody may change."""
    return cache(lambda slug: unpack(FOLDER / f"{slug}.tar.xz", tmp_path_factory.mktemp("samples")))


@pytest.fixture(scope="session")
def story(sample: Sample) -> Callable[[str], Story]:
    """What a sample tells."""
    return cache(lambda slug: read_story(sample(slug), lambda: None))


@pytest.fixture(scope="session")
def book(story: Callable[[str], Story]) -> Callable[[str], Book]:
    """The book of a sample."""
    return cache(lambda slug: book_of(story(slug)))

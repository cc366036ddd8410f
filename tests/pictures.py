"""The tests draw no pictures but where they are about them: in place of each stands one with nothing on it, which has bytes of
its own, and the same for the same words.

What is about the pictures themselves has them as pbmd draws them (``pytest.mark.usefixtures("full_size_pictures")``); where it
only matters that all can be drawn they are small, which takes a sixth of the time, and each is drawn but once
(``"small_pictures"``).
"""

import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from resvg_py import svg_to_bytes

from pbmd.rendering import painter, picture
from pbmd.rendering.palette import with_few_colours

_SMALL = 0.1
_BYTES = 6_000
"""As many as those of a small one: most are kept apart from their mails."""
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


class _Pen:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.draws = False
        self.full_size = False

    def draw(self, svg_string: str, zoom: float, **how: Any) -> bytes:
        if not self.draws:
            return _blank(svg_string, f"{zoom} {how} {svg_string}")
        zoom = zoom if self.full_size else _SMALL
        name = hashlib.sha256(f"{zoom} {how} {svg_string}".encode()).hexdigest()
        file = self.folder / name
        return _kept(file) or _keep(file, svg_to_bytes(svg_string=svg_string, zoom=zoom, **how))

    def reduce(self, png: bytes, svg: str) -> bytes:
        return with_few_colours(png, svg) if self.draws and self.full_size else png


@pytest.fixture(scope="session", autouse=True)
def pen(tmp_path_factory: pytest.TempPathFactory) -> _Pen:
    """All workers of a run look into one folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pictures"
    folder.mkdir(exist_ok=True)
    pen = _Pen(folder)
    picture.svg_to_bytes = pen.draw
    picture.with_few_colours = pen.reduce
    return pen


@pytest.fixture
def small_pictures(pen: _Pen) -> Iterator[None]:
    """Small pictures of all that is to be drawn."""
    yield from _drawing(pen, full_size=False)


@pytest.fixture
def full_size_pictures(pen: _Pen) -> Iterator[None]:
    """Pictures as pbmd draws them."""
    yield from _drawing(pen, full_size=True)


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if what the extra ``pictures`` brings were not installed."""
    monkeypatch.setattr(painter, "find_spec", lambda _name: None)
    painter.missing_packages.cache_clear()
    picture.svg_png.cache_clear()
    yield
    painter.missing_packages.cache_clear()


def _drawing(pen: _Pen, *, full_size: bool) -> Iterator[None]:
    before = pen.draws, pen.full_size
    pen.draws, pen.full_size = True, full_size
    picture.svg_png.cache_clear()
    yield
    pen.draws, pen.full_size = before
    picture.svg_png.cache_clear()


def _blank(svg: str, words: str) -> bytes:
    """A grey PNG of a tenth of the size, with a comment that nobody can make shorter."""
    found = _SIZE.search(svg)
    width, height = (max(1, int(each) // 10) for each in found.groups()) if found else (1, 1)
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((1, 0, 0, 0, 0))
    rows = zlib.compress(bytes((width + 7) // 8 + 1) * height)
    comment = b"Comment\0" + hashlib.shake_256(words.encode()).hexdigest(_BYTES // 2).encode()
    chunks = ((b"IHDR", header), (b"tEXt", comment), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def _kept(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""


def _keep(file: Path, picture: bytes) -> bytes:
    aside = file.with_suffix(f".{os.getpid()}")
    aside.write_bytes(picture)
    aside.rename(file)
    return picture

"""The tests draw pictures small, which takes a sixth of the time, and each but once: the same words always give the same bytes.

What is about the pictures themselves has them as pbmd draws them (``pytest.mark.usefixtures("full_size_pictures")``).
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from resvg_py import svg_to_bytes

from pbmd.reports import picture

_SMALL = 0.1


class _Pen:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.full_size = False

    def draw(self, svg_string: str, zoom: float, **how: Any) -> bytes:
        zoom = zoom if self.full_size else _SMALL
        name = hashlib.sha256(f"{zoom} {how} {svg_string}".encode()).hexdigest()
        file = self.folder / name
        return _kept(file) or _keep(file, svg_to_bytes(svg_string=svg_string, zoom=zoom, **how))


@pytest.fixture(scope="session", autouse=True)
def pen(tmp_path_factory: pytest.TempPathFactory) -> _Pen:
    """All workers of a run look into one folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pictures"
    folder.mkdir(exist_ok=True)
    pen = _Pen(folder)
    picture.svg_to_bytes = pen.draw
    return pen


@pytest.fixture
def full_size_pictures(pen: _Pen) -> Iterator[None]:
    """Pictures as pbmd draws them."""
    pen.full_size = True
    picture.svg_png.cache_clear()
    yield
    pen.full_size = False
    picture.svg_png.cache_clear()


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

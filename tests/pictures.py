"""A picture that the tests of this run have drawn once is not drawn again: the same words always give the same bytes."""

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from resvg_py import svg_to_bytes

from pbmd.reports import picture


@pytest.fixture(scope="session", autouse=True)
def drawn_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All workers of a run look into one folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pictures"
    folder.mkdir(exist_ok=True)

    def drawn(svg_string: str, **how: Any) -> bytes:
        name = hashlib.sha256(f"{how} {svg_string}".encode()).hexdigest()
        return _kept(folder / name) or _keep(folder / name, svg_to_bytes(svg_string=svg_string, **how))

    picture.svg_to_bytes = drawn


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

"""Ledgers as released versions of pbmd left them, with games of every ruleset under way.

`python -m tests.ledger.releases` writes that of this version, and keeps its archives beside those of older ones
(`tests.archive.releases`); it is done once, when the version is released, and the files are never written again.

`released/in_the_air` has one more of 1.0.0, as an evening finds it: letters and questions without an answer, a game that is
paused, one that a defect has stopped, one that was rolled back, mails not sent. ``released/in_the_air.py`` has made it, with
the code of 1.0.0, which it imports:

    git worktree add --detach ../pbmd-1.0.0 d1d34495 && cd ../pbmd-1.0.0 && make venv
    PYTHONPATH=. .venv/bin/python ../pbmd/tests/ledger/released/in_the_air.py ../pbmd/tests/ledger/released/in_the_air
"""

import lzma
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from resvg_py import svg_to_bytes
from sqlmodel import Session, func, select

from pbmd import __version__
from pbmd.desk.books.desk import open_desk
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Game, Letter, LogLine
from pbmd.rendering import picture
from pbmd.rules.registry import slugs
from tests.archive import releases as archives
from tests.desk.world import SteadyEntropy, World, settings_in
from tests.pages import sample

FOLDER = Path(__file__).parent / "released"
RELEASED = sorted(
    (path.name.removesuffix(".sqlite.xz") for path in FOLDER.glob("*.sqlite.xz")),
    key=lambda version: [int(number) for number in version.split(".")],
)
"""The versions, the oldest first."""
GAMES: sample.Samples = {**sample.SAMPLES, "europe-5": ("diplomacy", 7, {"deadline": "24h"})}
_DOT = svg_to_bytes(svg_string='<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
FAR = 1_000_000
"""No number that was drawn by then is drawn again."""


def write() -> Path:
    """The ledger of this version. Raises `FileExistsError` if there is one."""
    path = FOLDER / f"{__version__}.sqlite.xz"
    with _dots(), TemporaryDirectory() as folder, sample.desk(Path(folder), "gm") as world:
        sample.start(world, GAMES)
        sample.play(world, 2, samples=GAMES)
        assert {game.ruleset for game in world.rows(Game)} >= {*slugs()}, "a game of every ruleset"
        world.desk.engine.dispose()
        _put_key(Path(folder))
        open_desk(settings_in(Path(folder))).engine.dispose()  # which notes whose key it is, as with every host
        ledger = (Path(folder) / "ledger.sqlite").read_bytes()
    with path.open("xb") as file:
        file.write(lzma.compress(ledger, preset=9))
    return path


@contextmanager
def _dots() -> Iterator[None]:
    """Each picture is a dot: as drawn they would be most of the file."""
    drawn = picture.svg_to_bytes
    picture.svg_png.cache_clear()
    picture.svg_to_bytes = lambda **_how: _DOT
    try:
        yield
    finally:
        picture.svg_to_bytes = drawn
        picture.svg_png.cache_clear()


def put(version: str, folder: Path) -> Path:
    """Have that ledger be the one in `folder`."""
    return put_file(FOLDER / f"{version}.sqlite.xz", folder)


def put_file(packed: Path, folder: Path) -> Path:
    """Have a ledger be the one in `folder`, beside the key with which its tokens were made, as every installation has it."""
    _put_key(folder)
    (ledger := folder / "ledger.sqlite").write_bytes(lzma.decompress(packed.read_bytes()))
    return ledger


def _put_key(folder: Path) -> None:
    (key := folder / "server.key").write_bytes(b"k" * 32)
    key.chmod(0o600)


@contextmanager
def going_on(folder: Path) -> Iterator[World]:
    """A desk that goes on with the ledger in `folder`, which is up to date."""
    kept = (folder / "ledger.sqlite").read_bytes()
    with sample.desk(folder, "gm") as world:
        world.desk.engine.dispose()
        (folder / "ledger.sqlite").write_bytes(kept)
        world.now, world.uid = standing_at(world)
        assert isinstance(world.desk.entropy, SteadyEntropy)
        world.desk.entropy.drawn = FAR
        yield world


def standing_at(world: World) -> tuple[datetime, int]:
    """When the last thing happened, and the last number in the mailbox."""
    with Session(reading(world.desk.engine)) as session:
        at = session.exec(select(func.max(LogLine.at))).one()
        uid = session.exec(select(func.max(Letter.uid))).one()
    return at + timedelta(minutes=1), uid


def main() -> None:
    """See the module. Exits with a line that says why nothing can be kept."""
    if foreign := archives.foreign_samples():
        sys.exit(f"make samples comes first: these are not of pbmd {__version__} as it is now: {', '.join(foreign)}")
    if already := [path for path in (FOLDER / f"{__version__}.sqlite.xz", archives.FOLDER / __version__) if path.exists()]:
        sys.exit(f"{already[0]} is there: what was released stays as it is")
    for path in (write(), archives.keep()):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()

"""`make samples`: a small finished game of every ruleset that there is, played at a real desk and exported to
data/samples/archives, each a packed archive (`tar -xf` unpacks it).

CI verifies them (`tests/archive/test_samples.py`). So a change of the code that would change what has been played cannot go
unnoticed; who wants such a change makes the samples anew and says why.
"""

import sys
import tarfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbmd.archive.blank import Blanker
from pbmd.archive.export import write_archive
from pbmd.archive.plan import plan_export
from pbmd.desk import games
from pbmd.desk.mails import seat_tag
from pbmd.desk.master_acts import abandon
from pbmd.desk.terms import Terms
from pbmd.desk.work import Work
from pbmd.ledger.tables import GameStatus
from pbmd.rules import HmacDice, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.simulate import signups
from tests.desk.world import World, address_of

FOLDER = Path(__file__).parents[2] / "data" / "samples" / "archives"
PLAYERS, STEPS = 3, 5
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "galactic_overlord": {"turn_limit": 8, "starting_bp": 60},
    "local_cluster": {"victory_planets": 2},
    "cosmic_conquest": {"first_overlord_turn": 4},
    "societies": {"squares_per_player": 4},
    "starship_squadrons": {"map": "duel", "day_limit": 4, "damage_model": "labelled"},
}
"""What makes games short and small, and lets dice be rolled in them. Others end by the game master's word."""
LONG: Mapping[str, int] = {"galactic_overlord": 8}
"""The steps of games in which fights are long in coming."""
LEFT_OUT: Mapping[str, str] = {"galactic_overlord": ":"}
"""Lines with this are not sent: where no order of battle is, dice choose one."""
SEATS: Mapping[str, int] = {"galactic_overlord": 6, "starship_squadrons": 2}
"""Of games that are not for three."""
_PATIENCE = timedelta(days=30)


def make(slug: str, folder: Path) -> None:
    """Play the sample of a ruleset and write its archive to `folder`, which must not be there."""
    with TemporaryDirectory() as home:
        world = World(Path(home))
        try:
            name = _start(world, get(slug))
            for step in range(LONG.get(slug, STEPS)):
                if world.game(name).status is not GameStatus.RUNNING:
                    break
                _play(world, name, get(slug), step)
            if world.game(name).status is GameStatus.RUNNING:
                world.act(name, abandon, "samples are short")
            _export(world, name, folder)
        finally:
            world.close()


def _start(world: World, ruleset: Ruleset[Any]) -> str:
    name = ruleset.info.slug.replace("_", "-")
    options = dict(OPTIONS.get(ruleset.info.slug, {}))
    with Work(world.desk) as work:
        table = games.create_game(work, name, ruleset.info.slug, Terms(reminders=()), options)
        players = SEATS.get(ruleset.info.slug, PLAYERS)
        for signup in signups(ruleset, players, complete(ruleset.info.options, options)):
            games.add_seat(work, table, signup, address_of(signup.seat), "")
        games.start_game(work, table)
    return name


def _play(world: World, name: str, ruleset: Ruleset[Any], step: int) -> None:
    """One step: all send what comes to their mind. In the second somebody thinks again, and in the third somebody sleeps."""
    before = world.game(name).step
    dice = HmacDice(name.encode(), step.to_bytes(8, "big"))
    for seat in ruleset.awaiting(ruleset.load(world.position(name)))[int(step == 2) :]:
        position = ruleset.load(world.position(name))
        if world.game(name).status is not GameStatus.RUNNING or seat not in ruleset.awaiting(position):
            continue
        lines = ruleset.random_orders(position, seat, dice).splitlines()
        without = LEFT_OUT.get(ruleset.info.slug)
        text = "\n".join(line for line in lines if without is None or without not in line)
        if step == 1 and not ruleset.sequential:
            world.send(seat, f"{text}\nCANCEL ORDERS", game=name)
            world.send(seat, "This is no order.", game=name)
        world.now += timedelta(minutes=1)
        world.send(seat, text, game=name)
        world.now += timedelta(minutes=1)
    if world.game(name).step == before:
        world.pass_time(_PATIENCE)


def _export(world: World, name: str, folder: Path) -> None:
    with Work(world.desk, reads=True) as work:
        table = work.table_named(name)
        assert table is not None
        plan = plan_export(work.session, table.game, table.ruleset)
        blanker = Blanker([seat_tag(work, seat).token for seat in table.seats])
        write_archive(work.session, plan, folder, blanker, lambda: None)


def pack(folder: Path, packed: Path) -> None:
    """Pack an archive, so that the same game makes the same bytes."""
    with tarfile.open(packed, "w:xz", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            about = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            if path.is_file():
                about.size, about.mode = path.stat().st_size, 0o644
                with path.open("rb") as file:
                    tar.addfile(about, file)


def unpack(packed: Path, folder: Path) -> Path:
    """Unpack a sample below `folder`; gives the archive."""
    with tarfile.open(packed) as tar:
        # Made by ourselves; Python 3.11.2, as in Debian, cannot be told to trust none of it.
        tar.extractall(folder)
    return folder / packed.name.partition(".")[0]


def main(wanted: list[str]) -> None:
    """Make those samples, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for slug in wanted or slugs():
        packed = FOLDER / f"{slug}.tar.xz"
        with TemporaryDirectory() as home:
            make(slug, Path(home) / slug)
            pack(Path(home) / slug, packed)
        print(f"{packed}: {packed.stat().st_size // 1000} kB")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])

"""`make samples`: a small finished game of every ruleset that there is, played at a real desk and exported to
data/samples/archives, each a packed archive (`tar -xf` unpacks it). What happens in each is in `tests.archive.plots`.

CI verifies them (`tests/archive/verify/test_samples.py`). So a change of the code that would change what has been played cannot
go unnoticed; who wants such a change makes the samples anew and says why.
"""

import sys
import tarfile
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.post.blank import Blanker
from pbmd.rules import HmacDice, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.archive.plots import GM, PLOTS, Plot
from tests.desk.world import World, address_of

FOLDER = Path(__file__).parents[2] / "data" / "samples" / "archives"
MOST_ROUNDS = 60
"""A game that is longer than this does not end by itself."""
_PATIENCE = timedelta(days=30)


def make(slug: str, folder: Path) -> None:
    """Play the sample of a ruleset and write its archive to `folder`, which must not be there. Raises `RuntimeError` if the
    game does not end by its rules, or lacks what its plot promises."""
    plot = PLOTS.get(slug, Plot())
    with TemporaryDirectory() as home:
        world = World(Path(home))
        try:
            name = _start(world, get(slug), plot)
            number = 0
            while world.game(name).status is GameStatus.RUNNING:
                if number == MOST_ROUNDS:
                    raise RuntimeError(f"{slug} has not ended after {number} rounds; its plot must make it shorter")
                _write(world, name, plot, number)
                _play(world, name, plot, number)
                number += 1
            if lacking := plot.has - {entry.kind for entry in world.journal()}:
                raise RuntimeError(f"{slug} was to have, and has not: {', '.join(sorted(lacking))}")
            _export(world, name, folder)
        finally:
            world.close()


def _start(world: World, ruleset: Ruleset[Any], plot: Plot) -> str:
    name = ruleset.info.slug.replace("_", "-")
    with changing_games(world.desk) as work:
        terms = Terms.model_validate({"reminders": (), "second_thought": "0m", **plot.terms})
        table = new_game.create_game(work, name, ruleset.info.slug, terms, plot.options)
        for signup in signups(ruleset, plot.players, complete(ruleset.info.options, plot.options)):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), ""))
        new_game.start_game(work, table)
    return name


def _write(world: World, name: str, plot: Plot, number: int) -> None:
    """What the plot has them write before this round, each some time after the other. Who is asked something says yes."""
    for who, text in plot.letters.get(number, ()):
        seats = [seat.name for seat in world.rows(Seat)]
        asked = len(world.questions())
        if who == GM:
            world.master(text.format(seats=seats), name)
        else:
            _send(world, name, seats[who], text.format(seats=seats))
        while len(world.questions()) > asked:  # a YES may lead to another question
            world.reply(world.questions()[asked], "YES")
            asked += 1
        world.now += timedelta(minutes=1)


def _play(world: World, name: str, plot: Plot, number: int) -> None:
    """One round: all send what comes to their mind. In the second somebody thinks again, and in the third somebody sleeps."""
    ruleset = get(world.game(name).ruleset)
    before = world.game(name).step
    dice = HmacDice(name.encode(), number.to_bytes(8, "big"))
    seats = [seat.name for seat in world.rows(Seat)]
    for seat in ruleset.awaiting(ruleset.load(world.position(name)))[int(number == 2) :]:
        position = ruleset.load(world.position(name))
        awaited = ruleset.awaiting(position)
        if world.game(name).status is not GameStatus.RUNNING or seat not in awaited:
            continue
        lines = ruleset.random_orders(position, seat, dice).splitlines()
        if plot.farewell and number >= plot.tired and seat != seats[0]:
            lines.insert(0, plot.farewell.format(seats=seats))
        text = "\n".join(line for line in lines if plot.left_out is None or plot.left_out not in line)
        # With the last orders the turn may be over: what comes after them is of the next.
        if number == 1 and not ruleset.sequential and len(awaited) > 1:
            _send(world, name, seat, f"{text}\nCANCEL ORDERS")
            _send(world, name, seat, "This is no order.")
        world.now += timedelta(minutes=1)
        _send(world, name, seat, text)
        world.now += timedelta(minutes=1)
    if world.game(name).step == before:
        world.pass_time(_PATIENCE)


def _send(world: World, name: str, seat: str, text: str) -> None:
    """Who holds the seat now writes."""
    world.send(seat, text, game=name, sender=world.seat(seat).address)


def _export(world: World, name: str, folder: Path) -> None:
    with Transaction(world.desk, reads=True) as work:
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

"""Games in a ledger, and their archives, for the tests of archives."""

from datetime import timedelta
from pathlib import Path

from pbmd.archive.format.audience import audience_of
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.post.blank import Blanker
from tests.desk.world import World
from tests.rulesets.cosmic_conquest.desk import GAME, HOMES, conquest

OOB = "OOB default: LFTLTF"


def conquered(folder: Path) -> World:
    """A game of Cosmic Conquest with maps: two turns are over, with a refused mail, a question about orders, and press."""
    world = conquest(World(folder))
    for seat in HOMES:
        world.send(seat, f"Invest 5 units in {HOMES[seat]}")
        world.now += timedelta(minutes=7)
    world.pass_time(timedelta(hours=73))
    world.send("Purple", "Telepathic Insight on Red")
    world.send("Red", "Conquer Polaris with 900 units\nConquer as Bartholomew wishes it")
    world.send("Red", "PRESS TO Green\nlet us be friends\nEND PRESS\nDefend Sol with 5 units")
    world.send("Green", "PRESS TO ALL\nwho is Purple?\nEND PRESS\nPass")
    world.send("Purple", "EXTEND 1h because of my wedding\nDefend Solaria with 10 units")
    world.pass_time(timedelta(hours=80))
    assert world.game().step == 2
    return world


def archived(world: World, folder: Path, view: str = "all", *, game: str = GAME, anonymised: bool = False) -> Path:
    """The payload of an archive of the game, for that view, made in `folder`."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(game)
        assert table is not None
        audience = audience_of(view, [seat.name for seat in table.seats])
        plan = plan_export(work.session, table.game, table.ruleset, audience, anonymised=anonymised)
        count = 0

        def done() -> None:
            nonlocal count
            count += 1

        write_archive(work.session, plan, folder, Blanker(()), done)
        assert count == plan.items
    return folder / "data"


def names(payload: Path) -> set[str]:
    """The files of a payload."""
    return {path.relative_to(payload).as_posix() for path in payload.rglob("*") if path.is_file()}

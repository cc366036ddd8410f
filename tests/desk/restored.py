"""A desk whose ledger was restored from a backup, in tests of what follows from that: on whatever database."""

from dataclasses import replace

from pbmd.desk.upkeep.restore import Difference, mark, promised_before
from tests.desk.world import World


def put_back(world: World) -> None:
    """The ledger is one that was restored, and nothing was done with it yet."""
    with world.desk.engine.begin() as connection:
        mark(connection, Difference(readable=False))
    world.desk = replace(world.desk, era=world.desk.era + 1)


def restored(world: World) -> None:
    """It was restored, and its games have been at the desk, as `pbmd restore` has them."""
    put_back(world)
    with world.desk.engine.begin() as connection:
        games = promised_before(connection)
    for game in games:
        with world.work() as work:
            work.table(game)

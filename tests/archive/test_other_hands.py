"""The archive of a seat that has changed hands, for who holds it now."""

from pathlib import Path

from pbmd.archive.audience import ALL, Audience
from pbmd.desk.confirm import offer
from pbmd.desk.master_acts import eject
from tests.archive.made import export
from tests.desk.world import NAMES, World


def test_does_not_tell_who_held_it_before(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=NAMES[:3], ruleset="count", reminders=())
    with world.changed("Borealis") as seat:
        seat.signup = '[[1,"Player name: Bartholomew"]]'
    world.act("galaxy-7", lambda work, table: eject(work, table, table.seat("Borealis"), "silence"))
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        offer(work, table, "Borealis", "new@players.test", "Newcomer", "UTC")
    world.reply(world.questions("new@players.test")[-1], "YES")
    own = export(world, tmp_path / "own", audience=Audience("seat", "Borealis"))
    assert "Newcomer" in (own / "data" / "game.toml").read_text()
    assert not [path for path in own.rglob("*") if path.is_file() and b"Bartholomew" in path.read_bytes()]
    whole = export(world, tmp_path / "whole", audience=ALL)
    assert "Bartholomew" in (whole / "data" / "game.toml").read_text()
    world.close()

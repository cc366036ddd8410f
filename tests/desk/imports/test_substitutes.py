"""A game that moves to another host while a substitute has a seat: it is its player's there."""

from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL
from pbmd.desk.changes.gm import abandon
from pbmd.desk.imports.game import adopt_finished, go_on
from pbmd.ledger.tables import Substitution
from tests.archive.made import export
from tests.desk.world import World, address_of


def test_the_time_of_a_substitute_is_over(tmp_path: Path) -> None:
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    with closing(World(tmp_path / "there")) as there, closing(World(tmp_path / "here")) as here:
        there.count(deadline="every Friday 18:00")
        for seat in ("Altair", "Borealis"):
            there.send(seat, f"SUBSTITUTE {seat.lower()}@else.test FROM 2026-11-20 TO 2026-11-29")
            there.confirm(f"{seat.lower()}@else.test")
        there.pass_time(timedelta(days=8))
        archive = export(there, tmp_path / "archive")
        with here.work() as work:
            go_on(work, partial(read_entries, archive / JOURNAL), 2)
        assert {seat: here.seat(seat).address for seat in ("Altair", "Borealis", "Cygnus")} == {
            seat: address_of(seat) for seat in ("Altair", "Borealis", "Cygnus")
        }
        assert here.seat("Borealis").holder == "Borealis's player"
        assert here.rows(Substitution) == []


def test_in_a_game_that_is_over_the_seat_is_its_players(tmp_path: Path) -> None:
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    with closing(World(tmp_path / "there")) as there, closing(World(tmp_path / "here")) as here:
        there.count()
        there.send("Altair", "SUBSTITUTE dora@else.test FROM 2026-11-20 TO 2026-11-29")
        there.confirm("dora@else.test")
        assert there.seat("Altair").address == "dora@else.test"
        there.act("galaxy-7", abandon)
        archive = export(there, tmp_path / "archive")
        with here.work() as work:
            adopt_finished(work, partial(read_entries, archive / JOURNAL))
        assert (here.seat("Altair").address, here.seat("Altair").holder) == (address_of("Altair"), "Altair's player")

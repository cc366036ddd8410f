"""What a room remembers for one transaction is in a slot of its own, and what is left in one keeps it from being committed."""

from dataclasses import dataclass, field

import pytest

from pbmd.desk.books.carried_out import Tick, Unreported
from pbmd.desk.books.transaction import LoggedLines, Transaction
from pbmd.desk.step.game_transaction import Undrawn, changing_games
from pbmd.desk.step.reporting.maps import MapPictures
from pbmd.ledger.entries.master_entries import AnnouncedEntry
from pbmd.ledger.entries.parts import Decision
from pbmd.ledger.tables import JournalEntry
from pbmd.rendering.drawing_jobs import Picture, Wanted


@dataclass
class Noted:
    """A slot of somebody's."""

    notes: list[str] = field(default_factory=list[str])


@dataclass
class Others(Noted):
    """A slot of somebody else's."""


def test_everybody_gets_the_same_of_one_transaction_and_nothing_of_another(world):
    with world.work() as one, Transaction(world.desk, reads=True) as other:
        one.slot(Noted).notes.append("once")
        assert one.slot(Noted).notes == ["once"]
        assert one.slot(Others).notes == []
        assert other.slot(Noted).notes == []


def test_what_is_logged_of_a_game_is_known_before_it_is_written(world):
    world.count()
    with world.work() as work:
        work.log("peeked", work.table(1))
        work.log("backup")
        work.write_rows()
        assert [row["what"] for row in work.slot(LoggedLines).of(1)] == ["peeked"]


def _leave_a_step(work):
    work.slot(Unreported).left[1] = Tick()


def _leave_a_map(work):
    work.slot(MapPictures).source = {}.get
    assert work.slot(MapPictures).picture(Wanted(b"", png=True, svg="<svg/>")) is None


@pytest.mark.parametrize("leave", [_leave_a_step, _leave_a_map])
def test_nothing_is_committed_as_long_as_anything_is_left_to_be_done(world, leave):
    world.count()
    before = len(world.rows(JournalEntry))

    def committed():
        with Transaction(world.desk, ending=lambda work: None) as work:
            work.journal(work.table(1), AnnouncedEntry(turn=1, text="soon", sealed=Decision()))
            leave(work)

    with pytest.raises(AssertionError, match="before"):
        committed()
    assert len(world.rows(JournalEntry)) == before


def test_a_slot_with_nothing_left_in_it_holds_nothing_up(world):
    world.count()
    with Transaction(world.desk) as work:
        work.slot(Unreported).left[1] = Tick()
        del work.slot(Unreported).left[1]
        work.log("backup")
    assert "backup" in [line.what for line in world.log()]


def test_a_map_that_nobody_has_drawn_undoes_the_transaction_and_is_named(world):
    world.count()
    before = len(world.rows(JournalEntry))
    wanted = Wanted(b"", png=True, svg="<svg/>")

    def committed():
        with changing_games(world.desk, pictures=dict[Wanted, Picture]().get) as work:
            work.journal(work.table(1), AnnouncedEntry(turn=1, text="soon", sealed=Decision()))
            work.slot(MapPictures).picture(wanted)

    with pytest.raises(Undrawn) as undone:
        committed()
    assert undone.value.wanted == [wanted]
    assert len(world.rows(JournalEntry)) == before

"""Which turns an address met and missed: shown to its owner, and what a game may ask for at sign-up."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from pbmd.desk.books.attendance import Played, forget_played, played_by
from pbmd.desk.changes.deadline_changes import close_step
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.tables import StepPlayed
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import ADDRESS, NAMES, World, address_of, body_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def of(world: World, seat: str) -> tuple[int, int]:
    with world.work() as work:
        played = played_by(work, address_of(seat))
    return played.met, played.missed


def turn(world: World, *seats: str, game: str = "galaxy-7") -> None:
    """A turn for which these send orders."""
    for seat in seats:
        world.send(seat, "Add 1", game=game)
    assert world.pass_time(3 * DAY + timedelta(seconds=1)) == 1


def test_each_resolution_is_met_or_missed_by_those_with_a_part_in_it(world: World) -> None:
    world.count()
    turn(world, "Altair", "Borealis")
    turn(world, *NAMES)
    assert [of(world, seat) for seat in NAMES] == [(2, 0), (2, 0), (1, 1)]


def test_all_games_of_an_address_count_together(world: World) -> None:
    world.count()
    world.count("galaxy-8")
    for game in ("galaxy-7", "galaxy-8"):
        world.send("Altair", "Add 1", game=game)
    world.pass_time(4 * DAY)
    assert (of(world, "Altair"), of(world, "Borealis")) == ((2, 0), (0, 2))


def test_a_move_that_was_made_and_one_that_was_skipped(world: World) -> None:
    past_turn_0(relay(world))
    before = {seat: of(world, seat) for seat in ("Altair", "Borealis", "Cygnus")}
    with world.work() as work:
        table = work.table_named(GAME)
        assert table is not None
        [mover] = table.ruleset.awaiting(table.position)
    world.send(mover, "Add 1", game=GAME)
    after = {seat: of(world, seat) for seat in before}
    assert after == before | {mover: (before[mover][0] + 1, before[mover][1])}
    world.pass_time(4 * DAY)
    assert sum(missed for _, missed in (of(world, seat) for seat in before)) == 1


def test_what_the_game_master_closes_is_missed_by_nobody(world: World) -> None:
    world.count()
    world.send("Altair", "Add 1")
    world.act("galaxy-7", close_step)
    assert world.pass_time(timedelta(minutes=1)) == 1
    assert [of(world, seat) for seat in NAMES] == [(1, 0), (0, 0), (0, 0)]


def test_so_it_is_when_the_daemon_comes_to_it_after_the_deadline(world: World) -> None:
    world.count()
    world.act("galaxy-7", close_step)
    assert world.pass_time(4 * DAY) == 1
    assert [of(world, seat) for seat in NAMES] == [(0, 0), (0, 0), (0, 0)]


@pytest.mark.parametrize(("closed_after", "missed"), [(3 * DAY + HOUR, 0), (3 * DAY + 3 * HOUR, 1)])
def test_what_the_game_master_closes_in_the_grace_is_missed_by_nobody(
    world: World, closed_after: timedelta, missed: int
) -> None:
    world.count(grace="2h")
    world.pass_time(closed_after, reading=False)
    world.act("galaxy-7", close_step)
    assert world.pass_time(timedelta(minutes=1)) == 1
    assert [of(world, seat) for seat in NAMES] == [(0, missed)] * 3


def test_what_is_rolled_back_counts_no_more(world: World) -> None:
    world.count()
    turn(world, "Altair")
    world.act("galaxy-7", roll_back, 1)
    assert [of(world, seat) for seat in NAMES] == [(0, 0), (0, 0), (0, 0)]
    turn(world, "Borealis")
    assert of(world, "Borealis") == (1, 0)


def test_who_has_resigned_misses_nothing_and_who_follows_begins_anew(world: World) -> None:
    world.count()
    turn(world, "Altair", "Borealis")
    world.resign("Cygnus")
    turn(world, "Altair", "Borealis")
    assert of(world, "Cygnus") == (0, 1)
    world.master("REPLACE Cygnus BY dora@players.test")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    world.send("Cygnus", "Add 1", sender="dora@players.test")
    turn(world, "Altair", "Borealis")
    assert (of(world, "Cygnus"), of(world, "Dora")) == ((0, 1), (1, 0))


def test_it_goes_along_to_another_address(world: World) -> None:
    world.count()
    turn(world, *NAMES)
    world.send("Cygnus", "ADDRESS carl@players.test")
    world.reply(world.questions(address_of("Cygnus"))[-1], "YES")
    world.reply(world.questions("carl@players.test")[-1], "YES")
    assert (of(world, "Cygnus"), of(world, "Carl")) == ((0, 0), (1, 0))


def test_record_tells_it_to_its_owner(world: World) -> None:
    world.count()
    assert "No turn of yours is counted here yet" in " ".join(world.send("Altair", "RECORD").split())
    turn(world, "Altair")
    world.send("Altair", "Add 1")
    world.pass_time(4 * DAY)
    told = " ".join(world.send("Borealis", "record").split())
    assert "So far you have met 0 turns here and missed 2, in all games at this address: 0 %." in told
    assert "met 2 turns here and missed 0" in " ".join(world.send("Altair", "RECORD").split())


def test_the_ledger_keeps_no_address_of_it(world: World) -> None:
    world.count()
    turn(world, "Altair")
    rows = world.rows(StepPlayed)
    assert len(rows) == 3
    assert len({row.whose for row in rows}) == 3
    assert all(len(row.whose) == 64 and "@" not in row.whose for row in rows)


def test_the_host_can_forget_it(world: World) -> None:
    world.count()
    turn(world, "Altair")
    with world.work() as work:
        assert forget_played(work, "Altair@Players.test") == 1
        assert forget_played(work, "nobody@players.test") == 0
    assert (of(world, "Altair"), of(world, "Borealis")) == ((0, 0), (0, 1))


@pytest.mark.parametrize(
    ("met", "missed", "percent", "reaches"),
    [(4, 1, 80, True), (79, 21, 80, False), (2, 1, 67, False), (2, 1, 66, True), (0, 0, 100, True), (0, 9, 0, True)],
)
def test_shares_are_reckoned_in_whole_numbers(met: int, missed: int, percent: int, reaches: bool) -> None:
    assert Played(met, missed).reaches(percent) is reaches


def joins(world: World, seat: str, game: str = "nebula-1") -> str:
    """JOIN and YES; gives the question and what came of it, as lines made one."""
    question = world.send(seat, f"JOIN {game} AS {seat}", to=ADDRESS)
    return " ".join(f"{question} {world.confirm(address_of(seat))}".split())


@pytest.fixture
def limited(world: World) -> World:
    """A game with sign-ups that asks for half of all turns met, and one in which Altair has met and Borealis has missed two."""
    world.count()
    turn(world, "Altair")
    turn(world, "Altair")
    world.open("nebula-1", min_met="50%", min_met_after=2)
    return world


def test_who_has_met_enough_gets_a_seat_and_who_is_new(limited: World) -> None:
    assert "You are Altair" in joins(limited, "Altair")
    assert "You are Deneb" in joins(limited, "Deneb")


def test_who_has_not_is_told_why_and_what_helps_when_the_address_is_proven(limited: World) -> None:
    told = joins(limited, "Borealis")
    assert "asks for at least 50 % of turns met here, and you have met 0 of 2" in told
    assert "each turn that you meet in another game counts, and LIST names those that are open" in told
    assert [seat for seat in limited.rows(type(limited.seat("Altair"))) if seat.game_id == 2] == []


def test_a_stranger_who_only_shows_an_address_learns_nothing_of_it(limited: World) -> None:
    """The question is the same for whoever is asked, but for the name."""
    asked = [limited.send(seat, f"JOIN nebula-1 AS {seat}", to=ADDRESS) for seat in ("Altair", "Borealis", "Deneb")]
    words = ["\n".join(line for line in text.splitlines() if "Asked for" not in line) for text in asked]
    assert words[0] == words[1] == words[2]
    assert "at least 50 % of their turns here so far; those with fewer than 2" in " ".join(words[0].split())


def test_the_list_says_what_a_game_asks_for(limited: World) -> None:
    told = " ".join(limited.send("Deneb", "LIST", to=ADDRESS).split())
    assert "Seats are for addresses that have met at least 50 % of their turns here so far" in told


def test_nobody_else_gets_another_byte_by_it(tmp_path: Path) -> None:
    """Two hosts that differ in nothing but what Borealis met elsewhere: all others, the log and the journals read the same."""
    told: list[list[object]] = []
    for name in ("met", "missed"):
        folder = tmp_path / name
        folder.mkdir()
        world = World(folder)
        world.count()
        world.count("galaxy-8", ("Altair", "Cygnus"))
        for seat in NAMES:
            world.send(seat, "Add 1")
        world.pass_time(3 * DAY)
        with world.work() as work:
            borealis = work.session.exec(select(StepPlayed).where(StepPlayed.game_id == 1, StepPlayed.seat == 2)).one()
            borealis.met = name == "met"
        world.send("Borealis", "RECORD")
        world.send("Altair", "RECORD\nSTATUS")
        world.open("nebula-1", min_met=50)
        world.send("Deneb", "LIST", to=ADDRESS)
        mails = [(mail.key, mail.raw) for mail in world.outbox() if mail.recipient != address_of("Borealis")]
        log = [(line.what, line.seat, line.detail) for line in world.log()]
        told.append([mails, log, [(entry.public, entry.hash) for entry in world.journal()]])
        mine = body_of(world.outbox("acknowledgement", "Borealis")[-1])
        assert ("missed 0" in " ".join(mine.split())) is (name == "met")
        world.close()
    assert told[0] == told[1]

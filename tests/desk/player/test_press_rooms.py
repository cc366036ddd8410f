"""Press by the rules of a game: rooms, and who may write there when."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmd.desk.changes.gm import abandon
from pbmd.ledger.tables import JournalEntry, Report
from tests.archive.made import export, verified
from tests.desk.village import SEATS, choose, village
from tests.desk.world import World, body_of, message_of


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The first night; Altair and Borealis are wolves, Fornax is dead."""
    world = World(tmp_path)
    yield village(world, dead=("Fornax",))
    world.close()


@pytest.fixture
def by_day(world: World) -> World:
    """The day after; the wolves have taken Electra."""
    choose(world, "Electra")
    assert world.game().step_name == "day"
    return world


def press(world: World, seat: str, to: str, text: str = "hello there") -> str:
    return " ".join(world.send(seat, f"PRESS TO {to}\n{text}\nEND PRESS").split())


def readers(world: World) -> list[str]:
    return [mail.recipient.partition("@")[0] for mail in world.outbox("press")]


def test_wolves_write_to_wolves_by_night(world: World) -> None:
    assert "Your message went to wolves." in press(world, "Altair", "WOLVES")
    assert readers(world) == ["borealis"]


def test_a_reader_sees_the_room_and_how_to_answer_there(world: World) -> None:
    press(world, "Altair", "wolves")
    [mail] = world.outbox("press")
    assert message_of(mail)["Subject"].endswith("press from Altair to wolves")
    told = body_of(mail)
    assert "From: Altair\nTo:   wolves\n" in told
    assert "To answer, write to wolves or to one player with PRESS TO" in told


@pytest.mark.parametrize(
    ("seat", "to", "there"),
    [
        ("Altair", "ALL", "wolves now"),
        ("Altair", "Cygnus", "wolves now"),
        ("Cygnus", "WOLVES", "nobody now"),
        ("Cygnus", "Altair", "nobody now"),
        ("Fornax", "ALL", "graveyard now"),
        ("Fornax", "Altair", "graveyard now"),
    ],
)
def test_nobody_writes_where_the_rules_have_no_room_for_it(world: World, seat: str, to: str, there: str) -> None:
    assert f'by the rules you cannot write to "{to}" now; you can write to {there}.' in press(world, seat, to)
    assert readers(world) == []


def test_by_day_the_living_write_to_all_and_the_dead_read_it(by_day: World) -> None:
    press(by_day, "Cygnus", "ALL")
    assert readers(by_day) == ["altair", "borealis", "deneb", "electra", "fornax", "gienah"]


def test_by_day_one_may_write_to_some(by_day: World) -> None:
    assert "went to Altair and Deneb." in press(by_day, "Cygnus", "Altair and Den")
    assert readers(by_day) == ["altair", "deneb"]


def test_the_dead_write_to_the_dead_alone(by_day: World) -> None:
    press(by_day, "Electra", "graveyard")
    assert readers(by_day) == ["fornax"]
    assert 'cannot write to "Altair" now; you can write to graveyard now' in press(by_day, "Electra", "Altair")
    assert "cannot write" in press(by_day, "Electra", "graveyard, Altair")
    assert readers(by_day) == ["fornax"]


@pytest.fixture
def voting(tmp_path: Path) -> Iterator[World]:
    """The first night of a village that votes openly."""
    (tmp_path / "voting").mkdir()
    world = World(tmp_path / "voting")
    yield village(world, dead=("Fornax",), votes=("pause",), vote_ballots="open")
    world.close()


@pytest.mark.parametrize("seat", ["Altair", "Cygnus"])
def test_a_vote_has_no_reason_by_night_since_all_would_read_it(voting: World, seat: str) -> None:
    answer = " ".join(voting.send(seat, "PROPOSE PAUSE because Deneb is a wolf").split())
    assert "PROPOSE: by the rules you cannot write to all now, so your vote has no reason; send the same without one." in answer
    assert voting.journal("proposed") == []


def test_by_day_a_vote_has_a_reason(voting: World) -> None:
    choose(voting, "Electra")
    assert voting.game().step_name == "day"
    assert "Vote 1 has begun" in " ".join(voting.send("Cygnus", "PROPOSE PAUSE because Deneb is a wolf").split())
    assert "Deneb is a wolf" in " ".join(body_of(voting.outbox("notice", "Altair")[-1]).split())


def test_a_room_without_anybody_else_is_told_as_one(world: World) -> None:
    assert "nobody else reads what is written to graveyard now" in press(world, "Fornax", "graveyard")


def test_who_has_resigned_gets_nothing_that_is_written_to_a_room(by_day: World) -> None:
    by_day.resign("Deneb")
    press(by_day, "Cygnus", "ALL")
    assert "deneb" not in readers(by_day)


def test_status_tells_the_rooms_of_whoever_asks(world: World) -> None:
    asked = {seat: " ".join(world.send(seat, "STATUS").split()) for seat in ("Altair", "Cygnus", "Fornax")}
    assert "Press you can write to wolves now" in asked["Altair"]
    assert "Press you can write to nobody now" in asked["Cygnus"]
    assert "Press you can write to graveyard now" in asked["Fornax"]


def test_status_tells_no_rooms_of_a_game_without_press(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = village(World(tmp_path / "home"), press=False)
    assert "you can write to" not in " ".join(world.send("Altair", "STATUS").split())
    assert "this game has no press" in press(world, "Altair", "wolves")
    world.close()


def test_a_name_that_fits_several_or_is_long_is_refused_in_the_same_words(by_day: World) -> None:
    living = "all, Altair, Borealis, Deneb and Gienah now"
    assert f'cannot write to "" now; you can write to {living}' in press(by_day, "Cygnus", "Deneb, , Gienah")
    assert f'cannot write to "{"x" * 60}" now' in press(by_day, "Cygnus", "x" * 500)


def test_anonymous_press_to_a_room_comes_to_its_writer_too(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = village(World(tmp_path / "home"), wolves=("Altair", "Borealis"), anonymous_press=True)
    choose(world, "Electra")
    world.send("Cygnus", "ANONYMOUS PRESS TO ALL\nIt is Altair.\nEND PRESS")
    assert readers(world) == ["altair", "borealis", "cygnus", "deneb", "electra", "fornax", "gienah"]
    world.close()


def test_after_the_game_all_write_to_all(by_day: World) -> None:
    by_day.act("galaxy-7", abandon)
    press(by_day, "Electra", "Altair")
    assert readers(by_day) == ["altair"]


def test_the_archive_tells_the_room_and_verifies(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=SEATS, ruleset="village", reminders=(), press_delivery="report")
    wolf = next(each["name"] for each in world.position()["villagers"] if each["wolf"])
    victim, *living = (seat for seat in SEATS if seat != wolf)
    choose(world, victim)
    assert world.game().step_name == "day"
    press(world, living[0], "ALL")
    choose(world, living[1])
    assert len(world.rows(Report)) == 3 * (len(SEATS) + 1)
    archive = export(world, tmp_path / "archive")
    assert verified(archive).problems == []
    entries = [entry for entry in world.rows(JournalEntry) if entry.kind == "press"]
    assert '"rooms":["all"]' in entries[0].secret
    assert '"all":true' in entries[0].secret
    world.close()

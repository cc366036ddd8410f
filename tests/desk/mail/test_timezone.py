"""TIMEZONE: a player's own zone in all that they are told, and in nothing that others are told."""

from datetime import timedelta

import pytest

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import _note_reading
from tests.desk.world import World, address_of, body_of


def told(world: World, kind: str, seat: str) -> str:
    return " ".join(body_of(world.outbox(kind, seat)[-1]).split())


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("TIMEZONE Europe/Berlin", "Europe/Berlin"),
        ("timezone europe/berlin.", "Europe/Berlin"),
        ("Time zone: Berlin", "Europe/Berlin"),
        ("TIMEZONE New York", "America/New_York"),
        ("TIMEZONE utc", "UTC"),
    ],
)
def test_a_zone_is_understood_as_people_write_it(running: World, line: str, zone: str) -> None:
    assert f"Your time zone is {zone}." in " ".join(running.send("Altair", line).split())
    assert running.seat("Altair").timezone == zone


def test_of_a_zone_without_summer_time_it_is_said_that_it_has_none(running: World) -> None:
    remark = "EST is the same all year; where the clocks change, times in it are an hour behind yours in summer."
    assert remark in " ".join(running.send("Altair", "TIMEZONE est").split())
    assert "all year" not in running.send("Altair", "TIMEZONE New York")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("TIMEZONE Europe/Atlantis", 'there is no time zone "Europe/Atlantis"'),
        ("TIMEZONE Europe/Berln", "Europe/Berlin or"),
        ("TIMEZONE ../../etc/passwd", "there is no time zone"),
        ("TIMEZONE /etc/localtime", "there is no time zone"),
        ("TIMEZONE GMT+1", '"GMT+1" names no place'),
        ("TIMEZONE PST", '"PST" holds for half of a year'),
        ("TIMEZONE Factory", "there is no time zone"),
        ("TIMEZONE Europe", "there is no time zone"),
        (f"TIMEZONE {'x' * 5000}", "there is no time zone"),
    ],
)
def test_what_is_no_zone_is_refused_and_changes_nothing(running: World, line: str, words: str) -> None:
    answer = " ".join(running.send("Altair", line).split())
    assert words in answer
    assert running.seat("Altair").timezone == "UTC"
    assert not running.journal("timezone")


def test_the_answer_and_all_mails_after_it_have_the_players_time(world: World) -> None:
    world.count(deadline="24h", reminders=("12h",), grace="1h")
    answer = world.send("Altair", "TIMEZONE Asia/Tokyo\nAdd 3\nSTATUS")
    # 12:00 UTC is 21:00 in Tokyo.
    assert "It is Fri 20 Nov 2026 12:00 UTC (21:00 Asia/Tokyo)." in " ".join(answer.split())
    assert "(21:00:00 Asia/Tokyo)" in answer, "of the arrival"
    world.send("Altair", "CANCEL ORDERS")
    world.pass_time(timedelta(hours=12, minutes=1))
    assert "Sat 21 Nov 2026 12:00 UTC (21:00 Asia/Tokyo)" in told(world, "reminder", "Altair")
    world.act("galaxy-7", deadline_changes.extend, timedelta(hours=5), "the game master")
    assert "17:00 UTC (Sun 22 Nov 2026 02:00 Asia/Tokyo)" in told(world, "notice", "Altair")
    world.send("Altair", "Add 1")
    world.pass_time(timedelta(hours=20))
    report = told(world, "report", "Altair")
    assert report.count("Asia/Tokyo") >= 2, "the deadline, and when the orders came"
    world.send("Altair", "RESIGN")
    assert "Asia/Tokyo" in body_of(world.questions(address_of("Altair"))[-1])
    assert not any(b"Tokyo" in mail.raw for mail in world.outbox() if mail.recipient != address_of("Altair"))


def test_an_outage_is_told_in_the_time_of_each_player(world: World) -> None:
    world.count(deadline="24h")
    world.send("Altair", "TIMEZONE Europe/Berlin")
    world.now += timedelta(hours=20)
    note_unreadable(world.desk)
    world.now += timedelta(hours=2)
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    assert "from Sat 21 Nov 2026 08:00 UTC (09:00 Europe/Berlin)" in told(world, "notice", "Altair")
    assert "Berlin" not in told(world, "notice", "Borealis")


def test_summer_time_is_minded(world: World) -> None:
    world.count(deadline="3000h")
    world.send("Altair", "TIMEZONE Europe/Berlin")
    assert "25 Mar 2027 12:00 UTC (13:00 Europe/Berlin)" in " ".join(world.send("Altair", "STATUS").split())
    world.act("galaxy-7", deadline_changes.extend, timedelta(days=4), "the game master")
    assert "29 Mar 2027 12:00 UTC (14:00 Europe/Berlin)" in " ".join(world.send("Altair", "STATUS").split())


def test_a_new_holder_does_not_get_the_zone_of_the_one_before(running: World) -> None:
    running.send("Altair", "TIMEZONE Asia/Tokyo")
    running.sure("REPLACE Altair BY dora@players.test")
    running.reply(running.questions("dora@players.test")[-1], "YES")
    assert running.seat("Altair").timezone == "UTC"


def test_the_game_master_can_say_it_for_a_player(running: World) -> None:
    assert "Borealis gets the times in Europe/London from now on" in running.master("TIMEZONE bor europe/london")
    assert running.seat("Borealis").timezone == "Europe/London"
    (entry,) = running.journal("timezone")
    assert entry.public == "{}"
    assert "Europe/London" in entry.secret


def test_the_game_master_is_refused_what_cannot_be(running: World) -> None:
    assert 'there is no time zone "Nowhere"' in running.master("TIMEZONE Borealis Nowhere")
    assert "there is no" in running.master("TIMEZONE Deneb UTC")
    running.resign("Cygnus")
    assert "nobody holds Cygnus" in running.master("TIMEZONE Cygnus UTC")
    assert not running.journal("timezone")


def test_a_mail_that_proves_nothing_changes_no_zone(running: World) -> None:
    running.send("", "TIMEZONE Asia/Tokyo", sender="stranger@else.test", to=running.reply_address("Altair"))
    running.send("Altair", "TIMEZONE Asia/Tokyo", to="games@pbmd.test")
    assert running.seat("Altair").timezone == "UTC"

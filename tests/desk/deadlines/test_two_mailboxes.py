"""Two hosts that read mailboxes of their own, which feed one ledger."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.due.abandoned_mail import give_up_lost_mailboxes
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mail.alarms import watch
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Alarm, Mailbox
from pbmd.post.imap.fetched import Fetched
from tests.desk.world import BEGIN, World, body_of, message_of

DEADLINE = BEGIN + timedelta(days=3)
SECOND = timedelta(seconds=1)


@pytest.fixture
def hosts(world: World) -> tuple[World, Desk]:
    """A game, the desk of one host, and that of another with a mailbox of its own."""
    world.desk = replace(world.desk, host="alpha")
    world.count()
    settings = world.desk.settings
    other = settings.model_copy(update={"imap": settings.imap.model_copy(update={"user": "other"})})
    beta = replace(world.desk, host="beta", settings=other)
    for desk in (world.desk, beta):
        say_we_are_here(desk, "run")
    return world, beta


def read(world: World, desk: Desk) -> None:
    """The mailbox of a host was read to its end just now."""
    with world.work() as work:
        box = work.session.exec(select(Mailbox).where(Mailbox.name == mailbox_name(desk))).first()
        box = box or Mailbox(name=mailbox_name(desk))
        box.read_through = world.now
        work.session.add(box)


def test_no_deadline_is_over_before_both_were_read(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.now = DEADLINE + timedelta(minutes=10)
    for desk in (world.desk, beta):
        say_we_are_here(desk, "run")
    read(world, world.desk)
    assert [advance_games(desk) for desk in (world.desk, beta)] == [0, 0]
    read(world, beta)
    assert advance_games(world.desk) == 1


def test_each_that_is_not_read_has_an_alarm_of_its_own_and_its_own_end(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts

    def look() -> list[str]:
        for desk in (world.desk, beta):
            say_we_are_here(desk, "run")
        watch(world.desk, kinds=["mailbox"])
        return ["other" if "other@" in body_of(mail) else "first" for mail in world.outbox("alarm")]

    for desk in (world.desk, beta):
        read(world, desk)
    world.now += timedelta(minutes=20)
    read(world, world.desk)
    world.now += timedelta(minutes=20)
    assert look() == ["other"]
    world.now += timedelta(minutes=20)
    assert look() == ["other", "first"]
    read(world, world.desk)
    assert look() == ["other", "first"]
    assert len(world.log("all-clear")) == 1
    assert len([alarm for alarm in world.rows(Alarm) if alarm.ended is None]) == 1


def test_one_whose_reader_is_gone_is_waited_for_for_a_day(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.now = DEADLINE - timedelta(hours=1)
    say_we_are_here(beta, "run")
    world.now = DEADLINE + timedelta(hours=22)
    read(world, world.desk)
    give_up_lost_mailboxes(world.desk)
    assert advance_games(world.desk) == 0
    assert world.log("mailbox-given-up") == []
    world.now += timedelta(hours=2)
    assert advance_games(world.desk) == 0, "not before that is in the log"
    give_up_lost_mailboxes(world.desk)
    assert advance_games(world.desk) == 1


def test_that_it_is_given_up_is_in_the_log_and_the_game_master_gets_a_mail(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.now += timedelta(days=1)
    for _ in range(3):
        give_up_lost_mailboxes(world.desk)
    (line,) = world.log("mailbox-given-up")
    assert line.detail.startswith(f"{mailbox_name(beta)}, last read by ")
    assert line.detail.endswith("which was last heard of Fri 20 Nov 2026 12:00 UTC")
    (mail,) = world.outbox("alarm")
    assert message_of(mail)["Subject"] == "[pbmd] ALARM: a mailbox is not waited for any more"
    assert mailbox_name(beta) in body_of(mail)


def test_if_its_reader_comes_back_it_is_waited_for_again(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.now = DEADLINE + timedelta(minutes=10)
    give_up_lost_mailboxes(world.desk)
    read(world, world.desk)
    say_we_are_here(beta, "run")
    assert advance_games(world.desk) == 0
    read(world, beta)
    assert advance_games(world.desk) == 1


def test_one_that_another_host_reads_is_not_given_up_nor_our_own(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.now += timedelta(days=2)
    say_we_are_here(replace(beta, host="gamma"), "run")
    give_up_lost_mailboxes(world.desk)
    assert world.log("mailbox-given-up") == []


def test_none_is_given_up_by_a_clock_in_doubt(hosts: tuple[World, Desk]) -> None:
    world, _ = hosts
    look_at_clock(world.desk)
    world.set_clock(timedelta(days=2))
    give_up_lost_mailboxes(world.desk)
    assert world.log("mailbox-given-up") == []


def test_letters_of_both_are_dealt_with_in_order_of_arrival(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    written = [world.letter("Altair", f"Add {number}") for number in (1, 2, 3)]
    # A place in one mailbox says nothing about the other.
    for uid, (desk, raw, after) in enumerate(zip((beta, world.desk, beta), written, (0, 1, 2), strict=True)):
        at = BEGIN + after * SECOND
        store(desk, mailbox_name(desk), [Fetched(1, 900 - uid, at, len(raw), raw, truncated=False)])
    world.now = BEGIN + timedelta(minutes=2)
    assert process_letters(world.desk) == 0, "another may have arrived before them that nobody has read"
    for desk in (world.desk, beta):
        read(world, desk)
    assert process_letters(world.desk) == 3
    assert world.sheet("Altair") == ["Add 3"]


def test_none_waits_for_another_mailbox_for_more_than_some_minutes(hosts: tuple[World, Desk]) -> None:
    world, _ = hosts
    world.arrive(world.letter("Altair", "Add 1"), BEGIN)
    world.now = BEGIN + timedelta(minutes=4)
    assert process_letters(world.desk) == 0
    world.now += timedelta(minutes=1)
    assert process_letters(world.desk) == 1


def test_a_host_whose_clock_is_a_little_behind_goes_by_what_another_has_read(hosts: tuple[World, Desk]) -> None:
    world, _ = hosts
    world.settle(imap={"clock_tolerance_seconds": 10})
    world.now = DEADLINE + timedelta(minutes=10)
    read(world, world.desk)
    give_up_lost_mailboxes(world.desk)
    world.now -= timedelta(seconds=2)
    assert advance_games(world.desk) == 1


def test_the_game_master_is_alarmed_of_one_that_nobody_reads(hosts: tuple[World, Desk]) -> None:
    world, beta = hosts
    world.settle(alarms={"mailbox_minutes": 30})
    for desk in (world.desk, beta):
        read(world, desk)
    world.now += timedelta(hours=1)
    read(world, world.desk)
    watch(world.desk, kinds=("mailbox",))
    (line,) = world.log("alarm")
    assert f"{mailbox_name(beta)}: not since" in line.detail
    assert f"{mailbox_name(world.desk)}: " not in line.detail

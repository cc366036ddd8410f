"""A host that shares a ledger says that it is there, and looks at its clock, also while it has no other part in it."""

import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.daemon import presence
from pbmd.daemon.presence import keep_present
from pbmd.desk.mail.alarms import WATCHED_FOR_ALL, watch
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.tables import Alarm, Clock, Host
from tests.desk.world import World
from tests.test_daemon import wait_until


@pytest.fixture
def world(tmp_path, postgresql):
    address = postgresql.new_ledger()
    world = World(tmp_path, database=address)
    yield world
    world.close()
    postgresql.drop(address)


@contextmanager
def present(desk, does):
    stopping, damages = threading.Event(), []
    thread = threading.Thread(target=keep_present, args=(desk, does, stopping, damages.append))
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
    assert not damages


def test_it_says_so_and_looks_at_the_clock(world, monkeypatch):
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.05)
    with present(replace(world.desk, host="a1"), "worker"):
        wait_until(lambda: world.rows(Host) and world.rows(Clock))
        assert [(host.name, host.does) for host in world.rows(Host)] == [("a1", "worker")]
        world.set_clock(timedelta(hours=2))
        wait_until(lambda: world.log("alarm"))
    assert "it was set 2 h ahead" in world.log("alarm")[0].detail


def test_it_says_so_again(world, monkeypatch):
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(presence, "SAY_SECONDS", 0.1)
    with present(replace(world.desk, host="a1"), "run"):
        wait_until(lambda: world.rows(Host))
        world.now += timedelta(minutes=1)
        wait_until(lambda: world.rows(Host)[0].seen_at == world.now)


def test_a_ledger_of_one_host_is_left_alone(world):
    keep_present(world.desk, "run", threading.Event(), pytest.fail)
    assert (world.rows(Host), world.rows(Clock)) == ([], [])


def test_damage_that_it_comes_upon_is_told_to_whoever_runs_it(world, monkeypatch):
    damage, damages = DamagedLedger("PostgreSQL says: it was so"), []

    def come_upon_it(_desk):
        raise damage

    monkeypatch.setattr(presence, "look_at_clock", come_upon_it)
    keep_present(replace(world.desk, host="a1"), "worker", threading.Event(), damages.append)
    assert damages == [damage]


def test_its_disk_is_looked_at_whatever_part_it_has(world, monkeypatch):
    """Each host has one of its own, and a mail of its own about it."""
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(presence, "SAY_SECONDS", 0.1)
    world.settle(alarms={"disk_megabytes": 10**9})
    for number, (host, does) in enumerate((("a1", "run"), ("b2", "worker")), start=1):
        monkeypatch.setattr("socket.gethostname", lambda host=host: f"machine-{host}")
        with present(replace(world.desk, host=host), does):
            wait_until(lambda number=number: len(world.log("alarm")) == number)
    first, second = world.log("alarm")
    assert "the disk of a host is nearly full: " in first.detail
    assert "on machine-b2 " in second.detail
    assert "MB are free where its data folder is" in second.detail
    assert len(world.outbox("alarm")) == 2
    world.settle(alarms={"disk_megabytes": 0})
    with present(replace(world.desk, host="a1"), "run"):
        wait_until(lambda: world.log("all-clear"))
    assert [alarm.host for alarm in world.rows(Alarm) if alarm.ended is None] == ["b2"]


def test_whoever_looks_after_the_games_leaves_the_disks_to_each(world):
    world.settle(alarms={"disk_megabytes": 10**9})
    watch(replace(world.desk, host="a1"), kinds=WATCHED_FOR_ALL)
    assert world.log("alarm") == []

"""Installations that share a ledger on PostgreSQL: each has a name, all have one key, and each says that it is there."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd import __version__
from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.hosts import LATELY, hosts_here, say_we_are_here
from pbmd.desk.books.installation import installation_of
from pbmd.desk.books.server_key import KEY, KEY_BYTES, UnusableKey, key_digest, server_key
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.database import open_engine
from pbmd.ledger.sharing import names_of_hosts
from pbmd.ledger.tables import Host
from tests.desk.world import settings_in


@pytest.fixture
def shared(postgresql):
    """The address of a ledger on PostgreSQL."""
    address = postgresql.new_ledger()
    yield address
    postgresql.drop(address)


@pytest.fixture
def opened(tmp_path, shared):
    """Opens the desk of a data folder of that name, at the shared ledger."""
    desks = []

    def opens(name):
        settings = settings_in(tmp_path / name)
        server = settings.server.model_copy(update={"database": shared})
        desks.append(open_desk(settings.model_copy(update={"server": server})))
        return desks[-1]

    yield opens
    for desk in desks:
        desk.engine.dispose()


def bring_key(tmp_path, name):
    """Copy the key of alpha to another host."""
    (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / name / KEY).write_bytes((tmp_path / "alpha" / KEY).read_bytes())


class TestTheName:
    def test_of_an_installation_stays_and_each_has_its_own(self, opened, tmp_path):
        alpha = opened("alpha")
        bring_key(tmp_path, "beta")
        beta = opened("beta")
        assert len(alpha.host) == 16
        assert (opened("alpha").host, opened("beta").host) == (alpha.host, beta.host)
        assert alpha.host != beta.host

    def test_is_that_which_other_installations_read_in_the_mailbox(self, opened, tmp_path):
        desk = opened("alpha")
        with only_one(tmp_path / "alpha") as name:
            assert name == desk.host
            assert opened("alpha").host == name, "also while a process holds the folder"

    def test_is_one_for_all_who_ask_at_once(self, tmp_path):
        names, ready = [], threading.Barrier(8)

        def ask():
            ready.wait()
            names.append(installation_of(tmp_path))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(names) == 8
        assert len(set(names)) == 1

    def test_of_a_ledger_of_one_host_is_nobodys_business(self, tmp_path):
        desk = open_desk(settings_in(tmp_path))
        say_we_are_here(desk, "run")
        with Transaction(desk, reads=True) as work:
            assert (desk.host, hosts_here(work)) == ("", [])
        desk.engine.dispose()


class TestTheKey:
    def test_is_that_of_the_host_that_came_first(self, opened, tmp_path):
        first = opened("alpha")
        bring_key(tmp_path, "beta")
        assert opened("beta").key == first.key

    def test_must_be_no_other(self, opened, tmp_path):
        opened("alpha")
        (tmp_path / "beta").mkdir()
        (tmp_path / "beta" / KEY).write_bytes(b"z" * KEY_BYTES)
        with pytest.raises(UnusableKey, match=f"copy {KEY} from the data folder of a host that works to .*beta/{KEY}"):
            opened("beta")
        bring_key(tmp_path, "beta")
        opened("beta")

    def test_is_not_made_where_others_have_one(self, opened, tmp_path):
        opened("alpha")
        with pytest.raises(UnusableKey, match=f"beta/{KEY} is missing"):
            opened("beta")
        assert not (tmp_path / "beta" / KEY).exists()

    def test_of_two_that_come_at_once_is_one(self, shared, tmp_path):
        came, refused, ready = [], [], threading.Barrier(2)
        for name, key in (("alpha", b"a"), ("beta", b"b")):
            (tmp_path / name).mkdir()
            (tmp_path / name / KEY).write_bytes(key * KEY_BYTES)

        def begin(name):
            engine = open_engine(shared)
            ready.wait()
            try:
                came.append(server_key(settings_in(tmp_path / name), engine))
            except UnusableKey:
                refused.append(name)
            engine.dispose()

        threads = [threading.Thread(target=begin, args=(name,)) for name in ("alpha", "beta")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(came), len(refused)) == (1, 1)

    def test_is_not_told_by_its_digest(self):
        assert key_digest(b"k" * 32) != key_digest(b"l" * 32)
        assert b"k" * 4 not in bytes.fromhex(key_digest(b"k" * 32))


class TestSayingThatOneIsThere:
    def test_is_a_row_for_each_host_and_what_it_does(self, opened, tmp_path):
        alpha = opened("alpha")
        bring_key(tmp_path, "beta")
        beta = opened("beta")
        for desk, does in ((alpha, "run"), (alpha, "worker"), (beta, "worker"), (alpha, "run")):
            say_we_are_here(desk, does)
        with Transaction(alpha, reads=True) as work:
            hosts = hosts_here(work)
        assert sorted((host.name, host.does) for host in hosts) == sorted(
            [(alpha.host, "run"), (alpha.host, "worker"), (beta.host, "worker")]
        )
        assert {(host.version, host.key) for host in hosts} == {(__version__, key_digest(alpha.key))}

    def test_counts_for_a_while(self, opened):
        alpha = opened("alpha")
        say_we_are_here(alpha, "run")
        later = replace(alpha, now=lambda: alpha.now() + LATELY + timedelta(seconds=1))
        with Transaction(later, reads=True) as work:
            assert (len(hosts_here(work, LATELY)), len(hosts_here(work))) == (0, 1)


def test_hosts_of_one_hostname_are_told_apart():
    hosts = [
        Host(name=name * 16, does="run", hostname=hostname) for name, hostname in (("a", "alpha"), ("b", "beta"), ("c", "beta"))
    ]
    assert names_of_hosts(hosts) == {"a" * 16: "alpha", "b" * 16: "beta (bbbbbb)", "c" * 16: "beta (cccccc)"}

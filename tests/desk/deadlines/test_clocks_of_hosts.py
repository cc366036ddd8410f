"""Hosts that share a ledger have clocks of their own: the doubt about one stops that host, and no other."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import gm
from pbmd.desk.deadlines.doubt_watch import confirm, look_at_clock, server_says
from pbmd.desk.deadlines.trusted_clock import doubt, doubts
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import _note_reading, note_clock
from pbmd.desk.mail.alarms import WATCHED_BY_EACH, watch
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Alarm, Clock
from pbmd.rules import Refused
from tests.desk.world import BEGIN, World, body_of

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@dataclass
class Other:
    """Another host at the same ledger; somebody may set its clock ahead."""

    world: World
    name: str
    ahead: timedelta = timedelta(0)

    def __post_init__(self) -> None:
        self.desk = replace(
            self.world.desk,
            host=self.name,
            boot=f"a start of {self.name}",
            now=lambda: self.world.now + self.ahead,
            steady=lambda: (self.world.now - BEGIN).total_seconds() + 77,
        )
        say_we_are_here(self.desk, "run")
        look_at_clock(self.desk)

    def doubt(self) -> str:
        with Transaction(self.desk, reads=True) as work:
            return doubt(work)

    def doubts(self) -> str:
        with Transaction(self.desk, reads=True) as work:
            return doubts(work)

    def confirm(self) -> str:
        with changing_games(self.desk) as work:
            return confirm(work)

    def restart(self) -> None:
        self.desk = replace(self.desk, boot=f"a later start of {self.name}", steady=lambda: self.world.now.timestamp() - 1e9)
        look_at_clock(self.desk)


@pytest.fixture
def alpha(running: World, monkeypatch: pytest.MonkeyPatch) -> Other:
    monkeypatch.setattr("socket.gethostname", lambda: "alpha")
    return Other(running, "a1")


@pytest.fixture
def beta(running: World, alpha: Other, monkeypatch: pytest.MonkeyPatch) -> Other:
    monkeypatch.setattr("socket.gethostname", lambda: "beta")
    return Other(running, "b2")


def test_nobody_takes_the_clock_of_another_for_a_new_start_of_its_own(running: World, alpha: Other, beta: Other) -> None:
    server_says(alpha.desk, timedelta(0))
    before = [row.model_dump() for row in running.rows(Clock)]
    for _ in range(3):
        running.now += HOUR
        look_at_clock(alpha.desk)
        look_at_clock(beta.desk)
    assert [row.model_dump() for row in running.rows(Clock)] == before
    assert [(row.host, row.boot, row.proved) for row in running.rows(Clock)] == [
        ("a1", "a start of a1", True),
        ("b2", "a start of b2", False),
    ]


def test_the_one_whose_clock_jumps_decides_nothing_and_the_other_goes_on(running: World, alpha: Other, beta: Other) -> None:
    beta.ahead = 2 * HOUR
    look_at_clock(beta.desk)
    running.now += 73 * HOUR
    _note_reading(alpha.desk, mailbox_name(alpha.desk), running.now)
    assert advance_games(beta.desk) == 0
    assert (alpha.doubt(), beta.doubt()) == ("", "it was set 2 h ahead")
    assert advance_games(alpha.desk) == 1


def test_what_it_reads_is_no_evidence(running: World, alpha: Other, beta: Other) -> None:
    _note_reading(alpha.desk, mailbox_name(alpha.desk), running.now)
    beta.ahead = 100 * HOUR
    _note_reading(beta.desk, mailbox_name(beta.desk), running.now + 100 * HOUR)
    assert advance_games(alpha.desk) == 0


def test_the_alarm_names_the_host_and_ends_with_its_own_doubt(running: World, alpha: Other, beta: Other) -> None:
    for host in (beta, alpha):
        host.ahead = 2 * HOUR
        look_at_clock(host.desk)
    first, second = (line.detail for line in running.log("alarm"))
    assert "on beta it was set 2 h ahead" in first
    assert "on alpha it was set 2 h ahead" in second
    [mail] = running.outbox("alarm")
    assert "on beta it was set 2 h ahead" in " ".join(body_of(mail).split())
    beta.ahead = timedelta(0)
    look_at_clock(beta.desk)
    assert [line.detail.partition("; ")[2] for line in running.log("all-clear")] == ["on beta it was set back to where it was"]
    assert [(row.host, row.ended is None) for row in running.rows(Alarm)] == [("b2", False), ("a1", True)]


def test_a_single_host_is_not_named(running: World, alpha: Other) -> None:
    alpha.ahead = 2 * HOUR
    look_at_clock(alpha.desk)
    assert running.log("alarm")[0].detail.startswith("the clock of this machine is in doubt: it was set 2 h ahead")
    assert alpha.doubts() == "it was set 2 h ahead"


def test_people_are_told_of_all(running: World, alpha: Other, beta: Other) -> None:
    beta.ahead = -HOUR
    look_at_clock(beta.desk)
    assert alpha.doubts() == "on beta it was set 1 h back"
    alpha.ahead = 2 * HOUR
    assert alpha.doubts() == "on alpha it was set 2 h ahead; on beta it was set 1 h back"


class TestTheGameMaster:
    def test_bears_out_all_clocks_in_doubt(self, running: World, alpha: Other, beta: Other) -> None:
        for host in (alpha, beta):
            host.ahead = 2 * HOUR
            look_at_clock(host.desk)
        assert alpha.confirm() == "on alpha it was set 2 h ahead; on beta it was set 2 h ahead"
        assert (alpha.doubt(), beta.doubt()) == ("", "")
        look_at_clock(beta.desk)
        assert len(running.log("all-clear")) == 2
        server_says(beta.desk, -2 * HOUR)
        assert beta.doubt() == "", "it is proved"
        beta.ahead += HOUR
        assert beta.doubt() == "it was set 1 h ahead", "and looked at from there on"

    def test_bears_out_that_of_another_although_it_is_behind_the_reading(
        self, running: World, alpha: Other, beta: Other
    ) -> None:
        running.now += HOUR
        _note_reading(alpha.desk, mailbox_name(alpha.desk), running.now)
        beta.ahead = -HOUR
        beta.restart()
        assert beta.doubt() == "it is 1 h behind the last reading of the mailbox"
        alpha.confirm()
        look_at_clock(beta.desk)
        assert beta.doubt() == ""

    def test_does_so_by_mail_too(self, running: World, alpha: Other, beta: Other) -> None:
        running.act("galaxy-7", gm.send_gm_token, "gm-mail")
        beta.ahead = 2 * HOUR
        look_at_clock(beta.desk)
        running.desk = alpha.desk
        running.reply(running.outbox("alarm")[0], "CLOCK CONFIRM")
        assert "on beta it was set 2 h ahead" in " ".join(body_of(running.outbox("question")[-1]).split())
        running.reply(running.outbox("question")[-1], "YES")
        assert beta.doubt() == ""

    def test_cannot_bear_out_what_is_not_in_doubt(self, alpha: Other) -> None:
        with pytest.raises(Refused, match="not in doubt"):
            alpha.confirm()


def test_the_mail_servers_clock_bears_out_that_of_the_host_that_asked(running: World, alpha: Other, beta: Other) -> None:
    for host in (alpha, beta):
        host.ahead = 2 * HOUR
        look_at_clock(host.desk)
    note_clock(alpha.desk, timedelta(0))
    assert (alpha.doubt(), beta.doubt()) == ("", "it was set 2 h ahead")


def test_a_disk_that_is_full_on_one_host_is_no_news_of_the_other(running: World, alpha: Other, beta: Other) -> None:
    enough = {"alarms": beta.desk.settings.alarms.model_copy(update={"disk_megabytes": 0})}
    full = {"alarms": beta.desk.settings.alarms.model_copy(update={"disk_megabytes": 10**9})}
    beta.desk = replace(beta.desk, settings=beta.desk.settings.model_copy(update=full))
    alpha.desk = replace(alpha.desk, settings=alpha.desk.settings.model_copy(update=enough))
    for _ in range(3):
        watch(beta.desk, kinds=WATCHED_BY_EACH)
        watch(alpha.desk, kinds=WATCHED_BY_EACH)
    [line] = running.log("alarm")
    assert "the disk of a host is nearly full: on beta " in line.detail
    assert running.log("all-clear") == []

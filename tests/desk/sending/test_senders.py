"""Several hosts that send from one outbox: each mail is one sender's at a time, and the pace is one for all."""

import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.sending.batches import LEASE, lease
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.sender import new_pace, recover, send_due, write_unwritten
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import OutboxState
from pbmd.post.accounts import SmtpAccount
from pbmd.post.smtp.client import Deferred, Rejected, Sent, Smtp, Unknown
from tests.desk.sending.test_sender import FakeSmtp, Killed, OnAnyPort, one, queue, recipients, states, with_smtp
from tests.desk.world import BEGIN

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@contextmanager
def hosts(world, *names):
    """A desk for each of these hosts, each with a connection of its own to the ledger."""
    address = world.desk.engine.url.render_as_string(hide_password=False)
    desks = [replace(world.desk, host=name, engine=open_engine(address)) for name in names]
    try:
        yield desks
    finally:
        for desk in desks:
            desk.engine.dispose()


def taken_by(desk, answer=None):
    """A server that was handed the mails of this host, and the process of the host ends in the middle of the first, or has
    this answer for all."""

    class Ends(FakeSmtp):
        def send(self, *mail):
            super().send(*mail)
            if answer is None:
                raise Killed
            return answer

    smtp = Ends()
    if answer is None:
        with pytest.raises(Killed):
            send_due(desk, smtp.connect)
    else:
        send_due(desk, smtp.connect)
    return smtp


class Meanwhile(FakeSmtp):
    """A server that something else happens at while it has a mail, before it gives its answer."""

    def __init__(self, happens, **answers):
        super().__init__(**answers)
        self.happens = happens

    def send(self, *mail):
        happens, self.happens = self.happens, lambda: None
        happens()
        return super().send(*mail)


def test_two_senders_at_once_hand_over_every_mail_once_to_a_real_server(world):
    class Handler:
        def __init__(self):
            self.came = []

        async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
            envelope.rcpt_tos.append(address)
            return "250 OK"

        async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
            self.came += envelope.rcpt_tos
            return "250 OK"

    with_smtp(world, connections=2)
    names = [f"p{number}" for number in range(250)]
    queue(world, *names)
    handler = Handler()
    controller = OnAnyPort(handler, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        account = SmtpAccount(
            host="127.0.0.1", port=controller.port, tls="none", user=None, secret=None, timeout_seconds=60, ca_file=None
        )
        sent = []
        with hosts(world, "alpha", "beta") as desks:
            senders = [
                threading.Thread(target=lambda desk=desk: sent.append(send_due(desk, lambda: Smtp(account), pace=Pace(1000))))
                for desk in desks
            ]
            for sender in senders:
                sender.start()
            for sender in senders:
                sender.join()
    finally:
        controller.stop()
    assert sorted(handler.came) == sorted(f"{name}@players.test" for name in names)
    assert sum(sent) == 250
    assert {mail.state for mail in world.outbox()} == {OutboxState.SENT}
    assert {mail.tries for mail in world.outbox()} == {1}
    assert {mail.sender for mail in world.outbox()} <= {"alpha", "beta"}


def test_the_ledger_tells_who_has_sent_a_mail(world):
    queue(world, "a")
    with hosts(world, "alpha") as [alpha]:
        send_due(alpha, FakeSmtp().connect)
    assert one(world).sender == "alpha"


def test_a_host_that_starts_leaves_alone_what_another_has_on_the_line(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        taken_by(alpha)
        assert recover(beta) == 0
        assert (one(world).state, one(world).sender, one(world).next_try_at) == (OutboxState.SENDING, "alpha", BEGIN + LEASE)
        again = FakeSmtp()
        world.now += LEASE - SECOND
        assert send_due(beta, again.connect) == 0
        assert recover(alpha) == 1, "but its own it takes up again"
        world.now += MINUTE
        assert send_due(beta, again.connect) == 1, "whoever sends then"


def test_what_a_host_that_is_gone_had_on_the_line_goes_out_when_its_lease_is_over(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        first, again = taken_by(alpha), FakeSmtp()
        world.now += lease(beta)
        assert send_due(beta, again.connect) == 1
        assert again.taken == first.taken
        assert (one(world).state, one(world).sender) == (OutboxState.SENT, "beta")
        assert "may or may not have gone out" in world.log("outbox")[0].detail
        assert recover(alpha) == 0


@pytest.mark.parametrize("answer", [Deferred(451, "later"), Rejected(550, "5.1.1 no such user"), Unknown("no answer")])
def test_who_comes_back_after_its_lease_changes_nothing_of_a_mail_that_another_has_taken(world, answer):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        kept = []

        def beta_takes_over():
            world.now += lease(beta)
            taken_by(beta)
            kept.append(one(world))

        send_due(alpha, Meanwhile(beta_takes_over, a=answer).connect)
        assert one(world).model_dump() == kept[0].model_dump()
        assert one(world).sender == "beta"
        assert "in other hands" in world.log("unsent")[-1].detail
        assert len(world.outbox()) == 1, "the address has not been refused by what counts"


def test_nor_when_the_other_has_sent_it(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:

        def beta_takes_over():
            world.now += lease(beta)
            taken_by(beta, Sent())

        send_due(alpha, Meanwhile(beta_takes_over, a=Deferred(451, "later")).connect)
        assert (one(world).state, one(world).sender, one(world).error) == (OutboxState.SENT, "beta", "")


def test_that_the_server_took_a_mail_counts_whoever_has_it_by_now(world):
    queue(world, "a", "b")
    with hosts(world, "alpha", "beta") as [alpha, beta]:

        def beta_takes_over():
            world.now += lease(beta)
            send_due(beta, FakeSmtp(a=Deferred(451, "later"), b=Deferred(451, "later")).connect)

        smtp = Meanwhile(beta_takes_over)
        assert send_due(alpha, smtp.connect) == 1, "the second has waited for too long"
        assert recipients(smtp) == ["a@players.test"]
        assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.QUEUED}
        assert world.outbox()[1].error == "451 later", "which is put back only as long as it is one's own"
        world.now += MINUTE * 5
        again = FakeSmtp()
        assert send_due(beta, again.connect) == 1
        assert recipients(again) == ["b@players.test"]


def test_so_it_does_when_the_ledger_hears_of_it_late(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        taken_by(alpha)
        pace = new_pace(alpha)
        pace.unwritten.append(one(world).id)
        world.now += lease(beta)
        taken_by(beta, Unknown("no answer"))
        write_unwritten(alpha, pace)
        world.now += LEASE * 9
        assert send_due(beta, FakeSmtp().connect) == 0
        assert one(world).state is OutboxState.SENT


def test_a_host_whose_clock_is_behind_brings_nothing_forward_that_another_has_on_the_line(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        world.now += timedelta(days=30)
        taken_by(alpha)
        world.now -= timedelta(days=30)
        assert send_due(beta, FakeSmtp().connect) == 0
        assert one(world).sender == "alpha"


class TestThePaceOfAll:
    """Who begins to send goes on with the pace of whoever sent before."""

    def limits(self, world, **changes):
        world.settle(limits={"mails_per_minute": 5}, smtp={"per_domain_per_minute": 0} | changes)

    def test_holds_when_another_host_takes_over(self, world):
        self.limits(world)
        queue(world, *(f"p{number}" for number in range(8)))
        with hosts(world, "alpha", "beta") as [alpha, beta]:
            first, smtp = FakeSmtp(), FakeSmtp()
            assert send_due(alpha, first.connect, lambda: len(first.taken) == 3, new_pace(alpha)) == 3
            world.now += 30 * SECOND
            pace = new_pace(beta)
            assert send_due(beta, smtp.connect, pace=pace) == 2
            assert send_due(beta, smtp.connect, pace=pace) == 0
            world.now += 30 * SECOND
            assert send_due(beta, smtp.connect, pace=pace) == 3, "the first three are a minute old"

    def test_counts_what_who_is_gone_had_on_the_line(self, world):
        self.limits(world)
        queue(world, *(f"p{number}" for number in range(9)))
        with hosts(world, "alpha", "beta") as [alpha, beta]:
            taken_by(alpha)
            assert [mail.sender for mail in world.outbox()].count("alpha") == 5
            assert send_due(beta, FakeSmtp().connect, pace=new_pace(beta)) < 5
            world.now += MINUTE
            assert new_pace(beta).room(world.now) == 5

    def test_holds_for_a_domain(self, world):
        self.limits(world, per_domain_per_minute=2)
        queue(world, *(f"p{number}" for number in range(3)))
        with hosts(world, "alpha", "beta") as [alpha, beta]:
            assert send_due(alpha, FakeSmtp().connect, pace=new_pace(alpha)) == 2
            world.now += 10 * SECOND
            assert send_due(beta, FakeSmtp().connect, pace=new_pace(beta)) == 0
            world.now += 50 * SECOND
            assert send_due(beta, FakeSmtp().connect, pace=new_pace(beta)) == 1

    def test_holds_though_the_clock_of_the_other_is_a_little_ahead(self, world):
        self.limits(world)
        queue(world, *(f"p{number}" for number in range(8)))
        with hosts(world, "alpha", "beta") as [alpha, beta]:
            world.now += 20 * SECOND
            assert send_due(alpha, FakeSmtp().connect, pace=new_pace(alpha)) == 5
            world.now -= 20 * SECOND
            assert send_due(beta, FakeSmtp().connect, pace=new_pace(beta)) == 0

    def test_begins_anew_for_a_host_between_whose_turns_another_has_sent(self, world):
        self.limits(world)
        queue(world, *(f"p{number}" for number in range(9)))
        with hosts(world, "alpha", "beta") as [alpha, beta]:
            pace, first = new_pace(alpha), FakeSmtp()
            assert send_due(alpha, first.connect, lambda: len(first.taken) == 1, pace) == 1
            assert send_due(beta, FakeSmtp().connect, pace=new_pace(beta)) == 4
            pace.unwritten.append(7)
            pace = new_pace(alpha, pace)
            assert (pace.room(world.now), pace.unwritten) == (0, [7])

    def test_of_a_restart_is_the_same(self, world):
        self.limits(world)
        queue(world, *(f"p{number}" for number in range(8)))
        assert send_due(world.desk, FakeSmtp().connect, pace=new_pace(world.desk)) == 5
        assert send_due(world.desk, FakeSmtp().connect, pace=new_pace(world.desk)) == 0

    def test_is_asked_of_an_index(self, world):
        if world.database:
            pytest.skip("what PostgreSQL chooses for an empty table says nothing")
        assert {plan.split(" (")[0] for plan in world.plans(lambda: new_pace(world.desk))} <= {
            "SEARCH outbox USING INDEX ix_outbox_sent",
            "SCAN outbox USING INDEX ix_outbox_unsent",
        }


def test_two_that_both_find_the_minute_full_tell_the_game_master_once(world):
    world.settle(limits={"mails_per_minute": 1})
    with changing_games(world.desk) as work:
        for number in range(3):
            mail_to(work, f"p{number}@players.test", Draft("notice", f"notice {number}", "a subject", "a text"))
    with hosts(world, "alpha", "beta") as desks:
        send_due(desks[0], FakeSmtp().connect, pace=new_pace(desks[0]))
        for desk in desks:
            send_due(desk, FakeSmtp().connect, pace=new_pace(desk))
    assert len(world.outbox("alarm")) == 1

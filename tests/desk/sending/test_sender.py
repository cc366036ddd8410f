"""The outbox on its way: every mail reaches a state, none is lost by a crash, and trouble is in the log."""

import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy
from aiosmtpd.controller import Controller

from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.sending import outbox, sender
from pbmd.desk.sending.batches import LEASE, Parcel, lease
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.sender import _Notes, _Round, new_pace, recover, send_due, write_unwritten
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import OutboxState
from pbmd.post.accounts import SmtpAccount
from pbmd.post.smtp.client import Deferred, Rejected, SenderRefused, Sent, Smtp, SmtpError, Unknown
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, BEGIN, body_of


class FakeSmtp:
    """Says of each mail what `answers` has for its recipient, and keeps what it was handed."""

    null_refused = False

    def __init__(self, **answers):
        self.answers = answers
        self.taken, self.connections = [], 0

    @contextmanager
    def connect(self):
        self.connections += 1
        yield self

    def send(self, envelope_from, recipient, raw, _otherwise=""):
        self.taken.append((envelope_from, recipient, raw))
        answer = self.answers.get(recipient.partition("@")[0], Sent())
        if isinstance(answer, BaseException):
            raise answer
        return answer


class OnAnyPort(Controller):
    """An SMTP server on a port that is free."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Killed(BaseException):
    """The process ends here."""


def queue(world, *names):
    with changing_games(world.desk) as work:
        for name in names:
            mail_to(work, f"{name}@players.test", Draft("notice", f"notice {name}", "a subject", f"Dear {name}"))


def states(world):
    return {mail.recipient.partition("@")[0]: mail.state for mail in world.outbox()}


def one(world):
    (mail,) = world.outbox()
    return mail


def test_whoever_waits_for_it_is_told_once_all_was_accepted_and_not_when_nothing_was_to_be_had(world):
    told = []
    smtp = FakeSmtp(b=SmtpError("no more today"))
    assert send_due(world.desk, smtp.connect, handed_over=lambda: told.append(len(smtp.taken))) == 0
    queue(world, "a")
    send_due(world.desk, smtp.connect, handed_over=lambda: told.append(len(smtp.taken)))
    assert told == [1]
    queue(world, "b", "c")
    with pytest.raises(SmtpError):
        send_due(world.desk, smtp.connect, handed_over=lambda: told.append(len(smtp.taken)))
    assert told == [1]


def test_what_is_accepted_is_sent_once_in_the_order_queued(world):
    queue(world, "a", "b", "c")
    smtp = FakeSmtp()
    assert send_due(world.desk, smtp.connect) == 3
    assert [recipient for _, recipient, _ in smtp.taken] == ["a@players.test", "b@players.test", "c@players.test"]
    assert set(states(world).values()) == {OutboxState.SENT}
    assert send_due(world.desk, smtp.connect) == 0
    assert len(smtp.taken) == 3
    assert smtp.connections == 1, "one connection for many mails"


def test_when_the_daemon_stops_the_mail_at_hand_is_the_last(world):
    queue(world, "a", "b", "c")
    smtp = FakeSmtp()
    assert send_due(world.desk, smtp.connect, stopping=lambda: len(smtp.taken) == 1) == 1
    assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.QUEUED, "c": OutboxState.QUEUED}


def test_a_sent_mail_says_when(world):
    queue(world, "a")
    send_due(world.desk, FakeSmtp().connect)
    assert (one(world).sent_at, one(world).tries, one(world).error) == (BEGIN, 1, "")


def test_nothing_to_send_asks_no_server(world):
    smtp = FakeSmtp()
    assert send_due(world.desk, smtp.connect) == 0
    assert smtp.connections == 0


def test_a_refused_recipient_stops_nobody_elses_mail(world):
    queue(world, "a", "b", "c")
    assert send_due(world.desk, FakeSmtp(b=Rejected(550, "no such user")).connect) == 2
    assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.FAILED, "c": OutboxState.SENT}


def test_a_refusal_is_final_and_in_the_log(world):
    queue(world, "a")
    send_due(world.desk, FakeSmtp(a=Rejected(550, "no such user")).connect)
    world.now += timedelta(days=9)
    assert send_due(world.desk, FakeSmtp().connect) == 0
    assert one(world).error == "550 no such user"
    (line,) = world.log("unsent")
    assert "SMTP 550" in line.detail
    assert "given up" in line.detail


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Deferred(451, "try later"), OutboxState.QUEUED),
        (Deferred(0, "connection reset"), OutboxState.QUEUED),
        (Unknown("no answer"), OutboxState.SENDING),
    ],
)
def test_a_mail_that_was_not_taken_is_tried_again_later_with_the_same_bytes(world, answer, state):
    queue(world, "a")
    first, later = FakeSmtp(a=answer), FakeSmtp()
    assert send_due(world.desk, first.connect) == 0
    assert send_due(world.desk, later.connect) == 0, "not at once"
    assert (one(world).state, one(world).tries) == (state, 1)
    world.now += timedelta(minutes=5)
    assert send_due(world.desk, later.connect) == 1
    assert later.taken == first.taken
    assert len(world.log("unsent")) == 1


def test_retries_come_further_and_further_apart_until_the_mail_is_given_up(world):
    queue(world, "a")
    smtp, waits = FakeSmtp(a=Deferred(451, "later")), []
    while one(world).state is OutboxState.QUEUED:
        send_due(world.desk, smtp.connect)
        waits.append(one(world).next_try_at - world.now)
        world.now = max(world.now, one(world).next_try_at)
    del waits[-1]
    assert waits == sorted(waits)
    assert timedelta(days=4) < sum(waits, timedelta()) < timedelta(days=7)
    assert one(world).state is OutboxState.FAILED
    assert "given up" in world.log("unsent")[-1].detail


@contextmanager
def no_server():
    raise SmtpError("mail.pbmd.test:587: connection refused, says postmaster@pbmd.test")
    yield


def test_no_server_leaves_all_mail_due(world):
    queue(world, "a", "b")
    with pytest.raises(SmtpError):
        send_due(world.desk, no_server)
    assert [mail.error for mail in world.outbox()] == ["mail.pbmd.test:587: connection refused, says (address)"] * 2
    assert [(mail.state, mail.tries) for mail in world.outbox()] == [(OutboxState.QUEUED, 0)] * 2


def test_a_connection_that_cannot_be_made_again_leaves_the_rest_due(world):
    queue(world, "a", "b", "c")
    with pytest.raises(SmtpError):
        send_due(world.desk, FakeSmtp(b=SmtpError("gone")).connect)
    assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.QUEUED, "c": OutboxState.QUEUED}
    assert send_due(world.desk, FakeSmtp().connect) == 2


def test_a_mail_under_way_when_the_process_was_killed_goes_out_again_unchanged(world):
    queue(world, "a", "b")
    killed, again = FakeSmtp(a=Killed()), FakeSmtp()
    with pytest.raises(Killed):
        send_due(world.desk, killed.connect)
    assert states(world)["a"] is OutboxState.SENDING
    assert recover(world.desk) == 1
    send_due(world.desk, again.connect)
    assert [recipient for _, recipient, _ in again.taken] == ["b@players.test"], "the server gets a minute to finish"
    world.now += timedelta(minutes=1)
    send_due(world.desk, again.connect)
    assert again.taken[-1] == killed.taken[0]
    assert set(states(world).values()) == {OutboxState.SENT}
    assert len(world.log("outbox")) == 1


def test_a_mail_in_doubt_comes_as_seldom_with_cron_as_with_the_daemon(world):
    queue(world, "a")
    smtp = FakeSmtp(a=Unknown("connection lost"))
    for _ in range(60):
        recover(world.desk)
        send_due(world.desk, smtp.connect)
        world.now += timedelta(minutes=1)
    assert len(smtp.taken) == 4, "at 0, 1, 6 and 21 minutes"


@pytest.mark.parametrize("before", [Deferred(451, "later"), Unknown("no answer")])
def test_a_second_try_that_was_cut_short_goes_out_a_minute_after_the_start_too(world, before):
    queue(world, "a")
    send_due(world.desk, FakeSmtp(a=before).connect)
    world.now += timedelta(minutes=1)
    with pytest.raises(Killed):
        send_due(world.desk, FakeSmtp(a=Killed()).connect)
    assert recover(world.desk) == 1
    world.now += timedelta(minutes=1)
    assert send_due(world.desk, FakeSmtp().connect) == 1


def test_a_mail_that_was_put_back_keeps_what_was_in_its_way(world):
    queue(world, "a", "b")
    send_due(world.desk, FakeSmtp(a=Deferred(451, "later"), b=Deferred(451, "later")).connect)
    world.now += timedelta(minutes=1)
    smtp = FakeSmtp()
    send_due(world.desk, smtp.connect, stopping=lambda: len(smtp.taken) == 1)
    assert [mail.error for mail in world.outbox()] == ["", "451 later"]


@contextmanager
def ledger_that_cannot_note(world, what):
    """A ledger that fails, as a full disk does, when a mail is to get this state."""

    def fail(_connection, _cursor, statement, parameters, *_):
        values = parameters.values() if isinstance(parameters, dict) else parameters
        if statement.startswith("UPDATE outbox") and what.value in values:
            raise sqlalchemy.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    sqlalchemy.event.listen(world.desk.engine, "before_cursor_execute", fail)
    yield
    sqlalchemy.event.remove(world.desk.engine, "before_cursor_execute", fail)


@pytest.mark.parametrize("count", [1, 100])
def test_what_was_taken_while_the_ledger_failed_never_goes_out_again(world, count):
    queue(world, *(f"p{number}" for number in range(count)))
    first, again, pace = FakeSmtp(), FakeSmtp(), Pace(1000)
    with ledger_that_cannot_note(world, OutboxState.SENT):
        for _ in range(2):
            with pytest.raises(sqlalchemy.exc.OperationalError):
                send_due(world.desk, first.connect, pace=pace)
            world.now += LEASE * 2
    assert 0 < len(first.taken) < 30, "while it fails no mail is begun"
    send_due(world.desk, again.connect, pace=pace)
    assert sorted(recipients(first) + recipients(again)) == sorted(f"p{number}@players.test" for number in range(count))
    assert set(states(world).values()) == {OutboxState.SENT}
    assert "had gone out while the ledger failed" in world.log("outbox")[0].detail


def test_who_is_about_to_end_has_patience_with_the_ledger(world):
    queue(world, "a")
    pace = Pace(1000)
    with ledger_that_cannot_note(world, OutboxState.SENT):
        with pytest.raises(sqlalchemy.exc.OperationalError):
            send_due(world.desk, FakeSmtp().connect, pace=pace)
        patient = threading.Thread(target=write_unwritten, args=(world.desk, pace, 120))
        patient.start()
        patient.join(0.2)
        assert patient.is_alive()
    patient.join(120)
    assert (one(world).state, pace.unwritten) == (OutboxState.SENT, [])


def test_with_several_connections_none_of_what_was_taken_is_forgotten(world):
    with_smtp(world, connections=4)
    queue(world, *(f"p{number}" for number in range(100)))
    first, again, pace = FakeSmtp(), FakeSmtp(), Pace(1000)
    with ledger_that_cannot_note(world, OutboxState.SENT), pytest.raises(sqlalchemy.exc.OperationalError):
        send_due(world.desk, first.connect, pace=pace)
    world.now += LEASE
    send_due(world.desk, again.connect, pace=pace)
    assert sorted(recipients(first) + recipients(again)) == sorted(f"p{number}@players.test" for number in range(100))


def test_a_mail_whose_end_no_process_remembers_goes_out_again(world):
    queue(world, "a")
    first, again = FakeSmtp(), FakeSmtp()
    with ledger_that_cannot_note(world, OutboxState.SENT), pytest.raises(sqlalchemy.exc.OperationalError):
        send_due(world.desk, first.connect)
    assert one(world).state is OutboxState.SENDING
    world.now += LEASE - timedelta(seconds=1)
    assert send_due(world.desk, again.connect) == 0, "it may be on its way"
    world.now += timedelta(seconds=1)
    assert send_due(world.desk, again.connect) == 1
    assert again.taken == first.taken
    assert one(world).state is OutboxState.SENT
    assert len(world.log("outbox")) == 1


def test_a_connection_that_cannot_be_made_again_leaves_a_mail_due_at_once(world):
    queue(world, "a")
    with pytest.raises(SmtpError):
        send_due(world.desk, FakeSmtp(a=SmtpError("gone")).connect)
    assert (one(world).next_try_at, one(world).tries) == (BEGIN, 0)


def test_recovering_touches_nothing_else(world):
    queue(world, "a", "b", "c")
    send_due(world.desk, FakeSmtp(b=Rejected(550, "no")).connect)
    before = states(world)
    assert recover(world.desk) == 0
    assert states(world) == before
    assert world.log("outbox") == []


def test_the_log_tells_no_text_and_no_address(world):
    queue(world, "secret-name")
    send_due(world.desk, FakeSmtp(**{"secret-name": Rejected(550, "secret-name is unknown")}).connect)
    assert all("secret-name" not in f"{line.seat} {line.detail}" for line in world.log())


def test_over_a_real_server_with_one_recipient_refused(world):
    class Handler:
        def __init__(self):
            self.envelopes = []

        async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
            if address.startswith("b@"):
                return "550 no such user"
            envelope.rcpt_tos.append(address)
            return "250 OK"

        async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
            self.envelopes.append(envelope)
            return "250 OK"

    handler = Handler()
    controller = OnAnyPort(handler, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        account = SmtpAccount(
            host="127.0.0.1", port=controller.port, tls="none", user=None, secret=None, timeout_seconds=60, ca_file=None
        )
        queue(world, "a", "b", "c")
        assert send_due(world.desk, lambda: Smtp(account)) == 2
    finally:
        controller.stop()
    assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.FAILED, "c": OutboxState.SENT}
    assert [envelope.rcpt_tos for envelope in handler.envelopes] == [["a@players.test"], ["c@players.test"]]
    assert [envelope.original_content for envelope in handler.envelopes] == [world.outbox()[0].raw, world.outbox()[2].raw]


# Pace: the ceiling, the limit of a domain, a domain that takes nothing, several connections


def queue_to(world, *addresses):
    with changing_games(world.desk) as work:
        for number, address in enumerate(addresses):
            mail_to(work, address, Draft("notice", f"notice {number} {address}", "a subject", "a text"))


def recipients(smtp):
    return [recipient for _, recipient, _ in smtp.taken]


def with_smtp(world, **changes):
    """The desk with these settings of [smtp]."""
    settings = world.desk.settings
    world.desk = replace(world.desk, settings=settings.model_copy(update={"smtp": settings.smtp.model_copy(update=changes)}))


class TestCeiling:
    """More mails in a minute than the settings allow: the rest waits, and the GM is told."""

    def flood(self, world, count=8):
        queue(world, *(f"p{number}" for number in range(count)))
        return FakeSmtp(), Pace(5)

    def test_the_rest_goes_out_when_the_minute_is_over(self, world):
        smtp, pace = self.flood(world)
        assert send_due(world.desk, smtp.connect, pace=pace) == 5
        assert send_due(world.desk, smtp.connect, pace=pace) == 0
        world.now += timedelta(minutes=1)
        assert send_due(world.desk, smtp.connect, pace=pace) == 4
        assert set(states(world).values()) == {OutboxState.SENT}
        assert {mail.tries for mail in world.outbox()} == {1}

    def test_it_is_in_the_log_once_and_the_alarm_goes_before_the_flood(self, world):
        smtp, pace = self.flood(world)
        for _ in range(3):
            send_due(world.desk, smtp.connect, pace=pace)
        assert len(world.log("ceiling")) == 1
        world.now += timedelta(minutes=1)
        send_due(world.desk, smtp.connect, pace=pace)
        assert recipients(smtp)[5] == "gm@pbmd.test"

    def test_the_game_master_gets_one_mail_an_hour(self, world):
        smtp, pace = self.flood(world, 100)
        for _ in range(15):
            send_due(world.desk, smtp.connect, pace=pace)
            world.now += timedelta(minutes=1)
        assert len(world.outbox("alarm")) == 1

    def test_no_server_is_asked_while_the_minute_lasts(self, world):
        smtp, pace = self.flood(world)
        send_due(world.desk, smtp.connect, pace=pace)
        send_due(world.desk, smtp.connect, pace=pace)
        assert smtp.connections == 1

    def test_a_connection_that_fails_uses_up_nothing(self, world):
        smtp, pace = self.flood(world, 10)
        with pytest.raises(SmtpError):
            send_due(world.desk, no_server, pace=pace)
        world.now += timedelta(seconds=2)
        assert send_due(world.desk, smtp.connect, pace=pace) == 5

    def test_exactly_as_many_as_allowed_alarm_nobody(self, world):
        smtp, pace = self.flood(world, 5)
        send_due(world.desk, smtp.connect, pace=pace)
        send_due(world.desk, smtp.connect, pace=pace)
        assert world.log("ceiling") == []


class TestDomains:
    """What one domain wants or does is no other's trouble."""

    def test_a_domains_limit_holds_up_no_other(self, world):
        queue_to(world, *(f"p{number}@slow.test" for number in range(5)), "a@other.test")
        smtp, pace = FakeSmtp(), Pace(1000, 2)
        assert send_due(world.desk, smtp.connect, pace=pace) == 3
        assert recipients(smtp) == ["p0@slow.test", "p1@slow.test", "a@other.test"]
        world.now += timedelta(minutes=1)
        send_due(world.desk, smtp.connect, pace=pace)
        world.now += timedelta(minutes=1)
        send_due(world.desk, smtp.connect, pace=pace)
        assert [each for each in recipients(smtp) if "slow" in each] == [f"p{number}@slow.test" for number in range(5)]

    def test_the_limit_is_kept_for_more_mails_than_are_taken_at_once(self, world):
        queue_to(world, *(f"p{number}@slow.test" for number in range(250)), "a@other.test")
        smtp = FakeSmtp()
        assert send_due(world.desk, smtp.connect, pace=Pace(1000, 2)) == 3
        assert recipients(smtp)[-1] == "a@other.test"

    def test_a_domain_that_takes_nothing_costs_three_tries(self, world):
        later = {f"p{number}": Deferred(0, "timed out") for number in range(50)}
        queue_to(world, *(f"p{number}@dead.test" for number in range(50)), "a@other.test")
        smtp, pace = FakeSmtp(**later), Pace(1000)
        assert send_due(world.desk, smtp.connect, pace=pace) == 1
        assert len(smtp.taken) == 4
        assert sorted({mail.tries for mail in world.outbox()}) == [0, 1]
        world.now += timedelta(minutes=1)
        send_due(world.desk, smtp.connect, pace=pace)
        assert len(smtp.taken) == 5, "after a rest one mail tries"

    def test_when_it_takes_mail_again_all_of_it_goes_out(self, world):
        queue_to(world, *(f"p{number}@dead.test" for number in range(50)))
        pace = Pace(1000)
        send_due(world.desk, FakeSmtp(**{f"p{number}": Deferred(451, "later") for number in range(50)}).connect, pace=pace)
        for _ in range(10):
            world.now += timedelta(minutes=1)
            send_due(world.desk, FakeSmtp().connect, pace=pace)
        assert {mail.state for mail in world.outbox()} == {OutboxState.SENT}

    def test_the_log_says_of_each_mail_in_doubt_that_it_is_sent_again(self, world):
        queue_to(world, "p0@slow.test", "p1@slow.test")
        in_doubt = {name: Unknown("connection lost") for name in ("p0", "p1")}
        send_due(world.desk, FakeSmtp(**in_doubt).connect, pace=Pace(1000))
        pace = Pace(1000, 1)
        for number in (1, 2):
            world.now += timedelta(minutes=1)
            assert send_due(world.desk, FakeSmtp().connect, pace=pace) == 1
            told = [line.detail for line in world.log("outbox")]
            assert told == [f"mail {each} may or may not have gone out; it is sent again" for each in range(1, number + 1)]


class Slow(FakeSmtp):
    """A server that waits with mail to slow.test until all other mail has come."""

    def __init__(self, others):
        super().__init__()
        self.others, self.lock, self.at_once, self.most = others, threading.Lock(), 0, 0
        self.done = threading.Event()

    def send(self, envelope_from, recipient, raw, otherwise):
        with self.lock:
            self.at_once += 1
            self.most = max(self.most, self.at_once)
        slow = recipient.endswith("@slow.test")
        came = self.done.wait(120) if slow else True
        with self.lock:
            self.at_once -= 1
            super().send(envelope_from, recipient, raw, otherwise)
            if len([each for each in recipients(self) if "slow" not in each]) == self.others:
                self.done.set()
        return Sent() if came else Deferred(451, "the others did not come")


class TestConnections:
    """Several connections at once."""

    def test_every_mail_goes_out_once(self, world):
        with_smtp(world, connections=4)
        queue(world, *(f"p{number}" for number in range(250)))
        smtp = FakeSmtp()
        assert send_due(world.desk, smtp.connect) == 250
        assert sorted(recipients(smtp)) == sorted(f"p{number}@players.test" for number in range(250))
        assert smtp.connections == 4
        assert set(states(world).values()) == {OutboxState.SENT}

    def test_a_slow_domain_never_has_them_all(self, world):
        with_smtp(world, connections=3)
        queue_to(world, *(f"p{number}@slow.test" for number in range(5)), *(f"p{number}@other.test" for number in range(20)))
        smtp = Slow(others=20)
        assert send_due(world.desk, smtp.connect) == 25
        assert smtp.most == 3

    def test_no_more_than_there_are_mails(self, world):
        with_smtp(world, connections=4)
        queue(world, "a", "b")
        smtp = FakeSmtp()
        send_due(world.desk, smtp.connect)
        assert smtp.connections == 2

    def test_a_server_that_wants_fewer_gets_fewer(self, world):
        with_smtp(world, connections=4)
        queue(world, *(f"p{number}" for number in range(50)))
        smtp, lock, first = FakeSmtp(), threading.Lock(), []

        @contextmanager
        def connect():
            with lock:
                first.append(1)
                if len(first) > 1:
                    raise SmtpError("421 too many connections")
            yield smtp

        assert send_due(world.desk, connect) == 50

    def test_a_ledger_that_fails_ends_them_all(self, world):
        with_smtp(world, connections=3)
        queue(world, *(f"p{number}" for number in range(250)))
        with ledger_that_cannot_note(world, OutboxState.SENT), pytest.raises(sqlalchemy.exc.OperationalError):
            send_due(world.desk, FakeSmtp().connect)
        assert OutboxState.SENT not in states(world).values()
        assert list(states(world).values()).count(OutboxState.QUEUED) > 100, "what was not handed over is due"


def test_mails_that_come_while_the_next_is_picked_out_disturb_nothing(world, monkeypatch):
    def parcel(number, recipient):
        return Parcel(number, recipient, "", b"", 1, BEGIN, BEGIN, "", "notice", None, None)

    class Interrupted(int):
        """The number of a mail at whose comparison the thread that fetches more has its turn."""

        def __eq__(self, other):
            round_.begin()
            return int(self) == other

        __hash__ = int.__hash__

    slow = [parcel(Interrupted(1), "a@slow.test"), parcel(Interrupted(2), "b@slow.test")]
    come = [slow, [parcel(3, "c@other.test")], [parcel(4, "d@third.test")]]
    monkeypatch.setattr(sender, "take", lambda *_: come.pop(0) if come else [])
    pace = Pace(1000)
    round_ = _Round(world.desk, _Notes(world.desk, pace), pace, lambda: False)
    round_.begin()
    assert [round_._next().id for _ in range(3)] == [1, 3, 4]


def test_a_mail_that_waited_too_long_for_its_connection_is_put_back_and_not_begun(world):
    """Else it could be taken up a second time while the first is on the line."""
    queue(world, "a", "b", "c")

    class Slow(FakeSmtp):
        def send(self, *mail):
            world.now += lease(world.desk) / 2 + timedelta(seconds=1)
            return super().send(*mail)

    smtp = Slow()
    assert sum(send_due(world.desk, smtp.connect) for _ in range(4)) == 3
    assert recipients(smtp) == ["a@players.test", "b@players.test", "c@players.test"]
    assert {mail.tries for mail in world.outbox()} == {1}
    assert world.log("outbox") == []


def test_the_lease_is_long_enough_for_a_patient_desk(world):
    assert lease(world.desk) == LEASE
    with_smtp(world, timeout_seconds=300)
    assert lease(world.desk) == 20 * timedelta(seconds=300)


class TestHeld:
    """The GM's word counts."""

    def test_what_is_held_is_not_sent(self, world):
        queue(world, "a", "b")
        with changing_games(world.desk) as work:
            outbox.hold(work, 1)
        smtp = FakeSmtp()
        assert send_due(world.desk, smtp.connect) == 1
        assert states(world) == {"a": OutboxState.HELD, "b": OutboxState.SENT}
        with changing_games(world.desk) as work:
            outbox.retry(work, 1)
        assert send_due(world.desk, smtp.connect) == 1

    @pytest.mark.parametrize("act", [outbox.hold, outbox.drop, outbox.retry])
    def test_nothing_is_promised_of_a_mail_that_is_on_the_line(self, world, act):
        queue(world, "a")

        class Meanwhile(FakeSmtp):
            def send(self, *mail):
                with pytest.raises(Refused), changing_games(world.desk) as work:
                    act(work, 1)
                return super().send(*mail)

        assert send_due(world.desk, Meanwhile().connect) == 1
        assert one(world).state is OutboxState.SENT

    def test_a_mail_in_doubt_that_is_held_is_not_sent_again(self, world):
        queue(world, "a")
        send_due(world.desk, FakeSmtp(a=Unknown("no answer")).connect)
        with changing_games(world.desk) as work:
            outbox.hold(work, 1)
        world.now += timedelta(days=1)
        assert send_due(world.desk, FakeSmtp().connect) == 0


class TestSenderRefused:
    """The server wants no mail of ours for now, whoever it is for."""

    LIMIT = Deferred(550, "5.4.5 Daily user sending limit exceeded for <games@pbmd.test>", about_us=True)

    def refuse(self, world, count=10):
        queue(world, *(f"p{number}" for number in range(count)))
        smtp = FakeSmtp(p0=self.LIMIT)
        with pytest.raises(SenderRefused, match=r"550 5\.4\.5 Daily"):
            send_due(world.desk, smtp.connect)
        return smtp

    def test_one_mail_is_tried_and_none_is_given_up(self, world):
        assert recipients(self.refuse(world)) == ["p0@players.test"]
        notices = world.outbox("notice")
        assert {mail.state for mail in notices} == {OutboxState.QUEUED}
        assert [mail.tries for mail in notices] == [1] + [0] * 9
        assert {mail.error.partition(" for ")[0] for mail in notices} == {"550 5.4.5 Daily user sending limit exceeded"}

    def test_all_goes_out_once_the_server_takes_mail_again(self, world):
        self.refuse(world)
        world.now += timedelta(minutes=1)
        assert send_due(world.desk, FakeSmtp().connect) == 11, "and the alarm"

    def test_the_game_master_gets_one_mail_a_day_without_an_address(self, world):
        self.refuse(world)
        for _ in range(3):
            world.now += timedelta(minutes=15)
            with pytest.raises(SenderRefused):
                send_due(world.desk, FakeSmtp(**{f"p{n}": self.LIMIT for n in range(10)}).connect)
        (alarm,) = world.outbox("alarm")
        assert "Daily user sending limit exceeded" in body_of(alarm)
        assert "games@pbmd.test" not in body_of(alarm).partition("\n-- ")[0]

    def test_no_domain_rests_for_it(self, world):
        queue(world, *(f"p{number}" for number in range(5)))
        pace = Pace(1000)
        for number in range(3):
            with pytest.raises(SenderRefused):
                send_due(world.desk, FakeSmtp(**{f"p{number}": self.LIMIT}).connect, pace=pace)
        assert pace.waits_until("players.test", world.now) is None

    def test_further_connections_end_as_well(self, world):
        with_smtp(world, connections=3)
        queue(world, *(f"p{number}" for number in range(100)))
        smtp = FakeSmtp(**{f"p{number}": self.LIMIT for number in range(100)})
        with pytest.raises(SenderRefused):
            send_due(world.desk, smtp.connect)
        assert len(smtp.taken) <= 3


def test_a_server_without_the_null_return_path_is_told_of_once(world):
    with_smtp(world, null_return_path=True)
    world.count()
    world.send("Altair", "STATUS")
    world.send("Borealis", "STATUS")

    class Refuses(FakeSmtp):
        def send(self, envelope_from, recipient, raw, otherwise):
            self.null_refused = self.null_refused or not envelope_from
            return super().send(envelope_from or otherwise, recipient, raw, otherwise)

    smtp, pace = Refuses(), Pace(1000)
    send_due(world.desk, smtp.connect, pace=pace)
    assert {sender for sender, _, _ in smtp.taken} == {ADDRESS}
    (line,) = world.log("outbox")
    assert "refuses the empty return path" in line.detail
    assert pace.null_refused


def test_what_was_taken_is_not_forgotten_when_the_log_cannot_have_that_the_null_return_path_is_refused(world):
    queue(world, "a")

    class Refuses(FakeSmtp):
        def send(self, *mail):
            self.null_refused = True
            return super().send(*mail)

    def fail(_connection, _cursor, statement, *_):
        if statement.startswith("INSERT INTO log "):
            raise sqlalchemy.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    smtp, pace = Refuses(), Pace(1000)
    sqlalchemy.event.listen(world.desk.engine, "before_cursor_execute", fail)
    with pytest.raises(sqlalchemy.exc.OperationalError):
        send_due(world.desk, smtp.connect, pace=pace)
    sqlalchemy.event.remove(world.desk.engine, "before_cursor_execute", fail)
    world.now += LEASE * 2
    assert send_due(world.desk, smtp.connect, pace=pace) == 0
    assert len(smtp.taken) == 1
    assert one(world).state is OutboxState.SENT


def test_after_a_crash_only_what_was_not_written_down_goes_out_again(world):
    """A thousand mails, and the process ends somewhere: every mail arrives, and next to none twice."""
    queue(world, *(f"p{number}" for number in range(300)))

    class Dies(FakeSmtp):
        def send(self, *mail):
            if len(self.taken) == 137:
                raise Killed
            return super().send(*mail)

    died, again = Dies(), FakeSmtp()
    with pytest.raises(Killed):
        send_due(world.desk, died.connect)
    recover(world.desk)
    world.now += timedelta(minutes=1)
    send_due(world.desk, again.connect)
    assert {*recipients(died), *recipients(again)} == {f"p{number}@players.test" for number in range(300)}
    assert set(states(world).values()) == {OutboxState.SENT}
    assert len(again.taken) + len(died.taken) == 300


@pytest.mark.parametrize("again", [False, True])
def test_mail_does_not_wait_for_the_hour_of_a_clock_that_was_ahead(world, again):
    world.now += timedelta(days=30)
    world.count(digest="off")
    smtp, pace = FakeSmtp(altair=Deferred(451, "later")), new_pace(world.desk)
    assert send_due(world.desk, smtp.connect, pace=pace) == 2
    world.send("Altair", "STATUS")
    world.now -= timedelta(days=30)
    assert send_due(world.desk, FakeSmtp().connect, pace=new_pace(world.desk) if again else pace) == 2
    assert "2 mails" in world.log("outbox")[-1].detail


def test_after_a_smaller_step_new_mail_goes_out_and_what_was_refused_keeps_its_time(world):
    world.count()
    world.now += timedelta(hours=1)
    pace = new_pace(world.desk)
    send_due(world.desk, FakeSmtp(altair=Deferred(451, "later")).connect, pace=pace)
    world.send("Altair", "STATUS")
    world.now -= timedelta(hours=1)
    assert send_due(world.desk, FakeSmtp().connect, pace=pace) == 1


def test_a_clock_that_jumps_past_the_lease_of_a_mail_on_the_line_does_not_send_it_twice(world):
    class Jump(FakeSmtp):
        def send(self, envelope_from, recipient, raw, _otherwise=""):
            world.now += 3 * lease(world.desk)
            return super().send(envelope_from, recipient, raw)

    queue(world, "a", "b", "c")
    smtp = Jump()
    for _ in range(5):
        send_due(world.desk, smtp.connect)
    assert sorted(recipients(smtp)) == [f"{name}@players.test" for name in "abc"]
    assert set(states(world).values()) == {OutboxState.SENT}

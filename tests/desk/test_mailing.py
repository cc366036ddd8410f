"""The outbox on its way: every mail reaches a state, none is lost by a crash, and trouble is in the log."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
import sqlalchemy
from aiosmtpd.controller import Controller

from pbmd.desk.mailing import LEASE, recover, send_due
from pbmd.desk.mails import Draft, mail_to
from pbmd.desk.work import Work
from pbmd.ledger.tables import OutboxState
from pbmd.post.accounts import SmtpAccount
from pbmd.post.smtp import Deferred, Rejected, Sent, Smtp, SmtpError, Unknown
from tests.desk.world import BEGIN


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

    def send(self, envelope_from, recipient, raw, otherwise):
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
    with Work(world.desk) as work:
        for name in names:
            mail_to(work, f"{name}@players.test", Draft("notice", f"notice {name}", "a subject", f"Dear {name}"))


def states(world):
    return {mail.recipient.partition("@")[0]: mail.state for mail in world.outbox()}


def one(world):
    (mail,) = world.outbox()
    return mail


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


def test_no_server_leaves_all_mail_due(world):
    @contextmanager
    def connect():
        raise SmtpError("refused")
        yield

    queue(world, "a", "b")
    with pytest.raises(SmtpError):
        send_due(world.desk, connect)
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


@contextmanager
def ledger_that_cannot_note(world, what):
    """A ledger that fails, as a full disk does, when a mail is to get this state."""

    def fail(_connection, _cursor, statement, parameters, *_):
        if statement.startswith("UPDATE outbox") and what.value in parameters:
            raise sqlalchemy.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    sqlalchemy.event.listen(world.desk.engine, "before_cursor_execute", fail)
    yield
    sqlalchemy.event.remove(world.desk.engine, "before_cursor_execute", fail)


def test_a_mail_whose_end_could_not_be_written_down_goes_out_again_without_a_restart(world):
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
            host="127.0.0.1", port=controller.port, tls="none", user=None, secret=None, timeout_seconds=10, ca_file=None
        )
        queue(world, "a", "b", "c")
        assert send_due(world.desk, lambda: Smtp(account)) == 2
    finally:
        controller.stop()
    assert states(world) == {"a": OutboxState.SENT, "b": OutboxState.FAILED, "c": OutboxState.SENT}
    assert [envelope.rcpt_tos for envelope in handler.envelopes] == [["a@players.test"], ["c@players.test"]]
    assert [envelope.original_content for envelope in handler.envelopes] == [world.outbox()[0].raw, world.outbox()[2].raw]

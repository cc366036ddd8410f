"""Sending: what becomes of a mail is told apart by when, and how, the server said no or went away."""

import base64
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from pbmd.post.accounts import Secret, SmtpAccount
from pbmd.post.smtp.client import Deferred, Rejected, Sent, Smtp, SmtpError, Unknown, retry_delay
from pbmd.post.smtp.kept_connection import KeptSmtp

MAIL = b"Subject: a\r\n\r\n.one dot\r\n..two\r\nlast line\r\n"


class Handler:
    """Takes mail, or answers each recipient's local part with what `rcpt` and `data` say for it."""

    def __init__(self, rcpt=None, data=None):
        self.rcpt, self.data, self.taken, self.peers = rcpt or {}, data or {}, [], set()

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802 - aiosmtpd's name
        if answer := self.rcpt.get(address.partition("@")[0]):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - aiosmtpd's name
        self.peers.add(session.peer)
        if answer := self.data.get(envelope.rcpt_tos[0].partition("@")[0]):
            if answer == "drop":
                server.transport.close()
                return "250 too late"
            return answer
        self.taken.append((envelope.mail_from, envelope.rcpt_tos[0], envelope.content))
        return "250 OK"


class OnAnyPort(Controller):
    """An SMTP server on a port that is free."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def serving(handler: object, **options: object) -> Iterator[SmtpAccount]:
    controller = OnAnyPort(handler, hostname="127.0.0.1", port=0, **options)
    controller.start()
    try:
        yield SmtpAccount(host="127.0.0.1", port=controller.port, tls="none", timeout_seconds=30)
    finally:
        controller.stop()


def test_many_mails_go_over_one_connection_byte_for_byte():
    handler = Handler()
    with serving(handler) as account, Smtp(account) as smtp:
        results = [smtp.send("gm@pbmd.test", f"p{n}@players.test", MAIL) for n in range(3)]
    assert results == [Sent()] * 3
    assert handler.taken == [("gm@pbmd.test", f"p{n}@players.test", MAIL) for n in range(3)]
    assert len(handler.peers) == 1


def test_no_piece_of_a_mail_waits_for_the_one_before_to_be_confirmed(monkeypatch):
    made = []
    connect = socket.create_connection
    monkeypatch.setattr(socket, "create_connection", lambda *place, **more: made.append(connect(*place, **more)) or made[-1])
    with serving(Handler()) as account, Smtp(account):
        assert [each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in made[-1:]] == [1]


def test_an_empty_sender_is_the_null_return_path():
    handler = Handler()
    with serving(handler) as account, Smtp(account) as smtp:
        assert smtp.send("", "ada@players.test", MAIL) == Sent()
    assert handler.taken[0][0] in ("", "<>")


def test_a_kept_connection_serves_again_until_it_has_rested_too_long():
    handler = Handler()
    with serving(handler) as account:
        kept = KeptSmtp(account)
        for number in range(2):
            with kept.connection() as smtp:
                assert smtp.send("gm@pbmd.test", f"p{number}@players.test", MAIL) == Sent()
            kept.rest()
        assert len(handler.peers) == 1
        kept.rest(longest_seconds=0)
        with kept.connection() as smtp:
            assert smtp.send("gm@pbmd.test", "p2@players.test", MAIL) == Sent()
        kept.rest(longest_seconds=0)
    assert len(handler.peers) == 2


def test_a_kept_connection_that_the_server_has_ended_is_made_again():
    handler = Handler()
    with serving(handler) as account:
        kept = KeptSmtp(account)
        with kept.connection() as smtp:
            assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Sent()
            assert smtp._server is not None
            smtp._server.sock.shutdown(socket.SHUT_RDWR)
        with kept.connection() as smtp:
            assert smtp.send("gm@pbmd.test", "bob@players.test", MAIL) == Sent()
        kept.rest(longest_seconds=0)
    assert [recipient for _, recipient, _ in handler.taken] == ["ada@players.test", "bob@players.test"]


def fail_with(kept):
    with kept.connection():
        raise RuntimeError


def test_while_a_kept_connection_is_in_use_others_get_their_own_and_after_trouble_it_is_not_kept():
    handler = Handler()
    with serving(handler) as account:
        kept = KeptSmtp(account)
        with kept.connection() as first, kept.connection() as second:
            assert first is not second
            assert second.send("gm@pbmd.test", "ada@players.test", MAIL) == Sent()
        with pytest.raises(RuntimeError):
            fail_with(kept)
        with kept.connection() as smtp:
            assert smtp is not first
        kept.rest(longest_seconds=0)


@pytest.mark.parametrize("step", ["rcpt", "data"])
@pytest.mark.parametrize(
    ("answer", "result"),
    [("451 come back later", Deferred(451, "come back later")), ("550 nobody here", Rejected(550, "nobody here"))],
)
def test_a_refusal_is_told_with_its_code_and_the_next_mail_goes_through(step, answer, result):
    handler = Handler(**{step: {"bad": answer}})
    with serving(handler) as account, Smtp(account) as smtp:
        assert smtp.send("gm@pbmd.test", "bad@players.test", MAIL) == result
        assert smtp.send("gm@pbmd.test", "good@players.test", MAIL) == Sent()
    assert [recipient for _, recipient, _ in handler.taken] == ["good@players.test"]


def test_a_connection_lost_after_the_mail_leaves_it_unknown_and_the_next_mail_gets_a_new_one():
    handler = Handler(data={"lost": "drop"})
    with serving(handler) as account, Smtp(account) as smtp:
        assert isinstance(smtp.send("gm@pbmd.test", "lost@players.test", MAIL), Unknown)
        assert smtp.send("gm@pbmd.test", "good@players.test", MAIL) == Sent()


class ScriptedServer:
    """One thread that answers each line of a client as the script for that connection says; None hangs up."""

    def __init__(self, *scripts: dict[bytes, bytes | None], timeout_seconds: float = 60) -> None:
        self.scripts, self.seen = scripts, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        self.account = SmtpAccount(host="127.0.0.1", port=port, tls="none", timeout_seconds=timeout_seconds)
        self.thread = threading.Thread(target=self._serve)

    def __enter__(self) -> "ScriptedServer":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.join(60)
        self.listener.close()

    def _serve(self) -> None:
        for script in self.scripts:
            client, _ = self.listener.accept()
            with suppress(ConnectionError), client, client.makefile("rwb") as stream:  # who is cut off in a reply
                stream.write(b"220 hello\r\n")
                stream.flush()
                for line in stream:
                    self.seen.append(line)
                    answer = next((answer for start, answer in script.items() if line.lower().startswith(start)), b"")
                    if answer is None:
                        break
                    if answer:
                        stream.write(answer + b"\r\n")
                        stream.flush()


WELL = {
    b"ehlo": b"250 ok",
    b"mail": b"250 ok",
    b"rcpt": b"250 ok",
    b"data": b"354 go",
    b".\r\n": b"250 ok",
    b"rset": b"250 ok",
    b"quit": None,
}


def scripted(**changes: bytes | None) -> dict[bytes, bytes | None]:
    return {**WELL, **{name.encode(): answer for name, answer in changes.items()}}


@pytest.mark.parametrize("step", ["mail", "rcpt", "data"])
def test_a_connection_lost_before_the_mail_was_handed_over_defers_it(step):
    with ScriptedServer(scripted(**{step: None})) as server, Smtp(server.account) as smtp:
        result = smtp.send("gm@pbmd.test", "ada@players.test", MAIL)
    assert isinstance(result, Deferred)
    assert result.code == 0


def test_a_mail_without_an_answer_in_time_is_unknown():
    silent = {**WELL, b".\r\n": b""}
    with ScriptedServer(silent, timeout_seconds=1) as server, Smtp(server.account) as smtp:
        assert isinstance(smtp.send("gm@pbmd.test", "ada@players.test", MAIL), Unknown)


def test_a_connection_that_the_server_closed_between_two_mails_is_made_again():
    class ClosesAfterOne(Handler):
        async def handle_DATA(self, server, session, envelope):  # noqa: N802 - aiosmtpd's name
            answer = await super().handle_DATA(server, session, envelope)
            server.loop.call_later(0.02, server.transport.close)
            return answer

    handler = ClosesAfterOne()
    with serving(handler) as account, Smtp(account) as smtp:
        assert smtp.send("gm@pbmd.test", "a@players.test", MAIL) == Sent()
        assert smtp._server is not None
        assert select.select([smtp._server.sock], [], [], 60)[0], "the server has closed it"
        assert smtp.send("gm@pbmd.test", "b@players.test", MAIL) == Sent()
    assert len(handler.peers) == 2


def test_a_server_that_ends_the_session_defers_the_mail():
    with ScriptedServer(scripted(mail=b"421 shutting down")) as server, Smtp(server.account) as smtp:
        assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Deferred(0, "shutting down")


def test_an_address_that_smtp_cannot_carry_is_rejected_and_injects_no_command():
    handler = Handler()
    with serving(handler) as account, Smtp(account) as smtp:
        for recipient in ("ädä@players.test", "a@b.test>\r\nRCPT TO:<victim@c.test"):
            assert isinstance(smtp.send("gm@pbmd.test", recipient, MAIL), Rejected)
        assert smtp.send("gm@pbmd.test", "good@players.test", MAIL) == Sent()
    assert [recipient for _, recipient, _ in handler.taken] == ["good@players.test"]


def test_no_server_is_an_error_that_names_it():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(SmtpError, match=f"127.0.0.1:{port}"):
        Smtp(SmtpAccount(host="127.0.0.1", port=port, tls="none", timeout_seconds=2)).__enter__()


def test_a_token_is_shown_as_xoauth2():
    script = {**WELL, b"ehlo": b"250-ok\r\n250 AUTH XOAUTH2", b"auth": b"235 welcome"}
    with ScriptedServer(script) as server:
        account = SmtpAccount(
            host="127.0.0.1",
            port=server.account.port,
            tls="none",
            user="gm",
            secret=Secret.token_from_command(["printf", "t0ken"]),
            timeout_seconds=60,
        )
        with Smtp(account) as smtp:
            assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Sent()
    (login,) = [line for line in server.seen if line.lower().startswith(b"auth")]
    assert base64.b64decode(login.split()[2]) == b"user=gm\x01auth=Bearer t0ken\x01\x01"


def test_a_refused_password_is_an_error_without_the_password():
    def refuse(server, session, envelope, mechanism, data):
        return AuthResult(success=False, handled=False)

    options = {"authenticator": refuse, "auth_require_tls": False}
    with serving(Handler(), **options) as account:
        known = SmtpAccount(
            host=account.host, port=account.port, tls="none", user="gm", secret=Secret.literal("sesame-7"), timeout_seconds=60
        )
        with pytest.raises(SmtpError) as caught:
            Smtp(known).__enter__()
    assert "sesame-7" not in str(caught.value)
    assert "535" in str(caught.value)


def test_the_waits_grow_and_end_after_five_days():
    waits = []
    while (delay := retry_delay(len(waits) + 1, Deferred(451, ""))) is not None:
        waits.append(delay)
    assert waits[:4] == [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60)]
    assert waits == sorted(waits)
    assert timedelta(days=4, hours=12) <= sum(waits, timedelta()) <= timedelta(days=5, hours=1)


def test_a_rejected_mail_is_never_tried_again():
    assert retry_delay(1, Rejected(550, "")) is None
    assert retry_delay(1, Unknown("")) == timedelta(minutes=1)


PIPELINING = b"250-ok\r\n250 PIPELINING"


def commands(server: ScriptedServer) -> list[bytes]:
    return [
        line.split(b":")[0].strip().upper() for line in server.seen if line[:4].upper() in (b"MAIL", b"RCPT", b"DATA", b"RSET")
    ]


def test_a_server_that_can_gets_mail_rcpt_and_data_at_once():
    class Announces(Handler):
        async def handle_EHLO(self, _server, session, _envelope, hostname, responses):  # noqa: N802 - aiosmtpd's name
            session.host_name = hostname
            return [*responses[:-1], "250-PIPELINING", responses[-1]]

    handler = Announces()
    with serving(handler) as account, Smtp(account) as smtp:
        results = [smtp.send("gm@pbmd.test", f"p{n}@players.test", MAIL) for n in range(3)]
    assert results == [Sent()] * 3
    assert handler.taken == [("gm@pbmd.test", f"p{n}@players.test", MAIL) for n in range(3)]


@pytest.mark.parametrize(
    ("replies", "result"),
    [
        ({"rcpt": b"550 nobody", "data": b"554 no recipients"}, Rejected(550, "nobody")),
        ({"rcpt": b"450 later", "data": b"503 no recipients"}, Deferred(450, "later")),
        ({"mail": b"451 later", "rcpt": b"503 no mail", "data": b"503 no mail"}, Deferred(451, "later")),
        ({"data": b"452 full"}, Deferred(452, "full")),
    ],
)
def test_a_refusal_of_commands_sent_at_once_is_that_of_the_first(replies, result):
    with ScriptedServer(scripted(ehlo=PIPELINING, **replies)) as server, Smtp(server.account) as smtp:
        assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == result
    assert commands(server) == [b"MAIL FROM", b"RCPT TO", b"DATA", b"RSET"]
    assert b"last line\r\n" not in server.seen


def test_a_server_that_wants_a_mail_to_nobody_gets_an_empty_one():
    script = scripted(ehlo=PIPELINING, rcpt=b"550 nobody", data=b"354 go on", **{".\r\n": b"554 no recipients"})
    with ScriptedServer(script) as server, Smtp(server.account) as smtp:
        assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Rejected(550, "nobody")
    assert b".\r\n" in server.seen
    assert b"last line\r\n" not in server.seen


@pytest.mark.parametrize("step", ["mail", "rcpt", "data"])
def test_a_connection_lost_while_commands_are_answered_at_once_defers_the_mail(step):
    with ScriptedServer(scripted(ehlo=PIPELINING, **{step: None})) as server, Smtp(server.account) as smtp:
        assert isinstance(smtp.send("gm@pbmd.test", "ada@players.test", MAIL), Deferred)


@contextmanager
def dripping(first: bytes) -> Iterator[SmtpAccount]:
    """A server that says this and then drips a line that never ends; each read is well within the time limit."""
    ends = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        client, _ = listener.accept()
        with client, suppress(OSError):  # cut, as is wanted
            client.sendall(first)
            while not ends.wait(0.05):
                client.sendall(b"220-still thinking\r\n")

    thread = threading.Thread(target=serve)
    thread.start()
    yield SmtpAccount(host="127.0.0.1", port=listener.getsockname()[1], tls="none", timeout_seconds=0.5)
    ends.set()
    thread.join(60)
    listener.close()


class TestDeadline:
    """A server that drips its answers holds up nobody for ever."""

    def test_of_a_connection(self):
        with dripping(b"") as account, pytest.raises(SmtpError, match="no answer in time"):
            Smtp(account).__enter__()

    def test_of_its_name(self):
        with dripping(b"220 hello\r\n") as account, pytest.raises(SmtpError, match="no answer in time"):
            Smtp(account).__enter__()

    def test_of_a_mail(self):
        with dripping(b"220 hello\r\n250 ok\r\n") as account, Smtp(account) as smtp:
            assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Deferred(0, "no answer in time")

    def test_of_the_last_answer(self):
        replies = b"220 hello\r\n250 ok\r\n250 ok\r\n250 ok\r\n354 go\r\n"
        with dripping(replies) as account, Smtp(account) as smtp:
            assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Unknown("no answer in time")

    def test_of_the_goodbye(self):
        with dripping(b"220 hello\r\n250 ok\r\n") as account, Smtp(account):
            pass


@pytest.mark.parametrize("step", [b"ehlo", b"mail", b"."])
def test_a_reply_without_an_end_is_read_no_further(step):
    with ScriptedServer(WELL | {step: b"250-more\r\n" * 1_000_000}, timeout_seconds=120) as server:
        try:
            with Smtp(server.account) as smtp:
                result = smtp.send("gm@pbmd.test", "ada@players.test", MAIL)
        except SmtpError as problem:
            result = problem
    assert "a reply of more than 100,000 bytes" in str(result)


class TestAboutUs:
    """A refusal for good of the sender is one for now: the mail is well, and so is its recipient."""

    @pytest.mark.parametrize("ehlo", [b"250 ok", PIPELINING])
    def test_of_the_senders_address(self, ehlo):
        script = scripted(ehlo=ehlo, mail=b"553 5.7.1 not owned by user", rcpt=b"503 no mail", data=b"503 no mail")
        with ScriptedServer(script) as server, Smtp(server.account) as smtp:
            result = smtp.send("gm@pbmd.test", "ada@players.test", MAIL)
        assert result == Deferred(553, "5.7.1 not owned by user", about_us=True)

    @pytest.mark.parametrize("step", ["rcpt", "data"])
    @pytest.mark.parametrize(
        "answer",
        [
            "550 5.4.5 Daily user sending limit exceeded. For more information",
            "550 5.7.232 Your message can't be sent because your trial tenant has exceeded its daily limit",
            "550 5.7.233 Your message can't be sent because your tenant has exceeded its daily limit",
            "550 5.1.8 Access denied, bad outbound sender AS(42004)",
            "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
            "550 5.2.252 SendAsDenied",
            "553 5.7.1 <games@pbmd.test>: Sender address rejected: not owned by user",
            "550 Outgoing quota exceeded",
            "554 you have exceeded the hourly limit",
            "530 5.7.0 Authentication required",
        ],
    )
    def test_of_its_limits(self, step, answer):
        with serving(Handler(**{step: {"ada": answer}})) as account, Smtp(account) as smtp:
            result = smtp.send("gm@pbmd.test", "ada@players.test", MAIL)
        assert result == Deferred(int(answer[:3]), answer[4:], about_us=True)

    @pytest.mark.parametrize(
        "answer",
        [
            "550 5.1.1 no such user",
            "552 5.2.2 mailbox quota exceeded",
            "552 5.2.2 daily quota of this mailbox exceeded",
            "550 <daily-limit-exceeded@players.test>: unknown",
            "550 daily-limit-exceeded@players.test unknown",
            "552 5.3.4 message size exceeds limit",
            "550 5.4.50 no route",
        ],
    )
    def test_of_the_recipient_or_the_mail_is_for_good(self, answer):
        with serving(Handler(rcpt={"ada": answer})) as account, Smtp(account) as smtp:
            assert smtp.send("gm@pbmd.test", "ada@players.test", MAIL) == Rejected(int(answer[:3]), answer[4:])


class TestNullReturnPath:
    """Answers go out without a return path where the server lets them."""

    class Choosy(Handler):
        """Takes no mail without a return path."""

        def __init__(self, answer):
            super().__init__()
            self.answer = answer

        async def handle_MAIL(self, _server, _session, envelope, address, _options):  # noqa: N802 - aiosmtpd's name
            if not address or address == "<>":
                return self.answer
            envelope.mail_from = address
            return "250 OK"

    def test_a_server_that_takes_it_gets_it(self):
        handler = Handler()
        with serving(handler) as account, Smtp(account) as smtp:
            assert smtp.send("", "ada@players.test", MAIL, "gm@pbmd.test") == Sent()
            assert not smtp.null_refused
        assert handler.taken[0][0] in ("", "<>")

    def test_a_server_that_refuses_it_gets_the_mail_with_an_address_and_is_not_asked_again(self):
        handler = self.Choosy("550 5.1.7 a sender is needed")
        with serving(handler) as account, Smtp(account) as smtp:
            for number in range(2):
                assert smtp.send("", f"p{number}@players.test", MAIL, "gm@pbmd.test") == Sent()
            assert smtp.null_refused
        assert [sender for sender, _, _ in handler.taken] == ["gm@pbmd.test"] * 2

    def test_a_refusal_for_now_is_no_refusal_of_it(self):
        with serving(self.Choosy("451 later")) as account, Smtp(account) as smtp:
            assert smtp.send("", "ada@players.test", MAIL, "gm@pbmd.test") == Deferred(451, "later")
            assert not smtp.null_refused

    def test_a_refused_recipient_is_no_refusal_of_it(self):
        with serving(Handler(rcpt={"bad": "550 nobody"})) as account, Smtp(account) as smtp:
            assert smtp.send("", "bad@players.test", MAIL, "gm@pbmd.test") == Rejected(550, "nobody")
            assert not smtp.null_refused

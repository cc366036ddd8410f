"""The local post office: SMTP in, mailboxes in memory, IMAP out, in one thread of this process.

It serves the demo and tests that have no Dovecot. Everything is lost when it closes, it asks for no password over SMTP and
knows no TLS, so it listens on a loopback address and refuses any other. Its packages are the extra `pbmd-games[demo]`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
from argparse import Namespace
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from datetime import UTC, datetime
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session
    from pymap.backend.dict import Login

START_SECONDS = 60.0


class OfficeError(RuntimeError):
    """The local post office cannot be opened; the message says what is missing."""


class LocalOffice:
    """A post office for one domain; use it with `with`.

    `mailboxes` are local parts: each is an IMAP login (with `password`), and mail to it with any plus-tag lands in its INBOX.
    Raises ValueError for a host that is not a loopback address, and OfficeError, when it opens, without the extra `demo`.
    """

    imap_port: int
    smtp_port: int

    def __init__(self, domain: str, mailboxes: Iterable[str], *, password: str = "demo", host: str = "127.0.0.1") -> None:  # noqa: S107
        if not ipaddress.ip_address(host).is_loopback:
            raise ValueError(f"the local post office has no protection, so it opens on a loopback address only, not on {host}")
        self.domain = domain.lower()
        self.mailboxes = tuple(name.lower() for name in mailboxes)
        self.password = password
        self.host = host
        self._thread: threading.Thread | None = None
        self._ready: Future[tuple[asyncio.AbstractEventLoop, Callable[[], None], Deliver]] = Future()

    def __enter__(self) -> Self:
        _require_packages()
        self._thread = threading.Thread(target=self._run, name="local post office", daemon=True)
        self._thread.start()
        self._loop, self._stop, self._deliver = self._ready.result(START_SECONDS)
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(START_SECONDS)

    def deliver(self, recipient: str, letter: bytes, *, sender: str = "", arrived_at: datetime | None = None) -> None:
        """Put a letter (RFC 5322 bytes) into a mailbox without SMTP, with the arrival time given or now.

        Raises ValueError for an address that has no mailbox here.
        """
        asyncio.run_coroutine_threadsafe(self._deliver(recipient, letter, sender, arrived_at), self._loop).result(START_SECONDS)

    def mailbox_of(self, address: str) -> str | None:
        """The mailbox that an address reaches, its plus-tag left out; None if there is none."""
        local, _, domain = address.rpartition("@")
        name = local.partition("+")[0].lower()
        return name if domain.lower() == self.domain and name in self.mailboxes else None

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as problem:
            if self._ready.done():
                raise
            self._ready.set_exception(problem)

    async def _serve(self) -> None:
        stop = asyncio.Event()
        login = await self._mailboxes()
        imap = await asyncio.start_server(_imap_connection(login), self.host, 0)
        deliver = _delivery(self, login)
        smtp = await asyncio.get_running_loop().create_server(lambda: _smtp_connection(self, deliver), self.host, 0)
        self.imap_port, self.smtp_port = (server.sockets[0].getsockname()[1] for server in (imap, smtp))
        self._ready.set_result((asyncio.get_running_loop(), stop.set, deliver))
        await stop.wait()
        imap.close()
        smtp.close()

    async def _mailboxes(self) -> Login:
        """The in-memory store of pymap, with one user a mailbox."""
        import ssl

        from proxyprotocol.version import ProxyProtocolVersion
        from pymap.backend.dict import Config, Identity, Login
        from pymap.concurrent import Subsystem
        from pymap.user import UserMetadata
        from pysasl.hashing import Cleartext

        class _Config(Config):
            @property
            def greeting(self) -> bytes:
                return b"pbmd local post office"  # pymap's own greeting waits for a DNS look-up

        config = _Config(
            Namespace(),
            host=self.host,
            port=0,
            tls_enabled=False,
            ssl_context=ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
            hash_context=Cleartext(),  # hashing takes a third of a second each login and protects nothing here
            cpu_subsystem=Subsystem.for_asyncio(),
            proxy_protocol=ProxyProtocolVersion.get(None),
            demo_data=False,
            demo_user="",
            demo_password="",
        )
        config.apply_context()
        login = Login(config)
        for name in self.mailboxes:
            await Identity(name, login, None, frozenset()).set(UserMetadata(config, name, password=self.password))
        return login


Deliver = Callable[[str, bytes, str, datetime | None], Coroutine[Any, Any, None]]
"""Recipient, letter, sender, arrival (None is now)."""


def _require_packages() -> None:
    missing = [name for name in ("aiosmtpd", "pymap") if find_spec(name) is None]
    if missing:
        raise OfficeError(f"the local post office needs {' and '.join(missing)}: pip install 'pbmd-games[demo]'")


def _imap_connection(login: Login) -> Any:
    from proxyprotocol.reader import ProxyProtocolReader
    from pymap.imap import IMAPServer

    return ProxyProtocolReader(login.config.proxy_protocol).get_callback(IMAPServer(login, login.config))


def _delivery(office: LocalOffice, login: Login) -> Deliver:
    from pymap.backend.dict import Identity
    from pymap.parsing.message import AppendMessage

    async def deliver(recipient: str, letter: bytes, sender: str, arrived_at: datetime | None) -> None:
        name = office.mailbox_of(recipient)
        if name is None:
            raise ValueError(f"no mailbox for {recipient} in this post office")
        trace = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
        if trace.count("\n") != 2 or trace.count("\r") != 2:
            raise ValueError("an address contains a line break")
        message = AppendMessage(trace.encode() + letter, arrived_at or datetime.now(UTC))
        async with Identity(name, login, None, frozenset()).new_session() as session:
            await session.append_messages("INBOX", [message])

    return deliver


def _smtp_connection(office: LocalOffice, deliver: Deliver) -> SMTP:
    from aiosmtpd.smtp import SMTP

    return SMTP(_Reception(office, deliver), hostname=office.domain, ident="pbmd local post office")


class _Reception:
    """What aiosmtpd calls for each recipient and each letter."""

    def __init__(self, office: LocalOffice, deliver: Deliver) -> None:
        self._office = office
        self._deliver = deliver

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        if self._office.mailbox_of(address) is None:
            return f"550 5.1.1 <{address}>: no such mailbox in this post office"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        del server, session
        assert isinstance(envelope.content, bytes)
        sender = (envelope.mail_from or "").removeprefix("<").removesuffix(">")  # aiosmtpd gives the null sender as "<>"
        for address in envelope.rcpt_tos:
            await self._deliver(address, envelope.content, sender, None)
        return "250 2.0.0 delivered"

"""What pbmd uses of imapclient, imaplib and smtplib that they keep for themselves. Each may change it with any version: then
these tests say what, before a daemon that cannot read its mailbox does."""

import ast
import imaplib
import inspect
import smtplib
import socket
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import imapclient
import pytest
from imapclient.imap4 import IMAP4WithTimeout

import pbmd
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.breaker import Breaker
from pbmd.post.imap import wire
from pbmd.post.imap.wire import AnswerTooLong, Client
from pbmd.post.smtp import client as smtp
from pbmd.post.smtp import reply as smtp_reply
from tests.post.faulty import FaultyServer, letter

HOW_TO_MEND = "see what took its place, change the module that uses it, and raise the bound in pyproject.toml"


@dataclass(frozen=True)
class Private:
    """A name, whose it is, with what it is called, and what for."""

    owner: type[Any]
    name: str
    call: tuple[Any, ...]
    use: str

    @property
    def complaint(self) -> str:
        whose = (
            f"imapclient {version('imapclient')}" if self.owner.__module__.startswith("imapclient") else sys.version.split()[0]
        )
        return f"{self.owner.__name__}.{self.name} of {whose} is not what pbmd uses it for ({self.use}): {HOW_TO_MEND}"


ME = object()
METHODS = (
    Private(imapclient.IMAPClient, "_create_IMAP4", (ME,), "its connection is made on our own socket"),
    Private(IMAP4WithTimeout, "__init__", (ME, "host", 993, 30.0), "imaplib with a time limit"),
    Private(imaplib.IMAP4, "_create_socket", (ME, 30.0), "the socket is ours, and can be cut"),
    Private(imaplib.IMAP4, "_command", (ME, "IDLE"), "IDLE is begun"),
    Private(imaplib.IMAP4, "_get_response", (ME,), "the consent to IDLE is waited for"),
    Private(imaplib.IMAP4, "_check_bye", (ME,), "the end of the connection is seen meanwhile"),
    Private(imaplib.IMAP4, "read", (ME, 7), "literals are counted"),
    Private(imaplib.IMAP4, "readline", (ME,), "lines are counted"),
    Private(imaplib.IMAP4, "send", (ME, b"x"), "what follows a command is another answer"),
    Private(smtplib.SMTP, "_get_socket", (ME, "host", 25, 30.0), "the socket can be cut"),
    Private(smtplib.SMTP, "getreply", (ME,), "replies are counted"),
)
VALUES = ("_imap", "_idle_tag")
"""What imapclient keeps: imaplib's side of the connection, and the tag that ``idle_done`` waits for."""


@pytest.mark.parametrize("used", METHODS, ids=lambda used: f"{used.owner.__name__}.{used.name}")
def test_what_is_used_is_there_and_can_be_called_as_it_is(used: Private) -> None:
    method: Callable[..., Any] | None = getattr(used.owner, used.name, None)
    assert method is not None, used.complaint
    try:
        inspect.signature(method).bind(*used.call)
    except TypeError:
        pytest.fail(used.complaint)


@pytest.mark.parametrize("module", [wire, smtp, smtp_reply], ids=lambda module: module.__name__)
def test_nothing_else_is_used(module: ModuleType) -> None:
    """So that the list above is all of it."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(module))))
    attributes = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr.startswith("_")]
    touched = {node.attr for node in attributes if not node.attr.startswith("__")}
    own = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    unknown = touched - own - {used.name for used in METHODS} - {*VALUES}
    assert not unknown, f"{module.__name__} uses {unknown} of a library: put it into the table"


def test_no_other_module_comes_near_them() -> None:
    users = {path.name for path in Path(pbmd.__file__).parent.rglob("*.py") if {"imapclient", "imaplib"} & _imported(path)}
    assert users == {"wire.py", "fetch_reader.py", "explained.py", "players.py"}  # the third knows imaplib's exceptions


def _imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    whole = {name.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names}
    return whole | {(node.module or "").partition(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}


@dataclass
class Held(Breaker):
    """A breaker that tells which sockets it was given."""

    given: list[socket.socket] = field(default_factory=list[socket.socket])

    def __post_init__(self) -> None:
        super().__init__()

    def hold(self, connection: socket.socket) -> None:
        self.given.append(connection)
        super().hold(connection)


@pytest.fixture
def breaker() -> Iterator[Held]:
    breaker = Held()
    yield breaker
    breaker.release()


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer("nothing", lambda _: None, letters={1: letter(1)}) as server:
        yield server


@pytest.fixture
def client(server: FaultyServer, breaker: Held) -> Iterator[Client]:
    secret = Secret.literal("s3cret")
    account = ImapAccount(host="127.0.0.1", port=server.port, tls="none", user="gm", secret=secret, timeout_seconds=60)
    client = Client(account, breaker)
    yield client
    client.shutdown()


def test_the_connection_is_made_on_our_socket(client: Client, breaker: Held) -> None:
    assert breaker.given == [client.wire.sock], "the connection is not made with _create_IMAP4 and _create_socket any more"


def test_idle_is_begun_and_ended(client: Client, server: FaultyServer) -> None:
    client.authenticate("gm", "s3cret", is_token=False)
    client.select_folder("INBOX")
    client.more_mail_was_told()
    assert client.has_capability("IDLE")  # kept, so that imapclient does not ask for it in the middle of IDLE
    client.begin_idle()
    assert client.wire.tagged_commands[client._idle_tag] is None, "imaplib does not keep in tagged_commands who waits"
    server.deliver(letter(2))
    client.idle_done()
    client.noop()
    assert client.more_mail_was_told(), "imaplib does not keep for response() what the server tells unasked"


def test_an_answer_is_counted(client: Client) -> None:
    client.authenticate("gm", "s3cret", is_token=False)
    client.select_folder("INBOX")
    client.wire._most = 100
    with pytest.raises(AnswerTooLong):
        client.wire.uid("FETCH", "1:*", "(BODY.PEEK[])")


def test_no_version_is_installed_that_was_not_tried() -> None:
    project = tomllib.loads((Path(pbmd.__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [bound] = [each for each in project["dependencies"] if each.startswith("imapclient")]
    assert "<" in bound, "the private names above need an upper bound of imapclient in pyproject.toml"

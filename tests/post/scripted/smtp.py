"""A scripted SMTP server (RFC 5321): it takes every mail, unless a fault says otherwise."""

import base64
import socket

from tests.post.scripted.server import GREETING, Fault, Server, Talk

PASSWORD = "s3cret"
DOT = "."
"""The end of the text of a mail, as if it were a command."""


class SmtpServer(Server):
    """Keeps what it takes. Commands that a fault can be `at` are those of SMTP and `DOT`."""

    def __init__(self, *faults: Fault, extensions: tuple[str, ...] = ("PIPELINING", "8BITMIME", "AUTH PLAIN LOGIN")) -> None:
        super().__init__(*faults)
        self.extensions = extensions
        self.taken: list[tuple[str, list[str], bytes]] = []
        """Sender, recipients and text of each mail."""

    def _talk(self, connection: socket.socket) -> Talk:
        return _SmtpTalk(self, connection)


class _SmtpTalk(Talk):
    def __init__(self, server: SmtpServer, connection: socket.socket) -> None:
        super().__init__(server, connection)
        self.server = server
        self.sender = ""
        self.recipients: list[str] = []

    def hold_on(self) -> None:
        if self._honest(GREETING):
            self.says("220 scripted ESMTP")
        while True:
            line = self.reads()
            verb, _, rest = line.partition(" ")
            self.server.heard.append(line)
            if self._honest(line):
                answer = getattr(self, f"_{verb.lower()}", None)
                if answer is None:
                    self.says("500 5.5.1 unknown command")
                else:
                    answer(rest)

    def _honest(self, command: str) -> bool:
        begin, _, rest = command.partition(" ")
        fault = self.server.strikes(f"{begin.upper()} {rest}".strip())
        return fault is None or self.does(fault)

    def _ehlo(self, _rest: str) -> None:
        lines = ["scripted", *self.server.extensions]
        self.says(*(f"250-{line}" for line in lines[:-1]), f"250 {lines[-1]}")

    def _helo(self, _rest: str) -> None:
        self.says("250 scripted")

    def _auth(self, rest: str) -> None:
        mechanism, _, first = rest.partition(" ")
        match mechanism.upper():
            case "PLAIN":
                secret = self._shown(first).split("\0")[-1]
            case "LOGIN":
                if not first:
                    self._asked("VXNlcm5hbWU6")
                secret = self._shown("", "UGFzc3dvcmQ6")
            case "XOAUTH2" | "OAUTHBEARER":
                secret = self._shown(first).partition("auth=Bearer ")[2].partition("\1")[0]
            case _:
                self.says("504 5.5.4 unknown mechanism")
                return
        self.says("235 2.7.0 welcome" if secret == PASSWORD else "535 5.7.8 authentication failed")

    def _shown(self, said: str, question: str = "") -> str:
        return base64.b64decode(said or self._asked(question)).decode()

    def _asked(self, question: str) -> str:
        self.says(f"334 {question}")
        return self.reads()

    def _mail(self, rest: str) -> None:
        self.sender, self.recipients = _address(rest), []
        self.says("250 2.1.0 ok")

    def _rcpt(self, rest: str) -> None:
        self.recipients.append(_address(rest))
        self.says("250 2.1.5 ok")

    def _data(self, _rest: str) -> None:
        if not self.recipients:
            self.says("503 5.5.1 no recipients")
            return
        self.says("354 go on")
        lines: list[str] = []
        while (line := self.reads()) != ".":
            lines.append(line.removeprefix("."))
        mail = "".join(f"{line}\r\n" for line in lines).encode("utf-8", "surrogateescape")
        if self._honest(DOT):
            self.server.taken.append((self.sender, self.recipients, mail))
            self.says("250 2.0.0 taken")

    def _rset(self, _rest: str) -> None:
        self.sender, self.recipients = "", []
        self.says("250 2.0.0 ok")

    def _noop(self, _rest: str) -> None:
        self.says("250 2.0.0 ok")

    def _quit(self, _rest: str) -> None:
        self.says("221 2.0.0 bye")
        raise EOFError


def _address(rest: str) -> str:
    return rest.partition("<")[2].partition(">")[0]

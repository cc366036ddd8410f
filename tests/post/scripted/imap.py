"""A scripted IMAP server (RFC 3501 and its extensions IDLE, MOVE, UIDPLUS, NAMESPACE, SASL-IR) with folders in memory."""

import base64
import re
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.post.scripted.server import GREETING, Fault, Server, Talk

PASSWORD = "s3cret"
CAPABILITIES = "IMAP4rev1 IDLE MOVE UIDPLUS NAMESPACE AUTH=PLAIN SASL-IR"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def internal_date(at: datetime) -> str:
    """A date-time as IMAP writes it, in UTC."""
    return f"{at.day:2d}-{_MONTHS[at.month - 1]}-{at:%Y %H:%M:%S +0000}"


def letter(number: int, text: str = "STATUS") -> bytes:
    """A letter that no two of are alike."""
    head = f"From: anna@pbmd.test\r\nSubject: {number}\r\nMessage-ID: <{number}@pbmd.test>\r\n\r\n"
    return f"{head}{text} {number}\r\n".encode()


@dataclass
class Message:
    """One message of a folder."""

    uid: int
    raw: bytes
    date: str
    """INTERNALDATE, as it stands on the line."""
    flags: set[str] = field(default_factory=set[str])

    @property
    def arrived_at(self) -> datetime:
        return datetime.strptime(self.date.strip(), "%d-%b-%Y %H:%M:%S %z")


@dataclass
class Folder:
    uidvalidity: int = 5
    uidnext: int = 1
    messages: list[Message] = field(default_factory=list[Message])

    def put(self, raw: bytes, date: str, flags: set[str]) -> Message:
        """A new message, with the next UID."""
        message = Message(self.uidnext, raw, date, flags)
        self.uidnext += 1
        self.messages.append(message)
        return message


class ImapServer(Server):
    """One account with any user name and the password or token PASSWORD."""

    def __init__(self, *faults: Fault, capabilities: str = CAPABILITIES) -> None:
        super().__init__(*faults)
        self.capabilities = capabilities
        self.folders = {"INBOX": Folder()}
        self.idling = 0
        """How many connections are in an honest IDLE."""

    @property
    def inbox(self) -> Folder:
        return self.folders["INBOX"]

    def deliver(self, *letters: bytes, arrived_at: datetime | None = None) -> None:
        """Letters arrive, now or at that time."""
        with self.lock:
            for raw in letters:
                self.inbox.put(raw, internal_date(arrived_at or datetime.now(UTC)), set())

    def renumber(self) -> None:
        """INBOX gets another UIDVALIDITY and other UIDs."""
        with self.lock:
            folder = self.inbox
            folder.uidvalidity += 1
            folder.uidnext = len(folder.messages) + 1
            for number, message in enumerate(folder.messages, start=1):
                message.uid = number

    def _talk(self, connection: socket.socket) -> Talk:
        return _ImapTalk(self, connection)


class _ImapTalk(Talk):
    """One connection. An answer is what a method yields: lines, which are sent one by one so that a fault may cut them."""

    def __init__(self, server: ImapServer, connection: socket.socket) -> None:
        super().__init__(server, connection)
        self.server = server
        self.tag = ""
        self.command = ""
        self.literals: list[bytes] = []
        self.folder: Folder | None = None
        self.known: list[int] = []
        """The UIDs behind the message numbers that the client knows."""

    def hold_on(self) -> None:
        if self._honest(GREETING):
            self.says("* OK ready")
        while True:
            self._hear()
            if self._honest(self.command):
                with self.server.lock:
                    answer = list(self._answer()) if not self.command.startswith("IDLE") else None
                for line in self._idle() if answer is None else answer:
                    self._say(line)

    def _say(self, line: "str | bytes | Fault") -> None:
        if isinstance(line, Fault):
            self.does(line, tag=self.tag)
        else:
            self.sends(line if isinstance(line, bytes) else f"{line}\r\n".encode())

    def _hear(self) -> None:
        """The next command: its words in `command`, with "{n}" where a literal was, and its literals."""
        pieces, self.literals = [self.reads()], []
        while match := re.search(r"\{(\d+)\+?\}$", pieces[-1]):
            if not match[0].endswith("+}"):
                self.says("+ go on")
            self.literals.append(self.reads_bytes(int(match[1])))
            pieces.append(self.reads())
        self.tag, _, self.command = "".join(pieces).partition(" ")
        self.server.heard.append(self.command)

    def _honest(self, command: str) -> bool:
        fault = self.server.strikes(command, lies=False)
        if fault is None:
            return True
        found = ""
        if "{uids}" in "".join(fault.says) or "{each}" in "".join(fault.says):
            with self.server.lock:
                found = " ".join(map(str, self._found()))
        return self.does(fault, tag=self.tag, uids=found)

    def _answer(self) -> Iterator[str | bytes | Fault]:
        for words, answer in _ANSWERS:
            if self.command.startswith(words):
                yield from answer(self)
                return
        yield f"{self.tag} BAD unknown command"

    def _words(self) -> list[str]:
        """The arguments: atoms, quoted strings without their quotes, literals, and lists as they stand."""
        literals = iter(self.literals)
        words: list[str] = []
        for match in re.finditer(r'"((?:[^"\\]|\\.)*)"|\{\d+\+?\}|\([^()]*\)|[^\s()"]+(?:\[[^\]]*\]\S*)?', self.command):
            if match[0].startswith("{"):
                words.append(next(literals).decode("utf-8", "surrogateescape"))
            else:
                words.append(re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[0])
        return words

    # Answers

    def done(self, told: str = "done") -> Iterator[str]:
        yield from self._news()
        yield f"{self.tag} OK {told}"

    def _news(self) -> Iterator[str]:
        """What has changed in the folder since the client was told last."""
        if self.folder is None:
            return
        uids = [message.uid for message in self.folder.messages]
        for uid in [uid for uid in self.known if uid not in uids]:
            yield f"* {self.known.index(uid) + 1} EXPUNGE"
            self.known.remove(uid)
        if uids != self.known:
            self.known = uids
            yield f"* {len(uids)} EXISTS"

    def capability(self) -> Iterator[str]:
        yield f"* CAPABILITY {self.server.capabilities}"
        yield from self.done()

    def login(self) -> Iterator[str]:
        yield self._let_in("LOGINDISABLED" not in self.server.capabilities and self._words()[2] == PASSWORD)

    def authenticate(self) -> Iterator[str]:
        _, mechanism, *first = self._words()
        if f"AUTH={mechanism}" not in self.server.capabilities:
            yield f"{self.tag} NO unsupported mechanism"
        elif mechanism == "PLAIN":
            yield self._let_in(self._shown(first).split("\0")[-1] == PASSWORD)
        elif mechanism == "LOGIN":
            if not first:
                self._asked("VXNlcm5hbWU6")
            yield self._let_in(base64.b64decode(self._asked("UGFzc3dvcmQ6")).decode() == PASSWORD)
        else:
            right = self._shown(first).partition("auth=Bearer ")[2].partition("\1")[0] == PASSWORD
            if not right:
                self._asked(base64.b64encode(b'{"status":"401"}').decode())  # RFC 7628 section 3.2.3; XOAUTH2 does the same
            yield self._let_in(right)

    def _shown(self, first: list[str]) -> str:
        return base64.b64decode(first[0] if first else self._asked("")).decode()

    def _asked(self, question: str) -> str:
        self.says(f"+ {question}")
        return self.reads()

    def _let_in(self, right: bool) -> str:
        return f"{self.tag} OK welcome" if right else f"{self.tag} NO [AUTHENTICATIONFAILED] Invalid credentials"

    def namespace(self) -> Iterator[str]:
        yield '* NAMESPACE (("" "/")) NIL NIL'
        yield from self.done()

    def list_(self) -> Iterator[str]:
        pattern = self._words()[2]
        matches = re.compile(re.escape(pattern).replace(r"\*", ".*").replace("%", "[^/]*"))
        for name in self.server.folders:
            if matches.fullmatch(name):
                yield f'* LIST () "/" "{name}"'
        yield from self.done()

    def select(self) -> Iterator[str]:
        self.folder, self.known = self.server.folders.get(self._words()[1]), []
        if self.folder is None:
            yield f"{self.tag} NO [NONEXISTENT] there is no such folder"
            return
        self.known = [message.uid for message in self.folder.messages]
        yield f"* {len(self.known)} EXISTS"
        yield r"* FLAGS (\Answered \Flagged \Deleted \Seen \Draft)"
        yield r"* OK [PERMANENTFLAGS (\Answered \Flagged \Deleted \Seen \Draft \*)] any"
        yield f"* OK [UIDVALIDITY {self.folder.uidvalidity}] "
        yield f"* OK [UIDNEXT {self.folder.uidnext}] "
        yield f"{self.tag} OK [READ-{'WRITE' if self.command.startswith('SELECT') else 'ONLY'}] done"

    def status(self) -> Iterator[str]:
        name = self._words()[1]
        if (folder := self.server.folders.get(name)) is None:
            yield f"{self.tag} NO [NONEXISTENT] there is no such folder"
            return
        unseen = sum("\\Seen" not in message.flags for message in folder.messages)
        values = f"MESSAGES {len(folder.messages)} UIDNEXT {folder.uidnext} UIDVALIDITY {folder.uidvalidity} UNSEEN {unseen}"
        yield f'* STATUS "{name}" ({values})'
        yield from self.done()

    def create(self) -> Iterator[str]:
        name = self._words()[1]
        if name in self.server.folders:
            yield f"{self.tag} NO [ALREADYEXISTS] there is one"
            return
        self.server.folders[name] = Folder(len(self.server.folders) + 5)
        yield from self.done()

    def append(self) -> Iterator[str]:
        words = self._words()
        if (folder := self.server.folders.get(words[1])) is None:
            yield f"{self.tag} NO [TRYCREATE] there is no such folder"
            return
        flags = {flag for word in words[2:-1] if word.startswith("(") for flag in word.strip("()").split()}
        message = folder.put(self.literals[-1], internal_date(datetime.now(UTC)), flags)
        yield from self.done(f"[APPENDUID {folder.uidvalidity} {message.uid}] done")

    def search(self) -> Iterator[str]:
        try:
            found = self._found()
        except ValueError as problem:
            yield f"{self.tag} BAD unknown search key {problem}"
            return
        yield " ".join(["* SEARCH", *map(str, found)])
        yield from self.done()

    def _found(self) -> list[int]:
        """The UIDs that a search is for. Raises `ValueError` with a key that is not known here."""
        keys = iter(self._words()[2:])
        found = list(self._messages)
        for key in keys:
            match key.upper():
                case "CHARSET":
                    next(keys)
                case "ALL":
                    pass
                case "UID":
                    named = self._named(next(keys), [each.uid for each in self._messages])
                    found = [each for each in found if each.uid in named]
                case "KEYWORD" | "UNKEYWORD":
                    word = next(keys)
                    found = [each for each in found if (word in each.flags) == (key.upper() == "KEYWORD")]
                case "SINCE":
                    since = datetime.strptime(next(keys), "%d-%b-%Y").replace(tzinfo=UTC)
                    found = [each for each in found if each.arrived_at >= since]
                case numbers if re.fullmatch(r"[\d:*,]+", numbers):
                    named = self._named(numbers, list(range(1, len(self.known) + 1)))
                    found = [each for each in found if self.known.index(each.uid) + 1 in named]
                case _:
                    raise ValueError(key)
        return [each.uid for each in found]

    @property
    def _messages(self) -> list[Message]:
        return [] if self.folder is None else self.folder.messages

    def _named(self, number_set: str, numbers: list[int]) -> set[int]:
        """What a set names of these numbers; "n:*" names the highest also when it is below n (RFC 3501 section 6.4.8)."""
        named, highest = set[int](), max(numbers, default=0)
        for part in number_set.split(","):
            ends = [highest if end == "*" else int(end) for end in part.split(":")]
            named |= {number for number in numbers if min(ends) <= number <= max(ends)}
        return named

    def _chosen(self) -> list[Message]:
        """The messages that the UID set of the command names."""
        named = self._named(self._words()[2], [message.uid for message in self._messages])
        return [message for message in self._messages if message.uid in named]

    def fetch(self) -> Iterator[str | bytes | Fault]:
        if len(self.command) > 8000:
            yield f"{self.tag} BAD Too long argument"
            return
        everywhere = self.server.strikes(self.command, lies=True)
        for message in self._chosen():
            if message.uid not in self.known:
                yield from self._news()
            fault = self.server.strikes(self.command, message.uid) or everywhere
            if fault is None or fault.lies:
                yield self._told_of(message, fault or Fault(""))
                continue
            yield fault
            if fault.then != "is honest":
                return
            yield self._told_of(message, Fault(""))
        yield from self.done()

    def _told_of(self, message: Message, fault: Fault) -> bytes:
        """The line of an answer to FETCH with what was asked for, or with what the fault tells instead."""
        pieces = [f"UID {message.uid}".encode()]
        asked = self.command.upper()
        honest = {
            "FLAGS": f"({' '.join(sorted(message.flags))})",
            "INTERNALDATE": f'"{message.date}"',
            "RFC822.SIZE": str(len(message.raw)),
        }
        for name, so in honest.items():
            if name in asked and (value := fault.told.get(name, so)):
                pieces.append(f"{name} {value}".encode())
        if match := re.search(r"BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?", asked):
            pieces += self._body(message, match, fault)
        number = self.known.index(message.uid) + 1
        return f"* {number} FETCH (".encode() + b" ".join(pieces) + b")\r\n"

    def _body(self, message: Message, asked: re.Match[str], fault: Fault) -> Iterator[bytes]:
        section, first, size = asked.groups()
        head, _, text = message.raw.partition(b"\r\n\r\n")
        raw = {"": message.raw, "HEADER": head + b"\r\n\r\n", "TEXT": text}[section]
        if first is not None:
            raw = raw[int(first) : int(first) + int(size)]
        name = f"BODY[{section}]" + (f"<{first}>" if first is not None else "")
        told = fault.told.get("BODY")
        if told is None:
            yield f"{name} {{{len(raw) + fault.longer}}}\r\n".encode() + raw
        elif told:
            yield f"{name} {told}".encode()

    def store(self) -> Iterator[str]:
        _, _, _, how, flags = self._words()
        for message in self._chosen():
            words = set(flags.strip("()").split())
            message.flags = message.flags - words if how.startswith("-") else message.flags | words
        yield from self.done()

    def copy(self) -> Iterator[str]:
        if (target := self.server.folders.get(self._words()[3])) is None:
            yield f"{self.tag} NO [TRYCREATE] there is no such folder"
            return
        for message in self._chosen():
            target.put(message.raw, message.date, set(message.flags))
        yield from self.done()

    def move(self) -> Iterator[str]:
        chosen = self._chosen()
        [*news, end] = self.copy()
        if " OK " in end:
            self._remove(chosen)
            news += self._news()
        yield from [*news, end]

    def expunge(self) -> Iterator[str]:
        self._remove([message for message in self._messages if "\\Deleted" in message.flags])
        yield from self.done()

    def uid_expunge(self) -> Iterator[str]:
        self._remove([message for message in self._chosen() if "\\Deleted" in message.flags])
        yield from self.done()

    def _remove(self, gone: list[Message]) -> None:
        if self.folder is not None:
            self.folder.messages = [message for message in self.folder.messages if message not in gone]

    def logout(self) -> Iterator[str]:
        self.says("* BYE see you", f"{self.tag} OK done")
        raise EOFError
        yield ""

    def _idle(self) -> Iterator[str]:
        """Tell of every letter that comes, as soon as it has come."""
        if "IDLE" not in self.server.capabilities:
            yield f"{self.tag} BAD unknown command"
            return
        yield "+ idling"
        self.server.idling += 1
        while not self.server.closing and not self.is_spoken_to():
            with self.server.lock:
                news = list(self._news())
            yield from news
            time.sleep(0.005)
        self.server.idling -= 1
        if self.reads() != "DONE":
            yield f"{self.tag} BAD expected DONE"
            return
        yield from self.done()


_ANSWERS: tuple[tuple[str, Callable[[_ImapTalk], Iterator[str | bytes | Fault]]], ...] = (
    ("CAPABILITY", _ImapTalk.capability),
    ("LOGIN", _ImapTalk.login),
    ("AUTHENTICATE", _ImapTalk.authenticate),
    ("NAMESPACE", _ImapTalk.namespace),
    ("LIST", _ImapTalk.list_),
    ("SELECT", _ImapTalk.select),
    ("EXAMINE", _ImapTalk.select),
    ("STATUS", _ImapTalk.status),
    ("CREATE", _ImapTalk.create),
    ("APPEND", _ImapTalk.append),
    ("UID SEARCH", _ImapTalk.search),
    ("UID FETCH", _ImapTalk.fetch),
    ("UID STORE", _ImapTalk.store),
    ("UID COPY", _ImapTalk.copy),
    ("UID MOVE", _ImapTalk.move),
    ("UID EXPUNGE", _ImapTalk.uid_expunge),
    ("EXPUNGE", _ImapTalk.expunge),
    ("NOOP", _ImapTalk.done),
    ("LOGOUT", _ImapTalk.logout),
)

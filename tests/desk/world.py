"""A desk to play at: a real ledger in a temporary folder, a clock that tests set, and letters put in as if fetched.

Only the mail servers are missing; `tests/acceptance` has those.
"""

import base64
import email
import email.policy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, bindparam, event, func, inspect
from sqlmodel import Session, col, select

from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.digests import tell_news
from pbmd.desk.ingest import store
from pbmd.desk.mail.pictures import pictures_of, with_pictures
from pbmd.desk.mail.tags import gm_tag
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.votes.due import decide_votes
from pbmd.ledger.database import migrate, open_engine, reading, sqlite_url
from pbmd.ledger.journal import seal
from pbmd.ledger.tables import Game, JournalEntry, Letter, LogLine, Mailbox, Outbox, Seat, StepRecord, Submission
from pbmd.post.imap.fetched import Fetched
from pbmd.post.proof_file import proofs_in
from pbmd.post.tags import Tag, make_token, plus_address
from pbmd.rules.protocol import Line, Ruleset, Signup
from pbmd.settings import Imap, Server, Settings, Smtp
from pbmd.terms.terms import Terms
from tests.postgresql import PostgreSQL

ADDRESS = "games@pbmd.test"
BEGIN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NAMES = ("Altair", "Borealis", "Cygnus")
FIRST = "the first start"
"""Of the machine on which the desk is."""


def settings_in(folder: Path, **changes: Any) -> Settings:
    """Settings whose servers are never asked."""
    usual = _settings(**changes) if changes else _usual_settings()
    return usual.model_copy(update={"server": usual.server.model_copy(update={"data": folder})})


def _settings(**changes: Any) -> Settings:
    return Settings(
        server=Server(address=ADDRESS, gm="gm@pbmd.test", data=Path()),
        imap=Imap(host="localhost", user="games", password="secret", clock_tolerance_seconds=0),
        smtp=Smtp(host="localhost"),
        rulesets=tuple(Path(__file__).parents[1] / "rules" / slug for slug in ("bazaar", "count", "relay", "tides", "village")),
        **changes,
    )


@cache
def _usual_settings() -> Settings:
    """Read once: it takes as long as all else of a world."""
    return _settings()


class SteadyEntropy:
    """Random bytes that are the same in every run of a test."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        return sha256(f"entropy {self.drawn}".encode()).digest()[:size]


@cache
def _empty_ledger() -> bytes:
    """A ledger fresh from its migrations, made once a run because they take longer than a test."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        migrate(sqlite_url(path))
        return path.read_bytes()


SERVERS: list[PostgreSQL] = []
"""The server on which worlds have their ledgers that are not told where; in files if there is none."""
_PLAYED: dict[str, "_Played"] = {}
"""Desks at which something was played that many tests begin with, by its name: a quarter of what the tests of the desk compute
would be such beginnings."""
_MOST_KEPT = 100
"""Each takes half a megabyte."""
PATCHED = False
"""Whether the test that runs may have changed how games begin: then they do so anew."""


@dataclass(frozen=True)
class _Played:
    """A desk as it was then: the rules, its files, its settings, and how far chance, clock and mailbox had come."""

    rules: Ruleset[Any]
    files: Mapping[str, bytes]
    settings: Settings
    drawn: int
    now: datetime
    set_ahead: timedelta
    uid: int
    positions: Mapping[int, tuple[str, Any]]


def _name_of(function: Callable[..., object]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


@dataclass
class World:
    """See the module."""

    folder: Path
    sealing: Callable[[bytes, bytes], str] = seal
    now: datetime = BEGIN
    set_ahead: timedelta = timedelta(0)
    boot: str = FIRST
    uid: int = 0
    database: str = ""
    """The address of an empty ledger that is no SQLite file."""
    desk: Desk = field(init=False)

    def __post_init__(self) -> None:
        self._own = not self.database and SERVERS
        if self._own:
            self.database = SERVERS[0].new_ledger()
        if not self.database:
            self._path.write_bytes(_empty_ledger())
        settings = settings_in(self.folder)
        server = settings.server.model_copy(update={"database": self.database})
        self.desk = Desk(
            engine=open_engine(self.database or sqlite_url(self._path)),
            settings=settings.model_copy(update={"server": server}),
            key=b"k" * 32,
            now=lambda: self.now,
            steady=lambda: (self.now - BEGIN - self.set_ahead).total_seconds(),
            boot=self.boot,
            entropy=SteadyEntropy(),
            sealing=self.sealing,
        )
        stands = ("" if self.now == BEGIN else f"{self.now}") + ("" if self.sealing is seal else repr(_name_of(self.sealing)))
        self._stands = stands, self._state(), b"" if self.database else _empty_ledger()

    def settle(self, **tables: Mapping[str, Any]) -> None:
        """Other settings from here on, as pbmd.toml would have them."""
        changed = {name: getattr(self.desk.settings, name).model_copy(update=values) for name, values in tables.items()}
        self.desk = replace(self.desk, settings=self.desk.settings.model_copy(update=changed))

    def work(self) -> Transaction:
        """A transaction at this desk."""
        return changing_games(self.desk)

    def close(self) -> None:
        """Give the database, or its files, back."""
        self.desk.engine.dispose()
        if self._own:
            SERVERS[0].drop(self.database)
            self._own = False

    # A game

    def start(
        self,
        name: str = "galaxy-7",
        seats: Sequence[str] = NAMES,
        options: Mapping[str, Any] | None = None,
        *,
        ruleset: str = "galactic_overlord",
        **terms: Any,
    ) -> None:
        """A running game; each seat is held by its name in small letters at players.test."""
        as_ever = repr(("a game", ruleset, name, tuple(seats), options, sorted(terms.items())))
        self.unless_patched(as_ever, lambda: self._start(name, seats, options, ruleset, terms), ruleset)

    def _start(
        self, name: str, seats: Sequence[str], options: Mapping[str, Any] | None, ruleset: str, terms: Mapping[str, Any]
    ) -> None:
        with changing_games(self.desk) as work:
            table = new_game.create_game(work, name, ruleset, Terms(**({"second_thought": "0m"} | terms)), options or {})
            for seat in seats:
                verdicts = new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(address_of(seat), f"{seat}'s player"))
                assert not any(verdict.message for verdict in verdicts), verdicts
            new_game.start_game(work, table)

    def count(self, name: str = "galaxy-7", seats: Sequence[str] = NAMES, *, target: int = 1000, **terms: Any) -> None:
        """A running game of the smallest ruleset there is (see tests/rules/count), without dice and without reminders."""
        options = {"target": target, "die": False}
        how = {"reminders": (), "second_thought": "0m"} | terms
        as_ever = repr(("a game of Count", name, tuple(seats), target, sorted(terms.items())))
        self.as_ever(as_ever, lambda: self._start(name, seats, options, "count", how))

    def as_ever(self, name: str, play: Callable[[], object], ruleset: str = "count") -> None:
        """Have that played which is the same whenever it is played, with games of that ruleset, and goes by this name. At desks
        at which nothing has happened but other such plays it is done once a process; later ones are put to where it led."""
        before, rules = self._played_before(), self.desk.ruleset(ruleset)
        if before is None:
            play()
            return
        name = f"{before}, {name}"
        if name in _PLAYED and _PLAYED[name].rules is rules:
            self._put(_PLAYED[name])
        else:
            play()
            self._keep(name, rules)
        self._stands = name, self._state(), _PLAYED[name].files[self._path.name]

    def unless_patched(self, name: str, play: Callable[[], object], ruleset: str = "count") -> None:
        """`as_ever`, but in a test that may have changed how it is played."""
        if PATCHED:
            play()
        else:
            self.as_ever(name, play, ruleset)

    def _played_before(self) -> str | None:
        """What was played `as_ever` at this desk, if that is all that has happened; empty if nothing has."""
        name, state, ledger = self._stands
        log = self._path.with_name(f"{self._path.name}-wal")
        of_a_module = "<" not in self.sealing.__qualname__
        steady = isinstance(self.desk.entropy, SteadyEntropy) and of_a_module and self.boot == FIRST
        if not steady or self.database or self._state() != state or (log.exists() and log.stat().st_size):
            return None
        return name if self._path.read_bytes() == ledger else None

    def _state(self) -> tuple[object, ...]:
        drawn = self.desk.entropy.drawn if isinstance(self.desk.entropy, SteadyEntropy) else 0
        return self.now, self.set_ahead, self.uid, self.desk.settings, drawn, self.desk.boot, self.desk.key

    @property
    def _path(self) -> Path:
        return self.folder / "ledger.sqlite"

    def _keep(self, name: str, rules: Ruleset[Any]) -> None:
        if len(_PLAYED) == _MOST_KEPT:
            del _PLAYED[next(iter(_PLAYED))]
        games: list[Game] = [game for game in self.rows(Game) if game.position]
        loaded = {game.id or 0: self.desk.ruleset(game.ruleset).load(json.loads(game.position)) for game in games}
        self.desk.engine.dispose()
        assert isinstance(self.desk.entropy, SteadyEntropy)
        _PLAYED[name] = _Played(
            rules,
            {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()},
            self.desk.settings,
            self.desk.entropy.drawn,
            self.now,
            self.set_ahead,
            self.uid,
            {game.id or 0: (game.position, loaded[game.id or 0]) for game in games},
        )

    def _put(self, played: _Played) -> None:
        self.desk.engine.dispose()
        for name, content in played.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.now, self.set_ahead, self.uid = played.now, played.set_ahead, played.uid
        data = {"data": self.desk.settings.server.data}
        settings = played.settings.model_copy(update={"server": played.settings.server.model_copy(update=data)})
        entropy = SteadyEntropy()
        entropy.drawn = played.drawn
        self.desk = replace(self.desk, engine=open_engine(sqlite_url(self._path)), entropy=entropy, settings=settings)
        for game, (document, position) in played.positions.items():
            self.desk.positions.put(game, document, position)

    def open(
        self, name: str, *seats: str, ruleset: str = "count", options: Mapping[str, Any] | None = None, **terms: Any
    ) -> None:
        """A game that takes sign-ups, with these seats taken so far."""
        with changing_games(self.desk) as work:
            table = new_game.create_game(work, name, ruleset, Terms(**({"second_thought": "0m"} | terms)), options or {})
            for seat in seats:
                new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(address_of(seat), f"{seat}'s player"))

    def act(self, name: str, what: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """An act of the GM from `pbmd.desk.changes.new_game` on the game of that name."""
        with changing_games(self.desk) as work:
            table = work.table_named(name)
            assert table is not None
            return what(work, table, *args, **more)

    @contextmanager
    def changed(self, seat: str) -> Iterator[Seat]:
        """A seat's row to be changed by hand."""
        with changing_games(self.desk) as work:
            row = work.session.exec(select(Seat).where(Seat.name == seat)).one()
            work.table(row.game_id)
            yield row

    # Letters

    def letter(
        self,
        seat: str,
        text: str,
        *,
        game: str = "galaxy-7",
        sender: str | None = None,
        to: str | None = None,
        subject: str = "orders",
        html: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """A mail as a player's program would write it, to the seat's own address unless `to` says otherwise."""
        self.uid += 1
        message = EmailMessage()
        message["From"] = sender or address_of(seat)
        message["To"] = to or self.reply_address(seat, game)
        message["Subject"] = subject
        message["Date"] = "Fri, 01 Jan 1999 00:00:00 +0000"  # a clock that is wrong must not matter
        message["Message-ID"] = f"<letter{self.uid}@players.test>"
        for key, value in (headers or {}).items():
            del message[key]
            message[key] = value
        message.set_content(text)
        if html:
            message.add_alternative(html, subtype="html")
        return message.as_bytes(policy=email.policy.SMTP)

    def arrive(self, raw: bytes, at: datetime | None = None, *, truncated: bool = False) -> None:
        """The mail server has it, and pbmd has stored it; `truncated`: only the beginning, because it is so large."""
        self.uid += 1
        stamp = (at or self.now).replace(microsecond=0)
        store(self.desk, mailbox_name(self.desk), [Fetched(1, self.uid, stamp, len(raw), raw, truncated=truncated)])

    def send(self, seat: str, text: str, *, at: datetime | None = None, read: bool = False, **more: Any) -> str:
        """A player's mail arrives and is dealt with, when the mailbox was `read` to its end if so said; gives the text of the
        answer, empty if there was none."""
        before = self.last_mail()
        self.arrive(self.letter(seat, text, **more), at)
        if read:
            self.read_mailbox()
        process_letters(self.desk)
        with reading(self.desk.engine).connect() as connection:
            answer = connection.execute(_LAST_ANSWER, {"before": before}).scalar()
        return _text_of(answer) if answer else ""

    def reply(self, mail: Outbox, text: str, *, sender: str = "", at: datetime | None = None, **more: Any) -> str:
        """Who got a mail replies to it, to where it asks for a reply, and that is dealt with; gives the text of the answer."""
        headers = {"In-Reply-To": mail.message_id, **more.pop("headers", {})}
        header = message_of(mail)
        written = {"to": header["Reply-To"], "subject": f"Re: {header['Subject']}", "headers": headers} | more
        return self.send("", text, sender=sender or mail.recipient, at=at, **written)

    def questions(self, address: str = "") -> list[Outbox]:
        """The mails that ask for YES or NO, oldest first."""
        return [mail for mail in self.outbox("question") if address in ("", mail.recipient)]

    def confirm(self, address: str) -> str:
        """Somebody without a seat says yes to what they were asked last; gives the text of the answer."""
        asked = [mail for mail in self.outbox("visit") if mail.key.startswith("question") and mail.recipient == address]
        return self.reply(asked[-1], "YES")

    def master(self, text: str, game: str = "galaxy-7", at: datetime | None = None) -> str:
        """The game master says something by mail; gives the text of the answer, its lines made one."""
        self.uid += 1
        self.act(game, send_gm_token, f"gm-mail {self.uid}")
        return " ".join(self.reply(self.outbox("alarm")[-1], text, at=at).split())

    def sure(self, text: str, game: str = "galaxy-7") -> None:
        """The game master says what is asked about first, and YES."""
        self.master(text, game)
        self.reply(self.questions(self.desk.settings.server.gm)[-1], "YES")

    def token_of_gm(self, game: str) -> str:
        """The game master's token for a game."""
        with Transaction(self.desk, reads=True) as work:
            table = work.table_named(game)
            assert table is not None
            return gm_tag(work, table).token

    def resign(self, seat: str) -> None:
        """A player gives up a seat, and confirms it."""
        self.send(seat, "RESIGN")
        self.reply(self.questions(address_of(seat))[-1], "YES")

    def reply_address(self, seat: str, game: str = "galaxy-7") -> str:
        """The plus address that the seat's mails ask to reply to."""
        with reading(self.desk.engine).connect() as connection:
            id_, number, generation = connection.execute(_TOKEN_OF, {"game": game, "seat": seat}).one()
        return plus_address(ADDRESS, Tag(id_, number, make_token(self.desk.key, id_, number, generation)))

    # Time

    def read_mailbox(self, at: datetime | None = None) -> None:
        """The mailbox has been read to its end, just now or from that instant on."""
        with changing_games(self.desk) as work:
            name = mailbox_name(self.desk)
            box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first() or Mailbox(name=name)
            box.read_through = at or self.now
            work.session.add(box)

    def set_clock(self, length: timedelta) -> None:
        """Somebody sets the clock of the machine ahead by that much, or back; no time passes."""
        self.now += length
        self.set_ahead += length

    def pass_time(self, length: timedelta = timedelta(0), *, reading: bool = True) -> int:
        """Let time pass, read the mailbox, and let the desk do what is due; gives the number of steps resolved, those too that
        were over before a letter."""
        self.now += length
        if reading:
            self.read_mailbox()
        before = len(self.rows(StepRecord))
        process_letters(self.desk)
        decide_votes(self.desk)
        advance_games(self.desk)
        tell_news(self.desk)
        return len(self.rows(StepRecord)) - before

    # Looking

    def plans(self, of: Callable[[], Any]) -> list[str]:
        """How the database finds the rows of each SELECT that `of` makes, in SQLite's words."""
        asked: list[tuple[str, Any]] = []

        def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
            asked.append((statement, parameters))

        event.listen(self.desk.engine, "before_cursor_execute", listen)
        of()
        event.remove(self.desk.engine, "before_cursor_execute", listen)
        explained = _explained_by_postgresql if self.database else _explained_by_sqlite
        with reading(self.desk.engine).connect() as connection:
            selects = [one for one in asked if one[0].startswith("SELECT") and " FROM " in " ".join(one[0].split())]
            return [step for statement, values in selects for step in explained(connection, statement, values)]

    def rows(self, kind: type[Any], *conditions: Any) -> list[Any]:
        """The rows of a table, by id."""
        with self._looking() as session:
            return list(session.exec(select(kind).where(*conditions).order_by(*inspect(kind).primary_key)))

    def outbox(self, kind: str = "", seat: str = "") -> list[Outbox]:
        """The mails queued, oldest first, with their pictures."""
        conditions = [col(Outbox.kind) == kind] if kind else []
        return self.mails(*conditions, *([col(Outbox.recipient) == address_of(seat)] if seat else []))

    def mails(self, *conditions: Any) -> list[Outbox]:
        """The mails queued for which that holds, oldest first, with their pictures."""
        with self._looking() as session:
            mails = list(session.exec(select(Outbox).where(*conditions).order_by(col(Outbox.id))))
            pictures = pictures_of(session.connection(), [mail.key for mail in mails])
        for mail in mails:
            if mail.key in pictures:
                mail.raw = with_pictures(mail.raw, pictures[mail.key])
        return mails

    def _looking(self) -> Session:
        return Session(reading(self.desk.engine), expire_on_commit=False)

    def last_mail(self) -> int:
        """The number of the mail that was queued last, 0 if none was."""
        with reading(self.desk.engine).connect() as connection:
            return connection.execute(_LAST_MAIL).scalar() or 0

    def game(self, name: str = "galaxy-7") -> Game:
        """The game's row."""
        return self.rows(Game, col(Game.name) == name)[0]

    def seat(self, name: str) -> Seat:
        """The seat's row."""
        return self.rows(Seat, col(Seat.name) == name)[0]

    def submissions(self) -> list[Submission]:
        """All orders received."""
        return self.rows(Submission)

    def journal(self, kind: str = "") -> list[JournalEntry]:
        """The journal, of all games."""
        return [entry for entry in self.rows(JournalEntry) if kind in ("", entry.kind)]

    def position(self, name: str = "galaxy-7") -> Any:
        """The position document as the ledger has it."""
        return json.loads(self.game(name).position)

    def sheet(self, seat: str) -> list[str] | None:
        """The orders on file of a seat in a game of Count, None if there are none."""
        return next((sheet["lines"] for sheet in self.position()["sheets"] if sheet["seat"] == seat), None)

    def letters(self) -> list[Letter]:
        """All letters that came in."""
        return self.rows(Letter)

    def log(self, what: str = "") -> list[LogLine]:
        """The dashboard log."""
        return [line for line in self.rows(LogLine) if what in ("", line.what)]


# Made once, since they are asked at each letter.
_TOKEN_OF = (
    select(col(Game.id), col(Seat.number), col(Seat.token_generation))
    .join(Seat, col(Seat.game_id) == col(Game.id))
    .where(col(Game.name) == bindparam("game"), col(Seat.name) == bindparam("seat"))
)
_LAST_MAIL = select(func.max(Outbox.id))
_LAST_ANSWER = (
    select(col(Outbox.raw))
    .where(col(Outbox.id) > bindparam("before"), col(Outbox.kind).in_(("acknowledgement", "gm", "refusal", "visit")))
    .order_by(col(Outbox.id).desc())
    .limit(1)
)
"""Without its pictures, which stand after its text."""


def _explained_by_sqlite(connection: Connection, statement: str, values: Any) -> list[str]:
    return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]


_STEP = re.compile(
    r"^\W*(?P<how>Seq|Index|Index Only|Bitmap Heap) Scan(?: Backward)?(?: using (?P<index>\w+))? on (?P<table>\w+)",
    re.MULTILINE,
)
_OF_BITMAP = re.compile(r"Bitmap Index Scan on (?P<index>\w+)")


def _explained_by_postgresql(connection: Connection, statement: str, values: Any) -> list[str]:
    """A table that is nearly empty is read whole by PostgreSQL, whatever indexes it has: it is told not to."""
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    plan = "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", values))
    bitmaps = [found["index"] for found in _OF_BITMAP.finditer(plan)]
    steps: list[str] = []
    for found in _STEP.finditer(plan):
        index = found["index"] or (bitmaps.pop(0) if found["how"].startswith("Bitmap") else "")
        steps.append(f"SEARCH {found['table']} USING INDEX {index}" if index else f"SCAN {found['table']}")
    return steps


def address_of(seat: str) -> str:
    """The address of the player who holds that seat."""
    return f"{seat.lower().replace(' ', '')}@players.test"


def message_of(mail: Outbox) -> EmailMessage:
    """A queued mail, parsed."""
    return _parsed(mail.raw)


def body_of(mail: Outbox) -> str:
    """The plain text of a queued mail."""
    return _text_of(mail.raw)


def html_of(mail: Outbox) -> str:
    """The HTML of a queued mail."""
    part = _parsed(mail.raw).get_body(("html",))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")


_PROOF = re.compile(
    rb"(Content-Type: text/plain; charset=utf-8; name=[^\r\n]+\r\nContent-Transfer-Encoding: )base64(\r\n[^\r\n]+\r\n\r\n)"
    rb"([A-Za-z0-9+/=\r\n]+?)(?=\r\n--)"
)


def opened(raw: bytes) -> bytes:
    """A mail with the files of its proofs as they read, for who changes something in them, and with its lines whole."""

    def read(part: re.Match[bytes]) -> bytes:
        lines = base64.b64decode(part[3]).rstrip(b"\n").replace(b"=\n", b"=\0\n").replace(b"\n", b"\r\n")
        return part[1] + b"8bit" + part[2] + lines + (b"\0" if lines.endswith(b"=") else b"")

    # Heads and signatures may end with "=", too, and the lines of a header.
    header, blank, body = raw.partition(b"\r\n\r\n")
    return header + _PROOF.sub(read, blank + body).replace(b"=\r\n", b"").replace(b"=\0", b"=")


def text_of(mail: Outbox) -> str:
    """All that a mail says to who looks for what it proves: its body, and the files beside it."""
    return f"{body_of(mail)}\n{proof_of(mail)}"


def last_proof(world: "World", seat: str, kind: str = "acknowledgement") -> str:
    """What goes beside the last mail of a kind to a seat."""
    return proof_of(world.outbox(kind, seat)[-1])


def proof_of(mail: Outbox) -> str:
    """The text of the files with proofs beside a queued mail."""
    return "\n".join(proofs_in(_parsed(mail.raw)))


@lru_cache(maxsize=200)
def _text_of(raw: bytes) -> str:
    part = _parsed(raw).get_body(("plain",))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")


def _parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


__all__ = ["ADDRESS", "BEGIN", "NAMES", "Line", "World", "address_of", "body_of", "message_of", "settings_in"]

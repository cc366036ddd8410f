"""A desk without mail servers: letters are put into its mailbox, mails are taken from its outbox, and its clock stands still
until it is moved."""

import email
import email.policy
import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import read_mailbox
from pbmd.desk.mail.pictures import pictures_of, with_pictures
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.database import migrate, open_engine, sqlite_url
from pbmd.ledger.tables import Outbox
from pbmd.post.imap.fetched import Fetched, Watermark
from pbmd.rules.protocol import Ruleset
from pbmd.settings import Imap, Limits, Server, Settings, Smtp

DOMAIN = "play.invalid"
"""RFC 2606: nobody can have such an address."""
BEGINS_AT = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
"""A Monday. The same for all games, so that a game depends on its seed alone."""
_KEY = hashlib.sha256(b"pbmd play").digest()
"""Of tokens that protect nothing: whoever plays has all seats."""
_LEDGER = "ledger.sqlite"
_MANY = 100_000
_SECOND = timedelta(seconds=1)


class Moment(NamedTuple):
    """A desk at an instant: the bytes of its ledger, its clock, and how far chance and mailbox had come."""

    ledger: bytes
    now: datetime
    drawn: int
    letters: int


class LocalMailbox:
    """The letters that were delivered and not read yet, as an inbox gives them (`pbmd.desk.ingest.LetterSource`)."""

    def __init__(self, delivered: int = 0) -> None:
        self.delivered = delivered
        self._new: list[Fetched] = []

    def deliver(self, raw: bytes, at: datetime) -> None:
        """A letter arrives."""
        self.delivered += 1
        self._new.append(Fetched(1, self.delivered, at.replace(microsecond=0), len(raw), raw, truncated=False))

    def scan(self, watermark: Watermark, *, careful: bool = False) -> Iterator[Sequence[Fetched]]:  # noqa: ARG002 – an inbox's
        """The new letters."""
        new, self._new = self._new, []
        if new:
            yield new

    def tidy(self, uids: Sequence[int], uidvalidity: int) -> None:
        """Nothing is left here that could be tidied."""


class LocalDesk:
    """See the module; `close` it when it is no longer used. `mine` are the seats that people play: nobody looks at the maps of
    others."""

    def __init__(self, folder: Path, rules: Mapping[str, Ruleset[Any]], seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.now, self.drawn = BEGINS_AT, 0
        self.mine: tuple[str, ...] = ()
        self.troubles: list[BaseException] = []
        self.mailbox = LocalMailbox()
        migrate(self._address)
        self.desk = self._open(rules)

    def close(self) -> None:
        """Give the ledger back."""
        self.desk.engine.dispose()

    def use(self, rules: Mapping[str, Ruleset[Any]]) -> None:
        """Play on by these rules: positions are read anew from their documents."""
        self.close()
        self.desk = self._open(rules)

    def write(self, raw: bytes) -> None:
        """Deliver a letter a second after whatever came last, and have the desk deal with it."""
        self.now += _SECOND
        self.mailbox.deliver(raw, self.now)
        self.work()

    def pass_time(self, until: datetime) -> None:
        """Let the clock come to an instant, if it is not past it, and have the desk do what is due."""
        self.now = max(self.now, until) + _SECOND
        self.work()

    def work(self) -> None:
        """One round of the daemon's work."""
        read_mailbox(self.desk, self.mailbox)
        process_letters(self.desk)
        advance_games(self.desk)

    def last_mail(self) -> int:
        """The number of the last mail in the outbox."""
        with Transaction(self.desk, reads=True) as work:
            return work.session.exec(select(func.max(Outbox.id))).one() or 0

    def bring_up_to_date(self) -> None:
        """Give the ledger the tables of this version. Raises as `migrate` does."""
        self.desk.engine.dispose()
        migrate(self._address)

    def mails(self, after: int, *addresses: str) -> list[tuple[str, EmailMessage]]:
        """The mails to these addresses after the one with that number, each with its kind, as they would go out."""
        of_them = (col(Outbox.id) > after, col(Outbox.recipient).in_(addresses))
        with Transaction(self.desk, reads=True) as work:
            mails = work.session.exec(select(Outbox).where(*of_them).order_by(col(Outbox.id))).all()
            pictures = pictures_of(work.session.connection(), [mail.key for mail in mails])
            return [(mail.kind, _message(with_pictures(mail.raw, pictures[mail.key]))) for mail in mails]

    def moment(self) -> Moment:
        """How all is now."""
        with closing(sqlite3.connect(self.folder / _LEDGER)) as ledger:
            return Moment(ledger.serialize(), self.now, self.drawn, self.mailbox.delivered)

    def restore(self, moment: Moment) -> None:
        """Have all as it was then."""
        rules = self.desk.rules
        self.close()
        for beside in self.folder.glob(f"{_LEDGER}-*"):
            beside.unlink()
        (self.folder / _LEDGER).write_bytes(moment.ledger)
        self.now, self.drawn, self.mailbox = moment.now, moment.drawn, LocalMailbox(moment.letters)
        self.desk = self._open(rules)

    @property
    def _address(self) -> str:
        return sqlite_url(self.folder / _LEDGER)

    def _open(self, rules: Mapping[str, Ruleset[Any]]) -> Desk:
        return Desk(
            engine=open_engine(self._address),
            settings=_settings(self.folder),
            key=_KEY,
            now=lambda: self.now,
            steady=lambda: (self.now - BEGINS_AT).total_seconds(),
            boot="play",
            entropy=self._entropy,
            rules=rules,
            troubled=self.troubles.append,
            shows_map=lambda seat: seat in self.mine,
        )

    def _entropy(self, size: int) -> bytes:
        """Random bytes that depend on the seed and on how many were drawn before."""
        self.drawn += 1
        return hashlib.shake_256(f"{self.seed}/{self.drawn}".encode()).digest(size)


def _settings(folder: Path) -> Settings:
    """Settings whose servers are never asked. Nothing of the environment, nor of a file, gets into them: a game that is played
    here must not end up in somebody's ledger."""
    limits = {"answers_per_hour": _MANY, "answers_per_day": _MANY, "previews_per_hour": _MANY}
    return Settings.model_construct(
        server=Server.model_validate({"address": f"games@{DOMAIN}", "gm": f"gm@{DOMAIN}", "data": folder}),
        imap=Imap.model_validate({"host": "localhost", "user": "games", "clock_tolerance_seconds": 0}),
        smtp=Smtp.model_validate({"host": "localhost"}),
        limits=Limits.model_validate(limits),
    )


def letter(sender: str, to: str, subject: str, text: str, answers: str = "") -> EmailMessage:
    """A letter as a player's program would write it."""
    written = EmailMessage()
    written["From"], written["To"], written["Subject"] = sender, to, subject
    if answers:
        written["In-Reply-To"] = answers
    written.set_content(text)
    return written


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    body = mail.get_body(("plain",))
    return body.get_content().replace("\r\n", "\n") if body else ""


def _message(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, policy=email.policy.default)

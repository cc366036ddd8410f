"""A whole game by mail on this machine: a local post office, the daemon, and players who write as real players do.

Nothing is short-cut: orders go in by SMTP and are read from IMAP, reports come back the same way. The players' only
privilege is that they know the rules by heart: their orders come from the ruleset's random player.
"""

import mailbox
import shutil
import smtplib
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from html import escape
from pathlib import Path

import tomli_w
from imapclient import IMAPClient
from sqlmodel import col, func, select

from pbmd.daemon.threads import Daemon
from pbmd.demo.office import LocalOffice
from pbmd.desk.acts import new_game
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.work import Work
from pbmd.desk.game.transaction import changing_games
from pbmd.ledger.tables import GameStatus, Letter, LogLine, Outbox
from pbmd.rules.dice import HmacDice
from pbmd.rules.protocol import Signup
from pbmd.settings import Settings, read_settings

GAME = "demo"
DOMAIN = "demo.test"
SEATS = ("Altair", "Borealis", "Cygnus", "Deneb")
RULESET = "galactic_overlord"
TURN_LIMIT = 40
GIVE_UP_SECONDS = 300


class DemoStuck(RuntimeError):
    """The demo game did not come to its end in time: a defect, since it always should."""


@dataclass(frozen=True)
class Played:
    """What the demo left behind, and how the game ended."""

    folder: Path
    turns: int
    outcome: str
    letters: int
    mails: int


@dataclass
class DemoPlayer:
    """Somebody with a mailbox who answers every report. `style` tells how they write their mails."""

    seat: str
    style: str
    office: LocalOffice
    box: mailbox.mbox
    client: IMAPClient = field(init=False)
    last_uid: int = 0
    told_the_end: bool = False

    def __post_init__(self) -> None:
        self.client = IMAPClient(self.office.host, port=self.office.imap_port, ssl=False, timeout=10)
        self.client.login(self.address.partition("@")[0], self.office.password)
        self.client.select_folder("INBOX")

    @property
    def address(self) -> str:
        """Where the player gets mail."""
        return f"{self.seat.lower()}@{DOMAIN}"

    def new_mails(self) -> Iterator[EmailMessage]:
        """What has come since the last look, read over IMAP; a copy of each is kept in the player's mbox."""
        self.client.noop()
        uids = [uid for uid in self.client.search(f"UID {self.last_uid + 1}:*") if uid > self.last_uid]
        for uid in sorted(uids):
            raw = self.client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
            assert isinstance(raw, bytes)
            self.last_uid = uid
            self.box.add(raw)
            message = message_from_bytes(raw, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.told_the_end |= "the game is over" in str(message["Subject"])
            yield message

    def close(self) -> None:
        """Log out and put the mbox on disk."""
        self.client.logout()
        self.box.close()


def play(folder: Path, show: Callable[[LogLine], None], seed: int = 1) -> Played:
    """Play the demo game in `folder`, which is emptied first; `show` gets each line of the dashboard log as it comes.

    Raises `DemoStuck`, or `OfficeError` without the extra ``demo``.
    """
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "mail").mkdir(parents=True)
    with ExitStack() as stack:
        office = stack.enter_context(LocalOffice(DOMAIN, ["games", "gm", *(seat.lower() for seat in SEATS)]))
        desk = open_desk(_settings(folder, office))
        stack.callback(desk.engine.dispose)
        _make_game(desk)
        stack.enter_context(_running(Daemon(desk)))
        styles = ("reply", "html", "form", "reply")
        players = [
            DemoPlayer(seat, style, office, mailbox.mbox(folder / "mail" / f"{seat.lower()}.mbox"))
            for seat, style in zip(SEATS, styles, strict=True)
        ]
        for player in players:
            stack.callback(player.close)
        _play_on(desk, players, show, seed)
        return _played(desk, folder)


def _settings(folder: Path, office: LocalOffice) -> Settings:
    """A settings file like any GM's, so that all commands work on what the demo leaves behind."""
    content = {
        "server": {"address": f"games@{DOMAIN}", "gm": f"gm@{DOMAIN}", "data": "."},
        "imap": {
            "host": office.host,
            "port": office.imap_port,
            "tls": "none",
            "user": "games",
            "password": office.password,
            "poll_seconds": 5,
            "clock_tolerance_seconds": 0,
        },
        "smtp": {"host": office.host, "port": office.smtp_port, "tls": "none"},
        "limits": {"answers_per_hour": 1000, "answers_per_day": 1000},  # its players are programs, and in a hurry
        "game": {"deadline": "12s", "reminders": ["5s"]},
    }
    file = folder / "pbmd.toml"
    file.write_text(tomli_w.dumps(content), encoding="utf-8")
    return read_settings(file)


def _make_game(desk: Desk) -> None:
    with changing_games(desk) as work:
        table = new_game.create_game(work, GAME, RULESET, desk.settings.game, {"turn_limit": TURN_LIMIT})
        for seat in SEATS:
            new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(f"{seat.lower()}@{DOMAIN}", seat))
        new_game.start_game(work, table)


@contextmanager
def _running(daemon: Daemon) -> Generator[None]:
    thread = threading.Thread(target=daemon.run, name="pbmd")
    thread.start()
    try:
        yield
    finally:
        daemon.stop()
        thread.join()


def _play_on(desk: Desk, players: list[DemoPlayer], show: Callable[[LogLine], None], seed: int) -> None:
    shown = 0
    give_up = time.monotonic() + GIVE_UP_SECONDS
    # The game is over when everybody has the last report in their mailbox.
    while not all(player.told_the_end for player in players):
        for player in players:
            for message in player.new_mails():
                _answer(desk, player, message, seed)
        shown = _show_new(desk, show, shown)
        if time.monotonic() > give_up:
            raise DemoStuck(f"the demo game is not over after {GIVE_UP_SECONDS} s")
        time.sleep(0.02)
    _show_new(desk, show, shown)


def _answer(desk: Desk, player: DemoPlayer, message: EmailMessage, seed: int) -> None:
    """Answer a report with orders; Deneb forgets turn 2 altogether, and Borealis begins with a slip of the pen."""
    body = message.get_body(("plain",))
    text = body.get_content() if body else ""
    if "ORDER FORM" not in text:
        return
    with Work(desk, reads=True) as work:
        table = work.table_named(GAME)
        assert table is not None
        if table.game.status is GameStatus.FINISHED or player.seat not in table.ruleset.awaiting(table.position):
            return
        turn = table.game.turn
        dice = HmacDice(seed.to_bytes(8, "big"), f"{player.seat} {turn}".encode())
        orders = table.ruleset.random_orders(table.position, player.seat, dice)
    if player.seat == "Deneb" and turn == 2:
        return
    if player.seat == "Borealis" and turn == 1:
        orders += "\nBiuld 2 Laserfrigates"
    _send(player, message, _written(player, message, text, orders), orders)


def _written(player: DemoPlayer, message: EmailMessage, text: str, orders: str) -> str:
    """The plain text of the answer: above the quoted report, or within the quoted order form."""
    quoted = [f"> {line}" for line in text.splitlines()]
    if player.style == "form":
        end = next(number for number, line in enumerate(quoted) if line.startswith("> #end"))
        return "\n".join([*quoted[:end], *(f"> {line}" for line in orders.splitlines()), *quoted[end:]])
    return f"{orders}\n\nOn {message['Date']}, {GAME} wrote:\n" + "\n".join(quoted)


def _send(player: DemoPlayer, answered: EmailMessage, text: str, orders: str) -> None:
    reply = EmailMessage()
    reply["From"] = f"{player.seat} <{player.address}>"
    reply["To"] = answered["Reply-To"]
    reply["Subject"] = f"Re: {answered['Subject']}"
    reply["Message-ID"] = make_msgid(domain=DOMAIN)
    reply["In-Reply-To"] = answered["Message-ID"]
    if player.style == "html":
        lines = "".join(f"<div>{escape(line)}</div>" for line in orders.splitlines())
        reply.set_content(f"<html><body>{lines}<div>-- <br>sent with <b>love</b></div></body></html>", subtype="html")
    else:
        reply.set_content(text)
    with smtplib.SMTP(player.office.host, player.office.smtp_port, timeout=10) as smtp:
        smtp.send_message(reply)


def _show_new(desk: Desk, show: Callable[[LogLine], None], shown: int) -> int:
    with Work(desk, reads=True) as work:
        for line in work.session.exec(select(LogLine).where(col(LogLine.id) > shown).order_by(col(LogLine.id))):
            show(line)
            shown = line.id or shown
    return shown


def _played(desk: Desk, folder: Path) -> Played:
    with Work(desk, reads=True) as work:
        table = work.table_named(GAME)
        assert table is not None
        outcome = table.ruleset.outcome(table.position)
        letters = work.session.exec(select(func.count()).select_from(Letter)).one()
        mails = work.session.exec(select(func.count()).select_from(Outbox)).one()
        return Played(folder, table.game.step, outcome.reason if outcome else "", letters, mails)

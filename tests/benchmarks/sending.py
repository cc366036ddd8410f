"""1,000 queued reports into a local Postfix over one connection, against smtplib with the same mails ready in memory."""

import os
import smtplib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.sending.sender import send_due
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox, OutboxState
from pbmd.post.smtp.client import Smtp
from pbmd.settings import read_settings
from tests.benchmarks.estate import dovecot, scratch, write_settings
from tests.benchmarks.measure import NotMeasured, Result, columns, in_turn, seconds
from tests.mailservers import DOMAIN, Dovecot, Postfix, running_postfix

MAILS = int(os.environ.get("BENCH_MAILS", "1000"))
READERS = 20
PATIENCE_SECONDS = 120
GOAL = 1 / 0.9
"""At least 0.9 of smtplib's rate: at most so much of its time."""


def measure(repeats: int) -> list[Result]:
    """The time until all mails are accepted and their rows say so. Deliveries of the run before are waited for."""
    with scratch() as folder, dovecot() as server, _postfix(server) as postfix:
        trial = _Trial(folder, server, postfix)
        trial.desk(), trial.plain()
        ours, theirs = columns(list(in_turn(repeats, trial.desk, trial.plain)))
    note = f"{trial.size / 1000:.1f} KB each; every row marked before and after, durably; Postfix delivers to Dovecot meanwhile"
    against = "smtplib, sendmail() in a loop"
    return [Result("send", f"{MAILS:,} queued reports into Postfix", against, "s", GOAL, ours, theirs, note)]


@contextmanager
def _postfix(server: Dovecot) -> Iterator[Postfix]:
    try:
        with running_postfix(server) as postfix:
            yield postfix
    except pytest.skip.Exception as reason:
        raise NotMeasured(str(reason)) from None


@dataclass
class _Trial:
    folder: Path
    server: Dovecot
    postfix: Postfix
    runs: int = 0
    size: float = 0.0

    def desk(self) -> float:
        """pbmd sends what is queued in a fresh ledger."""
        desk, _ = self._queued()
        account = desk.settings.smtp_account()
        took = seconds(lambda: send_due(desk, lambda: Smtp(account)))
        with Transaction(desk, reads=True) as work:
            states = work.session.exec(select(Outbox.state)).all()
        assert states == [OutboxState.SENT] * MAILS
        desk.engine.dispose()
        self._delivered()
        return took

    def plain(self) -> float:
        """smtplib sends the same bytes."""
        desk, ready = self._queued()
        desk.engine.dispose()
        sender = desk.settings.server.address

        def send() -> None:
            with smtplib.SMTP("127.0.0.1", self.postfix.smtp_port) as smtp:
                for recipient, raw in ready:
                    smtp.sendmail(sender, [recipient], raw)

        took = seconds(send)
        self._delivered()
        return took

    def _queued(self) -> tuple[Desk, list[tuple[str, bytes]]]:
        """A ledger with so many mails in its outbox, and the mails."""
        self.runs += 1
        place = self.folder / str(self.runs)
        place.mkdir()
        file = write_settings(place, self.server.imap_port, "games", self.postfix.smtp_port)
        desk = open_desk(read_settings(file))
        text = "\n".join(f"{number:4}  Base {number} of Altair has 12 Laserfrigates and a shield." for number in range(60))
        with changing_games(desk) as work:
            for number in range(MAILS):
                draft = Draft("report", f"report {self.runs} {number}", f"[pbmd galaxy-7 t{number}] report", text)
                mail_to(work, f"bench{self.runs}r{number % READERS}@{DOMAIN}", draft)
        with Transaction(desk, reads=True) as work:
            ready = list(work.session.exec(select(Outbox.recipient, Outbox.raw).order_by(col(Outbox.id))))
        self.size = sum(len(raw) for _, raw in ready) / len(ready)
        os.sync()
        return desk, ready

    def _delivered(self) -> None:
        """Wait until Postfix has passed on every mail, so that no run works beside the deliveries of another."""
        ends = time.monotonic() + PATIENCE_SECONDS
        homes = [self.server.base / "mail" / f"bench{self.runs}r{number}" / "new" for number in range(READERS)]
        while sum(len(os.listdir(home)) for home in homes if home.exists()) < MAILS:
            assert time.monotonic() < ends, "Postfix has not delivered all mails"
            time.sleep(0.1)

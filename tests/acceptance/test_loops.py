"""Two real daemons, each of which takes the other for a player who need only show an address: they fall silent."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from sqlmodel import Session, col, select

from pbmd.daemon.threads import Daemon
from pbmd.demo.office import LocalOffice
from pbmd.desk.books.desk import utc_now
from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Letter, LogLine, Outbox, OutboxState
from pbmd.rules.protocol import Signup
from pbmd.settings import Imap, Server, Smtp
from pbmd.terms.terms import Terms
from tests.desk.world import World

PATIENCE_SECONDS = 300.0
QUIET_SECONDS = 3.0
NAMES = ("one", "two")
WRITTEN_BY_HAND = (b"from", b"to", b"date", b"mime-version", b"content-type", b"content-transfer-encoding")
MARKS = (b"auto-submitted", b"precedence", b"return-path", b"x-", b"list-")


def untouched(raw: bytes) -> bytes:
    """A relay that does what it should."""
    return raw


def without_marks(raw: bytes) -> bytes:
    """A relay that takes away all that says that a program wrote the mail."""
    return filtered(raw, lambda name: not name.startswith(MARKS))


def as_by_hand(raw: bytes) -> bytes:
    """A relay that leaves nothing but what a person's new mail has: no ids, no references, no subject that names a game."""
    return filtered(raw, lambda name: name in WRITTEN_BY_HAND)


def filtered(raw: bytes, keeps: Callable[[bytes], bool]) -> bytes:
    """The mail with the header fields of these names."""
    head, _, body = raw.partition(b"\r\n\r\n")
    fields = head.replace(b"\r\n ", b" ").replace(b"\r\n\t", b" ").split(b"\r\n")
    kept = [each for each in fields if keeps(each.partition(b":")[0].lower())]
    return b"\r\n".join(kept) + b"\r\n\r\n" + body


@dataclass
class Relay:
    """Between the two: passes on every mail to its post office, as `change` makes it, and counts."""

    offices: dict[str, LocalOffice]
    change: Callable[[bytes], bytes]
    passed: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    deliveries: list[threading.Thread] = field(default_factory=list)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Every mail has one recipient."""
        (recipient,) = envelope.rcpt_tos
        with self.lock:
            self.passed.append(recipient.partition("+")[0])
        name = recipient.partition("@")[2].partition(".")[0]
        if name in self.offices:
            delivery = threading.Thread(
                target=self.offices[name].deliver,
                args=(recipient, self.change(envelope.content)),
                kwargs={"sender": "x@y.test"},
            )
            self.deliveries.append(delivery)
            delivery.start()
        return "250 OK"

    def finish(self) -> None:
        """Wait for what is on its way."""
        for delivery in self.deliveries:
            delivery.join()


class OnAnyPort(Controller):
    """An SMTP server on a port that is free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def house(folder: Path, name: str, other: str, office: LocalOffice, smtp_port: int) -> World:
    """A desk with a game in which the other pbmd has a seat, and somebody else the second."""
    folder.mkdir()
    world = World(folder)
    base = {"host": "127.0.0.1", "tls": "none"}
    settings = world.desk.settings.model_copy(
        update={
            "server": Server(address=f"games@{name}.test", gm=f"gm@{name}-gm.test", data=folder),
            "imap": Imap(
                **base, port=office.imap_port, user="games", password="demo", poll_seconds=1, clock_tolerance_seconds=0
            ),
            "smtp": Smtp(**base, port=smtp_port),
        }
    )
    world.desk = replace(world.desk, now=utc_now, settings=settings, key=name.encode().ljust(32, b"k"))
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work, f"game-{name}", "count", Terms(trust="open", early=False), {"target": 1000, "die": False}
        )
        new_game.add_seat(work, table, Signup("Altair"), new_game.Newcomer(f"games@{other}.test", ""))
        new_game.add_seat(work, table, Signup("Borealis"), new_game.Newcomer("borealis@players.test", ""))
        new_game.start_game(work, table)
    return world


@contextmanager
def two_daemons(folder: Path, change: Callable[[bytes], bytes]) -> Iterator[tuple[World, World, Relay]]:
    """Both run for the time of the block."""
    with ExitStack() as stack:
        offices = {name: stack.enter_context(LocalOffice(f"{name}.test", ["games"])) for name in NAMES}
        relay = Relay(offices, change)
        stack.callback(relay.finish)  # before the offices close
        controller = OnAnyPort(relay, hostname="127.0.0.1", port=0)
        controller.start()
        stack.callback(controller.stop)
        one, two = (
            stack.enter_context(closing(house(folder / name, name, other, offices[name], controller.port)))
            for name, other in (NAMES, NAMES[::-1])
        )
        for world in (one, two):
            daemon = Daemon(world.desk)
            thread = threading.Thread(target=daemon.run)
            thread.start()
            stack.callback(thread.join, PATIENCE_SECONDS)
            stack.callback(daemon.stop)
        yield one, two, relay


def rows(world: World, kind: type[Any], *conditions: Any) -> list[Any]:
    with Session(reading(world.desk.engine), expire_on_commit=False) as session:
        return list(session.exec(select(kind).where(*conditions).order_by(col(kind.id))))


def wait_until_the_rates_count(worlds: tuple[World, ...]) -> None:
    """Until each has held back a mail."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while not all(rows(world, LogLine, col(LogLine.what) == "brake") for world in worlds):
        assert time.monotonic() < ends, "no mail was held back"
        time.sleep(0.1)


def wait_for_silence(worlds: tuple[World, ...]) -> None:
    """Until nothing has been sent and nothing has come for some seconds."""
    ends, last, since = time.monotonic() + PATIENCE_SECONDS, (), time.monotonic()
    while time.monotonic() < ends:
        now = tuple((len(rows(world, Letter)), len(rows(world, Outbox))) for world in worlds)
        waiting = [
            row
            for world in worlds
            for row in (*rows(world, Letter, col(Letter.state) == "new"), *rows(world, Outbox))
            if unsent(row)
        ]
        if now != last or waiting:
            last, since = now, time.monotonic()
        elif all(letters for letters, _ in now) and time.monotonic() - since > QUIET_SECONDS:
            return
        time.sleep(0.1)
    raise AssertionError(f"they never fell silent: {last}")


def unsent(row: Any) -> bool:
    return not isinstance(row, Outbox) or row.state is not OutboxState.SENT


def to_the_other(world: World) -> list[Outbox]:
    """What a daemon has sent to the other."""
    return [mail for mail in rows(world, Outbox) if mail.recipient in {f"games@{name}.test" for name in NAMES}]


@pytest.mark.parametrize("change", [untouched, without_marks])
def test_two_daemons_pointed_at_each_other_fall_silent_within_two_mails(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    with two_daemons(tmp_path, change) as (one, two, _):
        wait_for_silence((one, two))
        for world in (one, two):
            assert [mail.kind for mail in to_the_other(world)] == ["report"], "the first report, and no answer to the other's"
            (letter,) = rows(world, Letter)
            assert "not answered" in letter.note
            assert [line.detail for line in rows(world, LogLine) if line.what == "letter"]


def test_though_a_relay_leaves_nothing_that_could_tell_the_rates_end_it(tmp_path: Path) -> None:
    with two_daemons(tmp_path, as_by_hand) as (one, two, _):
        wait_until_the_rates_count((one, two))
        wait_for_silence((one, two))
        for world in (one, two):
            kinds = [mail.kind for mail in to_the_other(world)]
            # The first report, ten answers, a word that there are no more, and one that another history was told.
            assert len(kinds) <= 1 + 10 + 1 + 1
            assert kinds.count("notice") <= 1
            assert kinds.count("silence") <= 1
            assert kinds.count("acknowledgement") >= 1, "else nothing was proved"

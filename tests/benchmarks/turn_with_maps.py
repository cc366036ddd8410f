"""A turn of twelve players of Cosmic Conquest through the desk, with maps: how long the desk is busy with it, how soon a letter
of another game is answered meanwhile, and what is kept of it."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from sqlmodel import col, select

from pbmd.daemon.heartbeat import work_pass
from pbmd.desk.books.desk import mailbox_name, open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.ingest import store
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import change_games
from pbmd.desk.upkeep.sizes import sizes
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.tables import Game, Mailbox, Outbox, OutboxState, StepRecord
from pbmd.post.imap.fetched import Fetched
from pbmd.post.tags import plus_address
from pbmd.rendering.drawing_pool import Studio, processes_here
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.protocol import Signup
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from rulesets.cosmic_conquest import ruleset
from tests.benchmarks.estate import ROOT, scratch, write_settings
from tests.benchmarks.measure import Result

PLAYERS = 12
BUSY_MS, ANSWER_MS, KEPT_MB = 150.0, 100.0, 0.3
_COUNT = ROOT / "tests" / "rules" / "count"
_LETTER = "From: {address}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <{uid}@players.test>\r\n\r\n{text}\r\n"


def measure(repeats: int) -> list[Result]:
    """By the processor's time of the desk's process, the clock on the wall, and the ledger after all mails were dropped."""
    with scratch() as folder:
        hall = _Hall(folder)
        try:
            hall.turn()
            before = hall.kept()
            turns = [hall.turn() for _ in range(repeats)]
            kept = (hall.kept() - before) / repeats
        finally:
            hall.desk.studio.stop()
            hall.desk.engine.dispose()
    busy, answers = zip(*turns, strict=True)
    drawn = f"{PLAYERS} players with random orders; maps are drawn by {processes_here()} processes beside the desk"
    what = f"a turn of {PLAYERS} of Cosmic Conquest with maps"
    return [
        Result("turn12", f"{what}: the desk is busy", "an amount", "ms", BUSY_MS, busy, note=drawn),
        Result(
            "turn12 letter", "a letter of another game is answered meanwhile", "an amount", "ms", ANSWER_MS, answers, note=drawn
        ),
        Result("turn12 kept", f"{what}: bytes kept of it", "an amount", "MB", KEPT_MB, (kept / 1e6,), note="after pbmd tidy"),
    ]


class _Hall:
    """A game of twelve and one of two, with a clock of their own."""

    def __init__(self, folder: Path) -> None:
        self.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
        self.uid = 0
        self.drawn = Event()
        settings = read_settings(write_settings(folder, 143, "games")).model_copy(update={"rulesets": (_COUNT,)})
        clock: Callable[[], datetime] = lambda: self.now  # noqa: E731
        begin = self.now
        self.desk = replace(
            open_desk(settings),
            now=clock,
            steady=lambda: (self.now - begin).total_seconds(),
            studio=Studio(processes_here(), on_done=self.drawn.set),
        )
        self.large = self._start("large", "cosmic_conquest", PLAYERS)
        self.small = self._start("small", "count", 2)

    def _start(self, name: str, slug: str, players: int) -> dict[str, tuple[str, str]]:
        """A game; gives each seat's address and the one its player writes to."""

        def start(work: Transaction) -> dict[str, tuple[str, str]]:
            table = new_game.create_game(work, name, slug, Terms(deadline="3d", reminders=(), second_thought="0m"), {})
            signups: list[Signup] = []
            for number in range(players):
                sample = table.ruleset.sample_signup
                options = complete(table.ruleset.info.options, {})
                signups.append(sample(signups, options) if sample else Signup(f"Player {number}"))
                new_game.add_seat(work, table, signups[-1], new_game.Newcomer(f"p{number}@{name}.test", ""))
            new_game.start_game(work, table)
            address = self.desk.settings.server.address
            return {seat.name: (seat.address, plus_address(address, seat_tag(work, seat))) for seat in table.seats}

        return change_games(self.desk, start)

    def turn(self) -> tuple[float, float]:
        """A turn of the large game, in milliseconds: how long the desk is busy with it, and until a letter that comes meanwhile
        has its answer in the outbox."""
        self.now += timedelta(minutes=5)
        with Transaction(self.desk, reads=True) as work:
            table = work.table_named("large")
            assert table is not None
            position, step, chance = table.position, table.game.step, HmacDice(b"orders", str(table.game.step).encode())
        for seat in ruleset.awaiting(position):
            self._arrive(*self.large[seat], "\r\n".join(ruleset.random_orders(position, seat, chance).splitlines()))
        process_letters(self.desk)
        self.now += timedelta(days=4)  # some random orders may be refused, so that their player misses the turn
        self._read()
        cpu = time.process_time()
        self._pass()
        self._arrive(*next(iter(self.small.values())), f"Add {step + 1}")
        written = time.perf_counter()
        process_letters(self.desk)
        answered = time.perf_counter() - written
        while not self._resolved(step):
            assert self.drawn.wait(60), "the maps are not drawn after a minute"
            self.drawn.clear()
            self._pass()
        return 1000 * (time.process_time() - cpu), 1000 * answered

    def _pass(self) -> None:
        work_pass(self.desk, mail_waits=lambda: None)

    def _resolved(self, step: int) -> bool:
        with Transaction(self.desk, reads=True) as work:
            of_game = select(StepRecord.id).join(Game).where(Game.name == "large", StepRecord.step == step)
            return work.session.exec(of_game).first() is not None

    def _read(self) -> None:
        with Transaction(self.desk) as work:
            work.session.exec(select(Mailbox)).one().read_through = self.now

    def _arrive(self, address: str, to: str, text: str) -> None:
        self.uid += 1
        raw = _LETTER.format(address=address, to=to, uid=self.uid, text=text).encode()
        store(self.desk, mailbox_name(self.desk), [Fetched(1, self.uid, self.now, len(raw), raw, truncated=False)])

    def kept(self) -> int:
        """The bytes of the ledger when all mails of former turns were sent long ago."""
        with Transaction(self.desk) as work:
            for mail in work.session.exec(select(Outbox).where(col(Outbox.state) == OutboxState.QUEUED)):
                mail.state, mail.sent_at = OutboxState.SENT, self.now
        later = self.now + timedelta(days=self.desk.settings.server.outbox_days + 1)
        tidy(replace(self.desk, now=lambda: later), rest=lambda _: None)
        told = sizes(self.desk)
        return told.whole - told.free

"""What a turn costs besides its rules: load, resolve, keep the books, render and queue the reports."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from sqlmodel import select

from pbmd.desk.books.desk import Desk, mailbox_name, open_desk
from pbmd.desk.changes import new_game
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Mailbox
from pbmd.post.imap.fetched import Fetched
from pbmd.post.tags import plus_address
from pbmd.rules.protocol import Signup
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from tests.benchmarks.estate import ROOT, scratch, write_settings
from tests.benchmarks.measure import Result, columns, in_turn, seconds

GAMES = 50
SEATS = ("Ada", "Bob")
_RULESET = ROOT / "tests" / "rules" / "count"
_LETTER = "From: {address}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <{uid}@players.test>\r\n\r\nAdd 1\r\n"


def measure(repeats: int) -> list[Result]:
    """Turns of a ruleset that only adds numbers, in milliseconds a game."""
    with scratch() as folder:
        hall = _Hall(folder)
        try:
            hall.turn()
            took, bare = columns(list(in_turn(repeats, hall.turn, hall.commits)), 1000 / GAMES)
        finally:
            hall.desk.engine.dispose()
    note = f"{GAMES} games of {len(SEATS)} players, one transaction on disk each; text and HTML reports for both and the public"
    note += f"; of this, a transaction that changes one row costs {median(bare):.1f} ms on this disk"
    return [Result("turn", "turn with trivial rules", "an amount", "ms a game", 5.0, took, note=note)]


class _Hall:
    """Games of the tests' counting ruleset, with a clock of their own."""

    def __init__(self, folder: Path) -> None:
        self.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
        self.uid = 0
        settings = read_settings(write_settings(folder, 143, "games")).model_copy(update={"rulesets": (_RULESET,)})
        clock: Callable[[], datetime] = lambda: self.now  # noqa: E731
        self.desk: Desk = replace(open_desk(settings), now=clock)
        self.writers = [writer for number in range(GAMES) for writer in self._start(f"g{number}")]

    def _start(self, name: str) -> list[tuple[str, str]]:
        """A game; gives each player's address and the one they write to."""
        with changing_games(self.desk) as work:
            table = new_game.create_game(work, name, "count", Terms(second_thought="0m"), {"target": 1000})
            for seat in SEATS:
                new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(f"{seat.lower()}@{name}.test", ""))
            new_game.start_game(work, table)
            address = self.desk.settings.server.address
            return [(seat.address, plus_address(address, seat_tag(work, seat))) for seat in table.seats]

    def turn(self) -> float:
        """All players send their orders, then the clock resolves all games: the seconds of that."""
        self.now += timedelta(minutes=5)
        letters = [self._letter(*writer) for writer in self.writers]
        store(self.desk, mailbox_name(self.desk), letters)
        process_letters(self.desk)
        self.now += timedelta(minutes=5)
        with changing_games(self.desk) as work:
            work.session.exec(select(Mailbox)).one().read_through = self.now
        resolved = 0

        def advance() -> None:
            nonlocal resolved
            resolved = advance_games(self.desk)

        took = seconds(advance)
        assert resolved == GAMES, f"{resolved} of {GAMES} games were resolved"
        return took

    def commits(self) -> float:
        """As many transactions as a turn of all games has, that only change a row: the seconds of that."""

        def commit() -> None:
            for _ in range(GAMES):
                with changing_games(self.desk) as work:
                    box = work.session.exec(select(Mailbox)).one()
                    box.last_uid += 1

        return seconds(commit)

    def _letter(self, address: str, to: str) -> Fetched:
        self.uid += 1
        raw = _LETTER.format(address=address, to=to, uid=self.uid).encode()
        return Fetched(1, self.uid, self.now, len(raw), raw, truncated=False)

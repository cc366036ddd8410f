"""What a letter costs the processor: from its bytes to whose it is and what its orders are worth, with nothing written."""

import gc
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage

from pbmd.daemon.heartbeat import seldom_look_for_garbage
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.desk.letter.opened_letter import Sender
from pbmd.desk.letter.sender import identify
from pbmd.post.read.letter import Limits, read_letter
from pbmd.rules.protocol import Line, Mail, Status
from pbmd.settings import read_settings
from tests.benchmarks.estate import scratch, start_games, write_settings
from tests.benchmarks.letters import Player, letters
from tests.benchmarks.measure import Result, columns, cpu_seconds

LETTERS = 3_000
GAMES = 20
GOAL = 0.38
"""What 250 µs are, which were the goal as long as it was an amount, where the yardstick takes 650 µs."""


def measure(repeats: int) -> list[Result]:
    """The processor's time for a letter: read, its sender's seat found by token, its eight order lines checked by the rules.

    All orders are new to the rules in each repeat. The yardstick reads the same mails down to their text, and no further.
    """
    with scratch() as folder:
        settings = write_settings(folder, 143, "nobody")
        players = start_games(settings, GAMES)
        desk = open_desk(read_settings(settings))
        try:
            _, *amounts = [_amounts(desk, players, seed) for seed in range(10, 11 + repeats)]
        finally:
            desk.engine.dispose()
    ours, theirs = columns(amounts, 1_000_000 / LETTERS)
    note = f"{GAMES} games of 6 players, letters in random order, 8 order lines each, none of them seen before"
    what = "a letter read, its sender proved, its orders checked"
    return [Result("letter", what, "the standard library's email reads its text", "µs", GOAL, ours, theirs, note)]


def _amounts(desk: Desk, players: Sequence[Player], seed: int) -> tuple[float, float]:
    """Seconds of the processor for all letters: ours, and the yardstick's."""
    batch = [letter.replace(b"\n", b"\r\n") for letter in letters(players, LETTERS, seed)]
    with Transaction(desk, reads=True) as work:
        gc.collect()
        seldom_look_for_garbage()
        return cpu_seconds(lambda: _check_all(work, batch)), cpu_seconds(lambda: [_text(raw) for raw in batch])


def _text(raw: bytes) -> str:
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain", "html"))
    assert isinstance(body, EmailMessage)
    return body.get_content()


def _check_all(work: Transaction, batch: Sequence[bytes]) -> None:
    for place, raw in enumerate(batch):
        _check(work, raw, place)


def _check(work: Transaction, raw: bytes, place: int) -> None:
    letter = read_letter(raw, Limits(message_bytes=1_000_000))
    sender = identify(work, letter)
    assert isinstance(sender, Sender)
    script = PLAYERS.read(Line(line.number, line.text) for line in letter.lines)
    receipt = sender.table.ruleset.receive(sender.table.position, Mail(sender.seat.name, script.orders, (place, place)))
    assert receipt.filed
    assert not any(verdict.status is Status.ERROR for verdict in receipt.verdicts)
    work.move(sender.table, receipt.position)

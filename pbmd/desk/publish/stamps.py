"""Heads of journals stamped by an outside service, with the command from the settings: outside any transaction, and in nobody's
way. Failures are retried, the game master gets an alarm, and no game waits for it."""

import os
import selectors
import signal
import subprocess
import tempfile
import time
from datetime import timedelta

from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.tables import STAMP_WAITS, Game
from pbmd.ledger.tables import Stamp as StampRow
from pbmd.settings import Stamp

AT_ONCE = 10
"""How many are requested in one go, so that the thread gets round to its other work."""
_PAUSES = (timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), *[timedelta(days=1)] * 7)
"""The pauses before each further try; after the last of them it is given up."""
_CHUNK = 1 << 16


class NoStamp(Exception):
    """The command did not give a proof; the message says why, without anything that it printed."""


@despite_unreadable
def stamp_due(desk: Desk) -> int:
    """Have what is due stamped, and return how many proofs were received."""
    setting = desk.settings.stamp
    if not setting.command:
        return 0
    with Transaction(desk, reads=True) as work:
        due = select(StampRow.id, StampRow.note).where(STAMP_WAITS, col(StampRow.next_try_at) <= work.now)
        waiting = work.session.exec(due.order_by(col(StampRow.id)).limit(AT_ONCE)).all()
    came = 0
    for number, note in waiting:
        try:
            proof, trouble = proof_of(note, setting), ""
        except NoStamp as problem:
            proof, trouble = b"", str(problem)
        came += bool(proof)
        _note(desk, number or 0, proof, trouble)
    return came


def _note(desk: Desk, number: int, proof: bytes, trouble: str) -> None:
    with Transaction(desk) as work:
        row = work.session.get(StampRow, number)
        if row is None or row.next_try_at is None:
            return  # another process has done it meanwhile
        row.proof, row.tries = proof, row.tries + 1
        game = work.session.get(Game, row.game_id)
        told = f"entry {row.entry} of {game.name if game else '-'}"
        if proof:
            row.next_try_at = None
            all_clear(work, "stamp", f"{told} has its proof")
            return
        left = _PAUSES[row.tries - 1 : row.tries]
        row.next_try_at = work.now + left[0] if left else None
        alarm(work, "stamp", f"{told}: {trouble}{'' if left else '; it is given up'}")


def proof_of(note: str, setting: Stamp) -> bytes:
    """What the command makes of a checkpoint. It gets no shell, and is ended, with everything that it has started, when it
    takes too long or prints too much. Raises `NoStamp`."""
    with tempfile.TemporaryFile() as said:
        said.write(note.encode())
        said.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - the command is the administrator's own setting
                setting.command, stdin=said, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except (OSError, ValueError) as problem:
            raise NoStamp(f"{setting.command[0]} cannot be run: {getattr(problem, 'strerror', None) or problem}") from None
    with process:
        try:
            proof = _printed(process, setting)
            code = process.wait(1)
        except subprocess.TimeoutExpired:
            raise NoStamp(f"{setting.command[0]} did not end within {setting.seconds} s") from None
        finally:
            _end(process)
    if code:
        raise NoStamp(f"{setting.command[0]} ended with exit code {code}")
    if not proof:
        raise NoStamp(f"{setting.command[0]} has printed nothing")
    return proof


def _printed(process: "subprocess.Popen[bytes]", setting: Stamp) -> bytes:
    """Everything that it prints, up to the limits. Raises `NoStamp` and `subprocess.TimeoutExpired`."""
    assert process.stdout is not None
    until, most, printed = time.monotonic() + setting.seconds, setting.kilobytes * 1000, bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if not ready.select(left):
                continue
            piece = os.read(process.stdout.fileno(), _CHUNK)
            if not piece:
                return bytes(printed)
            printed += piece
            if len(printed) > most:
                raise NoStamp(f"{setting.command[0]} has printed more than {setting.kilobytes} kB")
    raise subprocess.TimeoutExpired(setting.command[0], setting.seconds)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it, and what it has started: it leads a session of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()  # it has ended, or what is left belongs to somebody else

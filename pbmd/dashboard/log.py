"""``data/dashboard.log``: one aligned line an event, made from the log lines of the ledger.

The lines are numbered as in the ledger, and the number of the last one written is read from the file itself. So each line
is written once, whether the process was killed, the file rotated away in between, or the daemon and a command of the GM
write at the same time.
"""

import fcntl
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from pbmd.ledger.database import reading
from pbmd.ledger.tables import LogLine

_TAIL_BYTES = 4096
_BATCH = 1000
# Control characters and line breaks would let one event look like another.
_PRINTABLE = dict.fromkeys((*range(32), 127, 0x85, 0x2028, 0x2029), " ")


def format_line(line: LogLine) -> str:
    """Number, UTC time, game, turn, what, seat, detail; columns by two blanks or more."""
    fields = (
        f"{line.id:>7}",
        line.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        f"{line.game:<16}",
        f"{line.turn:<5}",
        f"{line.what:<10}",
        f"{line.seat:<20}",
        line.detail,
    )
    return "  ".join(fields).translate(_PRINTABLE).rstrip()


def write_new_lines(engine: Engine, path: Path) -> int:
    """Append the lines that the file does not have yet and give their number. Raises `OSError`."""
    written = 0
    with _one_writer(path):
        last = _last_number(path)
        while lines := _lines_after(engine, last):
            # Opened for each batch: a rotated file is simply begun anew.
            with path.open("a", encoding="utf-8") as file:
                file.writelines(format_line(line) + "\n" for line in lines)
            last = lines[-1].id or last
            written += len(lines)
    return written


@contextmanager
def _one_writer(path: Path) -> Generator[None]:
    """Keep other threads and processes from finding the same last number. The log itself may be rotated away while it is
    held, so what is locked is a file beside it."""
    with path.with_name(path.name + ".lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _lines_after(engine: Engine, number: int) -> list[LogLine]:
    with Session(reading(engine), expire_on_commit=False) as session:
        statement = select(LogLine).where(col(LogLine.id) > number).order_by(col(LogLine.id)).limit(_BATCH)
        return list(session.exec(statement))


def _last_number(path: Path) -> int:
    """The number of the last whole line, in the file or in the one rotated away last."""
    candidates: Iterable[Path] = (path, path.with_name(path.name + ".1"))
    for candidate in candidates:
        if number := _number_at_end(candidate):
            return number
    return 0


def _number_at_end(path: Path) -> int:
    try:
        with path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - _TAIL_BYTES))
            tail = file.read()
            if tail and not tail.endswith(b"\n"):
                # Cut short by a crash or a full disk: the line is written again, whole.
                tail = tail[: tail.rfind(b"\n") + 1]
                file.truncate(max(0, end - _TAIL_BYTES) + len(tail))
    except FileNotFoundError:
        return 0
    last = tail.rstrip(b"\n").rpartition(b"\n")[2].split()
    return int(last[0]) if last and last[0].isdigit() else 0

"""``data/dashboard.log``: one aligned line an event, made from the log lines of the ledger.

The lines are numbered as in the ledger, and the number of the last one written is read from the file itself, or from those
that it was rotated away to. So each line is written once, whether the process was killed or the file moved in between.
"""

import fcntl
import gzip
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from pbmd.ledger.database import reading
from pbmd.ledger.tables import LogLine

_TAIL_BYTES = 8192
"""More than the longest line and a cut one behind it, in UTF-8."""
_DETAIL_CHARS = 400
_BATCH = 1000


def printable(text: str) -> str:
    """Text from outside as it may be shown in a line of a file or a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def format_line(line: LogLine) -> str:
    """Number, UTC time, game, turn, what, seat, detail; columns by two blanks or more, which no column has within."""
    fields = (
        f"{line.id:>7}",
        line.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        f"{_plain(line.game):<16}",
        f"{_plain(line.turn):<5}",
        f"{_plain(line.what):<10}",
        f"{_plain(line.seat):<20}",
        _plain(line.detail),
    )
    return "  ".join(fields).rstrip()


def write_new_lines(engine: Engine, path: Path) -> int:
    """Append the lines that the file does not have yet and give their number. Raises `OSError`."""
    with _only_one_writer(path.parent):
        written = 0
        last = _last_number(path)
        while lines := _lines_after(engine, last):
            # Opened for each batch: a rotated file is simply begun anew.
            with path.open("a", encoding="utf-8") as file:
                file.writelines(format_line(line) + "\n" for line in lines)
            last = lines[-1].id or last
            written += len(lines)
        return written


def _plain(text: str) -> str:
    """One line, each run of blanks one blank: whatever else was in it could make one event look like another."""
    shown = " ".join(printable(text).split())
    return shown if len(shown) <= _DETAIL_CHARS else shown[: _DETAIL_CHARS - 1] + "…"


@contextmanager
def _only_one_writer(folder: Path) -> Generator[None]:
    """The threads of the daemon and the GM's commands take turns: two that looked at the same last line would write twice."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _lines_after(engine: Engine, number: int) -> list[LogLine]:
    with Session(reading(engine), expire_on_commit=False) as session:
        statement = select(LogLine).where(col(LogLine.id) > number).order_by(col(LogLine.id)).limit(_BATCH)
        return list(session.exec(statement))


def _last_number(path: Path) -> int:
    """The number of the last whole line, in the file or in those beside it that it was rotated away to."""
    if number := _mended_end(path):
        return number
    rotated = (other for other in path.parent.glob(path.name + "*") if other != path)
    return max((_number_in(_tail(other)) for other in rotated), default=0)


def _mended_end(path: Path) -> int:
    """The last number in the file, after taking away a line that a crash or a full disk cut short: it is written again."""
    try:
        tail = _tail(path)
    except FileNotFoundError:
        return 0
    if tail and not tail.endswith(b"\n"):
        whole = tail[: tail.rfind(b"\n") + 1]
        os.truncate(path, path.stat().st_size - len(tail) + len(whole))
        tail = whole
    return _number_in(tail)


def _tail(path: Path) -> bytes:
    if path.suffix == ".gz":
        with gzip.open(path) as packed:
            return packed.read()[-_TAIL_BYTES:]
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        return file.read()


def _number_in(tail: bytes) -> int:
    last = tail.rstrip(b"\n").rpartition(b"\n")[2].split()
    return int(last[0]) if last and last[0].isdigit() else 0

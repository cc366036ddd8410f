"""``data/dashboard.log``: one aligned line for each event, made from the log lines of the ledger; beside it, for programs,
``dashboard.jsonl`` with the same lines as JSON.

The lines are numbered as in the ledger, and the number of the last one written is read from the file itself, or from those
that it was rotated away to. So each line is written once, whether the process was killed or the file moved in between.
"""

import gzip
import json
import os
import re
import stat
import zlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, func, select

from pbmd.files import one_at_a_time
from pbmd.ledger.database import reading
from pbmd.ledger.tables import LogLine

_TAIL_BYTES = 8192
"""More than the longest line and a truncated one after it, in UTF-8."""
_DETAIL_CHARS = 400
_BATCH = 1000
_NUMBER = re.compile(rb'(?:\{"number":)?\s*(\d{1,18})(?!\d)')
"""How a line of either file begins. No number has more digits than a database takes."""


def printable(text: str) -> str:
    """Text from outside, made safe for a line of a file or a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def format_line(line: LogLine) -> str:
    """Number, UTC time, game, turn, what, seat, detail; separated by two blanks or more, which no column contains."""
    fields = (
        f"{line.id:>7}",
        _written(line),
        f"{_plain(line.game):<16}",
        f"{_plain(line.turn):<5}",
        f"{_plain(line.what):<10}",
        f"{_plain(line.seat):<20}",
        _with_cause(line),
    )
    return "  ".join(fields).rstrip()


def json_line(line: LogLine) -> str:
    """The same as one JSON object: number, time, game, turn, what, seat, detail, cause; null for what is missing."""
    turn = line.turn.removeprefix("t")
    told = {
        "number": line.id,
        "time": _written(line),
        "game": _named(line.game),
        "turn": int(turn) if turn.isdigit() else None,
        "what": _plain(line.what),
        "seat": _named(line.seat),
        "detail": _plain(line.detail),
        "cause": _plain(line.cause or "") or None,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def twin(path: Path) -> Path:
    """The file with the same lines as JSON."""
    return path.with_suffix(".jsonl")


def unwritable(path: Path) -> str:
    """Why lines cannot be written to the file or its twin; empty if they can, as far as that shows beforehand."""
    for file in (path, twin(path)):
        try:
            is_regular, written_to = stat.S_ISREG(file.stat().st_mode), file
        except FileNotFoundError:
            is_regular, written_to = True, file.parent
        if not is_regular:
            return f"{file} is no regular file"  # writing to a pipe could wait for ever
        if not os.access(written_to, os.W_OK):
            return f"{file} may not be written to"
    return ""


def trouble_with(path: Path) -> str:
    """Why lines cannot be written to the file or its twin, also if that only shows when what is there is read; empty if they
    can."""
    try:
        return unwritable(path) or _read_both(path)
    except OSError as problem:
        return f"{problem.filename or path}: {problem.strerror or problem}"


def _read_both(path: Path) -> str:
    with one_at_a_time(path.parent):  # an end that somebody else has spoiled is mended, and no line may be half written then
        for file in (path, twin(path)):
            last_number(file)
    return ""


def write_new_lines(engine: Engine, path: Path) -> int:
    """Append to the file and its twin the lines that each does not have yet, and return how many were new to the file. Raises
    `OSError`."""
    if problem := unwritable(path):
        raise OSError(problem)
    # The threads of the daemon and the GM's commands take turns: two that saw the same last line would write twice.
    with one_at_a_time(path.parent):
        newest = _newest(engine)
        _append(engine, twin(path), json_line, newest)
        return _append(engine, path, format_line, newest)


def append_line(path: Path, what: str, detail: str, at: datetime) -> None:
    """Append a line that is not in the ledger, because that cannot be written to; it gets the number of the line before it.
    Raises `OSError`."""
    with one_at_a_time(path.parent):
        for file, written in ((twin(path), json_line), (path, format_line)):
            line = LogLine(id=last_number(file), at=at, game="-", turn="-", what=what, seat="-", detail=detail)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(written(line) + "\n")


def _append(engine: Engine, path: Path, written: Callable[[LogLine], str], newest: int) -> int:
    count = 0
    last = last_number(path, newest)
    while last < newest and (lines := _lines_after(engine, last)):
        # Opened for each batch, so a rotated file simply starts again.
        with path.open("a", encoding="utf-8") as file:
            file.writelines(written(line) + "\n" for line in lines)
        last = lines[-1].id or last
        count += len(lines)
    return count


def _written(line: LogLine) -> str:
    return line.at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _named(name: str) -> str | None:
    return None if name == "-" else _plain(name)


def _plain(text: str, most: int = _DETAIL_CHARS) -> str:
    """One line, with each run of white space as one blank: anything else could make one event look like another."""
    shown = " ".join(printable(text).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _with_cause(line: LogLine) -> str:
    """The detail, followed by what the line rests on, unless the detail says so itself."""
    cause = _plain(line.cause or "", _DETAIL_CHARS // 2)
    if not cause or re.search(rf"\b{re.escape(cause)}\b", line.detail):
        return _plain(line.detail)
    return f"{_plain(line.detail, _DETAIL_CHARS - len(cause) - 3)} ({cause})".lstrip()


def _lines_after(engine: Engine, number: int) -> list[LogLine]:
    with Session(reading(engine), expire_on_commit=False) as session:
        statement = select(LogLine).where(col(LogLine.id) > number).order_by(col(LogLine.id)).limit(_BATCH)
        return list(session.exec(statement))


def _newest(engine: Engine) -> int:
    with Session(reading(engine)) as session:
        return session.exec(select(func.max(LogLine.id))).one() or 0


_ANY_NUMBER = 10**18


def last_number(path: Path, most: int = _ANY_NUMBER) -> int:
    """The number of the last whole line, in the file or in those beside it that it was rotated away to; 0 if there is none.
    Lines with a higher number than `most`, and those without any, are none that pbmd has written: they do not count. Raises
    `OSError`."""
    if number := _mended_end(path, most):
        return number
    rotated = (other for other in path.parent.glob(path.name + "*") if other != path and other.is_file())
    return max((_number_in(_tail(other), most) for other in rotated), default=0)


def _mended_end(path: Path, most: int) -> int:
    """The last number in the file, after removing a line that a crash or a full disk cut short: it is written again."""
    try:
        tail = _tail(path)
    except FileNotFoundError:
        return 0
    if tail and not tail.endswith(b"\n"):
        whole = tail[: tail.rfind(b"\n") + 1]
        os.truncate(path, path.stat().st_size - len(tail) + len(whole))
        tail = whole
    return _number_in(tail, most)


def _tail(path: Path) -> bytes:
    if path.suffix == ".gz":
        try:
            with gzip.open(path) as packed:
                return packed.read()[-_TAIL_BYTES:]
        except (gzip.BadGzipFile, EOFError, zlib.error):  # it is cut off or spoiled: nobody can say what was in it
            return b""
    # Python's files ask the system more, and this is done each minute.
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(file, _TAIL_BYTES, max(0, os.fstat(file).st_size - _TAIL_BYTES))
    finally:
        os.close(file)


def _number_in(tail: bytes, most: int) -> int:
    """Of the last line that has one. The first line of a tail may have lost its beginning."""
    lines = tail.splitlines()[len(tail) >= _TAIL_BYTES :]
    numbers = (int(found[1]) for line in reversed(lines) if (found := _NUMBER.match(line.lstrip())))
    return next((number for number in numbers if number <= most), 0)

"""What SQLite says when it comes upon damage, whatever was being done: it is no defect of a letter or a game, and nothing gets
better by trying again."""

import sqlite3

from sqlalchemy.exc import OperationalError

_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_TEXT = "Could not decode to UTF-8"
"""What Python's driver says of a text that is none, without a code. The text itself stands behind it."""


class DamagedLedger(Exception):
    """A ledger that is not whole; the message says what was found. It has no values of rows in it."""


class UnreadableText(ValueError):
    """A text in a row that is none (no UTF-8): of that row, and nobody else's."""


class UnfitLedger(Exception):
    """A database that cannot be used as a ledger, or not as it is: `told` says why, and `mend` what to do."""

    def __init__(self, told: str, mend: str) -> None:
        super().__init__(f"{told}: {mend}")
        self.told, self.mend = told, mend


UNUSABLE = (OperationalError, DamagedLedger)
"""What a transaction raises when the ledger cannot be used, just now or at all: not because of what it was to do."""


def damage_told(problem: BaseException | None) -> DamagedLedger | UnreadableText | None:
    """What was found, if this is what SQLite says when it comes upon a page, or a file, that cannot be right, or upon a text
    that is none; else None."""
    if not isinstance(problem, sqlite3.DatabaseError):
        return None
    if str(problem).startswith(_NO_TEXT):
        return UnreadableText("a text in the ledger is none (no UTF-8)")
    # The lowest byte is the primary code, those above it say more (https://sqlite.org/rescode.html).
    code = getattr(problem, "sqlite_errorcode", 0)
    return DamagedLedger(f"SQLite says: {problem}") if code & 0xFF in _CODES else None


def said_by(problem: BaseException) -> str:
    """What a driver's error says, in a line. PostgreSQL adds lines of its own in which the values of rows stand: not these."""
    told = getattr(getattr(problem, "diag", None), "message_primary", None) or str(problem)
    return " ".join(told.partition("\nDETAIL:")[0].split())

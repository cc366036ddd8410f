"""What SQLite reports when it comes across damage, whatever was being done. It is not the fault of a letter or a game, and
trying again does not help."""

import sqlite3

from sqlalchemy.exc import OperationalError

_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_TEXT = "Could not decode to UTF-8"
"""What Python's driver says, without a code, of bytes that are not text. The bytes themselves follow."""


class DamagedLedger(Exception):
    """A damaged ledger; the message says what was found, and quotes no values of rows."""


class UnreadableText(ValueError):
    """A text in a row that is not UTF-8. Only that row is affected."""


class UnfitLedger(Exception):
    """A database that cannot be used as a ledger, or not in its present state: `told` says why, and `mend` what to do."""

    def __init__(self, told: str, mend: str) -> None:
        super().__init__(f"{told}: {mend}")
        self.told, self.mend = told, mend


UNUSABLE = (OperationalError, DamagedLedger)
"""What a transaction raises when the ledger cannot be used, now or ever, whatever the transaction was about."""


def damage_told(problem: BaseException | None) -> DamagedLedger | UnreadableText | None:
    """What was found, if this is how SQLite reports a page or a file that cannot be right, or bytes that are not text; else
    None."""
    if not isinstance(problem, sqlite3.DatabaseError):
        return None
    if str(problem).startswith(_NO_TEXT):
        return UnreadableText("a text in the ledger is none (no UTF-8)")
    # The lowest byte is the primary code, those above it say more (https://sqlite.org/rescode.html).
    code = getattr(problem, "sqlite_errorcode", 0)
    return DamagedLedger(f"SQLite says: {problem}") if code & 0xFF in _CODES else None


def said_by(problem: BaseException) -> str:
    """The first line of a driver's error. PostgreSQL adds lines that quote the values of rows: those are left out."""
    told = getattr(getattr(problem, "diag", None), "message_primary", None) or str(problem)
    return " ".join(told.partition("\nDETAIL:")[0].split())

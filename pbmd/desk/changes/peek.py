"""PEEK: the game master, who normally sees no orders and no private reports, looks at those of a seat. Everybody is told at
once."""

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.notice import GM, Notice, sealed_cause, tell
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.step.on_file import sheet_on_file
from pbmd.ledger.entries.master_entries import PeekedEntry
from pbmd.ledger.tables import Report, Seat
from pbmd.rendering.entry_notices import notices_of
from pbmd.rendering.notice_sentences import SEEN_ORDERS


def note_peek(work: Transaction, table: OpenGame, seat: Seat, words: str, reason: str = "") -> None:
    """Record that the game master has looked at something of a seat's: in the journal, the log, and a mail to all players."""
    entry = PeekedEntry(turn=table.game.turn, seat=seat.name, reason=reason, sealed=sealed_cause(work))
    number = work.journal(table, entry)
    work.log("peeked", table, seat.name, reason)
    headline = notices_of(entry)[0].headline
    key = f"notice {table.id} {number}"
    tell(work, table, table.seats, Notice(key, headline, words, reason, short=f"{GM} looked at {seat.name}'s orders"))


def peek(work: Transaction, table: OpenGame, seat: Seat, reason: str = "") -> str:
    """What a seat has on file and its last report; with a record in the journal, the log, and a mail to all players. Raises
    `Refused`."""
    must_have_begun(table)
    note_peek(work, table, seat, SEEN_ORDERS.format(seat=seat.name), reason)
    sheet = sheet_on_file(table, seat)
    kept = select(Report.text).where(Report.game_id == table.id, Report.reader == f"seat:{seat.number}")
    report = work.session.exec(kept.order_by(col(Report.step).desc()).limit(1)).first() or ""
    orders = (
        "no orders are in"
        if sheet is None
        else "\n".join(f"  {line}" for line in sheet.lines) or "  (none: it does nothing this turn)"
    )
    return f"ORDERS\n\n{orders}\n\nREPORT\n\n{report.strip()}"

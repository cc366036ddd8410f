"""ARCHIVE of somebody without a seat: the archive of a game that they have watched, as everybody may know it."""

from sqlmodel import col, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.archive_requests import request_archive
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import render
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.ledger.tables import Visitor, VisitorKind
from pbmd.post.addresses import folded

NOT_THEIRS = (
    "ARCHIVE brings the archive of a game that you watch, when it is over: ARCHIVE galaxy-7. You watch no game of that name."
)


def archive(work: Transaction, arrived: Arrived, command: Command, _plays: bool) -> str:
    """The answer is the same for a game that is not watched by its writer and for one that does not exist."""
    table = work.table_named(command.words.get("game", ""))
    sentence = NOT_THEIRS
    if table is not None:
        watching = select(Visitor).where(Visitor.game_id == table.id, col(Visitor.kind) == VisitorKind.WATCH)
        found = next((row for row in work.session.exec(watching) if folded(row.address) == folded(arrived.letter.sender)), None)
        sentence = NOT_THEIRS if found is None else request_archive(work, table, visitor_id=found.id or 0)
    text = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
    answer_visitor(work, arrived.letter, arrived.id, "the archive", text)
    return ""

"""ARCHIVE: the archive of a game that is over, as a seat may know it."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.archive_requests import request_archive
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.tags import page_link


def archive(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """ARCHIVE, or ARCHIVE with the name of the game."""
    name = sender.table.game.name
    if command.words.get("game", name).lower() != name:
        answer.remark(f"ARCHIVE: this mail is about {name}. For that of another game reply to a mail of that one.")
        return
    is_linked = bool(page_link(work, sender.seat))
    answer.remark(request_archive(work, sender.table, seat_id=sender.seat.id or 0, is_linked=is_linked))

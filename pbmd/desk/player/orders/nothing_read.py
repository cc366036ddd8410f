"""What is said of a letter without a line of orders or commands: where else they stand, or that nothing was changed."""

from collections.abc import Mapping

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.subject_line import command_in_subject, orders_in_subject
from pbmd.desk.letter.unread_orders import orders_in_quotes, quoted_orders_told
from pbmd.desk.player.orders.beside_orders import LINES_NOT_READ
from pbmd.desk.step.on_file import sheet_on_file
from pbmd.post.lines.command_text import SheetBack
from pbmd.post.read.attached_files import A_MAIL

NO_LINE = (
    (
        "Your mail had no line with an order or a command, so nothing was changed. "
        "If you want to give no orders this turn, send the single line ORDERS."
    ),
    "NOT TAKEN: no order in your mail",
)
ORDERS_IN_SUBJECT = (
    "Orders in the subject are not read: write them into the mail, one a line.",
    "NOT READ: orders in the subject",
)
_COMMAND_IN_SUBJECT = (
    "A command in the subject is not read: write it into the mail, on a line of its own.",
    "NOT READ: a command in the subject",
)
_AS_THEY_WERE = "Your orders are what they were.", "your orders are what they were"
_AS_IT_WAS = "Your move is what it was.", "your move is what it was"
_NOT_ON_FILE = (
    (
        "Your mail says nothing beside a list of ours that is of an earlier turn, or of a mail that was not taken, so nothing "
        "was changed; you have no orders in now. If you mean that list, send it alone in a new mail, from mark to mark."
    ),
    "nothing was changed; no orders are in",
)
NOTHING_CHANGED = (_AS_THEY_WERE, _AS_IT_WAS, _NOT_ON_FILE)
"""What is said where a list of ours came back as it was."""
_OF_LISTS: Mapping[SheetBack, tuple[str, str]] = {
    "changed in a quote": (
        (
            "The list of your orders was changed inside a quote, where it is not read, so nothing was changed. Please send it "
            "again without quote marks (>) before its lines, from mark to mark."
        ),
        "NOT READ: a list changed in a quote",
    ),
    "emptied": (
        (
            "No line in the list of your mail counts: all are gone, or have a # before them. Nothing was changed. Take the # "
            "away from each line that you mean; to cancel all your orders, send CANCEL ORDERS on a line of its own."
        ),
        "the list is empty: nothing was changed",
    ),
    "of another seat": (
        (
            "The list in your mail was not sent to your seat, so it is not read, and nothing was changed. If you want to give "
            "the same orders, send them without the marks above and below them."
        ),
        "NOT READ: a list of another seat",
    ),
}
"""What is said of a mail that has nothing but such a list, and in its subject."""


def said_instead(work: Transaction, sender: Sender, arrived: Arrived) -> tuple[str, str] | None:
    """What is said of a letter in which nobody wrote a line that is one of orders or commands, and what its subject says of
    that: that orders stand elsewhere in it, or that the sheet on file came back as it was; None if it is neither."""
    table, seat, letter, arrival = sender.table, sender.seat, arrived.letter, arrived.arrival
    sheet = sheet_on_file(table, seat)
    if quoted := orders_in_quotes(table, seat.name, letter.left_out, arrival, frozenset(sheet.lines if sheet else ())):
        return quoted_orders_told(quoted)
    if orders_in_subject(sender, arrived):
        return ORDERS_IN_SUBJECT
    if command_in_subject(work, sender, arrived):
        return _COMMAND_IN_SUBJECT
    if found := _OF_LISTS.get(letter.sheet):
        return found
    if letter.sheet == "as it was" and sheet is None:
        return _NOT_ON_FILE
    if letter.sheet == "as it was":
        return _AS_IT_WAS if table.ruleset.sequential else _AS_THEY_WERE
    return None


_FILE_UNREAD = (
    (
        "Your mail had no line with an order or a command, and a file sent along with it is not read, so nothing was changed. "
        "Write your orders into the mail itself, one a line."
    ),
    "NOT READ: an attached file",
)


def file_unread(arrived: Arrived) -> tuple[str, str] | None:
    """What is said of a letter that has no line to be read, but a file that cannot be; pictures are of signatures, and what is
    said of mails sent along stands elsewhere."""
    files = [file for file in arrived.letter.files if not file.type.startswith("image/")]
    return _FILE_UNREAD if any(file.unread not in ("", A_MAIL) for file in files) else None


def say_of_no_line(instead: tuple[str, str] | None, answer: Answer) -> None:
    """Say of a mail that no line of it is read, or that its orders stand elsewhere; nothing if all of it stands below a
    condition, which is said."""
    sentence, short = instead or NO_LINE
    answer.short = f"NOT TAKEN: {answer.unread}" if answer.unread else short
    if instead or answer.unread in ("", LINES_NOT_READ):
        answer.remark(sentence)

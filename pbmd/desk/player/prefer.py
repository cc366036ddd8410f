"""PREFER: another list of seats, until the game begins."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.openings import places
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.ledger.tables import GameStatus
from pbmd.rules.protocol import Refused
from pbmd.terms.terms import ASKED


def prefer(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """PREFER, alone or behind JOIN."""
    table, seat = sender.table, sender.seat
    try:
        if table.terms.seating == ASKED:
            raise Refused(f"in {table.game.name} seats go to who asks for them first, and you have {seat.name}")
        if table.game.status is not GameStatus.SIGNUP:
            raise Refused(f"the seats of {table.game.name} have been given, and you have {seat.name}")
        text = command.words.get("seats", "").strip()
        ranks = places.list_in(table, text)
        if not text:
            raise Refused(f"say which, like PREFER {places.example(table)}, or PREFER ANY")
    except Refused as refusal:
        answer.refuse("PREFER", refusal)
        return
    places.prefer(work, table, seat, ranks)
    answer.remark(places.list_words(table, seat))

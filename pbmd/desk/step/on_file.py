"""The orders that are on file: which they are, when they arrived, how they are shown."""

from datetime import timedelta

from pbmd.desk.books.transaction import OpenGame, compact_json
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.ledger.tables import Seat
from pbmd.rules import sheets
from pbmd.rules.protocol import Sheet, Verdict
from pbmd.rules.words import listing
from pbmd.terms.times import EPOCH, describe_time


def sheet_on_file(table: OpenGame, seat: Seat) -> Sheet | None:
    """The orders in force of a seat in this step."""
    return sheets.sheet_of(table.ruleset.sheets(table.position), seat.name) if table.position is not None else None


def digest_of(sheet: Sheet) -> str:
    """The digest in a receipt of this sheet (hex)."""
    return sheets.digest([sheet]).hex()


def sent_words(table: OpenGame) -> str:
    """Who has sent orders in this step, as far as the game's terms let players know. In sequential games everybody knows who
    has moved, and a move that waits is nobody else's business."""
    if table.terms.who_has_sent == "nothing" or table.ruleset.sequential:
        return ""
    sent = sheets.seats_with_orders(table.ruleset, table.position)
    # Names in the order of the seats: the order of arrival is nobody's business.
    names = [seat.name for seat in table.seats if seat.name in sent]
    count = f"{len(names)} of {len(names) + len(awaited(table))}"
    return f"{listing(names)} ({count})" if table.terms.who_has_sent == "names" and names else count


def sent_sentence(table: OpenGame) -> str:
    """The same in a sentence."""
    words = sent_words(table)
    if words.startswith("0 of "):
        return "Nobody has sent orders yet."
    has = "has" if words.rpartition("(")[2].startswith("1 of ") else "have"
    players = "" if words.endswith(")") else " player" if words.endswith(" of 1") else " players"
    return f"{words}{players} {has} sent orders." if words else ""


def arrival_words(sheet: Sheet, seat: Seat) -> str:
    """When the sheet arrived, as shown to the seat's holder."""
    return describe_time(EPOCH + timedelta(microseconds=sheet.arrival[0]), seat.timezone, seconds=True)


def shown_number(table: OpenGame, number: int | None) -> int | None:
    """The receipt's number as far as the terms let a player see it: numbers would let them count what others send."""
    return None if table.terms.who_has_sent == "nothing" else number


def written_verdicts(verdicts: tuple[Verdict, ...]) -> str:
    """The verdicts as stored in the ledger: what the rules said, without our hints, so that it can be recomputed."""
    return compact_json([[verdict.line, verdict.status.value, verdict.text, verdict.message] for verdict in verdicts])

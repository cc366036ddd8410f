"""How large the ledger is, and what makes it up."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.upkeep.sizes import sizes
from pbmd.ledger.tables import packed


def stored_bytes(raw: bytes) -> int:
    """How many bytes a mail has in the ledger, where it is compressed."""
    return len(packed(raw))


def test_what_makes_up_the_ledger_is_told_in_bytes(running):
    running.send("Altair", "Add 3")
    with Transaction(running.desk) as work:
        work.log("set", detail="Größe, 5 €")
    told = sizes(running.desk)
    assert told.whole > sum(told.parts.values())
    assert told.parts["letters"] == sum(stored_bytes(letter.raw) for letter in running.letters()) > 0
    assert told.parts["mails"] == sum(stored_bytes(mail.raw) for mail in running.outbox()) > 0
    assert told.parts["log"] == sum(len(text.encode()) for line in running.log() for text in (line.detail, line.cause))

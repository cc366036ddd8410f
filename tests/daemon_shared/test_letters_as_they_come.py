"""What a mail server or a writer may send, PostgreSQL keeps as SQLite does."""

from collections.abc import Callable

import pytest

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.ingest import store
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import LetterState, Mailbox, Sighting
from pbmd.post.imap.fetched import Fetched
from tests.desk.world import World

LARGEST = 2**32 - 1
"""Of a UID or UIDVALIDITY: RFC 3501, section 2.3.1.1."""


def test_letters_with_the_largest_numbers_that_imap_has_are_stored(new_desk: Callable[[], World]) -> None:
    world = new_desk()
    world.count()
    raw = world.letter("Altair", "Add 2")
    store(world.desk, mailbox_name(world.desk), [Fetched(LARGEST, LARGEST, world.now, len(raw), raw, truncated=False)])
    assert [letter.uid for letter in world.letters()] == [LARGEST]
    assert [(box.uidvalidity, box.last_uid) for box in world.rows(Mailbox)] == [(LARGEST, LARGEST)]
    assert [(seen.uidvalidity, seen.uid) for seen in world.rows(Sighting)] == [(LARGEST, LARGEST)]


@pytest.mark.parametrize("where", ["From", "To", "Subject", "References", "In-Reply-To", "Message-ID", "body"])
def test_a_letter_with_a_nul_in_it_is_dealt_with(new_desk: Callable[[], World], where: str) -> None:
    world = new_desk()
    world.count()
    fields = {"From": "a@players.test", "To": "games@pbmd.test", "Message-ID": "<1@players.test>", where: _NUL.get(where, "")}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if name != "body")
    world.arrive(f"{head}\r\nSIGNUP gal\0axy-7\r\nNAME a\0b\r\n".encode())
    process_letters(world.desk)
    assert [letter.state for letter in world.letters()] == [LetterState.DONE]
    assert world.log("alarm") == []


_NUL = {
    "From": "a\0b@players.test",
    "To": "Alt\0air <games+a\0b@pbmd.test>, a\0b@players.test",
    "Subject": "a\0b [pbmd a\0b]",
    "References": "<a\0b@pbmd.test>",
    "In-Reply-To": "<a\0b@pbmd.test>",
    "Message-ID": "<a\0b@players.test>",
}

"""What a mail server or a writer may send, PostgreSQL keeps as SQLite does."""

from collections.abc import Callable

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.ingest import store
from pbmd.ledger.tables import Mailbox, Sighting
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

"""However many letters come together, and mails go out, few statements are needed: each is prepared, and kept in memory for
each connection."""

import re
from collections import Counter

from sqlalchemy import event

from pbmd.desk.ingest import read_mailbox
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import OutboxState
from tests.desk.sending.test_sender import FakeSmtp, queue
from tests.desk.test_ingest import FakeInbox, fetched

_LIST = re.compile(r"^.* IN \((?=[^()]*, )", re.DOTALL)
"""What stands before a list of several values."""


def test_there_are_few_statements_however_many_letters_come_and_mails_go_out_together(world):
    statements = set[str]()

    def note(_connection, _cursor, statement, *_more):
        statements.add(statement)

    event.listen(world.desk.engine, "before_cursor_execute", note)
    uid = 0
    for count in range(1, 20):
        uid += count
        assert read_mailbox(world.desk, FakeInbox([fetched(uid - each) for each in range(count)])) == count
        assert process_letters(world.desk) == count
        queue(world, *(f"{count}-{each}" for each in range(count)))
        assert send_due(world.desk, FakeSmtp().connect) >= count
    assert {mail.state for mail in world.outbox()} == {OutboxState.SENT}
    variants = Counter(found[0] for each in statements if (found := _LIST.match(each)))
    assert len(variants) > 5
    assert max(variants.values()) <= 6, "2, 4, 8, 16, 32, 64 values"

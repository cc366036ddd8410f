"""From the mailbox into the ledger: stored first, whole, in order of arrival, each letter once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col

from pbmd.desk.ingest import mailbox_name, read_mailbox, store
from pbmd.ledger.tables import Letter, LetterState, Mailbox, Sighting
from pbmd.post.inbox import Fetched, InboxLost, Watermark
from tests.desk.world import BEGIN


def mail(number, text="STATUS"):
    head = f"From: a@players.test\r\nMessage-ID: <{number}@players.test>\r\nSubject: x\r\n\r\n"
    return f"{head}{text}\r\n".encode()


def fetched(uid, number=None, *, at=BEGIN, validity=1, **more):
    raw = mail(uid if number is None else number)
    return Fetched(validity, uid, at, len(raw), raw, truncated=False, **more)


class FakeInbox:
    """A mailbox that gives these batches, and then what `end` says."""

    def __init__(self, *batches, end=None, during=lambda: None):
        self.given, self.end, self.during = batches, end, during
        self.asked, self.tidied = [], []

    def scan(self, mark):
        self.asked.append(mark)
        yield from self.given
        self.during()
        if self.end:
            raise self.end

    def tidy(self, uids, uidvalidity):
        self.tidied.append((list(uids), uidvalidity))


def letters(world):
    return world.rows(Letter)


def box(world):
    return world.rows(Mailbox)[0]


def test_a_letter_is_stored_whole_with_its_stamp_and_not_yet_looked_at(world):
    letter = fetched(7, at=datetime(2026, 11, 19, 8, 30, 5, tzinfo=UTC))
    assert read_mailbox(world.desk, FakeInbox([letter])) == 1
    (row,) = letters(world)
    assert (row.raw, row.uid, row.arrived_at, row.size) == (letter.raw, 7, letter.arrived_at, len(letter.raw))
    assert row.state is LetterState.NEW


def test_the_next_reading_begins_where_the_last_one_ended(world):
    read_mailbox(world.desk, FakeInbox([fetched(3), fetched(5)], [fetched(9)]))
    later = FakeInbox()
    read_mailbox(world.desk, later)
    assert later.asked == [Watermark(1, 9)]


def test_letters_are_dealt_with_by_arrival_and_then_by_place_in_the_mailbox(world):
    late, early = BEGIN + timedelta(seconds=1), BEGIN
    read_mailbox(
        world.desk, FakeInbox([fetched(1, at=late), fetched(2, at=early)], [fetched(4, at=early), fetched(3, at=early)])
    )
    order = world.rows(Letter)
    order.sort(key=lambda row: (row.arrived_at, row.uid))
    assert [row.uid for row in order] == [2, 3, 4, 1]


def test_letters_are_tidied_away_only_when_they_are_in_the_ledger(world):
    inbox = FakeInbox([fetched(1), fetched(2)], [fetched(3)])
    stored = []
    tidy = inbox.tidy
    inbox.tidy = lambda uids, validity: (stored.append(len(letters(world))), tidy(uids, validity))
    read_mailbox(world.desk, inbox)
    assert inbox.tidied == [([1, 2], 1), ([3], 1)]
    assert stored == [2, 3]


def test_the_same_letter_delivered_twice_is_one_letter(world):
    assert read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2, number=1)])) == 1
    assert read_mailbox(world.desk, FakeInbox([fetched(3, number=1)])) == 0
    assert [row.uid for row in letters(world)] == [1]
    assert len(world.log("duplicate")) == 2


def test_of_two_copies_in_one_batch_the_first_arrival_counts(world):
    read_mailbox(world.desk, FakeInbox([fetched(1, number=5, at=BEGIN + timedelta(minutes=1)), fetched(2, number=5)]))
    (row,) = letters(world)
    assert (row.uid, row.arrived_at) == (2, BEGIN)


def test_the_same_words_in_another_letter_are_another_letter(world):
    assert read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2)])) == 2


def test_a_renumbered_mailbox_is_read_anew_and_known_letters_stay_known(world):
    read_mailbox(world.desk, FakeInbox([fetched(10), fetched(11)]))
    again = FakeInbox([fetched(1, number=10, validity=2), fetched(2, number=11, validity=2), fetched(3, validity=2)])
    assert read_mailbox(world.desk, again) == 1
    assert again.asked == [Watermark(1, 11)]
    assert (box(world).uidvalidity, box(world).last_uid) == (2, 3)


def test_a_mailbox_that_comes_back_with_its_old_numbers_is_no_trouble(world):
    read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2)]))
    read_mailbox(world.desk, FakeInbox([fetched(1, validity=2)]))
    assert read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2), fetched(3)])) == 1
    assert len(letters(world)) == 3


def test_every_place_where_a_letter_was_seen_is_kept(world):
    store(world.desk, mailbox_name(world.desk), [fetched(1), fetched(2, number=1)])
    with world.desk.engine.connect() as connection:
        rows = connection.execute(Sighting.__table__.select().order_by(col(Sighting.uid))).all()
    assert [(row.uidvalidity, row.uid) for row in rows] == [(1, 1), (1, 2)]
    assert rows[0].fingerprint == rows[1].fingerprint


def test_a_reading_that_came_to_its_end_is_evidence_for_the_time_when_it_began(world):
    def later():
        world.now = BEGIN + timedelta(minutes=5)

    read_mailbox(world.desk, FakeInbox([fetched(1)], during=later))
    assert box(world).read_through == BEGIN


def test_a_reading_that_broke_off_is_no_evidence_but_keeps_what_it_got(world):
    with pytest.raises(InboxLost):
        read_mailbox(world.desk, FakeInbox([fetched(1)], end=InboxLost("the server is gone")))
    assert len(letters(world)) == 1
    assert box(world).read_through is None


def test_an_empty_mailbox_is_evidence_too(world):
    assert read_mailbox(world.desk, FakeInbox()) == 0
    assert box(world).read_through == BEGIN


def test_a_clock_that_was_set_back_takes_no_evidence_away(world):
    read_mailbox(world.desk, FakeInbox())
    world.now = BEGIN - timedelta(hours=1)
    read_mailbox(world.desk, FakeInbox())
    assert box(world).read_through == BEGIN


def test_a_letter_that_was_too_long_to_fetch_is_kept_as_far_as_it_goes(world):
    letter = replace(fetched(1), size=5_000_000, truncated=True)
    read_mailbox(world.desk, FakeInbox([letter]))
    (row,) = letters(world)
    assert (row.size, row.truncated) == (5_000_000, True)


def test_bytes_that_are_no_mail_at_all_are_stored_like_any_other(world):
    junk = [Fetched(1, uid, BEGIN, len(raw), raw, truncated=False) for uid, raw in enumerate([b"", b"\x00\xff", b"\n" * 50], 1)]
    read_mailbox(world.desk, FakeInbox(junk))
    assert [row.raw for row in letters(world)] == [letter.raw for letter in junk]

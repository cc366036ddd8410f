"""From the mailbox into the ledger: stored first, whole, in order of arrival, each letter once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col

from pbmd.desk import ingest
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.ingest import NO_TEXT_TIME, NO_TEXT_TRIES, read_mailbox, store, tidy_again
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Letter, LetterState, Mailbox, Sighting
from pbmd.post.imap.connection import InboxLost, NoText
from pbmd.post.imap.fetched import Fetched, Watermark
from tests.desk.world import BEGIN


def mail(number, text="STATUS"):
    head = f"From: a@players.test\r\nMessage-ID: <{number}@players.test>\r\nSubject: x\r\n\r\n"
    return f"{head}{text}\r\n".encode()


def fetched(uid, number=None, *, at=BEGIN, validity=1, **more):
    raw = mail(uid if number is None else number)
    return Fetched(validity, uid, at, len(raw), raw, truncated=False, **more)


class FakeInbox:
    """A mailbox that gives these batches, and then what `end` says; these UIDs were not tidied."""

    def __init__(self, *batches, end=None, during=lambda: None, untidied=()):
        self.given, self.end, self.during, self.left = batches, end, during, list(untidied)
        self.asked, self.tidied = [], []

    def scan(self, mark, **_how):
        self.asked.append(mark)
        yield from self.given
        self.during()
        if self.end:
            raise self.end

    def tidy(self, uids, uidvalidity):
        self.tidied.append((list(uids), uidvalidity))

    def untidied(self, mark):
        self.asked.append(mark)
        return self.left


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


def test_a_letter_that_was_read_again_keeps_the_place_in_line_that_it_had(world):
    """The mailbox was restored: other UIDs, another UIDVALIDITY, other times."""
    read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2)]))
    hour = timedelta(hours=1)
    again = [fetched(1, number=2, validity=2, at=BEGIN - hour), fetched(2, number=1, validity=2, at=BEGIN + hour)]
    read_mailbox(world.desk, FakeInbox(again))
    assert [(row.uid, row.arrived_at) for row in letters(world)] == [(1, BEGIN), (2, BEGIN)]


@pytest.mark.parametrize("readings", [1, 2])
def test_when_arrival_runs_backwards_in_the_mailbox_arrival_counts(world, readings):
    """The letter that is first in the mailbox arrived last, and may even have been read and dealt with before."""
    world.count()
    second = Fetched(1, 10, BEGIN + timedelta(seconds=1), 100, world.letter("Altair", "add 1"), truncated=False)
    first = Fetched(1, 11, BEGIN, 100, world.letter("Borealis", "add 2"), truncated=False)
    batches = [[second, first]] if readings == 1 else [[second], [first]]
    for batch in batches:
        read_mailbox(world.desk, FakeInbox(batch))
        process_letters(world.desk)
    assert [sheet["seat"] for sheet in world.position()["sheets"]] == ["Borealis", "Altair"]


@pytest.mark.parametrize("readings", [1, 2])
def test_of_two_letters_of_a_seat_the_one_that_arrived_later_is_in_force_wherever_it_is_in_the_mailbox(world, readings):
    world.count()
    later = Fetched(1, 10, BEGIN + timedelta(seconds=1), 100, world.letter("Altair", "add 1"), truncated=False)
    earlier = Fetched(1, 11, BEGIN, 100, world.letter("Altair", "add 2"), truncated=False)
    for batch in [[later, earlier]] if readings == 1 else [[later], [earlier]]:
        read_mailbox(world.desk, FakeInbox(batch))
        process_letters(world.desk)
    assert world.sheet("Altair") == ["Add 1"]


def test_a_letter_whose_arrival_the_server_does_not_tell_says_so(world):
    read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2, arrival_is_of_scan=True)]))
    told, guessed = letters(world)
    assert (told.arrival_estimated, guessed.arrival_estimated) == (False, True)
    (line,) = world.log("no-arrival")
    assert line.detail.startswith(f"letter {guessed.id}: the mail server told no time")


def test_a_letter_of_which_a_part_is_missing_is_read_and_told(world):
    read_mailbox(world.desk, FakeInbox([fetched(1), fetched(2, missing_bytes=51_000)]))
    _, short = letters(world)
    assert short.state != LetterState.QUARANTINED
    (line,) = world.log("short-text")
    assert line.detail == f"letter {short.id}: {short.size:,} bytes of {short.size + 51_000:,} came, and are read"


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


def test_a_reading_that_began_before_the_last_one_takes_no_evidence_away(world):
    class Slow(FakeInbox):
        """Another process, a `pbmd tick`, reads the whole mailbox in the meantime."""

        def scan(self, mark, **_how):
            world.now += timedelta(minutes=5)
            read_mailbox(world.desk, FakeInbox())
            yield from super().scan(mark, **_how)

    read_mailbox(world.desk, Slow())
    assert box(world).read_through == BEGIN + timedelta(minutes=5)


def test_what_a_clock_that_ran_ahead_has_noted_is_replaced(world):
    # Kept until that time has come, it would pass for evidence then, without any reading.
    world.now = BEGIN + timedelta(days=1)
    read_mailbox(world.desk, FakeInbox())
    world.now = BEGIN
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


def without_text(uid, *, at=BEGIN, validity=1):
    return NoText(f"no text for letter {uid}", validity, uid, at)


def read_without_text(world, uid, times):
    for _ in range(times):
        with pytest.raises(InboxLost):
            read_mailbox(world.desk, FakeInbox(end=without_text(uid)))


def test_a_letter_that_comes_without_text_is_not_stored_and_is_asked_for_again(world):
    read_mailbox(world.desk, FakeInbox([fetched(1)]))
    evidence = box(world).read_through
    world.now += timedelta(minutes=1)
    read_without_text(world, 2, times=1)
    assert [row.uid for row in letters(world)] == [1]
    assert (box(world).last_uid, box(world).read_through) == (1, evidence)
    assert len(world.log("no-text")) == 1
    read_mailbox(world.desk, FakeInbox([fetched(2)]))
    assert [row.uid for row in letters(world)] == [1, 2]


@pytest.mark.parametrize(
    ("times", "after"), [(NO_TEXT_TRIES - 2, NO_TEXT_TIME), (NO_TEXT_TRIES * 4, NO_TEXT_TIME - timedelta(seconds=1))]
)
def test_a_letter_without_text_holds_up_the_mailbox_through_any_short_trouble_of_the_server(world, times, after):
    read_without_text(world, 2, times)
    world.now += after
    read_without_text(world, 2, times=1)
    assert letters(world) == []
    assert not any(mailbox.last_uid for mailbox in world.rows(Mailbox))


def test_a_letter_that_never_has_text_is_put_aside_where_the_gm_sees_it_and_the_mailbox_goes_on(world):
    read_without_text(world, 2, times=NO_TEXT_TRIES - 1)
    world.now += NO_TEXT_TIME
    read_without_text(world, 2, times=1)
    (row,) = letters(world)
    assert (row.uid, row.raw, row.state, row.arrived_at) == (2, b"", LetterState.QUARANTINED, BEGIN)
    assert "letter 2" in world.log("quarantine")[0].detail
    assert box(world).read_through is None
    assert world.rows(Mailbox)[0].last_uid == 2
    assert read_mailbox(world.desk, FakeInbox([fetched(3)])) == 1


def test_two_letters_without_text_are_two_letters_put_aside(world):
    for uid in (2, 3):
        read_without_text(world, uid, times=NO_TEXT_TRIES - 1)
        world.now += NO_TEXT_TIME
        read_without_text(world, uid, times=1)
    assert [row.uid for row in letters(world)] == [2, 3]


def test_letters_left_behind_between_storing_and_tidying_are_tidied_later(world):
    store(world.desk, mailbox_name(world.desk), [fetched(uid) for uid in (1, 2, 3)])
    inbox = FakeInbox(untidied=[2, 3])
    assert tidy_again(world.desk, inbox) == 2
    assert (inbox.asked, inbox.tidied) == ([Watermark(1, 3)], [([2, 3], 1)])


def test_what_was_left_behind_is_on_the_disk_before_it_is_tidied(world, monkeypatch):
    store(world.desk, mailbox_name(world.desk), [fetched(1)], hasty=True)
    inbox, tidied_before = FakeInbox(untidied=[1]), []
    monkeypatch.setattr(ingest, "make_lasting", lambda _: tidied_before.append(list(inbox.tidied)))
    assert tidy_again(world.desk, inbox) == 1
    assert tidied_before == [[]]


def test_a_message_that_is_not_in_the_ledger_is_never_tidied(world):
    read_without_text(world, 1, times=NO_TEXT_TRIES - 1)
    world.now += NO_TEXT_TIME
    read_without_text(world, 1, times=1)
    store(world.desk, mailbox_name(world.desk), [fetched(3)])
    inbox = FakeInbox(untidied=[1, 2])
    assert tidy_again(world.desk, inbox) == 0
    assert inbox.tidied == []


def test_a_letter_too_large_to_be_kept_whole_is_known_again_when_it_comes_by_a_longer_way(world):
    """What is kept of it ends a few bytes sooner behind a longer Received field."""
    world.count()
    whole = world.letter("Altair", "add 1\n" * 5000)
    copies = [b"Received: by mx (" + b"x" * extra + b")\r\n" + whole for extra in (1, 40)]
    for uid, copy in enumerate(copies, start=1):
        store(world.desk, mailbox_name(world.desk), [Fetched(1, uid, BEGIN, len(copy), copy[:16_000], truncated=True)])
    assert len(letters(world)) == 1

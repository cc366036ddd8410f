"""The reader of FETCH answers: what the server may send in which form (RFC 3501 section 7.4.2)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.post.imap.fetch_reader import FetchItem, read_date, read_items, uid_set

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
DATE = b'INTERNALDATE "01-Mar-2026 12:00:00 +0000"'


def test_reads_uid_date_size_and_literal_body():
    data = [(b"1 (UID 7 RFC822.SIZE 5 " + DATE + b" BODY[] {5}", b"hello"), b")"]
    assert list(read_items(data)) == [FetchItem(7, 5, NOON, b"hello")]


def test_order_of_attributes_does_not_matter():
    data = [(b"1 (BODY[] {5}", b"hello"), b" " + DATE + b" RFC822.SIZE 5 UID 7)"]
    assert list(read_items(data)) == [FetchItem(7, 5, NOON, b"hello")]


def test_names_may_be_in_any_case_and_a_partial_body_names_its_origin():
    data = [(b"1 (uid 7 body[]<0> {5}", b"hello"), b")"]
    assert list(read_items(data)) == [FetchItem(7, body=b"hello")]


def test_body_may_come_as_a_quoted_string_or_be_nil():
    data = [rb'1 (UID 7 BODY[] "say \"UID 99\" \\o/")', b"2 (UID 8 BODY[] NIL)", b'3 (UID 9 BODY[] "")']
    assert list(read_items(data)) == [FetchItem(7, body=rb'say "UID 99" \o/'), FetchItem(8), FetchItem(9, body=b"")]


def test_what_stands_in_a_letter_is_not_read_as_an_attribute():
    data = [(b"1 (UID 7 BODY[] {30}", b") UID 99 RFC822.SIZE 1 BODY[] {3}"), b")"]
    assert [item.uid for item in read_items(data)] == [7]


def test_other_literals_are_not_taken_for_the_body():
    data = [(b"1 (X-NAME {4}", b"Anna"), (b" UID 7 BODY[] {5}", b"hello"), b")"]
    assert list(read_items(data)) == [FetchItem(7, body=b"hello")]


def test_flags_of_other_messages_and_missing_answers_are_passed_over():
    data = [b"3 (FLAGS (\\Seen))", None, (b"1 (UID 7 BODY[] {2}", b"hi"), b")", b"4 (X-GM-UID 12 FLAGS ())"]
    assert list(read_items(data)) == [FetchItem(7, body=b"hi")]


def test_a_message_without_date_or_size_is_still_read():
    assert list(read_items([b'1 (UID 7 INTERNALDATE "never")'])) == [FetchItem(7)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"01-Mar-2026 12:00:00 +0000", NOON),
        (b" 1-Mar-2026 12:00:00 +0000", NOON),
        (b"01-mar-2026 14:30:00 +0230", NOON),
        (b"28-Feb-2026 22:00:00 -1400", NOON),
        (b"31-Feb-2026 12:00:00 +0000", None),
        (b"01-Foo-2026 12:00:00 +0000", None),
        (b"01-Jan-0001 00:00:00 +1200", None),
        (b"01-Mar-2026 12:00:00 +9999", None),
        (b"01-Mar-2026 12:00:00 -1500", None),
        (b"01-Mar-2026 12:00:00 +0060", None),
        (b"01-Mar-2026 12:00:00", None),
        (b"", None),
    ],
)
def test_internaldate_becomes_utc_or_nothing(text: bytes, expected: datetime | None):
    assert read_date(text) == expected


@given(st.lists(st.one_of(st.none(), st.binary(max_size=60), st.tuples(st.binary(max_size=60), st.binary(max_size=20)))))
def test_no_answer_of_a_server_raises(data: list[bytes | tuple[bytes, bytes] | None]):
    for item in read_items(data):
        assert item.uid >= 0


def test_a_set_of_uids_is_written_in_runs():
    assert uid_set([1, 2, 3, 5, 8, 9]) == "1:3,5,8:9"


@given(st.sets(st.integers(1, 400)).map(sorted))
def test_a_set_of_uids_names_exactly_these(uids: list[int]):
    named = [part.partition(":") for part in uid_set(uids).split(",") if part]
    assert [uid for first, _, last in named for uid in range(int(first), int(last or first) + 1)] == uids

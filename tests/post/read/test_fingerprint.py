"""The fingerprint that a letter is stored under is the one that it is read with."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from pbmd.post.read.letter import fingerprint, read_letter

_FIELDS = st.sampled_from(
    ["From: Anna <anna@example.org>", "Message-ID: <1@example.org>", "Subject: =?utf-8?q?=FF?=", "Date: x", " y"]
)


@given(st.lists(_FIELDS, max_size=6), st.binary(max_size=60), st.sampled_from([b"\n", b"\r\n", b"\r"]))
@example([], b"", b"\n")
@example(["From: \ud800"], b"\0", b"\n")
def test_it_is_the_same_whether_the_letter_is_read_or_not(fields: list[str], body: bytes, line_end: bytes) -> None:
    raw = line_end.join([*(field.encode("utf-8", "surrogatepass") for field in fields), b"", body])
    assert fingerprint(raw) == read_letter(raw).fingerprint


@given(st.binary(max_size=300))
def test_it_is_the_same_for_bytes_that_are_no_letter(raw: bytes) -> None:
    assert fingerprint(raw) == read_letter(raw).fingerprint

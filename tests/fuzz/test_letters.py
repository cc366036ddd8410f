"""Bytes → letter → clerk: never an exception, never over the budget, always an answer or a reason in the log."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.post.read.letter import TOO_COSTLY, Limits, read_letter
from tests.doses import dose
from tests.fuzz.one_letter import Desk
from tests.post.read.test_letter_hostile import PIECES
from tests.post.samples import TAG, mail, multipart, part
from tests.processor_time import takes_at_most

MAILS = [
    mail(f"Add 5\n\n-- \nAda\n> #orders {TAG}\n> Add 1\n> #end\n"),
    multipart("alternative", part("Add 5\nSTATUS\n", "text/plain; format=flowed"), part("<b>Add 5</b>", "text/html")),
    mail("PRESS TO ALL\nhello\nEND PRESS\nWAIT\nEXTEND 5h because of rain\nHELP\nREPORT 0\n"),
    mail("JOIN galaxy-7 AS Mallory\nADDRESS a@b.test\nNEW TOKEN\nRESIGN\n"),
]


@st.composite
def letters(draw: st.DrawFn) -> bytes:
    """Bytes, pieces of mail in any order, or a mail with pieces of others put into it."""
    pieces = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=40).map(b"".join)
    if draw(st.booleans()):
        return draw(st.binary(max_size=400) | pieces)
    raw = draw(st.sampled_from(MAILS))
    start = draw(st.integers(0, len(raw)))
    end = draw(st.integers(start, min(len(raw), start + 30)))
    return raw[:start] + draw(pieces) + raw[end:]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


@pytest.mark.fuzz
@given(letters())
@settings(max_examples=dose(30, 440), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_letter_is_too_much_for_the_clerk(desk: Desk, raw: bytes) -> None:
    with takes_at_most(Limits().seconds):
        desk.take(raw)
    assert read_letter(raw).problem != TOO_COSTLY

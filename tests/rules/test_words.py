"""Counts, lists and what stands at the end of sentences."""

import pytest

from pbmd.rules.words import counted, listing, with_single_marks


def test_things_are_counted() -> None:
    assert [counted(number, "fleet") for number in (0, 1, 2)] == ["0 fleets", "1 fleet", "2 fleets"]
    assert counted(3, "army", "armies") == "3 armies"


def test_things_are_listed() -> None:
    assert [listing("ABC"[:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert listing(iter("AB"), "or") == "A or B"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('There is none. Did you mean "galaxy-7"?.', 'There is none. Did you mean "galaxy-7"?'),
        ("It is late.. Send it again", "It is late. Send it again"),
        ('He said "no.".', 'He said "no.".'),
        ("So be it....", "So be it...."),
        ("/srv/.. is no file", "/srv/.. is no file"),
        ("cd .. and wait", "cd .. and wait"),
    ],
)
def test_a_sentence_ends_once(text: str, right: str) -> None:
    assert with_single_marks(text) == right

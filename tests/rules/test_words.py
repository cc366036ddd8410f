"""Counts and lists."""

from pbmd.rules.words import counted, listing


def test_things_are_counted() -> None:
    assert [counted(number, "fleet") for number in (0, 1, 2)] == ["0 fleets", "1 fleet", "2 fleets"]
    assert counted(3, "army", "armies") == "3 armies"


def test_things_are_listed() -> None:
    assert [listing("ABC"[:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert listing(iter("AB"), "or") == "A or B"

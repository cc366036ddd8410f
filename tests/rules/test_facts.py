"""Sentences of who has how many, as reports show them under HOW YOU STAND."""

import pytest

from pbmd.rules.facts import Has, placed, ranked

BASES = Has("holds", "hold", "base")


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"Deneb": 1}, "Deneb holds 1 base"),
        ({"Deneb": 9, "Altair": 3, "Cygnus": 3}, "Deneb holds 9 bases, all others 3"),
        ({"Deneb": 9, "Altair": 3, "Cygnus": 0}, "Deneb holds 9 bases, Altair 3, Cygnus none"),
        ({"Deneb": 3, "Altair": 3, "Cygnus": 1}, "Deneb and Altair hold 3 bases each, Cygnus 1"),
        ({"Deneb": 3, "Altair": 3}, "both hold 3 bases each"),
        ({"Deneb": 3, "Altair": 3, "Cygnus": 3}, "all hold 3 bases each"),
        ({"Deneb": 0, "Altair": 0}, "nobody holds any bases"),
        (dict(zip("ABCDEF", (5, 4, 3, 2, 1, 1), strict=True)), "A holds 5 bases, B 4, C 3, the rest fewer"),
        (dict(zip("ABCDEFG", (5, 4, 4, 4, 4, 1, 1), strict=True)), "A holds 5 bases, 4 others 4 each, the rest 1"),
        (dict(zip("ABCDE", (5, 5, 5, 5, 1), strict=True)), "4 of them hold 5 bases each, E 1"),
        ({}, ""),
    ],
)
def test_who_has_most_is_told_first(counts: dict[str, int], told: str) -> None:
    assert ranked(counts, BASES) == told


def test_the_reader_comes_before_all_others() -> None:
    counts = {"Altair": 3, "Deneb": 9, "Cygnus": 2}
    assert placed(counts, "Altair", "3 of 14 bases", BASES) == "You hold 3 of 14 bases; Deneb holds 9, Cygnus 2."
    assert placed({"Altair": 3}, "Altair", "3 bases", BASES) == "You hold 3 bases."


def test_who_is_not_counted_is_not_spoken_to() -> None:
    assert placed({"Deneb": 9, "Cygnus": 2}, "Altair", "", BASES) == "Deneb holds 9 bases, Cygnus 2."
    assert placed({"Deneb": 3, "Cygnus": 3}, "", "", BASES) == "Both hold 3 bases each."
    assert placed({}, "", "", BASES) == ""

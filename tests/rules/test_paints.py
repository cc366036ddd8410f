"""The colours and letters that the kit has for seats."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbmd.rules.paints import COLOURS, codes, colour_of, paints
from tests.colours import closest, closest_in_grey, contrast

PAPER = "#ffffff"


def first(count: int) -> dict[str, str]:
    return {colour: colour for colour in COLOURS[:count]}


class TestColours:
    def test_all_stand_out_from_paper(self):
        assert {colour for colour in COLOURS if contrast(colour, PAPER) < 3} == set()

    @pytest.mark.parametrize(("count", "least"), [(4, 20), (8, 12), (len(COLOURS), 6)])
    def test_differ_to_all_eyes(self, count: int, least: float):
        for eyes, (difference, one, other) in closest(first(count)).items():
            assert difference >= least, (eyes, one, other)

    @pytest.mark.parametrize(("count", "least"), [(4, 9), (8, 4.5)])
    def test_differ_in_print_without_colours(self, count: int, least: float):
        difference, one, other = closest_in_grey(first(count))
        assert difference >= least, (one, other)

    def test_begin_again_after_the_last(self):
        assert colour_of(0) == colour_of(len(COLOURS)) == COLOURS[0]


class TestCodes:
    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (["Altair", "Borealis", "Cygnus"], ["A", "B", "C"]),
            (["Altair", "Arcturus", "Algol"], ["A", "Ar", "Al"]),
            (["People 1", "People 2", "People 10", "Zed"], ["1", "2", "10", "Z"]),
            (["House Atreides", "House Harkonnen"], ["A", "H"]),
            (["The Red", "The Red Star"], ["T", "S"]),
            (["?!", "…", "Äs"], ["?", "2", "Ä"]),
        ],
    )
    def test_are_what_tells_names_apart(self, names: list[str], expected: list[str]):
        assert [*codes(names).values()] == expected

    @example(["ﬃ"])
    @given(st.lists(st.text(min_size=1, max_size=8), max_size=40, unique=True))
    def test_are_short_and_never_twice_the_same(self, names: list[str]):
        found = codes(names)
        assert [*found] == names
        assert len({*found.values()}) == len(names)
        assert all(1 <= len(code) <= 2 for code in found.values())

    def test_stand_with_the_colours_as_owners_of_a_map_have_them(self):
        assert paints(["Altair", "Borealis"])["Borealis"] == {"colour": COLOURS[1], "code": "B"}

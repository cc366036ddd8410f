"""What a player meant by a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import fold, match_name
from pbmd.rules.names import likest_first

FACTIONS = ("Altair", "Alta", "Borealis", "Cygnus Prime", "Cygnus Minor")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Borealis", "Borealis"),
        ("borealis", "Borealis"),
        ("bor", "Borealis"),
        ("B", "Borealis"),
        ("  cygnus   p ", "Cygnus Prime"),
        ("alta", "Alta"),  # an exact name beats a longer one
        ("altai", "Altair"),
        ("the Borealis.", "Borealis"),
        ("Cygnus-Prime", "Cygnus Prime"),
        ("cygnusminor", "Cygnus Minor"),
    ],
)
def test_a_name_or_its_only_beginning_is_found(text, found):
    assert match_name(text, FACTIONS).found == found


@pytest.mark.parametrize("text", ["Borealis?", "the", "Cygnus Prime!", "not Borealis", "-"])
def test_a_mark_that_may_say_something_is_not_read_over(text):
    assert match_name(text, FACTIONS).found is None


def test_of_names_that_differ_in_marks_alone_none_is_found_by_another_form():
    assert match_name("oldtown", ("Old Town", "Old-Town")).found is None
    assert match_name("old-town", ("Old Town", "Old-Town")).found == "Old-Town"


def test_several_possible_names_are_listed():
    match = match_name("cyg", FACTIONS)
    assert match.found is None
    assert match.problem("cyg", "faction") == '"cyg" could be "Cygnus Prime" or "Cygnus Minor"; write more of the name'


def test_a_misspelt_name_brings_the_nearest():
    assert match_name("Borealsi", FACTIONS).problem("Borealsi", "faction") == (
        'there is no faction "Borealsi"; did you mean "Borealis"?'
    )


@pytest.mark.parametrize(
    ("text", "near"), [("Narnia", ()), ("Poland", ()), ("Austira", ("Austria",)), ("Rusia", ("Russia", "Austria"))]
)
def test_a_guess_is_only_made_at_what_is_near(text: str, near: tuple[str, ...]):
    assert match_name(text, ("Austria", "England", "Russia")).near == near
    assert match_name("Sal", ("Sol", "Sirius")).near == ("Sol",)


def test_a_name_like_no_other_brings_no_guess():
    assert match_name("Zzzz", FACTIONS).problem("Zzzz", "faction") == 'there is no faction "Zzzz"'


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_written_means_nobody(text):
    assert match_name(text, FACTIONS).found is None


def test_candidates_can_be_anything_with_a_name():
    assert match_name("two", [1, 2], name_of={1: "One", 2: "Two"}.__getitem__).found == 2


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.sets(st.text("abcAB ", min_size=1, max_size=6).filter(str.strip), min_size=1, max_size=6))
def test_a_written_out_name_is_never_taken_for_another(names):
    unique = list({fold(name): name for name in names}.values())
    for name in unique:
        assert match_name(name.upper(), unique).found == name


@pytest.mark.parametrize(
    ("text", "first"),
    [("borealis", ["Borealis"]), ("cyg", ["Cygnus Prime", "Cygnus Minor"]), ("Boralis", ["Borealis"]), ("Zzzz", []), ("", [])],
)
def test_the_likest_names_come_first_and_all_others_as_they_were(text, first):
    assert likest_first(text, FACTIONS) == [*first, *(name for name in FACTIONS if name not in first)]

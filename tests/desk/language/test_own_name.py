"""What in a text shows who wrote it: an address, the whole name, a signature; and nothing else does."""

import pytest

from pbmd.desk.language.own_name import shown_of_writer

ANNA, ADDRESSES = "Anna France", ("anna.f@home.test", "", "anna@work.test")
SEATS = ("France", "Germany", "Will")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Shall we?", ""),
        ("Write to Anna.F@HOME.test instead", "your address"),
        ("or to anna@work.test", "your address"),
        ("I am Anna  France, by the way", "your name"),
        ("I am ANNA\nFRANCE by the way", "your name"),
        ("Shall we?\n\nAnna", "your name"),
        ("Shall we?\nBest wishes, Anna", "your name"),
        ("Shall we?\n\u2013 anna \u2013\n\n", "your name"),
        # A seat is nobody's name, and what others are called is not what the writer is.
        ("Shall we?\nFrance", ""),
        ("Anna of Brittany was a queen\nof France", ""),
        ("Hannah says no", ""),
        ("Shall we?\nBert", ""),
        ("", ""),
    ],
)
def test_what_shows_the_writer(text: str, shown: str) -> None:
    assert shown_of_writer(text, ANNA, ADDRESSES, SEATS) == shown


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("", "Shall we?\nsomebody", ""),
        ("Anna", "Anna says hello to all of you", ""),
        ("Anna", "hello\nAnna", "your name"),
        ("Germany", "hello\nGermany", ""),
        ("J. R. Ewing", "plan\nJ", ""),
        ("J. R. Ewing", "plan\nJ.R.", ""),
        ("J. R. Ewing", "J R Ewing will come", "your name"),
        ("Zo\u00eb O'Brien", "hello\nZo\u00eb", "your name"),
        ("Zo\u00eb O'Brien", "hello\nO\u2019Brien", "your name"),
    ],
)
def test_names_of_all_kinds(name: str, text: str, shown: str) -> None:
    assert shown_of_writer(text, name, ADDRESSES, SEATS) == shown

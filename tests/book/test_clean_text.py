"""What players write is cleaned before it stands in a book."""

import pytest

from pbmd.book.clean_text import breakable, clean, shortened
from pbmd.book.glyphs import plainer, spelt, spelt_out, to_be_tried


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("plain", "plain"),
        ("a\tb", "a   b"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("bell\x07 and nul\x00", "bell� and nul�"),
        ("turned ‮ round", "turned  round"),
        ("half \ud800 a letter", "half � a letter"),
        ("no letter \ufffe", "no letter �"),
        ("one line and\u2029another", "one line and\nanother"),
        ("a family 👨‍👩‍👧", "a family 👨‍👩‍👧"),
        ("#x($y) <b> {{ z }} \\", "#x($y) <b> {{ z }} \\"),
        ("write to anna.b+x@players.example.org!", "write to (address left out)!"),
    ],
)
def test_commands_in_disguise_and_addresses_are_taken_out(written: str, cleaned: str) -> None:
    assert clean(written) == cleaned


def test_an_address_is_looked_for_in_time_that_grows_with_the_text_alone() -> None:
    assert clean("a" * 200_000) == "a" * 200_000
    assert "@" not in clean("a" * 200_000 + "@players.test")[-40:]


def test_a_long_word_may_be_broken_and_loses_no_letter() -> None:
    assert breakable("short words stay") == "short words stay"
    broken = breakable(f"see {'x' * 100}\nthere")
    assert broken.replace("\N{ZERO WIDTH SPACE}", "") == f"see {'x' * 100}\nthere"
    assert max(map(len, broken.replace("\N{ZERO WIDTH SPACE}", " ").split())) <= 40


def test_a_head_of_the_journal_is_not_broken_so_that_it_can_be_copied() -> None:
    assert breakable("f" * 64, 64) == "f" * 64
    assert "\N{ZERO WIDTH SPACE}" in breakable("f" * 65, 64)


def test_a_title_is_one_line_of_bounded_length() -> None:
    assert shortened("a\n b", 60) == "a b"
    assert shortened("word " * 30, 20) == "word word word word…"


@pytest.mark.parametrize(
    ("letter", "words"),
    [("😀", "‹grinning face›"), ("中", "□"), ("\ufe0f", ""), ("🏽", ""), ("🇩", "D"), ("‍", ""), ("𝕳", "H"), ("Ａ", "A")],
)
def test_a_letter_that_no_font_has_is_spelt(letter: str, words: str) -> None:
    assert spelt(letter) == words


def test_only_letters_beyond_ascii_are_spelt_out() -> None:
    assert spelt_out("a中b", "a中") == "a□b"


def test_letters_that_no_font_has_are_not_tried() -> None:
    assert to_be_tried("aé中😀אж") == (["ж", "א"], ["中", "😀"])
    tried, unknown = to_be_tried(map(chr, range(0x180, 0x3000)))
    assert {"“", "—", "→", "☃", "ﬁ"} & {*tried} == {"“", "—", "→", "☃"}
    assert {"अ", "ཀ", "ࠕ"} <= {*unknown}


def test_letters_that_cannot_be_set_beside_each_other_become_plainer_until_every_font_has_them() -> None:
    without_marks, sure = plainer("e\u0301 ж “é”\N{ZERO WIDTH SPACE}")
    assert without_marks == "e ж “é”\N{ZERO WIDTH SPACE}"
    assert sure == "e□ □ □é□\N{ZERO WIDTH SPACE}"

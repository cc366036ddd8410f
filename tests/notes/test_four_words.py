"""A hash as four words."""

import hashlib

import pytest

from pbmd.notes.four_words import are_four_words, four_words, wordlist

HEAD = "ab" * 32


def test_there_are_as_many_words_as_eleven_bits_have_places() -> None:
    assert len(wordlist()) == len(set(wordlist())) == 2**11
    assert list(wordlist()) == sorted(wordlist())
    assert all(word.isascii() and word.islower() and word.isalpha() and 3 <= len(word) <= 8 for word in wordlist())


def test_no_two_words_are_a_letter_apart_or_one_the_beginning_of_the_other() -> None:
    """Whoever mistypes a word has none of the list, and does not see a fork where there is none, or none where there is one."""
    words = set(wordlist())
    for word in words:
        assert not any(word[:length] in words for length in range(3, len(word)))
        less = {word[:place] + word[place + 1 :] for place in range(len(word))}
        swapped = {word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)}
        assert not (less | swapped) - {word} & words
    gaps = [f"{word[:place]} {word[place + 1 :]}" for word in words for place in range(len(word))]
    assert len(gaps) == len(set(gaps)), "two words differ in one letter"


def test_they_are_what_anybody_makes_of_the_hash() -> None:
    """As FORMAT.md says, in other words than the code."""
    made = hashlib.pbkdf2_hmac("sha256", bytes.fromhex(HEAD), b"pbmd four words", 10_000, 6)
    bits = "".join(f"{byte:08b}" for byte in made)[:44]
    assert four_words(HEAD) == " ".join(wordlist()[int(bits[place : place + 11], 2)] for place in (0, 11, 22, 33))


def test_another_hash_has_others() -> None:
    assert len({four_words(f"{number:064x}") for number in range(50)}) == 50


@pytest.mark.parametrize(("text", "holds"), [(four_words(HEAD), True), ("to be or not", False), ("tiger tiger tiger", False)])
def test_they_are_known_by_the_list(text: str, holds: bool) -> None:
    assert are_four_words(text) is holds

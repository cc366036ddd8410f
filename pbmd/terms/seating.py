"""How seats are given, in words for players."""

from collections.abc import Mapping

from pbmd.terms.terms import ASKED, Terms

_WORDS: Mapping[str, str] = {
    "preference": (
        "Who gets which {} is decided when the game begins, by the lists that players have sent with PREFER, so that all lists "
        "together are met as well as they can be. Where several ways are as good, dice decide that were promised before the "
        "first sign-up."
    ),
    "lot": "Who gets which {} is drawn by lot when the game begins, with dice that were promised before the first sign-up.",
}


def seating_words(terms: Terms, seat_word: str) -> str:
    """Who gets which seat, in a sentence or two; empty if whoever asks for it first."""
    return "" if terms.seating == ASKED else _WORDS[terms.seating].format(seat_word)

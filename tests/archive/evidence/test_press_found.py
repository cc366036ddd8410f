"""Press in mails is found in the books however programs break its lines, and quickly."""

import pytest

from pbmd.archive.evidence.report_mails import same_press
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import KeptPress, same_words, without_blanks
from tests.processor_time import takes_at_most

LINK = f"https://example.org/{'a' * 60}"
_SECONDS = 5.0
"""Of the processor: when each was compared with each, piece by piece, it took a hundred."""


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ("it is now here", "it is now here"),
        (f"see {LINK} now", f"see {LINK[:30]} {LINK[30:50]} {LINK[50:]} now"),
        ("a well-known word", "a well- known word"),
        ("wait--no", "wait --no"),
    ],
)
def test_words_are_the_same_where_lines_were_broken(kept: str, told: str) -> None:
    assert same_words(kept, told)


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ("it is now here", "it is nowhere"),
        ("it is nowhere", "it is now here"),
        (f"it is now here {LINK}", f"it is nowhere {LINK}"),
        (f"it is nowhere {LINK}", f"it is now here {LINK[:40]} {LINK[40:]}"),
        (f"see {LINK}", f"see{LINK}"),
        (f"see {LINK}", f"see {LINK} now"),
        (f"see {LINK} now", f"see {LINK}"),
        ("a", ""),
    ],
)
def test_words_with_other_blanks_are_others(kept: str, told: str) -> None:
    assert not same_words(kept, told)


def test_much_press_is_found_in_time() -> None:
    words = [f"{number} {LINK} {'word ' * 500}".strip() for number in range(2_000)]
    press = [
        KeptPress(at, "Altair", ("Borealis",), each, waits=False, in_one_piece=without_blanks(each))
        for at, each in enumerate(words)
    ]
    books = Books("galaxy-7", [], {}, [], [], [], press=press)
    with takes_at_most(_SECONDS):
        for at, each in enumerate(words):
            found = same_press(Statement((), "galaxy-7", press=each, writer="Altair", readers="Borealis"), books)
            assert [kept.entry for kept in found] == [at]

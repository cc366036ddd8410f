"""Order lines are read without what nobody means."""

import pytest

from pbmd.rules.lines import USUAL_LINE, cleaner, line_cache
from tests.processor_time import takes_at_most


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("  Build   2  ships. ", "Build 2 ships"),
        ("- Build 2 ships", "Build 2 ships"),
        ("3) Build 2 ships;", "Build 2 ships"),
        ("• Build 2 ships!", "Build 2 ships"),
        ("2 ships", "2 ships"),
        ("-", "-"),
        ("Attack d’Artagnan\u00a0now", "Attack d'Artagnan now"),
        ("OOB – Borealis", "OOB - Borealis"),
        ("Cafe\u0301", "Café"),
        ("Bui\u00adld", "Build"),
        ("Rome → Ostia", "Rome -> Ostia"),
        ("Rome ➡️ Ostia", "Rome -> Ostia"),
        ("Rome ⟹ Ostia", "Rome -> Ostia"),
        ("Rome => Ostia", "Rome -> Ostia"),
        ("Rome ==> Ostia", "Rome -> Ostia"),
        ("Rome ↛ Ostia", "Rome ↛ Ostia"),
        ("Rome ← Ostia", "Rome ← Ostia"),
        ("Rome ↔ Ostia", "Rome ↔ Ostia"),
        ("5 >= 4, 4 <=> 4", "5 >= 4, 4 <=> 4"),
        ("# a remark", ""),
        ("   ", ""),
        ("", ""),
    ],
)
def test_a_line_is_read_plainly(text: str, read: str) -> None:
    assert cleaner()(text) == read


def test_letters_are_composed_in_long_lines_too() -> None:
    marked = "a\u0323\u0302"  # two marks, in whatever order: ậ
    assert cleaner()(f"Cafe\u0301 {marked} " * 100) == " ".join(["Café ậ"] * 100)
    assert cleaner()("o\u0302\u0323" * 100) == "ộ" * 100


def test_a_letter_with_thousands_of_marks_takes_no_longer_than_others() -> None:
    """NFC sorts the marks of a letter, which takes some minutes for these."""
    text = "a" + "\u0301\u0316" * 100_000
    with takes_at_most(2):
        assert len(cleaner()(text)) > 100_000


def test_a_game_may_have_marks_of_its_own() -> None:
    clean = cleaner(bullet=r"\(\w\)\s*", ends=" ?", remark="//|<-", ignored="(orders|notes):", signs={"→": "-->"})
    assert clean("(a) Move → Sol? // or not") == "Move --> Sol"
    assert clean("ORDERS: <- these") == ""
    assert clean("# five") == "# five"


def test_one_bullet_is_taken_off_at_a_time() -> None:
    clean = cleaner()
    for text in ("- 1. Build", "x . ,", "#", "Move A, B and C."):
        assert clean(clean(clean(text))) == clean(clean(text))


def test_a_short_line_is_read_once_and_a_long_one_is_not_remembered() -> None:
    asked: list[str] = []

    @line_cache(10)
    def read(_map: str, line: str) -> int:
        asked.append(line)
        return len(line)

    short, long = "a" * USUAL_LINE, "a" * (USUAL_LINE + 1)
    assert [read("europe", line) for line in (short, short, long, long)] == [200, 200, 201, 201]
    assert asked == [short, long, long]

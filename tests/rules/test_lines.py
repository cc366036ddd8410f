"""Order lines are read without what nobody means."""

import pytest

from pbmd.rules.lines import cleaner


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
        ("# a remark", ""),
        ("   ", ""),
        ("", ""),
    ],
)
def test_a_line_is_read_plainly(text: str, read: str) -> None:
    assert cleaner()(text) == read


def test_a_game_may_have_marks_of_its_own() -> None:
    clean = cleaner(bullet=r"\(\w\)\s*", ends=" ?", remark="//|<-", ignored="(orders|notes):", signs={"→": "-->"})
    assert clean("(a) Move → Sol? // or not") == "Move --> Sol"
    assert clean("ORDERS: <- these") == ""
    assert clean("# five") == "# five"


def test_one_bullet_is_taken_off_at_a_time() -> None:
    clean = cleaner()
    for text in ("- 1. Build", "x . ,", "#", "Move A, B and C."):
        assert clean(clean(clean(text))) == clean(clean(text))

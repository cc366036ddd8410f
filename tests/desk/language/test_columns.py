"""Tables of plain text: as wide as a mail, however long what stands in them is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.desk.language.columns import WIDTH, labelled, table, width_of

HEAD = ("seat", "orders", "missed", "besides")
LONG = "The United Federation of Planets beyond the Rim"


def test_columns_stand_below_their_heads():
    assert table(HEAD, [("Altair", "in", "1", "away"), ("Borealis", "awaited", "", "")]).splitlines() == [
        "seat      orders   missed  besides",
        "Altair    in       1       away",
        "Borealis  awaited",
    ]


def test_a_long_name_stands_whole_on_a_line_of_its_own():
    lines = table(HEAD, [(LONG, "in", "1", "away")]).splitlines()
    assert lines[1] == LONG
    assert lines[2].split() == ["in", "1", "away"]
    assert lines[2].index("in") == lines[0].index("orders")


def test_a_long_text_goes_on_below_itself():
    lines = table(("seat", "besides"), [("Altair", "word " * 30)]).splitlines()
    assert {line.index("word") for line in lines[1:]} == {lines[0].index("besides")}


@pytest.mark.parametrize("label", ["deadline", LONG])
def test_a_label_has_its_text_beside_or_below_it(label):
    first, *rest = labelled(label, "word " * 30).splitlines()
    assert first.startswith(label)
    assert all(line.startswith(" " * 12 + "word") for line in rest)


def test_letters_that_take_two_columns_keep_the_table_straight_and_narrow():
    wide = "東京帝国"
    lines = table(
        HEAD, [(wide, "in", "1", wide * 20), ("Altair", "awaited", "", "away"), (wide * 6, "in", "", "")]
    ).splitlines()
    assert {width_of(line[: line.index(" in ")]) for line in lines if " in " in line} == {len("seat" + " " * 17)}
    assert max(map(width_of, [*lines, *labelled("away", wide * 30).splitlines()])) <= WIDTH
    assert "".join(lines).count("東") == 1 + 20 + 6


_WORDS = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), max_size=200)


@given(st.lists(st.tuples(st.text("abc XYZ-", max_size=60), st.text("ab", max_size=9), _WORDS), max_size=5), _WORDS)
def test_no_line_is_wider_than_a_mail(rows, text):
    shown = f"{table(('name', 'what', 'besides'), rows)}\n{labelled('label', text)}"
    assert max(map(len, shown.split("\n"))) <= WIDTH
    kept = "".join(shown.split())
    assert all("".join(name.split()) in kept for name, _, _ in rows)

"""What is advised to who wrote a line that was refused: it set right, an example about the same, or nothing."""

import pytest

from pbmd.rules.advice import as_written, distance, is_about_the_same, is_set_right, respellings, sole_right, why_unclear


@pytest.mark.parametrize(
    ("written", "advice", "right"),
    [
        ("Atack Cygnus", "Attack Cygnus", True),
        ("Build2 Frigates", "Build 2 Frigates", True),
        ("Buil d 2 Frigates", "Build 2 Frigates", True),
        ("A Peterburg - Fin", "A St Petersburg - Fin", True),
        ("Build 2 Frigates", "Build 3 Frigates", False),
        ("Attack Cygnus", "Attack Cygnus with all", False),
        ("Attack Cygnus with all", "Attack Vega with all", False),
        ("Anna", "A BUD - GAL", False),
        ("Regards", "Stockpile", False),
        ("Build no Frigates", "Build Frigates", False),
        ("Build city not at C6", "Build city Note at C6", False),
        ("Build half a dozen Frigates", "Build a Frigates", False),
        ("Build four Frigates", "Build Frigates", False),
        ("Attack Cygnus wih all or none", "Attack Cygnus with all or none", True),
    ],
)
def test_a_line_set_right_has_the_same_words_spelt_otherwise(written: str, advice: str, right: bool) -> None:
    assert is_set_right(written, advice) is right


@pytest.mark.parametrize(
    ("written", "strange", "example", "same"),
    [
        ("A Vienna", "", "A VIE H", True),
        ("A Vienna - Xyzzy", "Xyzzy", "A VIE H", True),
        ("A Vienna - Edi", "", "A VIE H", False),
        ("Build", "", "Build 1 base", True),
        ("Build 2 Titans", "", "Build 1 base", False),
        ("Hello all", "", "Repair all", False),
        ("A", "", "A VIE H", False),
        ("Xyzzy", "Xyzzy", "A VIE H", False),
    ],
)
def test_an_example_leaves_out_nothing_that_the_line_names(written: str, strange: str, example: str, same: bool) -> None:
    assert is_about_the_same(written, example, (strange,)) is same


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Attack Rome if Ann does", 'an order cannot depend on anything ("if")'),
        ("Attack Rome or Ostia", 'an order leaves no choice ("or")'),
        ("Buy 3-4 ships", 'an order leaves no choice ("3-4")'),
        ("Buy at most 4 ships", 'write a number ("at most")'),
        ("Attack Rome with the rest", 'write a number ("the rest")'),
        ("Attack Rome next turn", 'an order is for now ("next turn")'),
        ("Do not attack Rome", 'write only what is to be done ("Do not")'),
        ("Rome then Ostia", 'write one order a line ("then")'),
        ("Attack Rome (not Ostia)", '"(not Ostia)" may change the order, so write it alone'),
        ("Attack Rome [tbc]", '"(tbc)" may change the order, so write it alone'),
        ("Attack Rome (as ever)", ""),
        ("Attack Romulus", ""),
    ],
)
def test_a_line_that_leaves_open_what_it_orders_is_answered_by_why(text: str, why: str) -> None:
    assert why_unclear(text) == why


def test_how_it_is_written_is_told_of_a_line_with_a_telling_word_alone() -> None:
    shapes = {"attack": "Attack <city>"}
    assert as_written("this is no order", "Attack if you can", shapes) == (
        'an order cannot depend on anything ("if"); write it as "Attack <city>"'
    )
    assert as_written("this is no order", "Atack!", shapes) == "this is no order"
    assert as_written("this is no order", "See you if you can", shapes) == "this is no order"


def test_only_what_can_be_meant_alone_is_right() -> None:
    assert sole_right("Attack Vexa", ("Attack Vega", "Attack Vela")) == ""
    assert sole_right("Attack Vexa", ("Attack Vela",)) == "Attack Vela"
    assert sole_right("Attack Vexa", ("Attack Vega", "Attack Vesta")) == ""
    assert sole_right("Attack Altaic", ("Attack Altair", "Attack Alxxxr")) == "Attack Altair"
    assert sole_right("Attack Vexa", ("Attack Vega", "attack  vega")) == "attack  vega"
    assert sole_right("Attack Vexa", ("Stockpile",)) == ""


@pytest.mark.parametrize(
    ("one", "other", "letters"), [("", "", 0), ("spy", "spy", 0), ("sppy", "spy", 1), ("psy", "spy", 1), ("a", "spy", 3)]
)
def test_letters_that_are_put_in_left_out_changed_or_swapped_are_counted(one: str, other: str, letters: int) -> None:
    assert distance(one, other) == distance(other, one) == letters


def test_words_that_nobody_knows_are_respelt_alone_and_together() -> None:
    assert [*respellings("Buld Frigats", ("Build", "Frigates"))] == ["Build Frigats", "Buld Frigates", "Build Frigates"]
    assert [*respellings("Build Frigates", ("Build", "Frigates"))] == []
    assert [*respellings("Hello all of you", ("Build", "Frigates"))] == []


def test_of_a_line_of_many_strange_words_few_are_tried() -> None:
    known = [f"word{letter}" for letter in "abcdefgh"]
    assert len([*respellings("wordx wordy wordz", known)]) <= 12
    assert [*respellings(" ".join(["wordx"] * 30), known)] == []

"""Choices by dice say which rolls they draw."""

import pytest

from pbmd.rules import ScriptedDice
from pbmd.rules.randomly import one_in, pick, shuffled


def test_one_is_picked_with_one_roll() -> None:
    dice = ScriptedDice([2])
    assert pick(dice, "abc") == "b"
    assert dice.drawn == ((3, 2),)


def test_nothing_can_be_picked_of_nothing() -> None:
    with pytest.raises(ValueError, match="a die has at least one side"):
        pick(ScriptedDice([]), ())


def test_once_in_so_many_times() -> None:
    dice = ScriptedDice([1, 2, 5])
    assert [one_in(dice, 5) for _ in range(3)] == [True, False, False]


def test_an_order_by_lot_is_made_from_the_end() -> None:
    dice = ScriptedDice([1, 3, 2])
    assert shuffled(dice, "abcd") == ["d", "b", "c", "a"]
    assert dice.drawn == ((4, 1), (3, 3), (2, 2))


def test_every_order_comes_about_once() -> None:
    orders = {tuple(shuffled(ScriptedDice([one, two]), "abc")) for one in (1, 2, 3) for two in (1, 2)}
    assert len(orders) == 6

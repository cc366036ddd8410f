"""Random phases: the outcome satisfies every equation of the rules, as a second and plainer hand has written them down."""

from random import Random

import pytest

from rulesets.diplomacy.resolution.adjudication import Adjudication, Order, adjudicate, result_of
from rulesets.diplomacy.world.board import board
from tests.rulesets.diplomacy.chance import random_phase
from tests.rulesets.diplomacy.checker import Rules

BOARD = board("standard")


def moved_in(found: Adjudication) -> frozenset[str]:
    return frozenset(piece.home for piece in found.pieces if piece.moved)


def phases(many: int, first: int = 0, most: int = 34) -> list[list[Order]]:
    found = (random_phase(Random(seed), BOARD, most) for seed in range(first, first + many))
    return list(found)


@pytest.mark.rule("DI-35", "DI-43", "DI-50", "DI-51", "DI-52", "DI-53", "DI-54", "DI-55", "DI-57")
def test_every_equation_holds() -> None:
    convoyed = cut = 0
    for seed, orders in enumerate(phases(1000)):
        found = adjudicate(BOARD, orders)
        rules = Rules(BOARD, orders)
        paradoxes = [piece.home for piece in found.pieces if piece.is_paradox]
        moved, given, ways = rules.follows(moved_in(found), paradoxes)
        assert moved_in(found) == moved, seed
        assert {piece.home for piece in found.pieces if piece.aim and piece.given} == given, seed
        assert {piece.home for piece in found.pieces if piece.to and piece.open} == ways, seed
        convoyed += sum(piece.convoyed and bool(piece.moved) for piece in found.pieces)
        cut += sum(bool(piece.aim) and not piece.given for piece in found.pieces)
    assert convoyed > 200
    assert cut > 500


@pytest.mark.rule("DI-56", "DI-57")
def test_of_all_outcomes_the_only_one_is_found_and_of_several_the_one_in_which_rings_move() -> None:
    """In small positions all outcomes are tried. Of several without a paradox it is that in which most units move."""
    several = none = 0
    for seed, orders in enumerate(phases(1500, first=5000, most=11)):
        rules = Rules(BOARD, orders)
        if len(rules.movers) > 9:
            continue
        found, solutions = adjudicate(BOARD, orders), rules.solutions()
        if any(piece.is_paradox for piece in found.pieces):
            assert len(solutions) != 1, seed
            none += 1
        else:
            assert moved_in(found) == max(solutions, key=len), seed
            assert all(moved <= moved_in(found) for moved in solutions), seed
            several += len(solutions) > 1
    assert several > 10


@pytest.mark.rule("DI-50")
def test_nothing_depends_on_the_order_in_which_units_are_given() -> None:
    for seed, orders in enumerate(phases(300, first=9000)):
        mixed = Random(seed).sample(orders, len(orders))
        one, other = adjudicate(BOARD, orders), adjudicate(BOARD, mixed)
        assert moved_in(one) == moved_in(other)
        assert one.contested == other.contested
        assert {piece.home: result_of(one.field, piece) for piece in one.pieces} == {
            piece.home: result_of(other.field, piece) for piece in other.pieces
        }


@pytest.mark.rule("DI-50", "DI-51")
def test_no_unit_appears_or_is_lost_and_no_two_are_in_one_province() -> None:
    for orders in phases(300, first=12000):
        found = adjudicate(BOARD, orders)
        left = [piece for piece in found.pieces if found.dislodger(piece) is None]
        places = [piece.to if piece.moved else piece.home for piece in left]
        assert len(places) == len(set(places))
        assert len(left) + sum(found.dislodger(piece) is not None for piece in found.pieces) == len(orders)
        assert all(found.dislodger(piece) is None for piece in found.pieces if piece.moved)

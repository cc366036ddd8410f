"""The quick way of reading the judges' notation, and the grammar, find the same."""

from random import Random

import pytest

from rulesets.diplomacy.checking import reading
from rulesets.diplomacy.world.board import board
from tests.rulesets.diplomacy.chance import random_phase


@pytest.mark.rule("DI-90")
def test_what_is_read_quickly_is_what_the_grammar_reads() -> None:
    standard, chance = board("standard"), Random(1)
    lines = {order.order.text for _ in range(60) for order in random_phase(chance, standard)}
    kinds = {said.verb for line in lines if isinstance(said := reading.read(line), reading.Said)}
    assert kinds == {"hold", "move", "support", "convoy"}
    for line in sorted(lines):
        # Small letters are read by the grammar alone.
        slowly = reading.read(line.lower())
        assert isinstance(slowly, reading.Said)
        assert _in_capitals(slowly) == reading.read(line), line


def _in_capitals(said: reading.Said) -> reading.Said:
    def place(written: reading.Place) -> reading.Place:
        return written._replace(name=written.name.upper())

    def unit(named: reading.Named | None) -> reading.Named | None:
        return named and named._replace(place=place(named.place))

    return said._replace(unit=unit(said.unit), other=unit(said.other), way=tuple(map(place, said.way)))

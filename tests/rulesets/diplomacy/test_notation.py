"""Orders on file: what is written is read as the same order, and nothing else is read."""

import pytest

from rulesets.diplomacy.orders import read_canonical
from rulesets.diplomacy.world.commands import (
    Build,
    Concede,
    Convoy,
    Disband,
    Draw,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from rulesets.diplomacy.world.units import Unit, read_unit

PAR, STP, NTH = Unit("A", "PAR"), Unit("F", "STP/NC"), Unit("F", "NTH")
WRITTEN: dict[str, Order] = {
    "A PAR H": Hold(PAR),
    "A PAR - BUR": Move(PAR, "BUR"),
    "A PAR - BUR VIA": Move(PAR, "BUR", via=True),
    "F NTH - STP/NC": Move(NTH, "STP/NC"),
    "A PAR S F STP/NC": SupportHold(PAR, STP),
    "A PAR S F NTH - STP/NC": SupportMove(PAR, NTH, "STP/NC"),
    "F NTH C A PAR - NWY": Convoy(NTH, PAR, "NWY"),
    "F STP/NC R BAR": Retreat(STP, "BAR"),
    "F STP/NC D": Disband(STP),
    "F STP/NC B": Build(STP),
    "WAIVE": Waive(),
    "DRAW": Draw(),
    "CONCEDE France": Concede("France"),
}


@pytest.mark.rule("DI-20", "DI-21", "DI-30", "DI-31", "DI-40", "DI-60", "DI-71", "DI-73", "DI-74", "DI-83", "DI-84")
@pytest.mark.parametrize("line", WRITTEN)
def test_what_is_written_is_read_as_the_same_order(line: str) -> None:
    assert read_canonical(line) == WRITTEN[line]
    assert WRITTEN[line].text == line


@pytest.mark.parametrize(
    "line",
    [
        *("", "A", "A PAR", "A PAR X", "a PAR H", "A PARIS H", "Q PAR H", "A PAR  H", " A PAR H", "A PAR H ", "A PAR H H"),
        *("A PAR -", "A PAR - bur", "A PAR - BUR VIAX", "A PAR - BUR VIA VIA", "A PAR R BUR VIA", "A PAR - STP/XC"),
        *("F NTH C A PAR", "F NTH C A PAR -", "A PAR S NTH", "A PAR S F NTH NWY", "A PAR S F NTH - NWY VIA", "A PAR B NWY"),
        *("WAIVE ", "draw", "CONCEDE", "CONCEDE ", "CONCEDE  France", "CONCEDE France "),
    ],
)
def test_nothing_else_is_read(line: str) -> None:
    assert read_canonical(line) is None


@pytest.mark.parametrize("text", ["PAR", "A", "A PAR/", "A  PAR", "F STP/NC ", "X PAR"])
def test_a_unit_in_a_document_is_written_as_judges_do(text: str) -> None:
    with pytest.raises(ValueError, match="no unit"):
        read_unit(text)

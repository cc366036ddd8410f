"""What types cannot say about a position: names that occur once, and orders on file that a letter could have put there.

All raise `PositionError` with the place in the document.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import starmap, zip_longest

from pbmd.rules.checking import Checked, P, Wrong
from pbmd.rules.names import fold
from pbmd.rules.protocol import Line, PositionError, Sheet


def must_differ(table: str, field: str, values: Iterable[Hashable]) -> None:
    """In the rows of the table that field has a value of its own; of names case and blanks do not matter. For a list of values
    `field` is ""."""
    met: dict[Hashable, int] = {}
    for row, value in enumerate(values):
        if (first := met.setdefault(fold(value) if isinstance(value, str) else value, row)) != row:
            place = f".{field}" if field else ""
            raise PositionError(f"{table}[{row}]{place}", f'"{value!s:.60}" is there twice: {table}[{first}] has it already')


def check_on_file(position: P, able: Iterable[str], checked: Callable[[P, str, Iterable[Line]], Checked]) -> P:
    """The position, in which each sheet is of another of the seats that are `able` to have one, with lines as a letter would
    put them there, and each missed deadline of another that has none. `checked` tells what would become of lines in a letter
    of a seat; they are numbered from 0. Nobody may be among the seats twice."""
    seats = [*able]
    if twice := [seat for place, seat in enumerate(seats) if fold(seat) in map(fold, seats[:place])]:
        raise PositionError("", f'"{twice[0]:.60}" plays twice here')
    for place, sheet in enumerate(position.sheets):
        if sheet.seat not in seats:
            raise PositionError(f"sheets[{place}].player", f'there is no "{sheet.seat:.60}" who can have orders now')
    must_differ("sheets", "player", (sheet.seat for sheet in position.sheets))
    for place, sheet in enumerate(position.sheets):
        _check_lines(f"sheets[{place}]", sheet, checked(position, sheet.seat, starmap(Line, enumerate(sheet.lines))))
    must_differ("missed", "", position.missed)
    without = {*seats} - {sheet.seat for sheet in position.sheets}
    for place, seat in enumerate(position.missed):
        if seat not in without:
            raise PositionError(f"missed[{place}]", f'there is no "{seat:.60}" who could have orders now and has none')
    return position


def _check_lines(place: str, sheet: Sheet, checked: Checked) -> None:
    for answer in checked.answers:
        if isinstance(answer, Wrong):
            raise PositionError(f"{place}.lines[{answer.line.number}]", f'"{answer.line.text:.60}": {answer.problem}')
    if checked.sheet != sheet.lines:
        pairs = enumerate(zip_longest(sheet.lines, checked.sheet))
        first = next(row for row, (written, right) in pairs if written != right)
        raise PositionError(f"{place}.lines[{first}]", f"on file these orders are {list(checked.sheet)}")

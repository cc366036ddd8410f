"""What types cannot say of a position is told with its place in the document."""

from dataclasses import dataclass

import pytest

from pbmd.rules import PositionError, Sheet
from pbmd.rules.checking import Fault, one_by_one
from pbmd.rules.codec import Names, Sheets, codec
from pbmd.rules.sound import check_on_file, must_differ
from tests.rules.count import info


@dataclass(frozen=True)
class Pit:
    """A position."""

    players: tuple[str, ...]
    sheets: Sheets = ()
    missed: Names = ()


def _dig(_pit: Pit, _seat: str, text: str, before: tuple[str, ...]) -> str:
    if text.title() != "Dig" or before:
        raise Fault("you can dig, and that once")
    return "Dig"


_CHECKED = one_by_one(lambda text: text.partition("#")[0], _dig)
PIT = codec(Pit, info, lambda pit: check_on_file(pit, pit.players, _CHECKED))


def _sheet(player: str, *lines: str) -> dict[str, object]:
    return {"player": player, "arrival": [len(player), 0], "lines": [*lines]}


def _document(*sheets: dict[str, object], missed: tuple[str, ...] = ()) -> dict[str, object]:
    return {"ruleset": "count", "players": ["Ann", "Robert"], "sheets": [*sheets], "missed": [*missed]}


def test_what_a_letter_can_put_on_file_is_taken() -> None:
    pit = PIT.load(_document(_sheet("Ann", "Dig"), missed=("Robert",)))
    assert (pit.sheets, pit.missed) == ((Sheet("Ann", (3, 0), ("Dig",)),), ("Robert",))
    assert PIT.load(PIT.dump(pit)) == pit


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (_document(_sheet("Ann", "Dig"), _sheet("Ann", "Dig")), "sheets[1].player"),
        (_document(_sheet("Ann"), _sheet("Zachary")), "sheets[1].player"),
        (_document(_sheet("Ann", "Dig", "Dig")), "sheets[0].lines[1]"),
        (_document(_sheet("Ann"), _sheet("Robert", "Fly")), "sheets[1].lines[0]"),
        (_document(_sheet("Ann", "dig")), "sheets[0].lines[0]"),
        (_document(_sheet("Ann", "Dig", "# for gold")), "sheets[0].lines[1]"),
        (_document() | {"players": ["Ann", "Robert", "ANN"]}, ""),
        (_document(missed=("Zoe",)), "missed[0]"),
        (_document(missed=("Ann", "Robert", "Ann")), "missed[2]"),
        (_document(_sheet("Ann"), missed=("Robert", "Ann")), "missed[1]"),
    ],
)
def test_what_no_letter_puts_on_file_is_refused_with_its_place(document: dict[str, object], place: str) -> None:
    with pytest.raises(PositionError) as refused:
        PIT.load(document)
    assert refused.value.place == place


def test_a_check_can_give_the_position_what_its_document_leaves_out() -> None:
    filled = codec(Pit, info, lambda pit: Pit(pit.players or ("Ann",)))
    assert filled.load(_document() | {"players": []}) == Pit(("Ann",))


@pytest.mark.parametrize(
    ("table", "field", "values", "message"),
    [
        ("players", "name", ("Ann", "Bob", "ann "), 'players[2].name: "ann " is there twice: players[0] has it already'),
        ("bases", "number", (1, 2, 2), 'bases[2].number: "2" is there twice: bases[1] has it already'),
        ("missed", "", ("Ann", "Ann"), 'missed[1]: "Ann" is there twice: missed[0] has it already'),
    ],
)
def test_what_is_there_twice_is_told_with_both_places(table: str, field: str, values: tuple[object, ...], message: str) -> None:
    with pytest.raises(PositionError) as refused:
        must_differ(table, field, values)
    assert str(refused.value) == message


def test_what_is_there_once_is_sound() -> None:
    must_differ("players", "name", ("Ann", "Anna", 1, 2))

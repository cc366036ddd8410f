"""Documents are read and written by the fields of the position's own classes."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import Field

from pbmd.rules import PositionError, Sheet
from pbmd.rules.codec import Given, Names, Sheets, WrittenAs, codec, is_empty, options_field, row
from pbmd.rules.documents import Count, Positive
from tests.rules.count import info


def _square(text: str) -> tuple[int, int]:
    if len(text) != 2:
        raise PositionError("", f'"{text}" is no square')
    return ord(text[0]) - ord("A"), int(text[1])


Square = Annotated[tuple[int, int], WrittenAs(str, _square, lambda square: f"{chr(ord('A') + square[0])}{square[1]}")]


@dataclass(frozen=True)
class _Berth:
    hull: Count


def _berth(berth: _Berth) -> int:
    if berth.hull > 9:
        raise PositionError("hull", "a hull of 9 is the strongest")
    return berth.hull


@row
class Ship(NamedTuple):
    """Made by the dozen."""

    name: str
    owner: Annotated[str, Field(alias="of")]
    hull: Count = 3
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Port:
    """A part of a position."""

    at: Square
    share: Fraction = Fraction(1)


@dataclass(frozen=True)
class Sea:
    """A position."""

    turn: Positive
    given: Annotated[Given, options_field(info, lambda _: None), Field(alias="options")]
    ships: tuple[Ship, ...]
    ports: tuple[Port, ...] = ()
    weather: Literal["calm", "storm"] = "calm"
    berths: tuple[Annotated[int, WrittenAs(_Berth, _berth, _Berth)], ...] = ()
    winner: Annotated[str | None, Field(exclude_if=is_empty)] = None
    sheets: Sheets = ()
    missed: Names = ()


SEA = codec(Sea, info)
DOCUMENT = {
    "ruleset": "count",
    "turn": 3,
    "options": {"target": 30},
    "ships": [{"name": "Argo", "of": "Iason", "hull": 2, "marks": ["old"]}],
    "ports": [{"at": "B7", "share": "3/4"}],
    "weather": "storm",
    "berths": [{"hull": 4}],
    "winner": "Iason",
    "sheets": [{"player": "Iason", "arrival": [5, 0], "lines": ["Sail"]}],
    "missed": ["Medea"],
}
POSITION = Sea(
    turn=3,
    given=(("target", 30),),
    ships=(Ship("Argo", "Iason", 2, ("old",)),),
    ports=(Port((1, 7), Fraction(3, 4)),),
    weather="storm",
    berths=(4,),
    winner="Iason",
    sheets=(Sheet("Iason", (5, 0), ("Sail",)),),
    missed=("Medea",),
)


def test_a_document_is_a_position_and_the_other_way_round() -> None:
    assert SEA.load(DOCUMENT) == POSITION
    assert SEA.dump(POSITION) == DOCUMENT
    assert list(SEA.dump(POSITION)) == list(DOCUMENT)


def test_what_is_empty_is_left_out_and_read_as_empty() -> None:
    bare = replace(POSITION, winner=None, sheets=(), missed=())
    document = SEA.dump(bare)
    assert not {"winner", "sheets", "missed"} & {*document}
    assert SEA.load(document) == bare


def test_defaults_are_written() -> None:
    assert SEA.dump(Sea(1, (), (Ship("Argo", "Iason"),)))["ships"] == [{"name": "Argo", "of": "Iason", "hull": 3, "marks": []}]


def test_sheets_are_put_in_order_of_arrival() -> None:
    late, early = ({"player": name, "arrival": [when, 0], "lines": []} for name, when in (("Iason", 9), ("Medea", 2)))
    assert [sheet.seat for sheet in SEA.load(DOCUMENT | {"sheets": [late, early]}).sheets] == ["Medea", "Iason"]


def test_options_that_are_as_in_the_handbook_are_not_kept() -> None:
    assert SEA.load(DOCUMENT | {"options": {"target": info.options["target"].default}}).given == ()


def damaged(*way: str | int, value: Any) -> dict[str, Any]:
    def changed(part: Any, steps: tuple[str | int, ...]) -> Any:
        if not steps:
            return value
        step, *rest = steps
        if isinstance(part, dict):
            return part | {step: changed(part.get(step), tuple(rest))}
        return [changed(item, tuple(rest)) if i == step else item for i, item in enumerate(part)]

    return changed(DOCUMENT, way)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (damaged("turn", value=0), "turn: at least 1 is wanted here, not 0"),
        (damaged("turn", value="3"), "turn: a whole number is wanted here, not '3'"),
        (damaged("turn", value=True), "turn: a whole number is wanted here, not true"),
        (damaged("turn", value=float("nan")), "turn: a whole number is wanted here, not nan"),
        (damaged("turn", value=2**70), "turn: at most 9007199254740991 is wanted here, not 1180591620717411303424"),
        (damaged("weather", value="fog"), "weather: 'calm' or 'storm' is wanted here, not 'fog'"),
        (damaged("ships", value={}), "ships: a list is wanted here, not a table"),
        (damaged("ships", 0, value=["Argo", "Iason"]), "ships[0]: a table is wanted here, not a list"),
        (damaged("ships", 0, "hull", value=-1), "ships[0].hull: at least 0 is wanted here, not -1"),
        (damaged("ships", 0, "sail", value=1), "ships[0].sail: there is no such field"),
        (damaged("ships", 0, value={"name": "Argo"}), "ships[0].of: this field is missing"),
        (damaged("ports", 0, value="B7"), "ports[0]: a table is wanted here, not 'B7'"),
        (damaged("ports", 0, "rum", value=1), "ports[0].rum: there is no such field"),
        (damaged("ports", 0, "at", value="B77"), 'ports[0].at: "B77" is no square'),
        (damaged("ports", 0, "at", value="B?"), "ports[0].at: invalid literal for int() with base 10: '?'"),
        (damaged("ports", 0, "share", value="x"), "ports[0].share: a number such as 2 or \"3/4\" is wanted here, not 'x'"),
        (damaged("berths", 0, "hull", value=10), "berths[0].hull: a hull of 9 is the strongest"),
        (damaged("sheets", 0, "arrival", value=[1]), "sheets[0].arrival[1]: this field is missing"),
        (damaged("options", value={"targt": 3}), 'options: there is no option "targt"; did you mean "target"?'),
        (damaged("options", value=[]), "options: a table is wanted here, not a list"),
        (damaged("ruleset", value="chess"), 'ruleset: this is a position of "chess", not of "count"'),
        (damaged("rum", value=1), "rum: there is no such field"),
        ({key: value for key, value in DOCUMENT.items() if key != "ruleset"}, "ruleset: this field is missing"),
        ({key: value for key, value in DOCUMENT.items() if key != "ships"}, "ships: this field is missing"),
        (damaged("winner", value=object()), "this cannot be JSON: Object of type object is not JSON serializable"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(document: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as refused:
        SEA.load(document)
    assert str(refused.value) == message


def nested(levels: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


@pytest.mark.parametrize("value", [nested(300), nested(100_000), "\ud800"])
def test_what_no_position_has_is_refused_without_being_told(value: Any) -> None:
    with pytest.raises(PositionError, match=r"^this is nested too deep") as refused:
        SEA.load(damaged("winner", value=value))
    assert len(str(refused.value)) < 100


def test_a_value_of_another_type_is_not_written_and_not_told() -> None:
    wrong: Any = ["my secret"]
    with pytest.raises(TypeError, match="not the type that its class says") as refused:
        SEA.dump(replace(POSITION, winner=wrong))
    assert "secret" not in str(refused.value)

"""Position documents made of the position's own dataclasses: no field is written twice.

The fields of the dataclass are those of the document, in their order and of their types, read as strictly as JSON allows, with
the place of whatever is wrong. A field that has another key in documents says so: ``Annotated[str, Field(alias="from")]``.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, NotRequired, TypeVar, get_type_hints

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema
from typing_extensions import TypedDict

from pbmd.rules.documents import problem_in
from pbmd.rules.info import RulesetInfo
from pbmd.rules.options import OptionValue, changed, complete
from pbmd.rules.protocol import Document, PositionError, Sheet
from pbmd.rules.sheets import in_arrival_order

_TOO_DEEP = "this is nested too deep"

P = TypeVar("P")
R = TypeVar("R", bound=type[tuple[Any, ...]])


@dataclass(frozen=True)
class Codec(Generic[P]):
    """Reads documents as positions of one ruleset, and writes them."""

    info: RulesetInfo
    adapter: TypeAdapter[list[P]]
    check: Callable[[P], P]

    def load(self, document: Mapping[str, Any]) -> P:
        """The position in a document. Raises `PositionError` with the place of the first thing that is wrong."""
        slug = document.get("ruleset")
        if slug is None:
            raise PositionError("ruleset", "this field is missing")
        if slug != self.info.slug:
            raise PositionError("ruleset", f'this is a position of "{slug!s:.60}", not of "{self.info.slug}"')
        fields = {key: value for key, value in document.items() if key != "ruleset"}
        try:
            text = json.dumps([fields])
        except (TypeError, ValueError) as problem:
            raise PositionError("", f"this cannot be JSON: {problem}") from None
        except RecursionError:
            raise PositionError("", _TOO_DEEP) from None
        try:
            read = self.adapter.validate_json(text)[0]
        except ValidationError as problem:
            raise problem_in(problem, skip=1) from None
        return self.check(read)

    def dump(self, position: P) -> Document:
        """The document of a position; `load` gives the same position back. Raises `TypeError` for a position with a value of
        another type than its class says; the message does not show the value."""
        try:
            fields = self.adapter.dump_python([position], mode="json", by_alias=True, warnings="error")[0]
        except PydanticSerializationError:
            raise TypeError(f"a value in the {type(position).__name__} has not the type that its class says") from None
        return {"ruleset": self.info.slug, **fields}


def _as_it_is(position: P) -> P:
    return position


def codec(kind: type[P], info: RulesetInfo, check: Callable[[P], P] = _as_it_is) -> Codec[P]:
    """The codec of positions of that dataclass. `check` gets a position whose fields are of the right types, and gives it back,
    perhaps with what documents may leave out, or raises `PositionError` with the place in the document: see `sound`."""
    # In a list, since pydantic takes no configuration for a dataclass itself, but hands it on to those in a list.
    several: Any = list.__class_getitem__(kind)
    return Codec(info, TypeAdapter(several, config=ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)), check)


def row(kind: R) -> R:
    """Write a named tuple as a table with its fields, like a dataclass, and not as a list."""

    def schema(_kind: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        hints = get_type_hints(kind, include_extras=True)
        optional: Mapping[str, Any] = vars(kind).get("_field_defaults", {})
        fields = {name: NotRequired[hint] if name in optional else hint for name, hint in hints.items()}
        table = handler.generate_schema(TypedDict(kind.__name__, fields))  # type: ignore[operator]
        written = core_schema.plain_serializer_function_ser_schema(lambda value: value._asdict(), return_schema=table)
        return core_schema.no_info_after_validator_function(lambda values: kind(**values), table, serialization=written)

    kind.__get_pydantic_core_schema__ = classmethod(lambda _cls, source, handler: schema(source, handler))  # type: ignore[attr-defined]
    return kind


@dataclass(frozen=True)
class WrittenAs:
    """How a value of a position stands in its document: as a value of another type. `read` may raise `PositionError` with the
    place within it, or any `ValueError`."""

    kind: Any
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The other type, read and written by the two functions (pydantic's protocol)."""
        schema = handler.generate_schema(self.kind)
        written = core_schema.plain_serializer_function_ser_schema(self.write, return_schema=schema)
        return core_schema.no_info_after_validator_function(self.read, schema, serialization=written)


def is_empty(value: Any) -> bool:
    """For ``Field(exclude_if=is_empty)``: written only if there is something in it."""
    return not value


# --- What all positions have ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SheetRow:
    player: str
    arrival: tuple[int, int]
    lines: tuple[str, ...]


def _sheets(rows: list[_SheetRow]) -> tuple[Sheet, ...]:
    return in_arrival_order(Sheet(row.player, row.arrival, row.lines) for row in rows)


def _sheet_rows(sheets: tuple[Sheet, ...]) -> list[_SheetRow]:
    return [_SheetRow(sheet.seat, sheet.arrival, sheet.lines) for sheet in sheets]


AllSheets = Annotated[tuple[Sheet, ...], WrittenAs(list[_SheetRow], _sheets, _sheet_rows)]
"""Sheets in order of arrival."""
Sheets = Annotated[AllSheets, Field(exclude_if=is_empty)]
"""The sheets on file in a step, in order of arrival; the document has them only if there are any."""
Names = Annotated[tuple[str, ...], Field(exclude_if=is_empty)]
"""Seats; the document has them only if there are any."""
Given = tuple[tuple[str, OptionValue], ...]
"""Options of a game that differ from the handbook."""


def _any_will_do(_given: Given) -> None:
    """Accepts any options together."""


def options_field(info: RulesetInfo, check: Callable[[Given], object] = _any_will_do) -> WrittenAs:
    """The options in a document, for ``Annotated[Given, options_field(INFO, game_options), Field(alias="options")]``. `check`
    raises a `ValueError` that says what is wrong with them, besides what ``ruleset.toml`` says of each."""

    def read(options: Mapping[str, Any]) -> Given:
        texts = {key: ", ".join(map(str, value)) if isinstance(value, list) else value for key, value in options.items()}
        complete(info.options, texts)
        given = tuple(changed(info.options, texts).items())
        check(given)
        return given

    return WrittenAs(dict[str, Any], read, dict)

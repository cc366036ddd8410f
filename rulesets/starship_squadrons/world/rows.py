"""Rows of a document in which the parts of a value are fields of the row itself, instead of tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, NotRequired, TypeVar, get_type_hints

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

K = TypeVar("K", bound=type[Any])

UNSAID = -1
"""A number that a document may leave out, until the position is complete: the rules give it then."""


@dataclass(frozen=True)
class Among:
    """How a part of a row is written in it, for ``Annotated``: as fields with these types. `read` gets the existing ones as
    keywords, and may raise `PositionError` with the place within the row; `write` returns them."""

    fields: Mapping[str, Any]
    read: Callable[..., Any]
    write: Callable[[Any], Mapping[str, Any]]


def flat(kind: K) -> K:
    """Makes a dataclass or named tuple be written as a table with its fields, and with those of its parts that are `Among`
    them."""

    def schema(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        hints = get_type_hints(kind, include_extras=True)
        parts: dict[str, Among] = {}
        fields: dict[str, Any] = {}
        parameters = signature(kind).parameters
        for name, parameter in parameters.items():
            part = next((one for one in getattr(hints[name], "__metadata__", ()) if isinstance(one, Among)), None)
            if part is not None:
                parts[name] = part
                fields |= part.fields
            else:
                fields[name] = hints[name] if parameter.default is parameter.empty else NotRequired[hints[name]]

        def read(row: dict[str, Any]) -> Any:
            for name, part in parts.items():
                row[name] = part.read(**{key: row.pop(key) for key in part.fields if key in row})
            return kind(**row)

        plan = [(name, parts[name].write if name in parts else None) for name in parameters]

        def write(value: Any) -> dict[str, Any]:
            row: dict[str, Any] = {}
            for name, spread in plan:
                if spread is None:
                    row[name] = getattr(value, name)
                else:
                    row.update(spread(getattr(value, name)))
            return row

        table = handler.generate_schema(TypedDict(kind.__name__, fields))  # type: ignore[operator]
        written = core_schema.plain_serializer_function_ser_schema(write, return_schema=table)
        return core_schema.no_info_after_validator_function(read, table, serialization=written)

    kind.__get_pydantic_core_schema__ = classmethod(lambda _cls, source, handler: schema(source, handler))  # type: ignore[attr-defined]
    return kind

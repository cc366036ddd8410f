"""Position documents, read strictly: a table of fields for each part, and for an error plain words with its place."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pbmd.rules.protocol import PositionError

_MOST = 2**53 - 1
"""The largest whole number that every reader of JSON reads exactly."""

Count = Annotated[int, Field(ge=0, le=_MOST)]
"""A whole number from 0 on."""
Positive = Annotated[int, Field(ge=1, le=_MOST)]
"""A whole number from 1 on."""


class Table(BaseModel):
    """A table of a document: no other fields than those named, and no other types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


T = TypeVar("T", bound=Table)


def read_document(kind: type[T], document: Mapping[str, Any]) -> T:
    """The document as the table it should be. Raises `PositionError` with the place of the first thing that is wrong."""
    try:
        return kind.model_validate(dict(document))
    except ValidationError as problem:
        raise problem_in(problem) from None


def problem_in(found: ValidationError, skip: int = 0) -> PositionError:
    """The first of pydantic's findings in the words of a position's author, without the first steps of its place."""
    first = found.errors(include_url=False)[0]
    place = _place(first["loc"][skip:])
    raised = first.get("ctx", {}).get("error")
    if isinstance(raised, PositionError):
        within = f"{place}.{raised.place}" if place and raised.place and raised.place[0] != "[" else place + raised.place
        return PositionError(within, raised.problem)
    return PositionError(place, str(raised) if isinstance(raised, ValueError) else _plain(first))


def _place(steps: tuple[int | str, ...]) -> str:
    """("players", 1, "ships") → "players[1].ships"."""
    place = ""
    for step in steps:
        place += f"[{step}]" if isinstance(step, int) else f".{step}"
    return place.lstrip(".")


def _plain(problem: Any) -> str:
    """pydantic's finding in the words of a position's author."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind in _FINDINGS:
        return _FINDINGS[kind].format(**context)
    wanted = _WANTED.get(kind, "something else is wanted here").format(**context)
    return f"{wanted}, not {_shown(problem['input'])}"


_FINDINGS = {
    "json_invalid": "this is nested too deep, or has a text with half a character",
    "missing": "this field is missing",
    "extra_forbidden": "there is no such field",
    "unexpected_keyword_argument": "there is no such field",
    "too_short": "at least {min_length} must be there, not {actual_length}",
    "too_long": "at most {max_length} can be there, not {actual_length}",
}
_WANTED = {
    "int_type": "a whole number is wanted here",
    "int_parsing_size": "a smaller whole number is wanted here",
    "float_type": "a number is wanted here",
    "finite_number": "a number is wanted here",
    "bool_type": "true or false is wanted here",
    "string_type": "a text in quotation marks is wanted here",
    "list_type": "a list is wanted here",
    "tuple_type": "a list is wanted here",
    "fraction_parsing": 'a number such as 2 or "3/4" is wanted here',
    "dict_type": "a table is wanted here",
    "model_type": "a table is wanted here",
    "dataclass_type": "a table is wanted here",
    "greater_than_equal": "at least {ge} is wanted here",
    "less_than_equal": "at most {le} is wanted here",
    "literal_error": "{expected} is wanted here",
}


def _shown(value: Any) -> str:
    """Roughly how a value looks in a document, in short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return f"{value!r:.60}"

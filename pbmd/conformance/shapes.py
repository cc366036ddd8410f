"""Whether a value is of the type that the protocol gives it, looked at as deep as it goes."""

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pbmd.rules import Ruleset

_PLAIN = (str, int, bool)


@cache
def given_back() -> Mapping[str, Any]:
    """What each function of a ruleset gives back, by its name, as the protocol writes it."""
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(Ruleset).items():
        functions = [each for each in (hint, *get_args(hint)) if get_origin(each) in (Callable, _CALLABLE)]
        if functions:
            found[name] = get_args(functions[0])[-1]
    return found


_CALLABLE = get_origin(Callable[[], None])


def misfit(value: Any, hint: Any, place: str = "") -> str:
    """What is wrong with a value that should be of that type, with the place in it; empty if nothing is."""
    if hint is Any or isinstance(hint, TypeVar):
        return ""
    if hint is None or hint is type(None):
        return "" if value is None else _not(value, "None", place)
    origin = get_origin(hint)
    if origin in _OF:
        return _OF[origin](value, hint, place)
    return _record(value, origin or hint, place)


def _union(value: Any, hint: Any, place: str) -> str:
    found = [misfit(value, each, place) for each in get_args(hint)]
    # What fits best is told: None is wanted least of all.
    return "" if "" in found else found[0]


def _literal(value: Any, hint: Any, place: str) -> str:
    allowed = get_args(hint)
    return "" if value in allowed else _not(value, " or ".join(map(repr, allowed)), place)


def _tuple(value: Any, hint: Any, place: str) -> str:
    """A list does where there may be any number of the same."""
    parts = get_args(hint)
    any_number = len(parts) == 2 and parts[1] is Ellipsis
    if not isinstance(value, tuple) and not (any_number and isinstance(value, list)):
        return _not(value, "tuple", place)
    items = cast("tuple[Any, ...]", value)
    if any_number:
        parts = (parts[0],) * len(items)
    if len(parts) != len(items):
        return f"{place or 'it'} has {len(items)} parts, and not {len(parts)}"
    return _first(
        misfit(item, part, f"{place}[{number}]") for number, (item, part) in enumerate(zip(items, parts, strict=True))
    )


def _mapping(value: Any, hint: Any, place: str) -> str:
    if not isinstance(value, Mapping) or (get_origin(hint) is dict and not isinstance(value, dict)):
        return _not(value, "dict" if get_origin(hint) is dict else "mapping", place)
    key_hint, value_hint = get_args(hint)
    table = cast("Mapping[Any, Any]", value)
    wrong = (
        misfit(key, key_hint, f"{place}[{key!r:.40}]") or misfit(each, value_hint, f"{place}[{key!r:.40}]")
        for key, each in table.items()
    )
    return _first(wrong)


def _sequence(value: Any, hint: Any, place: str) -> str:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return _not(value, "list or tuple", place)
    (part,) = get_args(hint)
    return _first(misfit(item, part, f"{place}[{number}]") for number, item in enumerate(cast("Sequence[Any]", value)))


_OF: Mapping[Any, Callable[[Any, Any, str], str]] = {
    Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    tuple: _tuple,
    dict: _mapping,
    Mapping: _mapping,
    get_origin(Mapping[str, str]): _mapping,
    get_origin(Sequence[str]): _sequence,
}


def _record(value: Any, kind: Any, place: str) -> str:
    """Of plain values `bool` is no number; of records each field is looked at."""
    if kind in _PLAIN:
        return (
            ""
            if isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
            else _not(value, kind.__name__, place)
        )
    if not isinstance(value, kind):
        return _not(value, kind.__name__, place)
    names = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else getattr(kind, "_fields", ())
    hints = _hints(kind) if names else {}
    return _first(misfit(getattr(value, name), hints[name], f"{place}.{name}".lstrip(".")) for name in names)


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _first(found: Any) -> str:
    return next((each for each in found if each), "")


def _not(value: Any, wanted: str, place: str) -> str:
    shown = "None" if value is None else type(value).__name__
    return f"{f'{place} is' if place else 'it is'} {shown}, and not {wanted}"

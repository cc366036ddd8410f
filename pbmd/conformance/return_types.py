"""Whether a value has the type that the protocol gives it, checked all the way down.

For each type a function is made once that returns None for a value that fits, since nearly all do, and otherwise the place in
it and what is wrong there.
"""

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pbmd.rules import Ruleset

Misfit = tuple[str, str]
Look = Callable[[Any], Misfit | None]
_PLAIN = (str, int, bool)


@cache
def given_back() -> Mapping[str, Any]:
    """What each function of a ruleset returns, by its name, as the protocol writes it."""
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(Ruleset).items():
        functions = [each for each in (hint, *get_args(hint)) if get_origin(each) is get_origin(Callable[[], None])]
        if functions:
            found[name] = get_args(functions[0])[-1]
    return found


def misfit(value: Any, hint: Any) -> str:
    """What is wrong with a value that should have that type, with the place in it; empty if nothing is."""
    found = look_for(hint)(value)
    return "" if found is None else f"{found[0].lstrip('.') or 'it'} {found[1]}"


@cache
def look_for(hint: Any) -> Look:
    """The function that checks values of a type."""
    if hint is Any or isinstance(hint, TypeVar):
        return _anything
    if hint is None or hint is type(None):
        return lambda value: None if value is None else _not(value, "None")
    origin = get_origin(hint)
    if origin in _MADE:
        return _MADE[origin](hint)
    return _plain(hint) if hint in _PLAIN else _record(origin or hint)


def _anything(_value: Any) -> Misfit | None:
    return None


def _plain(kind: type) -> Look:
    """`bool` is not accepted as a number."""

    def look(value: Any) -> Misfit | None:
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        return None if fits else _not(value, kind.__name__)

    return look


def _union(hint: Any) -> Look:
    looks = [look_for(each) for each in get_args(hint)]

    def look(value: Any) -> Misfit | None:
        found = [each(value) for each in looks]
        # What is written first is reported: None is the least likely.
        return None if None in found else found[0]

    return look


def _literal(hint: Any) -> Look:
    allowed = get_args(hint)
    return lambda value: None if value in allowed else _not(value, " or ".join(map(repr, allowed)))


def _tuple(hint: Any) -> Look:
    """A list is accepted where any number of the same is allowed."""
    parts = get_args(hint)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return _several(look_for(parts[0]), (tuple, list), "tuple")
    looks = [look_for(part) for part in parts]

    def look(value: Any) -> Misfit | None:
        if not isinstance(value, tuple):
            return _not(value, "tuple")
        items = cast("tuple[Any, ...]", value)
        if len(items) != len(looks):
            return "", f"has {len(items)} parts, and not {len(looks)}"
        return _first((f"[{number}]", each(item)) for number, (each, item) in enumerate(zip(looks, items, strict=True)))

    return look


def _sequence(hint: Any) -> Look:
    return _several(look_for(get_args(hint)[0]), (tuple, list), "list or tuple")


def _several(inner: Look, kinds: tuple[type, ...], wanted: str) -> Look:
    def look(value: Any) -> Misfit | None:
        if not isinstance(value, kinds):
            return _not(value, wanted)
        if inner is _anything:
            return None
        return _first((f"[{number}]", inner(item)) for number, item in enumerate(cast("Sequence[Any]", value)))

    return look


def _mapping(hint: Any) -> Look:
    kind = dict if get_origin(hint) is dict else Mapping
    key_look, value_look = map(look_for, get_args(hint))

    def look(value: Any) -> Misfit | None:
        if not isinstance(value, kind):
            return _not(value, kind.__name__.lower())
        table = cast("Mapping[Any, Any]", value)
        return _first((f"[{key!r:.40}]", key_look(key) or value_look(each)) for key, each in table.items())

    return look


def _record(kind: type[Any]) -> Look:
    """A dataclass or a named tuple, whose fields are each checked."""
    names: Sequence[str] = getattr(kind, "_fields", ())
    if is_dataclass(kind):
        names = [field.name for field in fields(kind)]
    hints = get_type_hints(kind) if names else {}
    looks = [(name, look) for name in names if (look := look_for(hints[name])) is not _anything]

    def look(value: Any, /) -> Misfit | None:
        if not isinstance(value, kind):
            return _not(value, kind.__name__)
        for name, each in looks:
            if found := each(getattr(value, name)):
                return f".{name}{found[0]}", found[1]
        return None

    return look


_MADE: Mapping[Any, Callable[[Any], Look]] = {
    Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    tuple: _tuple,
    dict: _mapping,
    get_origin(Mapping[str, str]): _mapping,
    get_origin(Sequence[str]): _sequence,
}


def _first(found: Iterable[tuple[str, Misfit | None]]) -> Misfit | None:
    for place, wrong in found:
        if wrong:
            return place + wrong[0], wrong[1]
    return None


def _not(value: Any, wanted: str) -> Misfit:
    shown = "None" if value is None else type(value).__name__
    return "", f"is {shown}, and not {wanted}"

"""How an entry of the journal is read and written: its fields are the keys of its two parts.

A key that is absent is None, and None is written as no key. Values are read as strictly as JSON allows. Keys that this version
does not know stay in `more`, so that what is read is written again as it was, whichever version wrote it first.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache, partial
from operator import attrgetter
from typing import Annotated, Any, ClassVar, TypeVar, cast, dataclass_transform, get_args, get_type_hints

from pydantic import GetCoreSchemaHandler, Strict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

Text = Annotated[str, Strict()]
Number = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Document = Mapping[str, Any]
"""An object of which the rules, and not the journal, say what is in it."""
C = TypeVar("C", bound=type[Any])
P = TypeVar("P")
E = TypeVar("E", bound="Entry")
_NOT_KEYS = frozenset({"more", "sealed"})


class MalformedEntry(ValueError):
    """An entry that has not what its kind has; the message names the key."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def content(of: C) -> C:
    """A frozen dataclass whose fields are named wherever one is made."""
    return dataclass(frozen=True, slots=True, kw_only=True)(of)


@content
class Part:
    """An object within an entry, or the whole of its sealed part."""

    more: Mapping[str, Any] | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The fields, with what is unknown apart (pydantic's protocol)."""
        return core_schema.no_info_before_validator_function(partial(_known, cls), handler(source))


@content
class Entry:
    """What an entry says. Its own fields are public; `sealed` is the other part, None where there is none or where it is not
    shown. What holds for all entries of a kind stands in the class.
    """

    kind: ClassVar[str]
    opens_step: ClassVar[bool] = False
    """A step begins with it, with its deadline and the promises of its dice."""
    moves_position: ClassVar[bool] = False
    """The position is another after it, which no letter tells."""
    holds_orders: ClassVar[bool] = False
    """Letters with orders can stand in its sealed part, or in what was kept back until then."""
    tells_of_people: ClassVar[bool] = True
    """Its sealed part tells who somebody is, what they wrote, or when."""
    opens_salts: ClassVar[bool] = False
    """Its sealed part has salts by which dice were rolled: of what a restored backup had promised that may be, in mails since
    lost."""
    has_own_words: ClassVar[bool] = False
    """Its sealed part is not for whoever takes the seat over: it has who the holder was, or what they wrote.
    What all may know stays."""

    sealed: Part | None
    more: Mapping[str, Any] | None = None

    @property
    def readers(self) -> Collection[str]:
        """The seats whose business the sealed part is; of kinds that do not say it is the game master's alone."""
        return ()

    @property
    def is_for_all(self) -> bool:
        """Whether the sealed part is anybody's to read in an archive."""
        return False


def written_parts(entry: Entry) -> tuple[dict[str, Any], dict[str, Any]]:
    """The public and the secret part of an entry; the latter is empty where there is none."""
    return written_part(entry), written_part(entry.sealed) if entry.sealed else {}


def written_part(part: Part | Entry) -> dict[str, Any]:
    """The object that has these keys."""
    keys, values, with_parts = _writing(type(part))
    found = {key: value for key, value in zip(keys, values(part), strict=False) if value is not None}
    for key in with_parts:
        if key in found:
            found[key] = _plain(found[key])
    return {**found, **part.more} if part.more else found


def read_as(of: type[E], public: Mapping[str, Any], secret: Mapping[str, Any] | None) -> E:
    """An entry of that class; `secret` is None where it is not shown. Raises `MalformedEntry`."""
    return _validated(of, {**_known(of, public), "sealed": secret})


def read_part(of: type[P], document: Any) -> P:
    """A part by itself, or several. Raises `MalformedEntry`."""
    return _validated(of, document)


@cache
def adapter(of: Any) -> TypeAdapter[Any]:
    """What reads objects of that class."""
    return TypeAdapter(of)


def _validated(of: Any, values: Mapping[str, Any]) -> Any:
    try:
        return adapter(of).validate_python(values)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise MalformedEntry(f"{place}: {first['msg']}") from None


def _known(of: type[Any], values: Any) -> dict[str, Any]:
    """What a class knows of an object, the rest of it apart. Nothing is null in the journal: None is how a field says that its
    key is absent."""
    if not isinstance(values, Mapping):
        raise MalformedEntry("it is no object")
    given = cast("Mapping[str, Any]", values)
    known = {key: given[key] for _, key, _ in _fields(of) if key in given}
    if absent := [key for key, value in known.items() if value is None]:
        raise MalformedEntry(f"{absent[0]}: it is null")
    return {**known, "more": {key: value for key, value in given.items() if key not in known} or None}


@cache
def _fields(of: type[Any]) -> tuple[tuple[str, str, bool], ...]:
    """The name of each field, its key, and whether its value has parts, so that it is not JSON as it is."""
    hints = get_type_hints(of, include_extras=True)
    named = [(field.name, hints[field.name]) for field in fields(of) if field.name not in _NOT_KEYS]
    return tuple((name, _key(name, hint), _has_parts(hint)) for name, hint in named)


@cache
def _writing(of: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], Any], tuple[str, ...]]:
    """The keys of a class, what gets their values, and the keys whose values have parts. Each letter is written so: it is to
    cost little more than a dict."""
    found = _fields(of)
    # `more` is only there so that there are several, which come as a tuple.
    values = attrgetter(*(name for name, _, _ in found), "more", "more")
    return tuple(key for _, key, _ in found), values, tuple(key for _, key, has_parts in found if has_parts)


def _key(name: str, hint: Any) -> str:
    named = (each.alias for each in getattr(hint, "__metadata__", ()) if isinstance(each, FieldInfo) and each.alias)
    return next(named, name)


def _has_parts(hint: Any) -> bool:
    return (isinstance(hint, type) and issubclass(hint, Part)) or any(map(_has_parts, get_args(hint)))


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return written_part(value)
    return [_plain(each) for each in cast("tuple[Any, ...]", value)] if isinstance(value, tuple) else value

"""Options of a game: declared in a ruleset's ``ruleset.toml``, checked when a game is made."""

import difflib
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


_AS_THEY_ARE: Mapping[str, Callable[[Any], Any]] = MappingProxyType({})


class OptionError(ValueError):
    """An option that does not exist or a value it cannot have; the message names both and what is allowed."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: its default (whose type is the option's type), what it does, and what it may be. `midgame`: it can be
    changed while a game runs, since nothing but what is still to come depends on it. `file_limit`: besides its choices it may
    be the text of a file of at most so many characters, which whoever makes the game names by its path; 0: it may not."""

    key: str
    default: OptionValue
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    midgame: bool = False
    file_limit: int = 0

    @property
    def kind(self) -> str:
        """The type in a reader's words."""
        return f"{self._kind}, or a file" if self.file_limit else self._kind

    @property
    def _kind(self) -> str:
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return "whole number"
        return "one of " + ", ".join(self.choices) if self.choices else "text"


def complete(specs: Mapping[str, OptionSpec], given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """All options with their defaults, with the given ones checked and put in their place. Raises `OptionError`."""
    for key in given:
        if key not in specs:
            near = difflib.get_close_matches(key, specs, n=1)
            raise OptionError(
                f'there is no option "{key}"' + (f'; did you mean "{near[0]}"?' if near else f"; {told_all(specs)}")
            )
    return {key: _checked(spec, given[key]) if key in given else spec.default for key, spec in specs.items()}


def told_all(specs: Mapping[str, OptionSpec]) -> str:
    """Which options there are."""
    return f"its options are {', '.join(specs)}" if specs else "this game has none"


def changed(specs: Mapping[str, OptionSpec], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from the handbook."""
    return {key: value for key, value in given.items() if key in specs and value != specs[key].default}


def is_file_text(value: OptionValue) -> bool:
    """Whether the value of an option is the text of a file, which has lines, and not a word."""
    return isinstance(value, str) and "\n" in value


def option_words(value: OptionValue) -> str:
    """A value as people read it: true and false in small letters, and of a file only how long it is and what tells it from
    others."""
    if isinstance(value, str) and is_file_text(value):
        digest = hashlib.sha256(value.encode()).hexdigest()
        return f"a file of {len(value.splitlines())} lines, sha-256 {digest[:16]}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def options_of(
    specs: Mapping[str, OptionSpec],
    kind: type[T],
    given: Iterable[tuple[str, OptionValue]],
    readers: Mapping[str, Callable[[Any], Any]] = _AS_THEY_ARE,
) -> T:
    """The given options with defaults for the others, as a dataclass whose fields are called like them. Raises `OptionError`.
    `readers` make something else of some values, such as a list of a text, and may raise it, too."""
    values: dict[str, Any] = complete(specs, dict(given))
    return kind(**{key: readers[key](value) if key in readers else value for key, value in values.items()})


def words_in(key: str, text: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """The words of an option that is a list of words, with blanks or commas between, in the order of those allowed. Raises
    `OptionError` for others."""
    words = text.replace(",", " ").casefold().split()
    for word in words:
        if word not in allowed:
            raise OptionError(f'option "{key}": there is no "{word:.40}"; there are {", ".join(allowed)}')
    return tuple(word for word in allowed if word in words)


def from_text(spec: OptionSpec, text: str) -> OptionValue:
    """An option's value as typed on a command line or in a mail; choices in any case. Raises `OptionError`."""
    if isinstance(spec.default, bool):
        words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
        if text.lower() not in words:
            raise OptionError(f'{_must_be(spec)}, not "{text}"')
        return words[text.lower()]
    if isinstance(spec.default, int):
        try:
            return _checked(spec, int(text))
        except ValueError as problem:
            raise (problem if isinstance(problem, OptionError) else OptionError(f'{_must_be(spec)}, not "{text}"')) from None
    as_listed = (choice for choice in spec.choices if choice.casefold() == text.strip().casefold())
    return _checked(spec, next(as_listed, text))


def _must_be(spec: OptionSpec) -> str:
    article = "a " if spec.kind == "whole number" else ""
    return f'option "{spec.key}" is {article}{spec.kind}'


def _checked(spec: OptionSpec, value: Any) -> OptionValue:
    if type(value) is not type(spec.default):
        raise OptionError(f"{_must_be(spec)}, not {value!r}")
    if isinstance(value, str) and spec.file_limit and is_file_text(value):
        if len(value) > spec.file_limit:
            raise OptionError(f'option "{spec.key}": the file has {len(value)} characters, and may have {spec.file_limit}')
    elif spec.choices and value not in spec.choices:
        raise OptionError(f'{_must_be(spec)}, not "{value}"')
    if isinstance(value, int) and spec.minimum is not None and value < spec.minimum:
        raise OptionError(f'option "{spec.key}" is at least {spec.minimum}, not {value}')
    if isinstance(value, int) and spec.maximum is not None and value > spec.maximum:
        raise OptionError(f'option "{spec.key}" is at most {spec.maximum}, not {value}')
    return value

"""Options of a game: declared in a ruleset's ``ruleset.toml``, checked when a game is made."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


class OptionError(ValueError):
    """An option that does not exist or a value it cannot have; the message names both and what is allowed."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: its default (whose type is the option's type), what it does, and what it may be. `midgame`: it can be
    changed while a game runs, since nothing but what is still to come depends on it."""

    key: str
    default: OptionValue
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    midgame: bool = False

    @property
    def kind(self) -> str:
        """The type in a reader's words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return "whole number"
        return "one of " + ", ".join(self.choices) if self.choices else "text"


def complete(specs: Mapping[str, OptionSpec], given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """All options with their defaults, the given ones checked and put in. Raises `OptionError`."""
    for key in given:
        if key not in specs:
            near = difflib.get_close_matches(key, specs, n=1)
            raise OptionError(f'there is no option "{key}"' + (f'; did you mean "{near[0]}"?' if near else ""))
    return {key: _checked(spec, given[key]) if key in given else spec.default for key, spec in specs.items()}


def changed(specs: Mapping[str, OptionSpec], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that are not as in the handbook."""
    return {key: value for key, value in given.items() if key in specs and value != specs[key].default}


def from_text(spec: OptionSpec, text: str) -> OptionValue:
    """An option's value as typed on a command line. Raises `OptionError`."""
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
    return _checked(spec, text)


def _must_be(spec: OptionSpec) -> str:
    article = "a " if spec.kind == "whole number" else ""
    return f'option "{spec.key}" is {article}{spec.kind}'


def _checked(spec: OptionSpec, value: Any) -> OptionValue:
    if type(value) is not type(spec.default):
        raise OptionError(f"{_must_be(spec)}, not {value!r}")
    if spec.choices and value not in spec.choices:
        raise OptionError(f'{_must_be(spec)}, not "{value}"')
    if isinstance(value, int) and spec.minimum is not None and value < spec.minimum:
        raise OptionError(f'option "{spec.key}" is at least {spec.minimum}, not {value}')
    if isinstance(value, int) and spec.maximum is not None and value > spec.maximum:
        raise OptionError(f'option "{spec.key}" is at most {spec.maximum}, not {value}')
    return value

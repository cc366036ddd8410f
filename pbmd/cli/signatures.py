"""What each command takes and says of itself, without what it does its work with.

A command's arguments and options stand at its function, whose module loads what the work needs: most of a second of the
processor, which neither help nor completion has any use for. So they are kept in `signatures.json` as well, made from the
commands by ``python -m tests.docs.commands_page``.
"""

import inspect
import json
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from typer.core import TyperCommand
from typer.main import get_command

from pbmd.cli.common import SETTINGS

FILE = Path(__file__).with_suffix(".json")
_TYPES = {each.__name__: each for each in (bool, int, str, Path)}
_KINDS = {"argument": typer.Argument, "option": typer.Option}
_SAID = ("help", "metavar", "envvar", "rich_help_panel", "show_default", "show_choices", "hidden", "min", "max")
"""What may be said of an argument or an option beside its names, its type and its default, and concerns help or completion."""


class _Signature(TyperCommand):
    """A command that can only explain itself. Words that turn out not to ask for that are for the whole command."""

    whole: Callable[[str], Any]

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        context = super().make_context(info_name, [*args], parent, **extra)  # which ends with the help, if that was asked for
        if context.resilient_parsing:  # a shell asks for completions
            return context
        return self.whole(self.name or "").make_context(info_name, args, parent, **extra)

    def get_help_option(self, ctx: Any) -> Any:
        return help_unasked(super().get_help_option(ctx))


def help_unasked(option: Any) -> Any:
    """The option for help, which is False where nobody asks for it: to read None, newer typers load pydantic."""
    if option:
        option.default = False
    return option


def signature(name: str, whole: Callable[[str], Any]) -> Any:
    """The command of that name, as far as its help and the completion of its words need it; `whole` finds all of it."""
    written = _written()[name]

    def nothing() -> None: ...

    parameters = [_parameter(each) for each in written["parameters"]]
    nothing.__dict__["__signature__"] = inspect.Signature(parameters)
    nothing.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(**SETTINGS)
    app.command(name, cls=_Signature, help=written["help"], epilog=written["epilog"])(nothing)
    command: Any = get_command(app)
    command.whole = whole
    for parameter in command.params:
        parameter.process_value = _unread
    return command


def _unread(_context: Any, value: Any) -> Any:
    """What was typed, as it is: nobody does anything with it, and reading it takes pydantic."""
    return value


def written_signature(app: typer.Typer, name: str) -> dict[str, Any]:
    """A command of an app as `signatures.json` has it."""
    (command,) = (each for each in app.registered_commands if each.name == name)
    assert command.callback
    parameters = inspect.signature(command.callback).parameters.values()
    written = [_written_parameter(each) for each in parameters if get_origin(each.annotation) is Annotated]
    return {"help": inspect.getdoc(command.callback), "epilog": command.epilog, "parameters": written}


def _written_parameter(parameter: inspect.Parameter) -> dict[str, Any]:
    annotated, info = get_args(parameter.annotation)
    kind = "argument" if isinstance(info, type(typer.Argument())) else "option"
    usual = vars(_KINDS[kind]())
    names = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
    written = {"name": parameter.name, "kind": kind, **_written_type(annotated)}
    written |= {"names": names} if names else {}
    written |= {} if parameter.default is inspect.Parameter.empty else {"default": _as_json(parameter.default)}
    return written | {key: getattr(info, key) for key in _SAID if getattr(info, key) != usual[key]}


def _written_type(annotation: Any) -> dict[str, Any]:
    """A type by the name of what is read; with choices if only these can be given."""
    given = get_args(annotation)
    if get_origin(annotation) in (Union, UnionType):
        (one,) = (each for each in given if each is not NoneType)
        return _written_type(one) | {"optional": True}
    if get_origin(annotation) is list:
        return _written_type(given[0]) | {"list": True}
    if get_origin(annotation) is Literal:
        return {"type": "Choice", "choices": [*given]}
    if issubclass(annotation, StrEnum):
        return {"type": annotation.__name__, "choices": [*annotation]}
    return {"type": _TYPES[annotation.__name__].__name__}


def _as_json(value: Any) -> Any:
    return str(value) if isinstance(value, Path | StrEnum) else value


def commands_with(option: str) -> list[str]:
    """The commands that have an option of that name."""
    return [name for name, written in _written().items() if any(_is_option(each, option) for each in written["parameters"])]


def _is_option(written: dict[str, Any], name: str) -> bool:
    return written["kind"] == "option" and written["name"] == name


@cache
def _written() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def _parameter(written: dict[str, Any]) -> inspect.Parameter:
    choices = [(word, word) for word in written.get("choices", ())]
    annotation: Any = StrEnum(written["type"], choices) if choices else _TYPES[written["type"]]
    default = written.get("default", inspect.Parameter.empty)
    default = annotation(default) if isinstance(default, str) else default
    annotation = list[annotation] if written.get("list") else annotation
    annotation = annotation | None if written.get("optional") else annotation
    said = {key: value for key, value in written.items() if key in _SAID}
    info = _KINDS[written["kind"]](*written.get("names", ()), **said)
    return inspect.Parameter(
        written["name"], inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[annotation, info]
    )

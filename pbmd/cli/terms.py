"""The terms of a game as options of a command: one for each field of `Terms`, named and explained as it is there."""

import inspect
from collections.abc import Callable
from functools import wraps
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from pbmd.terms.terms import Terms, Written

_PANEL = "Terms of this game; the defaults stand in the settings under game"


def option_of(term: str) -> str:
    """The option for a term; a term with several values takes the option several times."""
    return (term.removesuffix("s") if _is_list(Terms.model_fields[term]) else term).replace("_", "-")


def takes_terms(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each term; its argument `given` gets those that were given, by their names."""
    options = {option_of(term).replace("-", "_"): term for term in Terms.model_fields}
    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.name != "given"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(term))
        for name, term in options.items()
    ]

    @wraps(command)
    def with_options(**values: Any) -> None:
        said = {term: values.pop(name) for name, term in options.items()}
        command(**values, given={term: _given(value) for term, value in said.items() if value is not None})

    parameters = [*(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own), *added]
    with_options.__dict__["__signature__"] = signature.replace(parameters=parameters)
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options


def _given(value: Any) -> Any:
    """A value as `Terms` takes it: an option that is given once with nothing is an empty list."""
    return tuple(text for text in value if text) if isinstance(value, list) else value


def _option(term: str) -> Any:
    field = Terms.model_fields[term]
    names = [f"--{option_of(term)}/--no-{option_of(term)}"] if field.annotation is bool else [f"--{option_of(term)}"]
    written = _written(field)
    option = typer.Option(
        *names,
        help=_help(field),
        rich_help_panel=_PANEL,
        show_default=False,
        metavar=written or _metavar(field),
    )
    # What has a form of its own is read by `Terms`, such as 80%.
    kind = list[str] if _is_list(field) else str if written else field.annotation
    return Annotated[kind | NoneType, option]


def _help(field: FieldInfo) -> str:
    words = field.description or ""
    often = "; as often as needed, '' for none" if _is_list(field) else ""
    choices = f" One of {', '.join(_choices(field))}." if _choices(field) else ""
    return f"{words[0].upper()}{words[1:]}{often}.{choices}"


def _choices(field: FieldInfo) -> tuple[str, ...]:
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def _metavar(field: FieldInfo) -> str | None:
    """The placeholder for the value; short, so that option names are not cut in a window of 80 columns."""
    return "WORD" if _choices(field) else "NUMBER" if field.annotation is int else None


def _written(field: FieldInfo) -> str | None:
    """The same, if it is a text of a certain form."""
    marks = get_args(get_args(field.annotation)[0]) if _is_list(field) else field.metadata
    return next((mark.word for mark in marks if isinstance(mark, Written)), None)


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple

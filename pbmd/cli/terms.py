"""The terms of a game as options of a command: one for each field of `Terms`, named and explained as it is there."""

import inspect
from collections.abc import Callable
from functools import wraps
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from pbmd.terms.terms import PHASE_TERMS, Terms, Written

_FLAGS = {"--early": "yes", "--no-early": "no"}
_OF_PHASES = "pbmd.early"
"""Where the context has the kinds of phases that stand behind these flags."""
_CONTEXT = "context"
_PANEL = "Terms of this game; the defaults stand in the settings under game"
_PANEL_OF_FLAGS = "Terms that are on or off"
"""Their names are twice as long, and would leave no room for the words of the others."""


def option_of(term: str) -> str:
    """The option for a term; a term with several values takes the option several times."""
    return (term.removesuffix("s") if _is_list(Terms.model_fields[term]) else term).replace("_", "-")


class NewCommand(TyperCommand):
    """A command with terms, in which ``--early`` and ``--no-early`` may have a kind of phases behind them, which no option of
    the library can."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The flags may stand alone: a word behind one is a kind only if there are more words than the command takes."""
        _, surplus, _ = self.make_parser(ctx).parse_args(args=[*args])
        places = [place for place, word in enumerate(args[:-1]) if word in _FLAGS and not args[place + 1].startswith("-")]
        of_kinds = places[max(len(places) - len(surplus), 0) :]
        ctx.meta[_OF_PHASES] = tuple(f"{args[place + 1]}={_FLAGS[args[place]]}" for place in of_kinds)
        taken = {*of_kinds, *(place + 1 for place in of_kinds)}
        return super().parse_args(ctx, [word for place, word in enumerate(args) if place not in taken])


def takes_terms(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each term; its argument `given` gets those that were given, by their names."""
    options = {option_of(term).replace("-", "_"): term for term in Terms.model_fields if term != "phases"}
    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.name != "given"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(term))
        for name, term in options.items()
    ]
    added.append(inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))

    @wraps(command)
    def with_options(**values: Any) -> None:
        said = {term: values.pop(name) for name, term in options.items()}
        if of_phases := values.pop(_CONTEXT).meta[_OF_PHASES]:
            said["early"] = [*([] if said["early"] is None else [said["early"]]), *of_phases]
        command(**values, given={term: _given(term, value) for term, value in said.items() if value is not None})

    parameters = [*(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own), *added]
    with_options.__dict__["__signature__"] = signature.replace(parameters=parameters)
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options


def _given(term: str, value: Any) -> Any:
    """A value as `with_changes` takes it: an option that is given once with nothing is an empty list."""
    return tuple(text for text in value if text) if isinstance(value, list) and term not in PHASE_TERMS else value


def _option(term: str) -> Any:
    field = Terms.model_fields[term]
    names = [f"--{option_of(term)}/--no-{option_of(term)}"] if field.annotation is bool else [f"--{option_of(term)}"]
    written = _written(field)
    option = typer.Option(
        *names,
        help=_help(term, field),
        rich_help_panel=_PANEL_OF_FLAGS if field.annotation is bool else _PANEL,
        show_default=False,
        metavar=written or _metavar(field),
        case_sensitive=not _choices(field),
    )
    # What has a form of its own is read by `Terms`, such as 80%.
    often = _is_list(field) or (term in PHASE_TERMS and written)
    kind = list[str] if often else str if written else field.annotation
    return Annotated[kind | NoneType, option]


def _help(term: str, field: FieldInfo) -> str:
    words = field.description or ""
    often = "; as often as needed, '' for none" if _is_list(field) else ""
    often += f"; {_of_phases(term, field)} for one kind of phases" if term in PHASE_TERMS else ""
    choices = f" One of {', '.join(_choices(field))}." if _choices(field) else ""
    return f"{words[0].upper()}{words[1:]}{often}.{choices}"


def _of_phases(term: str, field: FieldInfo) -> str:
    return f"--no-{option_of(term)} KIND" if field.annotation is bool else f"KIND={_written(field)}"


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

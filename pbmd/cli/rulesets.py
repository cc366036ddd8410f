"""How commands find a ruleset, and how they report its errors to its author."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from pbmd.cli.common import TRACE, WRONG_USE, is_path
from pbmd.cli.options import DEFAULT_SETTINGS
from pbmd.rules import OptionError, OptionSpec, OptionValue, Ruleset, RulesetInfo
from pbmd.rules.options import from_text, told_all
from pbmd.rules.registry import UnknownRuleset, UnusableRuleset, from_folder, get, is_folder_of_ruleset
from pbmd.rules.troubles import PlaceInFile, WrongReturnError, in_a_line, place_in_files
from pbmd.settings.read import SettingsError, ruleset_folders


def author_told(problem: Exception) -> str:
    """What went wrong in the files of a ruleset, for its author: where, and what, in two lines. Empty if it was not there."""
    if os.environ.get(TRACE):
        return ""
    if (missing := getattr(problem, "templates", ())) and missing[0].startswith("reports/"):  # jinja2.TemplateNotFound
        return f"pbmd: the ruleset has no template {missing[0]}; it belongs into its folder templates"
    place = place_in_files(problem)
    if place is None:
        return ""
    told = f"pbmd: {shown_place(place)}: {in_a_line(problem)}"
    if isinstance(problem, WrongReturnError):
        return told  # no traceback leads to it
    return f"{told}\n  {TRACE}=1 in the environment shows the whole trace."


def shown_place(place: PlaceInFile) -> str:
    """A place in the files of a ruleset: ``count/resolve.py, line 12, in resolve``."""
    path = Path(place.file)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}{f', line {place.line}' if place.line else ''}{f', in {place.within}' if place.within else ''}"


def folders_named(settings: Path | None, archive: Path | None = None) -> tuple[Path, ...]:
    """The folders of rulesets in the settings; of those in the current folder, if no other file is named and it is there.
    Settings inside the `archive` that is looked at do not count unless they are named, since they are anybody's. An error in
    them ends the command."""
    file = settings or DEFAULT_SETTINGS
    if settings is None and (not file.is_file() or (archive and file.resolve().is_relative_to(archive.resolve()))):
        return ()
    try:
        return ruleset_folders(file)
    except SettingsError as problem:
        for line in str(problem).splitlines():
            typer.echo(f"pbmd: {line}", err=True)
        raise typer.Exit(WRONG_USE) from None


def ruleset_named(name: str, find: Callable[[str], Ruleset[Any]] = get) -> Ruleset[Any]:
    """The ruleset of a name that was typed, or the one in a folder when `name` is a path. Raises `UnknownRuleset`, or what a
    ruleset that cannot be read has raised, if that is wanted."""
    try:
        return from_folder(Path(name)) if is_path(name) else found_by_name(name, find)
    except UnusableRuleset as problem:
        if os.environ.get(TRACE) and problem.__cause__ is not None:
            raise problem.__cause__ from None
        raise


def found_by_name(name: str, find: Callable[[str], Ruleset[Any]]) -> Ruleset[Any]:
    """The ruleset that is found by a name that was typed. Raises `UnknownRuleset`, also with the path of a folder that may have
    been meant: only where a user typed it is a name looked for among the files."""
    try:
        return find(name)
    except UnusableRuleset:
        raise
    except UnknownRuleset as problem:
        if is_folder_of_ruleset(Path(name)):
            raise UnknownRuleset(f'there is no ruleset "{name}". The folder of that name is ./{name}') from None
        raise problem from None


def typed_options(info: RulesetInfo, typed: Sequence[str]) -> dict[str, OptionValue]:
    """Options of a ruleset as typed (``KEY=VALUE``), those not given left out. Raises `OptionError`."""
    values: dict[str, OptionValue] = {}
    for text in typed:
        key, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f'--option takes KEY=VALUE, not "{text}"; {told_all(info.options)}')
        values[key] = _typed_option(info.options[key], value) if key in info.options else value
    return values


def _typed_option(spec: OptionSpec, text: str) -> OptionValue:
    """The value as it was typed; where it can be a file and a path was typed, the text of that file, so that the game has it
    and never needs the file again."""
    if spec.file_limit and is_path(text):
        return from_text(spec, _text_of(spec, Path(text)))
    try:
        return from_text(spec, text)
    except OptionError as problem:
        hint = f". The file of that name is ./{text}" if spec.file_limit and Path(text).is_file() else ""
        raise OptionError(f"{problem}{hint}") from None


def _text_of(spec: OptionSpec, file: Path) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(4 * spec.file_limit + 1)  # a character has at most four bytes
        if len(raw) > 4 * spec.file_limit:
            raise OptionError(f'option "{spec.key}": {file} has more than {spec.file_limit} characters')
        text = raw.decode("utf-8-sig")
    except OSError as problem:
        raise OptionError(f'option "{spec.key}": {file}: {problem.strerror or problem}') from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise OptionError(f'option "{spec.key}": {file}, line {line}: this is not UTF-8 text') from None
    return text.replace("\r\n", "\n").rstrip("\n") + "\n"

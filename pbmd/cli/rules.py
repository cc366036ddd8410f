"""`pbmd rules`: which games there are, their handbooks and their options."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Column, Table
from rich.text import Text

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.options import RulesetSettings
from pbmd.cli.rulesets import folders_named, ruleset_named
from pbmd.rules import OptionSpec, RulesetInfo
from pbmd.rules.registry import UnknownRuleset, find, slugs

app = typer.Typer(**SETTINGS)


@app.command(
    "rules",
    epilog=examples(
        "pbmd rules", "pbmd rules galactic_overlord | less", "pbmd rules galactic_overlord --options", "pbmd rules ./count"
    ),
)
def command(
    ruleset: Annotated[str | None, typer.Argument(help="A ruleset, or the path of its folder.", metavar="RULESET")] = None,
    options: Annotated[bool, typer.Option("--options", help="Show the options a game of it can be made with.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: RulesetSettings = None,
) -> None:
    """List the rulesets, or show the players' handbook of one, or its options."""
    folders = folders_named(settings)
    if ruleset is None:
        if options:
            fail("--options needs a ruleset: pbmd rules RULESET --options")
        _show_list(as_json, folders)
        return
    try:
        info = ruleset_named(ruleset, lambda slug: find(slug, folders)).info
    except UnknownRuleset as problem:
        fail(problem)
    if options:
        _show_options(info, as_json)
    elif as_json:
        _print_json(_head(info) | {"handbook": _handbook(info)})
    else:
        _show_handbook(_handbook(info))


def _show_list(as_json: bool, folders: tuple[Path, ...]) -> None:
    """All that can be read; for the others a line on standard error says what is wrong, and where."""
    infos: list[RulesetInfo] = []
    troubles: list[UnknownRuleset] = []
    for slug in sorted({*slugs(), *(folder.name for folder in folders)}):
        try:
            infos.append(find(slug, folders).info)
        except UnknownRuleset as problem:
            troubles.append(problem)
    if as_json:
        _print_json([_head(info) for info in infos])
    else:
        table = Table(Column("ruleset", no_wrap=True), "what it is", show_lines=True)
        for info in infos:
            told = Text.assemble((info.title, "bold"), "\n", info.summary)
            table.add_row(Text(f"{info.slug}\n{_seats(info)} players\n{info.timing}"), told)
        Console().print(table)
    for problem in troubles:
        typer.echo(f"pbmd: {problem}", err=True)
    if troubles:
        raise typer.Exit(WENT_WRONG)


def _seats(info: RulesetInfo) -> str:
    if info.max_seats == info.min_seats:
        return str(info.min_seats)
    return f"{info.min_seats}–{info.max_seats}" if info.max_seats else f"{info.min_seats} or more"


def _head(info: RulesetInfo) -> dict[str, Any]:
    keys = ("slug", "title", "summary", "source", "seat_word", "min_seats", "max_seats", "timing")
    return {key: getattr(info, key) for key in keys}


def _show_options(info: RulesetInfo, as_json: bool) -> None:
    if as_json:
        _print_json([_option(spec) for spec in info.options.values()])
        return
    table = Table(Column("option, default and kind", max_width=40), "what it does")
    for spec in info.options.values():
        table.add_row(Text(f"{spec.key} = {_default(spec)}".rstrip() + f"\n  {_kind(spec)}"), Text(spec.help))
    Console().print(table)


def _option(spec: OptionSpec) -> dict[str, Any]:
    limits = {
        "choices": list(spec.choices) or None,
        "minimum": spec.minimum,
        "maximum": spec.maximum,
        "file_limit": spec.file_limit or None,
    }
    given = {key: value for key, value in limits.items() if value is not None}
    return {"key": spec.key, "default": spec.default, "kind": spec.kind, "help": spec.help} | given


def _default(spec: OptionSpec) -> str:
    """As it is typed in a settings file, except that text has no quotation marks."""
    return str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)


def _kind(spec: OptionSpec) -> str:
    if spec.minimum is None and spec.maximum is None:
        return spec.kind
    if spec.maximum is None:
        return f"{spec.kind}, at least {spec.minimum}"
    return f"{spec.kind}, at most {spec.maximum}" if spec.minimum is None else f"{spec.kind}, {spec.minimum} to {spec.maximum}"


def _handbook(info: RulesetInfo) -> str:
    try:
        return info.handbook_with_scenes
    except FileNotFoundError as problem:
        fail(f"{info.title} has no handbook: {problem.filename}")


def _show_handbook(handbook: str) -> None:
    console = Console()
    if console.is_terminal:
        console.print(Markdown(handbook))
    else:
        print(handbook, end="")


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))

"""The command line. A row in `pbmd.cli.commands` adds a command; its module is imported only when it is called."""

import gc
import io
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer
from typer.completion import completion_init  # pyright: ignore[reportPrivateImportUsage]
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from pbmd import __version__
from pbmd.cli.commands import COMMANDS, PANELS
from pbmd.cli.common import ASKED, SETTINGS, WENT_WRONG, loading
from pbmd.cli.signatures import commands_with, help_unasked, signature

_HELP = frozenset(SETTINGS["context_settings"]["help_option_names"])


class _Commands(TyperGroup):
    """The commands of `COMMANDS`, in that order. Listing them needs only that table, their help and completion only their
    signatures; a command is loaded when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 – the name is click's
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        (panel,) = (panel for panel, commands in PANELS.items() if cmd_name in commands)
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary, rich_help_panel=panel)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        # A shell that asks for completions gets no errors about the line.
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            ctx.fail(_no_command(args[0]))
        name, listed, rest = super().resolve_command(ctx, args)
        if listed:
            explained = ctx.resilient_parsing or not _HELP.isdisjoint(rest)
            listed = signature(args[0], whole_command) if explained else whole_command(args[0])
        return name, listed, rest

    def get_help_option(self, ctx: Any) -> Any:
        return help_unasked(super().get_help_option(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Report what the code or the templates of a ruleset raise to its author: where, and what."""
        try:
            return super().invoke(ctx)
        except typer.Exit:  # it is done, as after its help
            raise
        except Exception as problem:  # a ruleset may be foreign code, which may fail in any way
            from pbmd.cli.rulesets import author_told  # the help needs no rulesets

            if not (told := author_told(problem)):
                raise
            typer.echo(told, err=True)
            raise typer.Exit(WENT_WRONG) from problem


_MOST_NAMED = 3


def _no_command(name: str) -> str:
    from difflib import get_close_matches  # only for those who mistype

    near = " or ".join(f"'{each}'" for each in get_close_matches(name, COMMANDS))
    near = near or " or ".join(f"'{each} --{name}'" for each in commands_with(name)[:_MOST_NAMED])
    hint = f"did you mean {near}?" if near else "pbmd --help lists them all."
    return f"No such command '{name}'; {hint}"


def whole_command(name: str) -> Any:
    """A command with its options and all that it needs to be done."""
    found = get_command(_loaded(f"{__name__}.{COMMANDS[name].module}").app)
    return found.commands[name] if isinstance(found, TyperGroup) else found


def _loaded(name: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    with loading():
        return import_module(name)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    epilog="Exit codes: 0 done; 1 something went wrong on the way; 2 wrong use or a wrong file, with one line that says what; "
    "3 another pbmd is at work there; 4 the ledger is damaged.",
    **SETTINGS,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"pbmd {__version__}")
        raise typer.Exit


@app.callback()
def _pbmd(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Play-by-mail games: orders in by e-mail, reports out."""


_NEW_OBJECTS = 20_000
"""How many objects are made before the garbage collector looks through them: a command makes most of them by loading, and those
stay."""


def main() -> None:
    """The entry point of the command `pbmd`."""
    gc.set_threshold(_NEW_OBJECTS)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character is no reason to stop; in JSON the escape means the same character.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        is_first = sys.stdout is sys.__stdout__
        sys.stdout = _Output(sys.stdout)
        if is_first:
            sys.__stdout__ = sys.stdout  # libraries ask it whether it is a terminal, and the stream in it is gone
    if ASKED in os.environ:
        completion_init()
    try:
        app()
    finally:
        print(end="", flush=True)
        gc.freeze()  # everything goes with the process, and need not be collected first


class _Output(io.TextIOWrapper):
    """Standard output. When the reader has had enough (``| head``), the command ends there, without a word: nothing went wrong,
    and no command should take it for an error of its own."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        encoding, errors, buffered = stream.encoding, stream.errors, stream.line_buffering
        super().__init__(stream.detach(), encoding, errors, line_buffering=buffered)

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as problem:
            self._end(problem)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as problem:
            self._end(problem)

    def _end(self, problem: OSError) -> NoReturn:
        if not isinstance(problem, BrokenPipeError):
            typer.echo(f"pbmd: what it prints cannot be written: {problem}", err=True)
        # What is still in the buffers must go somewhere when the process ends.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        raise SystemExit(WENT_WRONG)

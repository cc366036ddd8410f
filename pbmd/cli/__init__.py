"""The command line. One line in `_MODULES` adds a command; its module is imported only when it is asked for."""

import gc
import io
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer
from typer.completion import completion_init  # pyright: ignore[reportPrivateImportUsage]
from typer.core import TyperGroup
from typer.main import get_command

from pbmd import __version__
from pbmd.cli.common import ASKED, SETTINGS, WENT_WRONG, author_told

_MODULES = {
    "demo": "pbmd.cli.demo",
    "init": "pbmd.cli.init",
    "check": "pbmd.cli.check",
    "new": "pbmd.cli.new",
    "start": "pbmd.cli.new",
    "run": "pbmd.cli.run",
    "tick": "pbmd.cli.run",
    "worker": "pbmd.cli.worker",
    "status": "pbmd.cli.status",
    "log": "pbmd.cli.log",
    "serve": "pbmd.cli.serve",
    "clock": "pbmd.cli.clock",
    "outbox": "pbmd.cli.outbox",
    "letters": "pbmd.cli.letters",
    "letter": "pbmd.cli.letters",
    "visitors": "pbmd.cli.visitors",
    "forget": "pbmd.cli.forget",
    "extend": "pbmd.cli.gm",
    "pause": "pbmd.cli.gm",
    "resume": "pbmd.cli.gm",
    "resolve": "pbmd.cli.gm",
    "rotate": "pbmd.cli.gm",
    **dict.fromkeys(
        (
            "deadline",
            "rollback",
            "eject",
            "offer",
            "replace",
            "announce",
            "approve",
            "refuse",
            "set",
            "peek",
            "abandon",
            "gm-mail",
            "digest",
            "quiet",
            "holiday",
            "timezone",
            "standing",
        ),
        "pbmd.cli.master",
    ),
    "tidy": "pbmd.cli.tidy",
    "backup": "pbmd.cli.backup",
    "restore": "pbmd.cli.backup",
    "era": "pbmd.cli.era",
    "export": "pbmd.cli.export",
    "receipt": "pbmd.cli.receipt",
    "compare": "pbmd.cli.compare",
    "witness": "pbmd.cli.witness",
    "key": "pbmd.cli.witness",
    "verify": "pbmd.cli.verify",
    "replay": "pbmd.cli.replay",
    "diff": "pbmd.cli.diff",
    "import": "pbmd.cli.import_",
    "adjudicate": "pbmd.cli.adjudicate",
    "rules": "pbmd.cli.rules",
    "simulate": "pbmd.cli.simulate",
    "map": "pbmd.cli.map",
    "new-ruleset": "pbmd.cli.new_ruleset",
    "try": "pbmd.cli.try_",
    "docs": "pbmd.cli.docs",
    "completion": "pbmd.cli.completion",
}
"""Command → the module whose `app` has it; a module may have several commands."""


class _Commands(TyperGroup):
    """The commands of `_MODULES`, in that order."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 – the name is click's
        return list(_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in _MODULES:
            return None
        found = get_command(_loaded(_MODULES[cmd_name]).app)
        return found.commands[cmd_name] if isinstance(found, TyperGroup) else found

    def invoke(self, ctx: Any) -> Any:
        """What the code or the templates of a ruleset raise is told to whoever writes it: where, and what."""
        try:
            return super().invoke(ctx)
        except Exception as problem:  # a ruleset may be foreign code, which may fail in any way
            if not (told := author_told(problem)):
                raise
            typer.echo(told, err=True)
            raise typer.Exit(WENT_WRONG) from problem


def _loaded(name: str) -> ModuleType:
    """A module. What is loaded with it stays: a third of the time of a command would go into looking for garbage there."""
    if name in sys.modules:
        return sys.modules[name]
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


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


def main() -> None:
    """The entry point of the command `pbmd`."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character is no reason to stop; in JSON the escape means the same character.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _Output(sys.stdout)
    if ASKED in os.environ:
        completion_init()
    try:
        app()
    finally:
        print(end="", flush=True)


class _Output(io.TextIOWrapper):
    """Standard output. When whoever reads it has enough (``| head``), the command ends there, without a word: it is no trouble
    of the command's, and none that one of them should take for its own."""

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

"""`python -m tests.docs.commands_page`: write docs/commands.md anew, from what the commands say of themselves with --help, and
pbmd/cli/signatures.json, from which --help itself is made.

The manual page pbmd(1) is made from the page, too (`make man`).
"""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pbmd.cli import signatures, whole_command
from pbmd.cli.commands import COMMANDS

FILE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """\
# pbmd

<!-- This page is made from the commands themselves: `python -m tests.docs.commands_page`. -->

## Synopsis

```text
pbmd [--version] [--help] COMMAND [OPTIONS] [ARGUMENTS]
```

## Description

pbmd runs play-by-mail games: orders in by e-mail, reports out. Its commands are run on the machine that reads the
mailbox, in the folder with `pbmd.toml` (or with `--settings FILE`, or `PBMD_SETTINGS=FILE` in the environment).
[The manual](gm.md) tells what they are for.

Each command explains itself with `--help`. Those that print something for programs, too, do so with `--json`. Colours
and progress bars are for terminals; `NO_COLOR=1` does without.

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | something went wrong on the way, or a check found something |
| 2 | wrong use or a wrong file, with one line that says what |
| 3 | another pbmd is at work there |
| 4 | the ledger is damaged |

## Commands

"""


def page() -> str:
    """The whole page."""
    commands = [(name, whole_command(name)) for name in COMMANDS]
    return HEAD + "\n".join("\n".join(_command(name, command)) for name, command in commands if not command.hidden)


def signatures_file() -> str:
    """All of pbmd/cli/signatures.json."""
    apps = {name: import_module(f"pbmd.cli.{command.module}").app for name, command in COMMANDS.items()}
    written = {name: signatures.written_signature(app, name) for name, app in apps.items()}
    return json.dumps(written, indent=1, ensure_ascii=False) + "\n"


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [
        param for param in command.params if param.param_type_name == "option" and not param.hidden and param.name != "help"
    ]
    usage = " ".join(["pbmd", name, *(["[OPTIONS]"] if options else []), *map(_argument, arguments)])
    yield from (f"### {name}", "", "```text", usage, "```", "", command.help.strip(), "")
    if rows := [*map(_row, arguments), *map(_row, options)]:
        yield from (*rows, "")
    if command.epilog:
        yield from (command.epilog.strip().replace("\n\n- ", "\n- ").replace(":\n- ", ":\n\n- "), "")


def _argument(param: Any) -> str:
    name = (param.metavar or param.name.upper()).strip("[]")
    return f"{name}{'…' if param.nargs == -1 else ''}" if param.required else f"[{name}{'…' if param.nargs == -1 else ''}]"


def _row(param: Any) -> str:
    name = _argument(param) if param.param_type_name == "argument" else _option(param)
    said = " ".join((param.help or "").split())
    default = f" (default: {param.default})" if _is_told(param) else ""
    return f"- `{name}`: {said}{default}"


def _option(param: Any) -> str:
    names = ", ".join([*param.opts, *param.secondary_opts])
    return names if param.is_flag else f"{names} {param.metavar or param.name.upper()}"


def _is_told(param: Any) -> bool:
    return (
        param.default not in (None, False, True, "", ()) and not callable(param.default) and param.param_type_name == "option"
    )


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
    signatures.FILE.write_text(signatures_file(), encoding="utf-8")

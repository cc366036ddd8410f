"""What is loaded before a command does anything: most of the time that small ones take."""

import inspect
import os
import subprocess
import sys

import pytest

from pbmd.cli import whole_command
from pbmd.cli.commands import COMMANDS
from tests.cli.conftest import Home

NEVER_FOR_HELP = {
    *("PIL", "alembic", "cryptography", "imapclient", "jinja2", "lark", "pebble", "psycopg", "pydantic", "resvg_py"),
    *(
        "openskill",
        "selectolax",
        "smtplib",
        "sqlalchemy",
        "sqlmodel",
        "pbmd.desk",
        "pbmd.ledger",
        "pbmd.rendering",
        "pbmd.rules",
    ),
}
NEVER_FOR_STATUS = {
    *("PIL", "alembic", "cryptography", "imapclient", "jinja2", "multiprocessing", "pebble", "psycopg", "resvg_py"),
    *("openskill", "selectolax", "smtplib", "sqlalchemy.dialects.postgresql"),
    *("pbmd.archive", "pbmd.pages", "pbmd.desk.step", "pbmd.desk.mail", "pbmd.post.read", "pbmd.rendering.picture"),
}


def loaded(*arguments: str, **environment: str) -> set[str]:
    """The modules that a process has loaded when a command has been done in it."""
    code = "import sys; from pbmd.cli import main; sys.argv[0] = 'pbmd'\n"
    code += "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    environment = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    command = whole_command(name)
    first, *_ = inspect.cleandoc(command.help).split("\n\n")
    assert (command.name, COMMANDS[name].summary) == (name, " ".join(first.split()))
    assert not any([command.short_help, command.hidden, command.deprecated, command.rich_help_panel])


def test_the_help_loads_no_command() -> None:
    modules = loaded("--help")
    assert modules & NEVER_FOR_HELP == set()
    assert {name for name in modules if name.startswith("pbmd.cli.")} == {"pbmd.cli.commands", "pbmd.cli.common"}


@pytest.mark.parametrize("name", ["run", "tick", "worker", "demo", "completion"])
def test_nor_does_the_help_of_what_is_started_often(name: str) -> None:
    assert loaded(name, "--help") & NEVER_FOR_HELP <= {"pydantic"}  # as in completion


def test_nor_does_the_completion_of_its_name() -> None:
    modules = loaded(_PBMD_COMPLETE="complete_bash", COMP_WORDS="pbmd re", COMP_CWORD="1")
    assert modules & NEVER_FOR_HELP <= {"pydantic"}  # newer typers read options with it


def test_status_loads_nothing_of_mails_maps_and_other_databases(home: Home) -> None:
    home.start_game()
    modules = loaded("status", "--settings", str(home.settings))
    assert modules & NEVER_FOR_STATUS == set()
    assert "sqlmodel" in modules

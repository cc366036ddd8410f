"""What is loaded before a command does anything: most of the time that small ones take."""

import inspect
import os
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from pbmd.cli import app, whole_command
from pbmd.cli.commands import COMMANDS, PANELS
from pbmd.cli.common import SETTINGS
from pbmd.cli.signatures import signature
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
LIGHT = {"pbmd.cli.commands", "pbmd.cli.common", "pbmd.cli.signatures"}
NEVER_FOR_STATUS = {
    *("PIL", "alembic", "cryptography", "imapclient", "jinja2", "multiprocessing", "pebble", "psycopg", "resvg_py"),
    *("confusable_homoglyphs", "openskill", "selectolax", "smtplib", "sqlalchemy.dialects.postgresql", "urllib.request"),
    *("pbmd.archive", "pbmd.pages", "pbmd.desk.step", "pbmd.desk.mail", "pbmd.post.read", "pbmd.rendering.picture"),
    *("pbmd.ledger.entries.kinds", "pbmd.ledger.entries.rows"),
}
MOST_AT_REST = 370
"""So many modules of pbmd and of one ruleset a daemon may have at rest; it has some 20 fewer."""
NEVER_AT_REST = {
    *("PIL", "alembic", "lxml", "multiprocessing", "openskill", "pebble", "psycopg", "resvg_py", "tarfile", "xml.etree"),
    *("confusable_homoglyphs", "selectolax", "urllib.request"),
    *("pbmd.desk.clerk", "pbmd.desk.letter.opening", "pbmd.desk.mailroom", "pbmd.desk.visitors.signup"),
    *("pbmd.archive", "pbmd.book", "pbmd.conformance", "pbmd.demo", "pbmd.play", "sqlalchemy.dialects.postgresql"),
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


def test_the_help_lists_the_commands_by_what_they_are_for() -> None:
    told = CliRunner().invoke(app, ["--help"]).output
    panels = [told.index(f"─ {panel} ─") for panel in PANELS]
    assert (panels, "─ Commands ─" in told) == (sorted(panels), False)
    assert told.index("─ Try it ─") < told.index(" demo ") < told.index("─ Set up and run ─")


def test_the_help_loads_no_command() -> None:
    modules = loaded("--help")
    assert modules & NEVER_FOR_HELP == set()
    assert {name for name in modules if name.startswith("pbmd.cli.")} == LIGHT


def test_nor_does_the_help_of_any_command() -> None:
    """One process explains them all."""
    code = "import sys\nfrom pbmd.cli import app\nfrom pbmd.cli.commands import COMMANDS\n"
    code += "for name in COMMANDS: app([name, '--help'], standalone_mode=False)\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("Usage:") == len(COMMANDS)
    modules = set(done.stderr.split())
    assert modules & NEVER_FOR_HELP == set()
    assert {name for name in modules if name.startswith("pbmd.cli.")} == LIGHT


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_is_that_of_the_whole_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(command: Any) -> str:
        command.main(["--help"], prog_name=f"pbmd {name}", standalone_mode=False, **SETTINGS["context_settings"])
        return capsys.readouterr().out

    light = shown(signature(name, whole_command))
    assert light == shown(whole_command(name))
    assert "--help" in light


def test_help_that_is_the_value_of_an_option_goes_to_the_whole_command() -> None:
    done = CliRunner().invoke(app, ["gm-mail", "galaxy-7", "--settings", "--help"])
    assert (done.exit_code, "--help" in done.stderr, "Usage" in done.output) == (2, True, False)


@pytest.mark.parametrize("words", ["pbmd re", "pbmd log --js", "pbmd completion z", "pbmd new ./count --d"])
def test_nor_does_completion(words: str) -> None:
    modules = loaded(_PBMD_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert modules & {*NEVER_FOR_HELP, "typer.rich_utils"} == set()


def test_status_loads_nothing_of_mails_maps_and_other_databases(home: Home) -> None:
    home.start_game()
    modules = loaded("status", "--settings", str(home.settings))
    assert modules & NEVER_FOR_STATUS == set()
    assert "sqlmodel" in modules


def test_a_daemon_at_rest_keeps_nothing_of_archives_drawing_and_other_databases(home: Home) -> None:
    """It has looked at its games and written its pages, and has nothing more to do."""
    home.start_game()
    code = """if True:
        import sys
        from pathlib import Path
        from pbmd.daemon.heartbeat import work_pass
        from pbmd.daemon.templates import load_open
        from pbmd.daemon.threads import Daemon
        from pbmd.desk.books.desk import open_desk
        from pbmd.desk.publish.archives import send_archives
        from pbmd.desk.publish.dashboard import show
        from pbmd.desk.upkeep.backups import back_up_if_due
        from pbmd.settings import read_settings

        desk = Daemon(open_desk(read_settings(Path(sys.argv[1])))).desk
        load_open(desk)
        work_pass(desk, lambda: None)
        send_archives(desk)
        back_up_if_due(desk)
        assert show(desk)
        print(*sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code, str(home.settings)], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert modules & NEVER_AT_REST == set()
    assert "pbmd.pages.site" in modules
    own = [name for name in modules if name.startswith(("pbmd.", "rulesets."))]
    assert len(own) < MOST_AT_REST, f"it has {len(own)}"

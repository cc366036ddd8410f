"""A game master's home for the tests of the command line: settings, a data folder, and the tiny ruleset "count"."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlalchemy import inspect
from sqlmodel import Session, select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.ledger.database import open_engine, reading
from tests.rules import count

TOML = """\
rulesets = ["{rulesets}"]

[server]
address = "games@pbmd.test"
gm = "gm@pbmd.test"

[imap]
host = "127.0.0.1"
port = {imap_port}
tls = "none"
user = "games"
password = "hunter2"
timeout_seconds = 60

[smtp]
host = "127.0.0.1"
port = {smtp_port}
tls = "none"
timeout_seconds = 60
"""
PLAYERS = """\
[[players]]
seat = "Altair"
address = "anna@players.test"
holder = "Anna"
timezone = "Europe/Berlin"

[[players]]
name = "Borealis"
address = "bert@players.test"
"""


@dataclass
class Home:
    """See the module. Nobody listens on port 1."""

    folder: Path
    database: str = ""
    """The address of a ledger in PostgreSQL; empty for one in a file."""

    @property
    def settings(self) -> Path:
        return self.folder / "pbmd.toml"

    @property
    def log_file(self) -> Path:
        return self.folder / "data" / "dashboard.log"

    @property
    def log(self) -> str:
        return self.log_file.read_text()

    def write_settings(self, imap_port: int = 1, smtp_port: int = 1, more: str = "") -> None:
        text = TOML.format(rulesets=Path(count.__file__).parent, imap_port=imap_port, smtp_port=smtp_port)
        if self.database:
            text = text.replace("[server]", f'[server]\ndatabase = "{self.database}"')
        self.settings.write_text(text + more)
        self.settings.chmod(0o600)

    def write(self, name: str, text: str) -> str:
        """A file in the home; gives its path."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return str(path)

    def run(self, *arguments: str, answer: str = "", width: int = 200) -> Result:
        """Run a command to its end, on a screen of that width."""
        columns = {"COLUMNS": str(width)}
        return CliRunner().invoke(app, [*arguments, "--settings", str(self.settings)], input=answer, env=columns)

    def good(self, *arguments: str, answer: str = "") -> str:
        """Run a command that must succeed and give what it printed."""
        done = self.run(*arguments, answer=answer)
        assert done.exit_code == 0, (done.output, done.exception)
        return done.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.good(*arguments, "--json"))

    def problem(self, *arguments: str, code: int = 2) -> str:
        """Run a command that must fail in one line, and give that line."""
        done = self.run(*arguments)
        assert (done.exit_code, done.stdout) == (code, ""), (done.output, done.exception)
        assert done.stderr.startswith("pbmd: ")
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("pbmd: ").rstrip("\n")

    def start_game(self, name: str = "galaxy-7", *more: str) -> None:
        """A running game of Altair and Borealis, whose first reports are all the mails that there are."""
        players = self.write("players.toml", PLAYERS)
        self.good("new", name, "--ruleset", "count", "--players", players, "--digest", "off", *more)

    def rows(self, kind: type[Any], *conditions: Any) -> list[Any]:
        """Rows of the ledger, by id."""
        engine = open_engine(self.database or f"sqlite:///{self.folder / 'data' / 'ledger.sqlite'}")
        try:
            with Session(reading(engine), expire_on_commit=False) as session:
                return list(session.exec(select(kind).where(*conditions).order_by(*inspect(kind).primary_key)))
        finally:
            engine.dispose()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with settings whose mail servers do not exist."""
    home = Home(tmp_path)
    home.write_settings()
    return home

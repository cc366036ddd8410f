"""A ledger that is damaged: whoever opens it to work says so, ends, and says what leads back."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiosmtpd.smtp import Envelope

from pbmd.cli.common import DAMAGED, WENT_WRONG, WRONG_USE
from pbmd.desk.upkeep.damaged import NOTE
from tests.benchmarks.sink import running_sink
from tests.cli.conftest import Home
from tests.ledger.damages import OF_JOURNALS, OF_PAGES, OF_ROWS, Pages

ALL = {**OF_PAGES, **OF_ROWS, **OF_JOURNALS}
AS_SQLITE_SEES_IT = {**OF_PAGES, **OF_ROWS}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a game and so many letters that its ledger has pages of all kinds, and a backup of it."""
    home = Home(tmp_path_factory.mktemp("kept"))
    home.write_settings()
    home.start_game()
    ledger = home.folder / "data" / "ledger.sqlite"
    with closing(sqlite3.connect(ledger, isolation_level=None)) as connection:
        columns = "fingerprint, uid, arrived_at, arrival_estimated, size, truncated, raw, state, note"
        row = f"INSERT INTO letter ({columns}) VALUES (?, ?, ?, 0, 1, 0, ?, ?, ?)"
        connection.execute("BEGIN")
        for number in range(400):
            raw = b"x" * (20_000 if number % 40 == 0 else 1_000)
            at = "2026-11-20 12:00:00.000000"
            connection.execute(row, (f"f{number:063}", number, at, raw, "done", ""))
        connection.execute("DELETE FROM letter WHERE uid BETWEEN 300 AND 340")
        connection.execute("COMMIT")
    home.good("backup")
    return home.folder / "data"


@pytest.fixture
def home(home: Home, kept: Path) -> Home:
    shutil.copytree(kept, home.folder / "data")
    return home


@dataclass
class Sink:
    """The game master's mail server."""

    mails: list[tuple[list[str], bytes]] = field(default_factory=list[tuple[list[str], bytes]])

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        self.mails.append((envelope.rcpt_tos, envelope.original_content or b""))
        return "250 OK"


def pages(home: Home) -> Pages:
    return Pages(home.folder / "data" / "ledger.sqlite")


def cut_to_nothing(path: Path) -> None:
    path.write_bytes(b"")


def check_of(home: Home, name: str) -> dict[str, object]:
    checks = json.loads(home.run("check", "--json").stdout)["checks"]
    return next(check for check in checks if check["name"] == name)


def test_a_whole_ledger_is_whole(home: Home) -> None:
    assert check_of(home, "ledger") == {
        "name": "ledger",
        "ok": True,
        "detail": "1 game not finished; the file is whole",
        "mend": "",
        "more": "",
    }
    assert check_of(home, "journals")["ok"]
    home.good("status")


@pytest.mark.parametrize("damage", AS_SQLITE_SEES_IT.values(), ids=AS_SQLITE_SEES_IT)
def test_check_finds_damage_and_names_the_way_back(home: Home, damage: Callable[[Pages], None]) -> None:
    damage(pages(home))
    found = check_of(home, "ledger")
    assert not found["ok"]
    assert str(found["detail"]).startswith("it is damaged: ")
    assert "pbmd restore" in str(found["mend"])
    assert home.run("check").exit_code == 1


@pytest.mark.parametrize("damage", OF_JOURNALS.values(), ids=OF_JOURNALS)
def test_check_finds_a_journal_that_is_not_what_was_written(home: Home, damage: Callable[[Pages], None]) -> None:
    damage(pages(home))
    assert check_of(home, "ledger")["ok"]
    found = check_of(home, "journals")
    assert not found["ok"]
    assert str(found["detail"]).startswith("galaxy-7: ")
    assert "pbmd restore" in str(found["mend"])


@pytest.mark.parametrize("damage", ALL.values(), ids=ALL)
def test_status_does_not_end_well_over_it(home: Home, damage: Callable[[Pages], None]) -> None:
    damage(pages(home))
    done = home.run("status")
    assert done.exit_code == DAMAGED
    assert done.stderr.startswith("pbmd: ")
    assert done.stderr.count("\n") == 1
    assert ("galaxy-7" in done.stdout) == (damage in OF_JOURNALS.values())


@pytest.mark.parametrize("damage", OF_PAGES.values(), ids=OF_PAGES)
def test_nothing_is_begun_with_it(home: Home, damage: Callable[[Pages], None]) -> None:
    damage(pages(home))
    before = (home.folder / "data" / "ledger.sqlite").read_bytes()
    done = home.run("run" if damage is OF_PAGES["a leaf of a table"] else "tick")
    assert done.exit_code == DAMAGED
    assert "the ledger is damaged: " in done.stderr
    assert "pbmd restore" in done.stderr
    assert (home.folder / "data" / "ledger.sqlite").read_bytes() == before


def test_the_game_master_gets_one_mail_about_it_without_the_ledger(home: Home) -> None:
    with running_sink(sink := Sink()) as port:
        home.write_settings(smtp_port=port)
        OF_PAGES["a leaf of a table"](pages(home))
        for _ in range(3):
            assert home.run("tick").exit_code == DAMAGED
    [(recipients, raw)] = sink.mails
    assert recipients == ["gm@pbmd.test"]
    text = raw.decode()
    assert "Subject: [pbmd] the ledger is damaged" in text
    assert "Auto-Submitted: auto-generated" in text
    backup = next((home.folder / "data" / "backups").glob("ledger-*.sqlite"))
    assert f"pbmd restore {backup}" in text.replace("=\r\n", "")


def test_the_log_and_the_pages_say_so_until_it_is_whole_again(home: Home) -> None:
    data = home.folder / "data"
    home.run("tick")
    assert "galaxy-7" in (data / "dashboard" / "index.html").read_text()
    OF_PAGES["a leaf of a table"](pages(home))
    home.run("tick")
    last = home.log.splitlines()[-1]
    assert "  damaged  " in last
    assert json.loads((data / "dashboard.jsonl").read_text().splitlines()[-1])["what"] == "damaged"
    page = (data / "dashboard" / "index.html").read_text()
    assert "The ledger is damaged" in page
    assert "pbmd restore" in page
    [backup] = (data / "backups").glob("ledger-*.sqlite")
    assert home.run("restore", str(backup)).exit_code == 1  # all but the mailbox, which nobody answers for here
    home.good("status")
    home.run("tick")
    assert "The ledger is damaged" not in (data / "dashboard" / "index.html").read_text()
    assert "galaxy-7" in (data / "dashboard" / "index.html").read_text()
    # The lines go on behind those that the restored ledger does not know of.
    after = home.log.splitlines()[home.log.splitlines().index(last) + 1 :]
    assert "  restored  " in after[0]
    assert any("  imap-lost  " in line for line in after)
    numbers = [int(line.split()[0]) for line in home.log.splitlines()]
    assert numbers == sorted(numbers)


def test_public_pages_say_nothing_of_files(home: Home) -> None:
    home.write_settings(more='[dashboard]\naudience = "public"\n')
    OF_PAGES["a leaf of a table"](pages(home))
    home.run("tick")
    page = (home.folder / "data" / "dashboard" / "index.html").read_text()
    assert "The ledger is damaged" in page
    assert "restore" not in page
    assert "SQLite" not in page


@pytest.mark.parametrize("lose", [Path.unlink, cut_to_nothing])
@pytest.mark.parametrize("words", [("tick",), ("status",), ("log",)])
def test_a_ledger_that_is_lost_is_not_begun_anew(home: Home, lose: Callable[[Path], object], words: tuple[str, ...]) -> None:
    ledger = home.folder / "data" / "ledger.sqlite"
    lose(ledger)
    done = home.run(*words)
    assert done.exit_code == DAMAGED
    assert "and there are backups of it" in done.stderr
    assert not ledger.exists() or not ledger.stat().st_size
    assert "and there are backups of it" in str(check_of(home, "ledger")["detail"])
    [backup] = (home.folder / "data" / "backups").glob("ledger-*.sqlite")
    assert home.run("restore", str(backup)).exit_code == 1  # all but the mailbox, which nobody answers for here
    assert "galaxy-7" in home.good("status")


def test_check_names_games_whose_books_are_not_what_was_written_also_before_they_begin(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write_settings()
    home.start_game()
    home.start_game("whole-1")
    home.good("new", "soon-1", "--ruleset", "count", "--seats", "3")
    assert "ok      books       3 games, as they were written" in home.run("check").stdout
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite")) as ledger:
        ledger.execute("UPDATE seat SET address = 'mallory@players.test' WHERE game_id = 1 AND name = 'Altair'")
        ledger.execute("""UPDATE game SET terms = replace(terms, '"seats":3', '"seats":2') WHERE id = 3""")
        ledger.commit()
    told = home.run("check")
    assert told.exit_code == WENT_WRONG
    [line] = [line for line in told.stdout.splitlines() if line.startswith("FAILED  books")]
    assert line == "FAILED  books       galaxy-7: the seat Altair (name, address, holder, state or deadline); soon-1: the terms"
    assert "; or pbmd resume galaxy-7 --as-it-is; or pbmd resume soon-1 --as-it-is" in told.stdout
    assert home.good("resume", "soon-1", "--as-it-is") == "soon-1 goes on.\n"
    assert (
        "FAILED  books       galaxy-7: the seat Altair (name, address, holder, state or deadline)\n" in home.run("check").stdout
    )


def test_without_a_backup_the_manual_is_named(home: Home) -> None:
    shutil.rmtree(home.folder / "data" / "backups")
    OF_PAGES["a leaf of a table"](pages(home))
    told = home.problem("status", code=DAMAGED)
    assert "There is no backup in" in told
    assert '"A damaged ledger"' in told


def test_damage_that_only_the_whole_look_finds_is_looked_for_again_once_it_is_known(home: Home) -> None:
    OF_ROWS["an entry of an index"](pages(home))
    (home.folder / "data" / NOTE).write_text('{"found": "row 7 missing from index", "told": ""}')
    assert home.run("tick").exit_code == DAMAGED


@pytest.mark.parametrize(("words", "code"), [(("log",), WENT_WRONG), (("pause", "galaxy-7"), WRONG_USE), (("outbox",), 0)])
def test_a_text_that_is_none_is_no_damage_of_the_file(home: Home, words: tuple[str, ...], code: int) -> None:
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite", isolation_level=None)) as connection:
        for table, column in (("log", "detail"), ("game", "terms"), ("outbox", "kind")):
            connection.execute(f"UPDATE {table} SET {column} = CAST(x'ff' AS TEXT)")
    done = home.run(*words)
    assert done.exit_code == code
    assert "Traceback" not in done.stderr
    home.run("check")
    assert home.run(*words).exit_code == (WRONG_USE if words[0] == "pause" else 0)
    assert "terms of game 1" in home.run("status").stdout

"""`pbmd era`: a dump of a ledger in PostgreSQL that was put back goes on, and neither loses nor doubles anything."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.cli.common import ALREADY_RUNNING, WENT_WRONG
from pbmd.daemon.installation import only_one
from pbmd.demo.office import LocalOffice
from pbmd.ledger.tables import Game, JournalEntry, Letter, Outbox, OutboxState, Seat, StepRecord, Submission
from pbmd.rules.dice import commitment
from tests.cli.conftest import Home
from tests.cli.test_moving import PLAYERS, orders
from tests.desk.world import proof_of
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql
WITHOUT_PAGES = "\n[dashboard]\npages = false\n"
"""Nothing here looks at them, and they are a sixth of what a `tick` computes."""


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna", "bert", "gm"], password="hunter2") as office:
        yield office


@pytest.fixture
def home(tmp_path: Path, office: LocalOffice, postgresql: PostgreSQL) -> Iterator[Home]:
    """A game of which one letter with orders was read, with a ledger in PostgreSQL."""
    home = Home(tmp_path, postgresql.new_ledger())
    home.write_settings(office.imap_port, office.smtp_port, WITHOUT_PAGES)
    home.good("new", "galaxy-7", "--ruleset", "count", "--players", home.write("players.toml", PLAYERS))
    home.good("tick")
    send(office, home, 1, "Add 7")
    yield home
    postgresql.drop(home.database)


@pytest.fixture
def dump(tmp_path: Path, home: Home, postgresql: PostgreSQL) -> Path:
    postgresql.dump(home.database, tmp_path / "ledger.dump")
    return tmp_path / "ledger.dump"


def send(office: LocalOffice, home: Home, number: int, text: str) -> None:
    office.deliver("games@pbmd.test", orders(home, number, text), sender="anna@pbmd.test")
    home.good("tick")


@pytest.fixture
def put_back(home: Home, dump: Path, office: LocalOffice, postgresql: PostgreSQL) -> Iterator[Home]:
    """The same home with a database that was made from the dump; another letter was read since."""
    send(office, home, 2, "Add 9")
    again = replace(home, database=postgresql.new_database())
    postgresql.restore(dump, again.database)
    again.write_settings(office.imap_port, office.smtp_port, WITHOUT_PAGES)
    yield again
    postgresql.drop(again.database)


def test_a_ledger_that_was_put_back_is_not_used_before_its_era_begins(home: Home, put_back: Home) -> None:
    for command in ("tick", "status", "check"):
        done = put_back.run(command)
        assert done.exit_code == WENT_WRONG
        assert "pbmd era --new" in " ".join(done.output.split())
    assert len(put_back.rows(Letter)) == 1


def test_one_that_took_the_place_of_the_old_in_the_same_database_is_noticed_too(
    home: Home, dump: Path, postgresql: PostgreSQL
) -> None:
    postgresql.restore(dump, home.database, "--clean", "--if-exists")
    assert "pbmd era --new" in home.problem("tick", code=WENT_WRONG)
    home.good("era", "--new")
    home.good("tick")


def test_letters_since_the_backup_are_read_again_and_nothing_is_doubled(home: Home, put_back: Home) -> None:
    told = put_back.good("era", "--new", "--replaced", home.database)
    assert "2 letters are read again" in told  # those of that day, of which one is known
    assert "of its journal are lost" in told
    put_back.good("tick")
    assert [len(put_back.rows(kind)) for kind in (Letter, Submission)] == [2, 2]
    keys = [mail.key for mail in put_back.rows(Outbox)]
    assert len(keys) == len(set(keys))
    assert put_back.rows(Outbox, col(Outbox.state) != OutboxState.SENT) == []
    # The players are told, and what the game has to say now has names that no mail since the backup has had.
    notices = [mail.raw.decode() for mail in put_back.rows(Outbox, Outbox.kind == "notice")]
    assert any("restored from a backup" in " ".join(notice.split()) for notice in notices)
    put_back.good("check")


def test_no_mail_has_the_name_of_one_that_was_sent_since_the_backup(home: Home, put_back: Home) -> None:
    put_back.good("era", "--new")
    put_back.good("tick")
    old, new = home.rows(Outbox), put_back.rows(Outbox)
    known = {mail.message_id for mail in new} & {mail.message_id for mail in old}
    answers = [[mail for mail in mails if mail.kind == "acknowledgement"][-1] for mails in (old, new)]
    assert answers[0].key == answers[1].key
    assert answers[0].message_id != answers[1].message_id
    assert known == {mail.message_id for mail in old if mail.id < answers[0].id}, "those of before the backup"


def test_the_dice_of_the_open_turn_are_promised_anew_and_all_are_told(home: Home, put_back: Home) -> None:
    (old,) = (game.secret for game in home.rows(Game))
    for times in (1, 2):
        put_back.good("era", "--new", "--replaced", home.database)
        (game,) = put_back.rows(Game)
        opened = [json.loads(entry.public)["secret"] for entry in put_back.rows(JournalEntry) if entry.kind == "restored"]
        assert (len(opened), opened[0], game.secret.hex() in opened) == (times, old.hex(), False)
        told = [mail for mail in put_back.rows(Outbox) if commitment(game.secret) in proof_of(mail)]
        assert len({mail.recipient for mail in told}) == len(told) == len(put_back.rows(Seat))
    put_back.good("resolve", "--yes", "galaxy-7")
    assert [record.secret for record in put_back.rows(StepRecord)] == [game.secret]


def test_without_the_replaced_database_it_says_what_nobody_can_know(put_back: Home) -> None:
    assert "What came after the backup cannot be told" in put_back.good("era", "--new")


def test_each_has_another_number(put_back: Home) -> None:
    eras = [put_back.json("era", "--new")["era"] for _ in range(2)]
    assert put_back.json("era")["era"] == eras[1] != eras[0]


def test_what_has_gone_out_since_does_not_go_out_again(home: Home, office: LocalOffice, postgresql: PostgreSQL) -> None:
    home.good("announce", "galaxy-7", "Hear, hear.")
    dump = home.folder / "waiting.dump"
    postgresql.dump(home.database, dump)
    waiting = [mail.key for mail in home.rows(Outbox, col(Outbox.state) == OutboxState.QUEUED)]
    home.good("tick")
    again = replace(home, database=postgresql.new_database())
    postgresql.restore(dump, again.database)
    again.write_settings(office.imap_port, office.smtp_port, WITHOUT_PAGES)
    again.good("era", "--new", "--replaced", home.database)
    assert waiting
    assert {mail.state for mail in again.rows(Outbox, col(Outbox.key).in_(waiting))} == {OutboxState.SENT}
    postgresql.drop(again.database)


def test_where_reports_have_gone_out_since_it_is_refused_and_by_force_the_game_is_paused(home: Home, put_back: Home) -> None:
    home.write_settings(*(int(port) for port in ports(put_back)))
    home.good("resolve", "--yes", "galaxy-7")
    home.good("tick")
    put_back.write_settings(*ports(put_back))
    assert "reports of galaxy-7 have gone out since" in put_back.problem("era", "--new", "--replaced", home.database)
    assert put_back.rows(Game)[0].status == "running"
    assert "so it is paused" in put_back.good("era", "--new", "--replaced", home.database, "--force")
    assert put_back.rows(Game)[0].status == "paused"


def ports(home: Home) -> list[int]:
    """Those of IMAP and SMTP in its settings."""
    return [int(line.partition("=")[2]) for line in home.settings.read_text().splitlines() if line.startswith("port")]


def test_without_the_key_it_is_refused_and_none_is_made(put_back: Home) -> None:
    key = put_back.folder / "data" / "server.key"
    key.unlink()
    put_back.run("check")
    assert "copy it from where pbmd ran" in put_back.problem("era", "--new")
    assert not key.exists()
    put_back.good("era", "--new", "--force")
    assert key.exists()


def test_it_is_refused_while_a_daemon_runs(put_back: Home) -> None:
    with only_one(put_back.folder / "data"):
        assert "stop it first" in put_back.problem("era", "--new", code=ALREADY_RUNNING)


def test_what_is_no_ledger_of_before_is_refused_in_words(put_back: Home) -> None:
    assert "--replaced is the ledger itself" in put_back.problem("era", "--new", "--replaced", put_back.database)
    gone = put_back.database.replace("/ledger_", "/no_such_ledger_")
    assert "cannot be read" in put_back.problem("era", "--new", "--replaced", gone)
    assert "must begin with postgresql+psycopg://" in put_back.problem("era", "--new", "--replaced", "mysql://u:hunter2@h/d")


def test_a_ledger_in_a_file_needs_none(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write_settings()
    assert "pbmd restore FILE" in home.problem("era", "--new")
    assert home.json("era") == {"era": 0}


def test_backup_and_restore_of_files_name_the_tools_of_postgresql(home: Home, tmp_path: Path) -> None:
    for command in (("backup",), ("restore", home.write("any.sqlite", ""))):
        assert "pg_dump" in home.problem(*command)

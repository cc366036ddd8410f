"""Moving pbmd to another machine, as docs/gm-backup.md says: two homes, one mailbox, nothing in common but what is copied."""

import email
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.cli.common import ALREADY_RUNNING
from pbmd.demo.office import LocalOffice
from pbmd.ledger.tables import Game, Letter, LogLine, Outbox, OutboxState, Submission
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import Installation, Lock
from tests.cli.conftest import Home

PLAYERS = """\
[[players]]
seat = "Altair"
address = "anna@pbmd.test"

[[players]]
seat = "Borealis"
address = "bert@pbmd.test"
"""


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna", "bert", "gm"], password="hunter2") as office:
        yield office


def home_at(folder: Path, office: LocalOffice, more: str = "") -> Home:
    folder.mkdir()
    home = Home(folder)
    home.write_settings(office.imap_port, office.smtp_port, more)
    return home


def orders(home: Home, number: int, text: str) -> bytes:
    """Anna's reply to the last report that she got from that home."""
    [*_, report] = home.rows(Outbox, Outbox.kind == "report", Outbox.recipient == "anna@pbmd.test")
    told = email.message_from_bytes(report.raw)
    head = f"From: anna@pbmd.test\r\nTo: {told['Reply-To']}\r\nMessage-ID: <{number}@pbmd.test>\r\nSubject: Re: orders"
    return f"{head}\r\nIn-Reply-To: {report.message_id}\r\n\r\n{text}\r\n".encode()


def moved(old: Home, new: Home, tmp_path: Path) -> str:
    """What `pbmd restore` says on the new machine, that gets the backup of the old one and the key beside it."""
    old.good("backup", "--to", str(tmp_path / "usb"))
    shutil.copytree(tmp_path / "usb", new.folder / "usb")
    shutil.rmtree(tmp_path / "usb")
    [backup] = (new.folder / "usb").glob("ledger-*.sqlite")
    return new.good("restore", str(backup))


def test_the_game_goes_on_where_it_was_at_once(tmp_path: Path, office: LocalOffice) -> None:
    old, new = (home_at(tmp_path / name, office) for name in ("old", "new"))
    old.good("new", "galaxy-7", "--ruleset", "count", "--players", old.write("players.toml", PLAYERS))
    old.good("tick")
    office.deliver("games@pbmd.test", orders(old, 1, "Add 7"), sender="anna@pbmd.test")
    old.good("tick")
    # It is stopped; a letter comes meanwhile, and a reply to a mail of the old machine.
    late = orders(old, 2, "Add 9")
    office.deliver("games@pbmd.test", late, sender="anna@pbmd.test")
    told = moved(old, new, tmp_path)
    assert "server.key was put back" in told
    new.good("check")
    new.good("tick")  # nobody has to wait for the sign of the old one
    assert len(new.rows(Submission)) == 2  # the token of the old machine's mail is worth what it was
    assert len(new.rows(Letter)) == 2  # each of them once, though the mailbox was read twice
    # What had gone out does not go out again, and what goes out now has names of its own.
    keys = [mail.key for mail in new.rows(Outbox)]
    assert len(keys) == len(set(keys))
    before = {mail.message_id: mail.key for mail in old.rows(Outbox)}
    assert all(before.get(mail.message_id, mail.key) == mail.key for mail in new.rows(Outbox))
    assert new.rows(Outbox, col(Outbox.state) != OutboxState.SENT) == []
    # The journal goes on in the same chain.
    checks = {check["name"]: check["ok"] for check in json.loads(new.good("check", "--json"))["checks"]}
    assert (checks["books"], checks["journals"]) == (True, True)
    assert new.rows(LogLine, LogLine.what == "altered") == []
    before_and_after = [home.rows(Game)[0].chain_number for home in (old, new)]
    assert 0 < before_and_after[0] < before_and_after[1]


def test_other_addresses_of_the_same_mailbox_lose_and_repeat_nothing(tmp_path: Path, office: LocalOffice) -> None:
    """As where the mail server has another name on the new machine: for pbmd that is another mailbox, which it reads whole."""
    old = home_at(tmp_path / "old", office)
    old.good("new", "galaxy-7", "--ruleset", "count", "--players", old.write("players.toml", PLAYERS))
    old.good("tick")
    office.deliver("games@pbmd.test", orders(old, 1, "Add 7"), sender="anna@pbmd.test")
    old.good("tick")
    new = home_at(tmp_path / "new", office)
    new.settings.write_text(new.settings.read_text().replace('host = "127.0.0.1"', 'host = "localhost"', 1))
    moved(old, new, tmp_path)
    new.good("tick")
    assert len(new.rows(Letter)) == 1
    assert len(new.rows(Submission)) == 1


def test_the_old_one_that_goes_on_all_the_same_is_noticed(tmp_path: Path, office: LocalOffice) -> None:
    old, new = (home_at(tmp_path / name, office) for name in ("old", "new"))
    old.good("new", "galaxy-7", "--ruleset", "count", "--players", old.write("players.toml", PLAYERS))
    old.good("tick")
    moved(old, new, tmp_path)
    for home in (new, old, new, old):
        home.good("tick")
    assert new.rows(LogLine, LogLine.what == "alarm")
    mails = [mail.raw.decode() for mail in new.rows(Outbox, Outbox.kind == "alarm")]
    assert any("two pbmds take turns with the mailbox" in mail for mail in mails)


def test_an_old_one_that_crashed_keeps_the_new_one_out_until_its_sign_is_taken_away(
    tmp_path: Path, office: LocalOffice
) -> None:
    old, new = (home_at(tmp_path / name, office) for name in ("old", "new"))
    old.good("new", "galaxy-7", "--ruleset", "count", "--players", old.write("players.toml", PLAYERS))
    moved(old, new, tmp_path)
    secret = Secret.literal("hunter2")
    inbox = Inbox(ImapAccount(host="127.0.0.1", port=office.imap_port, tls="none", user="games", secret=secret))
    inbox.connect()
    lock = Lock(Installation("crashed", "old.example.org", "/srv/old"))
    inbox.hold(lock)
    done = new.run("tick")
    assert done.exit_code == ALREADY_RUNNING
    assert "on old.example.org, data folder /srv/old" in done.stderr
    inbox.release(lock)
    inbox.close()
    new.good("tick")

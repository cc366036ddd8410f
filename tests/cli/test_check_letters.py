"""`pbmd check --letters`, and a reading beside it, with a real Dovecot whose files something has changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pbmd.ledger.tables import Letter, LogLine
from tests.cli.conftest import Home
from tests.cli.test_mail import use_dovecot
from tests.mailservers import Dovecot, letter


def longer(file: Path) -> None:
    """As by a virus scanner: the name still tells the old size (S=)."""
    file.write_bytes(file.read_bytes() + b"x" * 400 + b"\n")


def empty(file: Path) -> None:
    """As after a power cut."""
    os.truncate(file, 0)


@pytest.mark.parametrize("damage", [longer, empty])
def test_one_file_that_dovecot_cannot_give_is_named_and_holds_up_no_letter_before_it(
    home: Home, dovecot: Dovecot, damage: Callable[[Path], None]
) -> None:
    user = dovecot.new_user()
    use_dovecot(home, dovecot, user=f'"{user}"')
    for subject in ("first", "second", "third"):
        dovecot.deliver(user, letter(subject))
    files = (dovecot.base / "mail" / user).glob("*/*,S=*")
    damage(next(file for file in files if b"Subject: second" in file.read_bytes()))
    told = home.run("check", "--letters").output
    assert "FAILED  letters     message 2 of the folder: the server gives no text for it (the connection is lost" in told
    assert "; it arrived " in told
    assert "ok      letters     2 unread, and can be fetched" in told
    assert "More: pbmd docs did-not-arrive 11" in told
    assert home.rows(Letter) == [], "nothing was stored"
    for _ in range(2):
        home.run("tick")
    assert [b"Subject: first" in each.raw for each in home.rows(Letter)] == [True]
    named = [line.detail for line in home.rows(LogLine) if line.what == "no-text"]
    assert len(named) == 1
    assert named[0].startswith("letter 2 (UIDVALIDITY ")

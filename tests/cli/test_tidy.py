"""`pbmd tidy`, and what `pbmd status` tells of the ledger."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from random import randbytes
from types import SimpleNamespace

import pytest

from pbmd.cli.status import ledger_words
from pbmd.desk.upkeep.sizes import Sizes
from pbmd.ledger.tables import Letter, LetterState, Outbox, OutboxState
from tests.cli.conftest import Home
from tests.cli.test_status import change

LONG_AGO = datetime.now(UTC) - timedelta(days=100)


def mail(number: int, size: int) -> Outbox:
    """A mail that was sent long ago. It cannot be compressed."""
    when = {"queued_at": LONG_AGO, "next_try_at": LONG_AGO, "sent_at": LONG_AGO}
    about = {"kind": "visit", "recipient": "anna@players.test", "envelope_from": "", "message_id": f"<{number}@pbmd.test>"}
    return Outbox(key=f"visit {number}", raw=randbytes(size), state=OutboxState.SENT, **about, **when)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def large(home: Home) -> Home:
    """A ledger with two mails of long ago, of 3.5 megabytes, and a letter of 1.9."""
    home.start_game()
    letter = Letter(
        fingerprint="1", uid=1, arrived_at=LONG_AGO, size=1_900_000, raw=randbytes(1_900_000), state=LetterState.DONE
    )
    change(home, mail(1, 1_500_000), mail(2, 2_000_000), letter)
    return home


def test_what_was_done_is_told_in_whole_megabytes(large: Home) -> None:
    assert large.good("tidy") == "Taken out: 3 MB; given back to the disk: 3 MB. The ledger has 2 MB now.\n"
    assert large.good("tidy") == "Taken out: less than 1 MB; given back to the disk: less than 1 MB. The ledger has 2 MB now.\n"
    assert "tidied" in large.log


def test_so_it_is_for_programs(large: Home) -> None:
    told = large.json("tidy")
    assert (told["taken_out"], told["given_back"]) == (3, 3)
    assert {name: size for name, size in told["ledger"].items() if size} == {"all": 2, "letters": 1}


def test_status_names_what_makes_up_the_ledger(large: Home) -> None:
    assert "ledger" in large.good("status")
    assert "│ 5 MB: mails 3 MB, letters 1 MB " in large.good("status")
    large.good("tidy")
    assert large.json("status")["ledger"] == large.json("tidy")["ledger"]


def test_status_says_of_a_small_ledger_no_more_than_that(home: Home) -> None:
    home.start_game()
    assert "│ less than 1 MB " in home.good("status")


def test_which_of_two_that_are_alike_in_megabytes_is_larger_is_not_told() -> None:
    one, other = (Sizes(3_000_000, 0, {"log": 1_100_000 + more, "letters": 1_900_000 - more}) for more in (0, 800_000))
    assert ledger_words(one) == ledger_words(other) == "3 MB: letters 1 MB, log 1 MB"


def test_a_ledger_of_former_times_is_written_anew_if_there_is_room(large: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(large.folder / "data" / "ledger.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=3_000_000))
        done = large.run("tidy")
    assert (done.exit_code, done.stdout[:52]) == (1, "Taken out: 3 MB; given back to the disk: less than 1")
    assert done.stderr.startswith(
        "pbmd: the ledger was made by an older pbmd and must be written anew before it can give room "
    )
    assert "which may take 4 MB, and the disk of" in done.stderr
    assert "has 3 MB free. Nothing is lost; make room there" in done.stderr
    assert large.json("tidy")["given_back"] == 3

"""A daemon whose clock is set while it runs, and a real mail server whose clock is right."""

import os
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbmd.ledger.tables import LogLine, Mailbox
from tests.acceptance.house import PATIENCE_SECONDS, House, open_house
from tests.mailservers import DOMAIN, Dovecot
from tests.torture.pbmd_with_clock import set_clock

PROGRAM = "tests.torture.pbmd_with_clock"
HOUR = 3600.0

pytestmark = pytest.mark.dovecot


@pytest.fixture
def house(tmp_path: Path, dovecot: Dovecot) -> Iterator[House]:
    """A house with a game whose deadline is in an hour; the daemon goes by a clock that can be set."""
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        set_clock(tmp_path / "clock", 0)
        house.program, house.environment["TORTURE_CLOCK"] = PROGRAM, str(tmp_path / "clock")
        house.new_game("galaxy-7", ("Altair", "Borealis"), "--reminder", "")
        yield house


def step_clock(house: House, seconds: float) -> None:
    set_clock(house.folder / "clock", seconds)


def by_its_clock(house: House, *arguments: str) -> str:
    """A command on the machine whose clock was set."""
    command = [sys.executable, "-m", PROGRAM, *arguments, "--settings", str(house.settings_file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=os.environ | house.environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(house: House, word: str) -> list[str]:
    return [line.detail for line in house.rows(LogLine, LogLine.what == word)]


def alarms(house: House) -> list[EmailMessage]:
    """The mails to the game master but for digests of the game."""
    return [mail for mail in house.sink.of(f"gm@{DOMAIN}") if "clock of this machine" in str(mail["Subject"])]


def test_no_turn_ends_by_it_until_the_game_master_says_that_it_is_right(house: House) -> None:
    house.start()
    house.wait_until("the mailbox was read", lambda: any(box.read_through for box in house.rows(Mailbox)))
    step_clock(house, 2 * HOUR)
    house.wait_until("an alarm", lambda: told(house, "alarm"))
    [mail] = house.wait_until("a mail to the game master", lambda: alarms(house))
    assert "the clock of this machine is in doubt" in str(mail["Subject"])
    assert "in doubt, nothing is resolved" in by_its_clock(house, "status")
    step_clock(house, 0)
    house.wait_until("the end of the alarm", lambda: told(house, "all-clear"))
    step_clock(house, 2 * HOUR)
    house.wait_until("another alarm", lambda: len(told(house, "alarm")) == 2)
    assert told(house, "resolved") == told(house, "nmr") == []
    assert "it was set 2 h ahead" in by_its_clock(house, "clock", "--confirm")
    house.wait_until("the turn is resolved", lambda: told(house, "resolved"))
    assert len(alarms(house)) == 1
    assert len(told(house, "nmr")) == 2


def test_the_mail_server_finds_out_a_clock_that_is_wrong_from_the_start_and_ends_the_doubt_when_it_is_set_right(
    house: House,
) -> None:
    step_clock(house, 2 * HOUR)
    house.start()
    house.wait_until("the alarm", lambda: any("2 h ahead of the mail server's" in line for line in told(house, "alarm")))
    assert told(house, "resolved") == []
    step_clock(house, 0)
    agrees = "the mail server's clock agrees with it"
    house.wait_until("the end of the alarm", lambda: any(line.endswith(agrees) for line in told(house, "all-clear")))
    assert told(house, "resolved") == told(house, "nmr") == []

"""Mail servers and ledgers that fail for a while: what arrived in time counts, and nothing is lost."""

import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Game, Letter, LogLine, Outbox, Seat, Submission, SubmissionState
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, top_posted
from tests.acceptance.wire import Wire
from tests.mailservers import Dovecot

GOOD = "Build 2 Laserfrigates\nOOB default: LFTLTF"
SEATS = ("Altair", "Borealis")

pytestmark = pytest.mark.dovecot


def player(house: House, seat: str, orders: str = GOOD) -> Player:
    return Player(house, seat, f"{seat.lower()}@players.test", top_posted, lambda turn: orders if turn == 1 else "")


def reported(house: House, *players: Player) -> bool:
    """Whether everybody has the first report."""
    return all(house.sink.of(each.address) for each in players)


def test_orders_that_arrived_while_the_mail_server_could_not_be_reached_count(tmp_path: Path, dovecot: Dovecot) -> None:
    wire = Wire(dovecot.imaps_port)
    with open_house(tmp_path, dovecot, wire.port, deadline="1h") as house:
        house.start()
        house.wait_until("the daemon runs", lambda: (tmp_path / "data" / "dashboard.log").exists())
        house.new_game("galaxy-7", SEATS)
        altair, borealis = (player(house, seat) for seat in SEATS)
        house.wait_until("first reports", lambda: reported(house, altair, borealis))

        wire.cut()
        borealis.play()  # arrives at the server in time, however slow the machine is, but pbmd cannot see it
        house.pbmd("deadline", "galaxy-7", "in 3s", "--yes")
        deadline: datetime = house.rows(Game)[0].deadline
        time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 2)
        assert house.rows(Game)[0].step == 0, "a deadline closes on evidence"

        wire.mend()
        house.wait_until("the turn is resolved", lambda: house.rows(Game)[0].step == 1)
        seats = {seat.id: seat.name for seat in house.rows(Seat)}
        submissions: list[Submission] = house.rows(Submission)
        assert [(seats[each.seat_id], each.state) for each in submissions] == [("Borealis", SubmissionState.USED)]
        # The reader notes that it is back when all letters are read; the clerk need not wait for that.
        house.wait_until(
            "the log tells of it", lambda: {"imap-lost", "imap-back", "nmr"} <= {line.what for line in house.rows(LogLine)}
        )
        house.stop()
    wire.cut()


def test_a_ledger_that_is_locked_for_seconds_loses_nothing(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        house.new_game("galaxy-7", SEATS)
        house.start()
        altair = player(house, "Altair")
        house.wait_until("first reports", lambda: reported(house, altair))
        other = sqlite3.connect(tmp_path / "data" / "ledger.sqlite", isolation_level=None, timeout=60)
        try:
            other.execute("BEGIN IMMEDIATE")
            altair.play()
            time.sleep(2)
            assert house.rows(Letter) == []
            other.execute("ROLLBACK")
        finally:
            other.close()
        house.wait_until(
            "the answer", lambda: any("orders in" in str(mail["Subject"]) for mail in house.sink.of(altair.address))
        )
        assert [letter.state for letter in house.rows(Letter)] == ["done"]
        house.stop()


def test_a_recipient_whom_the_server_refuses_is_shown_and_does_not_hold_up_the_others(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        house.sink.refused.add("borealis@players.test")
        house.new_game("galaxy-7", SEATS)
        house.start()
        house.wait_until("Altair's report", lambda: house.sink.of("altair@players.test"))
        house.wait_until("the refusal", lambda: [line for line in house.rows(LogLine) if line.what == "unsent"])
        (failed,) = house.rows(Outbox, col(Outbox.state) == "failed")
        assert failed.recipient == "borealis@players.test"
        assert "550" in failed.error
        house.stop()

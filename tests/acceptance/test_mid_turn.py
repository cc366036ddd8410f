"""A turn of Cosmic Conquest through Dovecot, with the daemon killed between and amid its letters: a psionic waits for a late
target, sees its orders and has a day more; the target publishes its orders; a third player has nothing but a refused mail."""

import json
import re
import time
from collections import Counter
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col

import rulesets.cosmic_conquest as package
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import Game, JournalEntry, LogLine, Outbox, OutboxState, Seat, StepRecord, Submission, SubmissionState
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, html_only, text_of, top_posted
from tests.mailservers import Dovecot
from tests.rulesets.cosmic_conquest.desk import GAME, HOMES, setup_lines


def begin(house: House) -> dict[str, Player]:
    """`pbmd new` with the factions of a players file."""
    house.settings_file.write_text(f'rulesets = ["{Path(package.__file__).parent}"]\n{house.settings_file.read_text()}')
    entry = '[[players]]\nseat = "{}"\naddress = "{}@players.test"\nsetup = {}\n'
    file = house.folder / "players.toml"
    file.write_text("\n".join(entry.format(colour, colour.lower(), json.dumps(setup_lines(colour))) for colour in HOMES))
    options = ("--option", "home_choice=first_in")
    house.pbmd("new", GAME, "--ruleset", "cosmic_conquest", "--players", str(file), "--deadline", "2h", *options)
    writing = {"Red": html_only}
    return {
        colour: Player(house, colour, f"{colour.lower()}@players.test", writing.get(colour, top_posted), lambda _turn: "")
        for colour in HOMES
    }


def mails_with(house: House, player: Player, words: str) -> list[EmailMessage]:
    """What a player got that says this, each once."""
    found = {mail["Message-ID"]: mail for mail in house.sink.of(player.address) if words in text_of(mail)}
    return list(found.values())


def killed_and_started(house: House) -> None:
    """SIGKILL, and a new daemon."""
    house.kill()
    house.start()


def log_of(house: House, what: str) -> list[LogLine]:
    """Lines of the dashboard log."""
    return house.rows(LogLine, col(LogLine.what) == what)


@pytest.mark.dovecot
@pytest.mark.rule("CC-104", "CC-R59", "CC-R61", "CC-R76", "CC-R82")
def test_reveals_postings_and_deadlines_survive_a_daemon_that_is_killed(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, extension_budget="0h") as house:
        players = begin(house)
        red, purple, green = players.values()
        house.start()

        def answered(player: Player, text: str, words: str) -> EmailMessage:
            player.answer(house.sink.of(player.address)[0], text)
            return house.wait_until(words, lambda: mails_with(house, player, words))[-1]

        for player in players.values():
            house.wait_until("the first report", lambda player=player: house.sink.of(player.address))
        answered(red, "EXTEND 24h because of travel", "your deadline is")
        granted = answered(purple, "Telepathic Insight on Red", "your request is granted")
        assert "24 h after the orders of Red are in" in " ".join(text_of(granted).split())
        answered(green, "Defend Aldebaran with 4 units\nConquer Sol with 5 units", "nothing in it was accepted")
        killed_and_started(house)

        # The deadline passes, however long it took to come this far: only Green has missed it.
        house.pbmd("deadline", GAME, "in 3s", "--yes")
        house.wait_until("the deadline", lambda: log_of(house, "nmr"))
        starts = len(log_of(house, "running"))
        killed_and_started(house)
        house.wait_until("the daemon runs again", lambda: len(log_of(house, "running")) > starts)
        time.sleep(2)
        (missed,) = log_of(house, "nmr")
        assert (missed.seat, missed.detail.endswith("wrong in line 2")) == ("Green", True)
        assert mails_with(house, purple, "Telepathic Insight, turn 1") == []

        # Red's orders arrive while nobody is at work, and the daemon is killed as soon as it might be dealing with them.
        house.kill()
        red.answer(house.sink.of(red.address)[0], "Defend Sol with 6 units\nPublish orders")
        for pause in (0, 0.1, 0.3, 0.5):
            house.start()
            house.wait_until("the daemon has begun", house.is_at_work)
            time.sleep(pause)
            house.kill()
        house.start()
        house.wait_until("the reveal", lambda: mails_with(house, purple, "Telepathic Insight, turn 1"))
        for player in players.values():
            house.wait_until("the posting", lambda player=player: mails_with(house, player, "Published orders, turn 1"))
        (reveal,) = mails_with(house, purple, "Telepathic Insight, turn 1")
        assert "| Defend Sol with 6 units" in text_of(reveal)
        assert re.search(r"\nOrders are due .*, in (?:23 h|1 day)", text_of(reveal))
        for player in (red, green):
            assert mails_with(house, player, "Telepathic") == []

        # Purple's own deadline is long over, and it is still in time.
        answered(purple, "Defend Solaria with 9 units", "your orders for turn 1 are in")
        house.wait_until("the resolution", lambda: house.rows(StepRecord))
        house.wait_until("all mails", lambda: not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT))
        house.stop()
        audit(house, green)


def audit(house: House, green: Player) -> None:
    """The books tell the same."""
    seats: dict[int | None, str] = {seat.id: seat.name for seat in house.rows(Seat)}
    states = Counter((seats[row.seat_id], row.state) for row in house.rows(Submission))
    assert states == {
        ("Red", SubmissionState.USED): 1,
        ("Purple", SubmissionState.GRANTED): 1,
        ("Purple", SubmissionState.USED): 1,
        ("Green", SubmissionState.REFUSED): 1,
    }
    (report,) = mails_with(house, green, "Turn 1: what happened")
    words = " ".join(text_of(report).split())
    assert "You sent no orders for turn 1. (A mail of yours came, but" in words
    assert 'Line 2: "Conquer Sol with 5 units": Sol is not adjacent' in words
    assert len(log_of(house, "nmr")) == len(log_of(house, "told")) == 1
    assert not any("nsight" in line.detail for line in house.rows(LogLine))
    entries: list[JournalEntry] = house.rows(JournalEntry)
    (resolved,) = (entry for entry in entries if entry.kind == "resolved")
    request, told = json.loads(resolved.secret)["meanwhile"]
    assert (request["seat"], told["told"]["audience"]) == ("Purple", ["Purple"])
    game: Game = house.rows(Game)[0]
    assert verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries) == game.chain_head

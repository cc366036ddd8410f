"""A game through Dovecot with the daemon killed again and again: nothing is lost and nothing happens twice."""

import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import (
    Game,
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    Outbox,
    OutboxState,
    Seat,
    StepRecord,
    Submission,
)
from pbmd.ledger.tables import SubmissionState as State
from pbmd.post.read.letter import read_letter
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, html_only, in_the_form, text_of, top_posted
from tests.doses import dose
from tests.mailservers import Dovecot

TURNS = 4
DEADLINE_PASSES = {0: 4, 1: 3}
"""The steps that somebody misses, and how many send something in them. The turns are long, and their deadline is set when that
has been read: how fast the machine is, and what the kills cost it, must not decide who is in time."""
PATIENCE_SECONDS = 1200
LEAST_KILLS, MOST_KILLS = 4, dose(4, 10)
"""To start anew takes most of the time."""
SEATS = ("Altair", "Borealis", "Cygnus", "Deneb")
GOOD = "Build 2 Laserfrigates\nOOB default: LFTLTF"
NONSENSE = "Dear game master,\nplease do something clever for me\nBye"


def players_of(house: House) -> list[Player]:
    """Altair writes HTML, Borealis fills in the form, Cygnus forgets turn 2, Deneb sends nonsense in turn 1."""
    habits = {
        "Altair": (html_only, lambda turn: GOOD),
        "Borealis": (in_the_form, lambda turn: GOOD),
        "Cygnus": (top_posted, lambda turn: "" if turn == 2 else GOOD),
        "Deneb": (top_posted, lambda turn: NONSENSE if turn == 1 else GOOD),
    }
    return [Player(house, seat, f"{seat.lower()}@players.test", *habits[seat]) for seat in SEATS]


def let_the_deadline_pass(house: House, step: int) -> bool:
    """Set the deadline of this step if nobody sends anything more for it; tells whether that was done."""
    game: Game = house.rows(Game)[0]
    read = len(house.rows(Submission, col(Submission.step) == step))
    if game.step != step or read < DEADLINE_PASSES.get(step, read + 1):
        return False
    house.pbmd("deadline", game.name, "in 3s", "--yes")
    return True


def finished(house: House) -> bool:
    """Whether the game is over and all its mail is out."""
    game: Game = house.rows(Game)[0]
    return game.status is GameStatus.FINISHED and not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT)


@pytest.mark.dovecot
@pytest.mark.in_every_run
@pytest.mark.parametrize("seed", [1])
def test_a_game_survives_a_daemon_that_is_killed_at_random(tmp_path: Path, dovecot: Dovecot, seed: int) -> None:
    chance = random.Random(seed)
    kills, passed = 0, 0
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        house.new_game("galaxy-7", SEATS, "--option", f"turn_limit={TURNS}")
        players = players_of(house)
        house.start()
        pause, next_kill = chance.uniform(0.5, 2.5), float("inf")
        ends = time.monotonic() + PATIENCE_SECONDS
        while not finished(house):
            for player in players:
                player.play()
            passed += let_the_deadline_pass(house, passed)
            # From when it is at work: else a slow machine does nothing but start it.
            if next_kill == float("inf") and house.is_at_work():
                next_kill = time.monotonic() + pause
            if kills < MOST_KILLS and time.monotonic() > next_kill:
                house.kill()
                kills += 1
                house.start()
                pause, next_kill = chance.uniform(0.3, 2.5), float("inf")
            assert time.monotonic() < ends, house.complaints()
            time.sleep(0.1)
        house.stop()
        assert kills >= LEAST_KILLS
        audit(house, players, kills)


def audit(house: House, players: list[Player], kills: int) -> None:
    """Compare what was sent in with ledger, answers and reports."""
    sent = [message_id for player in players for message_id in player.sent]
    letters: list[Letter] = house.rows(Letter)
    submissions: list[Submission] = house.rows(Submission)
    seats: dict[int | None, str] = {seat.id: seat.name for seat in house.rows(Seat)}

    # Every letter counted once, and dealt with.
    assert len(letters) == len(sent)
    assert {letter.state for letter in letters} == {LetterState.DONE}
    assert Counter(submission.letter_id for submission in submissions) == Counter(letter.id for letter in letters)

    # Every letter was answered once, as far as the books go.
    acknowledgements: list[Outbox] = house.rows(Outbox, col(Outbox.kind) == "acknowledgement")
    assert len(acknowledgements) == len(letters)

    # Each report is once in the outbox, and each mail reached its reader; twice only if a kill fell between the server's
    # answer and ours, with the same Message-ID.
    reports: list[Outbox] = house.rows(Outbox, col(Outbox.kind) == "report")
    assert Counter(mail.recipient for mail in reports) == {player.address: TURNS + 1 for player in players}
    delivered = Counter(str(mail["Message-ID"]) for player in players for mail in house.sink.of(player.address))
    queued: list[Outbox] = house.rows(Outbox, col(Outbox.recipient).like("%@players.test"))
    assert set(delivered) == {mail.message_id for mail in queued}
    assert sum(delivered.values()) - len(delivered) <= kills

    # What the habits should lead to.
    used = {(seats[submission.seat_id], submission.step): submission.state for submission in submissions}
    assert used["Deneb", 0] is State.REFUSED
    assert ("Cygnus", 1) not in used
    assert all(used[seat, step] is State.USED for seat in ("Altair", "Borealis") for step in range(TURNS))
    missed = [text_of(mail) for mail in house.sink.of("cygnus@players.test") if "Turn 2: what happened" in str(mail["Subject"])]
    assert "You sent no orders for turn" in missed[0]

    # Letters were sent one after the other, and they were stored, dealt with and put in order just so.
    sent_at = {message_id: number for number, message_id in enumerate(house.letters_sent)}
    order = [sent_at[read_letter(letter.raw).message_id] for letter in sorted(letters, key=lambda letter: letter.uid)]
    assert order == sorted(order), "the mailbox has them in the order sent"
    by_arrival = sorted(letters, key=lambda letter: (letter.arrived_at, letter.uid))
    receipts = {submission.letter_id: submission.number for submission in submissions}
    for step in range(TURNS):
        of_step = {submission.letter_id for submission in submissions if submission.step == step}
        numbers = [receipts[letter.id] for letter in by_arrival if letter.id in of_step]
        assert numbers == sorted(numbers), "dealt with in order of arrival"
    arrivals = {letter.id: [int(letter.arrived_at.timestamp()) * 1_000_000, letter.uid] for letter in letters}
    for record in house.rows(StepRecord):
        sheets = json.loads(record.before)["sheets"]
        expected = [
            arrivals[submission.letter_id]
            for submission in submissions
            if submission.step == record.step and submission.state is State.USED
        ]
        assert [sheet["arrival"] for sheet in sheets] == sorted(expected), "the sheets stand in order of arrival"

    # The chain holds.
    entries: list[JournalEntry] = house.rows(JournalEntry)
    head = verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries)
    game: Game = house.rows(Game)[0]
    assert head == game.chain_head

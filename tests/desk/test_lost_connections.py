"""PostgreSQL ends a connection in the middle of whatever is done, as when it is started anew.

Nothing is lost, and nothing is done twice: between any two statements, each in its turn.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmd.desk.due.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.batches import LEASE
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import LetterState, OutboxState, StepRecord
from tests.desk.endings import each_statement
from tests.desk.sending.test_sender import FakeSmtp
from tests.desk.world import World
from tests.doses import dose
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql
EVERY = dose(6, 1)


@pytest.fixture
def world(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[World]:
    address = postgresql.new_ledger()
    world = World(tmp_path, database=address)
    world.count()
    yield world
    world.close()
    postgresql.drop(address)


def test_letters_are_answered_once_each(world: World) -> None:
    sent: list[int] = []

    def arrive() -> None:
        sent.append(len(sent) + 1)
        world.arrive(world.letter("Altair", f"Add {len(sent)}"))

    def answered(number: int) -> None:
        assert {letter.state for letter in world.letters()} == {LetterState.DONE}
        assert len(world.submissions()) == number
        assert len(world.outbox("acknowledgement")) <= number
        assert world.log("quarantine") == []

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, arrive, lambda: process_letters(world.desk), answered, every=dose(2, 1))
    assert len(world.outbox("acknowledgement")) == len(sent)


def test_turns_are_resolved_once_each(world: World) -> None:
    def over() -> None:
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        world.now = world.game().deadline
        world.now = world.now.replace(microsecond=0)
        world.read_mailbox()

    def resolved(number: int) -> None:
        assert len(world.rows(StepRecord)) == number
        assert len(world.outbox("report", "Altair")) == number + 1
        assert world.game().status == "running"

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, over, lambda: advance_games(world.desk), resolved, every=EVERY)


def test_no_mail_goes_out_twice_or_not_at_all(world: World) -> None:
    smtp, pace = FakeSmtp(), Pace(1000)

    def queued() -> None:
        world.now += 2 * LEASE
        world.send("Altair", f"Add {len(world.letters()) + 1}")

    def sent(_number: int) -> None:
        world.now += 2 * LEASE
        send_due(world.desk, smtp.connect, pace=pace)
        assert {mail.state for mail in world.outbox()} == {OutboxState.SENT}
        names = [re.findall(rb"Message-ID: (\S+)", raw)[0] for _, _, raw in smtp.taken]
        assert sorted(names) == sorted(mail.message_id.encode() for mail in world.outbox())

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, queued, lambda: send_due(world.desk, smtp.connect, pace=pace), sent, every=dose(2, 1))

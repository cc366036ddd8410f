"""On a database with several writers two senders take mails at the very same time, and neither waits for the other."""

import threading
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.sending.batches import BATCH, take
from pbmd.desk.sending.rate import Pace
from pbmd.ledger.tables import OutboxState
from tests.desk.sending.test_sender import queue, queue_to
from tests.desk.sending.test_senders import hosts

pytestmark = pytest.mark.parametrize("ledger", [True], ids=["postgresql"], indirect=True)
PATIENCE_SECONDS = 30


@contextmanager
def in_the_middle(desk, statement, meanwhile):
    """Something else happens, in another thread, before the first such statement of this desk; it must come to an end then."""
    done, ended = threading.Event(), []

    def other():
        meanwhile()
        done.set()

    def pause(_connection, _cursor, text, *_):
        if text.startswith(statement) and not ended:
            ended.append(None)
            threading.Thread(target=other).start()
            ended.append(done.wait(PATIENCE_SECONDS))

    event.listen(desk.engine, "before_cursor_execute", pause)
    try:
        yield
    finally:
        event.remove(desk.engine, "before_cursor_execute", pause)
    assert ended == [None, True], "who takes mails has waited for another who does"
    assert done.wait(PATIENCE_SECONDS)


def test_they_take_different_mails(world):
    queue(world, *(f"p{number}" for number in range(BATCH + 20)))
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        of_beta = []
        with in_the_middle(alpha, "UPDATE outbox", lambda: of_beta.extend(take(beta, Pace(1000)))):
            of_alpha = take(alpha, Pace(1000))
    assert (len(of_alpha), len(of_beta)) == (BATCH, 20)
    assert not {each.id for each in of_alpha} & {each.id for each in of_beta}
    assert [mail.sender for mail in world.outbox()].count("beta") == 20
    assert {mail.tries for mail in world.outbox()} == {1}


def test_nothing_is_left_for_who_comes_while_the_other_takes_all(world):
    queue(world, "a", "b")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        of_beta = [None]
        with in_the_middle(alpha, "UPDATE outbox", lambda: of_beta.extend(take(beta, Pace(1000)))):
            assert len(take(alpha, Pace(1000))) == 2
    assert of_beta == [None]


def test_what_one_takes_the_other_does_not_put_off(world):
    queue_to(world, *(f"p{number}@slow.test" for number in range(4)))
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        two_a_minute = Pace(1000, 2)  # of the one host; the other does not know of it
        with in_the_middle(alpha, "UPDATE outbox", lambda: take(beta, Pace(1000))):
            assert len(take(alpha, two_a_minute)) == 2
    assert {mail.state for mail in world.outbox()} <= {OutboxState.SENDING, OutboxState.QUEUED}
    assert [mail.sender for mail in world.outbox()][:2] == ["alpha", "alpha"]


def test_taking_mails_waits_for_whoever_writes_alone(world):
    queue(world, "a")
    with hosts(world, "alpha", "beta") as [alpha, beta]:
        taken = []
        with Transaction(alpha) as work:
            work.log("outbox", detail="alone")
            work.write()
            sender = threading.Thread(target=lambda: taken.extend(take(beta, Pace(1000))))
            sender.start()
            sender.join(0.5)
            assert sender.is_alive()
        sender.join(PATIENCE_SECONDS)
        assert len(taken) == 1

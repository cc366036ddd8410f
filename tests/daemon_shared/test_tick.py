"""`pbmd tick` beside others at one ledger does what none of them has as its part."""

from collections.abc import Callable, Iterator

import pytest

from pbmd.daemon.parts import Parts
from pbmd.daemon.roles import Role
from pbmd.daemon.tick import tick
from pbmd.desk.books.desk import mailbox_name
from pbmd.ledger.parts import holders
from pbmd.ledger.tables import LetterState
from pbmd.post.imap.connection import InboxLost
from pbmd.post.smtp.client import SmtpError
from tests.desk.world import World
from tests.test_daemon import use, wait_until


@pytest.fixture
def world(new_desk: Callable[[], World]) -> World:
    """A desk with a new letter, whose mail servers cannot be reached."""
    world = new_desk()
    world.count()
    world.arrive(world.letter("Altair", "Add 2"))
    use(world, imap={"port": 1}, smtp={"port": 1})
    return world


@pytest.fixture
def others(world: World, ledger: str) -> Iterator[Parts]:
    """Another pbmd that has all parts."""
    parts = Parts(ledger, mailbox_name(world.desk))
    assert all(role.is_ours() for role in (parts.mailbox, parts.outbox, parts.games, parts.pages))
    yield parts
    parts.give_back()


def wait_until_free(world: World, role: Role) -> None:
    """What is given back is free when PostgreSQL has ended the connection."""

    def is_free() -> bool:
        with world.desk.engine.connect() as connection:
            return not any(holders(connection, [role.name]).values())

    wait_until(is_free)


def give_back(world: World, role: Role) -> None:
    role.give_back()
    wait_until_free(world, role)


def states(world: World) -> list[LetterState]:
    return [letter.state for letter in world.letters()]


def test_what_others_do_is_left_to_them(world: World, others: Parts) -> None:
    tick(world.desk)
    assert states(world) == [LetterState.NEW]
    assert not (world.desk.settings.data / "dashboard").exists()


def test_what_nobody_does_is_done_and_given_back(world: World, others: Parts) -> None:
    give_back(world, others.games)
    tick(world.desk)
    assert states(world) == [LetterState.DONE]
    wait_until(others.games.is_ours)
    give_back(world, others.outbox)
    with pytest.raises(SmtpError):
        tick(world.desk)
    wait_until_free(world, others.outbox)
    give_back(world, others.mailbox)
    with pytest.raises(SmtpError, match="nor could the mailbox be read"):
        tick(world.desk)
    wait_until(others.outbox.is_ours)
    with pytest.raises(InboxLost):
        tick(world.desk)
    wait_until(others.mailbox.is_ours)

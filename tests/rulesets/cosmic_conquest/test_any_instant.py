"""What is told, granted, missed and given up in the middle of a turn survives an end at any instant.

Two desks play the same two turns. One of them is ended before every single statement that it sends to the ledger, and before
every commit, and started anew. In the end their ledgers must be the same to the byte.
"""

import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pbmd.desk.books.desk import Positions, mailbox_name
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import store
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.database import open_engine
from pbmd.post.imap.fetched import Fetched
from tests.desk.world import BEGIN, World, body_of
from tests.rulesets.cosmic_conquest.desk import conquest

HOUR = timedelta(hours=1)


class Ended(BaseException):
    """What a SIGKILL is to the code: nothing catches it, and nothing is committed after it."""


@contextmanager
def ended_before(world: World, number: int) -> Generator[None]:
    """The desk is ended when it is about to send that many statements and commits to the ledger. Raises `Ended`."""
    left = number

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Ended

    events = "before_cursor_execute", "commit"
    for name in events:
        event.listen(world.desk.engine, name, count)
    try:
        yield
    finally:
        for name in events:
            event.remove(world.desk.engine, name, count)


def started_anew(world: World) -> None:
    """A desk that knows nothing but what is in the ledger."""
    url = world.desk.engine.url
    world.desk.engine.dispose()
    world.desk = replace(world.desk, engine=open_engine(str(url)), positions=Positions())


def undisturbed(_world: World, act: Callable[[], object]) -> None:
    act()


def ended_everywhere(world: World, act: Callable[[], object]) -> None:
    """Begin the act again and again, and let it get one statement further each time."""
    number = 0
    while True:
        number += 1
        try:
            with ended_before(world, number):
                act()
        except Ended:
            started_anew(world)
        else:
            break
    assert number > 1


def play(world: World, do: Callable[[World, Callable[[], object]], None]) -> None:
    """Two turns: a target that is late and publishes, a refused mail that is all, a psionic in its extra time; then a target
    that resigns and one that stalls."""

    def letter(raw: bytes) -> None:
        world.uid += 1
        uid, stamp = world.uid, world.now.replace(microsecond=0)
        do(world, lambda: store(world.desk, mailbox_name(world.desk), [Fetched(1, uid, stamp, len(raw), raw, truncated=False)]))
        do(world, lambda: process_letters(world.desk))
        pass_until(world.now + timedelta(minutes=1))

    def pass_until(at: Any) -> None:
        world.now = at
        do(world, world.read_mailbox)
        do(world, lambda: process_letters(world.desk))
        do(world, lambda: advance_games(world.desk))

    letter(world.letter("Purple", "Telepathic Insight on Red"))
    letter(world.letter("Green", "Defend Aldebaran with 4 units\nConquer Sol with 5 units"))
    pass_until(BEGIN + 49 * HOUR)
    letter(world.letter("Red", "Defend Sol with 6 units\nPublish orders"))
    pass_until(BEGIN + 72.5 * HOUR)
    letter(world.letter("Purple", "Defend Solaria with 9 units"))
    assert world.game().turn == 2
    letter(world.letter("Purple", "Telepathic Insight on Red"))
    letter(world.letter("Red", "RESIGN"))
    question = world.questions("red@players.test")[-1]
    letter(world.letter("Red", "YES", headers={"In-Reply-To": question.message_id}, to=str(_reply_to(question.raw))))
    letter(world.letter("Purple", "Pass"))
    pass_until(world.now + 73 * HOUR)
    assert world.game().turn == 3


def _reply_to(raw: bytes) -> str:
    return next(line for line in raw.decode().splitlines() if line.startswith("Reply-To: ")).removeprefix("Reply-To: ")


def dump(world: World) -> list[str]:
    """The whole ledger."""
    with closing(sqlite3.connect(world.folder / "ledger.sqlite")) as ledger:
        return list(ledger.iterdump())


@pytest.mark.rule("CC-104", "CC-R59", "CC-R61", "CC-R62", "CC-R76", "CC-R84")
def test_an_end_at_any_instant_changes_no_byte_of_the_ledger(tmp_path: Path) -> None:
    worlds: list[World] = []
    for name, do in (("one", undisturbed), ("two", ended_everywhere)):
        (tmp_path / name).mkdir()
        world = World(tmp_path / name)
        world.desk = replace(world.desk, entropy=b"e".__mul__)
        worlds.append(conquest(world, reminders=("24h",)))
        play(world, do)
    one, two = worlds
    assert dump(one) == dump(two)
    reveals = [body_of(mail) for mail in two.outbox("notice", "Purple") if "Telepathic Insight, turn" in body_of(mail)]
    assert ["Defend Sol with 6 units" in text for text in reveals] == [True, False]
    assert [(line.turn, line.seat) for line in two.log("nmr")] == [("t1", "Green"), ("t2", "Green")]
    for world in worlds:
        world.close()

"""The news of a game posted to the group's chat: each once, in order, whatever becomes of the server, and nothing else."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from pbmd.desk.changes import pauses
from pbmd.desk.publish.dashboard import News
from pbmd.desk.publish.webhooks import post_news, text_of, ways
from pbmd.ledger.database import open_engine, sqlite_url
from pbmd.ledger.tables import Alarm, Webhook
from tests.desk.relay import past_turn_0, relay
from tests.desk.test_secrecy import OOB, SAME_EFFECT, finish_the_turn, ideal_seal
from tests.desk.world import BEGIN, World
from tests.post.hooked import Chat, chat

SECRET = "T0P-s3cr3t"


@pytest.fixture
def room() -> Iterator[Chat]:
    with chat() as told:
        yield told


def listens(world: World, room: Chat, game: str = "galaxy-7") -> Path:
    """The news of the game go to that room from here on."""
    file = world.folder / f"{game}.webhook"
    file.write_text(f"http://127.0.0.1:{room.port}/{SECRET}\n")
    world.settle(webhook={"files": {game: file}, "seconds": 2})
    post_news(world.desk)
    return file


def texts(room: Chat) -> list[str]:
    return [json.loads(body)["text"] for body in room.said]


def test_what_everybody_is_told_is_posted_once_and_in_order(world: World, room: Chat) -> None:
    world.count()
    listens(world, room)
    assert post_news(world.desk) == 0
    assert room.said == [], "what was before is no news"
    world.pass_time(timedelta(days=3, minutes=1))
    world.act("galaxy-7", pauses.pause, "a journey")
    assert post_news(world.desk) == 1
    assert post_news(world.desk) == 0
    (told,) = texts(room)
    assert [line.partition(" – ")[0] for line in told.splitlines()] == [
        "galaxy-7: Turn 1 is resolved",
        "galaxy-7: The game is paused",
    ]
    assert told.endswith("a journey")


def test_without_the_setting_nothing_is_done(world: World, room: Chat) -> None:
    world.count()
    world.pass_time(timedelta(days=4))
    assert post_news(world.desk) == 0
    assert world.rows(Webhook) == []


def test_each_game_has_its_own_and_one_that_is_not_there_harms_none(world: World, room: Chat) -> None:
    world.count()
    world.count("other")
    file = listens(world, room, "other")
    world.settle(webhook={"files": {"nowhere": file, "Other": file}, "seconds": 2})
    world.act("galaxy-7", pauses.pause, "")
    world.act("other", pauses.pause, "")
    assert post_news(world.desk) == 1
    assert texts(room) == ["other: The game is paused"]
    assert [(way.game, way.trouble) for way in ways(world.desk)] == [
        ("nowhere", "there is no game of that name"),
        ("Other", ""),
    ]


def test_what_could_not_be_posted_is_posted_later_with_what_has_come_meanwhile(world: World, room: Chat) -> None:
    world.count()
    listens(world, room)
    room.status = 503
    world.act("galaxy-7", pauses.pause, "")
    waits = []
    for _ in range(8):
        assert post_news(world.desk) == 0
        (row,) = world.rows(Webhook)
        assert row.next_try_at
        waits.append(row.next_try_at - world.now)
        tried = len(room.said)
        world.now = row.next_try_at - timedelta(seconds=1)
        assert post_news(world.desk) == 0
        assert len(room.said) == tried, "before its time nothing is tried"
        world.now = row.next_try_at
    assert waits == [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 360, 1440, 1440, 1440)]
    room.status = 200
    world.act("galaxy-7", pauses.resume)
    room.came.clear()
    assert post_news(world.desk) == 1
    (told,) = texts(room)
    assert [line.partition(" – ")[0] for line in told.splitlines()] == [
        "galaxy-7: The game is paused",
        "galaxy-7: The game goes on",
    ]
    (row,) = world.rows(Webhook)
    assert (row.tries, row.next_try_at) == (0, None)


def test_how_far_it_came_survives_a_new_start(world: World, room: Chat) -> None:
    world.count()
    listens(world, room)
    world.act("galaxy-7", pauses.pause, "")
    post_news(world.desk)
    room.status = 500
    world.act("galaxy-7", pauses.resume)
    post_news(world.desk)
    room.status = 200
    room.came.clear()
    world.desk.engine.dispose()
    engine = open_engine(world.database or sqlite_url(world.folder / "ledger.sqlite"))
    with closing_engine(engine):
        fresh = replace(world.desk, engine=engine)
        assert post_news(fresh) == 0, "its time has not come"
        world.now += timedelta(minutes=1)
        assert post_news(fresh) == 1
        assert texts(room)[0].startswith("galaxy-7: The game goes on")
        assert "paused" not in texts(room)[0]
        assert post_news(fresh) == 0


@contextmanager
def closing_engine(engine: Engine) -> Iterator[None]:
    try:
        yield
    finally:
        engine.dispose()


def test_the_game_master_is_alarmed_after_some_tries_and_no_secret_is_told(
    world: World, room: Chat, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    world.count()
    listens(world, room)
    room.status = 404
    world.act("galaxy-7", pauses.pause, "")
    for tries in range(1, 5):
        post_news(world.desk)
        assert len(world.rows(Alarm)) == (tries >= 3)
        world.now += timedelta(days=1)
    alarms = world.rows(Alarm)
    assert [(alarm.kind, alarm.ended) for alarm in alarms] == [("webhook", None)]
    (mail,) = world.outbox("alarm")[-1:]
    assert b"galaxy-7: 127.0.0.1 says 404 Not Found" in mail.raw.replace(b"=\r\n", b"")
    everything = (
        caplog.text + "".join(capfd.readouterr()) + repr(world.log()) + repr(world.outbox()) + repr(world.rows(Webhook))
    )
    assert SECRET not in everything
    assert SECRET not in repr(world.desk)
    room.status = 200
    post_news(world.desk)
    assert world.rows(Alarm)[0].ended is not None


def test_the_alarm_lasts_as_long_as_the_news_of_any_game_cannot_be_posted(world: World, room: Chat) -> None:
    files = {}
    for game in ("galaxy-7", "galaxy-8"):
        world.count(game)
        files[game] = world.folder / f"{game}.webhook"
        files[game].write_text(f"http://127.0.0.1:{room.port}/{SECRET}\n")
    world.settle(webhook={"files": files, "seconds": 2})
    post_news(world.desk)
    room.status = 404
    for game in files:
        world.act(game, pauses.pause, "")
    for _ in range(3):
        post_news(world.desk)
        world.now += timedelta(days=1)
    files["galaxy-7"].write_text("gone")
    room.status = 200
    assert post_news(world.desk) == 1
    assert [alarm.ended for alarm in world.rows(Alarm)] == [None]
    files["galaxy-7"].write_text(files["galaxy-8"].read_text())
    world.now += timedelta(days=2)
    assert post_news(world.desk) == 1
    assert all(alarm.ended for alarm in world.rows(Alarm))


@pytest.mark.parametrize("content", ["", "http://10.0.0.1/s3cr3t", "https://exa mple/s3cr3t", None])
def test_an_address_that_cannot_be_used_is_a_failure_like_others(world: World, room: Chat, content: str | None) -> None:
    world.count()
    file = listens(world, room)
    file.write_text(content) if content is not None else file.unlink()
    world.act("galaxy-7", pauses.pause, "")
    assert post_news(world.desk) == 0
    assert world.rows(Webhook)[0].tries == 1
    (way,) = ways(world.desk)
    assert way.trouble
    assert "s3cr3t" not in way.trouble


def test_a_turn_does_not_wait_for_the_server(world: World, room: Chat) -> None:
    """Nothing that carries out turns, sends mail or writes pages knows of it: it is asked in a thread of its own alone."""
    world.count()
    listens(world, room)
    room.silent_seconds = 2
    assert world.pass_time(timedelta(days=3, minutes=1)) == 1
    assert room.said == []


def test_of_many_news_the_last_are_told(world: World) -> None:
    news = [News(number, BEGIN, f"Turn {number} is resolved", "x" * 90) for number in range(1, 101)]
    told = text_of("galaxy-7", news)
    assert len(told) <= 1900
    first, *others = told.splitlines()
    assert others[-1].startswith("galaxy-7: Turn 100 is resolved – xxx")
    assert first == f"galaxy-7: {100 - len(others)} earlier news are in its feed"
    assert len(text_of("galaxy-7", [News(1, BEGIN, "A", "x" * 5000)])) > 1900, "cut where it is posted"


class TestSecrecy:
    """Non-interference: two desks differ only in what one seat does in secret; the same is posted at the same time."""

    @pytest.fixture
    def two_desks(self, tmp_path: Path) -> Iterator[tuple[World, World]]:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        with (
            closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
            closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
        ):
            yield one, two

    def posted(self, world: World, room: Chat) -> list[tuple[str, bytes]]:
        """What has come since the last time: path and body."""
        post_news(world.desk)
        came = [(path, body) for path, _, body in room.came]
        room.came.clear()
        return came

    @pytest.mark.parametrize("orders", SAME_EFFECT)
    def test_of_orders_nothing_is_told_that_not_all_can_see(
        self, two_desks: tuple[World, World], room: Chat, orders: tuple[str, str]
    ) -> None:
        seen = []
        for world, altair in zip(two_desks, orders, strict=True):
            world.start()
            listens(world, room)
            world.send("Altair", altair)
            meanwhile = self.posted(world, room)
            world.now += timedelta(minutes=1)
            finish_the_turn(world)
            seen.append((meanwhile, self.posted(world, room)))
        assert seen[0] == seen[1]
        assert seen[0][0] == []
        assert b"Turn 1 is resolved" in seen[0][1][0][1]

    @pytest.mark.parametrize("who_has_sent", ["nothing", "count", "names"])
    def test_nor_who_has_sent(self, two_desks: tuple[World, World], room: Chat, who_has_sent: str) -> None:
        seen = []
        for world, sends in zip(two_desks, (True, False), strict=True):
            world.start(who_has_sent=who_has_sent, early=False, reminders=())
            listens(world, room)
            if sends:
                world.send("Altair", OOB)
                world.send("Borealis", "PRESS TO ALL\nMeet me at dawn\nEND PRESS")
            world.read_mailbox()
            seen.append(self.posted(world, room))
        assert seen == [[], []]

    def test_nor_that_a_move_waits(self, two_desks: tuple[World, World], room: Chat) -> None:
        seen = []
        for world, ahead in zip(two_desks, (True, False), strict=True):
            order = ("Borealis", "Cygnus", "Altair")
            past_turn_0(relay(world, *order), *order)
            listens(world, room)
            if ahead:
                world.send("Altair", "Add 7")
            world.read_mailbox()
            seen.append(self.posted(world, room))
        assert seen[0] == seen[1]


@pytest.mark.skipif(os.geteuid() != 0, reason="looks at rights that root sets")
def test_a_file_that_others_can_read_is_told(world: World, room: Chat) -> None:
    from pbmd.desk.upkeep.privacy import exposed

    world.count()
    file = listens(world, room)
    file.chmod(0o644)
    assert [each.what for each in exposed(world.desk.settings) if each.path == file] == ["the address of a webhook"]
    file.chmod(0o600)
    assert not [each for each in exposed(world.desk.settings) if each.path == file]

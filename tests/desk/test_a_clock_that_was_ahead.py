"""A clock that was a year ahead for a while and was put right: what happened by it was not lately, and nothing waits for that
year to pass."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.ingest import note_clock
from pbmd.desk.publish.webhooks import post_news
from pbmd.desk.upkeep.backups import back_up_if_due
from pbmd.desk.upkeep.daily_look import look_at_all
from pbmd.ledger.tables import Outbox, OutboxState
from tests.desk.world import ADDRESS, World
from tests.post.hooked import chat
from tests.postgresql import about_files

YEAR = timedelta(days=365)
TOO_MUCH = ("at most", "is enough", "too many absences", "there are 1 in an hour")


def _press(world: World, number: int) -> bool:
    return not _is_refused(world.send("Altair", f"PRESS TO Borealis\nhello {number}\nEND PRESS"))


def _request(world: World, number: int) -> bool:
    return not _is_refused(world.send("Altair", f"EXTEND {3 + number} days"))


def _question(world: World, number: int) -> bool:
    before = len(world.questions())
    world.send("Altair", f"Add {number}", to=ADDRESS)
    return len(world.questions()) > before


def _hint(world: World, number: int) -> bool:
    before = len(world.outbox("hint"))
    world.send("", f"hello {number}", sender="zoe@visitors.test", to=ADDRESS)
    return len(world.outbox("hint")) > before


def _is_refused(answer: str) -> bool:
    words = " ".join(answer.split())
    return any(each in words for each in TOO_MUCH)


LIMITED = {"press": _press, "requests": _request, "questions": _question, "hints": _hint}


@pytest.mark.parametrize("what", LIMITED)
def test_a_limit_does_not_count_what_happened_by_it(world: World, what: str) -> None:
    may: Callable[[World, int], bool] = LIMITED[what]
    world.count(deadline="900d", press=True)
    world.settle(limits={"press_per_hour": 2, "confirmations_per_day": 2}, mail={"hint_strangers": True})
    world.set_clock(YEAR)
    tried = [may(world, number) for number in range(5)]
    assert tried[0], "at first it may be done"
    assert not tried[-1], "and then it is too much"
    world.set_clock(-YEAR)
    assert may(world, 5)


@about_files
def test_a_backup_that_failed_by_it_is_tried_again(world: World) -> None:
    world.settle(backups={"keep": 2})
    (world.folder / "backups").write_text("in the way")
    for ahead in (YEAR, -YEAR):
        world.set_clock(ahead)
        back_up_if_due(world.desk)
    assert len(world.log("backup-failed")) == 2


def test_that_the_clock_of_the_mail_server_is_another_is_told_though_it_was_told_by_it(world: World) -> None:
    for ahead in (YEAR, -YEAR):
        world.set_clock(ahead)
        note_clock(world.desk, timedelta(hours=1))
    assert len(world.log("server-clock")) == 2


def test_news_that_were_put_off_by_it_are_posted(world: World, tmp_path: Path) -> None:
    world.count()
    file = tmp_path / "hook"
    with chat() as room:
        file.write_text(f"http://127.0.0.1:{room.port}/secret\n")
        world.settle(webhook={"files": {"galaxy-7": file}, "seconds": 2})
        post_news(world.desk)
        world.resign("Borealis")
        room.status = 503
        world.set_clock(YEAR)
        post_news(world.desk)
        world.set_clock(-YEAR)
        room.status = 200
        assert post_news(world.desk) == 1


def test_a_mail_that_waits_for_a_time_that_cannot_be_goes_out_after_the_daily_look(running: World) -> None:
    with running.work() as work:
        mail = work.session.get_one(Outbox, 1)
        mail.next_try_at = running.now + 1000 * YEAR
    look_at_all(running.desk)
    (mail,) = running.mails(Outbox.id == 1)
    assert (mail.state, mail.next_try_at) == (OutboxState.QUEUED, running.now)

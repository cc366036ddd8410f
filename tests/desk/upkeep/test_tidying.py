"""The ledger does not grow for ever: what nobody needs any more is taken out, and nothing else."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.pictures import Placed, pictures_of, with_pictures, without_pictures
from pbmd.desk.sending.batches import note_sent, take
from pbmd.desk.sending.rate import Pace
from pbmd.desk.upkeep import tidying
from pbmd.desk.upkeep.sizes import sizes
from pbmd.desk.upkeep.tidying import NoRoom, Tidied, tidy, write_anew
from pbmd.ledger.tables import Picture, PictureInMail
from pbmd.post.compose import base64_lines
from tests.archive.made import export, verified
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import NAMES, World, body_of
from tests.postgresql import about_files

DAYS_31 = timedelta(days=31)
A, B = b"a" * 3000, b"b" * 5001


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game with maps whose reports of a first move were sent; it goes on with the second."""
    with closing(past_turn_0(relay(World(tmp_path), map=True))) as world:
        world.send("Altair", "Add 7")
        send_all(world)
        yield world


def send_all(world: World) -> dict[int, bytes]:
    """Everything goes out; gives the bytes of each mail as they were handed over."""
    out: dict[int, bytes] = {}
    pace = Pace(10_000, 0)
    while parcels := take(world.desk, pace):
        out |= {parcel.id: parcel.raw for parcel in parcels}
        with Transaction(world.desk) as work:
            note_sent(work.session.connection(), [*out], work.now, world.desk.host)
    return out


def tidied(world: World) -> Tidied:
    return tidy(world.desk, rest=lambda _: None)


def kept(world: World, kind: str) -> list[bool]:
    """Of each mail of that kind, oldest first, whether its bytes are there."""
    return [bool(mail.raw) for mail in world.outbox(kind)]


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[World]:
    """A game in its second turn, which lasts long; all mails were sent."""
    with closing(World(tmp_path)) as world:
        world.count(deadline="90d")
        resolve(world)
        yield world


def resolve(world: World) -> None:
    for seat in NAMES:
        world.send(seat, "Add 1")
    world.now += timedelta(minutes=1)
    world.pass_time()
    send_all(world)


class TestMails:
    def test_are_kept_for_as_long_as_the_settings_say(self, counted):
        counted.now += timedelta(days=29)
        assert tidied(counted).mails == 0
        counted.now += timedelta(days=2)
        assert tidied(counted).mails > 0

    def test_of_the_open_step_are_kept_however_long_it_lasts(self, counted):
        counted.now += DAYS_31
        tidied(counted)
        assert kept(counted, "report") == [False] * 3 + [True] * 3

    def test_that_were_not_sent_are_kept(self, counted):
        with Transaction(counted.desk) as work:
            work.session.connection().exec_driver_sql("UPDATE outbox SET state = 'held', sent_at = NULL WHERE kind = 'report'")
        counted.now += DAYS_31
        assert tidied(counted).mails > 0
        assert all(kept(counted, "report"))

    def test_are_known_for_good(self, counted):
        before = [(mail.key, mail.recipient, mail.sent_at, mail.message_id) for mail in counted.outbox()]
        counted.now += DAYS_31
        tidied(counted)
        assert [(mail.key, mail.recipient, mail.sent_at, mail.message_id) for mail in counted.outbox()][:-1] == before[:-1]

    def test_can_still_be_answered(self, counted):
        first, *_, second = counted.outbox("report", "Cygnus")
        counted.now += DAYS_31
        tidied(counted)
        assert counted.outbox("report", "Cygnus")[0].raw == b""
        answers = [counted.reply(each, "Add 3\n\n> " + body_of(each).replace("\n", "\n> ")) for each in (first, second)]
        assert "came too late" in answers[0]
        assert json.loads(counted.submissions()[-1].orders) == ["Add 3"]


def test_an_archive_is_the_same_afterwards(counted, tmp_path):
    counted.now += DAYS_31
    one = export(counted, tmp_path / "one")
    assert tidied(counted).mails > 0
    other = export(counted, tmp_path / "other")
    files = {path.relative_to(one): path.read_bytes() for path in one.rglob("*") if path.is_file()}
    assert {path.relative_to(other): path.read_bytes() for path in other.rglob("*") if path.is_file()} == files
    assert verified(other).ok


class TestPictures:
    def test_that_several_mails_have_are_kept_once(self, world, monkeypatch):
        monkeypatch.setattr("pbmd.desk.mail.pictures.LEAST_BYTES", 1)
        world.send("Borealis", "Add 1")
        placed = world.rows(PictureInMail)
        assert len(placed) > len(world.rows(Picture)) > 0

    def test_go_out_in_the_mails_where_they_belong(self, tmp_path, monkeypatch):
        out: list[list[bytes]] = []
        for least in (1, 1_000_000):
            (tmp_path / str(least)).mkdir()
            monkeypatch.setattr("pbmd.desk.mail.pictures.LEAST_BYTES", least)
            with closing(past_turn_0(relay(World(tmp_path / str(least)), map=True))) as world:
                world.send("Altair", "Add 7")
                out.append([*send_all(world).values()])
                assert bool(world.rows(Picture)) == (least == 1)
        assert out[0] == out[1]
        assert any(b"image/png" in mail for mail in out[0])

    def test_that_no_mail_has_any_more_are_taken_out(self, world, monkeypatch):
        monkeypatch.setattr("pbmd.desk.mail.pictures.LEAST_BYTES", 1)
        for seat in ("Borealis", "Cygnus", "Altair"):
            world.send(seat, "Add 1")
            world.now += timedelta(minutes=1)
        send_all(world)
        world.now += DAYS_31
        before = len(world.rows(Picture))
        done = tidied(world)
        left = {row.digest for row in world.rows(PictureInMail)}
        assert 0 < done.pictures == before - len(world.rows(Picture))
        assert {row.digest for row in world.rows(Picture)} == left
        with Transaction(world.desk, reads=True) as work:
            newest = world.outbox("report")[-1]
            assert pictures_of(work.session.connection(), [newest.key])[newest.key]

    @pytest.mark.parametrize(
        "pictures", [[], [b"a" * 3000], [b"a" * 3000, b"b" * 5001], [b"b" * 5000, b"a" * 3000], [b"c" * 10]]
    )
    def test_taken_out_of_a_mail_and_put_back_leave_it_as_it_was(self, pictures):
        mail = b"Head\r\n\r\n" + b"".join(base64_lines(each) + b"\r\n--\r\n" for each in reversed(pictures)) + b"end"
        rest, places = without_pictures(mail, pictures)
        assert with_pictures(rest, places) == mail
        assert sorted(place.data for place in places) == sorted(each for each in pictures if len(each) > 2000)
        assert len(rest) == len(mail) - sum(len(base64_lines(place.data)) for place in places)

    def test_a_mail_without_any_is_left_alone(self):
        assert without_pictures(b"mail", []) == (b"mail", [])
        assert with_pictures(b"mail", ()) == b"mail"
        assert with_pictures(b"ab", [Placed(1, b"")]) == b"ab"


@about_files
class TestRoom:
    def test_is_given_back_to_the_disk(self, world):
        ledger = world.folder / "ledger.sqlite"
        world.send("Borealis", "Add 1")
        with Transaction(world.desk) as work:
            work.session.connection().exec_driver_sql("UPDATE outbox SET raw = randomblob(200000) WHERE kind = 'report'")
        send_all(world)
        for seat in ("Cygnus", "Altair"):
            world.send(seat, "Add 1")
            world.now += timedelta(minutes=1)
        send_all(world)
        before = self.size(ledger)
        world.now += DAYS_31
        done = tidied(world)
        assert done.given_back > 400_000
        assert self.size(ledger) <= before - done.given_back + 20_000
        assert sizes(world.desk).free < 10_000

    def test_is_kept_by_a_ledger_of_former_times_until_it_is_written_anew(self, world):
        ledger = self.of_former_times(world)
        before = ledger.stat().st_size
        tidied(world)
        assert (self.gives_back(ledger), ledger.stat().st_size >= before) == (False, True)
        with Transaction(world.desk) as work:
            work.session.connection().exec_driver_sql("UPDATE outbox SET raw = randomblob(200000) WHERE kind = 'report'")
        with Transaction(world.desk) as work:
            work.session.connection().exec_driver_sql("UPDATE outbox SET raw = x'' WHERE kind = 'report'")
        before = self.size(ledger)
        assert write_anew(world.desk) == before - self.size(ledger) > 400_000
        assert self.gives_back(ledger)
        assert write_anew(world.desk) == 0

    def test_must_be_there_for_a_ledger_to_be_written_anew(self, world, monkeypatch):
        ledger = self.of_former_times(world)
        before = ledger.read_bytes()
        size = ledger.stat().st_size
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size - 1))
        with pytest.raises(NoRoom, match="make room there and give the command again"):
            write_anew(world.desk)
        assert ledger.read_bytes() == before
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size))
        write_anew(world.desk)
        assert self.gives_back(ledger)

    def of_former_times(self, world: World) -> Path:
        """The ledger, as pbmd has made it when none gave room back."""
        ledger = world.folder / "ledger.sqlite"
        with closing(sqlite3.connect(ledger, isolation_level=None)) as connection:
            connection.execute("PRAGMA auto_vacuum = NONE")
            connection.execute("VACUUM")
        self.size(ledger)
        return ledger

    @staticmethod
    def gives_back(ledger: Path) -> bool:
        with closing(sqlite3.connect(ledger)) as connection:
            return connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)

    @staticmethod
    def size(ledger: Path) -> int:
        """With all that is in its log by now."""
        with closing(sqlite3.connect(ledger)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return ledger.stat().st_size


def test_it_ends_when_pbmd_does_and_goes_on_another_time(counted, monkeypatch):
    monkeypatch.setattr(tidying, "_OLD_MAILS", tidying._OLD_MAILS.limit(1))
    counted.now += DAYS_31
    assert tidy(counted.desk, rest=lambda _: True).mails == 1
    assert tidied(counted).mails > 1
    assert tidied(counted) == Tidied()

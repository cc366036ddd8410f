"""The archive of a game that is over, among the pages of a seat: what ARCHIVE brings where seats have pages."""

import io
import re
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch

import pytest

from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.plan import NothingToExport
from pbmd.desk.changes.gm import abandon
from pbmd.pages import server as server_module
from pbmd.pages.public_server import ARCHIVES_OF_SEAT
from pbmd.pages.seat_archives import KEPT_SECONDS, MOST_BYTES, MOST_KEPT, SeatArchives
from pbmd.post.tags import SeatNumber
from tests.archive.made import verified
from tests.desk.publish.test_archives import GAME, asked, files, over
from tests.desk.test_secrecy import ideal_seal
from tests.desk.world import World, body_of
from tests.pages.seats import HOME, path_of, served, site_of, with_pages

SEAT, OTHER = SeatNumber(1, 1), SeatNumber(1, 2)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield with_pages(world)


def test_a_player_gets_a_link_and_behind_it_what_their_seat_may_know(world: World, tmp_path: Path) -> None:
    [mail] = asked(over(world))
    assert files([mail]) == []
    [link] = re.findall(rf"^  {re.escape(HOME)}(\S+)$", body_of(mail), re.MULTILINE)
    with served(site_of(world)) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", link, headers={"Host": "games.example.org"})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "application/zip")
    assert answer.getheader("Content-Disposition") == f'attachment; filename="{GAME}.zip"'
    assert "no-store" in str(answer.getheader("Cache-Control"))
    (tmp_path / "found.zip").write_bytes(data)
    with unpacked(tmp_path / "found.zip") as archive:
        assert 'view = "seat:Altair"' in (archive / "data" / "game.toml").read_text()
        assert verified(archive).problems == []
    assert [line.detail for line in world.log("archive")] == ["a link"]


def test_the_first_page_has_the_link_when_the_game_is_over(world: World) -> None:
    world.count()
    world.act(GAME, abandon, "nobody has time any more")
    assert b'href="archive.zip"' in site_of(world).seat_page(path_of(world), "-").body


def test_also_when_somebody_has_won(world: World) -> None:
    over(world)
    assert b'href="archive.zip"' in site_of(world).seat_page(path_of(world), "-").body


def test_before_that_there_is_none(world: World) -> None:
    world.count()
    site, path = site_of(world), path_of(world)
    assert b"archive.zip" not in site.seat_page(path, "-").body
    assert site.seat_page(f"{path}archive.zip", "-").status == 404
    assert "has no archive yet" in " ".join(world.send("Altair", "ARCHIVE").split())


def test_it_is_behind_the_token_of_the_seat_like_all_its_pages(world: World) -> None:
    path = path_of(over(world))
    wrong = path[:-2] + ("b" if path[-2] != "b" else "c") + "/"
    assert site_of(world).seat_page(f"{wrong}archive.zip", "-").status == 404
    assert site_of(world).seat_page(f"{path}archive.zip", "-", b"orders=").status == 404


def test_where_none_is_mailed_there_is_none_on_the_pages(world: World) -> None:
    over(world, archive_kilobytes=0)
    assert "not sent by mail" in " ".join(world.send("Altair", "ARCHIVE").split())
    assert site_of(world).seat_page(f"{path_of(world)}archive.zip", "-").status == 404


def test_a_large_one_arrives_on_a_slow_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_of(over(world))
    site.archives.make = lambda _of: bytes(20_000_000)
    with served(site) as port, closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", f"{path_of(world)}archive.zip", headers={"Host": "games.example.org"})
        answer = connection.getresponse()
        monkeypatch.setattr(server_module, "ANSWER_SECONDS", 0.0)
        time.sleep(1.0)
        assert len(answer.read()) == 20_000_000


def test_who_asks_without_end_must_wait(world: World) -> None:
    site, path = site_of(over(world)), path_of(world)
    found = [site.seat_page(f"{path}archive.zip", "-").status for _ in range(ARCHIVES_OF_SEAT + 1)]
    assert found == [200] * ARCHIVES_OF_SEAT + [429]


def test_who_only_watched_has_no_pages_and_gets_it_by_mail(world: World) -> None:
    assert [name for name, _ in files(asked(over(world), "Deneb", f"ARCHIVE {GAME}"))] == [f"{GAME}.zip"]


def test_one_that_cannot_be_made_is_told_to_the_game_master_too_and_made_when_it_can(world: World) -> None:
    over(world)
    site, path = site_of(world), path_of(world)
    with patch("pbmd.archive.format.plan.plan_export", side_effect=NothingToExport("x")):
        assert [site.seat_page(f"{path}archive.zip", "-").status for _ in range(2)] == [503, 503]
    [alarm] = world.outbox("alarm")
    assert " ".join(body_of(alarm).split()).startswith(f"An archive could not be made: {GAME}: ")
    assert site.seat_page(f"{path}archive.zip", "-").status == 200


def test_while_one_is_made_the_other_pages_are_shown_and_who_waits_too_long_is_told_to_come_back(world: World) -> None:
    over(world)
    site, path = site_of(world), path_of(world)
    go_on = threading.Event()
    whole = site.source.archive
    site.archives.make = lambda of: whole(of) if go_on.wait(60) else b""
    with patch("pbmd.pages.seat_archives.SeatArchives.of", lambda self, of: _OF(self, of, 0.01)):
        answer = site.seat_page(f"{path}archive.zip", "-")
        assert (answer.status, answer.wait > 0) == (503, True)
        assert b"being made" in answer.body
        assert site.seat_page(path, "-").status == 200
    go_on.set()
    assert site.seat_page(f"{path}archive.zip", "-").status == 200


_OF = SeatArchives.of


def test_two_games_that_differ_in_what_others_wrote_to_each_other_have_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pbmd.archive.write.journal_file", "pbmd.archive.format.entries"):
        monkeypatch.setattr(f"{module}.seal", ideal_seal)
    found: list[list[bytes]] = []
    for name, secret in (("one", "attack at dawn"), ("two", "go home at six")):
        (tmp_path / name).mkdir()
        with closing(World(tmp_path / name, sealing=ideal_seal)) as world:
            with_pages(world).count(target=5)
            world.send("Altair", f"PRESS TO Cygnus\n{secret}\nEND PRESS")
            for seat in ("Borealis", "Cygnus", "Altair"):
                world.send(seat, "Add 9" if seat == "Altair" else "Add 1")
            world.pass_time(timedelta(days=4))
            site = site_of(world)
            seats = ("Borealis", "Cygnus")
            found.append([site.seat_page(f"{path_of(world, seat)}archive.zip", "-").body for seat in seats])
    one, two = found
    assert contents(one[0]) == contents(two[0])
    assert contents(one[1]) != contents(two[1]), "to whom it was written it differs"


def test_a_mail_with_the_link_does_not_tell_whether_others_have_asked(tmp_path: Path) -> None:
    mails: list[list[bytes]] = []
    for name, asks in (("one", True), ("two", False)):
        (tmp_path / name).mkdir()
        with closing(World(tmp_path / name, sealing=ideal_seal)) as world:
            over(with_pages(world))
            if asks:
                asked(world, "Altair")
            mails.append([mail.raw for mail in asked(world, "Borealis")])
    assert mails[0] == mails[1] != []


def contents(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return {name: file.read(name) for name in file.namelist()}


class TestKept:
    def test_it_is_made_once_for_some_minutes(self) -> None:
        made: list[SeatNumber] = []
        now = [0.0]
        archives = SeatArchives(lambda of: bytes([len(made.append(of) or made)]), lambda: now[0])
        assert [archives.of(SEAT), archives.of(SEAT), archives.of(OTHER)] == [b"\1", b"\1", b"\2"]
        now[0] = KEPT_SECONDS + 1
        assert archives.of(SEAT) == b"\3"

    def test_the_oldest_makes_room(self) -> None:
        made: list[SeatNumber] = []
        archives = SeatArchives(lambda of: bytes([len(made.append(of) or made)]), lambda: 0.0)
        for number in range(MOST_KEPT + 1):
            assert archives.of(SeatNumber(1, number)) is not None
        assert archives.of(SeatNumber(1, MOST_KEPT)) == bytes([MOST_KEPT + 1])
        assert archives.of(SeatNumber(1, 1)) == b"\2", "one that is kept is not made again"
        assert archives.of(SeatNumber(1, 0)) == bytes([MOST_KEPT + 2])

    def test_large_ones_make_room_too(self) -> None:
        made: list[SeatNumber] = []
        archives = SeatArchives(lambda of: bytes(MOST_BYTES // 3 * bool(made.append(of) or made)), lambda: 0.0)
        for number in (1, 2, 3, 4, 5, 5, 4, 3, 2):
            assert archives.of(SeatNumber(1, number))
        assert [of.seat for of in made] == [1, 2, 3, 4, 5]
        assert archives.of(SeatNumber(1, 1))
        assert len(made) == 6, "it had made room"

    def test_one_that_takes_long_is_kept_from_when_it_was_made(self) -> None:
        made: list[SeatNumber] = []
        now = [0.0]

        def make(of: SeatNumber) -> bytes:
            made.append(of)
            now[0] += 2 * KEPT_SECONDS
            return b"there"

        archives = SeatArchives(make, lambda: now[0])
        assert [archives.of(SEAT), archives.of(SEAT)] == [b"there"] * 2
        assert made == [SEAT]

    def test_a_failure_is_raised_and_not_kept(self) -> None:
        results: list[bytes | Exception] = [TimeoutError("a defect"), b"there"]

        def make(_of: SeatNumber) -> bytes:
            result = results.pop(0)
            if isinstance(result, Exception):
                raise result
            return result

        archives = SeatArchives(make, lambda: 0.0)
        with pytest.raises(TimeoutError, match="a defect"):
            archives.of(SEAT)
        assert archives.of(SEAT) == b"there"

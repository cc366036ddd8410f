"""ARCHIVE: players and observers of a game that is over get its archive by mail, as their view allows."""

import email
import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.plan import NothingToExport
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft
from pbmd.desk.publish import archives
from pbmd.desk.publish.archives import send_archives
from pbmd.ledger.tables import ArchiveRequest, Outbox, Seat
from tests.archive.made import export, verified
from tests.desk.visitors.test_serve import confirmed
from tests.desk.world import ADDRESS, NAMES, World, body_of

GAME = "galaxy-7"
DAY = timedelta(days=1)


def over(world: World, **terms: object) -> World:
    """A game that Altair has won in its first turn, and Deneb has watched."""
    world.count(target=5, listed=True, **terms)
    confirmed(world, "Deneb", f"WATCH {GAME}")
    for seat in ("Borealis", "Cygnus", "Altair"):
        world.send(seat, "Add 9" if seat == "Altair" else "Add 1")
    world.pass_time(timedelta(days=4))
    assert world.game().status == "finished"
    return world


def files(mails: list[Outbox]) -> list[tuple[str, bytes]]:
    """What is attached to these mails, one behind the other."""
    parts = (part for mail in mails for part in email.message_from_bytes(mail.raw).walk())
    return [(name, bytes(part.get_payload(decode=True))) for part in parts if (name := part.get_filename())]  # pyright: ignore[reportArgumentType]


def asked(world: World, who: str = "Altair", text: str = "ARCHIVE") -> list[Outbox]:
    """The mails that come of it besides the answer."""
    before = len(world.outbox("", who))
    world.send(who, text) if who != "Deneb" else world.send(who, text, to=ADDRESS)
    send_archives(world.desk)
    return world.outbox("", who)[before + 1 :]


def test_a_player_gets_what_their_seat_may_know_and_it_verifies(world: World, tmp_path: Path) -> None:
    [mail] = asked(over(world))
    [(name, data)] = files([mail])
    assert name == f"{GAME}.zip"
    (tmp_path / name).write_bytes(data)
    with unpacked(tmp_path / name) as archive:
        assert 'view = "seat:Altair"' in (archive / "data" / "game.toml").read_text()
        findings = verified(archive)
    assert (findings.problems, bool(findings.signed)) == ([], True)
    assert "index.html" in body_of(mail)


def test_who_has_watched_gets_what_everybody_may_know(world: World) -> None:
    [mail] = asked(over(world), "Deneb", f"ARCHIVE {GAME}")
    with zipfile.ZipFile(BytesIO(files([mail])[0][1])) as packed:
        assert b'view = "public"' in packed.read(f"{GAME}/data/game.toml")


@pytest.mark.parametrize(
    ("who", "text", "audience"), [("Altair", "ARCHIVE", Audience("seat", "Altair")), ("Deneb", f"ARCHIVE {GAME}", TO_PUBLIC)]
)
def test_it_is_to_the_byte_what_an_export_for_that_reader_has(
    world: World, tmp_path: Path, who: str, text: str, audience: Audience
) -> None:
    """Of whose secrecy there are tests of their own."""
    [mail] = asked(over(world), who, text)
    exported = export(world, tmp_path / GAME, audience=audience, signed=True)
    with zipfile.ZipFile(BytesIO(files([mail])[0][1])) as packed:
        mailed = {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}
    there = {path.relative_to(exported).as_posix(): path.read_bytes() for path in exported.rglob("*") if path.is_file()}
    assert mailed.keys() == there.keys()
    assert {name for name in there if mailed[name] != there[name]} <= {"data/game.sqlite"}


def test_a_large_one_comes_in_parts_that_make_it_up(world: World) -> None:
    mails = asked(over(world, archive_kilobytes=100))
    parts = files(mails)
    assert [name for name, _ in parts] == [f"{GAME}.zip.{place:03}" for place in range(1, len(parts) + 1)]
    assert len(parts) > 1
    assert all(len(data) <= 100_000 for _, data in parts)
    with zipfile.ZipFile(BytesIO(b"".join(data for _, data in parts))) as packed:
        assert packed.testzip() is None
    assert f"part 1 of {len(parts)}" in " ".join(body_of(mails[0]).split())


def test_one_that_is_too_large_even_for_parts_is_told(world: World) -> None:
    [mail] = asked(over(world, archive_kilobytes=1))
    assert "does not come: it is too large for mails" in " ".join(body_of(mail).split())
    assert files([mail]) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ARCHIVE", "has no archive yet"),
        (f"ARCHIVE {GAME}", "has no archive yet"),
        ("ARCHIVE other-1", "of another game reply"),
    ],
)
def test_of_a_running_game_or_another_one_there_is_none(world: World, text: str, said: str) -> None:
    world.count(listed=True)
    assert said in " ".join(world.send("Altair", text).split())
    assert world.rows(ArchiveRequest) == []


def test_where_the_terms_say_so_none_is_mailed(world: World) -> None:
    assert "not sent by mail" in " ".join(over(world, archive_kilobytes=0).send("Altair", "ARCHIVE").split())


@pytest.mark.parametrize("name", [GAME, "nebula-1"])
def test_who_has_not_watched_cannot_tell_whether_there_is_such_a_game(world: World, name: str) -> None:
    over(world)
    told = " ".join(world.send("", f"ARCHIVE {name}", sender="zoe@visitors.test", to=ADDRESS).split())
    assert "You watch no game of that name." in told
    assert send_archives(world.desk) == 0


def test_each_reader_gets_it_once_a_day(world: World) -> None:
    assert len(asked(over(world))) == 1
    assert "has just been sent to you" in " ".join(world.send("Altair", "ARCHIVE").split())
    assert send_archives(world.desk) == 0
    assert len(asked(world, "Borealis")) == 1
    world.now += DAY
    assert len(asked(world)) == 1


def test_one_that_cannot_be_made_is_told_and_holds_up_no_other(world: World) -> None:
    over(world)
    world.send("Altair", "ARCHIVE")
    world.send("Borealis", "ARCHIVE")
    with patch("pbmd.archive.format.plan.plan_export", side_effect=[NothingToExport("x"), NothingToExport("x")]):
        assert send_archives(world.desk) == 0
    for seat in ("Altair", "Borealis"):
        assert "does not come: it could not be made" in " ".join(body_of(world.outbox("", seat)[-1]).split())
    assert send_archives(world.desk) == 0, "it is not tried without end"


def asked_by_all(world: World) -> World:
    over(world)
    for seat in NAMES:
        world.send(seat, "ARCHIVE")
    return world


def has_one(world: World, seat: str) -> bool:
    return any(name.endswith(".zip") for name, _ in files(world.outbox("", seat)[-1:]))


@pytest.mark.parametrize("what", ["_reader", "_packed"])
def test_whatever_is_wrong_with_one_request_holds_up_no_other_and_its_writer_is_told(world: World, what: str) -> None:
    asked_by_all(world)
    whole = getattr(archives, what)
    broken = iter([True])

    def fails_once(*args: object) -> object:
        if next(broken, False):
            raise ZeroDivisionError
        return whole(*args)

    with patch(f"pbmd.desk.publish.archives.{what}", fails_once), patch("pbmd.desk.unreadable.looks.look", return_value=[]):
        assert send_archives(world.desk) == len(NAMES) - 1
    assert [has_one(world, seat) for seat in NAMES] == [False, *[True] * (len(NAMES) - 1)]
    assert "does not come: it could not be made" in " ".join(body_of(world.outbox("", NAMES[0])[-1]).split())
    [alarm] = world.outbox("alarm")
    assert " ".join(body_of(alarm).split()).startswith(f"An archive could not be made: {GAME}: ")
    assert send_archives(world.desk) == 0, "it is not tried without end"


def test_of_one_whose_writer_cannot_be_told_the_game_master_is(world: World) -> None:
    asked_by_all(world)
    whole = archives.mail_to_seat

    def fails_for_altair(work: Transaction, table: OpenGame, seat: Seat, draft: Draft) -> object:
        if seat.name == "Altair":
            raise ZeroDivisionError
        return whole(work, table, seat, draft)

    with patch("pbmd.desk.publish.archives.mail_to_seat", fails_for_altair):
        assert send_archives(world.desk) == len(NAMES) - 1
    assert [has_one(world, seat) for seat in NAMES] == [seat != "Altair" for seat in NAMES]
    alarm = " ".join(body_of(world.outbox("alarm")[-1]).split())
    assert alarm.startswith("An archive could not be made: request 1: ")
    assert "ZeroDivisionError" in alarm
    assert send_archives(world.desk) == 0
    assert [row.sent_at is None for row in world.rows(ArchiveRequest)] == [False] * len(NAMES)


def test_requests_that_fail_are_not_in_the_way_of_those_behind_them(world: World) -> None:
    """Only so many are looked at in one go."""
    asked_by_all(world)
    with patch("pbmd.desk.publish.archives.AT_ONCE", 1), patch("pbmd.desk.publish.archives.mail_to_seat") as mails:
        mails.side_effect = ZeroDivisionError
        for _ in NAMES:
            assert send_archives(world.desk) == 0
    assert [row.sent_at is None for row in world.rows(ArchiveRequest)] == [False] * len(NAMES)


def test_who_has_given_the_seat_up_meanwhile_gets_none(world: World) -> None:
    over(world)
    world.send("Altair", "ARCHIVE")
    before = len(world.outbox("", "Altair"))
    with patch("pbmd.desk.publish.archives._reader", side_effect=[None, None]):
        assert send_archives(world.desk) == 0
    assert len(world.outbox("", "Altair")) == before

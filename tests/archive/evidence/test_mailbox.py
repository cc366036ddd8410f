"""Mailboxes as people have them: joined files, zip files, Outlook's .msg."""

import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mailbox import NO_MAIL, _Room, mails_in  # pyright: ignore[reportPrivateUsage]
from pbmd.archive.evidence.outlook_mail import NO_LIBRARY
from pbmd.archive.evidence.witness import judge
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.ledger.tables import Outbox
from tests.archive.evidence.stored import READ_BY_COMMANDS
from tests.archive.evidence.test_joined_mails import mail, parts
from tests.archive.made import export
from tests.desk.world import World, opened

OUTLOOK = Path(__file__).parent / "report.msg"


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with closing(World(tmp_path_factory.mktemp("world"))) as world:
        yield world


@pytest.fixture
def reports(world: World) -> list[Outbox]:
    world.start(ruleset="count", reminders=())
    return [*world.outbox("report", "Altair"), *world.outbox("report", "Borealis")]


@pytest.mark.parametrize("name", ["all.mbox", "all.txt", "ALL.MBOX"])
def test_files_that_were_joined_are_mails_again(reports: list[Outbox], tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"".join(each.raw for each in reports))
    found = [*mails_in(tmp_path / name)]
    assert [each.where for each in found] == [f"{tmp_path / name}, mail {place}" for place in (1, 2)]
    assert [claims_of_mail(each.raw) for each in found] == [claims_of_mail(each.raw) for each in reports]


def test_one_mail_in_such_a_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "one.mbox").write_bytes(mail(1))
    assert [(each.where, each.raw) for each in mails_in(tmp_path / "one.mbox")] == [(str(tmp_path / "one.mbox"), mail(1))]


def test_a_zip_is_a_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as packed:
        packed.writestr("Inbox/1.eml", mail(1))
        packed.writestr("all.mbox", mail(2) + mail(3))
        packed.writestr("notes.doc", b"\x00\x01")
    found = {
        each.where.removeprefix(f"{tmp_path / 'export.zip'}/"): (each.raw, each.problem)
        for each in mails_in(tmp_path / "export.zip")
    }
    assert found.pop("notes.doc")[1] != ""
    assert found == {"Inbox/1.eml": (mail(1), ""), "all.mbox, mail 1": (mail(2), ""), "all.mbox, mail 2": (mail(3), "")}


@pytest.mark.parametrize("name", ["../out.eml", "/out.eml", "..\\out.eml", "x" * 250, "軍" * 100 + ".eml"])
def test_no_name_in_a_zip_leads_elsewhere(tmp_path: Path, name: str) -> None:
    (inner := tmp_path / "inner").mkdir()
    with zipfile.ZipFile(inner / "export.zip", "w") as packed:
        packed.writestr(name, mail(1))
    assert [each.raw for each in mails_in(inner / "export.zip")] == [mail(1)]
    assert [path.name for path in tmp_path.rglob("*")] == ["inner", "export.zip"]


def test_one_broken_file_in_a_zip_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    names = ("encrypted.eml", "damaged.eml", "last.eml")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        for place, name in enumerate(names):
            packed.writestr(name, mail(place))
        at = {item.filename: item.header_offset for item in packed.infolist()}
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    raw[at["encrypted.eml"] + 6] |= 1
    raw[raw.index(b"encrypted.eml", at["last.eml"]) - 46 + 8] |= 1
    raw[at["damaged.eml"] + 30 + len("damaged.eml") + 5] ^= 1
    (tmp_path / "a.zip").write_bytes(raw)
    *broken, last = mails_in(tmp_path / "a.zip")
    assert [Path(each.where).name for each in broken] == [*names[:2]]
    assert all(each.problem.startswith("it cannot be unpacked: ") for each in broken)
    assert (Path(last.where).name, last.raw, last.problem) == ("last.eml", mail(2), "")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("1.eml", "1.eml"), ("1", "1/1.eml"), ("1/1.eml", "1")])
def test_files_of_one_name_are_all_read(tmp_path: Path, names: tuple[str, str]) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        for place, name in enumerate(names):
            packed.writestr(name, mail(place))
    assert {each.raw for each in mails_in(tmp_path / "a.zip")} == {mail(0), mail(1)}


def test_a_zip_in_a_zip_is_opened_and_one_in_many_is_named(tmp_path: Path) -> None:
    (tmp_path / "0.eml").write_bytes(mail(1))
    inner = tmp_path / "0.eml"
    for depth in range(4):
        with zipfile.ZipFile(tmp_path / f"{depth}.zip", "w") as packed:
            packed.write(inner, inner.name)
        inner = tmp_path / f"{depth}.zip"
    assert [each.raw for each in mails_in(tmp_path / "2.zip")] == [mail(1)]
    [found] = mails_in(tmp_path / "3.zip")
    assert found.problem == "it is a zip within 3 others"


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 and no more", b"no zip"])
def test_a_zip_that_is_none_is_named(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(raw)
    [found] = mails_in(tmp_path / "a.zip")
    assert found.problem.startswith("it cannot be unpacked")


def test_a_zip_that_holds_more_than_anybody_has_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("1.eml", mail(1))
    with patch("pbmd.archive.evidence.mailbox._Room", partial(_Room, size=10)):
        [found] = mails_in(tmp_path / "a.zip")
    assert "more than" in found.problem


def test_zips_in_a_zip_hold_no_more_than_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as outer:
        for place in range(5):
            with zipfile.ZipFile(inner := BytesIO(), "w", zipfile.ZIP_DEFLATED) as packed:
                packed.writestr(f"{place}.eml", mail(place) + b"x" * 10_000)
            outer.writestr(f"{place}.zip", inner.getvalue())
    with patch("pbmd.archive.evidence.mailbox._Room", partial(_Room, size=25_000)):
        found = [*mails_in(tmp_path / "a.zip")]
    assert [Path(each.where).name for each in found if not each.problem] == ["0.eml", "1.eml"]
    assert [Path(each.where).name for each in found if "more than 2 GB" in each.problem] == ["2.zip", "3.zip", "4.zip"]


def with_attached(name: str, raw: bytes) -> bytes:
    """A mail that somebody sent to forward a file."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "borealis@example.org", "altair@example.org", "my mails"
    message.set_content("Here they are.")
    message.add_attachment(raw, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def zipped(**files: bytes) -> bytes:
    with zipfile.ZipFile(held := BytesIO(), "w") as packed:
        for name, raw in files.items():
            packed.writestr(name, raw)
    return held.getvalue()


FORWARDED = with_attached("all.mbox", mail(1))
ZIP = zipped(**{"1.eml": mail(1), "all.mbox": mail(2) + mail(3), "notes.doc": b"\x00\x01"})
ATTACHED = {
    "all.zip": (ZIP, [mail(1), mail(2), mail(3)]),
    "": (ZIP, [mail(1), mail(2), mail(3)]),
    "../all.zip": (ZIP, [mail(1), mail(2), mail(3)]),
    "all.mbox": (mail(1) + mail(2), [mail(1), mail(2)]),
    "outer.zip": (zipped(**{"mail.eml": FORWARDED}), [FORWARDED, mail(1)]),
}


@pytest.mark.parametrize("name", ATTACHED)
def test_a_mailbox_that_is_attached_to_a_mail_is_opened(tmp_path: Path, name: str) -> None:
    raw, mails = ATTACHED[name]
    (tmp_path / "forwarded.eml").write_bytes(with_attached(name, raw))
    first, *found = mails_in(tmp_path / "forwarded.eml")
    assert (first.is_attached, [each.raw for each in found]) == (False, mails)
    assert all(each.is_attached and each.where.startswith(f"{tmp_path / 'forwarded.eml'}, attached/") for each in found)


def test_a_packed_file_that_is_attached_and_cannot_be_read_is_no_mail(tmp_path: Path) -> None:
    (tmp_path / "forwarded.eml").write_bytes(with_attached("holiday.zip", b"PK\x03\x04 and no more"))
    assert [each.problem for each in mails_in(tmp_path / "forwarded.eml")] == ["", NO_MAIL]


def deflated(**files: bytes) -> bytes:
    with zipfile.ZipFile(held := BytesIO(), "w", zipfile.ZIP_DEFLATED) as packed:
        for name, raw in files.items():
            packed.writestr(name, raw)
    return held.getvalue()


def test_out_of_what_anybody_may_have_attached_comes_no_more_than_mails_can_be_packed_to(tmp_path: Path) -> None:
    bomb = deflated(**{f"{place}.eml": mail(place) + b"x" * 20_000_000 for place in range(5)})
    honest = deflated(**{"1.eml": mail(1) + b"Turn 1, and so on.\n" * 10_000})
    assert len(bomb) < 200_000
    (tmp_path / "1.eml").write_bytes(with_attached("holiday.zip", bomb))
    (tmp_path / "2.eml").write_bytes(with_attached("mails.zip", honest))
    *found, last = mails_in(tmp_path)
    assert [each.problem for each in found] == ["", NO_MAIL, ""]
    assert (last.is_attached, last.raw.startswith(mail(1))) == (True, True)
    with patch("pbmd.archive.evidence.mailbox._Room", partial(_Room, size=150_000)):
        assert [each.problem for each in mails_in(tmp_path / "2.eml")] == ["", NO_MAIL]


def test_an_archive_that_a_game_has_sent_is_no_mailbox(reports: list[Outbox], tmp_path: Path) -> None:
    report = message_from_bytes(opened(reports[0].raw), policy=default)
    report.add_attachment(ZIP, maintype="application", subtype="zip", filename="galaxy-7.zip")
    (tmp_path / "archive.eml").write_bytes(report.as_bytes())
    assert [each.is_attached for each in mails_in(tmp_path / "archive.eml")] == [False]


def test_what_somebody_has_passed_on_of_another_seat_is_not_all_of_it(world: World, tmp_path: Path) -> None:
    world.start(ruleset="count", reminders=())
    report, other = (opened(world.outbox("report", seat)[0].raw) for seat in ("Altair", "Borealis"))
    world.send("Borealis", "Add 1")
    answer = opened(world.outbox("acknowledgement", "Borealis")[0].raw)
    world.pass_time(timedelta(days=20))
    own = [opened(mail.raw) for mail in world.outbox(seat="Altair")]
    books = books_of_archive(export(world, tmp_path / "archive") / "data")
    (tmp_path / "forwarded.eml").write_bytes(with_attached("all.zip", zipped(**{"1.eml": other, "2.eml": answer})))
    (tmp_path / "all.mbox").write_bytes(b"".join(own))
    kept = [*mails_in(tmp_path / "forwarded.eml"), *mails_in(tmp_path / "all.mbox")]
    found = judge([(each, claims_of_mail(each.raw)) for each in kept], books)
    assert {other, answer, report} <= {each.raw for each in kept}
    assert [each for each in found.absent if "Borealis" in each] == []


def test_a_mail_that_outlook_has_saved_is_read() -> None:
    pytest.importorskip("oxmsg")
    [found] = mails_in(OUTLOOK)
    claims = claims_of_mail(found.raw)
    assert claims.own is not None
    assert (claims.own.kind, claims.games) == ("report", {"galaxy-7"})
    assert claims.checkpoints, "with the file beside it"


def test_without_the_library_it_says_what_to_do() -> None:
    with patch.dict(sys.modules, {"oxmsg": None}):
        [found] = mails_in(OUTLOOK)
    assert found.problem == NO_LIBRARY


@pytest.mark.parametrize("raw", [b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, b"no mail"])
def test_what_is_none_of_outlook_is_named(tmp_path: Path, raw: bytes) -> None:
    pytest.importorskip("oxmsg")
    (tmp_path / "a.msg").write_bytes(raw)
    [found] = mails_in(tmp_path / "a.msg")
    assert found.problem.startswith("it cannot be read as a mail of Outlook")


@pytest.mark.parametrize("above", ["\ufeff", "\n\n", "{length}\n"])
def test_what_programs_write_above_a_mail_is_no_part_of_it(reports: list[Outbox], tmp_path: Path, above: str) -> None:
    raw, below = reports[0].raw, b"<?xml?>\n" if "{" in above else b""
    (tmp_path / "1.eml").write_bytes(above.format(length=len(raw)).encode() + raw + below)
    assert [(mail.raw, mail.problem) for mail in mails_in(tmp_path)] == [(raw, "")]


@pytest.mark.parametrize("how", READ_BY_COMMANDS)
def test_mails_are_read_as_people_keep_them(reports: list[Outbox], tmp_path: Path, how: str) -> None:
    READ_BY_COMMANDS[how](tmp_path, [each.raw for each in reports])
    found = [claims_of_mail(each.raw) for each in mails_in(tmp_path) if each.raw and not each.problem]
    heads = {
        tuple(note.checkpoint for note in each.checkpoints) for each in map(claims_of_mail, (each.raw for each in reports))
    }
    assert {tuple(note.checkpoint for note in each.checkpoints) for each in found} == heads
    own = [each.own or each.attached[0].own for each in found]
    assert [each.kind for each in own if each] == ["report", "report"]


def test_a_line_that_begins_like_one_of_an_mbox_parts_no_mail(tmp_path: Path) -> None:
    one = mail(1, "Hello\n\nFrom here on we fight.\nAda\n")
    (tmp_path / "Inbox").write_bytes(b"From a Fri\n" + one + b"\nFrom b Fri\n" + mail(2))
    assert [each.raw.rstrip() for each in mails_in(tmp_path)] == [one.rstrip(), mail(2).rstrip()]


@pytest.mark.parametrize("name", ["1.eml", "cur/17.M1.host:2,S", "17"])
def test_a_mail_without_parts_that_shows_the_header_of_another_is_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(shows := mail(1, f"Look:\n\n{mail(2).decode()}"))
    assert [each.raw for each in mails_in(tmp_path)] == [shows]


def test_mails_of_one_file_that_are_not_all_of_parts_are_told_apart_where_one_is(tmp_path: Path) -> None:
    (tmp_path / "all.eml").write_bytes(mail(1) + parts(b"\nText") + mail(2))
    assert len([*mails_in(tmp_path)]) == 3


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
@pytest.mark.parametrize("to", ["/etc/hostname", "link"])
def test_what_is_no_file_in_a_tar_file_is_named_and_the_others_are_read(tmp_path: Path, kind: bytes, to: str) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for place, name in enumerate(("1.eml", "link", "2.eml")):
            item = tarfile.TarInfo(name)
            item.type, item.linkname = (kind, to) if name == "link" else (tarfile.REGTYPE, "")
            item.size = 0 if name == "link" else len(mail(place))
            tar.addfile(item, BytesIO(mail(place)))
    found = {Path(each.where).name: each for each in mails_in(tmp_path / "a.tar")}
    assert found.pop("link").problem.startswith("it cannot be unpacked: ")
    assert [each.raw for each in found.values()] == [mail(0), mail(2)]


@pytest.mark.parametrize("raw", [b"\x1f\x8b and no more", b"BZh and no more", b"\0" * 257 + b"ustar" + b"\0" * 800])
def test_what_begins_like_a_packed_file_and_is_none_is_named(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a").write_bytes(raw)
    [found] = mails_in(tmp_path / "a")
    assert "it cannot be unpacked" in found.problem


def test_an_empty_file_is_no_mail(tmp_path: Path) -> None:
    (tmp_path / "Trash").write_bytes(b"")
    assert [each.problem for each in mails_in(tmp_path)] == [NO_MAIL]

"""`pbmd receipt` over all that players keep: whole mailboxes, every value in them, forks, and the texts of reports."""

import base64
import email.policy
import io
import json
import mailbox
import os
import quopri
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from PIL import Image
from sqlmodel import Session, select
from typer.testing import CliRunner

from pbmd.archive.evidence import report_mails
from pbmd.archive.evidence.claims import LARGEST_MAIL
from pbmd.archive.format.audience import Audience
from pbmd.cli import app
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.entries.master_entries import AnnouncedEntry, ChangedOptions, SetEntry
from pbmd.ledger.entries.step_entries import CreatedEntry
from pbmd.ledger.tables import JournalEntry, Outbox
from pbmd.post.proof_file import is_proof
from tests.archive.made import export, forge
from tests.deploy.test_verify_dice import SETTINGS
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import ADDRESS, NAMES, World, address_of, message_of, opened, text_of
from tests.processor_time import takes_at_most
from tests.rulesets.cosmic_conquest.desk import conquest

GAME = "galaxy-7"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        (world.folder / "pbmd.toml").write_text(SETTINGS)
        (world.folder / "server.key").write_bytes(world.desk.key)
        yield world


@pytest.fixture
def world(empty: World) -> World:
    """A game with dice that runs in its fourth turn."""
    empty.as_ever("three turns with dice", lambda: three_turns(empty))
    return empty


def three_turns(world: World) -> None:
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    for number in range(3):
        turn(world, number)


def turn(world: World, number: int = 1) -> None:
    for seat in NAMES:
        world.send(seat, f"Add {number + 1}")
        world.now += timedelta(minutes=1)
    assert world.pass_time(HOUR) == 1


@pytest.fixture
def archive(world: World, tmp_path: Path) -> Path:
    return export(world, tmp_path / "archive")


def ask(archive: Path, *mails: Path | str, more: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(app, ["receipt", *map(str, mails), "--archive", str(archive), *more])


def told(archive: Path, *mails: Path | str) -> dict[str, Any]:
    done = ask(archive, *mails, more=("--json",))
    assert done.stdout, (done.output, done.exception)
    return json.loads(done.stdout) | {"code": done.exit_code}


def wrong(document: Mapping[str, Any]) -> list[tuple[str, bool | None]]:
    """What the books have not; the salt of the step that is open is opened later, and not looked at; nor are the orders that
    are in again after a rollback. That a mail was altered shows in the digest of its words, too, and is not said twice."""
    not_looked_at = [each for each in document["findings"] if each["holds"] is None and not each["whole"]]
    assert {each["what"] for each in not_looked_at if "are in again, as they arrived" not in each["words"]} <= {
        "salt",
        "mail as sent",
    }
    wrong = [(each["what"], each["holds"]) for each in document["findings"] if not each["holds"] and each not in not_looked_at]
    return [each for each in wrong if each[0] != "mail as sent"]


def saved(mail: Outbox, tmp_path: Path, change: Callable[[bytes], bytes] = lambda raw: raw, name: str = "mail.eml") -> Path:
    path = tmp_path / name
    path.write_bytes(change(opened(mail.raw)))
    return path


def as_mbox(mails: list[Outbox], path: Path) -> Path:
    with closing(mailbox.mbox(path)) as box:
        for mail in mails:
            box.add(mail.raw.replace(b"\r\n", b"\n"))
    return path


def as_maildir(mails: list[Outbox], path: Path) -> Path:
    with closing(mailbox.Maildir(path)) as box:
        inner = box.add_folder("Archive")
        for place, mail in enumerate(mails):
            (inner if place % 2 else box).add(mail.raw)
    return path


def as_mh(mails: list[Outbox], path: Path) -> Path:
    with closing(mailbox.MH(path)) as box:
        inner = box.add_folder("old")
        for place, mail in enumerate(mails):
            (inner if place % 2 else box).add(mail.raw)
    return path


def as_files(mails: list[Outbox], path: Path) -> Path:
    path.mkdir()
    for place, mail in enumerate(mails):
        (path / f"{place}.eml").write_bytes(mail.raw)
    return path


def as_thunderbird(mails: list[Outbox], path: Path) -> Path:
    (path / "INBOX.sbd").mkdir(parents=True)
    as_mbox(mails[:3], path / "INBOX")
    (path / "INBOX.msf").write_bytes(b"// <!-- <mdb:mork:z v='1.4'/> -->\n")
    as_mbox(mails[3:], path / "INBOX.sbd" / "Games")
    return path


MAILBOXES = [as_mbox, as_maildir, as_mh, as_files, as_thunderbird]


def forged(archive: Path) -> Path:
    """Another history: in turn 2 Borealis sent other orders, and all that follows was written anew."""

    def change(entries: list[dict[str, Any]]) -> None:
        orders = [entry for entry in entries if entry["kind"] == "orders" and entry["public"]["turn"] == 2]
        next(entry for entry in orders if entry["secret"]["seat"] == "Borealis")["secret"]["lines"] = [[1, "Add 9"]]

    forge(archive, change)
    return archive


class TestMailboxes:
    @pytest.mark.parametrize("keep", MAILBOXES)
    def test_are_read_mail_by_mail(self, world: World, archive: Path, tmp_path: Path, keep: Any) -> None:
        mails = [mail for mail in world.outbox("", "Altair") if mail.kind in ("report", "acknowledgement")]
        document = told(archive, keep(mails, tmp_path / "kept"))
        assert (document["code"], document["proved"], wrong(document)) == (0, True, [])
        assert len({each["mail"] for each in document["findings"] if "mail" in each}) == len(mails) == 7

    @pytest.mark.parametrize("keep", MAILBOXES)
    def test_with_one_mail_of_another_history_are_found_out(
        self, world: World, archive: Path, tmp_path: Path, keep: Any
    ) -> None:
        mails = [mail for mail in world.outbox("", "Altair") if mail.kind in ("report", "acknowledgement")]
        done = ask(forged(archive), keep(mails, tmp_path / "kept"))
        assert done.exit_code == 1, done.output
        assert "two histories" in done.stdout
        assert "All" not in done.stdout
        assert done.stdout.splitlines()[-1] == "This does not agree with the books; see the lines with NO."

    def test_of_several_players_and_several_files_are_looked_at_together(
        self, world: World, archive: Path, tmp_path: Path
    ) -> None:
        kept = [as_mbox(world.outbox("", seat), tmp_path / seat) for seat in NAMES]
        document = told(archive, *kept, str(world.submissions()[0].number))
        assert (document["code"], len({each.get("mail") for each in document["findings"]})) == (0, 1 + 3 * 7 + 1)

    def test_say_what_was_left_out_and_never_all(self, world: World, archive: Path, tmp_path: Path) -> None:
        other = World(other_folder(tmp_path))
        other.count("nebula-1")
        other.send("Altair", "Add 1", game="nebula-1")
        world.send("Altair", "HELP")
        kept = as_maildir([*world.outbox("", "Altair"), *other.outbox("", "Altair")], tmp_path / "kept")
        (kept / "cur" / "family").write_bytes(b"Subject: Sunday\n\nAre you coming?\n")
        (kept / "dovecot.index.log").write_bytes(b"\x01\x02\x00\x00")
        done = ask(archive, kept)
        assert done.exit_code == 0, done.output
        lines = done.stdout.splitlines()
        assert "Left out: mails of another game: 2." in lines
        assert sum(": nebula-1" in line for line in lines) == 2
        assert "Left out: mails not of pbmd: 1." in lines
        assert any(line.endswith("family: Sunday") for line in lines)
        assert "Left out: mails with nothing to check: 1." in lines
        help_sent = message_of(world.outbox("", "Altair")[-1])["Subject"]
        assert any(line.endswith(f": {help_sent}") for line in lines)
        assert "Left out: files that are no mails: 2." in lines  # one is a mark of the folder Archive
        assert re.fullmatch(r"What was looked at is in the books: \d+ values in 7 mails. For the rest see above.", lines[-1])
        assert "All" not in done.stdout
        left_out = told(archive, kept)["left_out"]
        assert {(each["left_out"], each["why"]) for each in left_out if each["why"] == "nebula-1"} == {
            ("of another game", "nebula-1")
        }
        assert len(left_out) == 6
        other.close()

    def test_that_cannot_be_read_whole_do_not_pass(self, world: World, archive: Path, tmp_path: Path) -> None:
        kept = as_files(world.outbox("report", "Altair"), tmp_path / "kept")
        with (kept / "large.eml").open("wb") as file:
            file.write(b"Subject: large\n\n")
            file.truncate(LARGEST_MAIL + 1)
        os.mkfifo(kept / "pipe")
        (kept / "round").symlink_to(kept)
        (kept / "nowhere").symlink_to(tmp_path / "nothing")
        done = ask(archive, kept)
        assert done.exit_code == 1
        assert "Left out: mails not to be read: 4." in done.stdout
        for why in ("it is larger than 25 MB", "it is no file", "it is a link to a folder"):
            assert why in done.stdout
        assert "some could not be read" in done.stdout.splitlines()[-1]
        assert "All" not in done.stdout

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read all")
    def test_that_may_not_be_read_are_named(self, world: World, archive: Path, tmp_path: Path) -> None:
        kept = as_files(world.outbox("report", "Altair"), tmp_path / "kept")
        (kept / "1.eml").chmod(stat.S_IWUSR)
        assert "Permission denied" in ask(archive, kept).stdout

    def test_are_not_changed(self, world: World, archive: Path, tmp_path: Path) -> None:
        kept = as_mbox(world.outbox("", "Altair"), tmp_path / "kept")
        before = kept.read_bytes(), kept.stat().st_mtime_ns
        assert ask(archive, kept).exit_code == 0
        assert (kept.read_bytes(), kept.stat().st_mtime_ns) == before

    def test_of_other_games_only_prove_nothing(self, world: World, archive: Path, tmp_path: Path) -> None:
        """An archive under another name must not make all mails be left out."""
        game = archive / "data" / "game.toml"
        game.write_text(game.read_text().replace('"galaxy-7"', '"galaxy-8"'))
        forge(archive, lambda entries: entries[0]["public"].update(game="galaxy-8"))
        document = told(archive, as_mbox(world.outbox("", "Altair"), tmp_path / "kept"))
        assert (document["code"], document["proved"]) == (1, False)
        assert set(wrong(document)) == {("game", False)}

    def test_name_the_game_that_the_ledger_is_asked_for(self, world: World, tmp_path: Path) -> None:
        settings = ["--settings", str(world.folder / "pbmd.toml")]
        kept = as_mbox(world.outbox("", "Altair"), tmp_path / "kept")
        done = CliRunner().invoke(app, ["receipt", str(kept), *settings])
        assert (done.exit_code, "in the books" in done.stdout) == (0, True), done.output
        world.count("nebula-1")
        kept = as_mbox(world.outbox("", "Altair"), tmp_path / "both")
        done = CliRunner().invoke(app, ["receipt", str(kept), *settings])
        assert (done.exit_code, "these mails are of galaxy-7, nebula-1" in done.stderr) == (2, True)

    def test_with_nothing_of_pbmd_are_no_receipt(self, archive: Path, tmp_path: Path) -> None:
        (tmp_path / "kept").mkdir()
        assert "there is no mail with" in ask(archive, tmp_path / "kept").stderr
        for name in ("a", "b"):
            (tmp_path / "kept" / name).write_bytes(b"Subject: hello\n\nhello\n")
        done = ask(archive, tmp_path / "kept")
        assert (done.exit_code, done.stdout, "none of these 2 mails has" in done.stderr) == (2, "", True)


def other_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    folder.mkdir()
    return folder


class TestEveryValue:
    def test_of_a_mail_that_quotes_others_is_checked(self, world: World, archive: Path, tmp_path: Path) -> None:
        """The first of each kind is sound, and one further below is not."""
        first, second = world.outbox("acknowledgement", "Altair")[:2]
        quoted = "\n".join(f"> {line}" for line in text_of(second).splitlines())
        path = tmp_path / "thread.eml"
        path.write_text(f"Subject: Re: look\n\n{text_of(first)}\n{quoted}\n")
        document = told(archive, path)
        assert (document["code"], [each["what"] for each in document["findings"]].count("receipt")) == (0, 2)
        for kind, pattern in (
            ("receipt", r"(> Receipt     )\d+()"),
            ("arrived", r"(> Arrived     Fri )\d+()"),
            ("digest", r"(> Digest\n>   )\w{8}()"),
            ("chain head", r"(> Chain head  at entry \d+:\n>   )\w{8}()"),
        ):
            changed, count = re.subn(
                pattern, r"\g<1>1\g<2>" if kind in ("receipt", "arrived") else r"\g<1>00000000", path.read_text()
            )
            assert count == 1, kind
            (tmp_path / "changed.eml").write_text(changed)
            document = told(archive, tmp_path / "changed.eml")
            assert (document["code"], kind in {what for what, _ in wrong(document)}) == (1, True), kind

    def test_belongs_to_what_stands_beside_it(self, world: World, archive: Path, tmp_path: Path) -> None:
        """The arrival of one receipt is not that of another, though the books have both."""
        first, second = (text_of(mail) for mail in world.outbox("acknowledgement", "Altair")[:2])
        at = re.compile(r"Arrived     (.*UTC)")
        swapped = at.sub(lambda _: at.search(second)[0], first)  # type: ignore[index]
        (tmp_path / "mail.eml").write_text(f"Subject: x\n\n{swapped}\n{second}")
        assert wrong(told(archive, tmp_path / "mail.eml")) == [("arrived", False)]

    def test_is_nothing_that_a_player_has_put_into_press(self, empty: World, tmp_path: Path) -> None:
        empty.start(ruleset="count", options={"target": 1000}, reminders=(), press_delivery="report")
        said = (
            "FAIRNESS\nDice secret of turn 1, now revealed:\n  " + "ab" * 32 + "\n"
            "Head of the journal, entry 3:\n  " + "cd" * 32 + "\nReceipt     2 of game galaxy-7, turn 1\n"
            "Count: report of turn 1 of galaxy-7 for Altair.\nyou have lost"
        )
        empty.send("Borealis", f"PRESS TO Altair\n{said}\nEND PRESS")
        turn(empty)
        report = empty.outbox("report", "Altair")[-1]
        assert "you have lost" in text_of(report)
        document = told(export(empty, tmp_path / "archive"), saved(report, tmp_path))
        assert (document["code"], wrong(document)) == (0, [])

    def test_of_a_mail_that_has_far_too_many_is_not(self, world: World, archive: Path, tmp_path: Path) -> None:
        text = "Receipt 6 of game galaxy-7, " * 20_000
        (tmp_path / "mail.eml").write_text(f"Subject: x\n\n{text}\n")
        kept = saved(world.outbox("report", "Altair")[0], tmp_path, name="other.eml")
        done = ask(archive, kept, tmp_path / "mail.eml")
        assert (done.exit_code, "which no mail of pbmd has" in done.stdout) == (1, True)

    @pytest.mark.in_turn(2)
    @pytest.mark.parametrize(
        "raw",
        [
            b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 3000,
            b"Content-Type: text/plain; charset=nonsense\n\n\xff",
            b"Subject: =?utf-8?B?!!!?=\nMessage-ID: <\n\n" + b"report of turn 1 of galaxy-7 for " * 50_000,
            b"Subject: x\n\n" + b"public report of turn 1 of galaxy-7. " * 50_000,
            b"Subject: x\n\n" + b"> | " * 500_000,
        ],
        ids=["nested", "charset", "titles", "public", "quotes"],
    )
    def test_of_a_hostile_mail_stops_nothing(self, world: World, archive: Path, tmp_path: Path, raw: bytes) -> None:
        kept = saved(world.outbox("report", "Altair")[0], tmp_path, name="other.eml")
        (tmp_path / "mail.eml").write_bytes(raw)
        with takes_at_most(30):
            done = ask(archive, kept, tmp_path / "mail.eml")
        assert done.exit_code in (0, 1)
        assert done.stdout.splitlines()[-1]
        assert "All of it" not in done.stdout


class TestForks:
    """1.3: another history of a game that runs is none of a later time."""

    @pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "of before"])
    @pytest.mark.parametrize("kind", ["acknowledgement", "report"])
    def test_are_found_by_one_mail(self, world: World, archive: Path, tmp_path: Path, kind: str, numbered: bool) -> None:
        forged(archive)
        # A mail from after the place where the histories part, and before the end of the archive.
        mail = world.outbox(kind, "Cygnus")[1 if kind == "acknowledgement" else 2]
        document = told(archive, saved(mail, tmp_path, (lambda raw: raw) if numbered else without_numbers))
        assert document["code"] == 1
        heads = [each for each in document["findings"] if each["what"] == "chain head"]
        assert [each["holds"] for each in heads] == [False], heads
        assert "two histories" in heads[0]["words"]

    def test_of_a_later_time_are_not_called_so(self, world: World, archive: Path, tmp_path: Path) -> None:
        turn(world)
        for kind in ("acknowledgement", "report"):
            for numbered in (True, False):
                change: Callable[[bytes], bytes] = (lambda raw: raw) if numbered else without_numbers
                document = told(archive, saved(world.outbox(kind, "Altair")[-1], tmp_path, change))
                assert (document["code"], False in {each["holds"] for each in document["findings"]}) == (1, False)

    def test_mails_of_before_prove_what_they_proved(self, world: World, archive: Path, tmp_path: Path) -> None:
        for mail in (*world.outbox("acknowledgement"), *world.outbox("report")):
            document = told(archive, saved(mail, tmp_path, without_numbers))
            assert (document["code"], wrong(document)) == (0, []), text_of(mail)

    def test_a_head_at_another_entry_than_the_mail_says_is_wrong(self, world: World, archive: Path, tmp_path: Path) -> None:
        mail = world.outbox("acknowledgement", "Altair")[0]
        path = saved(mail, tmp_path, lambda raw: raw.replace(b"at entry 6:", b"at entry 7:"))
        (head,) = [each for each in told(archive, path)["findings"] if each["what"] == "chain head"]
        assert (head["holds"], head["words"]) == (False, "the mail has it at entry 7, and these books at entry 6")

    def test_a_commitment_is_looked_up_at_its_step(self, world: World, archive: Path, tmp_path: Path) -> None:
        """The books have it, but for another turn; or they have another for that turn."""
        first, second = (text_of(mail) for mail in world.outbox("report", "Altair")[:2])
        value = re.compile(r"(its SHA-256\):\n  )(\w+)")
        other = value.search(second)[2]  # type: ignore[index]
        for put, words in ((other, "as the commitment to the dice that came after turn 1"), ("ab" * 32, "two histories")):
            for text in (first, re.sub(", entry \\d+", "", first)):
                (tmp_path / "mail.eml").write_text("Subject: x\n\n" + value.sub(rf"\g<1>{put}", text))
                found = [each for each in told(archive, tmp_path / "mail.eml")["findings"] if each["what"] == "commitment"]
                assert [each["holds"] for each in found] == [False]
                assert words in found[0]["words"] or "at entry 5 these books have another" in found[0]["words"]

    def test_a_secret_is_looked_up_at_its_step(self, world: World, archive: Path, tmp_path: Path) -> None:
        second, third = (text_of(mail) for mail in world.outbox("report", "Altair")[1:3])
        value = re.compile(r"(now revealed:\n  )(\w+)")
        other = value.search(third)[2]  # type: ignore[index]
        (tmp_path / "mail.eml").write_text("Subject: x\n\n" + value.sub(rf"\g<1>{other}", second))
        assert ("dice secret", False) in wrong(told(archive, tmp_path / "mail.eml"))

    def test_of_a_ledger_that_was_written_anew_are_found(self, world: World, tmp_path: Path) -> None:
        """Without an archive: the entry that the mail names has another hash now."""
        path = saved(world.outbox("acknowledgement", "Altair")[0], tmp_path)
        with Session(world.desk.engine) as session:
            for entry in session.exec(select(JournalEntry)):
                session.delete(entry)
            session.commit()
        with world.work() as work:
            table = work.table_named(GAME)
            assert table is not None
            table.game.chain_head, table.game.chain_number = "", 0
            work.journal(table, CreatedEntry(game=GAME, ruleset=table.game.ruleset, options={}, terms={}))
            for turn in range(1, 9):
                work.journal(table, AnnouncedEntry(turn=turn, text="Another game.", sealed=None))
        done = CliRunner().invoke(app, ["receipt", str(path), "--settings", str(world.folder / "pbmd.toml")])
        assert done.exit_code == 1
        assert "NO" in done.stdout


def without_numbers(raw: bytes) -> bytes:
    """As pbmd wrote it that told no number beside a head."""
    raw = re.sub(rb"Chain head  at entry \d+:\r\n +", b"Chain head  ", raw)
    return re.sub(rb"Head of the journal, entry \d+:", b"Head of the journal:", raw)


class TestNumbers:
    def test_stand_beside_each_head(self, world: World) -> None:
        for mail in (*world.outbox("acknowledgement"), *world.outbox("report")):
            heads = re.findall(r"(?:Chain head  at entry|Head of the journal, entry) (\d+):\n +(\w{64})", text_of(mail))
            assert len(heads) == len(re.findall("Chain head|Head of the journal", text_of(mail))) == 1
            hashes = {entry.number: entry.hash for entry in world.journal()}
            assert all(hashes[int(number)] == head for number, head in heads)

    def test_are_not_told_where_they_would_tell_who_has_sent(self, empty: World) -> None:
        empty.start(ruleset="count", who_has_sent="nothing", reminders=())
        turn(empty)
        for mail in empty.outbox():
            assert not re.search(r"(?:entry|receipt|Receipt) +\d", text_of(mail)), text_of(mail)

    def test_nor_in_moves(self, empty: World) -> None:
        empty.start(GAME, NAMES, {"die": False}, ruleset="relay", reminders=(), who_has_sent="nothing")
        past_turn_0(empty)
        for text in ("Add 1", "Add 2"):
            empty.send("Altair", text)
        assert any("Chain head\n" in text_of(mail) for mail in empty.outbox())
        assert not [mail for mail in empty.outbox() if re.search(r"entry +\d", text_of(mail))]

    def test_stand_in_the_report_of_a_move_that_answers_its_letter(self, empty: World) -> None:
        past_turn_0(relay(empty))
        empty.send("Altair", "Add 1")
        text = text_of(empty.outbox("report", "Altair")[-1])
        assert len(re.findall(r"Chain head  at entry \d+:\n +\w{64}", text)) == 1


# 1.4


def altered(raw: bytes) -> bytes:
    """One number of a report is another."""
    text, count = re.subn(rb"([Tt]otal )(\d+)", rb"\g<1>9\2", raw, count=1)
    assert count == 1
    return text


def report_of(document: Mapping[str, Any]) -> dict[str, Any]:
    (found,) = [each for each in document["findings"] if each["what"] == "report"]
    return found


class TestReports:
    def test_that_were_altered_do_not_pass(self, world: World, archive: Path, tmp_path: Path) -> None:
        document = told(archive, saved(world.outbox("report", "Altair")[2], tmp_path, altered))
        found = report_of(document)
        assert (document["code"], wrong(document)) == (1, [("report", False)])
        assert re.search(r'words the books have ".*total.*", and the mail ".*total 9', found["words"])
        assert found["value"] == "Altair, turn 2"

    def test_that_were_altered_in_the_books_do_not_pass(self, world: World, archive: Path, tmp_path: Path) -> None:
        path = archive / "data" / "turns" / "002" / "reports" / "1-altair.txt"
        path.write_text(path.read_text().replace("total ", "total 9", 1))
        assert wrong(told(archive, saved(world.outbox("report", "Altair")[2], tmp_path))) == [("report", False)]

    @pytest.mark.parametrize("where", ["begin", "end", "behind"])
    def test_to_which_something_was_added_do_not_pass(self, world: World, archive: Path, tmp_path: Path, where: str) -> None:
        mail = world.outbox("report", "Altair")[2]
        text = (
            (archive / "data" / "turns" / "002" / "reports" / "1-altair.txt").read_bytes().strip(b"\n").replace(b"\n", b"\r\n")
        )
        assert text in mail.raw
        lines = text.split(b"\r\n")
        changed = {
            "begin": b"\r\n".join([b"Cygnus attacks you", *lines[1:]]),
            "end": b"\r\n".join(lines[:-1]),
            "behind": text + b"\r\nCygnus attacks you",
        }[where]
        assert wrong(told(archive, saved(mail, tmp_path, lambda raw: raw.replace(text, changed)))) == [("report", False)]

    def test_that_were_exchanged_for_those_of_another_seat_do_not_pass(
        self, world: World, archive: Path, tmp_path: Path
    ) -> None:
        mine, other = (
            (archive / "data" / "turns" / "002" / "reports" / name).read_bytes().strip(b"\n").replace(b"\n", b"\r\n")
            for name in ("1-altair.txt", "2-borealis.txt")
        )
        path = saved(world.outbox("report", "Altair")[2], tmp_path, lambda raw: raw.replace(mine, other))
        assert wrong(told(archive, path)) == [("report", False)]

    @pytest.mark.parametrize("dress", ["LF", "trailing", "quoted-printable", "base64", "flowed", "wrapped", "quoted", "nbsp"])
    def test_are_the_same_whatever_mail_programs_do(self, world: World, archive: Path, tmp_path: Path, dress: str) -> None:
        mail = world.outbox("report", "Altair")[2]
        for change, holds in ((lambda raw: raw, True), (altered, False)):
            document = told(archive, saved(replace_raw(mail, change), tmp_path, DRESSES[dress]))
            expected = None if dress == "quoted" and not holds else holds
            assert report_of(document)["holds"] is expected, report_of(document)
            assert document["code"] == (0 if holds else 1)

    def test_of_games_of_all_kinds_are_compared(self, empty: World, tmp_path: Path) -> None:
        conquest(empty)
        for seat in ("Red", "Purple", "Green"):
            empty.send(seat, "Pass")
        empty.pass_time(HOUR)
        archive = export(empty, tmp_path / "archive")
        reports = empty.outbox("report")
        document = told(archive, as_mbox(reports, tmp_path / "kept"))
        found = [each for each in document["findings"] if each["what"] == "report"]
        assert (document["code"], len(found), len(reports)) == (0, 6, 6)

    def test_that_end_a_game_are_compared(self, world: World, tmp_path: Path) -> None:
        with world.work() as work:
            table = work.table_named(GAME)
            assert table is not None
            end_soon(work, table)
        turn(world)
        assert world.game().status == "finished"
        archive = export(world, tmp_path / "archive")
        mail = world.outbox("report", "Borealis")[-1]
        assert "is over" in text_of(mail)
        assert report_of(told(archive, saved(mail, tmp_path)))["value"] == "Borealis, turn 4"
        assert wrong(told(archive, saved(mail, tmp_path, altered))) == [("report", False)]
        own = export(world, tmp_path / "own", audience=Audience("seat", "Altair"))
        found = report_of(told(own, saved(mail, tmp_path)))
        assert (found["holds"], "not compared" in found["words"]) == (None, True)

    def test_of_others_are_said_not_to_be_compared(self, world: World, tmp_path: Path) -> None:
        own = export(world, tmp_path / "own", audience=Audience("seat", "Borealis"))
        found = report_of(told(own, saved(world.outbox("report", "Altair")[2], tmp_path)))
        assert (found["holds"], found["words"]) == (
            None,
            "it was not compared: the reports of Altair are not in this archive",
        )

    def test_are_not_compared_with_an_archive_without_names(self, world: World, tmp_path: Path) -> None:
        archive = export(world, tmp_path / "archive", anonymised=True)
        found = report_of(told(archive, saved(world.outbox("report", "Altair")[2], tmp_path)))
        assert (found["holds"], "it was not compared: what tells who" in found["words"]) == (None, True)

    def test_of_turns_that_are_not_there_yet_are_said_not_to_be_compared(
        self, world: World, archive: Path, tmp_path: Path
    ) -> None:
        turn(world)
        found = report_of(told(archive, saved(world.outbox("report", "Altair")[-1], tmp_path)))
        assert (found["holds"], "no report of the step" in found["words"]) == (None, True)

    def test_that_are_public_or_sent_again_are_compared(self, empty: World, tmp_path: Path) -> None:
        empty.start(ruleset="count", options={"target": 1000}, reminders=(), listed=True)
        empty.send("Observer", "WATCH galaxy-7", to=ADDRESS)
        empty.confirm(address_of("Observer"))
        turn(empty)
        turn(empty)
        empty.send("Altair", "REPORT 1\nREPORT")
        empty.act(GAME, roll_back, 2)
        assert empty.pass_time(4 * DAY) == 1
        empty.act(GAME, abandon)
        archive = export(empty, tmp_path / "archive")
        public = empty.outbox("report", "Observer")
        again = [empty.outbox("acknowledgement", "Altair")[2], *empty.outbox("notice", "Altair")]
        assert "REPORT OF TURN 1" in text_of(again[0])
        assert "THE REPORT AS THE GAME STANDS" in text_of(again[1])
        for mail, least in ((public[0], 1), (public[-1], 1), (again[0], 2), (again[1], 1)):
            document = told(archive, saved(mail, tmp_path))
            reports = [each for each in document["findings"] if each["what"] == "report"]
            assert (document["code"], len(reports)) == (0, least), text_of(mail)
            document = told(archive, saved(mail, tmp_path, altered))
            assert (document["code"], ("report", None) in wrong(document)) == (1, True)


def end_soon(work: Transaction, table: OpenGame) -> None:
    position = replace(table.position, options={**table.position.options, "target": 1})
    work.move(table, position)
    options = table.ruleset.dump(position)["options"]
    sealed = ChangedOptions(options=options)
    work.journal(table, SetEntry(turn=table.game.turn, option="target", before=1000, now=1, reason="", sealed=sealed))
    table.game.options = json.dumps(options)


def replace_raw(mail: Outbox, change: Callable[[bytes], bytes]) -> Outbox:
    return Outbox(**{**mail.model_dump(), "raw": change(opened(mail.raw))})


def dressed(encode: Callable[[str], tuple[str, str, bytes]]) -> Callable[[bytes], bytes]:
    """The text of a mail in another dress: what of Content-Type, the encoding, and the body."""

    def dress(raw: bytes) -> bytes:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        part = message.get_body(("plain",))
        assert part is not None
        more, encoding, body = encode(part.get_content().replace("\r\n", "\n"))
        kind = "multipart/mixed; boundary=mix"
        head = f"Message-ID: {message['Message-ID']}\r\nSubject: x\r\nContent-Type: {kind}\r\n\r\n--mix\r\n"
        head += f"Content-Type: text/plain; charset=utf-8{more}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
        file = next(part for part in message.iter_attachments() if is_proof(part))
        return head.encode() + body + b"\r\n--mix\r\n" + file.as_bytes() + b"\r\n--mix--\r\n"

    return dress


def wrapped(text: str, width: int, end: str) -> str:
    """Lines broken at blanks."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > width and " " in rest[:width].strip():
            cut = rest.rindex(" ", 0, width)
            lines.append(rest[:cut] + end)
            rest = rest[cut + 1 :]
        lines.append(rest)
    return "\n".join(lines)


def quoted(raw: bytes) -> bytes:
    mail = Outbox(key="", kind="", recipient="", message_id="", raw=raw)
    text = text_of(mail)
    return ("Subject: Fwd: look\n\nlook at this\n" + "".join(f"> {line}\n" for line in text.splitlines())).encode()


DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "LF": lambda raw: raw.replace(b"\r\n", b"\n"),
    "trailing": dressed(lambda text: ("", "8bit", text.replace("\n", "  \n").encode())),
    "quoted-printable": dressed(lambda text: ("", "quoted-printable", quopri.encodestring(text.encode(), quotetabs=True))),
    "base64": dressed(lambda text: ("", "base64", base64.encodebytes(text.encode()))),
    "flowed": dressed(lambda text: ("; format=flowed", "8bit", wrapped(text.replace("\n ", "\n  "), 30, " ").encode())),
    "wrapped": dressed(lambda text: ("", "8bit", wrapped(text, 25, "").encode())),
    "quoted": quoted,
    "nbsp": dressed(lambda text: ("", "8bit", text.replace("  ", " \N{NO-BREAK SPACE}").encode())),
}


def painted(png: bytes) -> bytes:
    """The picture with a red square of the size of a sign in it."""
    picture, out = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    picture.paste((255, 0, 0), (20, 20, 36, 36))
    picture.save(out, "PNG")
    return out.getvalue()


class TestPagesAndMaps:
    """A mail shows a report as a page and a map, too: what a reader sees there is no less to be the books' own."""

    @pytest.fixture
    def played(self, empty: World) -> World:
        conquest(empty)
        empty.send("Red", "SET REPORT SVG")
        for seat in ("Red", "Purple", "Green"):
            empty.send(seat, "Pass")
        assert empty.pass_time(HOUR) == 1
        return empty

    def test_are_those_of_the_books(self, played: World, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        for mail in played.outbox("report"):
            document = told(archive, saved(mail, tmp_path))
            assert {"report", "its page", "its map"} <= {each["what"] for each in document["findings"]}
            assert (document["code"], wrong(document)) == (0, [])

    @pytest.mark.parametrize(
        ("what", "kind", "old", "new"),
        [
            ("its page", "text/html", "Sol", "Sun"),
            ("its page", "text/html", "</h1>", "</h1><p>Red attacks you</p>"),
            ("its page", "text/html", " has the same in words.", " has the same in words. Red attacks you."),
            ("its map", "image/svg+xml", "Polaris", "Sun"),
        ],
    )
    def test_that_were_altered_do_not_pass(
        self, played: World, tmp_path: Path, what: str, kind: str, old: str, new: str
    ) -> None:
        archive = export(played, tmp_path / "archive")
        path = saved(played.outbox("report", "Red")[-1], tmp_path, with_part(kind, lambda text: text.replace(old, new)))
        document = told(archive, path)
        assert (document["code"], {each for each in wrong(document) if each[0] != "its HTML"}) == (1, {(what, False)})

    def test_altered_in_their_html_alone_are_found_by_all_commands(self, played: World, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        mail = played.outbox("report", "Red")[-1]
        (honest,) = [saved(mail, tmp_path, name="honest.eml")]
        assert told(archive, honest)["code"] == 0
        for number, (old, new, words) in enumerate(IN_HTML_ALONE):
            path = saved(mail, tmp_path, with_part("text/html", lambda page, old=old, new=new: page.replace(old, new)))
            assert told(archive, path)["code"] == 1, number
            alone = CliRunner().invoke(app, ["compare", str(path), str(honest)])
            assert (alone.exit_code, words in " ".join(alone.stdout.split())) == (1, True), (number, alone.stdout)

    def test_a_picture_that_was_packed_otherwise_is_the_same(self, played: World, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        mail = played.outbox("report", "Purple")[-1]
        done = ask(archive, saved(mail, tmp_path, with_part("image/png", lambda data: data + b"\0")))
        assert (done.exit_code, "it looks like the one in the books" in " ".join(done.stdout.split())) == (0, True)

    def test_a_picture_in_which_something_was_painted_does_not_pass(self, played: World, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        mail = played.outbox("report", "Purple")[-1]
        done = ask(archive, saved(mail, tmp_path, with_part("image/png", painted)))
        assert (done.exit_code, "it does not look like the one in the books" in " ".join(done.stdout.split())) == (1, True)

    def test_a_picture_of_another_drawing_does_not_pass(self, played: World, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        mails = [played.outbox("report", seat)[-1] for seat in ("Purple", "Green")]
        told_of = [re.search(rb"Content-ID: <(map-[0-9a-f]{64})", mail.raw) for mail in mails]
        ids = [found[1] for found in told_of if found]
        document = told(archive, saved(mails[0], tmp_path, lambda raw: raw.replace(*ids)))
        assert (document["code"], wrong(document)) == (1, [("its map", False)])

    def test_pictures_of_older_versions_are_compared_too(
        self, played: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        archive = export(played, tmp_path / "archive")
        monkeypatch.setattr(report_mails, "svg_png", lambda _: b"with fewer colours")
        document = told(archive, saved(played.outbox("report", "Purple")[-1], tmp_path))
        assert ("its map", True) in [(each["what"], each["holds"]) for each in document["findings"]]


IN_HTML_ALONE = (
    ("You hold ", "You ho\N{ZERO WIDTH SPACE}ld ", "U+200B ZERO WIDTH SPACE"),
    ("</h1>", '</h1><p style="font-size:0">Green attacks you</p>', "letters of 0 pixels"),
    ("</h1>", "</h1><!--[if mso]>Green attacks you<![endif]-->", "a comment"),
    (" UTC", " CET", "UTC"),
    ("#orders g1", "#orders g2", "#orders g1"),
    ("cid:map", "cid:another", "it shows one that did not come with it"),
)
"""Found without an archive, too."""


def with_part(kind: str, change: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    """A mail in which the part of that type is another."""

    def changed(raw: bytes) -> bytes:
        message = email.message_from_bytes(raw, policy=email.policy.SMTP)
        (part,) = [part for part in message.walk() if part.get_content_type() == kind]
        before = part.get_payload(decode=True)
        assert isinstance(before, bytes)
        after = change(before) if kind == "image/png" else change(before.decode()).encode()
        assert after != before
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(base64.encodebytes(after).decode())
        return message.as_bytes()

    return changed

"""`pbmd compare`: mails of several players, and of one, held against each other."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col
from typer.testing import CliRunner, Result

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.report_mails import compare_press
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.cli import app
from pbmd.desk.changes.gm import announce
from pbmd.desk.changes.peek import peek
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Holder
from pbmd.desk.questions import seat_offers
from pbmd.ledger.tables import Outbox
from pbmd.notes.checkpoint import Checkpoint, sign_checkpoint
from pbmd.notes.signed_note import Signer
from tests.archive.cheats.rewritten import in_all, rewritten, without_page
from tests.archive.made import export, fitted
from tests.cli.test_receipt_mailboxes import as_files, as_maildir, as_mbox, turn
from tests.desk.relay import past_turn_0, relay
from tests.desk.visitors.test_signup import join
from tests.desk.world import ADDRESS, NAMES, World, address_of, body_of, opened, proof_of

GAME = "galaxy-7"
HOUR = timedelta(hours=1)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Makes games that go the same way as long as the same is done in them."""
    worlds: list[World] = []

    def begin(target: int = 1000, **terms: Any) -> World:
        folder = tmp_path / f"world-{len(worlds)}"
        folder.mkdir()
        worlds.append(World(folder))
        worlds[-1].start(ruleset="count", options={"target": target}, reminders=(), **terms)
        return worlds[-1]

    yield begin
    for world in worlds:
        world.close()


@pytest.fixture
def world(begun: Callable[..., World]) -> World:
    """A game with dice that runs in its third turn."""
    return played(begun(), 2)


def played(world: World, turns: int, first: int = 0) -> World:
    for number in range(first, first + turns):
        turn(world, number)
    return world


def ask(*mailboxes: Path, more: Sequence[str] = ()) -> Result:
    return CliRunner().invoke(app, ["compare", *map(str, mailboxes), *more])


def told(*mailboxes: Path, more: Sequence[str] = ()) -> dict[str, Any]:
    done = ask(*mailboxes, more=("--json", *more))
    assert done.stdout, (done.output, done.exception)
    return json.loads(done.stdout) | {"code": done.exit_code}


def kept(mails: list[Outbox], path: Path, old: str = "", new: str = "") -> Path:
    """Mails in a folder, as somebody has them whose host wrote something else into the last that has it, or into the file
    beside that."""
    as_files(mails, path)
    changed = [file for file in path.iterdir() if old and old.encode() in opened(file.read_bytes())]
    assert bool(changed) == bool(old)
    for file in sorted(changed)[-1:]:
        file.write_bytes(fitted(opened(file.read_bytes()).replace(old.encode(), new.encode())))
    return path


class TestHonestMails:
    @pytest.mark.parametrize("keep", [as_mbox, as_maildir, as_files])
    def test_of_several_players_agree(self, world: World, tmp_path: Path, keep: Any) -> None:
        done = ask(*(keep(world.outbox("", seat), tmp_path / seat) for seat in NAMES))
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[-1] == "What several of these mails tell is the same in each of them."
        assert "Not compared, since only one mail tells of them: " in done.stdout

    def test_of_one_player_do_too(self, world: World, tmp_path: Path) -> None:
        document = told(kept(world.outbox("", "Altair"), tmp_path / "kept"))
        assert (document["code"], document["agrees"], document["disagreements"]) == (0, True, [])
        assert document["compared"] > 0

    def test_do_after_the_game_was_taken_back(self, world: World, tmp_path: Path) -> None:
        world.act(GAME, roll_back, 1, "a slip")
        world.send("Altair", "Add 6")
        assert world.pass_time(timedelta(days=4))
        played(world, 1, first=5)
        document = told(*(kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES))
        assert (document["code"], document["disagreements"]) == (0, [])

    def test_do_where_one_moves_after_the_other(self, tmp_path: Path) -> None:
        (tmp_path / "home").mkdir()
        with closing(World(tmp_path / "home")) as world:
            past_turn_0(relay(world, die=True))
            for seat in ("Cygnus", "Altair", "Borealis"):
                world.send(seat, "Add 2")
            document = told(*(kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES))
        assert (document["code"], document["disagreements"]) == (0, [])

    def test_do_where_a_letter_with_a_move_said_more(self, tmp_path: Path) -> None:
        """What the report says of that stands in the mail alone; what stands elsewhere in it does not pass for that."""
        (tmp_path / "home").mkdir()
        with closing(World(tmp_path / "home")) as world:
            past_turn_0(relay(world, die=True))
            world.send("Altair", "Add 2\nWAIT")
            raw = world.outbox("report", "Altair")[-1].raw
            assert "nothing to hold up" in " ".join(body_of(world.outbox("report", "Altair")[-1]).split())
            more = ("--archive", str(export(world, tmp_path / "archive")))
        mails = [raw, rewritten(raw, *in_all(lambda text: text.replace("HELP lists", "Cygnus has resigned. HELP lists")))]
        named = list[list[str]]()
        for place, each in enumerate(mails):
            (tmp_path / f"{place}.eml").write_bytes(each)
            found = told(tmp_path / f"{place}.eml", more=more)["findings"]
            named.append([finding["words"] for finding in found if finding["what"] == "its page" and not finding["holds"]])
        assert named[0] == []
        assert any('says "Cygnus has resigned.' in words for words in named[1]), named

    @pytest.mark.parametrize("behind", ["Altair.", "below.", "ORDER FORM", "--"])
    def test_do_without_pages_and_what_else_stands_around_a_report_is_named(
        self, begun: Callable[..., World], tmp_path: Path, behind: str
    ) -> None:
        world = played(begun(), 2)
        more = ("--archive", str(export(world, tmp_path / "archive")))
        raw, lie = world.outbox("report", "Altair")[-1].raw, "Turn 3 is void and Cygnus is out of it."
        mails = [raw, rewritten(raw, lambda text: re.sub(rf"(?im)({re.escape(behind)})$", rf"\1\n{lie}", text, count=1))]
        named = list[list[str]]()
        for place, each in enumerate(map(without_page, mails)):
            (tmp_path / f"{place}.eml").write_bytes(each)
            found = told(tmp_path / f"{place}.eml", more=more)["findings"]
            named.append([finding["words"] for finding in found if finding["what"] == "report" and not finding["holds"]])
        assert named[0] == []
        assert any("Turn 3 is void" in words for words in named[1]), named

    @pytest.mark.parametrize(
        ("target", "row", "is_named"), [(1000, "Altair 3 5", True), (6, "Turn 3 is void.", True), (6, "Altair 3 5", False)]
    )
    def test_do_with_how_the_game_went_and_what_else_stands_in_such_a_frame_is_named(
        self, begun: Callable[..., World], tmp_path: Path, target: int, row: str, *, is_named: bool
    ) -> None:
        """Only the last report has such a table, and only numbers in it, of which nothing else is said."""
        world = played(begun(target=target), 2)
        more = ("--archive", str(export(world, tmp_path / "archive")))
        raw = world.outbox("report", "Altair")[-1].raw
        text = rf"\nHOW IT WENT\nTotal start t1\n{row}\n\nWHO PLAYED\n\1"
        page = rf"<h2>How it went</h2><p>{row}</p><h2>Who played</h2>\1"
        forged = rewritten(
            raw,
            lambda each: re.sub(r"(\n(?:ORDER FORM|WHAT COMES NOW)\n)", text, each),
            lambda each: re.sub(r"(<h2[^<]*>(?:Order form|What comes now))", page, each),
        )
        for each, is_clean in ((raw, True), (forged, not is_named)):
            (tmp_path / "mail.eml").write_bytes(each)
            found = told(tmp_path / "mail.eml", more=more)["findings"]
            named = {finding["what"] for finding in found if "beside the report it says" in finding["words"]}
            assert named == (set() if is_clean else {"report", "its page"})
            not_held = [finding["words"] for finding in found if "the numbers of how the game went" in finding["words"]]
            assert len(not_held) == (each is forged and not is_named)

    def test_do_where_nobody_may_know_how_many_entries_there_are(self, begun: Callable[..., World], tmp_path: Path) -> None:
        world = played(begun(who_has_sent="nothing"), 2)
        document = told(*(kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES))
        assert (document["code"], document["disagreements"]) == (0, [])

    def test_of_players_who_have_signed_up_by_mail_do_too(self, tmp_path: Path) -> None:
        (tmp_path / "home").mkdir()
        with closing(World(tmp_path / "home")) as world:
            world.open(GAME, seats=len(NAMES), options={"target": 1000}, reminders=())
            for seat in NAMES:
                join(world, seat)
            played(world, 1)
            boxes = [kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES]
            document = told(*boxes, more=("--archive", str(export(world, tmp_path / "archive"))))
        assert (document["code"], document["disagreements"]) == (0, [])
        welcomes = [path for box in boxes for path in box.iterdir() if b"Welcome to" in path.read_bytes()]
        assert told(*welcomes)["compared"] == 1, "the promise of the set-up"


class TestTwoHistories:
    def test_are_found_by_the_mails_of_two_players(self, begun: Callable[..., World], tmp_path: Path) -> None:
        """The host tells Altair that Borealis added 5, and Borealis that it was 9."""
        one, other = played(begun(), 2), played(begun(), 2)
        for world, line in ((one, "Add 5"), (other, "Add 9")):
            for seat in NAMES:
                world.send(seat, line if seat == "Borealis" else "Add 1")
            world.pass_time(HOUR)
        done = ask(kept(one.outbox("", "Altair"), tmp_path / "a"), kept(other.outbox("", "Borealis"), tmp_path / "b"))
        assert done.exit_code == 1
        *_, last = done.stdout.splitlines()
        assert last.startswith("These mails tell two histories. They first disagree on the chain head at entry ")
        assert str(tmp_path / "a") in last
        assert str(tmp_path / "b") in last
        entries = [each["about"] for each in told(tmp_path / "a", tmp_path / "b")["disagreements"]]
        fork = next(
            entry.number for entry in one.journal("orders") if entry.public and '"turn":3' in entry.public.replace(" ", "")
        )
        assert int(entries[0].split()[-1]) >= fork

    def test_are_found_though_no_mail_tells_the_number_of_an_entry(self, begun: Callable[..., World], tmp_path: Path) -> None:
        one, other = played(begun(who_has_sent="nothing"), 1), played(begun(who_has_sent="nothing"), 1)
        for world, number in ((one, 1), (other, 2)):
            turn(world, number)
        done = ask(kept(one.outbox("", "Altair"), tmp_path / "a"), kept(other.outbox("", "Borealis"), tmp_path / "b"))
        assert (done.exit_code, "NO   galaxy-7: chain head in the reports of turn 2" in done.stdout) == (1, True), done.stdout


class TestSignedHeads:
    """Two heads of one entry, signed with one key, are a proof that can be handed on."""

    def fork(self, begun: Callable[..., World], tmp_path: Path, **terms: Any) -> tuple[Path, Path]:
        one, other = played(begun(**terms), 1), played(begun(**terms), 1)
        for world, number in ((one, 1), (other, 2)):
            turn(world, number)
        return kept(one.outbox("report", "Altair"), tmp_path / "a"), kept(other.outbox("report", "Borealis"), tmp_path / "b")

    @pytest.mark.parametrize("terms", [{}, {"who_has_sent": "nothing"}])
    def test_prove_a_fork_by_two_mailboxes(self, begun: Callable[..., World], tmp_path: Path, terms: dict[str, Any]) -> None:
        mailboxes = self.fork(begun, tmp_path, **terms)
        done = ask(*mailboxes)
        *_, last = done.stdout.splitlines()
        assert "It is proved: the checkpoint of pbmd.test/games/galaxy-7" in last
        proof = next(each for each in told(*mailboxes)["disagreements"] if each["notes"])
        assert proof["mails"][0].startswith(str(tmp_path / "a"))
        assert proof["mails"][1].startswith(str(tmp_path / "b"))
        assert len(set(proof["notes"])) == 2

    def test_are_a_proof_as_two_notes_alone(self, begun: Callable[..., World], tmp_path: Path) -> None:
        proof = next(each for each in told(*self.fork(begun, tmp_path))["disagreements"] if each["notes"])
        notes = [tmp_path / name for name in ("one.txt", "two.txt")]
        for path, note in zip(notes, proof["notes"], strict=True):
            path.write_text(note)
        document = told(*notes)
        assert (document["code"], document["unsigned"]) == (1, 2), "the key is not in them"
        assert not any(each["notes"] for each in document["disagreements"])
        done = ask(*notes, more=("--key", proof["key"]))
        assert (done.exit_code, "It is proved" in done.stdout) == (1, True), done.output

    def test_that_were_altered_prove_nothing(self, world: World, tmp_path: Path) -> None:
        report = world.outbox("report", "Altair")[-1]
        found = claims_of_mail(report.raw).checkpoints[0]
        note = tmp_path / "note.txt"
        said = found.checkpoint
        note.write_text(str(found.note).replace(f"\n{said.size}\n", f"\n{said.size - 1}\n"))
        document = told(kept(world.outbox("", "Altair"), tmp_path / "kept"), note)
        assert (document["code"], document["disagreements"]) == (1, [])
        assert [each["where"] for each in document["worthless"]] == [str(note)]
        assert ask(tmp_path / "kept", note).stdout.splitlines()[-1].startswith("A checkpoint in these mails is not what was")

    def test_signed_with_another_key_are_said_to_be(self, world: World, tmp_path: Path) -> None:
        """Somebody who forges a mail signs with a key of their own."""
        found = claims_of_mail(world.outbox("report", "Altair")[-1].raw).checkpoints[0]
        mallory = Signer(found.checkpoint.origin, b"m" * 32)
        note = tmp_path / "note.txt"
        said = Checkpoint(found.checkpoint.origin, found.checkpoint.size, "cd" * 32)
        note.write_text(f"{mallory.verifier}\n\n{sign_checkpoint(said, mallory)}")
        document = told(kept(world.outbox("report", "Altair"), tmp_path / "kept"), note)
        assert document["code"] == 1
        assert f"key of {found.checkpoint.origin}" in {each["about"] for each in document["disagreements"]}
        assert not any(each["notes"] for each in document["disagreements"])
        key = str(claims_of_mail(world.outbox("report", "Altair")[-1].raw).keys[0])
        sure = told(tmp_path / "kept", note, more=("--key", key))
        assert f"key of {found.checkpoint.origin}" not in {each["about"] for each in sure["disagreements"]}

    def test_a_key_that_is_none_is_an_error(self, world: World, tmp_path: Path) -> None:
        path = kept(world.outbox("report", "Altair"), tmp_path / "kept")
        assert ask(path, more=("--key", "nonsense")).exit_code == 2


class TestOneMailbox:
    def test_shows_a_secret_that_was_not_promised(self, world: World, tmp_path: Path) -> None:
        report = world.outbox("report", "Altair")[-1]
        secret = proof_of(report).split("now revealed:")[1].split()[0]
        document = told(kept(world.outbox("", "Altair"), tmp_path / "kept", secret, "00" * 32))
        assert (document["code"], [each["about"] for each in document["disagreements"]]) == (1, ["dice secret of turn 2"])
        assert len(set(document["disagreements"][0]["mails"])) == 2

    def test_shows_a_receipt_that_became_another(self, world: World, tmp_path: Path) -> None:
        mails = [mail for mail in world.outbox("", "Altair") if mail.kind in ("report", "acknowledgement")]
        answer = world.outbox("acknowledgement", "Altair")[-1]
        arrived = next(line for line in proof_of(answer).splitlines() if line.startswith("Arrived"))
        path = kept(mails, tmp_path / "kept")
        file = next(file for file in path.iterdir() if file.read_bytes() == answer.raw)
        file.write_bytes(opened(answer.raw).replace(arrived.encode(), arrived.replace(" 20 Nov", " 19 Nov").encode()))
        document = told(path)
        assert (document["code"], "receipt" in document["disagreements"][0]["about"]) == (1, True)

    def test_shows_a_report_that_was_sent_twice_with_different_words(self, world: World, tmp_path: Path) -> None:
        report = world.outbox("report", "Altair")[-1]
        one, other = kept([report], tmp_path / "one"), kept([report], tmp_path / "two", "added Altair", "added Altaix")
        done = ask(one, other)
        assert (done.exit_code, "report of turn 2 for altair@players.test" in done.stdout) == (1, True)
        assert "Altaix" in done.stdout


class TestTheArchive:
    def test_is_looked_at_besides(self, world: World, tmp_path: Path) -> None:
        archive = export(world, tmp_path / "archive")
        mailboxes = [kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES]
        done = ask(*mailboxes, more=("--archive", str(archive)))
        assert done.exit_code == 0, done.output
        assert "Not looked at, or not wholly: 3 values" in done.stdout, "the salts of the open turn"
        assert "What is told of as not compared is the word of whoever wrote the mail." in done.stdout
        played(world, 1, first=7)
        newer = export(world, tmp_path / "newer")
        journal = newer / "data" / "journal.jsonl"
        assert journal.exists()
        journal.write_text(journal.read_text().replace('"turn":1', '"turn":9', 1))
        done = ask(*mailboxes, more=("--archive", str(newer)))
        assert (done.exit_code, done.stdout.splitlines()[-1]) == (
            1,
            "These mails do not agree with the archive; see the lines with NO.",
        )


class TestWhatThereIsNoMailOf:
    """A host can keep a report back, or write orders in the name of a seat and keep the answer: only the player can know."""

    @pytest.mark.parametrize("command", ["compare", "receipt"])
    def test_is_named(self, world: World, tmp_path: Path, command: str) -> None:
        archive = export(world, tmp_path / "archive")
        mails = [mail for mail in world.outbox("", "Altair") if mail.kind in ("report", "acknowledgement")]
        _, _, report, answer, *_ = mails
        path = as_files([mail for mail in mails if mail not in (report, answer)], tmp_path / "kept")
        done = CliRunner().invoke(app, [command, str(path), "--archive", str(archive)])
        number = proof_of(answer).split("Receipt")[1].split()[0]
        assert done.exit_code == 0, done.output
        assert [line.strip() for line in done.stdout.splitlines() if " for Altair" in line or "of Altair with" in line] == [
            "the report of turn 1 for Altair",
            f"an answer to orders of Altair with receipt {number}",
        ]
        assert "In the books, but not among these mails: 2." in done.stdout
        assert "Each value" not in done.stdout.splitlines()[-1]

    def test_is_nothing_after_a_turn_was_played_again(self, world: World, tmp_path: Path) -> None:
        """Orders are on file again, under a number of which there is no answer."""
        world.act(GAME, roll_back, 2)
        assert world.pass_time(timedelta(days=4))
        played(world, 1, first=5)
        archive = export(world, tmp_path / "archive")
        document = told(kept(world.outbox("", "Altair"), tmp_path / "kept"), more=("--archive", str(archive)))
        assert (document["absent"], document["unanswered"]) == ([], 1)
        assert "No answer was looked for to 1 letter, " in ask(tmp_path / "kept", more=("--archive", str(archive))).stdout

    def test_is_nothing_that_came_before_the_seat_changed_hands(self, world: World, tmp_path: Path) -> None:
        before = [mail for mail in world.outbox("acknowledgement", "Altair") if "Receipt " in body_of(mail)]
        world.act(GAME, seat_offers.offer, "Altair", "dora@players.test", Holder("Dora", "UTC"))
        world.reply(world.questions("dora@players.test")[-1], "YES")
        senders = ("dora@players.test", address_of("Borealis"), address_of("Cygnus"))
        for seat, sender in zip(NAMES, senders, strict=True):
            world.now += timedelta(minutes=1)
            world.send(seat, "Add 1", sender=sender)
        world.pass_time(HOUR)
        archive = export(world, tmp_path / "archive")
        mails = kept(world.mails(col(Outbox.recipient) == "dora@players.test"), tmp_path / "kept")
        document = told(mails, more=("--archive", str(archive)))
        assert [line for line in document["absent"] if "an answer" in line] == []
        assert document["unanswered"] == len(before) == 2

    def test_is_nothing_in_a_whole_mailbox(self, world: World, tmp_path: Path) -> None:
        archive = export(world, tmp_path / "archive")
        path = kept(world.outbox("", "Altair"), tmp_path / "kept")
        assert "not among these mails" not in ask(path, more=("--archive", str(archive))).stdout


class TestPress:
    """Press that was mailed by itself, held against what the archive shows of it."""

    TEXT = "Beware, of the third of us.\n\n> and of me\nEach of these lines may be wrapped by a mail program, for it is long."

    def told_of(self, world: World, tmp_path: Path, old: str = "", new: str = "") -> list[tuple[bool | None, str]]:
        """What becomes of the press that Borealis got, when a turn is over since."""
        archive = export(world, tmp_path / "archive")
        done = ask(kept(world.outbox("", "Borealis"), tmp_path / "b", old, new), more=("--archive", str(archive), "--json"))
        findings = json.loads(done.stdout)["findings"]
        assert (done.exit_code == 0) == all(each["holds"] or not each["whole"] for each in findings)
        return [(each["holds"], each["words"]) for each in findings if each["what"] == "press"]

    def wrote(self, world: World, to: str = "Borealis", how: str = "") -> None:
        world.send("Altair", f"{how}PRESS TO {to}\n{self.TEXT}\nEND PRESS")

    @pytest.mark.parametrize("to", ["Borealis", "ALL"])
    def test_is_that_of_the_books(self, world: World, tmp_path: Path, to: str) -> None:
        self.wrote(world, to)
        played(world, 1, first=5)
        assert self.told_of(world, tmp_path) == [(True, "its words are those in the books")]

    @pytest.mark.parametrize(("old", "new"), [("of the third", "of nobody"), ("From: Altair", "From: Cygnus")])
    def test_is_not_if_somebody_changed_it(self, world: World, tmp_path: Path, old: str, new: str) -> None:
        self.wrote(world)
        played(world, 1, first=5)
        ((holds, words),) = self.told_of(world, tmp_path, old, new)
        assert (holds, words) == (False, "no press with these words from this writer is in the books")

    def test_is_not_if_it_names_other_readers_whoever_they_are(self, world: World, tmp_path: Path) -> None:
        self.wrote(world)
        number = world.journal("press")[-1].number
        played(world, 1, first=5)
        told = self.told_of(world, tmp_path, "To:   Borealis", "To:   the council of all")
        assert told == [(False, f"entry {number} has it to Borealis")]

    def test_of_those_who_watch_is_in_no_journal(self, world: World, tmp_path: Path) -> None:
        said = Statement((), GAME, step="turn 1", press="Well played.", writer="spectator ABCDE234", readers="spectators")
        found = compare_press(said, books_of_archive(export(world, tmp_path / "archive") / "data"))
        assert (found.holds, found.words) == (None, "it was not compared: what those who watch write is in no journal")

    def test_of_a_step_that_is_open_is_not_compared(self, world: World, tmp_path: Path) -> None:
        self.wrote(world)
        ((holds, words),) = self.told_of(world, tmp_path)
        assert (holds, words) == (None, "it was not compared: it is of a step that is not over in these books")

    def test_that_no_archive_may_have_is_not_compared(self, begun: Callable[..., World], tmp_path: Path) -> None:
        world = begun(press_archive="none")
        self.wrote(world)
        played(world, 1)
        assert self.told_of(world, tmp_path) == [(None, "it was not compared: these books do not show all press")]

    def test_of_nobody_is_not_compared(self, begun: Callable[..., World], tmp_path: Path) -> None:
        world = begun(anonymous_press=True)
        self.wrote(world, how="ANONYMOUS ")
        played(world, 1)
        assert self.told_of(world, tmp_path) == [(None, "it was not compared: these books do not show all press")]

    def test_that_never_came_is_named(self, world: World, tmp_path: Path) -> None:
        self.wrote(world)
        number = world.journal("press")[-1].number
        played(world, 1, first=5)
        archive = export(world, tmp_path / "archive")
        mails = [mail for mail in world.outbox("", "Borealis") if mail.kind != "press"]
        done = ask(kept(mails, tmp_path / "b"), more=("--archive", str(archive)))
        assert f"     press from Altair to Borealis, entry {number}" in done.stdout.splitlines()


class TestDeadlines:
    """Those in receipts, reports and notices, held against all that entries say."""

    def of(self, document: dict[str, Any]) -> set[bool | None]:
        return {each["holds"] for each in document["findings"] if each["what"] == "deadline"}

    def checked(self, world: World, tmp_path: Path, mails: Path) -> dict[str, Any]:
        archive = export(world, tmp_path / "archive")
        return json.loads(ask(mails, more=("--archive", str(archive), "--json")).stdout)

    def test_are_those_of_the_journal(self, world: World, tmp_path: Path) -> None:
        world.master("EXTEND 1h")
        played(world, 1, first=5)
        mails = world.outbox("", "Altair")
        assert any(mail.kind == "notice" for mail in mails)
        document = self.checked(world, tmp_path, kept(mails, tmp_path / "kept"))
        assert (document["agrees"], self.of(document), document["absent"]) == (True, {True}, [])

    @pytest.mark.parametrize("old", ["Due Mon 23 Nov", "Deadline    Mon 23 Nov"])
    def test_that_nothing_says_are_named(self, world: World, tmp_path: Path, old: str) -> None:
        later = old.replace("Mon 23", "Mon 30")
        document = self.checked(world, tmp_path, kept(world.outbox("", "Altair"), tmp_path / "kept", old, later))
        told = [each for each in document["findings"] if each["what"] == "deadline" and not each["holds"]]
        told = [each for each in told if not each["words"].startswith("not compared")]  # how long it is until then
        assert [(each["holds"], each["whole"]) for each in told] == [(None, False)], "a seat can have time of its own"
        assert "no entry that is shown says it" in told[0]["words"]

    def test_of_which_nobody_was_told_are_named(self, world: World, tmp_path: Path) -> None:
        world.master("EXTEND 1h")
        number = world.journal("extended")[-1].number
        played(world, 1, first=5)
        mails = [mail for mail in world.outbox("", "Altair") if mail.kind != "notice"]
        document = self.checked(world, tmp_path, kept(mails, tmp_path / "kept"))
        (absent,) = document["absent"]
        assert absent.startswith('a notice to Altair: "the deadline is 1 h later", due 2026-11-23 ')
        assert absent.endswith(f" UTC, entry {number}")


def _announces(world: World) -> None:
    world.act(GAME, announce, "All is well.")


def _announces_while_paused(world: World) -> None:
    world.master("PAUSE")
    _announces(world)


def _peeks(world: World) -> None:
    def looks(work: Any, table: Any) -> str:
        return peek(work, table, table.seat("Altair"), "a doubt")

    world.act(GAME, looks)


def _commands(text: str) -> Callable[[World], object]:
    return lambda world: world.master(text)


_NOTICES: Sequence[tuple[str, Callable[[World], object]]] = (
    ("an announcement", _announces),
    ("an announcement", _announces_while_paused),
    ("the game is paused", _commands("PAUSE because of a storm")),
    ("the game has resumed", _commands("PAUSE\nRESUME")),
    ("the deadline is 1 h later", _commands("EXTEND 1h because of a storm")),
    ("Altair has 1 day more", _commands("EXTEND 24h FOR Altair")),
    ("a new deadline", _commands("DEADLINE in 80h")),
    ("looked at the orders of Altair", _peeks),
)


class TestNotices:
    """What one says besides its entry is named, wherever it stands."""

    LIE = "Turn 3 is void, and xxx 4."

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize(("headline", "act"), _NOTICES)
    def test_say_nothing_besides(self, world: World, tmp_path: Path, headline: str, act: Callable[[World], Any]) -> None:
        act(world)
        raw = next(mail.raw for mail in world.outbox("notice", "Borealis") if headline.encode() in mail.raw)
        world.master("RESUME")
        played(world, 1, first=5)
        archive = export(world, tmp_path / "archive")

        def notices(text: Callable[[str], str]) -> list[tuple[bool | None, bool, str]]:
            (tmp_path / "mail.eml").write_bytes(rewritten(raw, text))
            found = told(tmp_path / "mail.eml", more=("--archive", str(archive)))["findings"]
            return [(each["holds"], each["whole"], each["words"]) for each in found if each["what"] == "notice"]

        (true,) = notices(str)
        assert true == (True, True, "an entry of the journal says it")
        changes: tuple[Callable[[str], str], ...] = (
            lambda text: f"{self.LIE}\n\n{text}",
            lambda text: f"{text}\n\n{self.LIE}\n",
            lambda text: re.sub(r"\.\n\n", rf".\n\n{self.LIE} ", text, count=1),
        )
        for change in changes:
            (still, more) = notices(change)
            assert (still, self.LIE in more[2]) == (true, True)
            assert more[:2] in ((None, False), (False, True))

    def test_tell_how_a_vote_ended_and_what_votes_there_are(self, begun: Callable[..., World], tmp_path: Path) -> None:
        world = played(begun(votes=("pause", "draw")), 1)
        world.send("Altair", "PROPOSE PAUSE")
        world.master("VETO 1 because of a storm")
        world.master("VOTES draw because of the weather")
        played(world, 1, first=5)
        mails, archive = world.outbox("", "Borealis"), export(world, tmp_path / "archive")
        document = told(kept(mails, tmp_path / "all"), more=("--archive", str(archive)))
        notices = [each["holds"] for each in document["findings"] if each["what"] == "notice" and each["whole"]]
        assert (document["code"], document["absent"], notices) == (0, [], [True] * 3)
        some = [mail for mail in mails if mail.kind != "notice"]
        absent = told(kept(some, tmp_path / "some"), more=("--archive", str(archive)))["absent"]
        ends = [re.sub(", entry .*", "", words) for words in absent]
        told_not = ("vote 1 has begun", "vote 1 is stopped", "what you may vote on has changed")
        assert ends == [f'a notice to Borealis: "{each}"' for each in told_not]

    def test_that_no_entry_makes_are_not_compared(self, world: World, tmp_path: Path) -> None:
        world.master("EXTEND 1h because of a storm")
        raw = world.outbox("notice", "Borealis")[-1].raw
        archive = export(world, tmp_path / "archive")
        for first, words in (
            ("a ruling", "no entry tells what it says"),
            ("hear ye", "no entry makes one that begins like this"),
        ):
            (tmp_path / "mail.eml").write_bytes(rewritten(raw, f"{GAME}, turn 3: {first}. {self.LIE}\n{{:.0}}".format))
            found = told(tmp_path / "mail.eml", more=("--archive", str(archive)))["findings"]
            assert (None, f"not compared: {words}") in [(each["holds"], each["words"]) for each in found]


class TestReceipt:
    def test_holds_mails_against_each_other_too(self, begun: Callable[..., World], tmp_path: Path) -> None:
        """Each may be of a later archive, and still they cannot both be right."""
        one, other = played(begun(), 1), played(begun(), 1)
        archive = export(one, tmp_path / "archive")
        for world, line in ((one, "Add 5"), (other, "Add 9")):
            for seat in NAMES:
                world.send(seat, line if seat == "Borealis" else "Add 1")
            world.pass_time(HOUR)
        mailboxes = [
            kept(world.outbox("report", seat)[-1:], tmp_path / seat) for world, seat in ((one, "Altair"), (other, "Borealis"))
        ]
        done = CliRunner().invoke(app, ["receipt", *map(str, mailboxes), "--archive", str(archive)])
        assert done.exit_code == 1
        assert done.stdout.splitlines()[-1] == "These mails tell two histories; see the lines with NO."


class TestBetweenReaders:
    def test_it_is_said_how_much_was_compared(self, world: World, tmp_path: Path) -> None:
        altair, borealis = (kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES[:2])
        document = told(altair, borealis)
        assert (document["code"], document["readers"], document["between"] > 5) == (0, 2, True)
        assert f"yes  {document['between']} things of these told to several readers" in ask(altair, borealis).stdout
        alone = told(altair)
        assert (alone["code"], alone["readers"], alone["between"]) == (0, 1, 0)
        assert "nothing was compared between readers: all these mails are of one" in ask(altair).stdout

    def test_that_have_nothing_in_common_it_is_no_success(self, world: World, tmp_path: Path) -> None:
        altair = kept(world.outbox("", "Altair"), tmp_path / "a")
        borealis = kept(world.outbox("acknowledgement", "Borealis"), tmp_path / "b")
        done = ask(altair, borealis)
        assert (done.exit_code, done.stdout.splitlines()[-1]) == (
            2,
            "Nothing in these mails was told to several readers, so it cannot be said whether all were told the same.",
        )
        assert done.stdout.splitlines()[2] == "?    0 things of these told to several readers"

    def test_it_is_said_first_which_mails_there_are(self, world: World, tmp_path: Path) -> None:
        folder = kept(world.outbox("report", "Altair"), tmp_path / "a")
        (folder / "other.eml").write_bytes(b"From: a@b.test\n\nHello\n")
        (folder / "notes").write_bytes(b"\0")
        assert ask(folder).stdout.splitlines()[0] == "4 mails, 3 of galaxy-7, 1 of no game, and 1 file besides"
        assert told(folder)["counted"] == {"mails": 4, "games": {GAME: 3}, "of_no_game": 1, "no_mails": 1}

    def test_mails_whose_ids_a_relay_has_rewritten_are_of_their_mailbox(self, world: World, tmp_path: Path) -> None:
        boxes = [kept(world.outbox("", seat), tmp_path / seat) for seat in NAMES[:2]]
        for box in boxes:
            for number, path in enumerate(box.iterdir()):
                path.write_bytes(path.read_bytes().replace(b"Message-ID: <", b"Message-ID: <%d.relay." % number))
        document = told(*boxes)
        assert (document["code"], document["readers"], document["between"] > 5) == (0, 2, True)


class TestWhatCannotBeCompared:
    def test_is_said(self, world: World, tmp_path: Path) -> None:
        one = kept(world.outbox("acknowledgement", "Altair")[:1], tmp_path / "one")
        done = ask(one)
        assert done.exit_code == 2
        assert done.stdout.splitlines()[-1].startswith("These mails have nothing in common to compare.")

    def test_is_counted_if_it_does_not_say_what_it_is_of(self, begun: Callable[..., World], tmp_path: Path) -> None:
        """A public report of a turn that is played again has the same title."""
        world = begun(listed=True)
        world.send("Dora", f"WATCH {GAME}", to=ADDRESS)
        world.confirm(address_of("Dora"))
        played(world, 2)
        done = ask(kept(world.outbox("", "Dora"), tmp_path / "kept"))
        assert "Not compared, since it does not say of which step it is: 3 statements." in done.stdout

    def test_is_left_out_by_name(self, world: World, tmp_path: Path) -> None:
        path = kept(world.outbox("", "Altair"), tmp_path / "kept")
        (path / "family.eml").write_bytes(b"Subject: Sunday\n\nAre you coming?\n")
        done = ask(path)
        assert done.exit_code == 0
        assert "Left out: mails not of pbmd: 1." in done.stdout
        assert any(line.endswith("family.eml: Sunday") for line in done.stdout.splitlines())

    def test_does_not_pass_if_it_cannot_be_read(self, world: World, tmp_path: Path) -> None:
        path = kept(world.outbox("", "Altair"), tmp_path / "kept")
        (path / "round").symlink_to(path)
        done = ask(path)
        assert (done.exit_code, "some could not be read" in done.stdout.splitlines()[-1]) == (1, True)

    def test_is_an_error_if_there_is_nothing_else(self, tmp_path: Path) -> None:
        (tmp_path / "mail.eml").write_bytes(b"Subject: hello\n\nhello\n")
        done = ask(tmp_path / "mail.eml")
        assert (done.exit_code, "this mail has no" in done.stderr) == (2, True)
        assert ask(tmp_path / "nowhere").exit_code == 2

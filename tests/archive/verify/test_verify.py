"""`pbmd verify`: whatever a game went through comes out again to the byte, and nothing else passes."""

import json
import os
import shutil
import socket
import tomllib
from dataclasses import replace
from datetime import timedelta
from itertools import count as count_from
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.seals import NotReadable, damages, files_of
from pbmd.cli import app
from pbmd.desk.changes.gm import abandon, eject
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.peek import peek
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Holder
from pbmd.desk.questions.seat_offers import offer
from tests.archive.made import export, forge, kept, seal_again, verified
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World, address_of
from tests.rules import count
from tests.rulesets.cosmic_conquest.desk import conquest
from tests.rulesets.societies import test_by_mail as societies

BY_WORD = (
    "For the word of whoever made this archive",
    "Nothing but their checksums was checked of letters.mbox",
    "There is no letters.mbox",
)
"""What is said of every archive that has all of a game."""
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def send_all(world: World, *numbers: int) -> None:
    for seat, number in zip(NAMES, numbers, strict=False):
        world.now += MINUTE
        world.send(seat, f"Add {number}")


def play(world: World, *numbers: int) -> None:
    """A turn of Count in which the seats add these numbers; who has none misses it."""
    send_all(world, *numbers)
    assert world.pass_time(4 * DAY) == 1


def sound(world: World, tmp_path: Path) -> dict[str, int]:
    """The archive verifies; gives what was checked."""
    shutil.rmtree(tmp_path / "archive", ignore_errors=True)
    findings = verified(export(world, tmp_path / "archive"))
    assert [str(problem) for problem in findings.problems] == []
    # Here days pass at once: what was due meanwhile is done at their end.
    told = [said for said in findings.unchecked if " was late: all orders were in at " not in said]
    assert not [said for said in told if not said.startswith(BY_WORD)]
    return findings.checked


class TestWhatAGameGoesThrough:
    def test_replaced_refused_late_and_cancelled_orders(self, world: World, tmp_path: Path) -> None:
        world.count(target=40)
        world.send("Altair", "Add 9\nAd 4\n\nAdd 1")
        world.send("Altair", "Add 2")
        world.send("Borealis", "Add 3")
        world.send("Borealis", "CANCEL ORDERS")
        world.send("Cygnus", "nonsense")
        world.pass_time(3 * DAY + MINUTE)
        world.send("Cygnus", "ORDERS FOR TURN 1\nAdd 8")
        world.send("Borealis", "Add 5", at=world.now - DAY)
        play(world, 1, 2, 3)
        assert sound(world, tmp_path)["steps"] == 3

    def test_absent_and_given_up_seats_and_another_holder(self, world: World, tmp_path: Path) -> None:
        world.count()
        play(world, 1, 2)
        world.resign("Borealis")
        play(world, 1)
        world.act("galaxy-7", lambda work, table: eject(work, table, table.seat("Cygnus"), "silence"))
        play(world)
        with world.work() as work:
            table = work.table_named("galaxy-7")
            assert table is not None
            offer(work, table, "Borealis", "new@players.test", Holder("Newcomer", "UTC"))
        world.reply(world.questions("new@players.test")[-1], "YES")
        play(world, 3)
        sound(world, tmp_path)

    def test_options_changed_and_orders_looked_at(self, world: World, tmp_path: Path) -> None:
        world.count()
        play(world, 1, 2, 3)
        world.send("Altair", "Add 9")
        world.act("galaxy-7", set_option, "target", "10")
        world.act("galaxy-7", lambda work, table: peek(work, table, table.seat("Altair"), "a quarrel"))
        play(world, 9, 9, 9)
        sound(world, tmp_path)
        assert 'status = "finished"' in (tmp_path / "archive" / "data" / "game.toml").read_text()

    def test_rollbacks(self, world: World, tmp_path: Path) -> None:
        world.count(target=30)
        for _ in range(3):
            play(world, 1, 2, 3)
        world.act("galaxy-7", roll_back, 2, "a mistake")
        world.resign("Cygnus")
        play(world, 5)
        world.act("galaxy-7", set_option, "target", "9")
        world.act("galaxy-7", roll_back, 1)
        sound(world, tmp_path)
        world.send("Altair", "USE ORDERS OF TURN 2")
        play(world, 9, 9)
        sound(world, tmp_path)
        assert (tmp_path / "archive" / "data" / "turns" / "rolled-back").is_dir()

    @pytest.mark.parametrize("winners", [[], ["Altair"]], ids=["nobody", "somebody"])
    def test_a_game_that_was_over_rolled_back_and_abandoned(self, world: World, tmp_path: Path, winners: list[str]) -> None:
        world.count(target=12)
        play(world, 1, 2, 3)
        play(world, 9, 9, 9)
        assert world.game().status.value == "finished"
        world.act("galaxy-7", roll_back, 2, "a mistake")
        world.act("galaxy-7", abandon, "enough")
        sound(world, tmp_path)

        def end(entries: list[dict[str, Any]]) -> None:
            entries[-1]["public"]["winners"] = winners

        forge(tmp_path / "archive", end)
        problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
        assert any("ends a game by its rules, and nothing was resolved before it" in said for said in problems) == bool(winners)

    def test_a_game_that_runs_and_one_that_is_abandoned(self, world: World, tmp_path: Path) -> None:
        world.count()
        play(world, 1, 2, 3)
        send_all(world, 4, 5)
        sound(world, tmp_path)
        world.act("galaxy-7", abandon, "enough")
        sound(world, tmp_path)

    def test_moves_sent_ahead_and_carried_out_together(self, world: World, tmp_path: Path) -> None:
        past_turn_0(relay(world, die=True))
        for seat, text in (
            ("Cygnus", "Add 3"),
            ("Cygnus", "Add 4\nOffer Altair"),
            ("Borealis", "Add 9"),
            ("Borealis", "CANCEL ORDERS"),
        ):
            world.send(seat, text)
            world.now += MINUTE
        world.send("Borealis", "Add 2")
        world.send("Altair", "Add 1\nAccept Cygnus")
        world.resign("Borealis")
        world.pass_time(4 * DAY)
        world.send("Cygnus", "Add 5")
        sound(world, tmp_path)
        world.act(GAME, abandon)
        checked = sound(world, tmp_path)
        assert checked["steps"] > checked["dice secrets"] > 3  # some moves had one secret

    def test_phases_of_which_some_are_skipped(self, world: World, tmp_path: Path) -> None:
        world.start(seats=NAMES[:2], ruleset="tides", reminders=())
        for texts in (("Base 1", "Base 2"), ("March 3", ""), ("", ""), ("Leave", "Fire Altair"), ("", "March 1")):
            for seat, text in zip(NAMES, texts, strict=False):
                if text:
                    world.send(seat, text)
            world.pass_time(8 * DAY)
        sound(world, tmp_path)

    def test_requests_granted_in_mid_step(self, world: World, tmp_path: Path) -> None:
        conquest(world)
        world.send("Purple", "Telepathic Insight on Red")
        world.send("Red", "Defend Sol with 7 units\nInvest 3 units in Sol")
        world.send("Green", "Pass")
        world.pass_time(4 * DAY)
        world.act(GAME, roll_back, 1)
        world.send("Purple", "Telepathic Insight on Green")
        world.pass_time(5 * DAY)
        sound(world, tmp_path)
        world.act(GAME, abandon)
        sound(world, tmp_path)

    def test_options_set_and_rulings_of_the_game_master(self, tmp_path: Path) -> None:
        (tmp_path / "societies").mkdir()
        world = societies.opened(tmp_path / "societies")
        world.act(societies.GAME, set_option, "domination_needs_gm", "true")
        for name in societies.NAMES[1:]:
            societies.send(world, name, f"Concede to {societies.NAMES[0]}")
        world.pass_time(DAY + timedelta(hours=1))
        world.reply(world.outbox("alarm")[-1], "APPROVE 1")
        world.pass_time(DAY + timedelta(hours=1))
        checked = verified(export(world, tmp_path / "archive", societies.GAME))
        assert checked.problems == []
        assert world.game(societies.GAME).status == "finished"
        world.close()

    def test_a_clock_that_never_stands_still(self, world: World, tmp_path: Path) -> None:
        ticks = count_from(0)
        world.desk = replace(world.desk, now=lambda: world.now + timedelta(microseconds=next(ticks)))
        world.count()
        play(world, 1, 2)
        assert world.journal("resolved")[0].at.microsecond
        sound(world, tmp_path)

    @pytest.mark.parametrize("between", ["\n", "\nSTATUS\n", "\nAdd g7p9.aaaaaaaaaaaaaaaa\n"])
    def test_orders_with_halves_of_a_token_on_lines_of_their_own(self, world: World, tmp_path: Path, between: str) -> None:
        world.count()
        token = world.reply_address("Altair").partition("@")[0].rpartition(".")[2]
        world.send("Altair", f"Add 3\n{token[:8]}{between}{token[8:]}")
        play(world, 2, 2)
        sound(world, tmp_path)

    def test_orders_with_the_token_of_a_seat_in_them(self, world: World, tmp_path: Path) -> None:
        world.count()
        world.open("nova")
        token = world.token_of_gm("nova")  # of one's own game no line with one is read
        world.send("Altair", f"Add 3\nAdd {token}")
        play(world, 1, 2)
        checked = sound(world, tmp_path)
        assert checked["entries of which not all is shown"] == 1
        assert token not in (tmp_path / "archive" / "data" / "journal.jsonl").read_text()


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Two turns of Count, over; the first with a late letter and press."""

    def make() -> Path:
        world: World = request.getfixturevalue("world")
        world.start(seats=NAMES[:2], options={"target": 18}, ruleset="count", reminders=())
        world.send("Borealis", "PRESS TO Altair\nPeace?\nEND PRESS\nAdd 9")
        play(world, 2)
        play(world, 9, 9)
        return export(world, tmp_path / "made")

    if "world" in request.fixturenames:  # the test goes on with it
        return make()
    return kept("two turns of Count", make, tmp_path / "archive")


def run(archive: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["verify", str(archive), "--ruleset", str(Path(count.__file__).parent), *more])


class TestTheCommand:
    def test_says_what_was_checked(self, archive: Path) -> None:
        done = run(archive)
        assert done.exit_code == 0, done.output
        head = tomllib.loads((archive / "data" / "game.toml").read_text())["journal"]["head"]
        assert "galaxy-7 (count), all" in done.stdout
        assert (
            f"Nothing is wrong in what could be checked; what could not be is said above.\nHead of the journal: {head}"
            in done.stdout
        )

    def test_gives_json(self, archive: Path) -> None:
        found = json.loads(run(archive, "--json").stdout)
        assert (found["ok"], found["problems"], found["needs"]) == (True, [], "")
        assert found["checked"]["steps"] == 3

    def test_names_turn_seat_file_and_line(self, archive: Path) -> None:
        report = archive / "data" / "turns" / "001" / "reports" / "1-altair.txt"
        lines = report.read_text().splitlines()
        line = len(lines)
        report.write_text("\n".join([*lines[:-1], "something else", ""]))
        seal_again(archive)
        done = run(archive)
        assert done.exit_code == 1
        assert f"turn 001, Altair, data/turns/001/reports/1-altair.txt, line {line}: it comes out differently" in done.stdout
        assert "comes out as: " in done.stdout

    def test_refuses_what_is_no_archive(self, tmp_path: Path) -> None:
        done = run(tmp_path)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "it is not the bag that an archive is" in " ".join(done.stderr.split())
        done = run(tmp_path / "nothing")
        assert (done.exit_code, done.stdout) == (2, ""), "a name that is mistyped is no verdict"
        assert "No such file or directory" in done.stderr

    def test_says_which_rules_are_missing_and_how_to_give_them(self, archive: Path) -> None:
        done = CliRunner().invoke(app, ["verify", str(archive)])
        assert done.exit_code == 1
        told = (
            'No turn was played again, since the rules of this game are not at hand: there is no ruleset "count". There are: '
        )
        assert told in done.stdout
        assert f"give the folder of its rules: pbmd verify {archive} --ruleset DIR (It was made with pbmd " in done.stdout
        assert "this is not what was written" not in done.stdout
        found = json.loads(CliRunner().invoke(app, ["verify", str(archive), "--json"]).stdout)
        assert (found["ok"], found["problems"], found["missing"][:19]) == (False, [], "No turn was played ")

    def test_counts_one_thing_as_one(self, archive: Path) -> None:
        assert "1 set of pages, database and schemas" in run(archive).stdout

    def test_says_what_is_wrong_without_the_rules_too(self, archive: Path) -> None:
        report = archive / "data" / "turns" / "001" / "reports" / "1-altair.txt"
        report.write_text(f"{report.read_text()}more\n")
        done = CliRunner().invoke(app, ["verify", str(archive)])
        assert done.exit_code == 1
        assert "the rules of this game are not at hand" in done.stdout
        assert "2 problems: this is not what was written." in done.stdout

    def test_shows_no_control_characters_of_an_archive(self, archive: Path) -> None:
        report = archive / "data" / "turns" / "001" / "reports" / "1-altair.txt"
        report.write_text("\x1b]0;owned\x07\x9b2J" + report.read_text())
        for more in ((), ("--json",)):
            done = run(archive, *more)
            assert done.exit_code == 1
            assert not set("\x1b\x07\x9b") & set(done.stdout)


class TestOtherRules:
    def test_that_come_out_the_same_are_as_good(self, archive: Path) -> None:
        game = archive / "data" / "game.toml"
        said = tomllib.loads(game.read_text())["ruleset_digest"]
        # One from before the rules were inside; tests/archive/verify/test_rules_inside.py has those that bring others along.
        game.write_text(game.read_text().replace(said, "0" * 64).replace("format = 4\n", "format = 3\n"))
        (archive / "rules.zip").unlink()
        seal_again(archive)
        assert verified(archive).ok

    def test_that_do_not_are_named(self, archive: Path) -> None:
        game = archive / "data" / "game.toml"
        said = tomllib.loads(game.read_text())["ruleset_digest"]
        game.write_text(game.read_text().replace(said, "0123456789abcdef" * 4))
        after = archive / "data" / "turns" / "001" / "after.toml"
        after.write_text(after.read_text() + "more = 1\n")
        seal_again(archive)
        findings = verified(archive)
        assert not findings.ok
        assert "with count (digest 0123456789abcdef); this is pbmd" in findings.needs


class TestOtherViews:
    @pytest.mark.parametrize(
        ("audience", "reader"), [(TO_PUBLIC, "the public"), (Audience("seat", "Altair"), "the seat Altair")]
    )
    @pytest.mark.usefixtures("archive")
    def test_say_what_they_cannot_show(self, world: World, tmp_path: Path, audience: Audience, reader: str) -> None:
        findings = verified(export(world, tmp_path / "part", audience=audience))
        assert findings.ok, findings.problems
        assert findings.checked["dice secrets"] == 2
        assert findings.unchecked[0].startswith(f"This archive shows what {reader} may know, so")
        assert "no turn can be resolved again" in findings.unchecked[0]

    @pytest.mark.usefixtures("archive")
    def test_a_broken_chain_is_found_in_them_too(self, world: World, tmp_path: Path) -> None:
        part = export(world, tmp_path / "part", audience=TO_PUBLIC)
        journal = part / "data" / "journal.jsonl"
        journal.write_text(journal.read_text().replace('"number":1', '"number":9', 1))
        seal_again(part)
        findings = verified(part)
        assert [(problem.file, problem.line) for problem in findings.problems] == [("data/journal.jsonl", 1)]

    @pytest.mark.usefixtures("archive")
    def test_anonymised_ones_verify_as_far_as_they_go(self, world: World, tmp_path: Path) -> None:
        part = export(world, tmp_path / "anonymous", anonymised=True)
        findings = verified(part)
        assert findings.ok, findings.problems
        assert findings.checked["turns resolved alone"] == 2
        assert "nothing binds to the journal" in findings.unchecked[0]
        after = part / "data" / "turns" / "002" / "after.toml"
        after.write_text(after.read_text().replace("score = ", "score = 1", 1))
        seal_again(part)
        (problem,) = verified(part).problems
        assert (problem.file, problem.turn) == ("data/turns/002/after.toml", "002")


class TestForgeries:
    """Somebody has changed what was played, and made all checksums and the whole chain fit."""

    def test_of_orders(self, archive: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            for entry in entries:
                if entry["kind"] == "orders" and entry["secret"]["seat"] == "Altair":
                    entry["secret"]["lines"] = [[1, "Add 7"]]

        forge(archive, change)
        problems = verified(archive).problems
        assert {problem.turn for problem in problems} == {"001", "002"}
        assert "data/turns/001/orders.toml" in [problem.file for problem in problems]

    def test_of_a_dice_secret(self, archive: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            next(entry for entry in entries if entry["kind"] == "resolved")["public"]["secret"] = "ab" * 32

        forge(archive, change)
        problems = verified(archive).problems
        assert "is not the one that was promised" in problems[0].problem
        assert (problems[0].file, problems[0].turn) == ("data/journal.jsonl", "1")

    def test_of_a_missed_deadline(self, archive: Path) -> None:
        forge(archive, lambda entries: entries.remove(next(entry for entry in entries if entry["kind"] == "orders")))
        assert not verified(archive).ok

    @pytest.mark.parametrize("kind", ["created", "joined", "started", "orders", "resolved"])
    def test_that_make_no_sense_are_findings_and_no_crash(self, archive: Path, kind: str) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            entry = next(entry for entry in entries if entry["kind"] == kind)
            for part in ("public", "secret"):
                if part in entry:
                    entry[part] = {key: {"deep": [1.5, None, -(2**50)]} for key in entry[part]}

        forge(archive, change)
        problems = verified(archive).problems
        assert problems
        assert all(problem.file.startswith(("data/", "bag-info.txt")) for problem in problems)


class TestHostileFolders:
    @pytest.mark.parametrize("place", ["data/link", "data/turns/001/reports/link", "link"])
    def test_with_links_are_not_read(self, archive: Path, place: str) -> None:
        (archive / place).symlink_to("/etc/passwd")
        with pytest.raises(NotReadable, match="link"):
            verified(archive)

    def test_that_are_links_themselves_are_not_read(self, archive: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").symlink_to(archive)
        with pytest.raises(NotReadable):
            verified(tmp_path / "elsewhere")

    def test_with_pipes_do_not_make_it_wait(self, archive: Path) -> None:
        os.mkfifo(archive / "data" / "pipe")
        with pytest.raises(NotReadable):
            verified(archive)

    @pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "data/../../x"])
    def test_lead_nowhere_by_their_manifests(self, archive: Path, path: str) -> None:
        for name, digits in (("sha256", 64), ("sha512", 128)):
            with (archive / f"manifest-{name}.txt").open("a") as file:
                file.write(f"{'0' * digits}  {path}\n")
        problems = verified(archive).problems
        assert not [problem for problem in problems if "passwd" in problem.file]
        assert problems

    @pytest.mark.parametrize("name", ["data/more.txt", "data/turns/007/after.toml", "more.txt"])
    def test_with_more_than_was_written_are_found(self, archive: Path, name: str) -> None:
        (archive / name).parent.mkdir(exist_ok=True)
        (archive / name).write_text("more")
        assert verified(archive).problems[0].file == name

    def test_with_turns_that_never_were_are_found_though_all_checksums_fit(self, archive: Path) -> None:
        (archive / "data" / "turns" / "007").mkdir()
        (archive / "data" / "turns" / "007" / "after.toml").write_text("")
        seal_again(archive)
        assert [problem.file for problem in verified(archive).problems] == ["data/turns/007/after.toml"]

    @pytest.mark.parametrize("text", ["", "format = 2", "format = 99", "[" * 9000, "\x00", 'format = 2\nname = ["a"]'])
    def test_with_another_head_are_findings(self, archive: Path, text: str) -> None:
        (archive / "data" / "game.toml").write_text(text)
        assert [problem.file for problem in verified(archive).problems][:1] == ["data/game.toml"]

    @pytest.mark.parametrize(
        "line", [b"[" * 100_000, b"{}", b'{"a":1e999}', b"\xff", b'{"number":1,"number":1}', b'{"a":"\\ud800"}']
    )
    def test_with_another_journal_are_findings(self, archive: Path, line: bytes) -> None:
        (archive / "data" / "journal.jsonl").write_bytes(line + b"\n")
        seal_again(archive)
        (problem,) = verified(archive).problems
        assert (problem.file, problem.line) == ("data/journal.jsonl", 1)


def places(archive: Path) -> list[tuple[str, int]]:
    """Every byte of an archive."""
    return [(path, at) for path, size in files_of(archive).items() for at in range(size)]


def flip(path: Path, at: int, bit: int) -> bytes:
    """Change a bit of a file; gives what it was."""
    before = path.read_bytes()
    path.write_bytes(before[:at] + bytes([before[at] ^ (1 << bit)]) + before[at + 1 :])
    return before


class TestFlippedBytes:
    def test_in_every_file_are_found_and_named(self, archive: Path) -> None:
        random = Random(9)
        for path, size in files_of(archive).items():
            before = flip(archive / path, random.randrange(size), random.randrange(8))
            try:
                problems = verified(archive).problems
            except NotReadable as problem:
                pytest.fail(f"{path}: {problem}")
            assert problems, path
            assert problems[0].file == path
            (archive / path).write_bytes(before)
        assert verified(archive).ok

    def test_in_what_the_rules_make_have_their_line_named(self, archive: Path) -> None:
        path = archive / "data" / "turns" / "002" / "after.toml"
        before = path.read_bytes()
        line = before.count(b"\n", 0, len(before) // 2) + 1
        flip(path, len(before) // 2, 0)
        found = [(problem.file, problem.turn, problem.line) for problem in verified(archive).problems]
        assert ("data/turns/002/after.toml", "002", line) in found

    @pytest.mark.fuzz
    def test_anywhere_are_found_and_named(self, archive: Path) -> None:
        """Every byte of the archive with PBMD_FLIPS=all; some hundreds by default."""
        every = places(archive)
        budget = os.environ.get("PBMD_FLIPS", "400")
        random = Random(11)
        for path, at in every if budget == "all" else random.sample(every, int(budget)):
            before = flip(archive / path, at, random.randrange(8))
            found = damages(archive, files_of(archive), lambda: None)
            assert [damage.path for damage in found] == [path], (path, at)
            (archive / path).write_bytes(before)


def test_nothing_but_the_folder_is_asked(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("verify asks nobody")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(sqlalchemy, "create_engine", refuse)
    assert verified(archive).ok


def test_addresses_of_players_are_in_no_finding(archive: Path) -> None:
    after = archive / "data" / "turns" / "001" / "after.toml"
    after.write_text(after.read_text().replace("1", "2"))
    assert address_of("Altair") not in json.dumps(verified(archive).document())

"""After a backup was restored the dice of the step that is open are promised anew and bound anew, and all are told."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbmd.archive.format.audience import Audience
from pbmd.cli import app
from pbmd.desk.changes import deadline_changes
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.new_game import start_game
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.due.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game, JournalEntry, Outbox, StepRecord
from pbmd.rules.salts import salt_of
from tests.archive.made import export, forge, verified
from tests.desk.relay import past_turn_0, relay
from tests.desk.restored import put_back, restored
from tests.desk.world import ADDRESS, NAMES, World, address_of, body_of, message_of, opened, proof_of
from tests.docs.pages import ROOT

GAME = "galaxy-7"
HOUR, DAYS = timedelta(hours=1), timedelta(days=4)
KEPT = ("position", "turn", "step", "deadline", "opened_at", "takes_from", "status", "meanwhile", "due_at")
"""What of a game a restored backup leaves as it is."""


def notices(world: World, seat: str) -> list[str]:
    """What a seat was told of new promises."""
    told = (mail for mail in world.outbox("notice", seat) if mail.key.startswith("restored"))
    return [f"{body_of(mail)}\n{proof_of(mail)}" for mail in told]


def public(entry: JournalEntry) -> dict[str, Any]:
    return json.loads(entry.public)


def hashed(secret: str | bytes) -> str:
    return sha256(bytes.fromhex(secret) if isinstance(secret, str) else secret).hexdigest()


def rolls(world: World) -> list[Any]:
    return [json.loads(record.dice) for record in world.rows(StepRecord)]


def a_turn(world: World, *lines: str) -> None:
    for seat, line in zip(NAMES, lines, strict=True):
        world.send(seat, line)
        world.now += timedelta(minutes=1)
    assert world.pass_time(HOUR) == 1


def simultaneous(world: World, **terms: Any) -> None:
    """A turn is over, and of the next two have sent their orders, one with a word."""
    world.start(GAME, ruleset="count", options={"target": 1000}, reminders=(), **terms)
    a_turn(world, "Add 1", "Add 2", "Add 3")
    world.send("Altair", "#word to be or not to be\nAdd 4")
    world.send("Borealis", "Add 5")


def go_on(world: World) -> None:
    world.send("Cygnus", "Add 6")
    assert world.pass_time(HOUR) == 1
    a_turn(world, "Add 7", "Add 8", "Add 9")


def sequential(world: World) -> None:
    """Borealis and Cygnus have sent their moves ahead; Altair is to move."""
    past_turn_0(relay(world, die=True))
    world.send("Altair", "Add 2")
    world.send("Borealis", "Add 2")
    for seat in ("Altair", "Borealis"):
        world.now += timedelta(minutes=1)
        world.send(seat, "#word of mine\nAdd 3")


def move_on(world: World) -> None:
    world.send("Cygnus", "Add 2")
    for seat in NAMES:
        world.now += timedelta(minutes=1)
        world.send(seat, "Add 5")


PLAYS = [(simultaneous, go_on), (sequential, move_on)]
plays = pytest.mark.parametrize(("begin", "end"), PLAYS, ids=["simultaneous", "sequential"])
_Play = Callable[[World], None]


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[World, World]]:
    """Two desks at which all goes the same way as long as the same is done."""
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    with closing(World(folders[0])) as one, closing(World(folders[1])) as other:
        yield one, other


def kept(world: World, folder: Path, since: int = 0) -> Path:
    """All mails to players, as they keep them."""
    folder.mkdir()
    for mail in world.outbox():
        if (mail.id or 0) > since and mail.recipient.endswith("@players.test"):
            (folder / f"{mail.id:04}.eml").write_bytes(mail.raw)
    return folder


def compare(*mailboxes: Path, archive: Path | None = None) -> tuple[int, dict[str, Any]]:
    more = ["--archive", str(archive)] if archive else []
    done = CliRunner().invoke(app, ["compare", *map(str, mailboxes), *more, "--json"])
    return done.exit_code, json.loads(done.stdout)


def program(archive: Path, *values: str) -> tuple[int, str]:
    """What the stand-alone verifier says."""
    command = [sys.executable, str(ROOT / "deploy" / "verify.py"), str(archive), *values]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class TestAStepThatIsOpen:
    @pytest.mark.parametrize("begin", [simultaneous, sequential])
    def test_is_promised_anew_and_what_was_promised_is_opened(self, begin: _Play, world: World) -> None:
        begin(world)
        old = world.game()
        restored(world)
        new, (entry,) = world.game(), world.journal("restored")
        said = public(entry)
        assert (said["turn"], said["step"]) == (old.turn, old.step)
        assert (said["secret"], json.loads(entry.secret)) == (old.secret.hex(), {"salts": old.salts.hex()})
        assert (said["commitment"], said["salts_commitment"]) == (hashed(new.secret), hashed(new.salts))
        assert len({old.secret, new.secret, old.salts, new.salts}) == 4

    @pytest.mark.parametrize("begin", [simultaneous, sequential])
    def test_stays_as_it_was_with_the_orders_on_file(self, begin: _Play, world: World) -> None:
        begin(world)
        before, filed = world.game(), [row.model_dump() for row in world.submissions()]
        restored(world)
        after = world.game()
        assert {key: getattr(after, key) for key in KEPT} == {key: getattr(before, key) for key in KEPT}
        assert [row.model_dump() for row in world.submissions()] == filed

    def test_each_seat_is_told_why_and_with_which_promise_and_salt(self, world: World) -> None:
        simultaneous(world)
        old = world.game()
        restored(world)
        new = world.game()
        for number, seat in enumerate(NAMES, start=1):
            (told,) = notices(world, seat)
            words = " ".join(told.split())
            assert "since our records had to be restored from a backup" in words
            assert f"Commitment to the dice secret of turn 2 (its SHA-256): {hashed(new.secret)} " in words
            assert f"In place of the commitment: {hashed(old.secret)} " in words
            assert f"Your salt for the dice of turn 2, known to you alone: {salt_of(new.salts, number).hex()} " in words
            others = [salt_of(new.salts, other).hex() for other in (1, 2, 3) if other != number]
            assert not [salt for salt in others if salt in words]
            assert new.secret.hex() not in words

    def test_those_who_watch_are_told_and_the_log_says_it(self, world: World) -> None:
        simultaneous(world, listed=True)
        world.send("Deneb", "WATCH galaxy-7", to=ADDRESS)
        world.confirm(address_of("Deneb"))
        restored(world)
        (mail,) = world.outbox("notice", "Deneb")
        assert "There are new dice for turn 2" in " ".join(body_of(mail).split())
        (line,) = world.log("restored")
        assert (line.game, line.detail) == (GAME, "the dice of turn 2 are promised anew")

    @plays
    def test_is_rolled_with_others_and_bound_to_the_same_orders_and_words(
        self, begin: _Play, end: _Play, twins: tuple[World, World]
    ) -> None:
        """The other world is what happened, or would have, without the backup."""
        world, other = twins
        for each in twins:
            begin(each)
        before = len(world.rows(StepRecord))
        assert rolls(world) == rolls(other)
        restored(world)
        for each in twins:
            end(each)
        one, two = (each.rows(StepRecord)[before] for each in twins)
        assert (one.words, one.step, one.turn) == (two.words, two.step, two.turn)
        assert rolls(world)[before] != rolls(other)[before] != []
        assert hashed(one.secret) == public(world.journal("restored")[0])["commitment"]
        assert (one.secret != two.secret, one.salts != two.salts) == (True, True)

    @plays
    def test_all_that_can_be_checked_is_sound(self, begin: _Play, end: _Play, world: World, tmp_path: Path) -> None:
        begin(world)
        old = world.game()
        old_salt = salt_of(old.salts, 1).hex()
        restored(world)
        (told,) = notices(world, "Altair")
        new = world.game()
        end(world)
        archive = export(world, tmp_path / "archive")
        findings = verified(archive)
        assert (findings.problems, findings.whole) == ([], True)
        (entry,) = world.journal("restored")
        assert [said for said in findings.unchecked if f"In entry {entry.number} of the journal" in said]
        values = hashed(old.secret), old.secret.hex(), hashed(new.secret), new.secret.hex(), salt_of(new.salts, 1).hex()
        code, words = program(archive, *values)
        assert (code, "all as they must be" in words) == (0, True), words
        assert f"entry {entry.number}, restored: the secret is the one that was promised" in words
        assert values[4] in told
        mails = kept(world, tmp_path / "mails")
        code, document = compare(mails)
        assert (code, document["disagreements"]) == (0, []), document
        code, document = compare(mails, archive=archive)
        assert (code, document["disagreements"]) == (0, []), document
        assert document["absent"] == []
        assert CliRunner().invoke(app, ["receipt", old_salt, "--archive", str(archive)]).exit_code == 0

    def test_is_sound_in_all_views_of_it(self, world: World, tmp_path: Path) -> None:
        simultaneous(world)
        restored(world)
        go_on(world)
        world.act(GAME, abandon)
        for view in (Audience("public"), Audience("seat", "Borealis")):
            archive = export(world, tmp_path / view.kind, audience=view)
            assert verified(archive).problems == []
            assert program(archive)[0] == 3
        anonymised = export(world, tmp_path / "anonymised", anonymised=True)
        assert verified(anonymised).problems == []

    @pytest.mark.parametrize(("word", "shown"), [("#word of mine\n", False), ("", True)])
    def test_opens_no_salts_where_a_word_is_taken_out_of_the_orders(
        self, word: str, shown: bool, world: World, tmp_path: Path
    ) -> None:
        """Who has a report of what was lost could try guesses at it."""
        world.start(GAME, ruleset="count", options={"target": 1000}, reminders=())
        world.send("Altair", f"{word}Add 1")
        restored(world)
        a_turn(world, "Add 1", "Add 2", "Add 3")
        archive = export(world, tmp_path / "archive", anonymised=True)
        entries = map(json.loads, (archive / "data" / "journal.jsonl").read_text().splitlines())
        (entry,) = (entry for entry in entries if entry["kind"] == "restored")
        assert ("secret" in entry) is shown
        assert verified(archive).problems == []

    def test_can_be_restored_again(self, world: World, tmp_path: Path) -> None:
        simultaneous(world)
        first = world.game().secret
        restored(world)
        second = world.game().secret
        world.now += HOUR
        restored(world)
        assert [public(entry)["secret"] for entry in world.journal("restored")] == [first.hex(), second.hex()]
        assert f"In place of the commitment:\n  {hashed(second)}" in notices(world, "Altair")[1]
        go_on(world)
        assert verified(export(world, tmp_path / "archive")).problems == []
        assert compare(kept(world, tmp_path / "mails"))[0] == 0

    def test_of_a_game_that_is_taken_back_is_opened_there(self, world: World, tmp_path: Path) -> None:
        simultaneous(world)
        restored(world)
        world.act(GAME, roll_back, 1, "")
        (entry,) = world.journal("rolled-back")
        assert hashed(public(entry)["secret"]) == public(world.journal("restored")[0])["commitment"]
        assert world.pass_time(DAYS) == 1
        a_turn(world, "Add 1", "Add 2", "Add 3")
        assert verified(export(world, tmp_path / "archive")).problems == []
        assert compare(kept(world, tmp_path / "mails"))[0] == 0


class TestBeforeAnythingElse:
    def test_all_are_told_though_the_deadline_is_over(self, world: World) -> None:
        """Where `pbmd restore` was ended before it came to that."""
        simultaneous(world)
        old = world.game().secret
        put_back(world)
        world.now += DAYS
        world.read_mailbox()
        seconds = count()
        desk = replace(world.desk, now=lambda: world.now + timedelta(seconds=next(seconds)))
        assert advance_games(desk) == 1
        told, over = world.journal("restored")[0], world.journal("resolved")[-1]
        assert (told.number < over.number, told.at < over.at) == (True, True), "each in a transaction of its own"
        assert [len(notices(world, seat)) for seat in NAMES] == [1, 1, 1]
        assert world.rows(StepRecord)[-1].secret != old

    def test_what_a_letter_sets_off_is_rolled_with_the_new_ones(self, world: World) -> None:
        sequential(world)
        old = world.game().secret
        put_back(world)
        world.arrive(world.letter("Cygnus", "Add 2"))
        process_letters(world.desk)
        new = [record.secret for record in world.rows(StepRecord)][-1]
        (entry,) = world.journal("restored")
        assert (new != old, hashed(new)) == (True, public(entry)["commitment"])

    def test_the_game_masters_word_comes_after_it(self, world: World) -> None:
        simultaneous(world)
        old = world.game().secret
        put_back(world)
        world.act(GAME, deadline_changes.resolve_now)
        assert world.rows(StepRecord)[-1].secret != old
        assert [len(notices(world, seat)) for seat in NAMES] == [1, 1, 1]

    def test_it_has_to_do_with_no_other_game(self, world: World) -> None:
        """So a worker can do it beside others."""
        simultaneous(world)
        put_back(world)
        with changing_games(world.desk, lane=world.game().id) as work:
            work.table(world.game().id or 0)
        assert [len(notices(world, seat)) for seat in NAMES] == [1, 1, 1]

    def test_a_game_that_cannot_go_on_waits_until_it_can(self, world: World) -> None:
        simultaneous(world)
        settings = world.desk.settings
        world.desk = replace(world.desk, settings=settings.model_copy(update={"rulesets": ()}))
        restored(world)
        assert (world.journal("restored"), world.game().draws_anew) == ([], True)
        world.desk = replace(world.desk, settings=settings)
        world.pass_time(HOUR)
        assert (len(world.journal("restored")), world.game().draws_anew) == (1, False)


class TestNothingIsDone:
    def test_where_the_game_is_over(self, world: World) -> None:
        world.count(target=2)
        a_turn(world, "Add 1", "Add 2", "Add 3")
        assert world.game().status == "finished"
        before = [row.model_dump() for kind in (Game, JournalEntry, Outbox) for row in world.rows(kind)]
        restored(world)
        assert [row.model_dump() for kind in (Game, JournalEntry, Outbox) for row in world.rows(kind)] == before

    def test_to_a_game_that_began_afterwards(self, world: World) -> None:
        restored(world)
        simultaneous(world)
        go_on(world)
        assert world.journal("restored") == []


class TestTheSetUp:
    def test_is_promised_anew(self, world: World, tmp_path: Path) -> None:
        world.open(GAME, *NAMES, ruleset="count", options={"target": 1000}, reminders=())
        old = world.game()
        restored(world)
        new, (entry,) = world.game(), world.journal("restored")
        said = public(entry)
        assert (said["secret"], said["commitment"]) == (old.secret.hex(), hashed(new.secret))
        assert json.loads(entry.secret) == {"salts": old.salts.hex()}
        assert "turn" not in said
        (told,) = notices(world, "Altair")
        assert f"Commitment to the dice secret of the set-up (its SHA-256):\n  {hashed(new.secret)}\n" in told
        assert "Your salt" not in told
        world.act(GAME, start_game)
        assert json.loads(world.journal("started")[0].secret)["secret"] == new.secret.hex()
        a_turn(world, "Add 1", "Add 2", "Add 3")
        archive = export(world, tmp_path / "archive")
        assert verified(archive).problems == []
        code, words = program(archive, hashed(old.secret), hashed(new.secret))
        assert code == 0, words
        code, document = compare(kept(world, tmp_path / "mails"), archive=archive)
        assert (code, document["disagreements"]) == (0, [])


class TestMails:
    @pytest.fixture
    def histories(self, twins: tuple[World, World]) -> tuple[World, World]:
        """What has become of a game since its backup, and what it was before that was restored."""
        now, lost = twins
        for world in twins:
            simultaneous(world)
        restored(now)
        for world in twins:
            go_on(world)
        return now, lost

    def test_from_before_the_backup_are_good_and_later_ones_of_another_history(
        self, histories: tuple[World, World], tmp_path: Path
    ) -> None:
        now, lost = histories
        archive = export(now, tmp_path / "archive")
        first = next(mail for mail in lost.outbox("report", "Altair") if "t2" in message_of(mail)["Subject"])
        old = tmp_path / "old"
        old.mkdir()
        (old / "1.eml").write_bytes(first.raw)
        promise = hashed(public(now.journal("restored")[0])["secret"])
        assert promise in proof_of(first)
        code, document = compare(old, archive=archive)
        assert (code, document["disagreements"]) == (0, []), document
        code, document = compare(kept(now, tmp_path / "now"), kept(lost, tmp_path / "lost", since=first.id or 0))
        assert (code, document["agrees"]) == (1, False)

    def test_that_replace_one_promise_by_two_tell_two_histories(self, twins: tuple[World, World], tmp_path: Path) -> None:
        """Who restores one backup twice gets two dice secrets to choose from."""
        for world in twins:
            simultaneous(world)
        twins[1].desk.entropy(1)  # so that it draws others
        for world in twins:
            restored(world)
        mailboxes = [kept(world, tmp_path / name) for world, name in zip(twins, ("a", "b"), strict=True)]
        code, document = compare(*mailboxes)
        assert code == 1
        assert [each["about"] for each in document["disagreements"]] == ["commitment of turn 2"]

    def test_show_a_secret_that_is_not_what_was_promised_last(self, histories: tuple[World, World], tmp_path: Path) -> None:
        """The host has told of new secrets, and rolls with the old ones all the same."""
        now, lost = histories
        one, other = tmp_path / "a", tmp_path / "b"
        one.mkdir()
        other.mkdir()
        (told,) = [mail for mail in now.outbox("notice", "Altair") if mail.key.startswith("restored")]
        (one / "1.eml").write_bytes(told.raw)
        report = next(mail for mail in lost.outbox("report", "Altair") if "Dice secret of turn 2" in proof_of(mail))
        (other / "1.eml").write_bytes(report.raw)
        code, document = compare(one, other)
        assert (code, document["disagreements"][0]["about"]) == (1, "dice secret of turn 2")

    def test_a_notice_that_was_kept_back_is_missed(self, histories: tuple[World, World], tmp_path: Path) -> None:
        now, _ = histories
        archive = export(now, tmp_path / "archive")
        mails = kept(now, tmp_path / "mails")
        for path in mails.iterdir():
            read = opened(path.read_bytes())
            if b"In place of the commitment" in read and address_of("Altair").encode() in read:
                path.unlink()
        (entry,) = now.journal("restored")
        _, document = compare(mails, archive=archive)
        assert document["absent"] == [f"a notice to Altair that the dice of turn 2 are promised anew, entry {entry.number}"], (
            document["absent"]
        )


def other_secret(entry: dict[str, Any]) -> None:
    entry["public"]["secret"] = "ab" * 32


def other_salts(entry: dict[str, Any]) -> None:
    entry["secret"]["salts"] = "ab" * 32


def other_promise(entry: dict[str, Any]) -> None:
    entry["public"]["commitment"] = "ab" * 32


def no_secret(entry: dict[str, Any]) -> None:
    del entry["public"]["secret"]


def test_an_entry_that_opens_or_promises_something_else_is_found(world: World, tmp_path: Path) -> None:
    simultaneous(world)
    restored(world)
    go_on(world)
    sound = export(world, tmp_path / "archive")
    for change in (other_secret, other_salts, other_promise, no_secret):
        archive = shutil.copytree(sound, tmp_path / change.__name__)
        forge(archive, lambda entries, change=change: change(next(each for each in entries if each["kind"] == "restored")))
        problems = [problem.problem for problem in verified(archive).problems]
        assert any("is not the one that was promised" in problem for problem in problems), change
        if change is not other_salts:  # which follow from no other file
            code, words = program(archive)
            assert (code, "is not the one that was promised" in words) == (1, True), words


def test_one_after_the_end_of_the_game_is_found(world: World, tmp_path: Path) -> None:
    simultaneous(world)
    restored(world)
    go_on(world)
    world.act(GAME, abandon)
    archive = export(world, tmp_path / "archive")

    def forged(entries: list[dict[str, Any]]) -> None:
        last = entries[-1]
        (entry,) = [entry for entry in entries if entry["kind"] == "restored"]
        entries.append(json.loads(json.dumps(entry)) | {"at": last["at"]})

    forge(archive, forged)
    assert any("(restored) comes after the game was over" in problem.problem for problem in verified(archive).problems)

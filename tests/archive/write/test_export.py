"""`pbmd export`: a played game becomes a folder that tells all of it, and nothing that is still secret."""

import base64
import hashlib
import json
import mailbox
import os
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlmodel import Session, select
from typer.testing import CliRunner

from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.cli import app
from pbmd.cli import files as reading
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import abandon, new_gm_token
from pbmd.desk.changes.seats import Consent, Holder, hand_over, rotate
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger import journal
from pbmd.ledger.tables import Letter, Seat, StepRecord
from pbmd.post.blank import Blanker
from pbmd.post.tags import make_token
from pbmd.rules import Line, Signup
from pbmd.terms.terms import Terms
from tests.archive.made import world_of_commands
from tests.desk.world import World, address_of
from tests.rules import count

SEATS = ("Altair", "Bo/rea lis")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of "count" whose ledger the command line can open."""
    world = world_of_commands(tmp_path / "home")
    world.as_ever("two counters with odd names", lambda: begin(world))
    yield world
    world.close()


def begin(world: World) -> None:
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", "count", Terms(second_thought="10m"), {"target": 40})
        for seat in SEATS:
            new_game.add_seat(
                work, table, Signup(seat, (Line(1, "hello"),)), new_game.Newcomer(address_of(seat), f"{seat}'s player")
            )
        new_game.start_game(work, table)


@pytest.fixture
def played(world: World) -> World:
    """Two turns are resolved: with a replacement, a refused line, a late letter, a cancelled sheet and a missed deadline."""
    world.as_ever("two turns of all kinds", lambda: two_turns(world))
    return world


def two_turns(world: World) -> None:
    world.send("Altair", "Add 9\nAd 4\n\nAdd 1\n")
    world.now += timedelta(minutes=1)
    world.send("Bo/rea lis", "Add 2\n")
    assert world.pass_time(timedelta(days=3, minutes=1)) == 1
    world.send("Bo/rea lis", "ORDERS FOR TURN 1\nAdd 8\n")
    world.send("Altair", "Add 5\n")
    world.now += timedelta(minutes=1)
    world.send("Altair", "STATUS\nAdd 6\n")
    world.send("Bo/rea lis", "Add 7\n")
    world.send("Bo/rea lis", "CANCEL ORDERS\n")
    assert world.pass_time(timedelta(days=3, minutes=1)) == 1


def export(world: World, folder: Path, *more: str) -> Result:
    arguments = ["export", "galaxy-7", "--to", str(folder), "--settings", str(world.folder / "pbmd.toml"), *more]
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def bag(played: World, tmp_path: Path) -> Path:
    done = export(played, tmp_path / "archive")
    assert done.exit_code == 0, (done.output, done.exception)
    return tmp_path / "archive"


@pytest.fixture
def archive(bag: Path) -> Path:
    """What is in the bag."""
    return bag / "data"


def toml(path: Path) -> Any:
    return tomllib.loads(path.read_text())


def finish(world: World) -> None:
    """Play on until somebody has won."""
    for _ in range(9):
        for seat in SEATS:
            world.send(seat, "Add 9\nAdd 9")
        world.pass_time(timedelta(days=3, minutes=1))
        if world.game().status == "finished":
            return
    raise AssertionError("the game does not end")


class TestGame:
    def test_is_described(self, archive: Path) -> None:
        game = toml(archive / "game.toml")
        assert (game["name"], game["ruleset"], game["status"], game["resolved_steps"]) == ("galaxy-7", "count", "running", 2)
        assert game["options"] == {"target": 40}
        assert game["terms"]["deadline"] == "72h"
        assert [(seat["number"], seat["name"], seat["setup"]) for seat in game["seats"]] == [
            (1, "Altair", ["hello"]),
            (2, "Bo/rea lis", ["hello"]),
        ]

    def test_that_is_over_tells_how_it_ended(self, played: World, tmp_path: Path) -> None:
        finish(played)
        assert export(played, tmp_path / "a").exit_code == 0
        game = toml(tmp_path / "a" / "data" / "game.toml")
        assert game["status"] == "finished"
        assert game["outcome"]["reason"] == "the target was reached"


class TestTurns:
    def test_follow_each_other(self, archive: Path) -> None:
        assert sorted(path.name for path in (archive / "turns").iterdir()) == ["000", "001", "002"]
        for before, after in (("000", "001"), ("001", "002")):
            assert toml(archive / "turns" / before / "after.toml") == toml(archive / "turns" / after / "position.toml")

    def test_end_with_the_positions_of_the_ledger(self, archive: Path, played: World) -> None:
        for record in played.rows(StepRecord):
            assert toml(archive / "turns" / f"00{record.turn}" / "after.toml") == json.loads(record.after)
            assert json.loads((archive / "turns" / f"00{record.turn}" / "events.json").read_text()) == json.loads(record.events)

    def test_have_the_orders_as_mailed_that_the_rules_saw(self, archive: Path) -> None:
        first, second = (toml(archive / "turns" / turn / "orders.toml")["orders"] for turn in ("001", "002"))
        assert [(entry["player"], entry["text"]) for entry in first] == [
            ("Altair", "Add 9\nAd 4\n\nAdd 1\n"),
            ("Bo/rea lis", "Add 2\n"),
        ]
        # The line of STATUS is blank; what was cancelled or came late is not among them.
        assert [(entry["player"], entry["text"]) for entry in second] == [("Altair", "Add 5\n"), ("Altair", "\nAdd 6\n")]
        assert first[0]["received"] == datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

    @pytest.mark.parametrize("by", ["dice", "secret"])
    @pytest.mark.parametrize("turn", ["001", "002"])
    def test_come_out_the_same_when_adjudicated_again(
        self, archive: Path, turn: str, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reading, "get", {"count": count.ruleset}.__getitem__)
        folder = archive / "turns" / turn
        given = [f"--{by}", toml(folder / "resolution.toml")[by], *(["--salts", str(folder / "dice.json")] * (by == "secret"))]
        files = [str(folder / "position.toml"), str(folder / "orders.toml")]
        done = CliRunner().invoke(app, ["adjudicate", *files, *given, "--write-position", str(tmp_path / "next.toml")])
        assert (done.exit_code, "Not used" in done.stderr) == (0, False)
        assert (tmp_path / "next.toml").read_text() == (folder / "after.toml").read_text()

    def test_tell_why_they_were_resolved_and_reveal_their_dice(self, archive: Path, played: World) -> None:
        record = played.rows(StepRecord)[1]
        resolution = toml(archive / "turns" / "002" / "resolution.toml")
        assert resolution["cause"] == record.cause
        assert resolution["secret"] == record.secret.hex()
        assert resolution["dice"] == " ".join(str(roll) for _, roll in json.loads(record.dice)) != ""
        assert "rolls" not in resolution, "they are in dice.json"

    def test_have_the_reports_of_every_reader(self, archive: Path) -> None:
        names = ["1-altair", "2-bo-rea-lis", "public"]
        for turn in ("000", "001", "002"):
            files = sorted(path.name for path in (archive / "turns" / turn / "reports").iterdir())
            assert files == sorted(f"{name}.{form}" for name in names for form in ("txt", "html"))
        assert "added Altair" in (archive / "turns" / "001" / "reports" / "1-altair.txt").read_text()
        assert "added Altair" not in (archive / "turns" / "001" / "reports" / "public.txt").read_text()


class TestLetters:
    def test_are_all_there_in_order_of_arrival(self, archive: Path) -> None:
        box = mailbox.mbox(archive / "letters.mbox", create=False)
        try:
            letters = list(box)
        finally:
            box.close()
        senders = [letter["From"] for letter in letters]
        anna, bert = (address_of(seat) for seat in SEATS)
        assert senders == [anna, bert, bert, anna, anna, bert, bert]
        assert letters[0].get_from() == "pbmd Fri Nov 20 12:00:00 2026"
        assert "Ad 4" in letters[0].get_payload()

    def test_that_look_like_the_beginning_of_another_stay_one(self, played: World, tmp_path: Path) -> None:
        with Session(played.desk.engine) as session:
            letter = session.exec(select(Letter)).first()
            assert letter is not None
            letter.raw = b"From somebody Fri Nov 20 12:00:00 2026\r\nSubject: x\r\n\r\nFrom here on\r\n"
            session.commit()
        assert export(played, tmp_path / "a").exit_code == 0
        box = mailbox.mbox(tmp_path / "a" / "data" / "letters.mbox", create=False)
        try:
            assert len(box) == 7
        finally:
            box.close()


class TestJournal:
    def test_is_a_chain_that_anybody_can_check(self, archive: Path) -> None:
        entries = [json.loads(line) for line in (archive / "journal.jsonl").read_text().splitlines()]
        head = journal.verify(
            journal.Link(
                entry["number"],
                datetime.fromisoformat(entry["at"]),
                entry["kind"],
                json.dumps(entry["public"], separators=(",", ":"), sort_keys=True, ensure_ascii=False),
                json.dumps(entry["secret"], separators=(",", ":"), sort_keys=True, ensure_ascii=False)
                if "salt" in entry
                else "",
                entry.get("salt", ""),
                entry["hash"],
            )
            for entry in entries
        )
        said = toml(archive / "game.toml")["journal"]
        assert (said["entries"], said["head"]) == (len(entries), head)
        assert entries[-1]["kind"] == "resolved"

    def test_is_canonical_json(self, archive: Path) -> None:
        for line in (archive / "journal.jsonl").read_text().splitlines():
            assert line == json.dumps(json.loads(line), separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def all_bytes(archive: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(archive.rglob("*")) if path.is_file())


class TestSecrecy:
    def test_no_token_and_no_key_is_anywhere(self, archive: Path, played: World) -> None:
        written = all_bytes(archive).lower()
        tokens = [make_token(played.desk.key, seat.game_id, seat.number, 1) for seat in played.rows(Seat)]
        assert b"xxxxxxxxxxxxxxxx" in written  # they were there
        for token in tokens:
            assert token.encode() not in written
        assert played.desk.key not in written
        assert played.desk.key.hex().encode() not in written

    def test_no_token_is_in_a_letter_however_it_was_written(self, world: World, tmp_path: Path) -> None:
        """Those of the seat now and before, of the same player elsewhere, and of the game master, without the tag around them:
        broken by a soft line break, alone, in base64, in UTF-16; and of whoever held the seat before."""
        with changing_games(world.desk) as work:
            other = new_game.create_game(work, "nebula-1", "count", Terms(second_thought="0m"), {"target": 40})
            for seat, address in (("Deneb", address_of("Altair")), ("Vega", address_of("Vega"))):
                new_game.add_seat(work, other, Signup(seat), new_game.Newcomer(address, seat))
            new_game.start_game(work, other)
            table = work.table_named("galaxy-7")
            assert table is not None
            rotate(work, table, table.seat("Altair"))
            new_gm_token(work, table)
            hand_over(work, table, table.seat("Bo/rea lis"), address_of("Vega"), Consent(1), Holder("Vega", "UTC"))
            hand_over(work, table, table.seat("Bo/rea lis"), "third@players.test", Consent(2), Holder("Third", "UTC"))
        key, here = world.desk.key, world.game().id or 0
        wanted = [(here, 1, 1), (here, 1, 2), (here, 2, 2), (here, 0, 1), (here, 0, 2), (here + 1, 0, 1), (here + 1, 1, 1)]
        tokens = [make_token(key, *of) for of in [*wanted, (here + 1, 2, 1)]]
        broken = "".join(f"{token[:7]}=\n{token[7:]}\n" for token in tokens)
        text = "Add 1\n" + "".join(f"{token}\n" for token in tokens)
        for coding, charset, body in (
            ("quoted-printable", "utf-8", f"Add 1\n{broken}".encode()),
            ("8bit", "utf-8", text.encode()),
            ("base64", "utf-8", base64.encodebytes(text.encode())),
            ("base64", "utf-16", base64.encodebytes(text.encode("utf-16"))),
        ):
            letter = world.letter("Altair", "").partition(b"\r\nContent-T")[0]
            head = f"\r\nContent-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n"
            world.arrive(re.sub(rb"\r\nMIME-Version: [^\r]*", b"", letter) + b"\r\nMIME-Version: 1.0" + head.encode() + body)
        world.pass_time(timedelta(days=4))
        assert export(world, tmp_path / "a").exit_code == 0
        box = mailbox.mbox(tmp_path / "a" / "data" / "letters.mbox", create=False)
        try:
            letters = [(str(part.get_content_charset()), part.get_payload(decode=True)) for part in box]
        finally:
            box.close()
        assert [charset for charset, _ in letters] == ["utf-8", "utf-8", "utf-8", "utf-16"]
        for charset, content in letters:
            assert isinstance(content, bytes)
            assert content.decode(charset).split() == ["Add", "1", *(["x" * 16] * len(tokens))]
        assert not [token for token in tokens if token.encode() in all_bytes(tmp_path / "a").lower()]

    def test_nothing_of_the_current_turn_is_in_it(self, played: World, tmp_path: Path) -> None:
        assert export(played, tmp_path / "before").exit_code == 0
        played.send("Altair", "Add 3\n")
        played.send("Bo/rea lis", "PRESS TO ALL\nmy plan\nEND PRESS\nAdd 4\n")
        done = export(played, tmp_path / "after")
        assert "Turn 3 is not resolved, so nothing of it is in the archive." in done.stdout
        assert all_bytes(tmp_path / "after") == all_bytes(tmp_path / "before")
        assert played.game().secret.hex().encode() not in all_bytes(tmp_path / "after")

    def test_what_was_current_is_in_it_once_it_is_resolved(self, played: World, tmp_path: Path) -> None:
        played.send("Altair", "Add 3\n")
        played.send("Bo/rea lis", "Add 4\n")
        played.pass_time(timedelta(days=4))
        assert export(played, tmp_path / "after").exit_code == 0
        assert [entry["text"] for entry in toml(tmp_path / "after" / "data" / "turns" / "003" / "orders.toml")["orders"]] == [
            "Add 3\n",
            "Add 4\n",
        ]

    def test_only_its_owner_can_read_it(self, bag: Path) -> None:
        assert bag.stat().st_mode & 0o077 == 0

    @pytest.mark.parametrize(("view", "folders", "files"), [("public", 0o755, 0o644), ("all", 0o700, None)])
    def test_only_what_is_for_the_public_can_be_read_by_whoever_the_umask_lets(
        self, played: World, tmp_path: Path, view: str, folders: int, files: int | None
    ) -> None:
        before = os.umask(0o022)
        try:
            assert export(played, tmp_path / "a", "--view", view).exit_code == 0
        finally:
            os.umask(before)
        paths = [tmp_path / "a", *(tmp_path / "a").rglob("*")]
        modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in paths}
        assert (tmp_path / "a").stat().st_mode & 0o777 == folders
        assert files is None or modes == {(True, folders), (False, files)}


class TestFolder:
    def test_that_is_not_empty_is_left_alone(self, played: World, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "mine.txt").write_text("mine")
        for more in ((), ("--force",)):
            done = export(played, tmp_path / "a", *more)
            assert (done.exit_code, done.stdout) == (2, "")
            assert [path.name for path in (tmp_path / "a").iterdir()] == ["mine.txt"]
        assert "which --force does not delete" in done.stderr

    def test_that_is_an_archive_is_replaced_by_force_only(self, bag: Path, played: World) -> None:
        (bag / "old.txt").write_text("")
        assert "is not empty" in export(played, bag).stderr
        assert export(played, bag, "--force").exit_code == 0
        assert not (bag / "old.txt").exists()

    def test_that_is_an_archive_of_the_first_format_is_replaced_by_force_too(self, played: World, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        for name in ("game.toml", "journal.jsonl"):
            (tmp_path / "a" / name).write_text("")
        assert export(played, tmp_path / "a", "--force").exit_code == 0
        assert not (tmp_path / "a" / "game.toml").exists()

    def test_that_is_empty_is_used(self, played: World, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        assert export(played, tmp_path / "a").exit_code == 0

    def test_gets_nothing_when_something_goes_wrong(
        self, played: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pbmd.archive.write.export._write_journal", full)
        done = export(played, tmp_path / "a")
        assert (done.exit_code, done.stdout) == (1, "")
        assert "No space left on device" in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["home"]

    def test_is_the_same_bytes_every_time(self, bag: Path, played: World, tmp_path: Path) -> None:
        export(played, tmp_path / "again")
        assert hashlib.sha256(all_bytes(tmp_path / "again")).digest() == hashlib.sha256(all_bytes(bag)).digest()


class TestOptions:
    @pytest.mark.parametrize(
        ("view", "words"),
        [("public", "as everybody may know them"), ("seat:altair", "as Altair may know them"), ("all", "galaxy-7.\n")],
    )
    def test_choose_for_whom_it_is(self, played: World, tmp_path: Path, view: str, words: str) -> None:
        done = export(played, tmp_path / "a", "--view", view)
        assert words in done.stdout
        assert toml(tmp_path / "a" / "data" / "game.toml")["view"].casefold() == view
        assert (tmp_path / "a" / "data" / "turns/001/position.toml").exists() == (view == "all")

    @pytest.mark.parametrize(
        ("view", "problem"),
        [
            ("seat:Vega", 'there is no seat "Vega"; there are Altair, Bo/rea lis'),
            ("mine", 'there is no view "mine"; there are all, public and seat:NAME'),
            ("seat:", 'there is no view "seat:"; there are all, public and seat:NAME'),
        ],
    )
    def test_that_name_no_view_are_explained(self, played: World, tmp_path: Path, view: str, problem: str) -> None:
        done = export(played, tmp_path / "a", "--view", view)
        assert (done.exit_code, done.stderr) == (2, f"pbmd: {problem}\n")
        assert not (tmp_path / "a").exists()

    def test_can_take_out_who_the_players_are(self, played: World, tmp_path: Path) -> None:
        assert export(played, tmp_path / "a", "--anonymise").exit_code == 0
        assert toml(tmp_path / "a" / "data" / "game.toml")["anonymised"]
        assert b"players.test" not in all_bytes(tmp_path / "a")

    def test_can_ask_for_json(self, played: World, tmp_path: Path) -> None:
        assert json.loads(export(played, tmp_path / "a", "--json").stdout) == {
            "folder": str(tmp_path / "a"),
            "game": "galaxy-7",
            "view": "all",
            "anonymised": False,
            "steps": 2,
            "letters": 7,
            "journal_entries": toml(tmp_path / "a" / "data" / "game.toml")["journal"]["entries"],
            "finished": False,
        }


class TestSecretsOfTheJournal:
    def kinds(self, world: World, folder: Path, view: str) -> set[tuple[str, str]]:
        """The kinds of entries with a secret part, and whose they are."""
        assert export(world, folder, "--view", view).exit_code == 0
        entries = [json.loads(line) for line in (folder / "data" / "journal.jsonl").read_text().splitlines()]
        secrets = [(entry["kind"], entry["secret"], entry["public"]) for entry in entries if "secret" in entry]
        assert all(entry["sealed"] for entry in entries if "secret" in entry)
        return {(kind, str(secret.get("seat") or secret.get("from") or public.get("seat"))) for kind, secret, public in secrets}

    def test_are_those_that_the_reader_may_know_once_the_game_is_over(self, played: World, tmp_path: Path) -> None:
        played.send("Altair", "PRESS TO Bo/rea lis\npsst\nEND PRESS\nPRESS TO ALL\nhello\nEND PRESS\nAdd 1")
        finish(played)
        own = {("joined", "Altair"), ("orders", "Altair"), ("missed", "Altair"), ("press", "Altair")}
        assert self.kinds(played, tmp_path / "seat", "seat:Altair") <= own
        assert {("orders", "Altair"), ("press", "Altair")} <= self.kinds(played, tmp_path / "seat 2", "seat:Altair")
        assert self.kinds(played, tmp_path / "public", "public") == {("press", "Altair")}
        assert "hello" in (tmp_path / "public/data/journal.jsonl").read_text()
        assert "psst" not in (tmp_path / "public/data/journal.jsonl").read_text()
        assert self.kinds(played, tmp_path / "all", "all") >= own - {("missed", "Altair")}

    @pytest.mark.parametrize("view", ["public", "seat:Altair"])
    def test_are_not_shown_as_long_as_it_runs(self, played: World, tmp_path: Path, view: str) -> None:
        assert self.kinds(played, tmp_path / "a", view) == set()


@pytest.mark.parametrize(
    ("abandoned", "why"),
    [
        (False, "later has not begun, so there is nothing to export yet"),
        (True, "later was abandoned before it began, so there is nothing to export"),
    ],
)
def test_a_game_that_never_began_has_nothing_to_export(world: World, tmp_path: Path, *, abandoned: bool, why: str) -> None:
    world.open("later", "Altair")
    if abandoned:
        world.act("later", abandon, "too few")
    for view in ("all", "public", "seat:Altair"):
        done = CliRunner().invoke(
            app,
            ["export", "later", "--to", str(tmp_path / "a"), "--view", view, "--settings", str(world.folder / "pbmd.toml")],
        )
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"pbmd: {why}\n"
        assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("anonymised", [False, True])
def test_progress_moves_from_the_first_letter_that_is_read_to_the_checksums(
    played: World, tmp_path: Path, *, anonymised: bool
) -> None:
    there: list[set[str]] = []

    def done() -> None:
        there.append({path.name for path in tmp_path.glob(".archive.*/**/*")})

    with Transaction(played.desk, reads=True) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        plan = plan_export(work.session, table.game, table.ruleset, anonymised=anonymised)
        write_archive(work.session, plan, tmp_path / "archive", Blanker(()), done)
    assert len(there) == plan.items
    assert there.count(set()) == (len(played.rows(Letter)) if anonymised else 0)
    assert ["manifest-sha512.txt" in names for names in there[-2:]] == [False, True]

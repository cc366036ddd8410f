"""`pbmd receipt`: what a player's mails prove against the ledger or an archive, and what forged ones do not."""

import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlmodel import Session, select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.ledger.tables import JournalEntry, Outbox, Submission
from tests.archive.made import forge
from tests.archive.samples import FOLDER, unpack
from tests.deploy.test_verify_dice import SETTINGS
from tests.desk.world import World, opened, text_of

DAYS = timedelta(days=4)
Ask = Callable[..., Result]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Turn 1 is over: Altair's orders were replaced, Borealis' used, and a mail of Cygnus was refused. Then turn 2 began."""
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    (world.folder / "pbmd.toml").write_text(SETTINGS)
    (world.folder / "server.key").write_bytes(world.desk.key)
    world.as_ever("a turn with orders that were replaced and refused", lambda: one_turn(world))
    yield world
    world.close()


def one_turn(world: World) -> None:
    world.start(ruleset="count", options={"target": 100}, reminders=())
    for seat, text in (("Altair", "Add 7"), ("Borealis", "Add 2"), ("Cygnus", "Ad 2"), ("Altair", "Add 9")):
        world.send(seat, text)
        world.now += timedelta(minutes=1)
    world.pass_time(DAYS)


@pytest.fixture(params=["ledger", "archive"])
def ask(request: pytest.FixtureRequest, world: World, tmp_path: Path) -> Ask:
    """Runs the command against the ledger or a fresh archive of the same game."""

    def run(claim: str, *more: str) -> Result:
        settings = ["--settings", str(world.folder / "pbmd.toml")]
        if request.param == "ledger":
            return CliRunner().invoke(app, ["receipt", claim, "--game", "galaxy-7", *settings, *more])
        folder = tmp_path / "archive"
        if not folder.exists():
            done = CliRunner().invoke(app, ["export", "galaxy-7", "--to", str(folder), *settings])
            assert done.exit_code == 0, (done.output, done.exception)
        # No settings: whoever has the archive needs nothing else.
        return CliRunner().invoke(app, ["receipt", claim, "--archive", str(folder), "--settings", "/nowhere/pbmd.toml", *more])

    return run


def saved(mail: Outbox, tmp_path: Path, change: Callable[[bytes], bytes] = lambda raw: raw) -> str:
    path = tmp_path / "mail.eml"
    path.write_bytes(change(opened(mail.raw)))
    return str(path)


def answers(world: World, seat: str) -> list[Outbox]:
    return world.outbox("acknowledgement", seat)


def findings(done: Result) -> dict[str, Any]:
    return {each["what"]: each for each in json.loads(done.stdout)["findings"]}


ITSELF = {"its HTML", "its receipt"}
"""What a mail is held against that is in itself."""


class TestAMail:
    def test_proves_all_that_it_says(self, ask: Ask, world: World, tmp_path: Path) -> None:
        done = ask(saved(answers(world, "Altair")[1], tmp_path), "--json")
        assert done.exit_code == 0, done.output
        found = findings(done)
        assert set(found) == {"journal", "receipt", "arrived", "deadline", "digest", "chain head", "head in form", *ITSELF}
        assert all(each["holds"] for each in found.values())
        assert "turn 1: orders of Altair that arrived 2026-11-20 12:03:00 UTC; they were used" in found["receipt"]["words"]
        assert found["chain head"]["words"].startswith(f"the head of the journal at entry {found['receipt']['value']}:")

    def test_tells_of_orders_that_were_not_used(self, ask: Ask, world: World, tmp_path: Path) -> None:
        replaced = ask(saved(answers(world, "Altair")[0], tmp_path), "--json")
        assert (replaced.exit_code, "replaced by a later mail" in findings(replaced)["receipt"]["words"]) == (0, True)
        refused = ask(saved(answers(world, "Cygnus")[0], tmp_path), "--json")
        assert (refused.exit_code, "they were refused" in findings(refused)["receipt"]["words"]) == (0, True)
        told = ask(saved(answers(world, "Cygnus")[0], tmp_path)).stdout
        assert "More of receipt: pbmd docs did-not-arrive 9, pbmd docs did-not-arrive 10\n" in told

    def test_may_be_a_report(self, ask: Ask, world: World, tmp_path: Path) -> None:
        done = ask(saved(world.outbox("report", "Altair")[-1], tmp_path), "--json")
        found = findings(done)
        salt = found.pop("salt")
        kinds = {
            "journal",
            "receipt",
            "arrived",
            "deadline",
            "chain head",
            "entry of the turn",
            "its four words",
            "dice secret",
            "commitment",
            "mail as sent",
            "report",
            "its HTML",
            "its page",
            "head in form",
        }
        assert set(found) == kinds | {"checkpoint"}, done.output
        assert {each["holds"] for each in found.values()} == {True}
        # An archive of a game that runs does not open the salts of the turn that is open.
        assert (salt["holds"], salt["whole"], done.exit_code) in ((True, True, 0), (None, False, 0))

    def test_shows_which_salt_its_player_had(self, ask: Ask, world: World, tmp_path: Path) -> None:
        done = ask(saved(world.outbox("report", "Altair")[0], tmp_path), "--json")
        assert done.exit_code == 0, done.output
        assert findings(done)["salt"]["words"] == "the salt of Altair for the dice of turn 1"

    def test_with_another_salt_is_found_out(self, ask: Ask, world: World, tmp_path: Path) -> None:
        """As it would be if the host had bound the dice to a salt that was not the player's."""

        def change(raw: bytes) -> bytes:
            return re.sub(rb"(known to you alone:\r?\n  )\w{32}", rb"\g<1>" + b"ab" * 16, raw)

        done = ask(saved(world.outbox("report", "Altair")[0], tmp_path, change), "--json")
        assert (done.exit_code, findings(done)["salt"]["holds"]) in ((1, False), (1, None))

    @pytest.mark.parametrize("mark", ["> ", ">> ", "    > "])
    def test_may_be_quoted_in_another(self, mark: str, ask: Ask, world: World, tmp_path: Path) -> None:
        text = text_of(answers(world, "Altair")[1])
        path = tmp_path / "forwarded.eml"
        path.write_text("Subject: Fwd: look\n\n" + "".join(f"{mark}{line}\n" for line in text.splitlines()))
        done = ask(str(path), "--json")
        assert (done.exit_code, len(findings(done))) == (0, 7)

    def test_is_told_in_words(self, ask: Ask, world: World, tmp_path: Path) -> None:
        done = ask(saved(answers(world, "Altair")[1], tmp_path))
        assert done.stdout.splitlines()[-1] == "Each value is in the books: 8 values."
        assert [line[:4] for line in done.stdout.splitlines()[:-2:2]] == ["yes "] * 9


class TestWhatWasChanged:
    @pytest.mark.parametrize(
        ("what", "change"),
        [
            ("receipt", lambda text: re.sub(rb"Receipt     \d+", b"Receipt     1", text)),
            ("arrived", lambda text: text.replace(b"12:03:00", b"12:02:59")),
            ("digest", lambda text: re.sub(rb"(Digest\r\n  )\w{16}", rb"\g<1>0123456789abcdef", text)),
            ("chain head", lambda text: re.sub(rb"(Chain head .*\r\n +)\w{16}", rb"\g<1>0123456789abcdef", text)),
            ("game", lambda text: text.replace(b"of game galaxy-7", b"of game galaxy-8")),
        ],
    )
    def test_in_a_mail_is_found(self, what: str, change: Any, ask: Ask, world: World, tmp_path: Path) -> None:
        def cut(raw: bytes) -> bytes:
            text = change(raw)
            assert text != raw
            return b"\n".join(text.splitlines())

        done = ask(saved(answers(world, "Altair")[1], tmp_path, cut), "--json")
        assert (done.exit_code, findings(done)[what]["holds"]) in ((1, False), (1, None))
        if what in ("arrived", "receipt"):
            assert findings(done)[what]["holds"] is False

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            (rb"(Receipt )\d+(, arrived)", rb"\g<1>1\g<2>", "the mail says receipt 1, and its file "),
            (rb"(Receipt \d+, arrived [^:]*:03:)00", rb"\g<1>01", "the mail says Fri 20 Nov 2026 12:03:01 UTC, and its file"),
        ],
    )
    def test_in_the_last_line_of_an_answer_is_found_by_its_file(
        self, ask: Ask, world: World, tmp_path: Path, old: bytes, new: bytes, told: str
    ) -> None:
        path = saved(answers(world, "Altair")[1], tmp_path, lambda raw: re.sub(old, new, raw))
        found = findings(ask(path, "--json"))["its receipt"]
        assert (found["holds"], told in found["words"]) == (False, True), found
        alone = CliRunner().invoke(app, ["compare", path])
        assert (alone.exit_code, told in alone.stdout) == (1, True)

    def test_in_the_journal_of_the_ledger_makes_it_prove_nothing(self, world: World, tmp_path: Path) -> None:
        with Session(world.desk.engine) as session:
            entry = session.exec(select(JournalEntry).where(JournalEntry.kind == "orders")).first()
            assert entry is not None
            entry.secret = entry.secret.replace("Add 7", "Add 8")
            session.commit()
        self._proves_nothing(world, tmp_path, "is not what was written")

    def test_in_the_other_books_of_the_ledger_is_found_too(self, world: World, tmp_path: Path) -> None:
        with Session(world.desk.engine) as session:
            row = session.exec(select(Submission)).first()
            assert row is not None
            row.arrived_at += timedelta(hours=9)
            session.commit()
        self._proves_nothing(world, tmp_path, "are not those of entry")

    def test_at_the_end_of_the_journal_is_found(self, world: World, tmp_path: Path) -> None:
        with Session(world.desk.engine) as session:
            session.delete(session.exec(select(JournalEntry).order_by(JournalEntry.number.desc())).first())  # type: ignore[attr-defined]
            session.commit()
        self._proves_nothing(world, tmp_path, "the last entry is missing")

    def _proves_nothing(self, world: World, tmp_path: Path, words: str) -> None:
        mail = saved(answers(world, "Altair")[1], tmp_path)
        done = CliRunner().invoke(app, ["receipt", mail, "--settings", str(world.folder / "pbmd.toml"), "--json"])
        assert done.exit_code == 1
        assert words in json.loads(done.stdout)["findings"][0]["words"]

    def test_in_an_archive_is_found(self, world: World, tmp_path: Path) -> None:
        folder = tmp_path / "archive"
        settings = ["--settings", str(world.folder / "pbmd.toml")]
        assert CliRunner().invoke(app, ["export", "galaxy-7", "--to", str(folder), *settings]).exit_code == 0
        sheets = next(folder.glob("**/turns/001/sheets.json"))
        mail = saved(answers(world, "Altair")[1], tmp_path)
        for old, new in (("12:03:00", "12:09:00"), ("Add 9", "Add 8"), ("[", "[[" * 100_000), ('"seat"', '"set"')):
            text = sheets.read_text()
            sheets.write_text(text.replace(old, new, 1) if old != "12:03:00" else text.replace(old, new))
            done = CliRunner().invoke(app, ["receipt", mail, "--archive", str(folder)])
            assert (done.exit_code, "contradict themselves" in done.stdout) == (1, True), (old, done.output, done.exception)
            sheets.write_text(text)


class TestAHostileArchive:
    """Made to keep whoever looks into it busy, or to make pbmd stumble."""

    @pytest.fixture
    def archive(self, tmp_path: Path) -> Path:
        return unpack(FOLDER / "local_cluster.tar.xz", tmp_path)

    @pytest.mark.parametrize("name", ["journal.jsonl", "game.toml", "turns/001/sheets.json"])
    def test_with_what_is_no_file_is_not_read(self, name: str, archive: Path) -> None:
        path = archive / "data" / name
        path.unlink()
        os.mkfifo(path)
        self._is_no_archive(archive, "is a link or no file at all")

    @pytest.mark.parametrize("content", ["a=" + "[" * 5000, "\x00", "a = 1\na = 2"])
    def test_with_a_broken_head_is_none(self, content: str, archive: Path) -> None:
        (archive / "data" / "game.toml").write_text(content)
        self._is_no_archive(archive, "is no archive that can be read")

    def _is_no_archive(self, archive: Path, words: str) -> None:
        done = CliRunner().invoke(app, ["receipt", "6", "--archive", str(archive)])
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.exception
        assert words in done.stderr

    @pytest.mark.parametrize("arrival", [{}, [], [2**53 - 1, 1], ["x"], None])
    def test_with_orders_that_never_arrived_proves_nothing(self, arrival: Any, archive: Path) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            for entry in entries:
                if entry["kind"] == "orders":
                    entry["secret"]["arrival"] = arrival

        forge(archive, change)
        self._proves_nothing(archive)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("receipt", float("inf")),
            ("receipt", float("nan")),
            ("receipt", -1),
            ("arrived_at", "0001-01-01T00:00:00+14:00"),
            ("lines", 7),
            ("digest", []),
        ],
    )
    def test_with_broken_sheets_proves_nothing(self, key: str, value: Any, archive: Path) -> None:
        path = next(path for path in sorted(archive.rglob("sheets.json")) if path.read_text() != "[]\n")
        sheets = json.loads(path.read_text())
        sheets[0][key] = value
        path.write_text(json.dumps(sheets))
        self._proves_nothing(archive)

    def _proves_nothing(self, archive: Path) -> None:
        done = CliRunner().invoke(app, ["receipt", "6", "--archive", str(archive)])
        assert (done.exit_code, "contradict themselves" in done.stdout) == (1, True), (done.output, done.exception)


class TestACode:
    def test_is_the_number_of_a_receipt(self, ask: Ask, world: World) -> None:
        number = world.submissions()[0].number
        done = ask(f"#{number}")
        assert (done.exit_code, f"entry {number} of the journal, turn 1: orders of Altair" in done.stdout) == (0, True), (
            done.output
        )

    def test_is_a_digest_or_the_beginning_of_one(self, ask: Ask, world: World) -> None:
        shown = world.submissions()[3].digest
        for code in (shown, shown[:16], shown[:20].upper()):
            done = ask(code)
            assert (done.exit_code, "they were used" in done.stdout) == (0, True), done.output

    def test_is_a_chain_head(self, ask: Ask, world: World) -> None:
        entry = world.journal()[4]
        assert f"the head of the journal at entry {entry.number}:" in ask(entry.hash).stdout

    def test_that_is_no_receipt_is_said_to_be_none(self, ask: Ask) -> None:
        done = ask("1")
        assert (done.exit_code, "is no receipt of orders (created)" in done.stdout) == (1, True)

    def test_that_is_not_there_proves_nothing(self, ask: Ask) -> None:
        for code in ("999", "ab" * 32):
            done = ask(code)
            assert (done.exit_code, "not in th" in done.stdout) == (1, True), done.output

    @pytest.mark.parametrize("code", ["", "nowhere.eml", "12345678901234", "zz" * 32, "abc"])
    def test_that_is_none_is_refused(self, code: str, ask: Ask) -> None:
        done = ask(code)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "is neither a file" in done.stderr


class TestMisuse:
    def test_a_mail_without_anything_of_ours_is_no_receipt(self, ask: Ask, tmp_path: Path) -> None:
        (tmp_path / "x.eml").write_bytes(b"Subject: hello\n\nArrived late, sorry.\n")
        assert (ask(str(tmp_path / "x.eml")).exit_code, ask(str(tmp_path / "x.eml")).stdout) == (2, "")

    @pytest.mark.parametrize("raw", [b"", b"\0" * 1000, b"Content-Type: text/plain; charset=nonsense\n\n\xff Digest"])
    def test_a_mail_that_is_broken_is_no_receipt(self, raw: bytes, ask: Ask, tmp_path: Path) -> None:
        (tmp_path / "x.eml").write_bytes(raw)
        done = ask(str(tmp_path / "x.eml"))
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)

    def test_a_folder_that_is_no_archive_is_none(self, tmp_path: Path) -> None:
        done = CliRunner().invoke(app, ["receipt", "12", "--archive", str(tmp_path)])
        assert (done.exit_code, "is no archive that can be read" in done.stderr) == (2, True)

    def test_where_to_look_must_be_clear(self) -> None:
        assert "which game?" in CliRunner().invoke(app, ["receipt", "12"]).stderr
        assert "name an archive with --archive" in CliRunner().invoke(app, ["receipt", "12", "--game", "a"]).stderr
        assert "not both" in CliRunner().invoke(app, ["receipt", "12", "--game", "a", "--archive", "b"]).stderr

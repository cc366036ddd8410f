"""Games from archives: a finished one as if it had been played here, another goes on here with none of the old secrets."""

import json
import re
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.evidence.claims import claims_of_code, claims_of_mail
from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.book_sources.ledger import books_of_ledger
from pbmd.archive.format.books import Books
from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL
from pbmd.archive.replay.beginnings import StepPlace
from pbmd.cli import app
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.imports.game import adopt_finished, go_on
from pbmd.ledger.journal import Link
from pbmd.ledger.journal import verify as chain_head
from pbmd.ledger.tables import GameStatus, Outbox, SeatState
from pbmd.rules import Refused, canonical_json
from pbmd.rules.dice import commitment
from pbmd.rules.registry import slugs
from pbmd.terms.terms import Terms
from tests.archive.cheats.rewritten import in_all, rewritten
from tests.archive.made import derive_again, examined, export, forge, verified, write_settings
from tests.archive.samples import FOLDER, unpack
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World, address_of, body_of
from tests.doses import dose

DAY = timedelta(days=1)


def turn(world: World, *numbers: int) -> None:
    for seat, number in zip(NAMES, numbers, strict=False):
        world.send(seat, f"Add {number}")
    assert world.pass_time(4 * DAY) == 1


def march_and_fire(world: World, *phases: str) -> None:
    """Play these phases of Tides, in which Altair and Cygnus march before Borealis."""
    for phase in phases:
        assert world.game().step_name == phase
        orders = {"set-up": "Base 5", "phase 1f": "Fire Borealis"}.get(phase, "March 2")
        for seat in {"phase 1a": NAMES[::2], "phase 1b": NAMES[1::2]}.get(phase, NAMES):
            world.send(seat, orders)
        world.pass_time(timedelta(hours=1))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[World]:
    """Where the game was played."""
    (tmp_path / "host").mkdir()
    world = World(tmp_path / "host")
    yield world
    world.close()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    """Where it is imported: another machine, another key, later."""
    (tmp_path / "here").mkdir()
    world = World(tmp_path / "here")
    world.now += 100 * DAY
    world.desk = replace(world.desk, key=b"h" * 32, entropy=token_bytes)
    yield world
    world.close()


@pytest.fixture
def played(host: World) -> World:
    """Three turns, the second played twice; somebody has given up."""
    host.as_ever("three turns, the second played twice", lambda: three_turns(host))
    return host


def three_turns(host: World) -> None:
    host.start(seats=NAMES, options={"target": 40, "die": False}, ruleset="count", reminders=())
    turn(host, 1, 2, 3)
    turn(host, 4, 5, 6)
    host.act("galaxy-7", roll_back, 2)
    turn(host, 7, 8)
    host.resign("Cygnus")
    host.act("galaxy-7", set_option, "target", "30")
    turn(host, 9, 9)


def entries_of(archive: Path):
    return partial(read_entries, archive / JOURNAL)


def files(archive: Path, folder: str) -> dict[str, bytes]:
    return {
        path.relative_to(archive).as_posix(): path.read_bytes()
        for path in sorted((archive / folder).rglob("*"))
        if path.is_file()
    }


def made_by_rules(archive: Path) -> dict[str, bytes]:
    """The files of turns, without the pages of seats: deadlines and receipts in these are in no journal."""
    pages = re.compile(r".*/reports/(?!public).*\.html")
    return {path: content for path, content in files(archive, "data/turns").items() if not pages.fullmatch(path)}


@pytest.mark.parametrize("slug", dose(["cosmic_conquest"], slugs()))
def test_an_archive_of_an_imported_game_is_the_archive_that_it_was_imported_from(slug: str, tmp_path: Path) -> None:
    archives = [unpack(FOLDER / f"{slug}.tar.xz", tmp_path)]
    for count_of in ("once", "twice"):
        (tmp_path / count_of).mkdir()
        world = World(tmp_path / count_of)
        with world.work() as work:
            name = adopt_finished(work, entries_of(archives[-1])).game.name
        archives.append(export(world, tmp_path / f"archive {count_of}", name))
        world.close()
    first, second, third = archives
    assert files(second, ".") == files(third, ".")
    assert verified(second).problems == verified(second).unbound == []
    assert made_by_rules(second) == made_by_rules(first)
    assert (second / JOURNAL).read_bytes() == (first / JOURNAL).read_bytes()
    before, after = (tomllib.loads((each / "data/game.toml").read_text()) for each in (first, second))
    # A sample may be older than a change of the rules' words, and than some terms.
    assert before.pop("terms").items() <= after.pop("terms").items()
    assert {**before, "ruleset_digest": ""} == {**after, "ruleset_digest": ""}
    assert tables(second) == tables(first)


def tables(archive: Path) -> dict[str, list[Any]]:
    """What the database of an archive has, but for the words of the game's head."""
    with closing(sqlite3.connect(archive / "data" / "game.sqlite")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'game'")]
        return {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def test_an_abandoned_game_keeps_the_orders_that_were_on_file(host: World, here: World, tmp_path: Path) -> None:
    host.count()
    host.send("Altair", "Add 4")
    host.act("galaxy-7", abandon)
    with here.work() as work:
        adopt_finished(work, entries_of(export(host, tmp_path / "archive")))
    kept = [(row.number, row.arrived_at, row.digest, row.state, row.orders) for row in here.submissions()]
    assert kept == [(row.number, row.arrived_at, row.digest, row.state, row.orders) for row in host.submissions()]
    assert [state for _, _, _, state, _ in kept] == ["filed"]


class TestAFinishedGame:
    @pytest.fixture
    def archive(self, played: World, tmp_path: Path) -> Path:
        played.send("Altair", "PRESS TO Borealis\nWell played.\nEND PRESS")
        turn(played, 9, 9)
        turn(played, 9, 9)
        assert played.game().status is GameStatus.FINISHED
        return export(played, tmp_path / "archive")

    def test_is_as_if_it_had_been_played_here(self, archive: Path, here: World, tmp_path: Path) -> None:
        with here.work() as work:
            adopt_finished(work, entries_of(archive))
        game = here.game()
        assert (game.status, game.name, game.ruleset) == (GameStatus.FINISHED, "galaxy-7", "count")
        again = export(here, tmp_path / "again")
        assert verified(again).ok
        assert (again / JOURNAL).read_bytes() == (archive / JOURNAL).read_bytes()
        assert made_by_rules(again) == made_by_rules(archive)
        assert any(sheets != b"[]\n" for path, sheets in made_by_rules(again).items() if path.endswith("sheets.json"))

    def test_makes_no_mails_and_can_have_another_name(self, archive: Path, here: World) -> None:
        with here.work() as work:
            adopt_finished(work, entries_of(archive), "old-one")
        assert here.outbox() == []
        assert here.game("old-one").turn > 1
        assert [line.what for line in here.log()] == ["imported"]
        with here.work() as work, pytest.raises(Refused, match="there is already"):
            adopt_finished(work, entries_of(archive), "old-one")

    def test_with_press_that_is_not_shown_keeps_its_chain(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES[:2], options={"target": 5}, ruleset="count", reminders=(), press_archive="none")
        host.send("Altair", "PRESS TO Borealis\nsecret plans\nEND PRESS\nAdd 9")
        host.pass_time(4 * DAY)
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            adopt_finished(work, entries_of(archive))
        again = export(here, tmp_path / "again")
        assert verified(again).ok
        assert (again / JOURNAL).read_bytes() == (archive / JOURNAL).read_bytes()

    def test_with_orders_that_had_a_token_keeps_its_chain_and_verifies(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES[:2], options={"target": 5}, ruleset="count", reminders=())
        host.open("nova")
        token = host.token_of_gm("nova")  # of one's own game no line with one is read
        host.send("Altair", f"Add 9\nAdd {token}")
        host.pass_time(4 * DAY)
        archive = export(host, tmp_path / "archive")
        with here.work() as work, pytest.raises(Refused, match=r"blanked in entry \d+ \(orders\)"):
            adopt_finished(work, entries_of(archive))
        with here.work() as work:
            adopt_finished(work, entries_of(archive), trusting=True)
        again = export(here, tmp_path / "again")
        assert verified(again).problems == []
        assert (again / JOURNAL).read_bytes() == (archive / JOURNAL).read_bytes()
        rows = here.journal()
        head = chain_head(
            Link(row.number, row.at, row.kind, row.public, row.secret, row.salt, row.hash, row.sealed) for row in rows
        )
        assert head == here.game().chain_head

    def test_can_be_played_on_by_a_rollback(self, archive: Path, here: World, tmp_path: Path) -> None:
        with here.work() as work:
            adopt_finished(work, entries_of(archive))
        here.act("galaxy-7", roll_back, 2)
        assert (here.game().status, here.game().turn) == (GameStatus.RUNNING, 2)
        sheets = {sheet["seat"]: sheet["lines"] for sheet in here.position()["sheets"]}
        assert sheets == {"Altair": ["Add 7"], "Borealis": ["Add 8"]}, "what was used is on file again"
        assert here.pass_time(4 * DAY) == 1
        assert not here.log("altered")
        assert verified(export(here, tmp_path / "later")).problems == []

    @pytest.mark.parametrize(
        ("part", "key", "said"),
        [
            ("secret", "address", "a@players.test\r\nBcc: all@players.test"),
            ("secret", "address", "nobody"),
            ("public", "seat", "Altair\x1b[2J"),
        ],
    )
    def test_takes_nobody_to_whom_no_mail_can_be_sent_or_who_cannot_be_shown(
        self, archive: Path, here: World, part: str, key: str, said: str
    ) -> None:
        def change(entries: list[dict[str, Any]]) -> None:
            next(entry for entry in entries if entry["kind"] == "joined")[part][key] = said

        forge(archive, change)
        with here.work() as work, pytest.raises(Refused, match=r"no mail can be sent|cannot be shown"):
            adopt_finished(work, entries_of(archive))

    @pytest.mark.parametrize("more", [{}, {"meanwhile": []}])
    def test_needs_nothing_of_press_that_was_blanked_unless_it_tells_of_more(
        self, archive: Path, here: World, more: dict[str, Any]
    ) -> None:
        path = archive / JOURNAL
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        press = next(entry for entry in entries if entry["kind"] == "press")
        press["secret"] |= {"text": "x" * 16, **more}
        del press["salt"]
        path.write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))
        with here.work() as work:
            if more:
                with pytest.raises(Refused, match=r"blanked in entry \d+ \(press\)"):
                    adopt_finished(work, entries_of(archive))
            else:
                assert adopt_finished(work, entries_of(archive)).game.chain_head == entries[-1]["hash"]

    @pytest.mark.parametrize("over", [True, False])
    def test_keeps_the_names_that_its_seats_have(
        self, host: World, here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over: bool
    ) -> None:
        names = ("Game Master", "Altair", "A1tair")
        with monkeypatch.context() as before:
            before.setattr("pbmd.desk.changes.new_game.name_problem", lambda *_: "")
            host.count("galaxy-7", names, target=9)
        for name in names:
            host.send(name, "Add 9" if over else "Add 1")
        host.pass_time(4 * DAY)
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            table = adopt_finished(work, entries_of(archive)) if over else go_on(work, entries_of(archive), 2)
            assert tuple(seat.name for seat in table.seats) == names

    def test_is_not_taken_under_a_name_like_that_of_another_game(self, archive: Path, here: World) -> None:
        here.open("galaxy-l")
        with here.work() as work, pytest.raises(Refused, match="could be taken for"):
            adopt_finished(work, entries_of(archive), "galaxy-1")

    def test_is_not_taken_while_it_runs(self, host: World, here: World, tmp_path: Path) -> None:
        host.count()
        archive = export(host, tmp_path / "running")
        with here.work() as work, pytest.raises(Refused, match="--go-on"):
            adopt_finished(work, entries_of(archive))


def held_against(mail: Outbox, books: Books) -> dict[str, bool | None]:
    """What was compared."""
    return {finding.what: finding.holds for finding in examined(claims_of_mail(mail.raw), books) if finding.whole}


def books_of(world: World) -> Books:
    with world.work() as work:
        return books_of_ledger(work.session, world.game())


class TestReceipts:
    """A mail proves of an imported game what it proves with the archive."""

    def test_of_a_game_that_is_over_prove_what_they_proved(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES, options={"target": 30}, ruleset="count", reminders=())
        turn(host, 1, 2, 3)
        host.send("Altair", "Add 4")
        host.now += timedelta(minutes=1)
        host.send("Altair", "Add 5")
        host.send("Borealis", "nonsense")
        host.pass_time(4 * DAY)
        turn(host, 6, 6, 6)
        host.send("Altair", "Add 7")
        host.act("galaxy-7", abandon)
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            adopt_finished(work, entries_of(archive))
        there, now = books_of_archive(archive / "data"), books_of(here)
        mails = [mail for mail in host.outbox() if mail.kind in ("acknowledgement", "report")]
        kinds = set[str]()
        for mail in mails:
            found = held_against(mail, now)
            assert all(found.values()), (mail.kind, body_of(mail), found)
            assert held_against(mail, there).keys() == found.keys()
            kinds |= found.keys()
        told = [(finding.what, finding.words) for finding in examined(claims_of_mail(mails[-2].raw), now) if not finding.whole]
        above = "not compared: what stands above the report, of which its page in the books says nothing"
        assert {("report", above), ("its page", above)} <= {*told}, "any host can have such pages"
        more = rewritten(mails[-2].raw, *in_all(lambda text: text.replace("HELP lists", "Altair has resigned. HELP lists")))
        told = [finding.words for finding in examined(claims_of_mail(more), now)]
        assert any("Altair has resigned." in words for words in told), "below a report its page, made anew, is whole"
        assert kinds == {
            "journal",
            "receipt",
            "arrived",
            "deadline",
            "digest",
            "chain head",
            "head in form",
            "dice secret",
            "entry of the turn",
            "mail as sent",
            "commitment",
            "salt",
            "checkpoint",
            "report",
            "its page",
        }

    def test_of_orders_that_were_on_file_at_the_end_are_not_called_forged(
        self, host: World, here: World, tmp_path: Path
    ) -> None:
        host.count()
        host.send("Altair", "Add 4")
        host.act("galaxy-7", abandon)
        archive = export(host, tmp_path / "archive")
        (mail,) = host.outbox("acknowledgement", "Altair")
        found = held_against(mail, books_of_archive(archive / "data"))
        assert (found["receipt"], found["digest"]) == (True, None), "no turn has them"
        code = claims_of_code(next(found for each in claims_of_mail(mail.raw).statements if (found := each.first("digest"))))
        assert examined(code, books_of_archive(archive / "data"))[-1].holds is None, "nor alone"
        with here.work() as work:
            adopt_finished(work, entries_of(archive))
        assert all(held_against(mail, books_of(here)).values())

    def test_prove_what_they_proved_under_another_name(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES[:2], options={"target": 5}, ruleset="count", reminders=())
        turn(host, 3, 4)
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            adopt_finished(work, entries_of(archive), name="then-7")
        again = books_of_archive(export(here, tmp_path / "again", "then-7") / "data")
        with here.work() as work:
            now = books_of_ledger(work.session, here.game("then-7"))
        (mail,) = host.outbox("acknowledgement", "Altair")
        for books in (now, again):
            assert books.game == "then-7"
            found = held_against(mail, books)
            assert (all(found.values()), "digest" in found) == (True, True), found
            other = claims_of_mail(mail.raw.replace(b"galaxy-7", b"galaxy-8"))
            assert examined(other, books)[-1].what == "game", "of another game nothing is proved"

    def test_of_orders_that_the_chain_does_not_hold_prove_nothing(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES[:2], options={"target": 5}, ruleset="count", reminders=())
        host.open("nova")
        token = host.token_of_gm("nova")  # of one's own game no line with one is read
        host.send("Altair", f"Add 9\nAdd {token}")
        host.pass_time(4 * DAY)
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            adopt_finished(work, entries_of(archive), trusting=True)
        (mail,) = host.outbox("acknowledgement", "Altair")
        for books in (books_of_archive(archive / "data"), books_of(here)):
            assert held_against(mail, books)["receipt"] is None

    def test_of_a_game_that_goes_on_know_its_first_and_its_last_dice(self, played: World, here: World, tmp_path: Path) -> None:
        with here.work() as work:
            go_on(work, entries_of(export(played, tmp_path / "archive")), 3)
        first = here.outbox("report", "Altair")[0]
        turn(here, 1, 1)
        secret = here.game().secret
        here.act("galaxy-7", abandon)
        for books in (books_of(here), books_of_archive(export(here, tmp_path / "again") / "data")):
            found = held_against(first, books)
            assert found["commitment"] is True
            assert all(found.values()), found
            _, opened = examined(claims_of_code(secret.hex()), books)
            assert (opened.holds, opened.words) == (True, "the dice secret of the step that was open when the game ended")


class TestAGameThatGoesOn:
    @pytest.fixture
    def archive(self, played: World, tmp_path: Path) -> Path:
        return export(played, tmp_path / "archive")

    def test_stands_as_it_stood_when_the_turn_began(self, archive: Path, here: World) -> None:
        with here.work() as work:
            go_on(work, entries_of(archive), 3)
        game = here.game()
        assert (game.status, game.turn, game.deadline) == (GameStatus.RUNNING, 3, here.now + 3 * DAY)
        assert [player["score"] for player in here.position()["players"]] == [8, 10, 9]  # what Cygnus had sent was filed again
        assert here.position()["options"]["target"] == 30
        assert here.seat("Cygnus").state is SeatState.RESIGNED

    def test_has_the_terms_as_they_were_changed(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES, ruleset="societies", reminders=())
        host.master("QUIET Sunday\nHOLIDAY 2026-12-24")
        host.sure("SET turn_hours 50")
        assert host.pass_time(9 * DAY) == 1
        archive = export(host, tmp_path / "archive")
        with here.work() as work:
            go_on(work, entries_of(archive), host.game().turn)
        terms, before = (Terms.model_validate_json(world.game().terms) for world in (here, host))
        assert (terms.quiet_days, terms.deadline) == (("sunday",), "50h")
        assert terms == before

    def test_has_a_journal_that_names_the_head_of_the_old_one(self, archive: Path, here: World) -> None:
        head = tomllib.loads((archive / "data" / "game.toml").read_text())["journal"]
        with here.work() as work:
            go_on(work, entries_of(archive), 2, "galaxy-8")
        assert [entry.kind for entry in here.journal()] == ["created", "joined", "joined", "joined", "imported"]
        public = json.loads(here.journal("imported")[0].public)
        assert (public["archive"]["entries"], public["archive"]["head"]) == (head["entries"], head["head"])
        assert public["commitment"] == commitment(here.game("galaxy-8").secret)

    def test_has_new_secrets_and_tells_its_players(self, archive: Path, here: World) -> None:
        with here.work() as work:
            go_on(work, entries_of(archive), 3)
        old = {record["public"].get("secret") for record in map(json.loads, (archive / JOURNAL).read_text().splitlines())}
        assert here.game().secret.hex() not in old
        mails = here.outbox("report")
        assert {mail.recipient for mail in mails} == {address_of(seat) for seat in NAMES[:2]}
        head = tomllib.loads((archive / "data" / "game.toml").read_text())["journal"]["head"]
        for mail in mails:
            told = " ".join(body_of(mail).split())
            assert "it goes on from the beginning of turn 3" in told
            assert head in told

    def test_is_played_to_its_end_and_verifies(self, archive: Path, here: World, tmp_path: Path) -> None:
        with here.work() as work:
            go_on(work, entries_of(archive), 3)
        turn(here, 9, 9)
        turn(here, 9, 9)
        here.act("galaxy-7", roll_back, 3)
        turn(here, 8, 9)
        turn(here, 9, 9)
        turn(here, 9, 9)
        assert here.game().status is GameStatus.FINISHED
        assert not here.log("altered")
        findings = verified(export(here, tmp_path / "again"))
        assert findings.problems == []
        assert findings.checked["steps"] == 6

    def test_of_moves_goes_on_too(self, host: World, here: World, tmp_path: Path) -> None:
        past_turn_0(relay(host, die=True))
        for seat in NAMES:
            host.send(seat, "Add 2")
        archive = export(host, tmp_path / "moves")
        host.send("Borealis", "Add 9")  # waits, and is nobody else's business
        archive = export(host, tmp_path / "later")
        with here.work() as work:
            go_on(work, entries_of(archive), 2)
        assert here.position()["sheets"] == []
        here.send("Altair", "Add 3")
        assert verified(export(here, tmp_path / "again", GAME)).problems == []

    def test_goes_on_from_a_step_within_a_turn(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES, ruleset="tides", options={"days": 9}, reminders=())
        march_and_fire(host, "set-up", "phase 1a", "phase 1b")
        assert (host.game().turn, host.game().step_name) == (1, "phase 1f")
        march_and_fire(host, "phase 1f")
        archive = export(host, tmp_path / "by-day")
        with here.work() as work:
            go_on(work, entries_of(archive), StepPlace(1, 3))
        assert (here.game().turn, here.game().step_name) == (1, "phase 1f")
        stood = tomllib.loads((archive / "data/turns/001.2/after.toml").read_text())
        assert here.position()["captains"] == stood["captains"]
        told = " ".join(body_of(here.rows(Outbox)[0]).split())
        assert "here it goes on from the beginning of phase 1f of turn 1" in told
        march_and_fire(here, "phase 1f", "phase 1a")
        assert verified(export(here, tmp_path / "again")).problems == []

    def test_counts_no_step_that_was_rolled_back(self, archive: Path, here: World) -> None:
        with here.work() as work, pytest.raises(Refused, match=r"step 2\.2 did not begin in this game; turn 2 has 2\.1$"):
            go_on(work, entries_of(archive), StepPlace(2, 2))

    def test_names_the_steps_of_a_turn_where_there_is_no_such_step(self, host: World, here: World, tmp_path: Path) -> None:
        host.start(seats=NAMES, ruleset="tides", reminders=())
        march_and_fire(host, "set-up", "phase 1a")
        archive = export(host, tmp_path / "phases")
        there = r"step 1\.7 did not begin in this game; turn 1 has 1\.1 \(phase 1a\), 1\.2 \(phase 1b\)"
        with here.work() as work, pytest.raises(Refused, match=there):
            go_on(work, entries_of(archive), StepPlace(1, 7))

    @pytest.mark.parametrize("turn", [0, 9, -1])
    def test_needs_a_turn_that_there_is(self, archive: Path, here: World, turn: int) -> None:
        with here.work() as work, pytest.raises(Refused, match=f"turn {turn} did not begin in this game; it has turns 1 to 4"):
            go_on(work, entries_of(archive), turn)


class TestTheCommand:
    @pytest.fixture
    def settings(self, tmp_path: Path) -> Path:
        home = tmp_path / "home"
        home.mkdir()
        return write_settings(home)

    def run(self, archive: Path, settings: Path, *more: str) -> Result:
        return CliRunner().invoke(app, ["import", str(archive), "--settings", str(settings), *more])

    def test_goes_on_and_says_so(self, played: World, settings: Path, tmp_path: Path) -> None:
        done = self.run(export(played, tmp_path / "archive"), settings, "--go-on", "--from-turn", "3", "--as", "again")
        assert done.exit_code == 0, done.output
        assert "again (Count): running, turn 3, deadline " in done.stdout
        assert verified(tmp_path / "archive").head in done.stdout

    def test_leaves_books_that_are_what_was_written(self, played: World, settings: Path, tmp_path: Path) -> None:
        running = export(played, tmp_path / "running")
        played.act("galaxy-7", abandon)
        assert self.run(running, settings, "--go-on", "--from-turn", "3", "--as", "again").exit_code == 0
        assert self.run(export(played, tmp_path / "over"), settings, "--as", "over").exit_code == 0
        checked = CliRunner().invoke(app, ["check", "--settings", str(settings)]).stdout
        assert "ok      books       2 games, as they were written" in checked
        assert "ok      journals    " in checked

    def test_takes_nothing_that_does_not_verify(self, played: World, settings: Path, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        (archive / "data" / "turns" / "001" / "after.toml").write_text("forged = true\n")
        done = self.run(archive, settings, "--go-on", "--from-turn", "3")
        assert (done.exit_code, done.stdout) == (1, "")
        assert "does not verify, so it was not imported: data/turns/001/after.toml" in done.stderr

    def test_takes_nothing_that_has_not_all_of_the_game(self, played: World, settings: Path, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive", audience=TO_PUBLIC)
        done = self.run(archive, settings)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "has not all of the game" in done.stderr

    @pytest.mark.parametrize("more", [(), ("--go-on", "--from-turn", "2")])
    def test_gives_no_seat_to_whoever_says_that_something_was_blanked(
        self, played: World, settings: Path, tmp_path: Path, more: tuple[str, ...]
    ) -> None:
        played.act("galaxy-7", abandon)
        archive = export(played, tmp_path / "archive")
        genuine = verified(archive).head
        path = archive / JOURNAL
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        joined = [entry for entry in entries if entry["kind"] == "joined"][1]
        joined["secret"] |= {"holder": "x" * 16, "address": "forger@players.test"}
        del joined["salt"]
        path.write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))
        derive_again(archive)
        assert (verified(archive).problems, verified(archive).head) == ([], genuine), "the players' heads fit the forgery"
        done = self.run(archive, settings, *more)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "cannot be held against the chain" in done.stderr
        assert f"blanked in entry {joined['number']} (joined)" in " ".join(done.stderr.split())
        assert "--trust" in done.stderr
        insisted = self.run(archive, settings, *more, "--trust")
        assert insisted.exit_code == 0, insisted.output
        assert "cannot be held against the chain" in insisted.stderr

    def test_goes_on_from_a_step(self, played: World, settings: Path, tmp_path: Path) -> None:
        archive = export(played, tmp_path / "archive")
        done = self.run(archive, settings, "--go-on", "--from-step", "003.1", "--as", "again")
        assert done.exit_code == 0, done.output
        assert "again (Count): running, turn 3, deadline " in done.stdout
        there_is_none = self.run(archive, settings, "--go-on", "--from-step", "3.2", "--as", "third")
        assert (there_is_none.exit_code, there_is_none.stdout) == (2, "")
        assert "step 3.2 did not begin in this game; turn 3 has 3.1" in there_is_none.stderr

    @pytest.mark.parametrize("step", ["day", "3.", "3.2.1", "-1", "9999999"])
    def test_wants_a_step_as_archives_number_them(self, settings: Path, tmp_path: Path, step: str) -> None:
        done = self.run(tmp_path, settings, "--go-on", f"--from-step={step}")
        assert done.exit_code == 2
        assert f'takes a turn and the place of a step in it, like 3.2, not "{step}"' in done.stderr

    def test_wants_one_beginning(self, settings: Path, tmp_path: Path) -> None:
        done = self.run(tmp_path, settings, "--go-on", "--from-step", "3.2", "--from-turn", "3")
        assert "give --from-turn or --from-step, not both" in done.stderr

    def test_wants_both_options_or_none(self, settings: Path, tmp_path: Path) -> None:
        for more in (("--go-on",), ("--from-turn", "3"), ("--from-step", "3.2")):
            assert "belong together" in self.run(tmp_path, settings, *more).stderr

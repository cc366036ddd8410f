"""Nothing depends on how many letters are read at once: N letters in one pass give what N passes with one letter each give."""

import email
import email.policy
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event

from pbmd.archive.evidence.against_books import examine
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.format.audience import Audience
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.entries import read_entries
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game, pauses
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.due.advance import advance_games
from pbmd.desk.imports.game import go_on
from pbmd.desk.letter.arrival_queue import Queue
from pbmd.desk.letter.opened_letter import Stored
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Letter, LetterState, Report, StepRecord
from pbmd.rendering.render import report_text
from pbmd.rules import Event, Line, Signup, seat_reader
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.bunches import (
    GAME,
    LATER,
    PLAYERS,
    SECOND,
    Kept,
    Players,
    at_once,
    by_lanes,
    desk,
    drawn_fast,
    kept,
    one_by_one,
    one_pass,
    put_in,
)
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import BEGIN, NAMES, World, address_of, message_of, text_of
from tests.doses import dose

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LETTERS = dose(15, 30)
SEEDS = dose({}, {"count": 3, "relay": 3, "tides": 2, "bazaar": 3})
KINDS = ("count", "relay", "tides", "bazaar", "diplomacy")
"""A small game of each kind, one whose letters take effect at once, and a large one."""


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """All of it is the same, byte for byte."""
    assert sorted(other) == sorted(one)
    for name, parts in one.items():
        if isinstance(parts, list):
            for place, (part, others) in enumerate(zip(parts, other[name], strict=False)):
                assert others == part, f"{name} {place}"
            assert len(other[name]) == len(parts), name
        assert other[name] == parts, name


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("slug", "seed"), [(slug, seed) for slug in dose(KINDS, PLAYERS) for seed in range(SEEDS.get(slug, 1))]
)
def test_letters_read_at_once_leave_the_same_as_letters_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str, seed: int
) -> None:
    """Journal, reports, mails, log and archive: every byte, at desks whose clocks show the same."""
    drawn_fast(monkeypatch)
    letters, by_one = one_by_one(tmp_path / "one", slug, f"{slug} {seed}", LETTERS)
    all_at_once = at_once(tmp_path / "all", slug, letters)
    same(by_one.rows, all_at_once.rows)
    same(by_one.files, all_at_once.files)
    assert by_one.rows["StepRecord"], "nothing has happened"
    assert [str(problem) for problem in verified(by_one.archive).problems] == []
    if not seed:
        in_lanes = by_lanes(tmp_path / "lanes", slug, letters)
        same(by_one.rows, in_lanes.rows)
        same(by_one.files, in_lanes.files)


@pytest.mark.parametrize("slug", dose(("count",), ("count", "relay")))
def test_nor_does_it_matter_to_seats_that_sleep_and_wake_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    drawn_fast(monkeypatch)
    terms = {"deadline": "20m", "missed_in_a_row": 1, "sleeper": "offer"}
    letters, by_one = one_by_one(tmp_path / "one", slug, f"{slug} asleep", LETTERS, **terms)
    all_at_once = at_once(tmp_path / "all", slug, letters, **terms)
    same(by_one.rows, all_at_once.rows)
    same(by_one.files, all_at_once.files)
    assert {"asleep", "awake"} <= {entry["kind"] for entry in by_one.rows["JournalEntry"]}
    assert [str(problem) for problem in verified(by_one.archive).problems] == []
    same(by_one.rows, by_lanes(tmp_path / "lanes", slug, letters, **terms).rows)


_TIMES = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:Z|\+00:00)?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d\d? \w{3} \d{4} [\d:]+(?: UTC)?"
    r"|(?<=by%20)[\w%]+"
    r'|\d+ (?:days?|h|min|s)\b(?: \d+ (?:h|min|s)\b)*|"stood_seconds":\d+|[0-9a-f]{16,64}'
    r"|(?<=[\dx]\.)[a-z2-7]{20}"
    r"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{27,91}(?:=(?:3D)?)*"
    r"|(?<=everybody: )(?:[a-z]{3,8} ){3}[a-z]{3,8}|words: (?:<strong>)?(?:[a-z]{3,8} ){3}[a-z]{3,8}"
)


def apart_from_times(rows: list[Any]) -> list[str]:
    """What was told, with the times taken out, and the hashes and signatures into which they go."""
    return [_TIMES.sub("…", str(row).replace("=\\r\\n", "")) for row in rows]


@pytest.mark.parametrize("slug", dose(("tides",), (*KINDS[:3], "local_cluster")))
def test_as_time_goes_by_only_times_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    """Read as they come, or all of them weeks later: the same journal, reports and mails, but for when it was."""
    drawn_fast(monkeypatch)
    monkeypatch.setattr("pbmd.desk.mail.rate_limits.HOUR", timedelta(0))  # within which nobody is told the same twice
    terms = {"deadline": "5000h"}

    def each(players: Players) -> None:
        players.world.now = players.at + SECOND / 2
        one_pass(players.world, players.world.now)

    books: list[dict[str, list[str]]] = []
    with desk(tmp_path / "one", slug, **terms) as world:
        letters = Players(world, f"{slug} as time goes by", each).write(LETTERS)
        world.now += HOUR
        one_pass(world, world.now)
        books.append(told(kept(world, tmp_path / "one")))
        assert len(world.rows(StepRecord)) > 1
    with desk(tmp_path / "all", slug, **terms) as world:
        world.now = LATER
        put_in(world, letters, 1)
        one_pass(world, LATER)
        books.append(told(kept(world, tmp_path / "all")))
    same(*books)


def told(books: Kept) -> dict[str, list[str]]:
    """Journal, reports and mails without times and what is made of them."""
    entries = [(row["kind"], row["public"], row["secret"]) for row in books.rows["JournalEntry"]]
    reports = [(row["step"], row["turn"], row["reader"], row["text"]) for row in books.rows["Report"]]
    mails = [(key, recipient, body_of_raw(raw)) for key, recipient, raw in books.rows["Outbox"]]
    return {"journal": apart_from_times(entries), "reports": apart_from_times(reports), "mails": apart_from_times(mails)}


def body_of_raw(raw: bytes) -> str:
    """What a mail says, without line ends: a time more or less wraps a line elsewhere."""
    parts = email.message_from_bytes(raw, policy=email.policy.default).walk()
    return " ".join(word for part in parts if part.get_content_maintype() == "text" for word in part.get_content().split())


# A report is of its step, whatever else came with it.

HOMES = {"Terrans": "Aquila", "Zorg": "Garnet", "Qix": "Quill"}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[World]:
    """A desk with Terrans, Zorg and Qix in Turn 1 of Local Cluster, where Zorg has offered Terrans a trade treaty."""
    (tmp_path / "cluster").mkdir()
    world = World(tmp_path / "cluster")
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "local_cluster", Terms(reminders=(), second_thought="0m"), {})
        for name, home in HOMES.items():
            form = (f"Race Name: {name}", f"Leader: Head of {name}", f"Home Planet: {home}", "Extra Traits: Warlike, Scholars")
            new_game.add_seat(
                work, table, Signup(name, tuple(map(Line, (1, 2, 3, 4), form))), new_game.Newcomer(address_of(name), "")
            )
        new_game.start_game(work, table)
    for name, home in HOMES.items():
        world.send(name, f"Build army at {home}")
    world.send("Zorg", "Offer trade treaty to Terrans")
    yield world
    world.close()


def events_of(record: StepRecord) -> list[Event]:
    """What happened in a step."""
    return [
        Event(each["kind"], each["data"], each["audience"] and tuple(each["audience"]), each["detail"], tuple(each["insiders"]))
        for each in json.loads(record.events)
    ]


@pytest.mark.rule("LC-10", "LC-30", "LC-R36")
def test_the_report_of_a_move_knows_nothing_of_a_treaty_that_was_accepted_after_it(cluster: World, tmp_path: Path) -> None:
    cluster.arrive(cluster.letter("Terrans", "End move"))
    cluster.arrive(cluster.letter("Terrans", "Accept trade treaty from Zorg"))
    process_letters(cluster.desk)
    assert [entry.kind for entry in cluster.journal()][-3:] == ["orders", "resolved", "told"]
    record, rules = cluster.rows(StepRecord)[-1], cluster.desk.ruleset("local_cluster")
    (zorg,) = cluster.rows(Report, Report.step == record.step, Report.reader == "seat:2")
    view = rules.view(rules.load(json.loads(record.after)), events_of(record), seat_reader("Zorg"))
    assert zorg.text == report_text(rules, view)
    assert zorg.text != report_text(rules, rules.view(rules.load(cluster.position()), events_of(record), seat_reader("Zorg")))
    archive = export(cluster, tmp_path / "archive")
    assert [str(problem) for problem in verified(archive).problems] == []
    (tmp_path / "here").mkdir()
    here = World(tmp_path / "here")
    with changing_games(here.desk) as work:
        go_on(work, lambda: read_entries(archive / "data" / "journal.jsonl"), 1)
    here.close()


def test_a_report_that_shows_a_move_which_waits_is_in_its_holders_archive_alone(cluster: World, tmp_path: Path) -> None:
    """As long as the game runs the journal has no such move, so that the report could not be made again from it."""
    cluster.send("Qix", "End move")
    cluster.send("Terrans", "End move")
    own = "data/turns/001/reports/3-qix.txt"
    archive = export(cluster, tmp_path / "archive")
    findings = verified(archive)
    assert [str(problem) for problem in findings.problems] == []
    assert any("1 report of a seat is not there" in words for words in findings.unchecked)
    assert not (archive / own).exists()
    assert (archive / own.replace("3-qix", "2-zorg")).exists()
    of_holder = export(cluster, tmp_path / "of Qix", audience=Audience("seat", "Qix"))
    assert "YOUR MOVE THAT WAITS" in (of_holder / own).read_text()
    claims = claims_of_mail(cluster.outbox("report", "Qix")[-1].raw)
    for folder, holds in ((archive, None), (of_holder, True)):
        reports = [each for each in examine(claims, books_of_archive(folder / "data")) if each.what == "report"]
        assert [each.holds for each in reports] == [holds], reports
    cluster.send("Zorg", "End move")
    whole = export(cluster, tmp_path / "whole")
    assert [str(problem) for problem in verified(whole).problems] == []
    assert (whole / own).read_bytes() == (of_holder / own).read_bytes(), "now the journal has the move"


def test_what_is_told_after_a_move_is_told_of_the_turn_that_runs_then(tmp_path: Path) -> None:
    """Cygnus moves last in turn 1, and with its move that of Altair for turn 2 is carried out."""
    world = past_turn_0(relay(World(tmp_path)))
    for seat, text in [
        ("Altair", "Add 1"),
        ("Borealis", "Offer Altair"),
        ("Borealis", "Add 1"),
        ("Altair", "Add 2"),
        ("Cygnus", "Add 1"),
        ("Altair", "Accept Borealis"),
        ("Cygnus", "Offer Altair"),
    ]:
        world.arrive(world.letter(seat, text))
    process_letters(world.desk)
    entries = [(entry.kind, json.loads(entry.public)) for entry in world.journal()[-4:]]
    assert [(kind, public["turn"], public["step"]) for kind, public in entries] == [
        ("orders", 1, 5),
        ("resolved", 1, 5),
        ("resolved", 2, 6),
        ("told", 2, 7),
    ]
    assert "[pbmd galaxy-7 t2]" in str(world.outbox("notice", "Altair")[-1].raw)
    assert [(row.turn, row.step) for row in world.rows(StepRecord)][-2:] == [(1, 5), (2, 6)]
    world.close()


def test_a_move_that_ends_its_turn_has_a_receipt_of_that_turn(tmp_path: Path) -> None:
    world = past_turn_0(relay(World(tmp_path)))
    for seat in NAMES:
        world.send(seat, "Add 1")
    number = world.journal("orders")[-1].number
    assert f"Receipt     {number} of game galaxy-7, turn 1" in text_of(world.outbox("report", "Cygnus")[-1])
    world.close()


# Who comes after the last orders of a turn comes after the turn.


@pytest.fixture
def running(tmp_path: Path) -> Iterator[World]:
    """A desk with a running game of Count."""
    world = World(tmp_path)
    world.count()
    yield world
    world.close()


def bunch(world: World, *letters: tuple[str, str], game: str = GAME, apart: timedelta = SECOND) -> None:
    """Letters of these seats arrive one after the other; the mailbox is read when the last is there."""
    for seat, text in letters:
        world.now += apart
        world.arrive(world.letter(seat, text, game=game))
    world.now += SECOND
    world.read_mailbox()


ALL = [("Altair", "Add 1"), ("Borealis", "Add 2"), ("Cygnus", "Add 3")]


@pytest.mark.parametrize("apart", [timedelta(0), SECOND, HOUR])
def test_orders_in_the_place_of_others_are_for_the_next_turn(running: World, apart: timedelta) -> None:
    bunch(running, *ALL, ("Altair", "Add 9"), apart=apart)
    assert process_letters(running.desk) == 4
    assert [player["score"] for player in running.position()["players"]] == [1, 2, 3]
    assert (running.game().turn, running.sheet("Altair")) == (2, ["Add 9"])
    assert running.letters()[-1].state is LetterState.DONE


def test_a_bunch_may_hold_several_turns(running: World) -> None:
    bunch(running, *ALL, *ALL, *ALL, ("Altair", "Add 9"))
    process_letters(running.desk)
    assert [player["score"] for player in running.position()["players"]] == [3, 6, 9]
    assert (running.game().turn, running.sheet("Altair")) == (4, ["Add 9"])


@pytest.mark.parametrize(("seconds", "score"), [(30, 9), (60, 9), (61, 1)])
def test_within_the_time_for_second_thoughts_they_are_for_this_one(tmp_path: Path, seconds: int, score: int) -> None:
    world = World(tmp_path)
    world.count(second_thought="1m")
    bunch(world, *ALL)
    world.now -= SECOND
    bunch(world, ("Altair", "Add 9"), apart=seconds * SECOND)
    world.pass_time(HOUR)
    assert world.position()["players"][0]["score"] == score
    world.close()


@pytest.mark.parametrize("hold", ["WAIT", "PAUSE", "not early"])
def test_as_long_as_the_turn_is_held_open_they_are_for_it(tmp_path: Path, hold: str) -> None:
    world = World(tmp_path)
    world.count(early=hold != "not early")
    if hold == "WAIT":
        world.send("Cygnus", "WAIT")
    elif hold == "PAUSE":
        world.act(GAME, pauses.pause)
    bunch(world, *ALL, ("Altair", "Add 9"))
    process_letters(world.desk)
    assert (world.game().turn, world.sheet("Altair")) == (1, ["Add 9"])
    world.close()


def test_the_word_ready_ends_the_turn_for_what_comes_after_it(running: World) -> None:
    running.send("Cygnus", "WAIT")
    bunch(running, *ALL, ("Altair", "Add 8"), ("Cygnus", "READY"), ("Altair", "Add 9"))
    process_letters(running.desk)
    assert [player["score"] for player in running.position()["players"]] == [8, 2, 3]
    assert running.sheet("Altair") == ["Add 9"]


def from_the_gm(world: World, text: str) -> bytes:
    """A letter of the game master's."""
    world.act(GAME, send_gm_token, f"for {text} at {world.now}")
    mail = world.outbox("alarm")[-1]
    to, headers = message_of(mail)["Reply-To"], {"In-Reply-To": mail.message_id}
    return world.letter("", text, sender=mail.recipient, to=to, headers=headers)


def test_what_the_game_master_says_counts_from_when_it_arrived(running: World) -> None:
    """The game was paused before the deadline, so orders that came after it are not late, however late all of it is read."""
    deadline = BEGIN + 72 * HOUR
    running.arrive(from_the_gm(running, "PAUSE"), deadline - HOUR)
    running.arrive(running.letter("Altair", "Add 3"), deadline + HOUR)
    running.pass_time(80 * HOUR)
    assert (running.game().turn, running.sheet("Altair")) == (1, ["Add 3"])


def test_after_the_game_master_has_ended_the_turn_it_is_over(running: World) -> None:
    running.arrive(running.letter("Altair", "Add 3"), BEGIN + MINUTE)
    running.arrive(from_the_gm(running, "RESOLVE"), BEGIN + 2 * MINUTE)
    running.now = BEGIN + 2 * MINUTE
    process_letters(running.desk)
    asked = running.questions()[-1]
    to, headers = message_of(asked)["Reply-To"], {"In-Reply-To": asked.message_id}
    running.arrive(running.letter("", "YES", sender=asked.recipient, to=to, headers=headers), BEGIN + 3 * MINUTE)
    running.arrive(running.letter("Altair", "Add 9"), BEGIN + 4 * MINUTE)
    assert running.pass_time(HOUR) == 1
    assert running.position()["players"][0]["score"] == 3
    assert (running.game().turn, running.sheet("Altair")) == (2, ["Add 9"])


def test_before_the_mailbox_is_read_far_enough_they_wait_and_only_they(running: World) -> None:
    """The daemon deals with letters while the mailbox is still being read."""
    running.count("galaxy-8", seats=("Deneb", "Elnath"))
    for seat, text in [*ALL, ("Altair", "Add 9")]:
        running.now += SECOND
        running.arrive(running.letter(seat, text))
    running.arrive(running.letter("Deneb", "Add 4", game="galaxy-8"))
    assert process_letters(running.desk) == 4
    assert (running.game().turn, running.sheet("Altair")) == (1, ["Add 1"])
    assert [letter.state for letter in running.letters()].count(LetterState.NEW) == 1
    # A letter that came before the last of them is found late, and counts.
    running.arrive(running.letter("Borealis", "Add 7"), running.now - SECOND - SECOND / 2)
    running.read_mailbox()
    assert process_letters(running.desk) == 2
    assert [player["score"] for player in running.position()["players"]] == [1, 7, 3]
    assert running.sheet("Altair") == ["Add 9"]


@pytest.mark.parametrize("meanwhile", ["the clock is set", "the game is paused"])
def test_no_letter_overtakes_those_that_wait(running: World, monkeypatch: pytest.MonkeyPatch, meanwhile: str) -> None:
    """Not even if nothing keeps it any more between the look at what waits and the dealing."""
    look_at_clock(running.desk)
    for seat, text in [*ALL, ("Altair", "Add 8")]:
        running.now += SECOND
        running.arrive(running.letter(seat, text))
    process_letters(running.desk)
    assert [letter.state for letter in running.letters()].count(LetterState.NEW) == 1
    running.now += SECOND
    running.arrive(running.letter("Altair", "Add 9"))
    next_letters = Queue.next_letters

    def looked(queue: Queue) -> list[Stored]:
        letters = next_letters(queue)
        if letters and meanwhile == "the clock is set":
            running.set_clock(HOUR)
        elif letters:
            running.act(GAME, pauses.pause)
        return letters

    with monkeypatch.context() as patched:
        patched.setattr(Queue, "next_letters", looked)
        assert process_letters(running.desk) == 0
    process_letters(running.desk)
    assert running.sheet("Altair") == ["Add 9"]
    assert [letter.state for letter in running.letters()].count(LetterState.NEW) == 0


def test_a_turn_that_cannot_be_resolved_stops_its_game_and_no_letter(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.start(options={"crash_turn": 1}, ruleset="count", reminders=())
    bunch(world, *ALL, ("Altair", "Add 9"))
    assert process_letters(world.desk) == 4
    assert world.game().status.value == "paused"
    assert world.sheet("Altair") == ["Add 9"]
    world.close()


def commits(world: World, of: Any) -> int:
    """How many transactions are written down while something is done."""
    written: list[Connection] = []

    def note(connection: Connection) -> None:
        written.append(connection)

    event.listen(world.desk.engine, "commit", note)
    of()
    event.remove(world.desk.engine, "commit", note)
    return sum(not connection.get_execution_options().get("pbmd_reads") for connection in written)


def test_letters_share_a_transaction_unless_a_turn_is_over_between_them(running: World) -> None:
    names = [f"other-{number}" for number in range(5)]
    for name in names:
        running.count(name)
    for name in (GAME, *names):
        bunch(running, *ALL[:2], ("Altair", "Add 4"), game=name)
    assert commits(running, lambda: process_letters(running.desk)) == 1
    bunch(running, ALL[2], *[("Altair", f"Add {number}") for number in range(1, 8)])
    # The last orders; the turn; what came after it.
    assert commits(running, lambda: process_letters(running.desk)) == 3


@pytest.mark.parametrize("slug", ["count", "relay", "tides"])
def test_killed_anywhere_it_comes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    """Before or after any of its transactions, again and again, till all is done."""
    drawn_fast(monkeypatch)
    letters, by_one = one_by_one(tmp_path / "one", slug, f"{slug} killed", 25)
    finish, chance, kills = Transaction._finish, Random(f"{slug} killed"), 0  # pyright: ignore[reportPrivateUsage]

    def killed(work: Transaction) -> None:
        """By chance: were it every third, the same transaction of a pass might be killed for ever."""
        nonlocal kills
        before, after = chance.random() < 0.4, chance.random() < 0.6
        kills += before or after
        if before:
            raise KeyboardInterrupt
        finish(work)
        if after:
            raise KeyboardInterrupt

    def until_done(world: World, read: datetime) -> None:
        for _ in range(100):
            world.read_mailbox(read)
            with suppress(KeyboardInterrupt), pytest.MonkeyPatch.context() as mortal:
                mortal.setattr(Transaction, "_finish", killed)
                process_letters(world.desk)
                advance_games(world.desk)
            if world.rows(Letter, Letter.state == LetterState.NEW) == []:
                return
        pytest.fail("killed again and again it never came to the end")

    with desk(tmp_path / "killed", slug) as world:
        world.now = LATER
        for first in range(0, len(letters), 2):
            some = letters[first : first + 2]
            put_in(world, some, first + 1)
            until_done(world, some[-1].at + SECOND / 2)
        assert kills > len(letters) / 2
        one_pass(world, LATER)
        all_at_once = kept(world, tmp_path / "killed")
    same(by_one.rows, all_at_once.rows)
    same(by_one.files, all_at_once.files)


def test_moves_that_arrived_in_one_second_stand_in_the_archive_as_they_do_when_it_is_played_again(tmp_path: Path) -> None:
    """Cygnus's letter is the later one, but its move is carried out first."""
    world = past_turn_0(relay(World(tmp_path / "."), "Borealis", "Cygnus", "Altair"), "Borealis", "Cygnus", "Altair")
    for seat in ("Altair", "Cygnus"):
        world.arrive(world.letter(seat, "Add 2"))
    process_letters(world.desk)
    world.now += MINUTE
    world.send("Borealis", "Add 1")
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive")).problems] == []
    world.close()

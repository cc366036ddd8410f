"""Non-interference in sequential games: a move that waits and an offer change no byte that anybody else gets.

As in `tests.desk.test_secrecy`, two desks play the same game and differ only in what Altair says; and here the game is exported
at every stop, too.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col

from pbmd.archive.format.audience import ALL, TO_PUBLIC, Audience
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import pauses
from pbmd.ledger.log_file import format_line, write_new_lines
from pbmd.ledger.tables import JournalEntry, Report
from pbmd.post.blank import Blanker
from tests.desk.relay import GAME, HOUR, past_turn_0, relay
from tests.desk.test_secrecy import ideal_seal, outbox_of, state_of
from tests.desk.world import ADDRESS, World, address_of
from tests.doses import dose


@pytest.fixture
def two_desks(tmp_path: Path) -> Iterator[tuple[World, World]]:
    """At both Borealis is to move, then Cygnus, then Altair."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
    ):
        for world in (one, two):
            order = ("Borealis", "Cygnus", "Altair")
            past_turn_0(relay(world, *order, reminders=("24h",)), *order)
        yield one, two


def bytes_for(world: World, seat: str) -> dict[str, Any]:
    """Everything that the holder of that seat gets, and what anybody can look at."""
    write_new_lines(world.desk.engine, world.folder / "dashboard.log")
    reader = f"seat:{world.seat(seat).number}"
    state = asdict(state_of(world))
    del state["outbox"]
    return {
        "mails": [(mail.message_id, mail.raw) for mail in world.outbox() if mail.recipient == address_of(seat)],
        "reports": [
            (row.step, row.reader, row.text, row.html) for row in world.rows(Report, col(Report.reader).in_((reader, "public")))
        ],
        "log": [format_line(line) for line in world.log()],
        "log file": (world.folder / "dashboard.log").read_bytes() + (world.folder / "dashboard.jsonl").read_bytes(),
        "public journal": [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.rows(JournalEntry)],
        "status": state,
        "outbox": [replace(mail, mail=0) for mail in outbox_of(world) if mail.seat == seat],
        "clock": (world.game().deadline, world.game().due_at, world.game().status, world.game().chain_head),
    }


def exported(world: World, audience: Audience = ALL) -> dict[str, bytes]:
    """The archive of the game as it would be now."""
    folder = world.folder / f"archive {len(list(world.folder.glob('archive *')))}"
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(GAME)
        assert table is not None
        plan = plan_export(work.session, table.game, table.ruleset, audience)
        write_archive(work.session, plan, folder, Blanker(()), lambda: None)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name.removeprefix("data/"): content for name, content in files.items()}


SUMS = (f"{tag}manifest-{name}.txt" for tag in ("", "tag") for name in ("sha256", "sha512"))
ABOUT_FILES = ("bag-info.txt", "index.html", *SUMS)
"""What has sums and names of the other files."""


def tells_of_letters(name: str) -> bool:
    """Whether the file has every letter that the journal has, whatever became of it."""
    return name.endswith("sheets.json") or name in ("journal.jsonl", "game.sqlite") or name.startswith("assets/")


def play_around(world: World, *altair: str) -> Iterator[None]:
    """Altair says something in secret, and the others do what could tell something of it; a stop wherever one could look."""
    for text in altair:
        world.now += timedelta(minutes=1)
        world.send("Altair", text)
    yield
    world.now += HOUR
    world.send("Borealis", "STATUS\nREPORT\nPRESS TO ALL\nHello\nEND PRESS\nEXTEND 1h\nnonsense")
    yield
    world.act(GAME, pauses.pause)
    world.now += HOUR
    world.act(GAME, pauses.resume)
    world.pass_time(50 * HOUR)
    yield
    world.send("Borealis", "Add 1")
    yield
    world.send("Cygnus", "STATUS\nnonsense")
    world.pass_time(50 * HOUR)
    yield


HELD = [("Add 5",), ("Add 5\nOffer Cygnus",), ("Add 5", "Add 7"), ("Add 5", "CANCEL ORDERS"), ("Add 5\nnonsense", "Add 3")]


@pytest.mark.parametrize("altair", dose(HELD[1:4:2], HELD))
def test_nobody_can_tell_that_a_move_waits(two_desks: tuple[World, World], altair: tuple[str, ...]) -> None:
    one, two = two_desks
    stops = 0
    for _ in zip(play_around(one, *altair), play_around(two, *("STATUS", "HELP")[: len(altair)]), strict=True):
        for seat in ("Borealis", "Cygnus"):
            assert bytes_for(one, seat) == bytes_for(two, seat)
        first, second = exported(one), exported(two)
        # A letter that was no move is a letter like any other, and in the archive once its time is over.
        for archive in (first, second):
            for name in ("letters.mbox", *ABOUT_FILES):
                archive.pop(name, None)
        # What was taken back or refused stands in the sealed part of the journal, but no move that waits.
        if altair in HELD[3:]:
            for archive in (first, second):
                for name in [*filter(tells_of_letters, archive)]:
                    del archive[name]
        assert first == second
        stops += 1
    assert stops == 5


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("audience", [TO_PUBLIC, Audience("seat", "Borealis")], ids=str)
@pytest.mark.parametrize("altair", HELD[1:5:2])
def test_no_archive_for_others_tells_what_became_of_a_move(
    two_desks: tuple[World, World], altair: tuple[str, ...], audience: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", lambda salt, secret: salt.hex() if secret else "")
    one, two = two_desks
    for _ in zip(play_around(one, *altair), play_around(two, *("STATUS", "HELP")[: len(altair)]), strict=True):
        pass
    first, second = exported(one, audience), exported(two, audience)
    assert first == second
    assert any(name.endswith("reports/public.txt") for name in first)


@pytest.mark.parametrize("audience", [TO_PUBLIC, Audience("seat", "Borealis")], ids=str)
def test_no_archive_for_others_has_numbers_that_count_the_letters_of_moves_that_wait(
    two_desks: tuple[World, World], audience: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the mailbox and of the ledger stand in the secret parts of a reader's own letters."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", lambda salt, secret: salt.hex() if secret else "")
    archives: list[dict[str, bytes]] = []
    for world, sends in zip(two_desks, (True, False), strict=True):
        if sends:
            world.send("Altair", "Add 5")
        world.now += timedelta(minutes=1)
        world.send("Borealis", "PRESS TO ALL\nHello\nEND PRESS\nAdd 1")
        archives.append(exported(world, audience))
    assert archives[0]["turns/001/resolution.toml"] == archives[1]["turns/001/resolution.toml"]
    journals = [[json.loads(line) for line in archive["journal.jsonl"].splitlines()] for archive in archives]
    for entries in zip(*journals, strict=True):
        one, two = ({key: entry[key] for key in entry.keys() - {"hash", "sealed", "salt"}} for entry in entries)
        assert one == two


def test_no_letter_of_a_move_that_waits_is_exported(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    for _ in play_around(world, "Add 5"):
        assert all(b"Add 5" not in content for content in exported(world).values())
    world.send("Cygnus", "Add 2")
    assert world.position()["runners"][2]["score"] == 6
    archive = exported(world)
    assert b"Add 5" in archive["letters.mbox"]
    assert b"Add 5" in archive["journal.jsonl"]
    assert [name for name in archive if b"Add 5" in archive[name] and name.endswith("position.toml")] == [
        "turns/001.3/position.toml"
    ]


@pytest.mark.parametrize(("one_says", "two_says"), [("Offer Cygnus", "STATUS"), ("Offer Cygnus", "Accept Cygnus")])
def test_an_offer_is_known_to_two_alone(two_desks: tuple[World, World], one_says: str, two_says: str) -> None:
    one, two = two_desks
    for stop, _ in enumerate(zip(play_around(one, one_says), play_around(two, two_says), strict=True)):
        assert bytes_for(one, "Borealis") == bytes_for(two, "Borealis")
        if stop < 3:  # then a step is over, and what was offered is part of the position
            first, second = exported(one), exported(two)
            assert first == second
    assert b"offer Altair Cygnus" in b"".join(mail.raw for mail in one.outbox("notice", "Cygnus"))


def test_a_doubtful_move_tells_nobody_else_anything(two_desks: tuple[World, World]) -> None:
    one, two = two_desks
    for world, text in ((one, "Add 5"), (two, "Offer Altair")):
        world.send("Altair", text, to=ADDRESS)
        world.reply(world.questions()[0], "YES")
    for seat in ("Borealis", "Cygnus"):
        assert bytes_for(one, seat) == bytes_for(two, seat)

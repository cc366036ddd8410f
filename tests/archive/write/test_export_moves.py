"""The archive of a sequential game: each move can be carried out again from the files of its folder."""

import hashlib
import json
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.adjudicate import adjudicate
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.cli.files import read_entries
from pbmd.desk.books.transaction import Transaction
from pbmd.post.blank import Blanker
from pbmd.rules import ScriptedDice, canonical_json
from tests.desk.relay import GAME, relay
from tests.desk.world import NAMES, World
from tests.rules.relay import ruleset

MINUTE = timedelta(minutes=1)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """A game with moves that were sent ahead, replaced, taken back and refused, mails that need no move, skips, and one seat
    given up."""
    world = relay(World(tmp_path), die=True)
    letters = [
        ("Altair", "Offer Cygnus"),
        ("Borealis", "Add 2"),
        ("Borealis", "Add 3"),
        ("Cygnus", "Accept Altair\nOffer Altair\nAccept Borealis"),
        ("Cygnus", "Add 4\nOffer Borealis"),
        ("Borealis", "Add 9"),
        ("Cygnus", "Add 1"),
        ("Cygnus", "CANCEL ORDERS"),
        ("Altair", "nonsense"),
        ("Altair", "Add 5\n\nAccept Cygnus"),
        ("Altair", "Add 6"),
    ]
    for seat, text in letters:
        world.send(seat, text)
        world.now += MINUTE
    world.pass_time(timedelta(hours=73))
    world.send("Borealis", "Accept Cygnus\nOffer Altair")
    world.resign("Borealis")
    world.send("Cygnus", "Add 4")
    world.send("Altair", "Add 4")
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(GAME)
        assert table is not None
        plan = plan_export(work.session, table.game, table.ruleset)
        write_archive(work.session, plan, tmp_path / "archive", Blanker(()), lambda: None)
    yield tmp_path / "archive" / "data"
    world.close()


def toml(path: Path) -> Any:
    return tomllib.loads(path.read_text())


def test_every_move_is_carried_out_again_as_it_was(archive: Path) -> None:
    journal = [json.loads(line) for line in (archive / "journal.jsonl").read_text().splitlines()]
    hashes = [entry["secret"]["position"] for entry in journal if entry["kind"] == "resolved"]
    steps = sorted(path for path in (archive / "turns").iterdir() if (path / "orders.toml").exists())
    assert len(steps) == len(hashes) >= 8
    by_step = {toml(place / "resolution.toml")["step"]: place for place in steps}
    causes = []
    for number, after_hash in enumerate(hashes):
        place = by_step[number]
        resolution = toml(place / "resolution.toml")
        causes.append(resolution["cause"])
        entries = read_entries(place / "orders.toml", NAMES, "runner")
        rolls = [int(roll) for roll in resolution["dice"].split()]
        again = adjudicate(
            ruleset, toml(place / "position.toml"), entries, lambda _step, _sheets, rolls=rolls: ScriptedDice(rolls)
        )
        assert again.document == toml(place / "after.toml"), place
        assert hashlib.sha256(canonical_json(again.document)).hexdigest() == after_hash
    assert "Cygnus made no move" in causes
    assert "Borealis made no move" in causes

"""Of a kind of entry that this version does not know nobody can say for whom it is, so nobody but the game master gets it."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.format.audience import ALL, TO_PUBLIC, Audience
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.gm import abandon
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.kinds import UnlistedEntry
from pbmd.ledger.entries.player_entries import PressEntry
from pbmd.ledger.journal import FIRST_HASH, SALT_BYTES, link
from pbmd.ledger.journal import Entry as Unlinked
from pbmd.ledger.tables import JournalEntry
from tests.archive.made import export, verified
from tests.archive.write.test_anonymous import confirmed, entries_in
from tests.deploy.test_verify_dice import run
from tests.desk.world import World

SAID = {"address": "zoe@visitors.test", "seat": "Altair"}
SEALED = {"address": "yan@visitors.test", "seat": "Altair"}
ALTAIR = Audience("seat", "Altair")
OTHERS: list[tuple[Audience, bool]] = [(TO_PUBLIC, False), (ALTAIR, False), (ALL, True), (TO_PUBLIC, True), (ALTAIR, True)]


NOT_ALL_PROVED = 3
"""What verify.py says of an archive that leaves something out."""


def write_unlisted(work: Transaction, table: OpenGame, kind: str, public: dict[str, Any], secret: dict[str, Any]) -> None:
    """What a later version wrote, as it comes with an archive of its games."""
    game, salt = table.game, work.desk.entropy(SALT_BYTES)
    entry = link(
        game.chain_head or FIRST_HASH,
        Unlinked(game.chain_number + 1, work.now, kind, public, secret),
        salt if secret else b"",
        work.desk.sealing,
    )
    game.chain_number, game.chain_head = entry.number, entry.hash
    columns = ("number", "at", "kind", "public", "secret", "salt", "hash")
    work.add(JournalEntry, game_id=table.id, **{column: getattr(entry, column) for column in columns})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A game that is over, with two entries of a kind that nobody knows, one of them sealed, and one of a kind that is known
    which lacks what its kind has."""
    with closing(World(tmp_path_factory.mktemp("home"))) as world:
        world.count()
        world.send("Altair", "Add 2")
        world.act("galaxy-7", write_unlisted, "visited", SAID, {})
        world.send("Borealis", "Add 3")
        world.act("galaxy-7", write_unlisted, "visited", SAID, SEALED)
        world.act("galaxy-7", write_unlisted, "disputed", {"turn": 1, "head": "ab"}, SEALED)
        world.pass_time(timedelta(days=9))
        world.act("galaxy-7", abandon)
        yield world


def with_an_address(archive: Path) -> set[str]:
    files = [path for path in archive.rglob("*") if path.is_file()]
    return {path.name for path in files if b"@visitors.test" in path.read_bytes()}


@pytest.mark.parametrize(("audience", "anonymised"), OTHERS, ids=str)
def test_no_reader_but_the_game_master_gets_it(world: World, tmp_path: Path, audience: Audience, anonymised: bool) -> None:
    archive = export(world, tmp_path / "archive", audience=audience, anonymised=anonymised)
    assert with_an_address(archive) == set()
    kinds = [entry["kind"] for entry in entries_in(archive / "data") if "withheld" in entry]
    assert kinds.count("visited") == 2
    assert confirmed(archive / "data", {entry.number: entry.public for entry in world.rows(JournalEntry)}) == set()


@pytest.mark.parametrize(("audience", "anonymised"), [(ALL, False), *OTHERS], ids=str)
def test_its_archive_verifies_all_the_same(world: World, tmp_path: Path, audience: Audience, anonymised: bool) -> None:
    archive = export(world, tmp_path / "archive", audience=audience, anonymised=anonymised)
    findings = verified(archive)
    assert findings.problems == []
    code, told = run(archive)
    whole = audience is ALL and not anonymised
    assert code == (0 if whole else NOT_ALL_PROVED), told


def test_the_game_master_gets_all_of_it(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive")
    assert {"journal.jsonl", "game.sqlite"} <= with_an_address(archive)
    entries = [entry for entry in entries_in(archive / "data") if entry["kind"] == "visited"]
    assert [(entry["public"], entry.get("secret", {})) for entry in entries] == [(SAID, {}), (SAID, SEALED)]


class VisitedEntry(Entry):
    """A class that is not in the table."""

    kind = "visited"


class DisguisedEntry(PressEntry):
    """A class in place of one that is in the table."""


@pytest.mark.parametrize(
    "make",
    [
        lambda: UnlistedEntry(name="visited", public=SAID, secret=SEALED),
        lambda: VisitedEntry(sealed=None),
        lambda: DisguisedEntry(turn=1, sealed=None),
    ],
)
def test_the_desk_cannot_write_it(tmp_path: Path, make: Callable[[], Entry]) -> None:
    with closing(World(tmp_path)) as world:
        world.count()
        before = [json.loads(entry.public) for entry in world.journal()]
        with pytest.raises(AssertionError, match="for whom"):
            world.act("galaxy-7", lambda work, table: work.journal(table, make()))
        assert [json.loads(entry.public) for entry in world.journal()] == before

"""What entries of the journal say, by their types: whatever any version wrote is read, and written again as it was."""

import json
import lzma
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from inspect import getmembers, isclass
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

from pbmd.ledger import entries
from pbmd.ledger.entries.codec import Entry, MalformedEntry, written_parts
from pbmd.ledger.entries.kinds import KINDS, UnlistedEntry, read
from pbmd.ledger.entries.player_entries import OrdersEntry, PressEntry
from pbmd.rules.canonical import canonical_json
from tests.archive.samples import FOLDER
from tests.ledger.releases import FOLDER as LEDGERS
from tests.ledger.releases import RELEASED

OLD = Path(__file__).parents[1] / "archive" / "old"
ARCHIVES = [*sorted(FOLDER.glob("*.tar.xz")), *sorted(OLD.rglob("*.tar.xz"))]
ORDERS = {"seat": "Ann", "state": "filed", "letter": "ab", "arrival": [5, 1], "lines": [[1, "Add 7"]]}
AT = "2026-11-27T12:00:00.000000Z"


def in_archive(packed: Path) -> Iterator[dict[str, Any]]:
    with tarfile.open(packed) as tar:
        (name,) = (name for name in tar.getnames() if name.endswith("/journal.jsonl"))
        file = tar.extractfile(name)
        assert file is not None
        yield from map(json.loads, file)


def in_ledger(packed: Path, home: Path) -> list[tuple[str, str, str]]:
    (home / "ledger.sqlite").write_bytes(lzma.decompress(packed.read_bytes()))
    with closing(sqlite3.connect(home / "ledger.sqlite")) as ledger:
        return ledger.execute("select kind, public, secret from journal order by id").fetchall()


def must_stay(kind: str, public: dict[str, Any], secret: dict[str, Any]) -> None:
    entry = read(kind, public, secret)
    assert type(entry) is KINDS[kind]
    assert not entry.more, "a key that no type has"
    assert not (entry.sealed and entry.sealed.more), "a sealed key that no type has"
    assert [canonical_json(part) for part in written_parts(entry)] == [canonical_json(public), canonical_json(secret)]


@pytest.mark.parametrize("packed", ARCHIVES, ids=lambda packed: f"{packed.parent.name}-{packed.name.partition('.')[0]}")
def test_what_an_archive_of_any_version_has_is_read_and_written_again(packed: Path) -> None:
    entries = list(in_archive(packed))
    assert entries
    for entry in entries:
        if "public" in entry and ("secret" in entry or not entry["sealed"]):
            must_stay(entry["kind"], entry["public"], entry.get("secret", {}))


@pytest.mark.parametrize("version", RELEASED)
def test_what_a_ledger_of_any_version_has_is_read_and_written_again(version: str, tmp_path: Path) -> None:
    entries = in_ledger(LEDGERS / f"{version}.sqlite.xz", tmp_path)
    assert entries
    for kind, public, secret in entries:
        must_stay(kind, json.loads(public), json.loads(secret or "{}"))


def test_every_class_of_an_entry_is_in_the_table_of_kinds() -> None:
    """Or what was written as one would be read as one that this version does not know."""
    modules = [import_module(f"{entries.__name__}.{each.name}") for each in iter_modules(entries.__path__)]
    members = (
        member for module in modules for _, member in getmembers(module, isclass) if member.__module__ == module.__name__
    )
    classes = {member for member in members if issubclass(member, Entry)} - {Entry, UnlistedEntry}
    assert {each.__name__ for each in classes - {*KINDS.values()}} == set(), "pbmd/ledger/entries/kinds.py does not list it"


def test_a_kind_is_called_as_its_class() -> None:
    for kind, of in KINDS.items():
        assert of.__name__ == "".join(part.capitalize() for part in kind.split("-")) + "Entry"


def test_keys_of_a_later_version_stay_where_they_were() -> None:
    public, secret = {"turn": 1, "step": 0, "wind": "north"}, {**ORDERS, "ink": {"colour": "blue"}}
    entry = read("orders", public, secret)
    assert isinstance(entry, OrdersEntry)
    assert entry.more == {"wind": "north"}
    assert written_parts(entry) == (public, {**secret, "arrival": (5, 1), "lines": ((1, "Add 7"),)})


def test_keys_of_a_later_version_stay_in_what_was_kept_back() -> None:
    held = {**ORDERS, "at": AT, "after": 9, "ink": "blue"}
    told = {"seat": "Ann", "told": {"kind": "x", "audience": [], "data": {}, "echo": 1}, "at": AT, "after": 9, "wind": 2}
    taken = {"seat": "Ann", "cancelled": "cd", "at": AT, "after": 10}
    secret = {"meanwhile": [held, told, taken]}
    entry = read("finished", {"winners": [], "reason": "x"}, secret)
    assert canonical_json(written_parts(entry)[1]) == canonical_json(secret)


def test_a_kind_of_a_later_version_is_kept_as_it_is() -> None:
    entry = read("weather", {"wind": "north"}, {"address": "ann@example.org"})
    assert isinstance(entry, UnlistedEntry)
    assert (entry.name, entry.public, entry.secret) == ("weather", {"wind": "north"}, {"address": "ann@example.org"})
    assert not entry.readers
    assert not entry.is_for_all


def test_what_is_not_shown_is_not_what_is_empty() -> None:
    assert read("press", {"turn": 1}, None).sealed is None
    with pytest.raises(MalformedEntry, match="sealed"):
        read("press", {"turn": 1}, {})
    paused = read("paused", {"turn": 1, "reason": ""}, {})
    assert paused.sealed is not None
    assert written_parts(paused)[1] == {}


@pytest.mark.parametrize(
    ("public", "secret", "place"),
    [
        ({"turn": 1}, ORDERS, "step"),
        ({"turn": "1", "step": 0}, ORDERS, "turn"),
        ({"turn": True, "step": 0}, ORDERS, "turn"),
        ({"turn": 1, "step": None}, ORDERS, "step"),
        ({"turn": 1, "step": 0}, {**ORDERS, "arrival": [5]}, r"sealed\.arrival"),
        ({"turn": 1, "step": 0}, {**ORDERS, "lines": [["1", "Add 7"]]}, r"sealed\.lines\.0"),
        ({"turn": 1, "step": 0}, {**ORDERS, "word": None}, "word"),
        ({"turn": 1, "step": 0}, [ORDERS], "sealed"),
        ([], ORDERS, "object"),
    ],
)
def test_values_are_read_as_strictly_as_they_are_written(public: Any, secret: Any, place: str) -> None:
    with pytest.raises(MalformedEntry, match=place):
        read("orders", public, secret)


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_kind_that_does_not_say_it_the_sealed_part_is_nobodys(kind: str) -> None:
    own = {
        "joined",
        "orders",
        "cancelled",
        "wait",
        "ready",
        "missed",
        "disputed",
        "press",
        "proposed",
        "ballot",
        "asleep",
        "awake",
    }
    of = KINDS[kind]
    assert (of.readers is not Entry.readers) == (kind in own)
    assert (of.is_for_all is not Entry.is_for_all) == (of is PressEntry)

"""What is published of the journal is what its types are: the list of kinds that each archive has, and its JSON Schema."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pbmd.ledger.entries.kinds import KINDS
from tests.docs.journal_page import PAGE, ROWS, SCHEMA, SHORT_PAGE, schema_of_entries, with_kinds, with_parts, with_short_kinds
from tests.ledger.releases import RELEASED
from tests.ledger.test_entries import ARCHIVES, LEDGERS, in_archive, in_ledger
from tests.schemas import Draft202012Validator

ENTRY = Draft202012Validator(schema_of_entries())
FRAME = {"number": 1, "at": "2026-11-27T12:00:00.000000Z", "hash": "0" * 64, "sealed": "1" * 64, "salt": "2" * 32}
ORDERS = {"seat": "Ann", "state": "filed", "letter": "ab", "arrival": [5, 1], "lines": [[1, "Add 7"]]}
KEPT = {"kind": "orders", "public": {"turn": 1, "step": 0}, "secret": ORDERS, **FRAME}


@pytest.mark.parametrize(
    ("file", "made"),
    [(PAGE, with_kinds), (SHORT_PAGE, with_short_kinds), (SCHEMA, with_parts)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_is_made_from_the_types(file: Path, made: Any) -> None:
    text = file.read_text(encoding="utf-8")
    assert made(text) == text, "python -m tests.docs.journal_page writes it anew"


@pytest.mark.parametrize("page", [PAGE, SHORT_PAGE], ids=lambda page: page.name)
def test_the_page_lists_all_kinds(page: Path) -> None:
    (rows,) = ROWS.findall(page.read_text(encoding="utf-8"))
    assert [kind for kind in KINDS if f"\n| `{kind}` |" not in rows] == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("packed", ARCHIVES, ids=lambda packed: f"{packed.parent.name}-{packed.name.partition('.')[0]}")
def test_the_archives_of_all_versions_keep_to_the_schema(packed: Path) -> None:
    assert [entry["number"] for entry in in_archive(packed) if not ENTRY.is_valid(entry)] == []


@pytest.mark.parametrize("version", RELEASED)
def test_the_ledgers_of_all_versions_keep_to_the_schema(version: str, tmp_path: Path) -> None:
    entries = in_ledger(LEDGERS / f"{version}.sqlite.xz", tmp_path)
    documents = (
        {**FRAME, "kind": kind, "public": json.loads(public), "secret": json.loads(secret or "{}")}
        for kind, public, secret in entries
    )
    assert [entry for entry in documents if entry["secret"] and not ENTRY.is_valid(entry)] == []


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("public", "turn", "1"),
        ("public", "step", None),
        ("secret", "arrival", [5]),
        ("secret", "lines", [["1", "Add 7"]]),
        ("secret", "word", None),
        ("secret", "seat", 7),
    ],
)
def test_the_schema_refuses_what_no_version_wrote(part: str, key: str, value: Any) -> None:
    assert ENTRY.is_valid(KEPT)
    changed: dict[str, Any] = deepcopy(KEPT)
    changed[part][key] = value
    assert not ENTRY.is_valid(changed)
    del changed[part][key]
    assert ENTRY.is_valid(changed) == (key == "word")


def test_the_schema_takes_what_a_later_version_may_write() -> None:
    assert ENTRY.is_valid({**KEPT, "public": {**KEPT["public"], "wind": "north"}})  # type: ignore[dict-item]
    assert ENTRY.is_valid({**FRAME, "kind": "weather", "public": {"wind": "north"}, "secret": {"address": "ann@example.org"}})

"""What pbmd says that the documents of an archive have is what they have, in archives of every version, and in the schemas."""

import json
import tarfile
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import ConfigDict, TypeAdapter

from pbmd.archive.format.documents import (
    EntryDocument,
    EventDocument,
    GameDocument,
    Numbers,
    ResolutionDocument,
    SheetDocument,
    VerdictDocument,
)
from pbmd.resources import folder
from tests.archive.samples import FOLDER

ARCHIVES = [*sorted(FOLDER.glob("*.tar.xz")), *sorted((Path(__file__).parents[1] / "old").rglob("*.tar.xz"))]
STRICT = ConfigDict(strict=True, extra="forbid")
ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "game.toml": TypeAdapter(list[GameDocument], config=STRICT),
    "resolution.toml": TypeAdapter(list[ResolutionDocument], config=STRICT),
    "sheets.json": TypeAdapter(list[list[SheetDocument]], config=STRICT),
    "events.json": TypeAdapter(list[list[EventDocument]], config=STRICT),
    "numbers.json": TypeAdapter(list[Numbers], config=STRICT),
    "journal.jsonl": TypeAdapter(list[EntryDocument], config=STRICT),
}
"""Each reads several, since only what is in a list can be read so strictly."""


def documents(packed: Path) -> list[tuple[str, Any]]:
    """The documents of an archive: the name of the file, and what is in it."""
    found: list[tuple[str, Any]] = []
    with tarfile.open(packed) as tar:
        for member in tar:
            name = member.name.rpartition("/")[2]
            if name in ADAPTERS and (file := tar.extractfile(member)):
                text = file.read().decode()
                read = tomllib.loads if name.endswith(".toml") else json.loads
                found += [(name, read(each)) for each in (text.rstrip("\n").split("\n") if name == "journal.jsonl" else [text])]
    return found


@pytest.mark.parametrize("packed", ARCHIVES, ids=lambda packed: f"{packed.parent.name}-{packed.name.partition('.')[0]}")
def test_the_documents_of_an_archive_of_any_version_have_what_is_said(packed: Path) -> None:
    found = documents(packed)
    assert {name for name, _ in found} == ADAPTERS.keys()
    for name, document in found:
        ADAPTERS[name].validate_python([document])


@pytest.mark.parametrize(
    ("name", "of", "nested"),
    [("sheets", SheetDocument, ()), ("sheets", VerdictDocument, ("verdicts",)), ("events", EventDocument, ())],
)
def test_the_schemas_say_the_same(name: str, of: type[Any], nested: tuple[str, ...]) -> None:
    schema = json.loads((folder("templates") / f"archive/schemas/{name}.schema.json").read_text())["items"]
    for key in nested:
        schema = schema["properties"][key]["items"]
    assert schema["properties"].keys() == get_type_hints(of).keys()
    assert set(schema["required"]) == of.__required_keys__

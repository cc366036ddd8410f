"""`docs/architecture.md` leads through the code as it is, in half an hour: what it names is there, and its tables are true."""

import importlib
import re
import tomllib
from functools import reduce

import pytest

from pbmd.desk import clerk
from tests.docs.pages import ROOT, read

PAGE = read("docs/architecture.md")
PACKAGES = sorted(path.parent.name for path in (ROOT / "pbmd").glob("*/__init__.py"))
REFERENCE = ("docs/journal.md", "docs/ledger.md", "docs/scale.md", "docs/archive.md")
"""The pages to which it sends those who look something up, and which name modules, too."""
MOST_WORDS = 4000


def names_in(page: str) -> set[str]:
    """What a page names of the code, without `pbmd.` before it: modules, and what is in them."""
    found = re.findall(rf"\b(?:pbmd\.)?((?:{'|'.join(PACKAGES)})(?:\.[a-z_]\w*)+(?:\.[A-Z]\w*)?)", page)
    return {name for name in found if not re.search(r"\.(?:md|py|toml|html|js|css|log|db|sqlite)$", name)}


NAMES = sorted(names_in(PAGE).union(*(names_in(" ".join(re.findall(r"`(pbmd\.[^`]+)`", read(page)))) for page in REFERENCE)))


@pytest.mark.parametrize("name", NAMES)
def test_what_it_names_is_there(name: str) -> None:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(f"pbmd.{'.'.join(parts[:length])}")
        except ModuleNotFoundError:
            continue
        reduce(getattr, parts[length:], module)
        return


def test_it_names_much_of_the_code() -> None:
    assert len(NAMES) > 50


def test_every_path_that_it_names_is_there() -> None:
    missing = [path for path in re.findall(r"`((?:pbmd|tests|templates|deploy|rulesets)/[\w./-]*)`", PAGE) if not _exists(path)]
    assert missing == []


def _exists(path: str) -> bool:
    return path == "pbmd/rulesets/" or (ROOT / path).exists()  # that is where a wheel has them


def test_the_stations_of_a_letter_are_those_of_the_clerk() -> None:
    assert _first_column("| station | takes |", r"`(\w+)`") == [station.__name__ for station in clerk.STATIONS]


def test_every_folder_of_pbmd_stands_in_the_table_of_the_house() -> None:
    assert sorted(_first_column("| folder | subject |", r"`pbmd/(\w+)/`")) == PACKAGES


def test_the_rooms_of_the_desk_are_those_of_the_import_law_from_the_top_down() -> None:
    law = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in law if contract.get("containers") == ["pbmd.desk"])
    floors = [sorted(layer.split(" | ")) for layer in layers]
    rooms = iter(_first_column("| room | what is in it |", r"`(\w+)`"))
    assert [sorted(next(rooms, "") for _ in floor) for floor in floors] == floors
    assert next(rooms, None) is None


def test_it_takes_half_an_hour_to_read() -> None:
    assert len(PAGE.split()) <= MOST_WORDS


def _first_column(head: str, cell: str) -> list[str]:
    table = PAGE[PAGE.index(head) :].split("\n\n")[0]
    return re.findall(rf"^\| {cell} \|", table, re.MULTILINE)

"""`docs/architecture.md` leads through the code as it is: what it names is there, and the clerk's table is the clerk's."""

import importlib
import re
from functools import reduce

import pytest

from pbmd.desk import clerk
from tests.docs.pages import read

PAGE = read("docs/architecture.md")
ROOMS = "desk|post|ledger|terms|rendering|pages|archive|rules|cli"
NAMES = sorted(
    {
        name
        for name in re.findall(rf"\b(?:pbmd\.)?((?:{ROOMS})(?:\.[a-z_]\w*)+(?:\.[A-Z]\w*)?)", PAGE)
        if not name.endswith(".md")
    }
)


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


def test_the_stations_of_a_letter_are_those_of_the_clerk() -> None:
    table = PAGE[PAGE.index("| station | takes |") :].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [station.__name__ for station in clerk.STATIONS]

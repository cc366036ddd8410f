"""The reference of the ruleset kit says what the code says, and leaves nothing out that a ruleset can use."""

import importlib
import re

import pytest

from tests.docs import kit_page
from tests.docs.pages import read

PAGE = "docs/ruleset-kit.md"
OF_THE_ENGINE = {
    "canonical": {"canonical_json"},
    "dice": {"HmacDice", "RecordedDice", "commitment"},
    "documents": {"problem_in"},
    "grammar": {"OrderReader"},
    "scenes": {"FOLDER", "scenes"},
    "info": {"Letters", "Timing"},
    "names": {"BETWEEN_NAMES", "near_to"},
    "options": {"from_text", "told_all"},
    "registry": {
        "GROUP",
        "UnknownRuleset",
        "UnusableRuleset",
        "reread",
        "find",
        "folder_of",
        "get",
        "is_folder_of_ruleset",
        "comes_with_pbmd",
        "is_of_rules",
        "shown_module",
        "slugs",
    },
    "protocol": {"Ruleset", "event_document", "event_of"},
    "remarks": {"CHANGING", "TIMES"},
    "unsure": {"LEFT_OPEN", "UNSURE"},
    "signups": {"name_given"},
    "sheets": {"SETUP", "bound", "bound_setup", "digest", "past_step", "resolved", "seats_with_orders", "without_waiting"},
}
"""What pbmd does with rulesets, and no ruleset itself."""
WHOLLY = {"__init__", "advice", "nothing", "declared", "forms", "joining", "salts", "toml", "troubles"} | {
    "preferences",
    "seating",
}
"""Modules that are of the engine as a whole."""
TYPES = {"A", "P", "R", "T"}
MODULES = sorted(path.stem for path in kit_page.KIT.glob("*.py") if path.stem not in WHOLLY)


def test_its_signatures_are_those_of_the_code() -> None:
    assert kit_page.with_parts(read(PAGE)) == read(PAGE), "python -m tests.docs.kit_page writes them anew"


@pytest.mark.parametrize("module", MODULES)
def test_it_has_every_name_that_a_ruleset_can_use(module: str) -> None:
    parts = [part["names"].split() for part in kit_page.PART.finditer(read(PAGE)) if part["module"] == module]
    told = {name for names in parts for name in names}
    assert told == {*kit_page.public(module)} - OF_THE_ENGINE.get(module, set()) - TYPES
    assert all(hasattr(importlib.import_module(f"pbmd.rules.{module}"), name) for name in told)


def test_it_has_every_function_of_a_ruleset_with_what_it_gives() -> None:
    rows = re.findall(r"^\| `(\w+)\(([\w, ]*)\)` → `([^`]+)` \|", read(PAGE), re.MULTILINE)
    told = {name: (len(arguments.split(", ")), gives.replace(r"\|", "|")) for name, arguments, gives in rows}
    assert told == kit_page.functions()
    assert len(rows) == len(told)


def test_types_are_written_as_in_the_code() -> None:
    checking = kit_page.written("checking", ["Fault", "receive_sheet"])
    assert "policy: SheetPolicy, checked: Checked) → Receipt[P]`**" in checking
    assert kit_page.written("words", ["counted"]).startswith("**`counted(count: int, thing: str, things: str='') → str`**")
    fault = "Fault(problem: str, code: str='', example: str='', names: Sequence[str]=(), written: str='', *, asks: bool=False)"
    assert checking.startswith(f"**`{fault}`**, an exception\n")
    assert "- `Status.WARNING`" in kit_page.written("protocol", ["Status"])

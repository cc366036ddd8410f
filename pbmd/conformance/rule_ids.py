"""The ids of rules in a handbook: each is given to one rule, and has a test that cites it, where there are tests."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbmd.conformance.findings import Wrong
from pbmd.rules import Ruleset
from pbmd.rules.troubles import PlaceInFile

TESTS = "tests"


class RuleId(NamedTuple):
    """An id, and the line of the handbook in which its rule begins."""

    name: str
    line: int


def ids_in(text: str, prefix: str) -> list[RuleId]:
    """Where a rule begins with its id: in bold, or first in a paragraph, an item of a list or a heading. In the middle of a
    sentence an id only refers to its rule."""
    name = rf"{re.escape(prefix)}-\w*\d\w*"
    bold = rf"\*\*[ \[(]*({name})[\]). :]*\*\*"
    first = rf"(?:(?<=\n\n)|^[ \t]*(?:[-*+|>]|#+|\d+[.)])[ \t]*)[*\[(]*({name})"
    found = re.finditer(f"{bold}|{first}", text, re.MULTILINE)
    return [RuleId(each[1] or each[2], text.count("\n", 0, each.end()) + 1) for each in found]


def rules_have_ids_of_their_own(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """No two of them the same."""
    file, first = Path(str(rules.info.folder)) / "RULES.md", dict[str, int]()
    for name, line in ids_in(handbook(file), rules.info.prefix):
        if name in first:
            words = f"{name} is the id of two rules, in the lines {first[name]} and {line}"
            yield Wrong("files.rule-ids", words, PlaceInFile(str(file), line))
        first.setdefault(name, line)


def uncited(rules: Ruleset[Any]) -> list[RuleId]:
    """The ids that no test in the ruleset's folder cites; none where it has no tests."""
    folder = Path(str(rules.info.folder))
    tests = "\n".join(file.read_text(encoding="utf-8") for file in sorted((folder / TESTS).rglob("*.py")))
    first: Mapping[str, RuleId] = {
        each.name: each for each in reversed(ids_in(handbook(folder / "RULES.md"), rules.info.prefix))
    }
    cited = {*re.findall(rf"{re.escape(rules.info.prefix)}-\w*\d\w*", tests)}
    return sorted((each for name, each in first.items() if name not in cited), key=lambda each: each.line) if tests else []


def handbook(file: Path) -> str:
    """Empty where there is none, which another check reports."""
    return file.read_text(encoding="utf-8") if file.is_file() else ""

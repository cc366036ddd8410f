"""Which tests cite which rule: read from the test sources, without running them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Coverage:
    """The ids that a ruleset's handbook has, and how many tests cite which id."""

    slug: str
    ids: frozenset[str]
    cited: Counter[str]

    @property
    def uncited(self) -> list[str]:
        """Ids of the handbook that no test cites."""
        return sorted(self.ids - set(self.cited))

    @property
    def unknown(self) -> list[str]:
        """Cited ids that the handbook does not have."""
        return sorted(set(self.cited) - self.ids)


def rulesets() -> list[str]:
    """The slugs of the ruleset folders."""
    return sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.toml"))


def coverage(slug: str) -> Coverage:
    """The rule coverage of a ruleset, from its RULES.md and the sources of its tests."""
    folder = ROOT / "rulesets" / slug
    prefix = tomllib.loads((folder / "ruleset.toml").read_text(encoding="utf-8"))["prefix"]
    path = folder / "RULES.md"
    handbook = path.read_text(encoding="utf-8") if path.is_file() else ""
    ids = frozenset(re.findall(rf"\b{re.escape(prefix)}-R?\d{{2,3}}\b", handbook))
    cited: Counter[str] = Counter()
    for source in sorted((ROOT / "tests" / "rulesets" / slug).rglob("test_*.py")):
        for function in _tests(ast.parse(source.read_text(encoding="utf-8"))):
            cited.update(set(_cited(function)))
    return Coverage(slug, ids, cited)


def _tests(tree: ast.Module) -> Iterator[ast.AST]:
    """The test functions, and the tables above them, whose entries may carry marks of their own."""
    for node in tree.body:
        if isinstance(node, ast.Assign) or (isinstance(node, ast.FunctionDef) and node.name.startswith("test_")):
            yield node


def _cited(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
            for argument in call.args:
                yield ast.literal_eval(argument)

"""The house has stairs: no file needs itself to be there before it is, and each is short enough to be read in one go."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
MOST_LINES, MOST_FILES = 400, 15


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports for the type checker alone count, too. The error names the circle."""
    graph = grimp.build_graph("pbmd", "rulesets", cache_dir=None)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


def test_a_ruleset_does_not_know_where_it_stands() -> None:
    """A wheel has the rulesets elsewhere than a checkout, and any folder can be one: so their files find each other by dots."""
    files = (ROOT / "rulesets").rglob("*.py")
    absolute = {
        str(path.relative_to(ROOT)) for path in files if re.search(r"^\s*(from|import) rulesets\b", path.read_text(), re.M)
    }
    assert absolute == set()


def test_no_file_is_long() -> None:
    files = (path for folder in ("pbmd", "rulesets") for path in (ROOT / folder).rglob("*.py"))
    lengths = {str(path.relative_to(ROOT)): logic_lines(path.read_text(encoding="utf-8")) for path in files}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}, "part it by subject"


def test_no_folder_of_the_desk_is_crowded() -> None:
    """A room that grows gets folders in it."""
    desk = ROOT / "pbmd" / "desk"
    folders = [desk, *(path for path in desk.rglob("*") if path.is_dir())]
    files = {str(folder.relative_to(ROOT)): len({*folder.glob("*.py")} - {folder / "__init__.py"}) for folder in folders}
    crowded = {name: number for name, number in files.items() if number > MOST_FILES}
    assert crowded == {}, "make a folder in it, of files with one subject"


def logic_lines(text: str) -> int:
    """How many lines a module has of what somebody must follow: not of tables and fields, which are as long as they are
    (assignments of a module or a class), nor of docstrings and comments, nor empty ones."""
    passed_over = {line for node in _passed_over(ast.parse(text)) for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), start=1))
    return sum(number not in passed_over and bool(line) and not line.startswith("#") for number, line in lines)


def _passed_over(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, ast.Assign | ast.AnnAssign))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def test_lines_of_logic_are_counted_without_tables_and_docstrings() -> None:
    text = '''"""What it
is for."""

import re

ROWS = (
    1,  # one
    2,
)
"""Which."""


# How
class Row:
    """A row."""

    number: int = 3

    def text(self) -> str:
        """In words."""
        words = (
            "row",
            str(self.number),
        )
        return " ".join(words)
'''
    counted = ("import", "class", "def", "words", '"row"', "str", ")", "return")
    assert logic_lines(text) == len(counted)

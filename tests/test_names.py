"""Modules, classes and functions are called by what a stranger would search for: a noun, or a verb with its object.

Where a docstring must say "the X that Y", X is the name. A participle alone (`told`), or a pronoun (`whose`), says nothing
where it is imported, and stood for another thing in each room.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORBIDDEN = frozenset(
    {
        *("again", "alone", "asked", "brought", "cage", "crew", "deeds", "found", "given", "ground", "held", "kept", "meant"),
        *("odd", "opened", "ours", "parcels", "patience", "people", "said", "shown", "told", "which", "whose"),
    }
)
OF_MODULES = FORBIDDEN | {"before", "words"}
OF_CLASSES = FORBIDDEN | {"read"}
"""A function that is called `read` reads; a class would be what was read."""

OFFENDERS = frozenset({"pbmd/rules/words"})
"""What is called so today: the kit has it, and rulesets of others import it. Nothing is added here."""


def test_nothing_new_has_a_name_that_nobody_would_search_for() -> None:
    offenders = {name for path in sorted((ROOT / "pbmd").rglob("*.py")) for name in _forbidden(path)}
    assert offenders - OFFENDERS == set(), "find a noun, or a verb with its object"
    assert OFFENDERS - offenders == set(), "take them out of the list"


def test_a_name_is_judged_by_what_has_it() -> None:
    text = "class Read: ...\nclass Words: ...\ndef read(): ...\ndef words(): ...\nasync def told(): ...\ndef _told(): ...\n"
    assert [*forbidden_names(text)] == ["Read", "told"]


def forbidden_names(text: str) -> Iterator[str]:
    """The public classes and functions of a module that are called so."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in FORBIDDEN:
            yield node.name
        if isinstance(node, ast.ClassDef) and node.name.lower() in OF_CLASSES:
            yield node.name


def _forbidden(path: Path) -> Iterator[str]:
    """The module itself, or the folder that it makes a package, and what it defines."""
    module = (path.parent if path.name == "__init__.py" else path).relative_to(ROOT).with_suffix("").as_posix()
    if module.rpartition("/")[2] in OF_MODULES:
        yield module
    yield from (f"{module}:{name}" for name in forbidden_names(path.read_text(encoding="utf-8")))

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

OFFENDERS = frozenset(
    {
        "pbmd/archive/verify/again",
        "pbmd/archive/verify/again:Again",
        "pbmd/archive/verify/again:Said",
        "pbmd/archive/verify/again:Told",
        "pbmd/archive/verify/alone",
        "pbmd/archive/verify/cage",
        "pbmd/archive/verify/crew",
        "pbmd/archive/verify/crew:Crew",
        "pbmd/archive/verify/on_time:Told",
        "pbmd/archive/verify/patience",
        "pbmd/archive/verify/patience:Patience",
        "pbmd/archive/format",
        "pbmd/archive/format/books:Shown",
        "pbmd/archive/format/orders_on_file:Given",
        "pbmd/archive/replay/diff_words:shown",
        "pbmd/archive/evidence/told",
        "pbmd/archive/evidence/words",
        "pbmd/archive/appearance/held",
        "pbmd/archive/write/before",
        "pbmd/archive/write/shown",
        "pbmd/archive/write/shown:Said",
        "pbmd/archive/write/shown:Shown",
        "pbmd/archive/write/turns:shown",
        "pbmd/book/told",
        "pbmd/book/told:Told",
        "pbmd/book/words",
        "pbmd/conformance/again",
        "pbmd/conformance/odd",
        "pbmd/conformance/people",
        "pbmd/conformance/told",
        "pbmd/desk/books/given",
        "pbmd/desk/books/given:Given",
        "pbmd/desk/books/kept",
        "pbmd/desk/confirming/held",
        "pbmd/desk/step/chance:opened",
        "pbmd/desk/letter/whose",
        "pbmd/desk/mail/ours",
        "pbmd/desk/gm/deeds",
        "pbmd/desk/player/brought",
        "pbmd/desk/player/meant",
        "pbmd/desk/seat_pages/told",
        "pbmd/desk/sending/parcels",
        "pbmd/notes/found",
        "pbmd/notes/found:Found",
        "pbmd/post/lines/words",
        "pbmd/post/smtp/kept",
        "pbmd/rules/words",
    }
)
"""What is called so today. Nothing is added here, and what has got a better name is taken out."""


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

"""Each notice that the desk writes is held against an entry, or known to have none: what begins like no notice is named."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pbmd.desk
from pbmd.archive.evidence.mail_kinds.notices import compare_notice
from pbmd.archive.evidence.mail_patterns import NOTICE
from pbmd.archive.evidence.statements import Statement
from pbmd.rendering.entry_notices import HEADLINES, OTHER_HEADLINES

KNOWN = re.compile("|".join((*HEADLINES, *OTHER_HEADLINES)))
HANDED_ON = {
    *("headline", "own.headline", "told.headline", "notice.headline", "end.headline", "for_others.headline"),
    *("notices_of(entry)[0].headline", "LATER", "ANNOUNCEMENT"),
}
"""What comes from the table, or from the callers of a function that hands it on; the end of a game has no deadline."""


def headlines() -> Iterator[str]:
    """The headlines in the source of the desk, 1 for each value in them."""
    for file in Path(next(iter(pbmd.desk.__path__))).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            at = _AT.get(("" if name == "Notice" else file.stem, name))
            if isinstance(node, ast.Call) and at is not None:
                said = node.args[at]
                if ast.unparse(said) not in HANDED_ON:
                    yield _words(said)


_AT = {("", "Notice"): 1, ("decide", "_tell"): 3}
"""Which argument is the headline, by the file, where only that has such a function, and the function."""


def _words(said: ast.expr) -> str:
    if isinstance(said, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in said.values)
    return str(ast.literal_eval(said))


def test_are_all_known() -> None:
    found = [*headlines()]
    assert len(found) >= 18
    assert [each for each in found if not KNOWN.fullmatch(each)] == []


def _found(told: str) -> list[str]:
    books: Any = None  # such notices are in no books
    return [
        each.words for each in compare_notice(Statement((), "galaxy-7", None, NOTICE, "turn 1", told=told), books, "Altair")
    ]


@pytest.mark.parametrize("headline", ["Cygnus is asleep", "a ruling", "no substitute yet", "two histories of this game"])
def test_of_what_no_entry_tells_are_not_compared(headline: str) -> None:
    assert _found(f"{headline}. Turn 3 is void.") == ["not compared: no entry tells what it says"]


@pytest.mark.parametrize("headline", ["Cygnus has won", "all rulings are void", "a ruling of old"])
def test_that_begin_like_none_are(headline: str) -> None:
    assert _found(f"{headline}. Orders are due Fri 2 Apr 2027 09:00 UTC.") == [
        "not compared: no entry makes one that begins like this"
    ]

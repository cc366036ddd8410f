"""What the letters of a player are held against knows each command: its words are no orders that got lost."""

from collections.abc import Iterator, Sequence
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from typing import Any

import pytest

from pbmd.archive.evidence.mail_kinds.sent_letters import ALONE, COMMANDS, SentLetter, orders_in
from pbmd.desk.language.player_commands import PLAYERS, PlayerForm

_MOST = 20_000
_OF_QUESTIONS = frozenset({"yes", "no", "end"})
"""What answers a question, and what closes a message."""


def written(tree: Sequence[Any]) -> Iterator[str]:
    """How what a pattern takes may begin, in lower case, as far as its letters are fixed; ``…`` stands where they are not."""
    if not tree:
        yield ""
        return
    (kind, told), rest = tree[0], tree[1:]
    match str(kind):
        case "LITERAL":
            heads = [chr(told).lower()]
        case "IN":
            heads = [chr(code).lower() for each, code in told if str(each) == "LITERAL"] or ["…"]
        case "BRANCH":
            heads = [head for branch in told[1] for head in written(branch)]
        case "SUBPATTERN":
            heads = [*written(told[3])]
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, _, inner = told
            heads = [*([""] if not least else []), *written(inner)]
        case _:
            heads = ["…"]
    for head in dict.fromkeys(heads):
        yield from [head] if "…" in head else (head + tail for tail in written(rest))


def beginnings(form: PlayerForm) -> set[str]:
    """Lines with that command, each with a word of the player's where it has some."""
    return {each.replace("…", "x") for each in written([*parser.parse(form.pattern.pattern)])}


def letter(line: str) -> SentLetter:
    return SentLetter("g1p1", "", "", "", None, (line,), True, "")


@pytest.mark.parametrize("form", PLAYERS.forms, ids=lambda form: form.kind)
def test_a_line_with_a_command_is_no_order(form: PlayerForm) -> None:
    found = beginnings(form)
    assert 0 < len(found) < _MOST
    lost = [each for each in sorted(found) if [*orders_in(letter(each))]]
    assert lost == [], "sent_letters.py has them neither in COMMANDS nor in ALONE"


def test_it_has_no_words_that_begin_no_command() -> None:
    found = {begins for form in PLAYERS.forms for begins in beginnings(form)}
    assert found >= ALONE
    assert {
        each
        for each in COMMANDS
        if not any(f"{begins.replace('’', chr(39))} ".replace(":", " ").startswith(f"{each} ") for begins in found)
    } <= _OF_QUESTIONS


@pytest.mark.parametrize("line", ["Build 3 factories", "I A Ven-Tri", "A Ven-Tri", "Add 6", "Set tax to 5"])
def test_other_lines_are_orders(line: str) -> None:
    assert [*orders_in(letter(line))] == [line]


@pytest.mark.parametrize(("end", "read"), [("#end", True), ("END", False), ("-- End of orders --", False)])
def test_what_stands_below_the_end_of_a_form_is_read_and_below_that_of_a_letter_is_not(end: str, read: bool) -> None:
    sent = SentLetter("g1p1", "", "", "", None, ("Add 6", end, "Add 5"), True, "")
    assert ("Add 5" in orders_in(sent)) is read

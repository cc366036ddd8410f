"""What is advised to players whose line was refused: in all games about what they wrote, or nothing.

The measures are kept at 0: advice about something else than the line names, and advice that, sent back, does something else
than what was meant.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbmd.rules import Line, Mail, Ruleset, Status
from pbmd.rules.advice import EXAMPLE, RIGHT, is_set_right
from pbmd.rules.registry import get, slugs
from pbmd.rules.sheets import sheet_of
from tests.rulesets.random_games import steps

TALK = (
    "Hello all", "Regards", "Anna", "Best wishes, Bob", "Dear GM", "See you on Sunday", "Thanks", "Sorry for the delay",
    "What a turn!", "Xyzzy", "Sing a song of sixpence", "my phone died",
)  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_LINES = 8


def positions(ruleset: Ruleset[Any]) -> Iterator[tuple[Any, str]]:
    """Positions of random games with a seat that is to send orders."""
    for seed in range(2):
        for step in steps(ruleset, seed, 3):
            yield step.position, ruleset.awaiting(step.position)[0]


def offered(ruleset: Ruleset[Any], position: Any, seat: str) -> list[str]:
    """The lines of the order form that are accepted alone."""
    lines = [line.removeprefix("# ").strip() for line in ruleset.order_form(position, seat).splitlines()]
    return [line for line in dict.fromkeys(lines) if line and sent(ruleset, position, seat, line)][:MOST_LINES]


def sent(ruleset: Ruleset[Any], position: Any, seat: str, line: str) -> tuple[str, ...]:
    """What a letter of that line brings about: the canonical texts and the sheet on file; () if it is refused."""
    receipt = ruleset.receive(position, Mail(seat, (Line(1, line),), (10**9, 0)))
    if any(verdict.status is Status.ERROR for verdict in receipt.verdicts):
        return ()
    sheet = sheet_of(ruleset.sheets(receipt.position), seat)
    return (*(verdict.canonical for verdict in receipt.verdicts if verdict.line), *(sheet.lines if sheet else ()))


def refusal(ruleset: Ruleset[Any], position: Any, seat: str, line: str) -> str:
    """What is said of the line, if it is refused."""
    verdicts = ruleset.receive(position, Mail(seat, (Line(1, line),), (10**9, 0))).verdicts
    return next((verdict.message for verdict in verdicts if verdict.line and verdict.status is Status.ERROR), "")


def misspelt(line: str, chance: Random) -> str:
    """The line with a letter left out, doubled, changed, swapped with the next, or put in."""
    places = [place for place, letter in enumerate(line) if letter.isalpha()]
    place = chance.choice(places)
    before, letter, after = line[:place], line[place], line[place + 1 :]
    other = chance.choice(LETTERS)
    kinds = (
        f"{before}{after}",
        f"{before}{letter}{letter}{after}",
        f"{before}{other}{after}",
        f"{before}{other}{letter}{after}",
    )
    swapped = f"{before}{after[:1]}{letter}{after[1:]}"
    return chance.choice((*kinds, swapped))


@pytest.mark.parametrize("slug", slugs())
def test_talk_gets_no_advice(slug: str) -> None:
    ruleset = get(slug)
    for position, seat in positions(ruleset):
        for line in (*TALK, seat):
            said = refusal(ruleset, position, seat, line)
            assert not re.search(rf"{RIGHT}|{EXAMPLE}|did you mean", said), (line, said)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", slugs())
def test_a_misspelt_order_is_set_right_as_what_was_meant_or_not_at_all(slug: str) -> None:
    ruleset, chance, refused, right = get(slug), Random(slug), 0, 0
    for position, seat in positions(ruleset):
        for line in offered(ruleset, position, seat):
            meant = sent(ruleset, position, seat, line)
            for _ in range(6):
                wrong = misspelt(line, chance)
                said = refusal(ruleset, position, seat, wrong)
                refused += bool(said)
                advice = said.partition(f" {RIGHT} ")[2]
                if advice:
                    right += 1
                    assert is_set_right(wrong, advice), (wrong, said)
                    assert sent(ruleset, position, seat, advice) == meant, (line, wrong, said)
    assert refused > 30, (refused, right)
    assert right >= (0 if slug == "starship_squadrons" else 1 if slug == "diplomacy" else 5), (refused, right)


@pytest.mark.parametrize("slug", slugs())
def test_an_example_is_accepted_and_names_what_the_line_names(slug: str) -> None:
    ruleset, seen = get(slug), 0
    for position, seat in positions(ruleset):
        for line in offered(ruleset, position, seat):
            words = line.split()
            for shorter in {" ".join(words[:count]) for count in range(1, len(words))}:
                said = refusal(ruleset, position, seat, shorter)
                example = said.partition(f" {EXAMPLE} ")[2]
                seen += bool(example)
                if example:
                    assert sent(ruleset, position, seat, example), (shorter, said)
                    assert shorter.split()[0].casefold().strip(":,")[:3] in example.casefold(), (shorter, said)
    assert seen or slug in ("cosmic_conquest", "diplomacy"), seen

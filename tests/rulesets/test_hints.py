"""What is proposed to players whose line was wrong: in every ruleset a line that is taken in the place of the wrong one.

So it names only what there is, and what this player may do with it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbmd.conformance.scenes import dice, spoilt
from pbmd.rules import Document, Line, Mail, Receipt, Ruleset, Status, Verdict
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.simulate import signups
from tests.rulesets.local_cluster.harness import duel
from tests.rulesets.random_games import Step, steps

MARK = " Right: "
ASKED = re.compile(r'did you mean ((?:"[^"]+"(?:, | or )?)+)\?')
MOST_LINES = 6
TURNS = 3


def letters(ruleset: Ruleset[Any], position: Any, seat: str) -> Iterator[tuple[Line, ...]]:
    """Right letters of a seat: what a random player sends, and the order form line by line."""
    yield tuple(order_lines(ruleset.random_orders(position, seat, dice("letter", seat))))[:MOST_LINES]
    form = [line[2:] for line in ruleset.order_form(position, seat).splitlines() if line.startswith("# ")]
    yield from ((Line(1, text),) for text in form)


def refused(ruleset: Ruleset[Any], position: Any, seat: str) -> Iterator[tuple[Mail, Verdict]]:
    """Mails with a spoilt line, and what was said of it."""
    for lines in letters(ruleset, position, seat):
        for place, right in enumerate(lines):
            for wrong in spoilt(right.text):
                mail = Mail(seat, (*lines[:place], Line(right.number, wrong), *lines[place + 1 :]), (10**6, 0))
                for verdict in ruleset.receive(position, mail).verdicts:
                    if verdict.status is Status.ERROR and verdict.line == right.number:
                        yield mail, verdict


@cache
def game(slug: str, seed: int) -> tuple[Step, ...]:
    return tuple(steps(get(slug), seed, TURNS))


@cache
def refused_in(slug: str, seed: int, step: int, seat: str) -> tuple[tuple[Mail, Verdict], ...]:
    """The same mails for all tests: to make them takes most of the time."""
    return tuple(refused(get(slug), game(slug, seed)[step].position, seat))


def with_hint(mail: Mail, line: int, hint: str) -> Mail:
    return replace(mail, lines=tuple(Line(line, hint) if each.number == line else each for each in mail.lines))


def verdict_on(receipt: Receipt[Any], line: int) -> Verdict:
    return next(verdict for verdict in receipt.verdicts if verdict.line == line)


@pytest.mark.rule("LC-R10", "CC-R89", "SQ-R15")
@pytest.mark.parametrize("slug", slugs())
def test_what_is_proposed_is_taken_in_the_place_of_the_wrong_line(slug: str) -> None:
    ruleset, seen = get(slug), 0
    for seed in range(2):
        for step, (position, _) in enumerate(game(slug, seed)):
            for seat in ruleset.awaiting(position)[:2]:
                for mail, verdict in refused_in(slug, seed, step, seat):
                    assert not re.search(r"\?[.,]", verdict.message), verdict.message
                    _, *hints = verdict.message.split(MARK, maxsplit=1)
                    if not hints:
                        continue
                    seen += 1
                    again = verdict_on(ruleset.receive(position, with_hint(mail, verdict.line, hints[0])), verdict.line)
                    assert again.status is not Status.ERROR, (verdict.text, verdict.message, again.message)
    assert seen > 50 or slug == "diplomacy"  # which takes slips of the pen


@pytest.mark.parametrize("slug", slugs())
def test_what_is_proposed_knocks_out_no_line_that_stands(slug: str) -> None:
    ruleset, seen = get(slug), 0
    for step, (position, _) in enumerate(game(slug, 0)):
        (seat, *_) = ruleset.awaiting(position)
        for mail, verdict in refused_in(slug, 0, step, seat):
            _, *hints = verdict.message.split(MARK, maxsplit=1)
            if hints and len(mail.lines) > 1:
                seen += 1
                before, after = (ruleset.receive(position, each) for each in (mail, with_hint(mail, verdict.line, hints[0])))
                stood = {each.line for each in before.verdicts if each.line and each.status is not Status.ERROR}
                fallen = [each for each in after.verdicts if each.line in stood and each.status is Status.ERROR]
                assert fallen == [], (verdict.text, verdict.message)
    assert seen or slug == "diplomacy"


def asked_about(verdict: Verdict) -> list[str]:
    """The names behind "did you mean"."""
    return [name for names in ASKED.findall(verdict.message) for name in re.findall('"([^"]+)"', names)]


@pytest.mark.parametrize("slug", slugs())
def test_what_is_asked_about_is_what_is_proposed(slug: str) -> None:
    """Who is asked whether they mean a name finds it in the line that would be right, if only one would."""
    ruleset, seen = get(slug), 0
    for seed in range(2):
        for step, (position, _) in enumerate(game(slug, seed)):
            for seat in ruleset.awaiting(position)[:2]:
                for _, verdict in refused_in(slug, seed, step, seat):
                    assert verdict.message.count("did you mean") == len(ASKED.findall(verdict.message)), verdict.message
                    names, hint = asked_about(verdict), verdict.message.partition(MARK)[2]
                    seen += bool(names)
                    assert not (names and hint) or any(name.casefold() in hint.casefold() for name in names), verdict.message
    assert seen > (0 if slug == "diplomacy" else 10)


@pytest.mark.rule("LC-R10")
def test_what_local_cluster_proposes_is_carried_out() -> None:
    """Moves are final: what the example orders must not fail for this player, in this mail, as things are."""
    ruleset = get("local_cluster")
    assert ruleset.ready is not None
    seen = 0
    for seed in range(3):
        for step, (position, _) in enumerate(game("local_cluster", seed)):
            (seat, *_) = ruleset.awaiting(position)
            for mail, verdict in refused_in("local_cluster", seed, step, seat):
                hint = verdict.message.partition(MARK)[2]
                if not hint:
                    continue
                again = with_hint(mail, verdict.line, hint)
                receipt = ruleset.receive(position, again)
                if any(each.status is Status.ERROR for each in receipt.verdicts):
                    continue  # another line of the letter is wrong as well
                seen += 1
                assert not verdict_on(receipt, verdict.line).code, (verdict.message, receipt.verdicts)
                if ruleset.ready(receipt.position):
                    events = ruleset.resolve(receipt.position, dice(seed, "move")).events
                    failed = [event.data["line"] for event in events if event.kind == "order_failed"]
                    written = [line.text for line in again.lines if line.number != verdict.line]
                    assert hint not in failed or hint in written, (verdict.text, verdict.message)
    assert seen > 50


def clusters(home: str) -> Document:
    """Terrans own Harrow, or Yarrow, and Zorg the other."""
    other = "Yarrow" if home == "Harrow" else "Harrow"
    return duel({}, {}, [], planets=f"{home} Terrans; {other} Zorg")


@pytest.mark.rule("LC-R10")
@pytest.mark.parametrize("home", ["Harrow", "Yarrow"])
@pytest.mark.parametrize(
    "line", ["Build army at Harow", "Build fleet at Yarow", "Develop Mines on Harow", "Develop Mines on Arrow"]
)
def test_a_misspelt_planet_is_taken_for_ones_own_and_not_for_anothers(line: str, home: str) -> None:
    ruleset = get("local_cluster")
    receipt = ruleset.receive(ruleset.load(clusters(home)), Mail("Terrans", (Line(1, line),), (1, 0)))
    hint = receipt.verdicts[0].message.partition(MARK)[2]
    other = "Yarrow" if home == "Harrow" else "Harrow"
    assert other not in receipt.verdicts[0].message
    assert hint.rsplit(" ", 1)[-1] in (home, "Aquila"), hint


@pytest.mark.parametrize(
    "line", ["Attack", "Use spy", "Give", "Spoils", "OOB attack vs Xyzzy LFT", "Attack Xyzzy with all allied with Nobody"]
)
def test_no_example_names_factions_that_are_not_there(line: str) -> None:
    """The names of the handbook's examples belong to nobody in this game."""
    ruleset = get("galactic_overlord")
    options = complete(ruleset.info.options, {})
    names = [
        replace(signup, seat=name) for signup, name in zip(signups(ruleset, 3, options), ("Uno", "Due", "Tre"), strict=True)
    ]
    position = ruleset.setup(names, options, dice("names"))
    (verdict,) = [v for v in ruleset.receive(position, Mail("Uno", (Line(1, line),), (1, 0))).verdicts if v.line]
    assert not re.search("Cygnus|Vega|Borealis|Altair|Rigel", verdict.message), verdict.message

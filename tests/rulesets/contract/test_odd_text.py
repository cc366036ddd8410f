"""All that comes by mail may be hostile, or just odd: whatever stands in a letter or a sign-up, there is an answer to it."""

# pyright: reportUnknownLambdaType=false
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules import Dice, Line, Mail, Receipt, Ruleset, Signup, Status, Verdict
from pbmd.rules.options import complete
from pbmd.rules.sheets import filed
from pbmd.simulate import signups
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import a_few, changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, named, play, scenes
from tests.rulesets.random_games import dice

ODD = (
    *("", " ", "#", "## Add", "[b]", "[/b]", "[b][/b]", "-", "--", ".", ",", ",,,,", ";", ":", "=", "&", "@", "(((((", "["),
    *("*", "+", "?", "|", "$", "^", "\\", "'", '"', "`", "{0}", "{", "%s", "%", "{{ 7 * 7 }}", "<b>", "</pre>", "../../etc"),
    # Numbers that `str.isdigit`, `\d` and `int` do not agree about, or that are too long for `int`.
    *("0", "-1", "-0", "007", "1e9", "1.5", "0x1F", "²", "٣", "½", "Ⅷ", "99999999999999999999", "9" * 5000),
    # Letters whose case or form is not as long as they are, and such as cannot be seen.
    *("İ", "ß", "ﬁ", "e\u0301" * 50, "\x00", "\t", "\x85", "\u2028", "\u200b", "\u202e", "\u00a0", "日本", "🚀"),
    *("None", "null", "true", "all", "each", "any", "me", "nobody", "to to to", "with", "and", "1 1 1", "1,2,3", "1-2", "A1"),
    *("a" * 3000, "a " * 1500, "a," * 1500, "(" * 1500),
)
FEW = 12


def odd_lines(scene: Scene, seat: str, chance: Dice) -> Iterator[str]:
    """Right lines of a seat with something odd in the place of a word, or at it, and right lines that somebody has twisted."""
    orders = scene.rules.random_orders(scene.position, seat, chance).splitlines()
    form = [line.removeprefix("# ") for line in scene.rules.order_form(scene.position, seat).splitlines()]
    right = [line for line in (*orders, *form) if line.strip()]
    for odd in ODD:
        line = one_of(right, chance)
        words = line.split()
        numbers = [place for place, word in enumerate(words) if word.isdigit()]
        for place in {chance.roll(len(words)) - 1, *numbers[:1]}:
            word = one_of((odd, words[place] + odd), chance)
            yield " ".join((*words[:place], word, *words[place + 1 :]))
        yield one_of((line * 2, line * 20, line.swapcase(), line.replace(" ", ""), line.replace(" ", ","), line[::-1]), chance)


def one_of(choices: Sequence[str], chance: Dice) -> str:
    return choices[chance.roll(len(choices)) - 1]


def any_letter_is_answered(scene: Scene) -> None:
    """Odd lines in one letter, and some alone; what is said of a line names it by its number, and what is taken of them is
    carried out and can be kept."""
    rules = scene.rules
    for seat in scene.rules.awaiting(scene.position)[:2]:
        chance = dice(scene.name, seat, "odd")
        odd = list(odd_lines(scene, seat, chance))
        for texts in (odd, ODD, *([one_of(odd, chance)] for _ in range(FEW))):
            letter = Mail(seat, tuple(Line(number, text) for number, text in enumerate(texts, start=1)), (2**40, 0))
            step = play(rules, scene.position, [letter], scene.name)
            assert {verdict.line for verdict in step.receipts[0].verdicts} <= set(range(len(texts) + 1))
            assert all(rules.load(rules.dump(position)) == position for position in step.positions)


def any_sign_up_is_answered(rules: Ruleset[Any]) -> None:
    """Be its name odd, or somebody's, or its lines; and what is found in order makes a game."""
    options = complete(rules.info.options, {})
    *others, right = signups(rules, rules.info.min_seats, options)
    for odd in (*ODD, others[0].seat, others[0].seat.upper()):
        for signup in odd_sign_ups(right, odd):
            rules.names(signup)
            verdicts = rules.check_signup(signup, others, options)
            assert {verdict.line for verdict in verdicts} <= {0, *(line.number for line in signup.lines)}
            if Status.ERROR not in {verdict.status for verdict in verdicts}:
                name = next((verdict.canonical for verdict in verdicts if not verdict.line and verdict.canonical), signup.seat)
                rules.setup((*others, replace(signup, seat=name)), options, dice("odd"))


def odd_sign_ups(right: Signup, odd: str) -> Iterator[Signup]:
    """With something odd as its name, as one more line and as what its sender is called, or as what a line says."""
    yield replace(right, seat=odd)
    yield replace(right, lines=(*right.lines, Line(99, odd)), holder=odd)
    for place, line in enumerate(right.lines):
        twisted = replace(line, text=f"{line.text.partition(':')[0]}: {odd}")
        yield replace(right, lines=(*right.lines[:place], twisted, *right.lines[place + 1 :]))


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_a_letter_is_answered(name: str) -> None:
    is_kept(any_letter_is_answered, a_few(scenes(name), 6))


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_a_sign_up_is_answered(name: str) -> None:
    any_sign_up_is_answered(named(name))


def answers(verdict: Any) -> Ruleset[Any]:
    """Count with other verdicts on the lines."""

    def receive(position: Any, mail: Mail) -> Receipt[Any]:
        receipt = count.receive(position, mail)
        return replace(receipt, verdicts=tuple(verdict(line) for line in mail.lines))

    return changed(count, receive=receive)


def summed(line: Line) -> Verdict:
    """Not all of what `isdigit` says is a number for `int`."""
    return Verdict(line.number, line.text, Status.OK, str(sum(int(word) for word in line.text.split() if word.isdigit())))


@pytest.mark.parametrize(
    ("verdict", "raised"),
    [
        pytest.param(summed, ValueError, id="takes a number for one"),
        pytest.param(lambda line: Verdict(line.number, line.text.split()[0], Status.OK), IndexError, id="wants words"),
        pytest.param(lambda line: Verdict(line.number + 1, "", Status.OK), AssertionError, id="counts from 2"),
    ],
)
def test_a_ruleset_that_breaks_on_odd_lines_is_found(verdict: Any, raised: type[Exception]) -> None:
    is_found_broken(any_letter_is_answered, answers(verdict), raised)


def test_a_ruleset_that_takes_what_it_cannot_carry_out_is_found() -> None:
    def receive(position: Any, mail: Mail) -> Receipt[Any]:
        """Any digits are a number."""
        lines = tuple(line.text for line in mail.lines if re.fullmatch(r"add \d+", line.text, re.IGNORECASE))
        sheets = filed(position.sheets, mail.seat, mail.arrival, lines)
        return Receipt(replace(position, sheets=sheets), (), filed=True)

    is_found_broken(any_letter_is_answered, changed(count, receive=receive), ValueError)


def test_a_ruleset_that_breaks_on_odd_sign_ups_is_found() -> None:
    def first_word(signup: Signup, *_: Any) -> tuple[Verdict, ...]:
        return (Verdict(0, signup.seat.split()[0], Status.OK),)

    with pytest.raises(IndexError):
        any_sign_up_is_answered(changed(count, check_signup=first_word))
    with pytest.raises(AssertionError):
        any_sign_up_is_answered(changed(count, check_signup=lambda *_: (Verdict(7, "", Status.OK),)))

"""All mail may be hostile, or just odd: whatever is in a letter or a sign-up, there is an answer to it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbmd.conformance.documents import a_position_comes_back
from pbmd.conformance.findings import Wrong
from pbmd.conformance.hostile_texts import ODD
from pbmd.conformance.order_checks import LATER, answered
from pbmd.conformance.scenes import Scene, dice, is_due
from pbmd.conformance.views import every_reader_gets_a_report
from pbmd.rules import Dice, Line, Mail

_FEW = 12
_MANY = 150
"""The lines of a letter that is longer than any sheet."""


def odd_lines(scene: Scene, seat: str, chance: Dice) -> Iterator[str]:
    """Valid lines of a seat with something odd in place of a word, or attached to it, and valid lines that somebody has
    twisted."""
    right = right_lines(scene, seat, chance)
    for odd in ODD:
        line = one_of(right, chance)
        words = line.split()
        numbers = [place for place, word in enumerate(words) if word.isdigit()]
        for place in {chance.roll(len(words)) - 1, *numbers[:1]}:
            word = one_of((odd, words[place] + odd), chance)
            yield " ".join((*words[:place], word, *words[place + 1 :]))
        yield one_of((line * 2, line * 20, line.swapcase(), line.replace(" ", ""), line.replace(" ", ","), line[::-1]), chance)


def right_lines(scene: Scene, seat: str, chance: Dice) -> list[str]:
    """Lines that the seat can send, and those of its order form."""
    orders = scene.rules.random_orders(scene.position, seat, chance).splitlines()
    form = [line.removeprefix("# ") for line in scene.rules.order_form(scene.position, seat).splitlines()]
    return [line for line in (*orders, *form) if line.split()] or ["nothing"]


def one_of(choices: Sequence[str], chance: Dice) -> str:
    """One of them, by chance."""
    return choices[chance.roll(len(choices)) - 1]


def any_letter_is_answered(scene: Scene) -> Iterator[Wrong]:
    """Odd lines in one letter, and some alone, very many lines, and none; verdicts name a line by its number, and what is
    accepted can be resolved and stored."""
    rules = scene.rules
    yield from a_position_comes_back(rules, scene.position, "before an odd letter a position")
    for seat in rules.awaiting(scene.position)[:2]:
        chance = dice(scene.name, seat, "odd")
        odd = list(odd_lines(scene, seat, chance))
        right = right_lines(scene, seat, chance)
        alone = [[one_of(odd, chance)] for _ in range(_FEW)]
        for texts in (odd, ODD, (), (right * _MANY)[:_MANY], *alone):
            yield from one_letter_is_answered(scene, letter_of(seat, texts))
            if texts is odd:
                yield from every_reader_gets_a_report(replace(scene, letters=(letter_of(seat, texts),)))
    yield from _anybody_may_write(scene)


def letter_of(seat: str, texts: Sequence[str]) -> Mail:
    """A letter of these lines that comes after all others."""
    return Mail(seat, tuple(Line(number, text) for number, text in enumerate(texts, start=1)), LATER)


def one_letter_is_answered(scene: Scene, letter: Mail) -> Iterator[Wrong]:
    """A letter that is all that comes in a scene; what follows from it can be stored."""
    scene = replace(scene, letters=(letter,))
    rules, step = scene.rules, scene.played
    yield from answered(rules, letter, step.receipts[0])
    for position in (each for each in step.positions if each is not scene.position):
        yield from a_position_comes_back(rules, position, "after an odd letter a position")


def _anybody_may_write(scene: Scene) -> Iterator[Wrong]:
    """Whether awaited or not: orders of an awaited seat, nonsense, or nothing; but a position in which something is due gets no
    letters."""
    rules, position = scene.rules, scene.played.positions[-2]
    if is_due(rules, position):
        position = scene.position
    orders = [right_lines(scene, seat, dice(scene.name, seat, "anybody")) for seat in rules.awaiting(scene.position)[:1]]
    for seat in rules.seats(position):
        for texts in (*orders, ("Xyzzy 99999 Harow",), ()):
            letter = letter_of(seat, texts)
            yield from answered(rules, letter, rules.receive(position, letter))

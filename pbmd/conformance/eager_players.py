"""Players who write all that the grammar has: with names and numbers of the game, and in answer to each other. What two must
write to each other, such as both sides of a trade, random players hardly ever do."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import pieces_of, readers_of
from pbmd.conformance.order_checks import LATER
from pbmd.conformance.scenes import random_lines
from pbmd.rules import Dice, Line, Mail, Ruleset, Status
from pbmd.rules.lines import order_lines

_MOST_LINES = 10
_MOST_RULES = 12
_DRAWS = 3
_MOST_ANSWERED = 4
_ANSWERS = 5
_NUMBERS = ("1", "2", "3", "12")


def eagerly(rules: Ruleset[Any], position: Any, chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
    """Each awaited seat writes one letter of lines that are each accepted: answers to what others have written, its own, also
    with its own name in them, if that is taken, and answers to these."""
    grammars, written = [reader.source() for reader in readers_of(rules)], list[tuple[str, str]]()
    for seat in rules.awaiting(position):
        texts = [*_answers(grammars, seat, written, chance), *_own(rules, position, seat, grammars, chance)]
        together = list[str]()
        for text in dict.fromkeys(texts):
            if len(together) < _MOST_LINES and _is_taken(rules, position, seat, [*together, text]):
                together.append(text)
        written += ((seat, text) for text in together)
        yield seat, order_lines("\n".join(together))


def _own(rules: Ruleset[Any], position: Any, seat: str, grammars: Sequence[str], chance: Dice) -> Iterator[str]:
    """Those to itself first."""
    seats, own = rules.seats(position), [line.text for line in random_lines(rules, position, seat, chance)]
    named = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in seats))
    to_itself = [text for line in own if (text := named.sub(seat, line)) != line and _is_taken(rules, position, seat, [text])]
    yield from to_itself
    yield from _answers(grammars, seat, [(seat, text) for text in to_itself], chance)
    yield from own
    offers = [line.lstrip("# ") for line in rules.order_form(position, seat).splitlines() if line.startswith("# ")]
    words = [*seats, *_NUMBERS, *(word for line in (*own, *offers) for word in pieces_of(line))]
    for grammar in grammars:
        yield from _lines(Derivation(grammar, words), chance, _DRAWS)


def _answers(grammars: Sequence[str], seat: str, written: Sequence[tuple[str, str]], chance: Dice) -> Iterator[str]:
    """Lines about nothing but what others have written of this seat, with their names in place of its own."""
    for writer, line in [each for each in written if seat in each[1]][-_MOST_ANSWERED:]:
        for grammar in grammars:
            derivation = Derivation(grammar, ())
            said = [word for word in line.replace(seat, " ").split() if word.casefold() not in derivation.fixed]
            yield from _lines(Derivation(grammar, [writer, *said]), chance, _ANSWERS)


def _lines(derivation: Derivation, chance: Dice, draws: int) -> list[str]:
    rules = derivation.rules
    begins = chance.roll(len(rules)) - 1
    some = (rules * 2)[begins : begins + min(_MOST_RULES, len(rules))]
    return [line for rule in some for _ in range(draws) if (line := derivation.line(rule, chance))]


def _is_taken(rules: Ruleset[Any], position: Any, seat: str, texts: Sequence[str]) -> bool:
    receipt = rules.receive(position, Mail(seat, order_lines("\n".join(texts)), LATER))
    return receipt.filed and all(verdict.status is not Status.ERROR for verdict in receipt.verdicts)

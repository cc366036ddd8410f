"""Letters of lines that are derived from the grammar of a ruleset: what random players never write is written, too."""

import sys
from collections.abc import Iterator
from typing import Any

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.everything_sent import everybody, reader_of
from pbmd.conformance.findings import Wrong
from pbmd.conformance.hostile_input import letter_of, one_letter_is_answered
from pbmd.conformance.scenes import Scene, dice
from pbmd.rules import Ruleset
from pbmd.rules.grammar import OrderReader
from pbmd.rules.small_game import SmallGame

_LONGEST_WORD = 40
_MOST_WORDS = 3
_NUMBERS = ("0", "1", "2", "3", "10", "99", "99999")
_SEATS = 2
"""Of so many seats lines are tried."""


def readers_of(rules: Ruleset[Any]) -> list[OrderReader[Any]]:
    """What reads the orders of a ruleset: the readers of grammars that its modules have, or its small game."""
    folder = f"{rules.info.folder}/"
    modules = [module for module in [*sys.modules.values()] if str(getattr(module, "__file__", None) or "").startswith(folder)]
    values = [value for module in modules for value in vars(module).values()]
    games = [getattr(value.receive, "__self__", None) for value in values if isinstance(value, Ruleset)]
    values += [game.reader for game in games if isinstance(game, SmallGame)]
    found = {id(value): value for value in values if isinstance(value, OrderReader)}
    return [*found.values()]


def lines_of_the_grammar_are_answered(scene: Scene) -> Iterator[Wrong]:
    """Each alternative of each rule, with names and numbers of the game, those at and around bounds among them."""
    seats = scene.rules.awaiting(scene.position)[:_SEATS]
    for reader in readers_of(scene.rules) if seats else ():
        derivation = Derivation(reader.source(), words_of(scene))
        chance = dice(scene.name, "derived")
        for rule in derivation.rules:
            for seat in seats:
                if line := derivation.line(rule, chance):
                    yield from one_letter_is_answered(scene, letter_of(seat, (line,)))


def words_of(scene: Scene) -> list[str]:
    """Names and numbers that mean something in a position: those of forms, of random orders, and of what is shown."""
    rules, position = scene.rules, scene.position
    lines = [*rules.seats(position)]
    for seat in rules.seats(position):
        lines += rules.order_form(position, seat).splitlines()
        if seat in rules.awaiting(position):
            lines += rules.random_orders(position, seat, dice(scene.name, seat, "words")).splitlines()
    for seat in everybody(rules, position):
        lines += _texts(rules.view(position, (), reader_of(seat)).data)
    words = (piece for line in dict.fromkeys(lines) for piece in pieces_of(line.lstrip("# ")))
    return [*dict.fromkeys((*words, *_NUMBERS))]


def _texts(value: Any) -> Iterator[str]:
    """All texts and numbers in a view that are short enough to be a name."""
    if isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= _LONGEST_WORD:
        yield str(value)
    elif isinstance(value, dict):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(item)


def pieces_of(line: str) -> Iterator[str]:
    """One to three words of a line that follow each other."""
    words = line.split()
    for begins in range(len(words)):
        for ends in range(begins + 1, min(begins + _MOST_WORDS, len(words)) + 1):
            yield " ".join(words[begins:ends])

"""Lines derived from a grammar: each rule and each of its alternatives is used in some line, whoever would write it."""

import importlib
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput
from lark.grammar import NonTerminal, Rule, Symbol
from lark.lexer import PatternStr, TerminalDef

from pbmd.rules import Dice

_DEEP = 4
"""From here on the shortest of all alternatives is taken, so that a line comes to an end."""
_START = "start"
_REPEATED = 3
"""What may be repeated as often as one likes is repeated so often at most."""
_TRIES = 5
_LOOKS = re.compile(r"\(\?<?[=!](?:[^()\\]|\\.)*\)")


class Derivation:
    """A grammar, from which lines are derived; `words` are names and numbers that mean something in a game."""

    def __init__(self, source: str, words: Sequence[str]) -> None:
        self._lark = Lark(source, parser="lalr", maybe_placeholders=False, keep_all_tokens=True)
        self._words = words
        self._terminals: Mapping[str, TerminalDef] = {terminal.name: terminal for terminal in self._lark.terminals}

    @property
    def fixed(self) -> set[str]:
        """The words of the grammar itself, in small letters."""
        return {each.pattern.value.casefold() for each in self._terminals.values() if isinstance(each.pattern, PatternStr)}

    @property
    def rules(self) -> list[Rule]:
        """Each alternative of each rule."""
        return self._lark.rules

    def names(self) -> set[str]:
        """What an accepted line may have used: rules, or the names of their alternatives, and terminals with a name."""
        named = {_name(rule) for rule in self.rules if not _passes_on(rule)}
        shown = {terminal for rule in self.rules for terminal in rule.expansion if terminal.is_term}
        return {name for name in named if not name.startswith("_")} | {
            symbol.name
            for symbol in shown
            if not symbol.name.startswith("_") and not symbol.filter_out  # type: ignore[attr-defined]
        }

    def used_in(self, line: str) -> set[str]:
        """Which of them a line uses; none for a line that the grammar does not read."""
        try:
            tree: Tree[Token] | Token = self._lark.parse(line)
        except UnexpectedInput:
            return set()
        return {tree.type} if isinstance(tree, Token) else {*_within(tree)}

    def line(self, rule: Rule, chance: Dice) -> str:
        """A line that uses that alternative; empty if there is none, since a terminal is more than can be made up."""
        pieces = self._expanded(rule, chance, 0)
        origin: str = rule.origin.name
        while origin != _START:
            if origin not in self._parents:
                return ""  # nothing leads to it
            parent, place = self._parents[origin]
            before = self._all(parent.expansion[:place], chance, _DEEP)
            pieces = [*before, *pieces, *self._all(parent.expansion[place + 1 :], chance, _DEEP)]
            origin = parent.origin.name
        return "" if None in pieces else " ".join(piece for piece in pieces if piece)

    @cached_property
    def _by_origin(self) -> dict[str, list[Rule]]:
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.origin.name, []).append(rule)
        return found

    @cached_property
    def _parents(self) -> dict[str, tuple[Rule, int]]:
        """By which rule, and where in it, each name is reached in the fewest steps from the start."""
        found: dict[str, tuple[Rule, int]] = {}
        waiting = deque([_START])
        while waiting:
            for rule in self._by_origin.get(waiting.popleft(), ()):
                for place, symbol in enumerate(rule.expansion):
                    if isinstance(symbol, NonTerminal) and symbol.name not in found and symbol.name != _START:
                        found[symbol.name] = rule, place
                        waiting.append(symbol.name)
        return found

    @cached_property
    def _shortest(self) -> dict[str, int]:
        """How many terminals each name has at least."""
        sizes: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                parts = [1 if symbol.is_term else sizes.get(symbol.name) for symbol in rule.expansion]
                size = sum(part for part in parts if part is not None)
                if None not in parts and size < sizes.get(rule.origin.name, 1 << 30):
                    sizes[rule.origin.name] = size
                    changed = True
        return sizes

    def _size(self, rule: Rule) -> int:
        return sum(1 if symbol.is_term else self._shortest.get(symbol.name, 1 << 30) for symbol in rule.expansion)

    def _all(self, symbols: Sequence[Symbol], chance: Dice, depth: int) -> list[str | None]:
        return [piece for symbol in symbols for piece in self._text(symbol, chance, depth)]

    def _expanded(self, rule: Rule, chance: Dice, depth: int) -> list[str | None]:
        return self._all(rule.expansion, chance, depth)

    def _text(self, symbol: Symbol, chance: Dice, depth: int) -> list[str | None]:
        if symbol.is_term:
            return [self._terminal(self._terminals[symbol.name], chance)]
        choices = self._by_origin[symbol.name]
        if depth >= _DEEP:
            return self._expanded(min(choices, key=self._size), chance, depth + 1)
        return self._expanded(choices[chance.roll(len(choices)) - 1], chance, depth + 1)

    def _terminal(self, terminal: TerminalDef, chance: Dice) -> str | None:
        """A word of the game if one fits, else anything that does."""
        pattern = terminal.pattern
        if isinstance(pattern, PatternStr):
            return pattern.value
        # A word that is right only if something stands before or behind it fits, too.
        plain = _LOOKS.sub("", pattern.to_regexp())
        fitting = [word for word in self._words if re.fullmatch(plain, word)]
        if fitting:
            return fitting[chance.roll(len(fitting)) - 1]
        return _made_up(pattern.to_regexp(), chance)


def _made_up(pattern: str, chance: Dice) -> str | None:
    """Text that a regular expression takes; None where its like cannot be made up. Looks ahead and back are left out, and
    whether the text is right is tried."""
    try:
        library: Any = importlib.import_module("rstr.xeger")  # of the extra "authors"
    except ImportError:
        return None
    library.STAR_PLUS_LIMIT = _REPEATED
    plain = _LOOKS.sub("", pattern)
    for _ in range(_TRIES):
        try:
            text: str = library.Xeger(Random(chance.roll(1 << 30))).xeger(plain)  # noqa: S311 – the dice decide
        except (KeyError, NotImplementedError, TypeError):
            return None
        if re.fullmatch(pattern, text := " ".join(text.split())):
            return text
    return None


def _passes_on(rule: Rule) -> bool:
    """Whether an alternative is nothing but another rule or terminal, which stands in its place."""
    return rule.options.expand1 and not rule.alias and len(rule.expansion) == 1


def _name(rule: Rule) -> str:
    return str(rule.alias or rule.options.template_source or rule.origin.name)


def _within(tree: "Tree[Any]") -> Iterator[str]:
    for part in tree.iter_subtrees():
        yield str(part.data)
        yield from (child.type for child in part.children if isinstance(child, Token))

"""Order grammars: a file ``orders.lark`` beside the ruleset's modules, and a transformer that makes orders from what it
finds."""

import importlib.resources
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import LarkError
from lark.grammar import Symbol, Terminal

from pbmd.rules.declared import RulesetError
from pbmd.rules.lines import LONGEST_LINE, line_cache
from pbmd.rules.registry import comes_with_pbmd

T = TypeVar("T")

_REMEMBERED = 8192
"""How many lines are remembered: a step's lines are read several times, and a game's lines are much alike."""
_NO_WORDS: Mapping[str, Any] = MappingProxyType({})


def _is_none(_line: str, _stop: UnexpectedInput) -> None:
    return None


def order_reader(
    package: str,
    transformer: Transformer[Token, T],
    *,
    bare: Mapping[str, T] = _NO_WORDS,
    more: str = "",
    longest: int = LONGEST_LINE,
    otherwise: Callable[[str, UnexpectedInput], T | None] = _is_none,
) -> Callable[[str], T | None]:
    """A function that gives the order in one line, which is clean (`lines.cleaner`); None for a line that is no order, or has
    more than `longest` characters.

    `package` is the ruleset's (``__package__``). Methods of `transformer` have the names of rules; `bare` has the orders that
    are a single terminal, by its name. `more` is grammar that is made of tables. `otherwise` may say what a line is that the
    grammar does not read, by where it stopped (lark's `UnexpectedInput`). Raises `RulesetError` with the line of
    ``orders.lark`` for what is no grammar, and for a rule that has no method.
    """

    @cache
    def parser() -> Lark:
        return _parser(package, source(), transformer)

    @cache
    def source() -> str:
        return _file_of(package).read_text(encoding="utf-8") + more

    # Building it takes long, and a process that only shows a game reads no orders. But an author is told of errors at once.
    if not comes_with_pbmd(package):
        parser()

    @line_cache(_REMEMBERED)
    def parsed(line: str) -> T | None:
        try:
            found: Any = parser().parse(line)
        except UnexpectedInput as stop:
            return otherwise(line, stop)
        return bare[found.type] if isinstance(found, Token) else found

    return OrderReader(lambda line: parsed(line) if len(line) <= longest else None, source)


@dataclass(frozen=True, eq=False)
class OrderReader(Generic[T]):
    """What `order_reader` gives: called with a line it gives the order. `source` is the whole grammar; whoever tries a ruleset
    (`pbmd.conformance`) is in `listeners` to hear which lines are read."""

    read: Callable[[str], T | None]
    source: Callable[[], str]
    listeners: list[Callable[[str], object]] = field(default_factory=list[Callable[[str], object]])

    def __call__(self, line: str) -> T | None:
        """The order in a line."""
        for hear in self.listeners:
            hear(line)
        return self.read(line)


def _file_of(package: str) -> Traversable:
    return importlib.resources.files(package) / "orders.lark"


def _parser(package: str, source: str, transformer: Transformer[Token, Any]) -> Lark:
    file = _file_of(package)
    own = len(file.read_text(encoding="utf-8").splitlines())
    try:
        made = Lark(source, parser="lalr", transformer=transformer, maybe_placeholders=False)
    except LarkError as problem:
        words = " ".join(str(problem).replace(" in <string>", "").split()).removesuffix(" ^")
        raise RulesetError(str(file), _line_of(problem, source.splitlines()[:own]), words) from problem
    for name in _without_method(made, transformer):
        line = next((number for number, text in enumerate(source.splitlines(), start=1) if _names(name, text)), 0)
        raise RulesetError(str(file), line, f'{type(transformer).__name__} has no method "{name}" for this rule')
    return made


def _without_method(lark: Lark, transformer: Transformer[Token, Any]) -> Iterator[str]:
    """The rules, or their aliases, that no method makes anything of: a line that uses one would give a tree, and no order."""
    if type(transformer).__default__ is not Transformer.__default__:
        return
    for rule in lark.rules:
        name = str(rule.alias or rule.options.template_source or rule.origin.name)
        passes_on = rule.options.expand1 and not rule.alias and len([*filter(_is_kept, rule.expansion)]) == 1
        if not name.startswith("_") and not passes_on and not hasattr(transformer, name):
            yield name


def _is_kept(symbol: Symbol) -> bool:
    """Whether it is handed on, which terminals are not that are only there to be read."""
    return not (isinstance(symbol, Terminal) and symbol.filter_out)


def _names(rule: str, line: str) -> bool:
    """Whether the line defines the rule, or gives the name to an alternative."""
    return re.match(rf"[?!]*{rule}\b[^:]*:", line) is not None or re.search(rf"->\s*{rule}\b", line) is not None


_AT_LINE = re.compile(r"at line (\d+)")
_NAMED = re.compile(r"'(\w+)'|token (\w+)|\((\w+):|<(\w+) :")


def _line_of(problem: LarkError, lines: Sequence[str]) -> int:
    """The line, from 1, of what is wrong with a grammar; 0 if it is in none, or in what was made of tables. Where lark names no
    line it names a rule: it is looked for where it is defined, the second time if there are two, else where it is used."""
    words = str(problem)
    if found := _AT_LINE.search(words):
        return int(found[1]) if int(found[1]) <= len(lines) else 0
    name = next((group for found in _NAMED.finditer(words) for group in found.groups() if group), "")
    places = [number for number, line in enumerate(lines, start=1) if name and re.search(rf"(?<!\w){name}(?!\w)", line)]
    defined = [number for number in places if re.match(rf"[?!]*{name}\b[^:]*:", lines[number - 1])]
    return (defined[1:] or defined or places or [0])[0]

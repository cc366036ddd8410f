"""Order grammars: a file ``orders.lark`` beside the ruleset's modules, and a transformer that makes orders of what it finds."""

import importlib.resources
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from lark import Lark, Token, Transformer, UnexpectedInput

from pbmd.rules.lines import LONGEST_LINE

T = TypeVar("T")

_REMEMBERED = 8192
"""Lines: a step's lines are read several times, and those of a game are much alike."""
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
    grammar does not read, by where it stopped (lark's `UnexpectedInput`).
    """
    source = (importlib.resources.files(package) / "orders.lark").read_text(encoding="utf-8")
    parser = Lark(source + more, parser="lalr", transformer=transformer, maybe_placeholders=False)

    @lru_cache(maxsize=_REMEMBERED)
    def parsed(line: str) -> T | None:
        try:
            found: Any = parser.parse(line)
        except UnexpectedInput as stop:
            return otherwise(line, stop)
        return bare[found.type] if isinstance(found, Token) else found

    return lambda line: parsed(line) if len(line) <= longest else None

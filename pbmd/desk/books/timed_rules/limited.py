"""A ruleset whose functions are called with a limit."""

from collections.abc import Callable
from typing import Any, cast

from pbmd.rules.protocol import Ruleset

Call = Callable[[str, Callable[..., Any], tuple[Any, ...]], Any]
"""Calls the function of that name with what is given."""


def limited_rules(rules: Ruleset[Any], call: Call) -> Ruleset[Any]:
    """The ruleset, whose functions `call` calls."""
    return cast("Ruleset[Any]", _Limited(rules, call))


class _Limited:
    """They are wrapped when they are first asked for: few of them are, whenever a game is opened."""

    def __init__(self, rules: Ruleset[Any], call: Call) -> None:
        self.info = rules.info
        self._rules, self._call = rules, call

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # whoever copies it asks for these before there are rules
            raise AttributeError(name)
        found, call = getattr(self._rules, name), self._call
        if not callable(found):
            return found

        def limited(*given: Any) -> Any:
            return call(name, found, given)

        self.__dict__[name] = _asked_once(limited) if name in _ASKED_AGAIN else limited
        return self.__dict__[name]


_ASKED_AGAIN = ("receive", "order_form", "sheets", "awaiting")
"""A letter is looked at and then filed as it is, several looks at it need the words of the same form, and its answer tells in
several places who has sent."""


def _asked_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a position, perhaps with one thing more, called once for them as long as nothing else is asked of it."""
    last: tuple[Any, tuple[Any, ...], Any] | None = None

    def answered(position: Any, *about: Any) -> Any:
        nonlocal last
        if last is None or last[0] is not position or last[1] != about:
            last = position, about, function(position, *about)
        return last[2]

    return answered

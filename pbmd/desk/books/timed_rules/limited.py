"""A ruleset whose functions are called with a limit."""

from collections.abc import Callable
from typing import Any, cast

from pbmd.rules.protocol import Mail, Receipt, Ruleset

Call = Callable[[str, Callable[..., Any], tuple[Any, ...]], Any]
"""Calls the function of that name with what is given."""
Receive = Callable[[Any, Mail], Receipt[Any]]


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

        self.__dict__[name] = limited if name != "receive" else _asked_once(limited)
        return self.__dict__[name]


def _asked_once(receive: Receive) -> Receive:
    """`receive`, asked once about a letter that is looked at and then filed as it is, in the same position."""
    last: tuple[Any, Mail, Receipt[Any]] | None = None

    def answered(position: Any, mail: Mail) -> Receipt[Any]:
        nonlocal last
        if last is None or last[0] is not position or last[1] != mail:
            last = position, mail, receive(position, mail)
        return last[2]

    return answered

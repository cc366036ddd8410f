"""Whom and what players mean: names of planets, States, resources and technologies in orders (section 6.1)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from pbmd.rules import Match, fold, match_name
from pbmd.rules.checking import Fault, unknown
from pbmd.rules.lines import line_cache

from ..orders import Order, Proclaim
from .state import Position, State

PLAYER_LENGTH = 64
PORTAL = "Portal"
"""`Research Portal` means the lowest Portal level not known yet; the levels are the technologies whose names begin like
this."""
_ROMAN = {"1": "I", "2": "II", "3": "III"}
_PLANET = re.compile(r"^(?:the\s+)?planet\s+(?=\S)", re.IGNORECASE)
_MYSELF = ("me", "myself", "us", "ourselves")
_WINNER = (r"\s+winner$", r"\s+the$", r"\s+as$")


class Book(NamedTuple):
    """The names that a line of `sender` can use, by the kind of thing.

    With `gone`, eliminated States have names, too: a mail on file may be about one.
    """

    position: Position
    sender: str
    researched: tuple[str, ...] = ()
    """Technologies of the lines above."""
    gone: bool = False

    def planet(self, text: str) -> str:
        """The planet meant. This and the others raise `Fault` (`unknown_name`, `ambiguous_name`)."""
        return self._found(_PLANET.sub("", text), self.position.galaxy.names, "planet")

    def resource(self, text: str) -> str:
        """The resource meant."""
        return self._found(text, self.position.data.resources, "resource")

    def technology(self, text: str) -> str:
        """The technology meant; `Portal 2` and the bare `Portal` too."""
        names = tuple(self.position.data.technologies)
        level = re.fullmatch(rf"{PORTAL}\s+([123])", text, re.IGNORECASE)
        if level:
            text = f"{PORTAL} {_ROMAN[level[1]]}"
        if fold(text) == fold(PORTAL) and PORTAL not in names:
            levels = [name for name in names if name.startswith(f"{PORTAL} ")]
            known = {*self.position.by_name[self.sender].technologies, *self.researched}
            text = next((name for name in levels if name not in known), levels[-1] if levels else text)
        return self._found(text, names, "technology")

    def state(self, text: str) -> str:
        """The State meant, by its own name or exactly by its player's."""
        there = [state for state in self.position.states if self.gone or state.kind != "eliminated"]
        named = _exactly(text, there)
        return named.name if named else self._found(text, (state.name for state in there), "State")

    def proclaimed(self, text: str) -> str:
        """The State meant before "as the winner"; a name may itself end with such a word."""
        there = [state for state in self.position.states if self.gone or state.kind != "eliminated"]
        for ending in ("", *_WINNER):
            text = re.sub(ending, "", text, flags=re.IGNORECASE)
            if named := _exactly(text, there):
                return named.name
        return self.sender if fold(text) in _MYSELF else self.state(text)

    def _found(self, text: str, names: Iterable[str], what: str) -> str:
        match = _match(text, tuple(names))
        if match.found is not None:
            return match.found
        # Nobody means themselves.
        match = replace(match, near=tuple(name for name in match.near if name != self.sender))
        raise unknown(match, text, what, "ambiguous_name" if match.ambiguous else "unknown_name")


@line_cache(4096)
def _match(text: str, names: tuple[str, ...]) -> Match[str]:
    return match_name(text, names)


_NAMES: Mapping[str, Callable[[Book, str], str]] = {
    **dict.fromkeys(("planet", "to", "origin", "planets"), Book.planet),
    **dict.fromkeys(("resource", "old", "new"), Book.resource),
    "technology": Book.technology,
    "state": Book.state,
}
"""What is looked up for each part of an order that is a name."""


def finders(order: Order) -> Iterator[tuple[str, Callable[[Book, str], str]]]:
    """The parts of an order that are names and not empty, with the functions that look them up."""
    for field in fields(order):
        if field.name in _NAMES and getattr(order, field.name):
            yield field.name, Book.proclaimed if isinstance(order, Proclaim) else _NAMES[field.name]


def with_full_names(book: Book, order: Order) -> tuple[Order, list[Fault]]:
    """The order with full names, and the names that were not found."""
    faults: list[Fault] = []
    changes: dict[str, Any] = {}
    for name, find in finders(order):
        value: str | tuple[str, ...] = getattr(order, name)
        try:
            changes[name] = tuple(find(book, each) for each in value) if isinstance(value, tuple) else find(book, value)
        except Fault as fault:
            faults.append(fault)
    return replace(order, **changes) if changes else order, faults


def player_name(holder: str) -> str:
    """The name of a player who has chosen no other; "" for one without any."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in holder).split())[:PLAYER_LENGTH]


def _exactly(text: str, states: Iterable[State]) -> State | None:
    wanted, players = fold(text), list[State]()
    for state in states:
        if fold(state.name) == wanted:
            return state
        if state.player_name and fold(state.player_name) == wanted:
            players.append(state)
    return players[0] if players else None

"""What may be a name (sections 5 and 6.1 of the rules)."""

import re
from collections.abc import Container, Iterable

from pbmd.rules import fold

from ..tables import NAME_LENGTH
from .systems import System

_NAME = re.compile(r"(?:[^\W\d_]|\d+[^\W\d_])(?:[^\W_]|[ '.-])*")
_QUESTION_ID = re.compile(r"q ?\d+", re.IGNORECASE)
_FORBIDDEN = frozenset(("to", "at", "from", "for", "on", "of", "and", "then", "with", "within", "if"))
_TAKEN = frozenset(
    (
        *("all", "any", "nearest", "strongest", "weakest", "planet", "planets", "squadron", "squadrons"),
        *("starport", "self", "fleet"),
    )
)
_PLAYER_NAME_LENGTH = 32


def name_problem(name: str, map_names: Container[str]) -> str:
    """What is improper about the name of a squadron or fleet, "" if nothing; `map_names` are those of systems and bodies,
    folded. Beyond the letter of the rules it does not end with a full stop, which orders ignore at the end of a line."""
    if not name or len(name) > NAME_LENGTH:
        return f"a name has 1 to {NAME_LENGTH} characters"
    if not _NAME.fullmatch(name) or name.endswith((" ", ".")) or "  " in name:
        return "a name has letters, digits, blanks and ' - . only, and begins with a letter, or with digits and a letter"
    if _QUESTION_ID.fullmatch(name):
        return '"?" counters are called like this'
    if found := [word for word in fold(name).split() if word in _FORBIDDEN]:
        return f'the word "{found[0]}" is used in orders and cannot be part of a name'
    if fold(name) in _TAKEN:
        return "this is a word of the game and cannot be a name"
    return "this is a name on the map" if fold(name) in map_names else ""


def fleet_name_problem(name: str, systems: Iterable[System], units: Iterable[str]) -> str:
    """Why a fleet cannot have this name beside these units of its player, "" if it can."""
    if problem := name_problem(name, map_names(systems)):
        return f'"{name:.60}": {problem}'
    return f"{name} is a unit of yours" if any(fold(unit) == fold(name) for unit in units) else ""


def map_names(systems: Iterable[System]) -> frozenset[str]:
    """The names of systems and bodies, folded."""
    return frozenset(fold(name) for system in systems for name in (system.name, *(body.name for body in system.bodies)))


def player_name_problem(name: str) -> str:
    """What is improper about the name of a player or side, "" if nothing."""
    if not name or name != " ".join(name.split()) or not name.isprintable():
        return "a name is one line without blanks at its ends or double ones"
    if len(name) > _PLAYER_NAME_LENGTH:
        return f"the name has {len(name)} characters; {_PLAYER_NAME_LENGTH} is the most"
    return "reports for everybody go by this name" if fold(name) == "public" else ""

"""Names: what they may be (section 5.1), and whom and what players mean by them in orders (section 6.2)."""

import re
from collections.abc import Callable, Iterable

from pbmd.rules import Match, fold, match_name
from pbmd.rules.advice import why_unclear
from pbmd.rules.checking import Fault

from .state import Faction, Position

NAME_LENGTH = 40
_SHORTEST = 2
_GRAY = {"gray": "grey"}
_KIND = re.compile(r"^the\s+(?=\S)|(?<=\S)\s+(?:star\s+)?(?:system|faction|player)$", re.IGNORECASE)
"""What people put around a name, as in "the Sol system"."""


def name_problem(name: str, longest: int = NAME_LENGTH, *, commas: bool = False) -> str:
    """What is improper about the name of a faction or an admiral, "" if nothing (section 5.1)."""
    if not name or name != " ".join(name.split()):
        return "a name is one line without blanks at its ends or double ones"
    if not name.isprintable():
        return "the name has a character that cannot be shown"
    if len(name) > longest:
        return f"the name has {len(name)} characters; {longest} is the most"
    return "a name has no comma" if "," in name and not commas else ""


def system_named(position: Position, text: str, fitting: Callable[[], Iterable[str]]) -> str:
    """The full name of the system meant. Raises `Fault`, which proposes the most similar one that fits."""
    if text in position.galaxy.place:  # the usual case, and many times faster
        return text
    match = _match(text, position.galaxy.place)
    if match.found and (len(fold(text)) >= _SHORTEST or fold(text) == fold(match.found)):
        return match.found
    if match.ambiguous and len(fold(text)) >= _SHORTEST:
        raise Fault(f'"{text:.60}" could be {", ".join(match.ambiguous)}', "ambiguous")
    target, start, _ = text.partition(" from ")
    if start and _match(target, position.galaxy.place).found:
        raise Fault(f'where it starts from is not said: write only "{target:.60}"', "unknown_system")
    raise Fault(_unknown("system", text), "unknown_system", names=_near(text, fitting()), written=text, asks=True)


def _unknown(what: str, text: str) -> str:
    why = why_unclear(text)
    return f'unknown {what} "{text:.60}"{f"; {why}" if why else ""}'


def faction_named(position: Position, text: str, fitting: Iterable[Faction]) -> Faction:
    """The faction meant by its colour, its name, or a beginning of either. Raises `Fault`, which proposes one that fits."""
    called = {name: faction.colour for faction in position.factions for name in (faction.colour, faction.name)}
    match = _match(text, called)
    meant = match.ambiguous if match.found is None else (match.found,)
    if len({called[name] for name in meant}) == 1:
        return position.colours[called[meant[0]]]
    if meant:
        raise Fault(f'"{text:.60}" could be {", ".join(meant)}', "ambiguous")
    near = _near(text, (name for faction in fitting for name in (faction.colour, faction.name)))
    raise Fault(_unknown("player", text), "unknown_player", names=near, written=text, asks=True)


def _match(text: str, names: Iterable[str]) -> Match[str]:
    """What is called so, or else what is called like what people put something around."""
    known = tuple(names)
    match = match_name(_GRAY.get(fold(text), text), known)
    if match.found is not None or match.ambiguous:
        return match
    bare = _KIND.sub("", text)
    return match_name(_GRAY.get(fold(bare), bare), known)


def _near(text: str, fitting: Iterable[str]) -> tuple[str, ...]:
    return match_name(text, fitting).near[:1]


def colour_named(text: str, colours: tuple[str, ...]) -> str | None:
    """The colour with exactly that name, None if there is none."""
    wanted = _GRAY.get(fold(text), fold(text))
    return next((colour for colour in colours if fold(colour) == wanted), None)

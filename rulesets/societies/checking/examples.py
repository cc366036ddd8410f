"""Advice for a player whose line was wrong: the same line, spelt right, or an example of the same kind if that is clear."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pbmd.rules import fold, match_name
from pbmd.rules.advice import distance
from pbmd.rules.lines import line_cache

from ..orders import (
    FUNCTION_WORDS,
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Cut,
    CutItem,
    Defend,
    Function,
    Order,
    Research,
    Revolution,
    SendSpies,
    Spoils,
    Trade,
    UseKgb,
    WithdrawConcession,
    written,
)
from ..tables import GOVERNMENTS, PART_PRICE, TECHNOLOGIES, WONDERS, GovernmentName, wonder_base
from ..world.squares import Square, around, best_square
from ..world.state import Position, Society
from .names import society_meant
from .reading import read

# --- Spelling -------------------------------------------------------------------------------------------------------------

_WORDS = (
    *("spy", "spies", "target", "defend", "trade", "caravan", "caravans", "research", "technology", "buy", "build", "army"),
    *("armies", "nuke", "nukes", "city", "cities", "spaceship", "engines", "short", "cut", "give", "gold", "attack", "launch"),
    *("targets", "revolution", "keep", "declare", "war", "peace", "with", "spoils", "concede", "withdraw", "concession"),
)
_VOCABULARY: Mapping[str, Sequence[str]] = {
    "word": _WORDS,
    "wonder": WONDERS,
    "government": [government.name for government in GOVERNMENTS.values()],
    "technology": TECHNOLOGIES,
    "phase or step": [word for word in FUNCTION_WORDS if not word[0].isdigit()],
}
"""What can be misspelt in a line, by its kind; names of societies are handled separately."""
_BY_LETTER: Mapping[str, Mapping[str, Sequence[str]]] = {
    kind: {letter: [name for name in names if fold(name)[0] == letter] for letter in {fold(name)[0]: None for name in names}}
    for kind, names in _VOCABULARY.items()
}
"""The same, by first letters."""
_MOST_WORDS = 20
"""In a line; a longer one is no order with one misspelling."""
_SHORTEST_NAME, _LONGEST_NAME = 2, 4
"""In letters, and in words."""


class Respelt(NamedTuple):
    """A line as it may be meant, in the form of an order and in the player's words; and the wrong `name` in it, of the `kind`
    that has a similar one, which is `near`."""

    line: str
    spelt: str
    kind: str
    name: str
    near: str


@line_cache(1024)
def respelt(text: str) -> tuple[Respelt, ...]:
    """The orders that an invalid line would be with one thing in it replaced by something spelt like it, most similar first."""
    words = text.split()
    found: list[tuple[float, Respelt]] = []
    for start, end in _parts(len(words) if len(words) <= _MOST_WORDS else 0):
        part = " ".join(words[start:end])
        name = part.strip(",:;")
        for kind, near in _near(name) if len(name) >= _SHORTEST_NAME else ():
            shown = near[0].upper() + near[1:] if name[0].isupper() else near
            order = read(spelt := " ".join((*words[:start], part.replace(name, shown), *words[end:])))
            if order is not None:
                likeness = SequenceMatcher(None, fold(name), fold(near)).ratio()
                found.append((likeness, Respelt(written(order), spelt, kind, name, near)))
    # Among equally similar ones the first stays first.
    return tuple(dict.fromkeys(one for _, one in sorted(found, key=lambda one: -one[0])))


def _near(name: str) -> Iterator[tuple[str, str]]:
    """What is spelt like this, or begins with it, with its kind. Most misspelt names have the right first letter."""
    wanted = fold(name)
    for kind, by_letter in _BY_LETTER.items():
        # Much shorter names are never similar enough (difflib's ratio of 0.6), and most parts are long.
        names = [other for other in by_letter.get(wanted[:1], ()) if 7 * len(other) >= 3 * len(wanted)]
        match = match_name(name, names) if names else None
        for near in ((match.found,) if match.found else match.near) if match else ():
            if fold(near) != wanted and not _loses_a_word(wanted, fold(near)):
                yield kind, near


def _loses_a_word(written: str, near: str) -> bool:
    """Whether several words are more than one that was split: "nuke skanky" is not "nukes"."""
    return written.count(" ") > near.count(" ") and distance(written.replace(" ", ""), near.replace(" ", "")) > _SLIPS


_SLIPS = 2


def _parts(words: int) -> Iterator[tuple[int, int]]:
    """Where parts of a line begin and end, the longest first."""
    return ((start, start + length) for length in range(_LONGEST_NAME, 0, -1) for start in range(words - length + 1))


# --- Orders of the same kind ----------------------------------------------------------------------------------------------

_HEADS: tuple[tuple[str, Order], ...] = (
    # These first: what follows them are words of other orders.
    (r"\b(cut|if short)\b", Cut(())),
    (r"\brevolution\b", Revolution("monarchy", None)),
    (r"\bspoils\b", Spoils("", "")),
    (r"\bwithdraw\b", WithdrawConcession()),
    (r"\b(defends?|defen[cs]e)\b", Defend("trade")),
    (r"\b(spy|spies)\b", SendSpies("", "research")),
    (r"\b(trade|caravans?)\b", Trade("")),
    (r"\b(research|tech|techs|technology|technologies)\b", Research()),
    (r"\bnukes?\b", Buy("nukes")),
    (r"\bsdis?\b", Buy("sdi")),
    (r"\b(army|armies)\b", Buy("armies")),
    (r"\b(city|cities)\b", BuildCities()),
    (r"\b(spaceship|engines?)\b", BuildPart()),
    (r"\b(kgb|obsoletes?)\b", UseKgb("")),
)
_MOST_RIVALS = 4
_NAMING = ("target", "partner", "to", "on", "victim")
"""The parts of orders that name another society."""


class _Case(NamedTuple):
    """The context for examples: `rivals` are those that the order may be about, most likely first."""

    position: Position
    society: Society
    rivals: Sequence[str]


def examples_for(position: Position, seat: str, order: Order | None, text: str) -> Iterator[str]:
    """Lines of the same kind as the order, or as the text seems to be meant, except attacks, gifts, and messages to others.
    They are about the society that is named, or spelt most like it, and then about the others, nearest first. Some are not
    valid at this point."""
    if order is None:
        order = next((meant for head, meant in _HEADS if re.search(head, text, re.IGNORECASE)), None)
    if type(order) not in _ALIKE:
        return iter(())
    rivals = sorted(_rivals(position, seat), key=lambda name: fold(name) not in fold(text))
    meant = society_meant(position, next((str(getattr(order, part)) for part in _NAMING if hasattr(order, part)), ""))
    first = (meant.found,) if meant.found else meant.ambiguous or meant.near
    likely = dict.fromkeys(name for name in (*first, *rivals) if name != seat)
    case = _Case(position, position.by_name[seat], list(likely)[:_MOST_RIVALS])
    return map(written, dict.fromkeys(_ALIKE[type(order)](case, order)))


def _precise(function: Function) -> Function:
    """A function that can always be written: never `tax`, and `production` not in every order and game (SO-R33, SO-R34)."""
    return "research" if function in ("tax", "production") else function


def _cities(case: _Case, _order: BuildCities) -> Iterable[Order]:
    square = good_square(case.position, case.society.name)
    return (BuildCities(1, (square,) if square else ()),)


def _wonders(case: _Case, order: BuildWonder) -> Iterable[Order]:
    """The named wonder, or the most expensive of those that the society can build."""
    others = [name for name in reversed(WONDERS[: case.society.tech]) if name != order.wonder]
    own = BuildWonder(order.wonder, max(order.spend, wonder_base(order.wonder)))
    return (own, *(BuildWonder(name, wonder_base(name)) for name in others))


def _kgb(case: _Case, _order: UseKgb) -> Iterable[Order]:
    rivals = [wonder for wonder in case.position.wonders if wonder.active and wonder.owner != case.society.name]
    return (UseKgb(wonder.name) for wonder in rivals)


def _revolutions(_case: _Case, order: Revolution) -> Iterable[Order]:
    governments: tuple[GovernmentName, ...] = (order.government, "monarchy", "republic", "despotism")
    return (Revolution(government, order.keep or "production") for government in governments)


_ALIKE: Mapping[type[Any], Callable[[_Case, Any], Iterable[Order]]] = {
    SendSpies: lambda case, order: (SendSpies(rival, _precise(order.function)) for rival in case.rivals),
    Defend: lambda _case, order: (Defend(_precise(order.function)),),
    Trade: lambda case, _order: (Trade(rival) for rival in case.rivals),
    Research: lambda _case, _order: (Research(),),
    Buy: lambda _case, order: (Buy(order.item, max(1, order.count)), Buy(order.item)),
    BuildCities: _cities,
    BuildWonder: _wonders,
    BuildPart: lambda _case, order: (BuildPart(PART_PRICE if order.spend else 0),),
    UseKgb: _kgb,
    Cut: lambda _case, _order: (Cut((CutItem("armies"),)),),
    Revolution: _revolutions,
    Spoils: lambda case, order: (Spoils(rival, "me", order.wonder) for rival in case.rivals),
    WithdrawConcession: lambda _case, order: (order,),
}


def nearest_rival(position: Position, seat: str) -> str:
    """The living society whose cities are nearest, the first in the list if there are several; the society's own name if there
    is none."""
    return next(iter(_rivals(position, seat)), seat)


def _rivals(position: Position, seat: str) -> list[str]:
    others = [society.name for society in position.living if society.name != seat]
    return sorted(others, key=lambda name: position.distance(seat, name))


def good_square(position: Position, seat: str) -> Square | None:
    """Where a city would be built if no square is named (SO-94, SO-R13); None if nowhere."""
    own = position.territory[seat]
    near = {square for city in own for square in around(city, position.side)}
    free = [square for square in near if square not in position.city_at and square not in position.nuked]
    return best_square(free, frozenset(own), position.side)

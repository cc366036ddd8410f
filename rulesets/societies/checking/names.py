"""Which society players mean, and what may be a name (sections 5 and 6 of the rules)."""

from dataclasses import replace

from pbmd.rules import Match, fold, match_name
from pbmd.rules.checking import Fault, unknown
from pbmd.rules.lines import line_cache

from ..orders import (
    FUNCTION_WORDS,
    Attack,
    Concede,
    DeclarePeace,
    DeclareWar,
    Give,
    Launch,
    SendSpies,
    Spoils,
    Trade,
)
from ..tables import GOVERNMENTS, NAME_LENGTH, TECHNOLOGY_CALLED, WONDER_CALLED
from ..world.squares import square_labelled
from ..world.state import Position
from .reading import TEXT_LENGTH, clean, read

SELF = ("me", "myself", "self")
_FIRST_WORDS = (
    *("spy", "spies", "trade", "trade with", "send", "research", "buy", "build", "technology", "army", "armies", "nuke"),
    *("nukes", "sdi", "sdis", "city", "cities", "spaceship", "spaceship part", "engine", "engines", "use", "kgb", "if short"),
    *("cut", "give", "attack", "launch", "target", "targets", "revolution", "declare", "declare war", "peace", "spoils"),
    *("spoils of", "concede", "concede to", "withdraw", "withdraw concession", "caravan", "caravans", "peace with"),
)
_TAKEN = frozenset((*_FIRST_WORDS, *FUNCTION_WORDS, *WONDER_CALLED, *TECHNOLOGY_CALLED, *GOVERNMENTS, *SELF))
_FORBIDDEN = "():,#<>"


@line_cache(1024)
def name_problem(name: str) -> str:
    """What is improper about the name of a society, "" if nothing (section 5).

    Beyond the letter of the rules, a name must be distinguishable from the rest of any order that contains it.
    """
    if not name or name != " ".join(name.split()) or not name.isprintable():
        return "a name is one line without blanks at its ends or double ones"
    if len(name) > NAME_LENGTH:
        return f"the name has {len(name)} characters; {NAME_LENGTH} is the most"
    if found := [mark for mark in _FORBIDDEN if mark in name]:
        return f'a name has no "{found[0]}"'
    if fold(name) in _TAKEN:
        return "this is a word of the game and cannot be a name"
    if fold(name) == "public":
        return "reports for everybody go by this name"
    if not _legible(name):
        return "orders could not tell it from the words around it; take a name without words like to, with, targets or x2"
    return ""


def text_problem(text: str) -> str:
    """What is improper about a title or the name of a city, "" if nothing; both are decoration."""
    if not text or text != " ".join(text.split()) or not text.isprintable():
        return "this is one line without blanks at its ends or double ones"
    return f"it has {len(text)} characters; {TEXT_LENGTH} is the most" if len(text) > TEXT_LENGTH else ""


def _legible(name: str) -> bool:
    """Whether all orders with the name, in their canonical form, are read correctly."""
    orders = (
        *(SendSpies(name, "research"), Trade(name), Trade(name, 2), Give(name, "armies", 2), Give(name, "tech", 1, 5)),
        *(Attack(name, 4), Attack(name, None), Launch(name, 3), DeclareWar(name), DeclarePeace(name), Concede(name)),
        *(Spoils(name, "me"), Spoils(name, "me", "Mafia"), Spoils("me", name), Spoils("me", name, "Mafia")),
    )
    return all(read(clean(order.text)) == order for order in orders)


def society_meant(position: Position, text: str) -> Match[str]:
    """The society in the game that is meant: by its name, a beginning of it, or a beginning of one of its words."""
    living, wanted = [society.name for society in position.living], fold(text)
    match = match_name(text, living)
    if match.found is not None or match.ambiguous:
        return match
    by_word = [name for name in living if wanted and any(word.startswith(wanted) for word in fold(name).split())]
    return Match(by_word[0]) if len(by_word) == 1 else Match(None, tuple(by_word), match.near)


def society_named(position: Position, seat: str, text: str) -> str:
    """The full name of the society meant. Raises `Fault`, also if it is no longer in the game; the sender's own society is
    never suggested."""
    if fold(text) in SELF:
        return seat
    match = society_meant(position, text)
    if match.found is not None:
        return match.found
    gone = next((society.name for society in position.societies if fold(society.name) == fold(text)), None)
    if gone is None and square_labelled(text.upper()):
        raise Fault(
            f"{text.upper()} is a square; name the society whose city is there, and the square as a target", "unknown_society"
        )
    match = replace(match, near=tuple(name for name in match.near if name != seat))
    raise Fault(f"{gone} is eliminated", "unknown_society") if gone else unknown(match, text, "society", "unknown_society")

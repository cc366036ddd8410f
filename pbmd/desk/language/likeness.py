"""Names that can be taken for others: of seats, of players where others read them, and of games.

Refused are letters of several scripts in one name, beyond what Unicode TS 39 calls highly restrictive; names that look like one
that is taken, by their skeletons and whatever their case, accents, blanks and marks, with digits in the place of letters, or
with a title before it; what mail programs write for letters; and the words by which pbmd calls the game master, everybody,
nobody, commands and itself. It is for names that are chosen now: what has a name keeps it.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import dropwhile, product
from math import prod
from typing import NamedTuple

from pbmd.desk.language import gm_commands
from pbmd.desk.language.player_commands import PLAYERS, PlayerLanguage, heads_of

_ANOTHER = "please choose another one"
_TOGETHER = ({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}, {"LATIN", "HAN", "BOPOMOFO"}, {"LATIN", "HAN", "HANGUL"})
"""Scripts that are written together (TS 39, 5.2, Highly Restrictive)."""
_ANY_SCRIPT = {"COMMON", "INHERITED"}
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""What Python calls printable, though there is nothing to be seen."""
_SMALL_CAPITAL = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")
_MARKS_OF_SOUND = "\u3099\u309a"
"""They make another sound of a Japanese letter, and are no accents."""
_COMMAND = "a command"
_ROLES: Mapping[str, tuple[str, ...]] = {
    "the game master": (
        "game master", "master", "GM", "referee", "umpire", "moderator", "mod", "judge", "adjudicator", "arbiter", "organizer",
        "organiser",
    ),
    "pbmd itself": (
        "pbmd", "daemon", "server", "host", "system", "mailer", "mailer daemon", "mail system", "mail delivery system",
        "mail delivery subsystem", "postmaster", "hostmaster", "webmaster", "admin", "administrator", "sysadmin",
        "system administrator", "root", "superuser", "support", "abuse", "no reply", "do not reply",
    ),
    "somebody who only watches": ("observer", "watcher", "spectator", "visitor", "guest"),
    "everybody": ("everybody", "everyone", "all", "all player", "player", "anybody", "anyone", "public"),
    "nobody": ("nobody", "no one", "none"),
    "somebody who gives no name": ("somebody who gives no name", "somebody", "someone", "anonymous", "no name", "unknown"),
    "whoever reads it": ("you", "me", "myself", "yourself", "self"),
    "an answer": ("yes", "no", "on", "off"),
    _COMMAND: ("end", "command", *heads_of(gm_commands.FORMS)),
}  # fmt: skip
"""For what a name can be taken, and the words for it; each counts with an s behind it and an article before it, too. The
players' commands come on top."""
_OFFICIAL = ("the game master", "pbmd itself")
"""Those whose words have a title before them, too, or are of a game: Mr Judge, the game admin."""
_TITLES = (
    "the", "a", "an", "mr", "mrs", "ms", "miss", "mx", "mister", "mistress", "madam", "madame", "sir", "dame", "dr",
    "doctor", "prof", "professor", "lord", "lady", "king", "queen", "prince", "princess", "emperor", "empress", "duke",
    "duchess", "count", "countess", "baron", "baroness", "captain", "capt", "general", "gen", "admiral", "adm", "major",
    "maj", "colonel", "col", "commander", "lieutenant", "lt", "sergeant", "sgt", "chief", "head", "president",
    "chancellor", "senator", "governor", "minister", "saint", "reverend", "rev", "father", "brother", "sister",
    "monsieur", "mme", "mlle", "herr", "frau", "señor", "señora", "don", "doña", "signor", "signora", "real", "true",
    "official", "game", "admin", "host", "judge", "mod", "moderator", "root",
)  # fmt: skip
"""What can stand before the name of somebody who is meant."""
_BETWEEN_WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_LEAST_JOINED = 5
"""So many letters has a name that is known with a title written together with it: mraltair. Kingston is no king called Ston."""
_STAND_FOR: Mapping[str, str] = {
    "0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "bg", "7": "t", "8": "b", "9": "gq",
    "@": "a", "$": "s", "!": "il", "|": "il",
}  # fmt: skip
"""Digits, and marks before a letter or digit, that stand for letters in a word: Alta1r, @ltair."""
_WORD_OF_SIGNS = re.compile(r"(?:\w|[@$!|](?=\w))+")
_MOST_READINGS = 16
"""Of a name with more ways to read its digits, each stands for one letter wherever it is."""
_DRAWN_ALIKE = (("vv", "w"), ("cl", "d"))
"""Letters that stand close and look like one, besides those of Unicode."""
_IN_NO_NAME = ("game master", "GM", "pbmd")
"""What is not a part of a longer name either."""


def is_game_master(name: str) -> bool:
    """Whether somebody who writes that name to somebody means the game master."""
    bare = " ".join(name.casefold().split()).removeprefix("the ").removeprefix("our ")
    return any(bare == each.casefold() for each in _ROLES["the game master"])


class Look(NamedTuple):
    """How a name looks as it is written, and whatever its case: two names are alike if either is the same."""

    shown: str
    folded: str


def name_problem(name: str, taken: Iterable[str], commands: PlayerLanguage = PLAYERS) -> str:
    """Why a seat or a player cannot be called that, beside those with the names `taken`, as a sentence without full stop; empty
    if they can. No word of the name is in it, nor one of theirs: strangers ask, and in others' names."""
    if problem := _unreadable(name):
        return problem
    if role := _role_of(name, commands.reserved) or _role_with_title(name, commands.reserved) or _role_within(name):
        return f"the name could be taken for {role}; {_ANOTHER}"
    if any(could_be(name, other) for other in taken):
        return f"the name could be taken for one that is taken already; {_ANOTHER}"
    return ""


def game_name_problem(name: str, commands: PlayerLanguage = PLAYERS) -> str:
    """Why a game cannot be called that, whatever others are called; empty if it can."""
    role = _role_of(name, commands.reserved)
    return f"it could be taken for {role}" if role else ""


def game_like(name: str, others: Iterable[str]) -> str:
    """The first of these games whose name looks like this one; empty if there is none."""
    own = skeleton(name).casefold()
    return next((other for other in others if skeleton(other).casefold() == own), "")


def games_perhaps_like(name: str) -> str:
    """A pattern for SQL's LIKE that fits every name which `game_like` could find: of small ASCII letters and digits few look
    like others."""
    return re.sub("[01lo]", "_", re.sub("rn|m", "%", name))


def could_be(name: str, other: str) -> bool:
    """Whether a name can be taken for the other one, with a title before either, too."""
    bare = _without_titles(name), _without_titles(other)
    return are_alike(name, other) or are_alike(bare[0], other) or are_alike(name, bare[1]) or _has_joined_title(name, other)


def are_alike(one: str, other: str) -> bool:
    """Whether one name can be taken for the other."""
    here, there = _looks(one), _looks(other)
    return not here.isdisjoint(there)


def skeleton(text: str) -> str:
    """What is the same for texts that look the same (TS 39, 4); of compatible characters, too."""
    known = _prototypes()
    return unicodedata.normalize("NFKD", "".join(known.get(char, char) for char in unicodedata.normalize("NFKD", text)))


def _unreadable(name: str) -> str:
    if not name.isprintable() or _UNSEEN.search(name):
        return f"the name has a character that cannot be seen; {_ANOTHER}"
    if "=?" in (compatible := unicodedata.normalize("NFKC", name)) or "?=" in compatible:
        return f"the name has =? or ?= in it, which stands around letters that a mail program could not write; {_ANOTHER}"
    if not any(char.isalnum() for char in name):
        return "a name needs a letter or a digit, so that others can write it"
    from confusable_homoglyphs import categories  # names are chosen seldom, and it loads tables of all characters

    scripts = {categories.alias(char) for char in compatible} - _ANY_SCRIPT
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        told = ", ".join(sorted(script.replace("_", " ").title() for script in scripts))
        return f"the name has letters of several scripts ({told}) and could be taken for another; please write it in one"
    return ""


def _look(name: str) -> Look:
    return Look(_plain(name), _plain(name.casefold()))


def _looks(name: str) -> set[tuple[str, str]]:
    """How a name looks, in all ways in which it can be read, as it is written (``shown``) and whatever its case."""
    return {each for reading in _readings(name) for each in _look(reading)._asdict().items()}


def _readings(name: str) -> Iterable[str]:
    """The name, and with its digits and marks as the letters for which they stand in words that have letters."""
    yield name
    words = [found.span() for found in _WORD_OF_SIGNS.finditer(name) if any(map(str.isalpha, found[0]))]
    places = {place for word in words for place in range(*word)}
    letters = [_STAND_FOR.get(char, char) if place in places else char for place, char in enumerate(name)]
    if prod(map(len, letters)) > _MOST_READINGS:
        yield from ("".join(each[which] for each in letters) for which in (0, -1))
    elif letters != [*name]:
        yield from map("".join, product(*letters))


def _without_titles(name: str) -> str:
    """What is behind the titles that a name begins with, at least its last word."""
    *words, last = [word for word in _BETWEEN_WORDS.split(name) if word] or [name]
    return " ".join([*dropwhile(_is_title, words), last])


def _is_title(word: str) -> bool:
    return any(_look(reading).folded in _titles() for reading in _readings(word))


def _has_joined_title(name: str, other: str) -> bool:
    own, taken = _look(name).folded, _look(other).folded
    title, rest = own[: -len(taken)], own[-len(taken) :]
    return len(taken) >= _LEAST_JOINED and title in _titles() and are_alike(rest, taken)


@cache
def _titles() -> frozenset[str]:
    return frozenset(_look(title).folded for title in _TITLES)


def _plain(text: str) -> str:
    """The skeleton without case, accents, blanks and marks. L stays what it is: a small one looks like I, a capital one not."""
    shown = skeleton("".join(_large(char) for char in text))
    bare = "".join(char if char == "L" else char.casefold() for char in shown if not _is_accent(char))
    plain = "".join(char for char in bare if char.isalnum() or unicodedata.category(char)[0] == "M") or bare
    for drawn, as_one in _DRAWN_ALIKE:
        plain = plain.replace(drawn, as_one)
    return plain


def _large(char: str) -> str:
    """A capital that is written small as a capital."""
    found = None if char.isascii() else _SMALL_CAPITAL.fullmatch(unicodedata.name(char, ""))
    return found[1] if found else char


def _is_accent(char: str) -> bool:
    return unicodedata.name(char, "").startswith("COMBINING ") and char not in _MARKS_OF_SOUND


def _parts(name: str) -> Iterable[str]:
    """The words of a name, and words that follow each other without what is between them."""
    words = [word for word in re.split(r"[\W_]+", name) if word]
    return ("".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1))


def _role_of(name: str, reserved: tuple[str, ...]) -> str:
    """For whom a name can be taken by a word for them; empty if for nobody. `reserved` are the words of commands."""
    return _role_in(name, _roles(reserved))


def _role_with_title(name: str, reserved: tuple[str, ...]) -> str:
    role = _role_of(_without_titles(name), reserved)
    return role if role in _OFFICIAL else ""


def _role_within(name: str) -> str:
    return next((role for words in _parts(name) if (role := _role_in(words, _roles_in_no_name()))), "")


def _role_in(name: str, roles: "_Roles") -> str:
    looks = map(_look, _readings(name))
    return next((role for look in looks if (role := roles.shown.get(look.shown) or roles.folded.get(look.folded))), "")


class _Roles(NamedTuple):
    """Words for roles, as they are shown and whatever their case, and for what a name like that is taken."""

    shown: Mapping[str, str]
    folded: Mapping[str, str]


@lru_cache(maxsize=4)
def _roles(reserved: tuple[str, ...]) -> _Roles:
    words = {**_ROLES, _COMMAND: (*_ROLES[_COMMAND], *reserved)}
    return _looks_of((each, role) for role, several in words.items() for each in several)


@cache
def _roles_in_no_name() -> _Roles:
    return _looks_of((each, role) for role, several in _ROLES.items() for each in several if each in _IN_NO_NAME)


def _looks_of(words: Iterable[tuple[str, str]]) -> _Roles:
    plain = [(each, role) for each, role in words]
    forms = [(f"{before}{each}{after}", role) for each, role in plain for before in ("", "the ") for after in ("", "s")]
    looks = [(_look(form), role) for each, role in forms for form in (each, each.upper())]
    return _Roles({look.shown: role for look, role in looks}, {look.folded: role for look, role in looks})


@cache
def _prototypes() -> Mapping[str, str]:
    """Each character that looks like another, or like several, and what stands for all that look like that. Kept in this form,
    and read when the first name is looked at: as the package has them, its tables take 17 MB."""
    alike: dict[str, list[dict[str, str]]] = json.loads((files("confusable_homoglyphs") / "confusables.json").read_bytes())
    # Right-to-left characters stand between marks there. What stands for many is listed with all of them, each of them with it.
    near = {_unmarked(text): [_unmarked(each["c"]) for each in others] for text, others in alike.items()}
    ones = ((text, others[0]) for text, others in near.items() if len(text) == 1 and len(others) == 1)
    return {text: other for text, other in ones if len(other) > 1 or len(near[other]) > 1 or other < text}


def _unmarked(text: str) -> str:
    return text.replace("\u200e", "")

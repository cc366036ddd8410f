"""Finding what a player meant by a name: exact, an unambiguous beginning, or "did you mean"."""

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Match(Generic[T]):
    """The one thing meant, or None and why: `ambiguous` lists what it could be, `near` what is spelt similarly."""

    found: T | None
    ambiguous: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    """The most similar first."""

    def problem(self, text: str, what: str) -> str:
        """A sentence for the player about a name that was not found; `what` is the kind of thing ("faction")."""
        if self.ambiguous:
            return f'"{text}" could be {_either(self.ambiguous)}; write more of the name'
        return f'there is no {what} "{text}"{question(self.near)}'


_USUAL_CHARS = 100
"""Names up to this length are folded again and again; longer ones are not remembered."""


def fold(name: str) -> str:
    """A name, or a word that a pattern has found, without the differences that do not matter: case, repeated blanks, blanks at
    the ends."""
    return _usual_fold(name) if len(name) <= _USUAL_CHARS else _fold(name)


def _fold(name: str) -> str:
    return " ".join((name if name.isascii() else name.translate(_SAME_LETTERS)).casefold().split())


_SAME_LETTERS = str.maketrans(
    {
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": "i",
        "\N{LATIN SMALL LETTER LONG S}": "s",
        "\N{KELVIN SIGN}": "k",
    }
)
"""Letters that patterns which ignore case take for ASCII ones (Python's `re.IGNORECASE`), as casefold does not: a Turkish
keyboard writes "sıx"."""


_usual_fold = lru_cache(maxsize=1024)(_fold)


_ARTICLE = re.compile(r"the(?: |$)")
_BETWEEN = re.compile(r"[\s._'’\"-]+")
"""What does not matter in a name; a question mark does."""


def _bare(name: str) -> str:
    """A folded name without article, blanks, hyphens and other marks."""
    return _BETWEEN.sub("", _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name)


def _meant(wanted: str, named: Sequence[tuple[str, T]]) -> list[T]:
    """The candidates that may be meant by a folded name."""
    exact = [candidate for name, candidate in named if name == wanted]
    begun = exact or [candidate for name, candidate in named if wanted and name.startswith(wanted)]
    return begun or _alike(wanted, named)


def _alike(wanted: str, named: Iterable[tuple[str, T]]) -> list[T]:
    """The only candidate whose name has the same letters and digits; none if there are several."""
    bare = _bare(wanted)
    alike = [candidate for name, candidate in named if bare and _bare(name) == bare]
    return alike if len(alike) == 1 else []


BETWEEN_NAMES = (r"\s*[,;]\s*(?:and\s+)?", r"\s*[&+/]\s*(?:and\s+)?", r"\s+and\s+")
"""The patterns of what stands between names in a list; what may stand within one comes last."""


def match_name(text: str, candidates: Iterable[T], name_of: Callable[[T], str] = str) -> Match[T]:
    """The candidate whose name is `text`, or else the only one whose name begins with it, or else the only one whose name has
    the same letters and digits: "the Iron-Duke" is Iron Duke. Case and blanks do not matter."""
    wanted = fold(text)
    named = [(fold(name_of(candidate)), candidate) for candidate in candidates]
    begins = _meant(wanted, named)
    if len(begins) == 1:
        return Match(begins[0])
    if begins:
        return Match(None, ambiguous=tuple(name_of(candidate) for candidate in begins))
    near = near_to(wanted, [name for name, _ in named], most=2)
    return Match(
        None, near=tuple(dict.fromkeys(name_of(candidate) for best in near for name, candidate in named if name == best))
    )


_LIKENESS = 0.65
"""The share of common letters from which on it may be a slip of the pen: "Sal" for Sol, but not "Narnia" for Austria."""


def near_to(wanted: str, names: Sequence[str], most: int = 1) -> list[str]:
    """The names that one may have been a slip of the pen for, the most similar first; all of them folded."""
    return difflib.get_close_matches(wanted, names, n=most, cutoff=_LIKENESS)


def likest_first(text: str, names: Iterable[str]) -> list[str]:
    """The names, for examples: first those that the text may mean or is spelt like; the others in their order."""
    known = list(names)
    match = match_name(text, known)
    return list(dict.fromkeys((*((match.found,) if match.found else match.ambiguous or match.near), *known)))


def question(near: Sequence[str]) -> str:
    """The end of a sentence about a name that was not found: the question whether one of these was meant, "" for none."""
    return f"; did you mean {_either(near)}?" if near else ""


def _either(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]

"""What stands in brackets in a line: a coast, a power, a kind of travel, or what is no part of the order."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pbmd.rules import fold
from pbmd.rules.unsure import UNSURE

from ...world.board import board
from ..reading import CONVOYED
from ..words import CHANGE, CONDITION, SLIP
from .candidates import candidates, plain

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_COAST = re.compile(r" ?([nsew])\.? ?(?:c\.?|(?:orth|outh|ast|est)(?: ?coast)?)? ?", re.IGNORECASE)
_KIND = re.compile(r" ?(?:a|f|army|fleet) ?", re.IGNORECASE)
_BUILDS = re.compile(r"(?:(?:i|we) )?(?:b|builds?) ", re.IGNORECASE)
_CONVOY = re.compile(rf" ?(?:c|{CONVOYED}) ?", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:not|no|if|unless|or|else|instead|otherwise|cancel|only|coast"
    rf"|alternat\w*|backup|contingency|fallback|options?|{UNSURE}"
    r"|old|outdated|obsolete|superseded|withdrawn|void|rejected)\b",
    re.IGNORECASE,
)
_DOTTED_COAST = re.compile(r"(?<![^\W\d_])([nsew])\. ?c\b\.?", re.IGNORECASE)


@lru_cache(maxsize=8)
def _of_powers(map_name: str) -> tuple[re.Pattern[str], frozenset[str]]:
    """Whose unit it is, in front of it and in brackets: ``Italian``, ``(I)``."""
    powers = board(map_name).powers
    words = "|".join(re.escape(word) for power in powers for word in (power.adjective, power.name))
    known = {fold(word) for power in powers for word in (power.code, power.adjective, power.name)}
    begins = {re.escape(power.name[:3]) for power in powers}
    short = begins | {re.escape(word) for power in powers for word in (power.code, power.adjective[:3])}
    free = [word for word in begins if fold(word) not in board(map_name).by_written] or ["(?!)"]
    helps = r"(?:(?<=\bs )|(?<=\bsup )|(?<=\bsupport )|(?<=\bsupports )|(?<=\bc )|(?<=\bconvoy )|(?<=\bconvoys ))"
    whose = (
        rf"(?<!\w)(?:{words})(?:'s)? (?=\S)(?!(?:to|into) |[-=>])"
        rf"|{helps}(?:{'|'.join(sorted(free))})[.:]? (?=[^\W\d_]{{3}})(?!into )"
        rf"|(?:^(?:{'|'.join(sorted(begins))})|{helps}(?:{'|'.join(sorted(short))})[.:]?) (?=(?:a|f|army|fleet) )"
    )
    return re.compile(whose, re.IGNORECASE), frozenset(known)


_BEFORE_PLACE = re.compile(r"^\W*(?:(?:to|from|in|at|a|f|army|fleet)\b\W*)*", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+")


def _is_other_place(map_name: str, comment: str, text: str) -> bool:
    """Whether what stands in brackets is a province that the line does not name otherwise: it may be meant in place of one that
    it names."""

    def named(words: str) -> set[str]:
        found = candidates(map_name, plain(words))
        return {found.named, *found.parts} - {""}

    place = named(_BEFORE_PLACE.sub("", comment))
    if not place:
        return False
    words = _WORDS.findall(_BRACKETS.sub(" ", text))
    spans = (" ".join(words[start : start + size]) for size in (1, 2, 3) for start in range(len(words)))
    return all(place.isdisjoint(named(span)) for span in spans if len(span) > 1)


def without_brackets(map_name: str, text: str) -> Iterator[tuple[str, str]]:
    """The line first with the brackets removed but not their content, then without what is no part of an order; with that
    part."""
    before, known = _of_powers(map_name)
    comments: list[str] = []

    def mark(found: re.Match[str]) -> str:
        inside = found[1].strip()
        if coast := _COAST.fullmatch(inside):
            return f"/{coast[1]}c "
        if _KIND.fullmatch(inside) and (found.start() == 0 or _BUILDS.match(text)):
            return f" {inside} "
        if fold(inside) in known:
            return " "
        if _CONVOY.fullmatch(inside):
            return " via convoy "
        comments.append(inside)
        return f" {inside} "

    whole = _DOTTED_COAST.sub(r"\1c", text)
    yield before.sub("", " ".join(_BRACKETS.sub(mark, whole).split())), ""
    said = "; ".join(comments)
    is_turned = any(each.search(said) for each in (_OTHERWISE, CONDITION, CHANGE, SLIP))
    if comments and not is_turned and not any(_is_other_place(map_name, each, whole) for each in comments):
        for comment in comments:
            whole = re.sub(rf"[(\[]\s*{re.escape(comment)}\s*[)\]]", " ", whole)
        yield before.sub("", " ".join(_BRACKETS.sub(mark, whole).split())), said

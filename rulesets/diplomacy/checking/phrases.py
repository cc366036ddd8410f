"""Phrases that are not about a single unit: that nothing is done, that all others hold, how many builds are waived (DI-20,
DI-73)."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbmd.rules import fold


class Phrase(NamedTuple):
    """Such a phrase, of all units or those of a `kind`. `many` is the number of builds that are waived, or of units that leave,
    0 for all that are left; or 0 where nothing is said of moves."""

    verb: Literal["nothing", "others", "waive", "leave"]
    many: int = 1
    kind: Literal["", "A", "F"] = ""


_TIME = r"(?: (?:for )?(?:this|the|my) (?:turn|phase|season|year|time|round))?"
_NOTHING = re.compile(
    r"(?:(?:(?:i|we)(?:'ll| will| shall)? )?(?:do |order )?nothing(?: to (?:do|order))?|(?:i |we )?pass(?:es)?|none"
    rf"|no (?:orders?|moves?|(?P<retreats>retreats?))|(?P<none>nrr)){_TIME}",
    re.IGNORECASE,
)
UNCHANGED = re.compile(rf"(?:there (?:are|is) )?no (?:new )?changes?(?: to (?:my|the) orders)?{_TIME}", re.IGNORECASE)
"""What orders nothing: what was sent before stands."""
_ALL = r"(?:all|every(?:one|body|thing)?|(?:the |all )?(?:others?|rest|remaining))(?: of)?(?: (?:my|the|other|else|units?))*"
_STAY = r"(?:h|holds?|holding|stands?|standing|stays?)"
_OTHERS = re.compile(rf"(?:my )?{_ALL}(?: to| will)? {_STAY}{_TIME}|{_STAY} {_ALL}", re.IGNORECASE)
_OTHERS_OF_KIND = re.compile(
    rf"(?:(?:all|both|my|the|our|other)(?: of)? )*(?P<kind>armies|fleets)(?: to| will)? {_STAY}{_TIME}", re.IGNORECASE
)
_LEAVE = re.compile(
    r"(?:i |we )?(?:disbands?|dsb) (?:all|both|every(?:one|thing))(?: of them)?(?: (?:my |the )?units)?"
    r"|(?:all|both|every(?:one|thing))(?: (?:of them|(?:my |the )?units))? "
    r"(?:(?:is |are )?disband(?:s|ed)?|otb|off (?:the )?board)",
    re.IGNORECASE,
)
_COUNTS: Mapping[str, int] = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, **{str(many): many for many in range(1, 10)}}
_COUNT = "|".join(_COUNTS)
_WAIVES = re.compile(
    rf"(?:i |we )?(?:wve|waives?|waived|skips?)(?: (?P<count>{_COUNT}))?"
    r"(?P<all> (?:all|both|(?:the )?(?:rest|remaining|others?)))?(?: of)?(?: (?:my|the))?(?: (?P<builds>builds?))?",
    re.IGNORECASE,
)
_NO_BUILDS = re.compile(
    rf"no (?:more |new )?(?P<what>builds?|building|units)(?: please)?{_TIME}|build nothing|nothing to build"
    r"|(?:(?:my|the|all) )?(?P<waived>builds?) (?:(?:is|are) )?waived",
    re.IGNORECASE,
)
_WAIVES_ONE = re.compile(
    r"(?:i |we )?(?:wve|waives?|waived|skips?) (?:(?:my|the) )?"
    r"(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last)(?: (?:build|one))?",
    re.IGNORECASE,
)


_WAIVES_TIMES = re.compile(r"waives? ?x ?(?P<times>[1-9])|(?P<before>[1-9]) ?x ?waives?", re.IGNORECASE)


def phrase(text: str) -> Phrase | None:
    """The phrase in a clean line, None if it is none."""
    if found := _NOTHING.fullmatch(text):
        return Phrase("nothing", 0 if found.lastgroup else 1)
    if found := _LEAVE.fullmatch(text):
        return Phrase("leave", 2 * text.lower().count("both"))
    if found := _OTHERS_OF_KIND.fullmatch(text):
        return Phrase("others", kind="A" if found["kind"][0] in "aA" else "F")
    return Phrase("others") if _OTHERS.fullmatch(text) else _waived(text)


def _waived(text: str) -> Phrase | None:
    """How many builds are waived, None if none are."""
    if found := _NO_BUILDS.fullmatch(text):
        return Phrase("waive", 1 if (found["what"] or found["waived"] or "").lower() == "build" else 0)
    if _WAIVES_ONE.fullmatch(text):
        return Phrase("waive")
    if found := _WAIVES_TIMES.fullmatch(text):
        return Phrase("waive", int(found["times"] or found["before"]))
    if found := _WAIVES.fullmatch(text):
        if found["count"]:
            return Phrase("waive", _COUNTS[fold(found["count"])])
        return Phrase("waive", 0 if found["all"] or (found["builds"] or "").lower() == "builds" else 1)
    return None

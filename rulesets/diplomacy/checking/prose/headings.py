"""Lines that only say for what the orders below them are: a time, a phase, a kind of unit; or that there are none (DI-96)."""

import re
from collections.abc import Sequence

from pbmd.rules import fold
from pbmd.rules.lines import line_cache

from ...world.state import Kind, Phase
from ..interpretation.tagging import tag_of
from ..reading import Heading, Section, clean, read, with_codes
from ..words import CHANGE, CONDITION, OTHER_TURN, Times, may_name_a_time
from .vocabulary import ANNOUNCING, CHOICE, TURNS, announces, is_province, words_of

_SAYS_MORE = frozenset(
    [
        "d",
        "follow",
        "follows",
        "go",
        "have",
        "i",
        "i'd",
        "i'll",
        "i'm",
        "like",
        "ll",
        "m",
        "me",
        "plan",
        "planned",
        "plans",
        "play",
        "send",
        "set",
        "submit",
        "to",
        "ve",
        "want",
        "we",
        "we'd",
        "we'll",
        "will",
    ]
)
"""Those of them that make a sentence, which a heading is not."""
_GOES_ON = re.compile(r"[.!?;]\s+\S")


@line_cache(8192)
def _may_name_a_time(text: str) -> bool:
    """Whether words name a season, a turn or any year, of the game or not."""
    return may_name_a_time(with_codes(text))


_FEW_WORDS = 3
_MOST_OF_HEADING = 80
"""Characters of the longest heading that only says for when orders are."""


def section_of(text: str, own: frozenset[str], times: Times) -> Section | None:
    """For what the orders are that stand below a line which says for when they are, and nothing else: "Fall 1901", "F01:",
    "Austria, spring moves", "Fall 1901 retreats". None for any other line."""
    if not _may_name_a_time(text):  # nearly always so
        return None
    text = with_codes(text)
    if len(text) > _MOST_OF_HEADING or not times.are_named(text):
        return None
    is_sentence = not text.rstrip().endswith(":") and (_GOES_ON.search(text) or _SAYS_MORE.intersection(words_of(text)))
    if announces(text, own) and not is_sentence:
        return times.section_of(text)
    if text.rstrip().endswith(":") and len(words_of(text)) <= _FEW_WORDS and times.section_of(text) == "later":
        return "later"  # "Österreich F01:": the other words may be any
    heading = read(clean(times.without_years(text)))
    return times.section_below(heading, text) if isinstance(heading, Heading) else None


_MOST_WORDS = 5
_IF_ANY = re.compile(
    r"[\s,(]*\bif (?:there are )?(?:any|needed|necessary|required|possible|dislodged)\b[\s)]*:\s*$", re.IGNORECASE
)
_OTHER_PHASE = re.compile(
    r"\b(?:(?P<retreats>retreat|dislodg)|(?P<builds>build)|(?P<removals>remov|disband)|(?P<winter>adjust))", re.IGNORECASE
)
_NO_HEADING = re.compile(r"\b(?:no|none|without|moves?|movements?)\b", re.IGNORECASE)
_OF_HEADING = (
    "all alternate alternative any backup case conditional contingency contingent dislodged emergency fallback if instruction "
    "instructions just list necessary needed only option optional options possible preference preferences preferred priorities "
    "priority required unit units"
)
_OF_HEADINGS = frozenset(_OF_HEADING.split())
"""What headings of another phase consist of, beside its name and what announces orders."""


def heading_of_phase(map_name: str, text: str, own: frozenset[str], running: Kind) -> Section | None:
    """For what the orders are below a line with a colon at its end that names a phase: "Backup retreats:". None if it does not,
    or may be no heading; "doubtful" if it says more of another phase than the `running` one: "Rejected builds:"."""
    if not text.rstrip().endswith(":") or len(text) > _MOST_OF_HEADING:
        return None
    text = _IF_ANY.sub(":", text)
    found = {str(each.lastgroup) for each in _OTHER_PHASE.finditer(text)}
    words = words_of(text)
    if len(found) != 1 or _is_no_heading(map_name, text, words):
        return None
    known = ANNOUNCING | own | _OF_HEADINGS
    if all(word.casefold() in known or _OTHER_PHASE.match(word) for word in words):
        return next(section for section in _PHASES_OF_HEADINGS if section in found)
    is_running = running == ("retreats" if "retreats" in found else "winter")
    return None if is_running else "doubtful"


def _is_no_heading(map_name: str, text: str, words: Sequence[str]) -> bool:
    """Whether a line is too long for the heading of a phase, turns what it says, or is about a unit."""
    turns = any(each.search(text) for each in (_NO_HEADING, OTHER_TURN, CONDITION, CHANGE, TURNS, CHOICE))
    is_of_unit = any(tag_of(word) == "K" or is_province(map_name, fold(word)) for word in words)
    return len(words) > _MOST_WORDS or turns or is_of_unit


_PHASES_OF_HEADINGS: tuple[Section, ...] = ("retreats", "builds", "removals", "winter")
_ALTERNATIVE = re.compile(
    r"\b(?:back-?ups?|alternat(?:iv)?e(?:s|ly)?|contingenc(?:y|ies)|contingent|conditional|fall-?backs?|secondary|options?|optional"
    r"|otherwise|else|instead|scenarios?|plan (?:[b-z]|[2-9])|(?:second|third) (?:choice|plan|set))\b|^\W*or\W*$",
    re.IGNORECASE,
)
_INSTEAD = (
    "alternate alternates alternative alternatively alternatives back backup backups choice conditional contingencies "
    "contingency contingent else fall fallback fallbacks instead option optional options or otherwise plan plans scenario "
    "scenarios second secondary set third up"
)
_COUNTS = "actual correct corrected correction corrections final main new preferred primary real revised updated"
_MAIN = frozenset(_COUNTS.split())
_OF_PLANS = ANNOUNCING | _MAIN | frozenset(_INSTEAD.split())
_MOST_OF_CONDITION = 12
"""Words of the longest line with a condition that is a heading."""


def heading_of_plan(text: str, own: frozenset[str]) -> Section | None:
    """For a line below which orders stand instead of others, or depend on something, "alternative": "Backup orders", "Plan B,
    if he attacks:"; for one of those that count, "": "Final orders:". None for any other line."""
    words = words_of(text)
    is_label = text.rstrip().endswith(":")
    if _ALTERNATIVE.search(text):
        is_condition = is_label and CONDITION.search(text) is not None and len(words) <= _MOST_OF_CONDITION
        return "alternative" if is_condition or _is_of_plans(words, own) else None
    counts = not _MAIN.isdisjoint(words) or words == ["plan", "a"]
    is_clear = counts and (is_label or len(words) > 1 or words[0].startswith("correct"))
    return "" if is_clear and _is_of_plans(words, own) else None


def _is_of_plans(words: Sequence[str], own: frozenset[str]) -> bool:
    """Whether headings of plans consist of such words."""
    known = _OF_PLANS | own
    return len(words) <= _MOST_WORDS and all(word in known or word.isdigit() or len(word) == 1 for word in words)


_OF_KIND = re.compile(r"\W*(?:my )?(?:army|armies|fleets?)\W*", re.IGNORECASE)


def is_heading_of_kind(text: str) -> bool:
    """Whether a line only says of which kind the units below it are: "Armies:"."""
    return _OF_KIND.fullmatch(text) is not None


_NOTHING_AHEAD = re.compile(
    r"\W*(?:no (?P<no>retreats?|removals?|builds?)"
    r"(?: (?:orders?|needed|necessary|required|possible|please|this turn|this season))?"
    r"|(?P<none>retreats?|removals?|builds?)\W+(?:none|nothing|n/a))\W*",
    re.IGNORECASE,
)


def says_nothing_of_moves(text: str, phase: Phase) -> bool:
    """Whether a line with moves only says that nothing is sent ahead for another phase. In autumn builds can be waived."""
    found = _NOTHING_AHEAD.fullmatch(text) if phase.endswith("moves") else None
    return found is not None and (phase.startswith("spring") or (found["no"] or found["none"])[0] not in "bB")

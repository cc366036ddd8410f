"""Lines in which people tell what their units do: greetings, sentences and thanks stand before, between and behind orders.

What is no order may be left out where it can change none: it names no province and no power, and has no word that makes an
order depend on something, puts it off, or takes it back. Before an order in the same sentence it may be a condition, in any
language, unless it has few words or only announces. A sentence of its own is talk unless it seems to order something.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from pbmd.rules import fold
from pbmd.rules.lines import line_cache

from ..world.board import board
from ..world.state import Kind, Phase
from .candidates import candidates, plain
from .names import power_words
from .reading import Heading, Section, clean, read, with_codes
from .tagging import tag_of
from .words import APOLOGY, CHANGE, CODE, CONDITION, OTHER_TURN, SLIP, Times, may_name_a_time

UNMEANT = re.compile(r"^\W*\[ ?\]|^[☐❌✗✘⛔🚫]|\?[\s)]*$")
"""A box that is not ticked, or another sign of what is not meant, before an order; or a question mark behind it."""
FEW = 2
"""Up to this many words before an order are a greeting; more of them may be a condition, in any language."""
_LONG = 5
"""Letters of a word that is like no name by accident alone."""
_SHORT = 3
"""Letters of a word that is a name only if it is written exactly so; of a sentence, words that say hardly more than "not"."""
_TURNS = re.compile(
    r"\b(?:but|cannot|can't|don't|except|maybe|neither|never|not|only|perhaps|while|after|before)\b", re.IGNORECASE
)
"""Words that make another thing of an order beside them, in the language of the orders."""
_TOTALS = re.compile(r"\b(?:all|any|both|either|every(?:one|thing)?|nothing|others?|rest)\b", re.IGNORECASE)
"""The same of words that may speak of all orders, or of all units."""
_REFERS = re.compile(r"\b(?:this|that|these|those|they|them|orders?|moves?)\b", re.IGNORECASE)
"""Words that may be about the orders beside them."""
_CHOICE = re.compile(r"^or\b|\bor$", re.IGNORECASE)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_WOULD_LIKE = re.compile(r"\bwould like\b", re.IGNORECASE)
_HERE_YOU_GO = re.compile(r"\bhere you (?:go|are)\b", re.IGNORECASE)
_SENTENCE_ENDS = ".!"
_NO_VERBS = frozenset(("by", "d", "m", "march", "move", "moves"))
"""Words of orders that are also others: "I'd", "by the way"."""
_ANNOUNCING = (
    "a an and april are as august austrian autumn below by d december english fall february final finally first "
    "follow following follows for french from german go have here hereby i i'd i'll i'm in is italian january july "
    "june lastly like ll m march me month move movement movements moves my november october of order ordering "
    "orders our phase planned plans play please russian season send september set so spring submit summer that's the their "
    "then there these they this to turkish turn ve want we we'd we'll will winter with year your"
)
_ANNOUNCES = frozenset(_ANNOUNCING.split())
"""What announcements of orders consist of."""
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
_END = re.compile(
    r"(?P<end>[,;]|(?<=\s[HD])\.(?=\s)|(?<=[^\W\d_]{3})\s*[.!:]+(?=\s|$)|(?<=\))\s*[.!:]+(?=\s|$))|(?:^|(?<=\s))\d{1,2}[.)](?=\s)",
    re.IGNORECASE,
)
"""Where a sentence, or a part of one, ends; or the number of an item of a list stands. Short words with a full stop are names
cut short: St. Pete, N. Sea."""
_SIGN = re.compile(r"[-=]+>?|>")
_POSTSCRIPT = re.compile(r"^p\.? ?s\b\.?", re.IGNORECASE)
_VERBS = tuple("SCHRDBMV")
"""The tags of what units do."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MOST = 40
"""So many parts and words are looked at."""


class Piece(NamedTuple):
    """A part of a line, and the mark that ends it."""

    text: str
    end: str


def pieces_of(text: str) -> list[Piece]:
    """The sentences of a line, and the parts of these."""
    found: list[Piece] = []
    start = 0
    for end in _END.finditer(text):
        found.append(Piece(text[start : end.start()].strip(" .:!"), (end["end"] or ".").strip()[:1]))
        start = end.end()
    found.append(Piece(text[start:].strip(" .:!"), ""))
    return [piece for piece in found if piece.text][:_MOST]


def endings_of(text: str) -> Iterator[tuple[str, str]]:
    """What stands before an order that begins within a text, and that order: it begins with the kind of a unit."""
    for word in list(_WORD.finditer(text))[1:_MOST]:
        if tag_of(word[0]) == "K":
            yield text[: word.start()].strip(), text[word.start() :]


def is_attempt(map_name: str, text: str) -> bool:
    """Whether a text that is no order seems to be meant as one: it begins with a unit, or has a sign between places."""
    words = _WORD.findall(text)
    begins = bool(words) and (tag_of(words[0]) == "K" or fold(words[0]) in board(map_name).by_written)
    return begins or _SIGN.search(text) is not None


class Around(NamedTuple):
    """Words of a line that are no order, and where they stand. `end` is the mark behind them, "" right before an order.

    `leads`: an order follows them; `begins`: they begin a sentence; `first` and `last`: no order of the line stands before, or
    behind them. `is_faulty`: no order is in the same part of the line."""

    text: str
    end: str
    leads: bool
    begins: bool
    first: bool
    last: bool
    is_faulty: bool


Role = Literal["nothing", "refused", "condition", "choice", "later", "change", "unit"]
"""What words do to the orders of their line: nothing; they may be an order that is wrong; or no order stands with them."""


def role_of(map_name: str, around: Around, times: Times, own: frozenset[str]) -> Role:
    """What words do to the orders beside them; `own` are the names of the power whose orders they are."""
    attempt = around.is_faulty and is_attempt(map_name, around.text)
    if attempt and around.end == ":" and not around.last:
        return "unit"
    is_before = around.leads and not attempt and around.end not in tuple(_SENTENCE_ENDS)
    if (clear := _clear_role(around, times, own, is_before=is_before)) != "nothing":
        return clear
    if not is_before:
        return "nothing" if _is_talk(map_name, around) else "refused"
    if _may_stand_before(map_name, around, own):
        return "nothing"
    return "refused" if _is_wish(map_name, around) else "choice" if _OR.search(around.text) else "condition"


def _clear_role(around: Around, times: Times, own: frozenset[str], *, is_before: bool) -> Role:
    """The role that a word of the language of the orders tells."""
    if CONDITION.search(around.text):
        return "condition"
    if _CHOICE.search(around.text) and (around.leads or not around.first):
        return "choice"
    if _takes_back(around):
        return "change"
    is_later = times.is_other(around.text) and _is_about_orders(around, times, own, is_before=is_before)
    return "later" if is_later else "nothing"


def _takes_back(around: Around) -> bool:
    """Whether words take an order of their line back, or may do so."""
    if CHANGE.search(around.text):
        return True
    is_between = not around.first and not around.last
    is_slip = SLIP.search(around.text) is not None and not around.first
    return is_slip or (is_between and APOLOGY.search(around.text) is not None)


def _is_about_orders(around: Around, times: Times, own: frozenset[str], *, is_before: bool) -> bool:
    """Whether words about another time say that orders are for that: "Next turn:", ", next turn", ". These are for autumn"."""
    is_heading = around.leads and _announces(times.without(around.text), own)
    return is_before or is_heading or (not around.first and (not around.begins or _REFERS.search(around.text) is not None))


def is_harmless(map_name: str, text: str, own: frozenset[str]) -> bool:
    """Whether a text without an order can change none beside it."""
    if _announces(text, own):
        return not is_attempt(map_name, text)
    return _says_nothing(map_name, text) and not any(_is_power(map_name, fold(word)) for word in _words(text))


def _says_nothing(map_name: str, text: str) -> bool:
    """The same, if it may name a power."""
    if CONDITION.search(text) or _TURNS.search(text) or _TOTALS.search(text) or is_attempt(map_name, text):
        return False
    words = [word for word in _words(text) if word not in _NO_VERBS]
    return not any(tag_of(word) in _VERBS or _is_province(map_name, fold(word)) for word in words)


def _may_stand_before(map_name: str, around: Around, own: frozenset[str]) -> bool:
    """Whether a text may stand before an order, with no full stop between them: it is a greeting, an announcement, or stands
    by itself between orders. Right before an order, or a colon, a single word may be a "not" or an "if", in any language."""
    if _announces(around.text, own):
        return is_harmless(map_name, around.text, own)
    is_greeting = len(_words(around.text)) <= FEW and around.end in (",", ";")
    is_apart = around.end == ";" and not around.first
    return (is_greeting or is_apart) and around.is_faulty and _says_nothing(map_name, around.text)


def _is_wish(map_name: str, around: Around) -> bool:
    """Whether a text between commas names a power, as this is called in the language of the orders, in which it is no
    condition; but most powers are called so in more than one."""
    names_power = not power_words(map_name).isdisjoint(map(fold, _words(around.text)))
    return names_power and around.end == "," and not around.first and _says_nothing(map_name, around.text)


def _announces(text: str, own: frozenset[str]) -> bool:
    words = _words(_HERE_YOU_GO.sub("here", _WOULD_LIKE.sub("like", text)))
    return all(word in _ANNOUNCES or word in own or word.isdigit() or CODE.fullmatch(word) for word in words)


@line_cache(8192)
def _may_name_a_time(text: str) -> bool:
    """Whether words name a season, a turn or any year, of the game or not."""
    return may_name_a_time(with_codes(text))


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
    is_sentence = not text.rstrip().endswith(":") and (_GOES_ON.search(text) or _SAYS_MORE.intersection(_words(text)))
    if _announces(text, own) and not is_sentence:
        return times.section_of(text)
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
    words = _words(text)
    if len(found) != 1 or _is_no_heading(map_name, text, words):
        return None
    known = _ANNOUNCES.difference(power_words(map_name)) | own | _OF_HEADINGS
    if all(word.casefold() in known or _OTHER_PHASE.match(word) for word in words):
        return next(section for section in _PHASES_OF_HEADINGS if section in found)
    is_running = running == ("retreats" if "retreats" in found else "winter")
    return None if is_running else "doubtful"


def _is_no_heading(map_name: str, text: str, words: Sequence[str]) -> bool:
    """Whether a line is too long for the heading of a phase, turns what it says, or is about a unit."""
    turns = any(each.search(text) for each in (_NO_HEADING, OTHER_TURN, CONDITION, CHANGE, _TURNS, _CHOICE))
    is_of_unit = any(tag_of(word) == "K" or _is_province(map_name, fold(word)) for word in words)
    return len(words) > _MOST_WORDS or turns or is_of_unit


_PHASES_OF_HEADINGS: tuple[Section, ...] = ("retreats", "builds", "removals", "winter")
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


def _is_talk(map_name: str, around: Around) -> bool:
    """Whether a text that is not right before an order is about no unit, and has no word that may turn an order."""
    text = around.text
    if is_attempt(map_name, text) or _orders_something(map_name, text):
        return False
    return not _TURNS.search(text) or (around.begins and not _turns_orders(text, len(_words(text))))


def _orders_something(map_name: str, text: str) -> bool:
    """Whether a text has two of what orders consist of: kinds of units, places, and what is done."""
    words = [fold(word) for word in _words(text)]
    places = sum(_is_province(map_name, word) for word in words)
    long = [tag_of(word) for word in words if len(word) > 1]
    does = any(tag in _VERBS for tag in long)
    about = places + ("K" in long)
    return about > 1 or (does and (about > 0 or _TOTALS.search(text) is not None))


def _turns_orders(text: str, many: int) -> bool:
    """Whether a sentence with a "not" or a "but" may be about the orders beside it."""
    return many <= _SHORT or _TURNS.match(text) is not None or _REFERS.search(text) is not None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(_POSTSCRIPT.sub("", text))]


_TAIL = 40
"""So many characters at the end of a line are looked at for an "ok?"."""
_ASKS = re.compile(
    r"(?P<mark>[,;.!:(\[-]*)\s*\b(?:ok|okay|o\.k\.|(?:all )?right|alright)\s*\?[?\s)\]]*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^\W*(?:is|are|was|were|can|could|may|might|should|shall|would|will|do|does|did|what|how|why|which)\b", re.IGNORECASE
)
_SAYS_IT_IS = re.compile(r"\b(?:is|are|am|was|be|it|that|this|they|these|those|all|everything|not)$", re.IGNORECASE)


def without_ok(text: str) -> str:
    """A line without an "ok?" behind its orders, which asks for no more than the answer that comes anyway."""
    if "?" not in text[-_TAIL:]:  # nearly always so
        return text
    found = _ASKS.search(text, max(0, len(text) - _TAIL))
    if found is None or _QUESTION.match(text):
        return text
    before = text[: found.start()].rstrip()
    return text if not before or (not found["mark"] and _SAYS_IT_IS.search(before)) else before


@lru_cache(maxsize=1024)
def _is_province(map_name: str, word: str) -> bool:
    """Whether a word is a name of a province, or like one."""
    is_alike = len(word) > _LONG and bool(candidates(map_name, plain(word)).alike)
    return len(word) > FEW and (is_alike or _is_like(word, board(map_name).by_written))


@lru_cache(maxsize=1024)
def _is_power(map_name: str, word: str) -> bool:
    """Whether a word is a name of a power, or like one."""
    return len(word) > FEW and _is_like(word, power_words(map_name))


def _is_like(word: str, named: Collection[str]) -> bool:
    return word in named or (len(word) > _LONG and any(_has_most_of(word, name) for name in named))


def _has_most_of(word: str, name: str) -> bool:
    """Whether a word may be a name in another language: they begin alike, and are nearly as long (Italien, italienisch)."""
    return word[:4] == name[:4] and abs(len(word) - len(name)) <= _LONG - 1

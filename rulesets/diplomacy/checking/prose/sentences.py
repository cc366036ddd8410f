"""Lines in which people tell what their units do: greetings, sentences and thanks stand before, between and behind orders.

What is no order may be left out where it can change none: it names no province and no power, and has no word that makes an
order depend on something, puts it off, or takes it back. Before an order in the same sentence it may be a condition, in any
language, unless it has few words or only announces. A sentence of its own is talk unless it seems to order something.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pbmd.rules import fold

from ...world.board import board
from ..interpretation.tagging import tag_of
from ..names import power_words
from ..words import APOLOGY, CHANGE, CONDITION, SLIP, UNSURE, Times
from .vocabulary import CHOICE, FEW, TURNS, WORD, announces, is_power, is_province, words_of

UNMEANT = re.compile(r"^\W*\[ ?\]|^[!☐❌✗✘⛔🚫]|~~[^~]+~~|\?")
"""A box that is not ticked, or another sign of what is not meant, before an order; what is struck out; or a question mark: who
asks about one order of a line may give the others for one answer only."""
_SHORT = 3
"""Letters of a word that is a name only if it is written exactly so; of a sentence, words that say hardly more than "not"."""
_TOTALS = re.compile(r"\b(?:all|any|both|either|every(?:one|thing)?|nothing|others?|rest)\b", re.IGNORECASE)
"""The same of words that may speak of all orders, or of all units."""
_TO_ALL = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day)) (?:there )?(?:to )?(?:all|both|every(?:one|body))",
    re.IGNORECASE,
)
"""A greeting, in which such a word speaks of people."""
_REFERS = re.compile(r"\b(?:this|that|these|those|they|them|orders?|moves?)\b", re.IGNORECASE)
"""Words that may be about the orders beside them."""
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_SENTENCE_ENDS = ".!"
_NO_VERBS = frozenset(("by", "d", "m", "march", "move", "moves"))
"""Words of orders that are also others: "I'd", "by the way"."""
_END = re.compile(
    r"(?P<end>[,;]|(?<=\s[HD])\.(?=\s)|(?<=[^\W\d_]{3})\s*[.!:]+(?=\s|$)|(?<=\))\s*[.!:]+(?=\s|$))"
    r"|(?:^|(?<=\s))\d{1,2}[.)](?=\s)",
    re.IGNORECASE,
)
"""Where a sentence, or a part of one, ends; or the number of an item of a list stands. Short words with a full stop are names
cut short: St. Pete, N. Sea."""
_SIGN = re.compile(r"[-=]+>?|>")
_VERBS = tuple("SCHRDBMV")
"""The tags of what units do."""
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
    for word in list(WORD.finditer(text))[1:_MOST]:
        if tag_of(word[0]) == "K":
            yield text[: word.start()].strip(), text[word.start() :]


def is_attempt(map_name: str, text: str) -> bool:
    """Whether a text that is no order seems to be meant as one: it begins with a unit, or has a sign between places."""
    words = WORD.findall(text)
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
    if CHOICE.search(around.text) and (around.leads or not around.first):
        return "choice"
    if _takes_back(around):
        return "change"
    is_later = times.is_other(around.text) and _is_about_orders(around, times, own, is_before=is_before)
    return "later" if is_later else "nothing"


def _takes_back(around: Around) -> bool:
    """Whether words take an order of their line back, or may do so."""
    if CHANGE.search(around.text) or UNSURE.fullmatch(around.text):
        return True
    is_between = not around.first and not around.last
    is_slip = SLIP.search(around.text) is not None and not around.first
    return is_slip or (is_between and APOLOGY.search(around.text) is not None)


def _is_about_orders(around: Around, times: Times, own: frozenset[str], *, is_before: bool) -> bool:
    """Whether words about another time say that orders are for that: "Next turn:", ", next turn", ". These are for autumn"."""
    is_heading = around.leads and announces(times.without(around.text), own)
    return is_before or is_heading or (not around.first and (not around.begins or _REFERS.search(around.text) is not None))


def is_harmless(map_name: str, text: str, own: frozenset[str]) -> bool:
    """Whether a text without an order can change none beside it."""
    if announces(text, own):
        return not is_attempt(map_name, text)
    return _says_nothing(map_name, text) and not any(is_power(map_name, fold(word)) for word in words_of(text))


def _says_nothing(map_name: str, text: str) -> bool:
    """The same, if it may name a power."""
    if CONDITION.search(text) or TURNS.search(text) or _TOTALS.search(text) or is_attempt(map_name, text):
        return False
    words = [word for word in words_of(text) if word not in _NO_VERBS]
    return not any(tag_of(word) in _VERBS or is_province(map_name, fold(word)) for word in words)


def _may_stand_before(map_name: str, around: Around, own: frozenset[str]) -> bool:
    """Whether a text may stand before an order, with no full stop between them: it is a greeting, an announcement, or stands
    by itself between orders. Right before an order, or a colon, a single word may be a "not" or an "if", in any language."""
    if announces(around.text, own):
        return is_harmless(map_name, around.text, own)
    if around.first and around.end and _TO_ALL.fullmatch(around.text):
        return True
    is_greeting = len(words_of(around.text)) <= FEW and around.end in (",", ";")
    is_apart = around.end == ";" and not around.first
    return (is_greeting or is_apart) and around.is_faulty and _says_nothing(map_name, around.text)


def _is_wish(map_name: str, around: Around) -> bool:
    """Whether a text between commas names a power, as this is called in the language of the orders, in which it is no
    condition; but most powers are called so in more than one."""
    names_power = not power_words(map_name).isdisjoint(map(fold, words_of(around.text)))
    return names_power and around.end == "," and not around.first and _says_nothing(map_name, around.text)


def _is_talk(map_name: str, around: Around) -> bool:
    """Whether a text that is not right before an order is about no unit, and has no word that may turn an order."""
    text = around.text
    if is_attempt(map_name, text) or _orders_something(map_name, text):
        return False
    return not TURNS.search(text) or (around.begins and not _turns_orders(text, len(words_of(text))))


def _orders_something(map_name: str, text: str) -> bool:
    """Whether a text has two of what orders consist of: kinds of units, places, and what is done."""
    words = [fold(word) for word in words_of(text)]
    places = sum(is_province(map_name, word) for word in words)
    long = [tag_of(word) for word in words if len(word) > 1]
    does = any(tag in _VERBS for tag in long)
    about = places + ("K" in long)
    return about > 1 or (does and (about > 0 or _TOTALS.search(text) is not None))


def _turns_orders(text: str, many: int) -> bool:
    """Whether a sentence with a "not" or a "but" may be about the orders beside it."""
    return many <= _SHORT or TURNS.match(text) is not None or _REFERS.search(text) is not None


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


_PLACE = r"(?!holds?\b)[^\W\d_]{3,}(?:/[nsew]c)?"
_LOST_ARROW = re.compile(
    rf"(?P<before>(?!.*\b(?:to|into|via|moves?|goes)\b)(?:[^?\-=>:;,!]*\s)?{_PLACE}) \? (?P<goal>{_PLACE})[\s.]*", re.IGNORECASE
)
"""A move without any other sign, and a question mark in place of the arrow, as mail programs write what they do not know."""


def without_idle_question(text: str) -> str:
    """A line without a question mark that asks nothing: an "ok?" behind its orders asks for no more than the answer that comes
    anyway, and between two places it was an arrow."""
    if "?" not in text[-_TAIL:]:  # nearly always so
        return text
    if _QUESTION.match(text):
        return text
    if arrow := _LOST_ARROW.fullmatch(text):
        return f"{arrow['before']} - {arrow['goal']}"
    found = _ASKS.search(text, max(0, len(text) - _TAIL))
    if found is None:
        return text
    before = text[: found.start()].rstrip()
    return text if not before or (not found["mark"] and _SAYS_IT_IS.search(before)) else before

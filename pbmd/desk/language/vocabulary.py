"""What a game's orders consist of, for lines that its rules could not read: a slip of the pen in an order, or talk beside them.

Where a line that is no order costs a whole letter, taking an order for talk would be as bad. So a line is talk only if it has
nothing that an order needs: no number, no name of the game, no word of its orders, nearly spelt so. Those with which orders
begin that are always the same ("Pass", "End move") stand in other sentences, too, so there the rest of the line tells.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbmd.desk.language.order_words import COMMON, ends_with_colon, examples_in, is_like_first, is_near, offered_in, tokens_of
from pbmd.desk.language.second_thoughts import leaves_open, says_change
from pbmd.rules.remarks import TIMES
from pbmd.rules.unsure import UNSURE

_TOKEN = re.compile(r"[^\W_]+")
_SHORT = 3
"""Letters of the shortest word that may be known by itself."""
_EXACT = 4
"""Letters of a word that is like too many others to be one of them with a slip."""
_OPEN = frozenset(("or",))
_NAME_WORDS = 4
"""A text of so many words may be a name; longer ones are sentences."""
_CHOICE_WORDS = 3
"""A line of so few words that has one of a choice leaves it open which orders are meant."""
_HEADING = frozenset(
    ("my", "our", "the", "these", "here", "are", "is", "and", "now", "more", "following", "order", "orders", "move", "moves")
)
"""Words of headings that say nothing but that orders stand below."""
LEADS_TO_ORDERS = _HEADING | frozenset(
    (
        "all",
        "as",
        "attached",
        "below",
        "final",
        "find",
        "follow",
        "follows",
        "for",
        "i",
        "in",
        "new",
        "of",
        "please",
        "send",
        "this",
        "turn",
    )
)
"""The same of sentences that say no more."""
_OTHERS = frozenset(("your", "his", "her", "their"))
"""Whose is what stands behind it, if it is not who writes."""
_MOVE_AS_NOUN = re.compile(
    r"\b(?:an?|my|our|this|that|(?:for|of|about) the)\s+(?:[^\W\d_]+\s+)?move(?=\W*$|[.,!?]|\s+(?:is|was)\b)", re.IGNORECASE
)
_COUNTS: Mapping[str, int] = {
    word: count
    for count, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1)
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_PARTS = frozenset(("front", "part", "section", "sector", "group", "area", *_ORDINALS, *_COUNTS))
"""Those that tell some orders of a letter from others that count as well."""
_TIMES = frozenset(("turn", "turns", "round", "phase", "season", "year", "week", "month", "day"))
_CALENDAR = _TIMES | frozenset(("spring", "summer", "autumn", "fall", "winter"))
_KIN = 5
"""So many letters at their beginnings have words that are of one stem, as "defence" and "defend"."""
_WHO = r"(?:(?:i|we|you|he|she|it|they|the|any\w*|some\w*|my|our|his|her|their)\b|(?-i:[A-Z][a-z]+))"
_IF = (
    r"(?:if|when(?:ever)?|in case|in the event|in that case|assuming|suppos(?:e|ing)|as soon as|once(?! more| again)|"
    rf"should(?=\s+{_WHO}))"
)
_UNLESS = r"(?:unless|only(?!\s+(?:\w+\s+){0,2}(?:orders?|moves?)\b|(?:\s+th(?:is|ese))?\W*$)|except|provided|as long as)"
_LATER = r"(?:(?:for |in )?(?:the )?(?:next|following) (?:turn|move|round|phase|season|year|week)|later|afterwards)"
CONDITION = re.compile(
    r"[^\w(\[]*(?:(?:and|but|then|or|so|even)\b\W*){0,2}"
    rf"(?:{_IF}|(?P<else>otherwise|else|(?:either|or)(?=\W*$))|(?P<of_above>{_UNLESS})|(?P<later>{_LATER}))\b",
    re.IGNORECASE,
)
"""How a line begins that may say when others are meant, in the language of the orders."""
_OF_TURN = re.compile(
    r"(?:(?:my|our|the|these) )*(?:(?:orders?|moves?) )?(?:are )?(?:(?:for|of|in) )?(?:turn |day |t)"
    rf"(?P<turn>\d{{1,6}}|{'|'.join(_COUNTS)})(?: (?:orders?|moves?))?"
)
_MOST_OF_HEADING = 80
_CHAT = re.compile(
    r"\W*(?:you\b|\w+\b.*?\b(?:i|we)\b(?!(?:\W*(?:will|would|ll|d|want|to|do|play|order|move|this)\b)*\W*$))", re.IGNORECASE
)
"""What follows there in a whole sentence about its writer, or in one to whoever reads it: "if needed I can be reached"."""
_LEADS_TO_TURN = frozenset(("my", "our", "here", "is", "comes", "and", "now", "so", "this", "turn"))
"""Words of headings that say no more than that this is a turn."""
_ANNOUNCES = re.compile(
    rf"\b(?:here|below|following(?! (?:{TIMES})\b)|(?:my|these|the) (?:\w+ ){{0,2}}(?:orders|moves))\b", re.IGNORECASE
)
_OTHER_ORDERS = re.compile(
    r"\b(?:old|earlier|previous|former|last|next|later|future|wrong|void|invalid|rejected|cancell?ed|withdrawn|discarded|obsolete|"
    rf"superseded|alternative|backup|conditional|suggested|proposed|{UNSURE})\b",
    re.IGNORECASE,
)
"""What is said of orders that are not those of the letter: such a line does not announce these."""
_NOT_THESE = re.compile(
    r"\b(?:old|earlier|previous|former|wrong|void|invalid|rejected|cancell?ed|withdrawn|discarded|obsolete|superseded|"
    r"last (?:turn|round|season|time)(?:['’]?s)?)\b",
    re.IGNORECASE,
)
"""The words of them that say that those orders count no more."""
_OF_HEADINGS = LEADS_TO_ORDERS.difference(("new", "final", "attached", "send", "please")) | frozenset(
    ("was", "were", "set", "up", "setup", "list", "sheet", "plan", "version", "ignore")
)
_BEING = ("is", "are", "was", "were")
_DECORATION = " *_=-#"
_AGREED = re.compile(
    r"\W*(?:as|like)\s+(?:(?:we|i)\s+)?(?:have\s+)?(?:agreed|discussed|planned|promised|announced|arranged|usual|always)\b"
    r"(?:\s+with\s+\w+)?\W*",
    re.IGNORECASE,
)
"""With whom orders were agreed makes no other orders of them."""
_CHOICES = re.compile(
    r"\b(?:or|either|else|alternative(?:ly)?|options?|plan|versions?|variants?|choices?|maybe|perhaps)\b", re.IGNORECASE
)
"""What they write who leave it open which orders are meant."""
_DECORATED = re.compile(r"(?P<sign>[-=*_+])+ ?(?P<words>[^-=*_+]+?) ?(?P=sign)+")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b")
_SENTENCE_END = re.compile(r"[.!?…]\s")


def announces_orders(text: str) -> bool:
    """Whether a line says that orders follow."""
    return ends_with_colon(text) and says_that_orders_follow(text)


def only_announces(text: str, name: str) -> bool:
    """Whether a line says that the orders of this turn follow, perhaps with the `name` of who sends them, and nothing else."""
    said = tokens_of(text)
    known = LEADS_TO_ORDERS if names_orders(text) else _LEADS_TO_TURN if "turn" in said else frozenset[str]()
    return known.union(tokens_of(name)).issuperset(said) and bool(known)


def names_orders(text: str) -> bool:
    """Whether a line has a word for orders."""
    return not {"order", "orders", "move", "moves"}.isdisjoint(tokens_of(text))


def says_of_other_orders(text: str) -> bool:
    """Whether a line has a word for orders that are not those of the letter."""
    return _OTHER_ORDERS.search(text) is not None


def is_heading_of_other_orders(text: str) -> bool:
    """Whether a line says that those below it are other orders than those of the letter, and nothing else: "Old orders:",
    "My previous orders were:", "Wrong:". Without a colon, a sentence is about orders that were sent before: "Ignore my old
    orders", "My orders were wrong"."""
    if len(text) > _MOST_OF_HEADING or len(_NOT_THESE.findall(text)) != 1:
        return False
    rest = tokens_of(_NOT_THESE.sub(" ", text))
    if not _OF_HEADINGS.issuperset(rest):
        return False
    may_be_title = names_orders(text) and rest[0] != "ignore" and rest[-1] not in _BEING
    return ends_with_colon(text) or (may_be_title and text.rstrip(_DECORATION)[-1:].isalnum())


def says_that_orders_follow(text: str) -> bool:
    """The same of a line that ends in any way."""
    if says_of_other_orders(text):
        return False
    return _ANNOUNCES.search(text) is not None or (_AGREED.fullmatch(text) is not None and not says_change(text))


def is_condition(text: str) -> bool:
    """Whether a line says on what the lines below it depend, or that they are for later: it begins so, and is not the end of a
    sentence. One that announces orders is none: "If I am not too late, here are my orders:". Without a colon, "only if he
    comes" is about what stands above, and a whole sentence is small talk: "next year we should meet"."""
    begun = CONDITION.match(text)
    if begun is None or _ANNOUNCES.search(text) or text.rstrip()[-1:] in ".!?…":
        return False
    rest = text[begun.end() :]
    more = len(tokens_of(rest))
    if begun["later"]:
        return not more or (ends_with_colon(text) and not _SENTENCE_END.search(rest))
    if ends_with_colon(text):
        return True
    return more <= 1 if begun["else"] else not (begun["of_above"] or _CHAT.match(rest))


def names_time(text: str) -> bool:
    """Whether a line has a number, or a word of the calendar."""
    said = tokens_of(text)
    return any(map(str.isdigit, "".join(said))) or not _CALENDAR.isdisjoint(said)


def says_later(text: str) -> bool:
    """Whether a line says that what is below it is for later, and nothing else: "Next turn", "next year"."""
    begun = CONDITION.match(text)
    return begun is not None and begun["later"] is not None and not tokens_of(text[begun.end() :])


def turn_of_heading(text: str, name: str) -> int | None:
    """For which turn orders are that stand below a line which says so, and nothing else: "Turn 9:", "My moves for turn 9",
    "Day 9", "--- T9 ---", or beside one's own `name`: "Red, turn two". None for any other line."""
    return _turn_of_heading(text, tokens_of(name))


def _turn_of_heading(text: str, own: list[str]) -> int | None:
    if len(text) > _MOST_OF_HEADING:
        return None
    said = tokens_of(text)
    rest = said[len(own) :] if said[: len(own)] == own else said
    rest = rest[: -len(own) - 1] if rest[-len(own) - 1 :] in (["for", *own], ["of", *own]) else rest
    found = _OF_TURN.fullmatch(" ".join(rest))
    return int(_COUNTS.get(found["turn"], found["turn"])) if found else None


def leave_orders_open(texts: Iterable[str]) -> bool:
    """Whether something that is said of orders as a whole calls them a draft, or a condition."""
    return any(leaves_open(text) or may_be_condition(text) for text in texts)


def turns_of_headings(texts: Iterable[str], name: str) -> frozenset[int]:
    """For which turns orders are by what is said of them as a whole."""
    own = tokens_of(name)
    return frozenset(turn for text in texts if (turn := _turn_of_heading(text, own)) is not None)


def may_be_condition(text: str) -> bool:
    """Whether a line begins as one does that says when others are meant, and is no small talk."""
    begun = CONDITION.match(text)
    return begun is not None and not _CHAT.match(text, begun.end())


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What stands in the orders of a game, in small letters. `slots` are the words with which orders begin that have names or
    numbers in them, `fixed` those of orders that have none, each with the words behind it. `spoken` are all words of orders
    that are no names, `names` those of the game as its reader sees it, and `own` the words that say from whom and for what a
    letter is."""

    slots: frozenset[str]
    fixed: Mapping[str, frozenset[str]]
    spoken: frozenset[str]
    names: frozenset[str]
    own: frozenset[str]

    def may_be_order(self, text: str) -> bool:
        """Whether a line that the rules did not take may be an order that is wrongly written."""
        tokens = self._without_nouns(text)
        if not tokens or self.own.union(COMMON - _OPEN).issuperset(tokens):
            return False
        if _is_doubtful(text):
            return True
        if ends_with_colon(text) or _DECORATED.fullmatch(text.strip()):
            return not self._is_heading(tokens)
        if any(map(str.isdigit, "".join(tokens))) and not _DATE.search(text):
            return True
        first, rest = tokens[0], tokens[1:]
        if first in self.fixed:
            known = (self.spoken | self.slots | self.fixed[first]) - {first}
            return not rest or any(is_near(token, known) for token in rest if token not in COMMON)
        begins = first not in COMMON and is_like_first(first, self.slots | self.fixed.keys())
        return begins or _has_near(tokens, self.spoken | self.slots | self.names)

    def _without_nouns(self, text: str) -> list[str]:
        """The words of a line without those that begin orders, and are no verb there: "It's your move, Tom!"."""
        said, acts = tokens_of(text), self.slots | self.fixed.keys()
        owners = zip(("", *said), said, strict=False)
        words = [word for owner, word in owners if owner not in _OTHERS or word not in acts]
        is_noun = self.fixed.keys().isdisjoint(said) and _MOVE_AS_NOUN.search(text) is not None
        return [word for word in words if word != "move"] if is_noun else words

    def has_name(self, text: str) -> bool:
        """Whether a line names something of the game other than its writer, perhaps in another language: names in two languages
        mostly begin alike, and are nearly as long."""
        said = [token for token in tokens_of(text) if len(token) > _EXACT and token not in self.own]
        return any(
            token in self.names
            or any(token[:_EXACT] == name[:_EXACT] and abs(len(token) - len(name)) <= _EXACT for name in self.names)
            for token in said
        )

    def _is_heading(self, tokens: Sequence[str]) -> bool:
        """Whether a line does no more than announce those below it. Any other may take them back, or say that they are for
        later or somebody else's, in whatever language, so all its words must be known. One with a number may be an order."""
        if not _TIMES.isdisjoint(tokens):
            return False
        rest = [token for token in tokens if token not in _HEADING and token not in _PARTS]
        if any(map(str.isdigit, "".join(tokens))):
            return all(map(str.isdigit, rest))
        words = self.slots.union(self.fixed, self.spoken) - self.names
        return all(token in self.own or _is_kin(token, words) for token in rest)


def shares_words(text: str, words: frozenset[str]) -> bool:
    """Whether a line has one of these words, which are some of orders, or one of their numbers."""
    return any(token in words for token in tokens_of(text) if len(token) >= _SHORT or token.isdigit())


def is_choice_alone(text: str) -> bool:
    """Whether a line is an "or", or an "either", and nothing else."""
    return tokens_of(text) in (["or"], ["either"])


def is_choice(text: str) -> bool:
    """Whether a short line leaves it open which orders are meant."""
    return len(text.split()) <= _CHOICE_WORDS and _CHOICES.search(text) is not None


def _is_doubtful(text: str) -> bool:
    """Whether a line may say which orders are meant, or when."""
    return CONDITION.match(text) is not None or _CHOICES.search(text) is not None or says_change(text)


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """The words of lines that say something of what stands in them."""
    return frozenset(token for line in lines for token in tokens_of(line)) - COMMON


def vocabulary(form: str, handbook: str, shown: object, own: Iterable[str]) -> Vocabulary:
    """The vocabulary of orders by what a form offers, the examples of a handbook, what a view has `shown` of the game, and the
    words of a letterhead."""
    orders = [*offered_in(form), *examples_in(handbook)]
    slots = set[str]()
    fixed: dict[str, frozenset[str]] = {}
    spoken, names = set[str](), {*names_in(shown)}
    for line in orders:
        first, *rest = _TOKEN.findall(line) or [""]
        named = {word.casefold() for word in rest if word[:1].isupper()}
        names |= named
        plain = {word.casefold() for word in rest} - named - COMMON
        spoken |= {word for word in plain if len(word) >= _SHORT and not word.isdigit()}
        if named or any(map(str.isdigit, line)):
            slots.add(first.casefold())
        else:
            fixed[first.casefold()] = fixed.get(first.casefold(), frozenset()) | plain
    names = {name for name in names if len(name) >= _SHORT} - COMMON
    only_fixed = {word: rest for word, rest in fixed.items() if word not in slots}
    return Vocabulary(frozenset(slots - {""}), only_fixed, frozenset(spoken - names), frozenset(names), words_of(own))


def names_in(shown: object) -> Iterable[str]:
    """The words with a capital in short texts of a document: what things and people are called."""
    if isinstance(shown, str):
        words = _TOKEN.findall(shown) if len(shown.split()) <= _NAME_WORDS else []
        yield from (word.casefold() for word in words if word[0].isupper() and not word.isdigit())
    elif isinstance(shown, Mapping):
        documents: Mapping[Any, Any] = shown
        for key, value in documents.items():
            yield from names_in(key)
            yield from names_in(value)
    elif isinstance(shown, Iterable):
        for each in shown:
            yield from names_in(each)


def _has_near(tokens: Iterable[str], known: frozenset[str]) -> bool:
    said = (token for token in tokens if len(token) >= _SHORT and token not in COMMON)
    return any(token in known or (len(token) > _EXACT and is_near(token, known)) for token in said)


def _is_kin(token: str, known: frozenset[str]) -> bool:
    """Whether a word is one of these, or of the same stem: the plural of it, or what is done with it."""
    if token in known or token.removesuffix("s") in known:
        return True
    stems = (each[:-1] if each.endswith("y") else each[:_KIN] for each in known if len(each) >= (_EXACT, _KIN)[each[-1] != "y"])
    return token.startswith(tuple(stems))

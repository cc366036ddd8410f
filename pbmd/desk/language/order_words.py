"""Whether a line may be meant as an order: by the words with which the orders of a game begin, and those that stand in them.

Greetings, signatures and what telephones write below a mail are in any language. What they are not can be told: the order form
and the handbook have the words of the orders, and a line that is one of them with a slip has most of its words.
"""

import difflib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbmd.desk.language.commands import Form, Language, has_other_letter
from pbmd.desk.language.marks import says_nothing
from pbmd.rules.protocol import Line

TALK = "not an order"
_CODE = re.compile(r"`([^`\n]{1,80})`|^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r"[^\W_]+")
_LIKENESS = 0.8
_LONG = 6
"""Letters of a word of which more than one may be wrong."""
_LONGEST = 50
"""Letters of the longest word that is compared with others."""
_ELIDED = re.compile(r"\W*[^\W\d_]'[^\W\d_]")
"""A letter that is no word of its own, as in "L'absence"."""
_SHORT = 3
"""Letters of a word that is too much like many others: a line that begins with it is known by its other words."""
_FEW = 2
"""So many words of orders in a line are no accident, if they are half of it."""
_SENTENCE_ENDS = ".!?…"
_COLON_AT_END = re.compile(r"[:：][*_\s–—-]*$")


def tokens_of(text: str) -> list[str]:
    """The words and numbers of a line, in small letters."""
    if text.isascii():
        return _TOKEN.findall(text.lower())
    return [token.casefold() for token in _TOKEN.findall(text)]


def ends_with_colon(text: str) -> bool:
    """Whether a line ends as one does that says something of those below it."""
    return _COLON_AT_END.search(text) is not None


@dataclass(frozen=True, slots=True)
class OrderWords:
    """The words of a game's orders, in small letters: those with which its orders begin, those that stand in its form, those
    that are a whole order, and those that begin one only before a colon."""

    first: frozenset[str]
    within: frozenset[str]
    alone: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    def resembles(self, line: str) -> bool:
        """Whether a line has words of orders: one at its beginning, or one nearly spelt so, or half of its words."""
        tokens = tokens_of(line)
        if not tokens or (len(tokens) == 1 and len(tokens[0]) < _SHORT):
            return False
        if len(tokens) == 1:  # a name may be like the word with which longer orders begin
            return tokens[0] in self.first or is_near(tokens[0], self.alone)
        if _ELIDED.match(line) and not self._has_many(tokens):
            return False
        return self._has_many(tokens) or is_like_first(tokens[0], self.first) or self._is_known_but_first(tokens)

    def _has_many(self, tokens: Sequence[str]) -> bool:
        known = [token for token in tokens if token in self.within]
        return len(known) >= _FEW and 2 * len(known) >= len(tokens) and any(map(str.isalpha, known))

    def _is_known_but_first(self, tokens: Sequence[str]) -> bool:
        rest = [token for token in tokens[1:] if len(token) > 1 or token.isdigit()]
        rest_is_known = bool(rest) and all(token in self.within or token.isdigit() for token in rest)
        is_letter_before_numbers = len(tokens[0]) == 1 and all(map(str.isdigit, rest))
        return rest_is_known and not is_letter_before_numbers and any(differs_by_one(tokens[0], each) for each in self.first)

    def has_word(self, line: str) -> bool:
        """Whether any word of orders stands in a line: it may be the rest of one that a mail program has broken."""
        return any(token in self.within | self.first for token in tokens_of(line) if len(token) >= _SHORT)

    def may_belong(self, line: str) -> bool:
        """Whether a line right beside orders may be one, or a piece of one, for its words. A label without its colon is none
        ("my new home"), nor is what would begin an order and ends a sentence of other words ("just in time.")."""
        tokens = tokens_of(line)
        known = self.within | self.first if ":" in line else self.within | (self.first - self.labels)
        said = [token for token in tokens if len(token) >= _SHORT and token in known]
        ends_sentence = len(tokens) > _SHORT and line.rstrip()[-1] in _SENTENCE_ENDS and said == tokens[-1:]
        return bool(said) and not (ends_sentence and said[0] in self.first - self.alone)

    def speaks_of_orders(self, line: str) -> bool:
        """Whether an order seems to stand among other words: a word with which orders begin, and one of theirs behind it, or a
        number of something that stands in orders."""
        tokens = tokens_of(line)
        return any(self._begins_order(token, tokens[place + 1 :]) for place, token in enumerate(tokens))

    def _begins_order(self, token: str, rest: Sequence[str]) -> bool:
        is_next = bool(rest) and len(rest[0]) >= _SHORT and rest[0] in self.within
        if token.isdigit():
            return is_next and len(rest[0]) > _SHORT
        if token not in self.first:
            return False
        if len(token) == 1:
            return is_next
        return any(word in self.within for word in rest if len(word) > _SHORT or (len(word) == _SHORT and word in rest[:_FEW]))


@dataclass(frozen=True, slots=True)
class LineTest:
    """Tells lines that are orders or commands, or nearly, from talk; `has_word` those with a word of one, `may_belong` those
    that may be a piece of one right beside them, `speaks_of_orders` sentences in which one seems to stand, `is_taken` what is
    one as it stands, `is_heading` what the rules read as no order, but for what is below it, and `is_field` what says in the
    head of a letter from whom or when it is."""

    is_order: Callable[[str], bool]
    has_word: Callable[[str], bool]
    may_belong: Callable[[str], bool]
    speaks_of_orders: Callable[[str], bool]
    is_taken: Callable[[str], bool]
    is_heading: Callable[[str], bool]
    is_field: Callable[[str], bool]


NO_WORDS = OrderWords(frozenset(), frozenset())


def order_words(form: str, handbook: str) -> OrderWords:
    """The words of the orders that a form offers, and of the examples of a handbook."""
    written = (tokens_of(line) for line in offered_in(form))
    offered = [tokens for tokens in written if tokens]
    within = frozenset(token for tokens in offered for token in tokens if len(token) > 1 or token.isdigit())
    firsts = frozenset(tokens[0] for tokens in offered)
    alone = frozenset(tokens[0] for tokens in offered if len(tokens) == 1)
    begun = _first_words(handbook)
    labels = _labels(handbook) - firsts
    return OrderWords(firsts | begun - COMMON, within - COMMON, alone | _words_alone(handbook), labels)


def offered_in(form: str) -> list[str]:
    """The lines that an order form offers."""
    return [line.removeprefix("# ") for line in form.splitlines() if line.startswith("# ") or not line.startswith("#")]


@lru_cache(maxsize=16)
def examples_in(handbook: str) -> tuple[str, ...]:
    """The examples of a handbook: they begin with a capital, as names and values of options do not."""
    spans = [line for found in _CODE.finditer(handbook) for line in (found[1] or found[2] or "").splitlines()]
    return tuple(span for span in spans if (tokens := _TOKEN.findall(span)) and tokens[0][0].isupper())


@lru_cache(maxsize=16)
def _first_words(handbook: str) -> frozenset[str]:
    """The words with which the examples of a handbook begin."""
    return frozenset(_TOKEN.findall(example)[0].casefold() for example in examples_in(handbook))


@lru_cache(maxsize=16)
def _labels(handbook: str) -> frozenset[str]:
    """The first words of examples all of which have a colon behind that word, or one of the next."""
    examples = [(_TOKEN.findall(example)[0].casefold(), _LABEL.match(example) is not None) for example in examples_in(handbook)]
    return _first_words(handbook) - {first for first, is_label in examples if not is_label}


_LABEL = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,3}:")


@lru_cache(maxsize=16)
def _words_alone(handbook: str) -> frozenset[str]:
    """The examples of a handbook that are one word."""
    return frozenset(tokens[0].casefold() for each in examples_in(handbook) if len(tokens := _TOKEN.findall(each)) == 1)


COMMON = frozenset(
    ["and", "as", "at", "by", "for", "from", "in", "is", "it", "of", "on", "or", "that", "the", "to", "with", "you", "your"]
)
"""Words of the language of the orders that stand in every sentence: they make no order of a line."""


def is_near(word: str, known: frozenset[str]) -> bool:
    """Whether a word is one of these, or nearly spelt so."""
    if word in known:
        return True
    if len(word) <= _LONG:
        return len(word) > _SHORT and any(differs_by_one(word, each) for each in known if len(each) > _SHORT)
    return len(word) <= _LONGEST and bool(difflib.get_close_matches(word, known, n=1, cutoff=_LIKENESS))


def is_like_first(word: str, firsts: frozenset[str]) -> bool:
    """Whether a word is one of those with which orders begin, or nearly spelt so; of a brief one all letters are there, or
    "Hope you are well" would seem to begin an order."""
    if word in firsts or len(word) > _SHORT + 1:
        return is_near(word, firsts)
    return is_near(word, frozenset(each for each in firsts if not has_other_letter(word, each)))


def differs_by_one(word: str, other: str) -> bool:
    """Whether a word is another with one letter changed, added, left out, or in the place of its neighbour."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    at = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, others = word[at:], other[at:]
    swapped = rest[1:2] + rest[:1] + rest[2:] == others
    return swapped or rest[1:] == others[1:] or rest[1:] == others or rest == others[1:]


_KEYWORD = re.compile(r"[A-Z]{3,}")
_ABOUT_WORDS = ".,:;!?()<>\"'"
_COMMAND_WORDS = 30


@dataclass(frozen=True, slots=True)
class _CommandWords:
    """The words of a language's commands: those with which they begin, and all that its usages write in capitals."""

    language: Language[Form]
    heads: frozenset[str]
    keywords: frozenset[str]

    def is_meant(self, text: str) -> bool:
        """Whether a line is a command but for slips in its words. That it begins with the word of one is not enough: so do
        those of addresses and footers (Address: Main St. 3; Report spam here)."""
        words = text.casefold().split()
        if not words or len(words) > _COMMAND_WORDS:
            return False
        head, *rest = words
        head = self._set_right(head.strip(_ABOUT_WORDS)) or head
        if head not in self.heads:
            return False
        right = [head, *(self._set_right(word.strip(_ABOUT_WORDS)) or word for word in rest)]
        if words[0] in self.heads and (text.split()[0].isupper() or self.keywords.issuperset(right)):
            return True
        return (len(right) > 1 and self.keywords.issuperset(right)) or self._fits(words, right)

    def _fits(self, words: Sequence[str], right: Sequence[str]) -> bool:
        tried = (self.language.command(Line(1, " ".join([right[0], *rest]))) for rest in (words[1:], right[1:]))
        meant = next(filter(None, tried), None)
        goes_on = not self.keywords.isdisjoint(right[1:])
        return meant is not None and (goes_on or len(words) <= self.language.most_words(meant.kind))

    def _set_right(self, word: str) -> str:
        if word in self.keywords:
            return word
        return next((each for each in sorted(self.keywords) if self._is_slip(word, each)), "")

    @staticmethod
    def _is_slip(word: str, keyword: str) -> bool:
        return is_near(word, frozenset([keyword])) and not has_other_letter(word, keyword)


def _never(_text: str) -> bool:
    return False


@lru_cache(maxsize=8)
def commands_test(language: Language[Form]) -> LineTest:
    """Tells the commands of a language, and lines that are nearly one."""
    heads = frozenset(head.partition(" ")[0].casefold().partition("-")[0] for head in language.heads)
    keywords = frozenset(word.casefold() for form in language.forms for word in _KEYWORD.findall(form.usage))
    words = _CommandWords(language, heads, heads | keywords)

    def is_command(text: str) -> bool:
        return language.command(Line(1, text)) is not None or words.is_meant(text)

    has_word = OrderWords(heads, frozenset()).has_word
    return LineTest(is_command, has_word, has_word, is_command, is_command, _never, _never)


WRAP = 64
"""Mail programs break a line where the next word would make it longer than this, or later."""


def without_talk(lines: Sequence[Line], starts: Sequence[int], test: LineTest, *, is_whole: bool = False) -> tuple[Line, ...]:
    """The lines of a letter that are no talk; none if all of it is.

    Talk is what stands above the first order, or below the last, and is none, nor nearly one: blocks that a blank line parts
    from the orders, and lines right beside them that have no word of orders at all, those above only if they end as a greeting
    does, or are sentences; not these of a letter that `is_whole`, which one line that is no order refuses. So is what has
    neither letter nor digit, and so are footers below the last order. `starts` are the numbers of commands that are as good as
    orders here.
    """
    blocks = _blocks([line for line in lines if not says_nothing(line.text)], starts)
    meant = [place for place, block in enumerate(blocks) if not block or any(test.is_order(line.text) for line in block)]
    if not meant:
        return ()
    rules = frozenset(line.number for line in lines if _RULE.fullmatch(line.text)) if len(meant) > 1 else frozenset[int]()
    while len(meant) > 1 and _is_footer(blocks[meant[-1]], rules, test):
        del meant[-1]
    inner = blocks[meant[0] : meant[-1] + 1]
    inner[0] = _from_first_order(inner[0], test, is_whole=is_whole)
    inner[-1] = _to_last_order(inner[-1], test)
    return tuple(line for block in inner for line in block)


LINK = re.compile(r"://|\bwww\.|\S@\S")
"""An address of the web or of mail, which stands in no order."""
_RULE = re.compile(r"([-_=*~#+])\1{2,}")


def _is_footer(block: Sequence[Line], rules: Collection[int], test: LineTest) -> bool:
    """Whether lines one below the other, of which some are like orders, are a signature, or what a program or a firm writes
    below each mail: an address stands there, and no order; and they begin below a rule, or most of them are not like any."""
    if not any(LINK.search(line.text) for line in block) or any(test.is_taken(line.text) for line in block):
        return False
    alike = [line for line in block if test.is_order(line.text)]
    is_mostly_other = 2 * len(alike) < len(block) > _FEW and block[0] not in alike and block[0].text.rstrip()[-1] != ":"
    return is_mostly_other or block[0].number - 1 in rules


def _from_first_order(block: Sequence[Line], test: LineTest, *, is_whole: bool) -> list[Line]:
    begin = 0
    while begin < len(block) and _may_stand_above(block[begin], test, is_whole=is_whole):
        begin += 1
    return list(block[begin:])


def _may_stand_above(line: Line, test: LineTest, *, is_whole: bool) -> bool:
    """Whether a line right above the orders is a greeting, or of the head of the letter."""
    if test.is_field(line.text):
        return not test.is_order(line.text)
    return _may_greet(line.text, is_whole=is_whole) and _is_talk(line, test)


def _may_greet(text: str, *, is_whole: bool) -> bool:
    """Whether a line ends as greetings do, or is as short as one, or is a sentence that names nothing."""
    if text.rstrip()[-1] in _GREETING_ENDS:
        return True
    words = text.split()
    is_sentence = not is_whole and all(word == word.lower() or _I.fullmatch(word) for word in words[1:])
    return not any(map(str.isdigit, text)) and (len(words) <= _GREETING_WORDS or is_sentence)


_I = re.compile(r"\W*I(?:['’]\w{1,2})?\W*")
"""The only word that has a capital and is no name, but for the first of a sentence."""


_GREETING_WORDS = 3

_GREETING_ENDS = ",:!.，：！。、"
"""With one of these a line ends that greets or announces, and stands right above the orders."""


def _to_last_order(block: Sequence[Line], test: LineTest) -> list[Line]:
    end = len(block)
    while end > 1 and _is_talk(block[end - 1], test):
        end -= 1
    may_go_on = end < len(block) and len(block[end - 1].text) + len(block[end].text.split()[0]) > WRAP
    return list(block if may_go_on else block[:end])


def _is_talk(line: Line, test: LineTest) -> bool:
    return not test.is_order(line.text) and not test.may_belong(line.text)  # for its words all that can be ordered is listed


def _blocks(lines: Sequence[Line], starts: Sequence[int]) -> list[list[Line]]:
    """Lines that stand one right below the other; an empty block stands for a command."""
    blocks: list[list[Line]] = []
    numbered = sorted([(line.number, line) for line in lines] + [(number, None) for number in starts], key=lambda pair: pair[0])
    last = 0
    for number, line in numbered:
        if line is None:
            blocks.append([])
        elif blocks and blocks[-1] and number == last + 1:
            blocks[-1].append(line)
        else:
            blocks.append([line])
        last = number
    return blocks


def may_be_wrapped(above: str, text: str) -> bool:
    """Whether a line may be the rest of the one above it, which a mail program has broken."""
    return len(above) + len(text.split()[0]) > WRAP

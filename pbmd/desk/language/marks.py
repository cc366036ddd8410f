"""What people and mail programs put around an order: marks of bold, quotes, list items, arrows, emoji, a remark in brackets.

None of it is part of any order, but a sign may be one in some game. So whoever asks the rules tries the line as it stands
first, and then what is inside: `insides` gives that, from the least that can be taken away to the most.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from pbmd.desk.language.framing import CONCLUSION, without_conclusion
from pbmd.rules.remarks import CHANGING, TIMES

MOST_INSIDES = 6
"""So many readings of a line are tried at most: each costs the rules a look."""
_MOST_CHARS = 300
_MOST_MARKS = 20
_NOT_SO = frozenset("~¬?❌❎✖✗✘✕☒⛔🚫👎🤔")
_NOT_SO_BY_NAME = re.compile(r"QUESTION MARK|WASTEBASKET|BALLOT BOX$|WHITE (?:LARGE|MEDIUM) SQUARE")
"""Signs that take back what they stand beside, or ask about it: who takes them away makes something else of a line. An empty
box is one of them."""
_COMMENT = re.compile(r"//|/\*|;")
"""How other languages begin a comment."""
_SMILEY = re.compile(r"(?<=\s)(?:[:;=][^\w\s]{0,2}[^\d\s]|<3|\^_?\^)$")
_THANKS = r"(?:many )?(?:thanks|thank you|thx)(?: (?:a lot|a million|so much|very much|in advance|again))?"
_POLITE = re.compile(
    rf"^(?:please|pls|plz)\b,?\s+(?=\S)|(?<=\S)(?:[,;.!]?\s+(?:please|pls|plz|{_THANKS}|ty|cheers)){{1,2}}(?=[\s.!]*$)",
    re.IGNORECASE,
)
"""The words of the language of the orders that ask for them, and change none."""
_LABEL = re.compile(
    r"(?!e\.\s?g\b)(?:\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})(?:[.)]|:(?=\s))+|\d{1,3}(?:(?:st|nd|rd|th)[.):,](?=\s)|\s*(?:\||-(?=\s)))|"
    r"\[[x✓✔]\]|o(?=\s)|§)\s*(?=\S)",
    re.IGNORECASE,
)
"""The number or letter of an item of a list, a box that is ticked, and the bullets of Outlook as plain text has them."""
_LEAD = re.compile(
    rf"(?:(?:please|and|also|then|finally|lastly|now|next(?!\s+(?:{TIMES})\b)|"
    r"(?:i|we)(?:'ll| will| shall|'d like to| would like to| want to| wish to)?|let us|let's)\b[\s,:]*|"
    r"(?:p\.?\s?){1,3}s\.?(?:\s|:)\s*|"
    r"(?:i )?forgot(?:ten)?(?: (?:one|this|this one|to (?:add|say|write)))?\s*:\s*|"
    r"(?:one more(?: order| thing)?|addition|additionally)\s*:\s*|"
    r"(?:(?:my|our|the|new|these|all) )*(?:orders?|moves?|steps?(?=\s\d)|nr\.?|no\.(?=\s\d)|#)"
    r"(?: (?:no\.? ?)?\d{1,4}| (?:for|in) this turn)?(?: (?:is|are))?\s*:\s*){1,3}(?=\S)",
    re.IGNORECASE,
)
"""Words that lead to an order and change none: what joins it to the one above, or says that it is one, and which of its mail.
That it is of a turn is none of them: it may be another than the one that runs."""
JOINING = re.compile(
    r"\W*(?:please\W+)?(?:(?P<next>then|finally|lastly|next)|"
    r"and|also|(?:p\.?\s?){1,3}s|(?:i )?forgot(?:ten)?|one more|addition(?:ally)?)\b",
    re.IGNORECASE,
)
"""How a line begins that joins an order to others, perhaps as the `next` of them."""
_SIGNS = re.compile(r"[\W_]+")
_LABEL_ALONE = re.compile(r"\W*(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]\W*", re.IGNORECASE)
_REMARK = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>)[\s.!,;]*$|\s+(?://|--|#)\s+\w+\s+\w.*$")
"""A remark behind an order: in brackets, or two words and more behind a mark of comments ("A Lon -- Nth -- Nwy" has none)."""
_REMARKS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|<([^<>]*)>|(?<=\s)(?://|--|#)\s+(\w+\s+\w.*)$")
_GROUPED = re.compile(r"(?<![\w.,'])\d{1,3}(?:[.,']\d{3})+(?![\w]|[.,']\d)")
"""A number with marks between its thousands, in whatever way of writing them: no game has parts of things."""
_CHANGES = re.compile(CHANGING, re.IGNORECASE)
_CONDITIONAL = re.compile(rf"\d|{CHANGING}|\b(?:via|from|to)\b|^\s*[(\[<]\s*(?:and|plus|also)\b", re.IGNORECASE)
"""What a remark has that may say more than the order beside it."""
_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    **{word: number for number, word in enumerate(_WORDS, start=1)},
    **{word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)},
    **dict.fromkeys(("a dozen", "one dozen"), 12),
    **dict.fromkeys(("half a dozen", "half dozen", "1/2 dozen", "1/2 a dozen"), 6),
}
_IN_WORDS = re.compile(
    rf"(?<![\w/])(?a:(?:half (?:a )?|1/2 (?:a )?|a |one )dozen|(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_WORDS[:9])}))?|"
    rf"{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
"""A number in words, of which "fıve" is none: two of them, as in "two or three", say more than a number."""
_COUNTED = re.compile(r"(?<=\s)(?:my|our|the|these|those|exactly|precisely|only|just|a total of)\s+(?=\d+\s)", re.IGNORECASE)
"""What stands before the number of what somebody has, and says no more: "with my 5 units", "with exactly 5 units"."""
_NEW = re.compile(r"(?<=\s)((?:an?|one|\d+)\s+)new\s+(?=[A-Za-z])")
"""What is built is new anyway; in a name it has a capital."""
_REASON = re.compile(r"(?<=\w),?\s+because\s+([^.,:;!?\d]+)[\s.!]*$", re.IGNORECASE)
"""Why, in a few words at the end: the order is the same for any reason."""
_MORE_THAN_A_REASON = re.compile(rf"{CHANGING}|\b(?:and|then|also|so|with|by|from|to|at|on|in)\b", re.IGNORECASE)
"""What may begin another order, or be a part of the one that has a reason."""
_ASIDE = re.compile(
    r"(?<=\w),?\s+(?:as\s+(?:agreed|discussed|planned|promised|announced|usual|always)(?:\s+with\s+\w+)?|"
    r"now|asap|at once|right away|(?:in\s+)?this\s+(?:turn|round|move|phase|season)|just in case|hopefully|no matter what|"
    r"at (?:all costs|any (?:cost|price)))[\s.!]*$",
    re.IGNORECASE,
)
"""What people say at the end of an order that is meant in any case, and now."""
_PRICE = re.compile(r"(?<=\w)\s*[(\[](?:[=@] ?)?\d{1,6} ?(?:bp|points?|pts?)[)\]][\s.!,;]*$", re.IGNORECASE)
"""What an order costs, in what nobody can give away: gold may be a gift."""
_TWICE = re.compile(r"\b(\d+) \(\1\)")
_PAIRED = re.compile(r"[*_`\"]")
_PAIR = re.compile(r"(?<![\w*_])([*_`]{1,3}|\")(\S(?:[^*_`\"]*\S)?)\1(?![\w*_])")


_MARKS = (
    _PAIRED,
    *(re.compile(f"^(?:{each.pattern})", re.IGNORECASE) for each in (_LABEL, _LEAD)),
    _SMILEY,
    _POLITE,
    _GROUPED,
    _REMARK,
    _IN_WORDS,
    _COUNTED,
    _NEW,
    _REASON,
    _ASIDE,
    CONCLUSION,
    _PRICE,
)

_LED = re.compile(f"(?:{_LABEL.pattern})|(?:{_LEAD.pattern})", re.IGNORECASE)
_BARE = re.compile(r"(?=[A-Za-z0-9])[A-Za-z0-9 :-]+(?:, [A-Za-z0-9 :-]+)*(?<=[A-Za-z0-9])")
_BETWEEN = dict.fromkeys(map(ord, ",:-"), " ")
_WORDED = frozenset((
    *_WORDS, *_TENS, "dozen", "because", "new",
    *("agreed", "discussed", "planned", "promised", "announced", "usual", "always"),
    *("now", "asap", "once", "away", "this", "case", "hopefully", "matter", "costs", "cost", "price"),
    *("please", "pls", "plz", "thanks", "thank", "thx", "ty", "cheers"),
))  # fmt: skip
"""One of these is in whatever can be taken away of a line of nothing but words, numbers and the signs between them, but for
what begins it and what has one of the words below: most lines are such, and need no look for each of the marks."""
_OWNING = frozenset(("my", "our", "the", "these", "those", "exactly", "precisely", "only", "just", "total"))
"""The same of what stands before a number, and of what is said of a whole move."""


def insides(text: str) -> Iterator[str]:
    """What may be meant by a line with marks around it, all different from it and each other; nothing for a plain line."""
    if len(text) > _MOST_CHARS or is_plain(text):
        return
    in_one_cell = tuple(dict.fromkeys(_in_one_cell(text)))
    yield from in_one_cell
    seen = {text, "", *in_one_cell}
    inside = text
    for _ in range(2):
        for peel in _PEELS:
            inside = peel(inside)
            if inside not in seen:
                seen.add(inside)
                yield inside
            if len(seen) > MOST_INSIDES + 1:
                return


def is_plain(text: str) -> bool:
    """Whether it is plain that nothing can be taken away from a line, as of nearly every one."""
    if _BARE.fullmatch(text) and " :" not in text and " --" not in text:
        words = text.lower().translate(_BETWEEN).split()
        is_owned = not _OWNING.isdisjoint(words) and any(mark.search(text) for mark in (_COUNTED, CONCLUSION))
        if _WORDED.isdisjoint(words) and not is_owned and not _LED.match(text):
            return True
    elif not (text[:1].isalnum() and text[-1:].isalnum()):
        return False
    return not any(mark.search(text) for mark in _MARKS)


def _without_signs(text: str) -> str:
    """The line without the run of signs before it, and what is no letter, digit or bracket behind it."""
    begin = 0
    while begin < len(text) and _is_sign(text[begin]):
        begin += 1
    end = len(text)
    while end > begin and text[end - 1] != ">" and _is_sign(text[end - 1]):
        end -= 1
    taken = text[:begin] + text[end:]
    if len(taken) > _MOST_MARKS or any(map(_takes_back, taken)) or "!" in text[:begin] or _COMMENT.match(text):
        return text
    if _is_dashed(text[:begin]) and _is_dashed(text[end:]):
        return text
    return text[begin:end]


def _takes_back(char: str) -> bool:
    return char in _NOT_SO or (not char.isascii() and _NOT_SO_BY_NAME.search(unicodedata.name(char, "")) is not None)


def _is_dashed(signs: str) -> bool:
    """Whether signs have a dash right beside the words: "-word-" is a way to strike out a word."""
    return "-" in signs.strip() and " " not in signs and ">" not in signs


def _is_sign(char: str) -> bool:
    """Whether a character may be taken away: none of those that begin or end words, brackets or comments."""
    if char in "()[]{}<#%$&@\\":
        return False
    return not (char.isalnum() or unicodedata.category(char) in ("Mn", "Mc", "Sc", "Lm") or char == "§")


def says_nothing(text: str) -> bool:
    """Whether a line has neither a letter nor a digit, or only the number of an item of a list: it is no order in any game."""
    return not _SIGNS.sub("", text) or _LABEL_ALONE.fullmatch(text) is not None


def without_label(text: str) -> str:
    """A line without the number or letter of an item of a list, as "a) Add 5"."""
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


_RUNNING_NUMBER = re.compile(r"(\d{1,3})\s+(?=[^\W\d_])")


def without_running_numbers(texts: Sequence[str]) -> dict[str, str]:
    """What stands behind the numbers of lines that are numbered from 1 on, with no sign behind the number, as in tables."""
    begun = [(found, text) for text in texts if text[:1].isdigit() and (found := _RUNNING_NUMBER.match(text)) is not None]
    are_running = len(begun) > 1 and all(int(found[1]) == place for place, (found, _) in enumerate(begun, start=1))
    return {text: text[found.end() :] for found, text in begun} if are_running else {}


def _without_lead(text: str) -> str:
    found = _LEAD.match(text)
    return text[found.end() :] if found else text


def _without_remark(text: str) -> str:
    """The line without a remark in brackets at its end, unless that may change what is ordered."""
    found = _REMARK.search(text)
    if found is None or not found.start() or _CONDITIONAL.search(found[0]) or any(map(_takes_back, found[0])):
        return text
    return text[: found.start()]


def remarks_in(text: str) -> list[str]:
    """What stands in a line in brackets, or behind a mark of comments."""
    return [said.strip() for found in _REMARKS.finditer(text) for said in found.groups() if said and said.strip()]


def changing_words(text: str) -> frozenset[str]:
    """The words that change what an order says, take it back, or have it for another time."""
    return frozenset(found[0].casefold() for found in _CHANGES.finditer(text))


def _without_price(text: str) -> str:
    """The line without what it costs, in brackets at its end."""
    return _PRICE.sub("", text)


def _without_smiley(text: str) -> str:
    """The line without a face of punctuation marks at its end, unless one of these takes something back."""
    found = _SMILEY.search(text)
    return text if found is None or any(map(_takes_back, found[0])) else text[: found.start()].rstrip()


def without_politeness(text: str) -> str:
    """The line without a "please" before or behind it."""
    return _POLITE.sub("", text).strip()


def _without_groups(text: str) -> str:
    """The line without the marks between the thousands of its numbers."""
    return _GROUPED.sub(lambda found: re.sub(r"[.,']", "", found[0]), text)


def _without_owner(text: str) -> str:
    """The line with bare numbers, and nothing said to be new."""
    return _NEW.sub(r"\1", _COUNTED.sub("", text))


def _without_reason(text: str) -> str:
    """The line without a reason at its end, unless that may say more."""
    found = _REASON.search(text)
    return text if found is None or _MORE_THAN_A_REASON.search(found[1]) else text[: found.start()]


def has_aside(text: str) -> bool:
    """Whether a line ends with words that change no order; beside a command they make a sentence of it: "STATUS now"."""
    return _ASIDE.search(text) is not None


def _without_aside(text: str) -> str:
    """The line without words at its end that change nothing."""
    return _ASIDE.sub("", text)


def without_number_words(text: str) -> str:
    """The line with its numbers in digits, those once that stand behind in brackets again: "five (5) units"."""
    return _TWICE.sub(r"\1", _IN_WORDS.sub(lambda found: str(_number(found[0].lower())), text))


def _number(words: str) -> int:
    """The number that is written so: "twelve", "twenty-five", "half a dozen"."""
    tens, _, ones = words.replace("-", " ").partition(" ")
    return _NUMBERS[words] if words in _NUMBERS else _NUMBERS[tens] + _NUMBERS[ones]


def _in_one_cell(text: str) -> Iterator[str]:
    """A row of a table without the lines between its cells, and without its number; other lines may have those lines for other
    reasons."""
    cells = text.strip(f"{_CELL} ").split(_CELL)
    if any(_VOID.fullmatch(cell.strip()) for cell in cells[1:]):
        return
    if len(cells) > 1 and (text.startswith(_CELL) or text.endswith(_CELL)):
        yield " ".join(" ".join(cells).split())
        if cells[0].strip().isdigit():
            yield " ".join(" ".join(cells[1:]).split())


_CELL = "|"
_VOID = re.compile(
    r"(?:no|not|none|never|void|old|wrong|later|next turn|(?:cancel|ignor|skip|scrap|withdr)\w*)\W*", re.IGNORECASE
)
"""A cell that takes the order back which the others have."""


def _without_pairs(text: str) -> str:
    """The line without the marks around some of its words."""
    return _PAIR.sub(r"\2", text)


_PEELS = (
    _without_pairs,
    _without_smiley,
    _without_signs,
    without_conclusion,
    _without_aside,
    _without_price,
    _without_remark,
    _without_reason,
    without_label,
    _without_lead,
    without_politeness,
    _without_groups,
    without_number_words,
    _without_owner,
)

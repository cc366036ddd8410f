"""What people and mail programs put around an order: marks of bold, quotes, list items, arrows, emoji, a remark in brackets.

None of it is part of any order, but a sign may be one in some game. So whoever asks the rules tries the line as it stands
first, and then what is inside: `insides` gives that, from the least that can be taken away to the most.
"""

import re
import unicodedata
from collections.abc import Iterator

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
_POLITE = re.compile(r"^please\b,?\s+(?=\S)|(?<=\S),?\s+please(?=[\s.!]*$)", re.IGNORECASE)
"""The one word of the language of the orders that asks for them, and changes none."""
_LABEL = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})(?:[.)]|:(?=\s))+|\[[x✓✔]\]|o(?=\s)|§)\s*(?=\S)",
    re.IGNORECASE,
)
"""The number or letter of an item of a list, a box that is ticked, and the bullets of Outlook as plain text has them."""
LABEL_ALONE = re.compile(r"\W*(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]\W*", re.IGNORECASE)
_REMARK = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>)[\s.!,;]*$")
_CONDITIONAL = re.compile(
    r"\d|\b(?:if|unless|when|while|until|till|after|before|once|not?|never|don'?t|only|else|or|except|but|instead|maybe|perhaps|"
    r"cancel\w*|via|from|to)\b",
    re.IGNORECASE,
)
"""Words of the language of the orders that change what an order says."""
_PAIRED = re.compile(r"[*_`]")
_PAIR = re.compile(r"(?<![\w*_])([*_`]{1,3})(\S(?:[^*_`]*\S)?)\1(?![\w*_])")


_MARKS = (_PAIRED, re.compile(f"^(?:{_LABEL.pattern})", re.IGNORECASE), _SMILEY, _POLITE)


def insides(text: str) -> Iterator[str]:
    """What may be meant by a line with marks around it, all different from it and each other; nothing for a plain line."""
    if len(text) > _MOST_CHARS or _is_plain(text):
        return
    seen = {text, ""}
    inside = text
    for _ in range(2):
        for peel in (_without_pairs, _without_smiley, _without_signs, _without_remark, _without_label, without_politeness):
            inside = peel(inside)
            if inside not in seen:
                seen.add(inside)
                yield inside
            if len(seen) > MOST_INSIDES + 1:
                return


def _is_plain(text: str) -> bool:
    """Whether it is plain that nothing can be taken away, as of nearly every line."""
    has_ends = text[:1].isalnum() and text[-1:].isalnum()
    return has_ends and not any(mark.search(text) for mark in _MARKS)


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


def _without_label(text: str) -> str:
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def _without_remark(text: str) -> str:
    """The line without a remark in brackets at its end, unless that may change what is ordered."""
    found = _REMARK.search(text)
    if found is None or not found.start() or _CONDITIONAL.search(found[0]) or any(map(_takes_back, found[0])):
        return text
    return text[: found.start()]


def _without_smiley(text: str) -> str:
    """The line without a face of punctuation marks at its end, unless one of these takes something back."""
    found = _SMILEY.search(text)
    return text if found is None or any(map(_takes_back, found[0])) else text[: found.start()].rstrip()


def without_politeness(text: str) -> str:
    """The line without a "please" before or behind it."""
    return _POLITE.sub("", text).strip()


def _without_pairs(text: str) -> str:
    """The line without the marks around some of its words."""
    return _PAIR.sub(r"\2", text)

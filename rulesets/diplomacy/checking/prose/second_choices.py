"""The second choice of a retreat, in the words of players: where a unit goes if the first goal is not open (DI-94)."""

import re

from ..notations import is_name

_RETREATS = re.compile(r"\b(?:r|ret|rto|retreat\w*|withdraw\w*|falls? back)\b", re.IGNORECASE)
_WORD = r"(?![-–—=]*[>→]?\s)[^\s,;:()]+"
_NO_GOAL = "a|f|army|fleet|if|all|both|the|my|h|holds?|stays?|occupied|taken|blocked|closed|possible|available|open|free"
_GOAL = rf"(?!(?:{_NO_GOAL})\b){_WORD}"
"""A name, and no order: no sign of a move stands in it."""
_NOT_OPEN = (
    r"if (?:(?:that|this|it)(?:'s| is)? )?(?:not|impossible|occupied|taken|blocked|closed)"
    r"(?: (?:possible|available|open|free))?"
)
_PREFERENCE = r"(?:as )?(?:my |the )?(?:second|2nd|third|3rd|fourth|4th|next) (?:choice|option|preference|priority)"
_OTHERWISE = re.compile(
    r"(?:\s\(?if (?:possible|open|free|available)\)?)?(?:\s*[,;.]\s*|\s+)\(?(?:or |and |but )?"
    rf"(?:else|otherwise|alternatively|then|backup|fallback|failing (?:that|which)|{_NOT_OPEN}|{_PREFERENCE})\b"
    rf"[\s,:]*(?:then )?(?:r |(?:it )?(?:retreats? )?to )?(?P<goal>{_GOAL})\)?(?=[\s.!]*(?:[,;]|$))",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"(?:\s*[,;]\s*|\s+)(?:(?:or|else|otherwise) ){1,2}(?:to )?(?P<off>disband\w*|otb|off(?: the board)?|d)[\s.!]*$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[;&+]|\band\b|[,/] ?(?:a|f|army|fleet)\b", re.IGNORECASE)
_NOT = re.compile(r"(?<!if )\b(?:not|never|don't|no)\b(?! (?:possible|available|open|free)\b)", re.IGNORECASE)
_EITHER = re.compile(r"\b(?P<verb>r|retreats?(?: to)?) either (?=\w)|\bor (?:r|retreats? to) (?=\w)", re.IGNORECASE)


def with_second_choices(text: str) -> str:
    """A line with a comma or an "or" between the goals of a retreat, in whatever words the second is said to be one: "else",
    "if not possible". It changes no other line, and none in which an order of another unit follows."""
    found = _RETREATS.search(text)
    if found is None or _NOT.search(text) or _SEVERAL.search(text, 0, found.start()):
        return text
    goals = _EITHER.sub(lambda each: f"{each['verb']} " if each["verb"] else "or ", text[found.start() :])
    goals = _OTHERWISE.sub(lambda other: f", {other['goal']}" if is_name(other["goal"]) else other[0], goals)
    return text[: found.start()] + _OFF.sub(r", \g<off>", goals)

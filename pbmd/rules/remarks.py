"""What people write beside an order, in brackets or behind a mark of comments: it may change what is ordered."""

import re

from pbmd.rules.unsure import UNSURE

TIMES = "turns?|rounds?|phases?|seasons?|years?|spring|summer|autumn|fall|winter"
"""Words of the calendar of a game."""
CHANGING = (
    r"\b(?:if|unless|when|while|until|till|after|before|once|not?|none|never|don'?t|only|else|or|except|but|instead|"
    r"otherwise|provid(?:ed|ing)|assum(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|depend\w*|as long as|(?<!just )in case|should|"
    rf"{UNSURE}|backup|wait|"
    rf"next|tomorrow|(?:in|for|by|from|another|following)\s+(?:the\s+)?(?:{TIMES})|(?:{TIMES})\s+(?:orders?|moves?)|"
    r"(?:cancel|ignor|scrap|withdr|delet|reject|supersed|obsolet|alternat)\w*|"
    r"forget|undo)\b|"
    r"^\W*(?:(?:just|still|only|my|an?|the)\s+)*(?:later|old|void|wrong|skip\w*|spring|summer|autumn|fall|winter|[nx]|"
    r"stop\w*|idea|suggest\w*|propos\w*|example|guess|half|min|max|minimum|maximum|previous(?:ly)?|last\s+(?:turn|time|round)|"
    r"(?:turn|t|plan|option|version|variant)\s*\w)\W*$"
)
"""A pattern for words, in the language of the orders, that change what an order says, take it back, or have it for another
time; the last of them only if a remark has no others."""
_CHANGES = re.compile(CHANGING, re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def changes_order(remark: str) -> bool:
    """Whether a remark may change the order that it stands beside."""
    return _CHANGES.search(remark) is not None


def in_brackets(line: str) -> list[str]:
    """What stands in a line in brackets, outside of which no bracket is open."""
    return [found[1] or found[2] or "" for found in _IN_BRACKETS.finditer(line)]

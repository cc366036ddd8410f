"""Other ways in which people write orders, put in the words of the grammar (section 6 of the rules).

Each is a pattern for the whole of a line that can be meant in one way only, and what it is in the usual words. What is put so is
read, priced and refused as any other order.
"""

import re

from ..orders import FUNCTION_WORDS
from ..tables import GOVERNMENTS

_SQUARE = r"[a-z]{1,2}\d{1,3}"
_SQUARES = rf"{_SQUARE}(?:(?:\s*,\s*|\s+(?:and|or|then)\s+){_SQUARE})*"
_ARMIES = r"arm(?:y|ies)"
_GOODS = rf"(?:{_ARMIES}|nukes?|sdis?)"
_FORCE = r"(?P<force>\d+|all(?:\s+(?:of\s+)?my)?)"
_NAME = r"(?P<name>[^,:;()\d][^,:;()]*?)"
_FUNCTION = "|".join(sorted((re.escape(word) for word in FUNCTION_WORDS if not word[0].isdigit()), key=len, reverse=True))
_TECHS = r"(?:technolog(?:y|ies)|techs?|levels?)"
AFFORDABLE = (
    r"possible|affordable|(?:i|we)\s+can(?:\s+afford\s+(?:it|this|them|that))?|"
    r"(?:(?:there\s+is|(?:i|we)\s+have)\s+)?(?:enough\s+)?gold(?:\s+(?:left|allows|permits|lasts|suffices|remains))?"
)
"""Conditions under which every order of Production stands: what gold is too short for is dropped (SO-R14)."""
_WAYS = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (rf"(?:purchase|raise|recruit|train|produce)\s+(?P<what>(?:\d+|an?)\s+{_GOODS}\b.*|{_GOODS}\s*x\s*\d+)", r"Buy \g<what>"),
        (rf"(?:(?:buy|build)\b:?\s*)?(?P<what>{_GOODS})\s*[:=]?\s*(?P<many>\d+)", r"Buy \g<many> \g<what>"),
        (
            rf"(?P<what>(?:(?:buy|build)\s+)?(?:\d+|an?)\s+{_GOODS}),?\s*(?:\bfor|=|:|-)\s*(?P<gold>\d+)\s*(?:gold|gp?)?",
            r"\g<what> (\g<gold>)",
        ),
        (
            rf"(?P<what>(?:buy|build|research|city|cities|\d+\s+{_GOODS})\b[^()]*?),?\s+(?P<if>\()?if\s+(?:{AFFORDABLE})(?(if)\))",
            r"\g<what> (if possible)",
        ),
        (rf"(?:research|learn|discover|buy)\s+(?:an?|the\s+next)(?:\s+new)?\s+{_TECHS}", "Research 1"),
        (rf"(?:research|learn|discover)\s+(?:the\s+)?next\s+(?P<many>\d+)(?:\s+{_TECHS})?", r"Research \g<many>"),
        (r"research\s+(?:x\s*(?P<many>\d+)|(?P<more>\d+)\s*x)", r"Research \g<many>\g<more>"),
        (r"(?:learn|discover)\s+(?P<what>\S.*)", r"Research \g<what>"),
        (r"(?P<what>trade\s+(?:with\s+)?[^,:;()\d]*?)\s+(?:\*\s*)?(?P<many>\d+)(?:\s+times)?", r"\g<what> x\g<many>"),
        (r"(?P<what>trade\s+(?:with\s+)?[^,:;()\d]*?)\s+twice", r"\g<what> x2"),
        (
            rf"(?P<verb>attack|invade)\s+{_NAME}(?:'s)?(?:\s+cit(?:y|ies))?,?(?:\s+(?:at|in|on))?\s+(?P<squares>{_SQUARES}),?"
            r"\s+(?:with|using|w/)\s*(?P<force>\S.*)",
            r"\g<verb> \g<name> with \g<force>, targets \g<squares>",
        ),
        (
            rf"(?P<verb>attack|invade)\s+{_NAME}\s*(?::|\(|\susing\b|\sw/)\s*{_FORCE}(?P<armies>\s+{_ARMIES})?\)?(?P<more>,?\s+targets?\b.*)?",
            r"\g<verb> \g<name> with \g<force>\g<armies>\g<more>",
        ),
        (
            rf"(?:send\s+)?{_FORCE}\s+{_ARMIES}\s+(?:(?:to\s+)?(?:attack|invade)|against)\s+{_NAME}(?P<more>,?\s+targets?\b.*)?",
            r"Attack \g<name> with \g<force> armies\g<more>",
        ),
        (r"(?P<what>(?:attack|invade|launch)\b[^;]*);\s*(?P<squares>targets?\b[^;]*)", r"\g<what>, \g<squares>"),
        (
            rf"(?P<verb>launch\s+(?:\d+|an?)\s+nukes?\s+(?:at|on|to))\s+{_NAME}(?:'s)?(?:\s+cit(?:y|ies))?(?:\s+(?:at|in|on))?"
            rf"\s+(?P<squares>{_SQUARES})",
            r"\g<verb> \g<name>, targets \g<squares>",
        ),
        (r"(?:foreign\s+)?aid:\s*(?P<what>(?=.*\d)\S.*)", r"Give \g<what>"),
        (r"(?P<what>\d+\s+gold\s+to\s+\S.*)", r"Give \g<what>"),
        (r"(?P<what>(?:give|gift|pay|send)\b[^\d]*\d+)\s*(?:gp?|coins?|gold\s+(?:pieces?|coins?))\b(?P<to>.*)", r"\g<what> gold\g<to>"),
        (r"defend\s+(?P<what>\S.*?)\s+with\s+(?P<many>\d+|an?)\s+(?P<spies>sp(?:y|ies))", r"\g<many> \g<spies> defend \g<what>"),
        (r"(?P<spies>(?:(?:\d+|an?)\s+)?sp(?:y|ies))\s*:?\s+(?:guards?|protects?|defends?)\s+(?P<what>\S.*)", r"\g<spies> defend \g<what>"),
        (
            rf"(?!.*\btarget)(?P<what>(?:(?:use|send)\s+)?(?:(?:\d+|an?)\s+)?sp(?:y|ies)(?:\s+x\s*\d+)?(?:\s+(?:on|to|against))?)\s+{_NAME}\s+"
            rf"(?P<function>(?:the\s+)?(?:{_FUNCTION})(?:\s+(?:phase|step))?)",
            r"\g<what> \g<name>, target \g<function>",
        ),
        (r"(?P<verb>build|buy|bid\s+\d+\s+(?:on|for))\s+(?:the\s+)?wonder\s+(?P<what>\S.*)", r"\g<verb> \g<what>"),
        (rf"become\s+an?\s+(?P<what>(?:{'|'.join(GOVERNMENTS)})\b.*)", r"Revolution to \g<what>"),
        (r"war\s+with\s+(?P<name>[^,:;()\d]+)", r"War on \g<name>"),
    )
)  # fmt: skip
_LONGEST = 200
_SECOND_CHOICE = re.compile(
    rf"\s*\(\s*(?P<or>(?:or(?:\s+else)?|else|otherwise|alternatively|backup|fallback)\b\W*(?:(?:at|in)\s+)?{_SQUARES}"
    rf"(?:\s+if\s+(?:taken|occupied|needed|necessary))?|{_SQUARES}\s+as\s+(?:an?\s+)?(?:backup|fallback|alternative))\s*\)",
    re.IGNORECASE,
)
"""Other squares in brackets, which are for when the first cannot be used, as all in a list are (SO-R21)."""


def without_second_choice(text: str) -> str:
    """A line without squares in brackets that are for when those before them cannot be used."""
    return _SECOND_CHOICE.sub("", text) if "(" in text else text


def with_second_choice(text: str) -> str:
    """A line with such squares behind a comma."""
    return _SECOND_CHOICE.sub(r", \g<or>", text) if "(" in text else text


def in_usual_words(text: str) -> str:
    """A clean line in the words of the grammar, if it is one of those that are written in others; else as it is."""
    if len(text) <= _LONGEST:
        for way, usual in _WAYS:
            if found := way.fullmatch(text):
                return " ".join(found.expand(usual).split())
    return text

"""Other ways in which people write orders, put in the words of the grammar (section 6 of the rules).

Each is a pattern for the whole of a clean line that can be meant in one way only, and what that is in the usual words; it is
then read, priced and refused as any other order.
"""

import re

from ..tables import GOVERNMENTS

_SQUARE = r"[a-z]{1,2}\d{1,3}"
_LISTED = rf"{_SQUARE}(?:(?: ?, ?| (?:and|or|then) ){_SQUARE})*"
_SQUARES = rf"(?P<squares>{_LISTED})"
_ARMIES = r"arm(?:y|ies)"
_GOODS = rf"(?:{_ARMIES}|nukes?|sdis?)"
_FORCE = r"(?P<force>\d+|all(?: (?:of )?my)?)"
_NAME = r"(?P<name>[^,:;()\d][^,:;()]*?)"
_TARGETS = r"(?P<more>,? targets?\b.*)?"
_CITIES = r"(?:'s)?(?: cit(?:y|ies))?"
_TECHS = r"(?:technolog(?:y|ies)|techs?|levels?)"
AFFORDABLE = (
    r"possible|affordable|(?:i|we) can(?: afford (?:it|this|them|that))?|"
    r"(?:(?:there is|(?:i|we) have) )?(?:enough )?gold(?: (?:left|allows|permits|lasts|suffices|remains))?"
)
"""Conditions under which every order of Production stands: what gold is too short for is dropped (SO-R14)."""
_WAYS = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (rf"(?:purchase|raise|recruit|train|produce) (?P<what>(?:\d+|an?) {_GOODS}\b.*|{_GOODS} ?x ?\d+)", r"Buy \g<what>"),
        # A name and a number alone may be how many there are.
        (
            rf"(?P<verb>(?:buy|build)\b:? ?)?(?P<what>{_GOODS}) ?(?(verb)[:=]?|[:=]) ?(?P<many>\d+)",
            r"Buy \g<many> \g<what>",
        ),
        (
            rf"(?P<what>(?:(?:buy|build) )?(?:\d+|an?) {_GOODS}),? ?(?:\bfor|=|:|-) ?(?P<gold>\d+) ?(?:gold|gp?)?",
            r"\g<what> (\g<gold>)",
        ),
        (
            rf"(?P<what>(?:buy|build|research|city|cities|\d+ {_GOODS})\b[^()]*?),? (?P<if>\()?if (?:{AFFORDABLE})(?(if)\))",
            r"\g<what> (if possible)",
        ),
        (rf"(?:research|learn|discover|buy) (?:an?|the next)(?: new)? {_TECHS}", "Research 1"),
        (rf"(?:research|learn|discover) (?:the )?next (?P<many>\d+)(?: {_TECHS})?", r"Research \g<many>"),
        (r"research (?:x ?(?P<many>\d+)|(?P<more>\d+) ?x)", r"Research \g<many>\g<more>"),
        (r"(?:learn|discover) (?P<what>\S.*)", r"Research \g<what>"),
        # Without a mark the number may be a part of the name: "Altair 2".
        (
            r"(?P<what>trade (?:with )?[^,:;()*]*?) ?(?:\* ?(?P<many>\d+)|(?<= )(?P<more>\d+) times)",
            r"\g<what> x\g<many>\g<more>",
        ),
        (r"(?P<what>trade (?:with )?[^,:;()]*?) twice", r"\g<what> x2"),
        (
            rf"(?P<verb>attack|invade) {_NAME}{_CITIES},?(?: (?:at|in|on))? {_SQUARES},? (?:with|using|w/) ?(?P<force>\S.*)",
            r"\g<verb> \g<name> with \g<force>, targets \g<squares>",
        ),
        (
            rf"(?P<verb>attack|invade) {_NAME} ?(?::|\(| using\b| w/) ?{_FORCE}(?P<armies> {_ARMIES})?\)?{_TARGETS}",
            r"\g<verb> \g<name> with \g<force>\g<armies>\g<more>",
        ),
        (
            rf"(?P<send>send )?{_FORCE} {_ARMIES} (?:(?:to )?(?:attack|invade)|(?(send)against|(?!))) {_NAME}{_TARGETS}",
            r"Attack \g<name> with \g<force> armies\g<more>",
        ),
        (r"(?P<what>(?:attack|invade|launch)\b[^;]*); ?(?P<squares>targets?\b[^;]*)", r"\g<what>, \g<squares>"),
        (
            rf"(?P<verb>launch (?:\d+|an?) nukes? (?:at|on|to)) {_NAME}{_CITIES}(?: (?:at|in|on))? {_SQUARES}",
            r"\g<verb> \g<name>, targets \g<squares>",
        ),
        (r"(?:foreign )?aid: ?(?P<what>(?=.*\d)\S.*)", r"Give \g<what>"),
        (r"(?P<what>\d+ gold to \S.*)", r"Give \g<what>"),
        (
            r"(?P<what>(?:give|gift|pay|send)\b[^\d]*\d+) ?(?:gp?|coins?|gold (?:pieces?|coins?))\b(?P<to>.*)",
            r"\g<what> gold\g<to>",
        ),
        (r"defend (?P<what>\S.*?) with (?P<many>\d+|an?) (?P<spies>sp(?:y|ies))", r"\g<many> \g<spies> defend \g<what>"),
        (
            r"(?P<spies>(?:(?:\d+|an?) )?sp(?:y|ies)) ?:? (?:guards?|protects?|defends?) (?P<what>\S.*)",
            r"\g<spies> defend \g<what>",
        ),
        (r"(?P<verb>build|buy|bid \d+ (?:on|for)) (?:the )?wonder (?P<what>\S.*)", r"\g<verb> \g<what>"),
        (rf"become an? (?P<what>(?:{'|'.join(GOVERNMENTS)})\b.*)", r"Revolution to \g<what>"),
    )
)
_LONGEST = 200
_SECOND_CHOICE = re.compile(
    rf"\s*\(\s*(?P<or>(?:or(?:\s+else)?|else|otherwise|alternatively|backup|fallback)\b\W*(?:(?:at|in)\s+)?{_LISTED}"
    rf"(?:\s+if\s+(?:taken|occupied|needed|necessary))?|{_LISTED}\s+as\s+(?:an?\s+)?(?:backup|fallback|alternative))\s*\)",
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

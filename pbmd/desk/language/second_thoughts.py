"""Second thoughts: what people write who change, take back or leave open what they have written, in the language of orders."""

import re
from collections.abc import Callable

from pbmd.desk.language.order_words import COMMON, ends_with_colon, tokens_of
from pbmd.rules.unsure import LEFT_OPEN

_MOST_OF_CHANGE = 12
"""So many words has a line that only changes something; longer ones are sentences about other things, too."""
_FORGET = "(?<!forgive and )forget"
_CLAUSE = r"(?:^|[.,;:!?]|\b(?:please|sorry|no|and|but|so|actually|ps|p\.s\.)\b)\W{0,3}"
_THAT = (
    r"(?:this|that|it|these|those|them|everything|all|both|above|previous|earlier|first|second|last|other|"
    r"lines?|orders?|moves?|mail)"
)
_MAY_CHANGE = "(?:may|might) (?:still )?(?:change|revise|amend|update)"
_UNFINISHED = rf"to be (?:continued|completed)|work in progress|unfinished|incomplete|{_MAY_CHANGE} (?:my|the)"
_NOT_DONE = r"\bnot (?:yet )?(?:done|finished|complete|ready)(?: yet)?\W*$"
_LEFT_OPEN = re.compile(rf"\b(?:{LEFT_OPEN}|{_UNFINISHED})\b|{_NOT_DONE}", re.IGNORECASE)
"""What they write of orders that are not the last word, and of a dinner, too."""
_NO_FAREWELL = r"(?!more (?:soon|later|tomorrow|tonight|shortly|to come)\W*$)"
_REST_LATER = (
    r"(?:the )?(?:more|rest|others?)(?: (?:orders?|moves?|of (?:it|them)|is|are|will|comes?))*"
    r"(?: (?:to (?:follow|come)|follows?|later|tomorrow|tonight|soon|shortly))+\W*$"
)
"""What they write whose orders go on in another mail; with "More soon!" people end letters, too."""
_CHANGES = re.compile(
    rf"\b(?:if|unless|otherwise|instead|cancel|ignore|scrap|skip|{_FORGET}|disregard|{LEFT_OPEN}|"
    r"correct(?:ion|ed)?|rather|don'?t|do not|not|"
    r"oops|wait|hold on|nope|wrong|mistake|typo|i mean(?:t)?|never ?mind|change[ds]?|make (?:that|it|this)|swap|switch|replace|"
    r"delete|scratch|second thoughts?|should (?:be|read|have been)|"
    r"remove|drop|double|undo|void|null|rejected|declined?|withdrawn?|"
    r"(?:first|second|third|last|other) (?:one|line|order))\b|^\W*(?:no|never|actually|edit)\b|"
    rf"\b(?:{_UNFINISHED}|{_MAY_CHANGE} {_THAT})\b|{_NOT_DONE}|{_CLAUSE}{_REST_LATER}",
    re.IGNORECASE,
)
"""What people write who change what they have written, in the language of the orders."""
_TAKING = f"(?:cancel|scrap|scratch|ignore|{_FORGET}|disregard|undo|void|withdraw|delete|remove|skip|replace)"
_NAMED = r"(?:\d|(?-i:[A-Z]))"
_TAKES_BACK = re.compile(
    rf"{_CLAUSE}{_TAKING}(?:\W*$|\W+(?:{_NAMED}|(?:\w+\W+){{0,3}}?{_THAT}\b))|"
    rf"{_CLAUSE}(?:rather\W+(?:not\b|{_NAMED})|edit\W*:|make (?:that|it|this) {_NAMED}|(?:wait|hold) (?:with|until|till)\b)|"
    rf"{_CLAUSE}(?:oops|nope|hold on|wait|stop|never ?mind)(?:\W*$|[.,;:!?]*\W+{_THAT}\b)|"
    rf"\bnot {_NAMED}\w*(?: \w+)?,? but\b|\b{_THAT}\W+instead\b|\bhold on[.,;:!]|"
    rf"{_CLAUSE}{_NO_FAREWELL}{_REST_LATER}|\b{_MAY_CHANGE} {_THAT}\b|"
    r"\b(?:typo|correction|i mean(?:t)?(?! (?:it|well|no)\b|\W*$)|no,? wait|second thoughts?|changed my mind|"
    r"make (?:that|it|this) (?:one|two|three|four|five|six|seven|eight|nine|ten)|should read|"
    r"wrong (?:number|one|line|order|way round|place|target|name)|not (?:yet )?final|not sure yet|"
    rf"(?:do not|don'?t) (?:carry|do|execute|process|send|take|count|use) {_THAT}"
    r"(?! (?:again|to|person\w+|the wrong|serious\w*|amiss|too|so|as)\b))\b",
    re.IGNORECASE,
)
"""The same where nothing else can be meant; of words that stand in small talk, too, only what commands."""
_MAY_TAKE_BACK = re.compile(
    r"\b(?:instead|oops|nope|i mean(?:t)?|never ?mind|hold on|wrong|not \w+(?: \w+)?,? but|should have been|not sure|"
    r"(?<!can )(?<!could )(?<!n't )make (?:that|it|this)|(?<!n't )wait)\b|"
    rf"{_CLAUSE}(?:{_TAKING}|rather)\b|\brather\W*$",
    re.IGNORECASE,
)
"""What does so beside a word of orders, or a number."""
_DRAFT = re.compile(r"\bdrafts?\b(?:(?: +|-)(?P<behind>\w+))?", re.IGNORECASE)
_BRIEF = 2
"""A line of so few words says nothing of its own: "tentative ideas"."""
_PARTS_OF_ORDERS = (
    "this these those them everything above order orders move moves line lines mail turn plan plans version versions details "
    "number numbers amount amounts target targets set list sheet idea ideas proposal"
)
_OF_ORDERS = frozenset(_PARTS_OF_ORDERS.split())
"""What may be left open in orders, and what people call them."""
_EMPTY = (
    "i we am m re be been are was were a an all both they some my our me us may might can could will would still only just "
    "very quite not yet so far now then too also but since until please sorry well here there what which about mind more later "
    "soon today tonight tomorrow ps p s"
)
_OF_NOTHING_ELSE = COMMON | frozenset(_EMPTY.split())
"""Words of a sentence that name nothing of which it could be said."""
_CLAUSE_ENDS = re.compile(r"[.,;:!?…]+(?=\s|$)")
_NOTICE = re.compile(r"\b(?:e-?mails?|recipients?|addressees?|received|in error|confidential\w*)\b", re.IGNORECASE)
"""Words of notices below mails: what is to be ignored there is the mail, if it went astray."""


def says_change(text: str) -> bool:
    """Whether a line seems to say that something else is to be changed."""
    return _CHANGES.search(text) is not None or _is_draft(text)


def leaves_open(text: str) -> bool:
    """Whether a line says that the orders beside it may still change."""
    return _LEFT_OPEN.search(text) is not None or _is_draft(text)


def takes_back(text: str, has_word: Callable[[str], bool]) -> bool:
    """Whether a line of a few words takes back, or changes, what stands beside it; `has_word` tells words of orders."""
    if len(text.split()) > _MOST_OF_CHANGE or _NOTICE.search(text):
        return False
    may = _MAY_TAKE_BACK.search(text) is not None and (has_word(text) or any(map(str.isdigit, text)))
    return may or _TAKES_BACK.search(text) is not None or _leaves_open(text, has_word) or _is_draft(text)


def _is_draft(text: str) -> bool:
    """Whether a line calls what stands beside it a draft, and no other thing behind that word: "draft beer"."""
    if _DRAFT.search(text) is None:
        return False
    behind = ((found["behind"] or "").casefold() for found in _DRAFT.finditer(text))
    return any(not word.isalpha() or word in _OF_ORDERS or word in _OF_NOTHING_ELSE for word in behind)


def _leaves_open(text: str, has_word: Callable[[str], bool]) -> bool:
    """Whether a line says that the orders beside it may still change; not a sentence that says so of something else: "Dinner is
    to be confirmed."."""
    if _LEFT_OPEN.search(text) is None:
        return False
    tokens = tokens_of(text)
    if len(tokens) <= _BRIEF or ends_with_colon(text) or has_word(text) or any(map(str.isdigit, text)):
        return True
    left = (_LEFT_OPEN.sub(" ", clause) for clause in _CLAUSE_ENDS.split(text) if _LEFT_OPEN.search(clause))
    return not _OF_ORDERS.isdisjoint(tokens) or any(_OF_NOTHING_ELSE.issuperset(tokens_of(each)) for each in left)

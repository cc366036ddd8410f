"""Whether a line above orders says whose they are: somebody else's, or nobody's yet, since they are only proposed.

Whoever copies them in for their allies, or thinks aloud, does not order them. Such a line goes on with what stands below it: it
ends with a colon, or with no mark at all; or it is a sentence that points there ("These are Tom's ideas.").
"""

import re
from collections.abc import Collection, Sequence

from pbmd.desk.language.order_words import ends_with_colon, tokens_of
from pbmd.desk.language.vocabulary import LEADS_TO_ORDERS

_PROPOSED = re.compile(r"\b(?:suggest|propos|recommend|advi[sc]e)\w*|\bideas?\b", re.IGNORECASE)
_SAYING = re.compile(
    r"(?P<who>.*?)\b(?:said|says?|told|asked|asks|wrote|writes|wants|wanted|thinks|thought|"
    r"would (?:do|play|order|like|want))\b",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(r"\b(?:i|we|as)\b|^\W*$", re.IGNORECASE)
"""Before a word of saying: who writes, or nobody."""
_POINTING = frozenset(("these", "this", "here", "below", "following"))
"""Words of a sentence about what stands below it."""
_LEADING = LEADS_TO_ORDERS | frozenset(("s", "by", "from", "to"))
_MOST_WORDS = 15


def is_of_others(text: str, others: Collection[str]) -> bool:
    """Whether a line says that the orders below it are those of somebody else, such as of one of the `others` who play, or what
    somebody proposes."""
    tokens = tokens_of(text)
    if not tokens or len(tokens) > _MOST_WORDS:
        return False
    is_proposal = _PROPOSED.search(text) is not None
    if not (text.rstrip()[-1].isalnum() or ends_with_colon(text)):
        return is_proposal and not _POINTING.isdisjoint(tokens)
    return is_proposal or _is_said_by_another(text) or any(_is_headed(tokens, name) for name in others)


def _is_said_by_another(text: str) -> bool:
    found = _SAYING.match(text)
    return found is not None and _OWN_WORDS.search(found["who"]) is None


def _is_headed(tokens: Sequence[str], name: str) -> bool:
    """Whether a line is the name of somebody, with no other words than those that lead to orders."""
    said = tokens_of(name)
    places = (at for at in range(len(tokens)) if list(tokens[at : at + len(said)]) == said)
    return any(_LEADING.issuperset((*tokens[:at], *tokens[at + len(said) :])) for at in places)

"""The words of a line, each with what it can be in an order: a unit's kind, a place, a verb, a mark. For lines that the grammar
cannot read (`lenient`): here dashes are optional, places are known from the map, and polite words are ignored."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbmd.rules.lines import line_cache

from ...world.board import board
from .candidates import Candidates, candidates, differs_once, plain

MOST_TOKENS = 120


class Token(NamedTuple):
    """What a word is, by a letter: K a kind of unit, P a place, - a dash, T to, M a move, S, C, H, R, D, B, V by convoy, F
    from, O off the board, W with, + a sum, & and, o or, else the mark itself. `text` is what is written, `coast` of a place,
    `guess` the word that a misspelt one is taken for."""

    tag: str
    text: str = ""
    meant: Candidates = Candidates()
    coast: str = ""
    guess: str = ""


_WORDS: Mapping[str, str] = {
    word: tag
    for tag, words in {
        "K": "a amy army armies armee f fleet fleets flotte flt",
        "H": "h hd hld hold holds holding stand stands standing stay stays staying remain remains sit sits idle waits",
        "S": "s sup supp spt supt support supports supporting helps assists",
        "C": "c cto conv cvy convoy convoys convoying convoyed t transport transports transporting ferry ferries carry carries",
        "M": "m mv move moves moving go goes going attack attacks attacking advance advances march marches sail sails mto",
        "R": "r ret rto retr retreat retreats retreating withdraw withdraws",
        "D": "d dsb disband disbands disbanded disbanding destroy destroys destroyed remove removes removed removing rem "
        "debuild scrap scraps drop drops kill kills",
        "B": "b bld build builds built building place places raise raises create creates add adds construct constructs",
        "T": "to into towards toward on",
        "V": "via by",
        "F": "from",
        "W": "with",
        "O": "otb off",
        "&": "and then",
        "o": "or",
        "x": "the an at in of my our unit units please pls thanks thx will shall should one new it its own",
    }.items()
    for word in words.split()
}
"""Words by their tags; "x" is ignored."""
_COMPASS = ("north", "south", "east", "west")
_PHRASES: Mapping[str, str] = {
    **dict.fromkeys(("off the board", "off board"), "O"),
    **dict.fromkeys(("heads for", "heads to", "head for", "makes for"), "M"),
    **dict.fromkeys(("falls back", "fall back"), "R"),
    **dict.fromkeys(("gives support to", "gives support"), "S"),
    **dict.fromkeys(("does nothing", "do nothing"), "H"),
    **dict.fromkeys(("in place", "in position"), "H"),
    **dict.fromkeys(("by land", "over land", "overland"), ""),
    **{f"{way}{wards} {to}": "T" for way in _COMPASS for wards in ("", "ward", "wards") for to in ("to", "into", "towards")},
    **{f"{how}{article} convoy": "V" for how in ("with", "using", "by", "via", "in") for article in ("", " a")},
}
"""Words that have a tag together."""
_GOES_ON = frozenset(("of", "to", "for"))
"""What makes something else of a phrase for holding: ``in place of A Bud``."""
_AFTER_HOLD = frozenset(("position", "put", "fast", "firm", "still", "ground", "place", "tight"))
"""What may stand behind the word for holding: ``stays put``."""
_IS = frozenset(("is", "are", "be"))
_ELSE = re.compile(
    r"all|any|anything|both|but|cannot|cant|dont|don't|either|else|every|everything|except|if|instead|maybe|neither|never|no|nobody|"
    r"none|not|nothing|only|others?|perhaps|rest|unless|until|what|when|where|which|while|who",
    re.IGNORECASE,
)
"""Words that turn an order into something else: whoever writes one is asked."""
_SEAS = ("sea", "ocean", "channel", "bight", "gulf")
_TOKEN = re.compile(r"-+>?|=+>|>|[^\W\d_]+(?:'[^\W\d_]+)*|\d+|\S")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_MARKS: Mapping[str, str] = {",": ",", ";": ",", ".": ".", "+": "+", "&": "&", "/": "/", **dict.fromkeys("?!\"':1", "x")}
_LIKE_DASHES = frozenset("~_")
"""What may stand for a dash behind a place; elsewhere these are other marks."""
_COASTS: Mapping[str, str] = {
    **{f"{letter}c": f"{letter.upper()}C" for letter in "nsew"},
    **{
        f"{word}{rest}": f"{word[0].upper()}C"
        for word in ("north", "south", "east", "west")
        for rest in (" coast", "coast", "c", "", "ern coast")
    },
    **{f"{letter} coast": f"{letter.upper()}C" for letter in "nsew"},
    **dict.fromkeys(("nk", "nordkuste", "nordkueste", "noordkust", "cn", "cote nord"), "NC"),
    **dict.fromkeys(("sk", "zk", "sudkuste", "suedkueste", "zuidkust", "cs", "cote sud"), "SC"),
    **dict.fromkeys(("ok", "ostkuste", "ostkueste", "oostkust", "ce", "cote est"), "EC"),
}
"""The names of coasts, in other languages, too."""
_SHORT_COASTS: Mapping[str, str] = {**_COASTS, **{letter: f"{letter.upper()}C" for letter in "nsew"}}
_LONGEST_NAME = 5


def count_words(text: str) -> int:
    """How many words and marks a line has."""
    return len(_TOKEN.findall(text))


@line_cache(4096)
def tagged(map_name: str, text: str) -> tuple[Token, ...] | None:
    """The words of a clean line with their tags; None if one of them means nothing here, or there are too many."""
    words = _TOKEN.findall(text)
    if len(words) > MOST_TOKENS:
        return None
    found: list[Token] = []
    start = 0
    while start < len(words):
        step = _one(map_name, words, start, found)
        if step is None:
            return None
        tokens, start = step
        found += tokens
    return tuple(found)


_Step = tuple[list[Token], int]


@line_cache(4096)
def tag_of(word: str) -> str:
    """The tag of a word that is known independently of its context, "" for any other."""
    return _WORDS.get(plain(word), "")


def _one(map_name: str, words: list[str], start: int, before: list[Token]) -> _Step | None:
    """The tokens that begin here, and where the next ones do."""
    word = words[start]
    if word[0] in "-=>":
        return [Token("-", word)], start + 1
    if word in _LIKE_DASHES and before and before[-1].tag == "P" and start + 1 < len(words):
        return [Token("-", word)], start + 1
    if not _WORD.fullmatch(word):
        return ([Token(_MARKS[word], word)] if _MARKS[word] != "x" else [], start + 1) if word in _MARKS else None
    if _ELSE.fullmatch(word):
        return None
    if (phrase := _phrase(words, start, before)) is not None:
        return phrase
    return _name(map_name, words, start) or _of_a_coast(map_name, words, start) or _word(map_name, words, start, before)


def _phrase(words: list[str], start: int, before: list[Token]) -> _Step | None:
    """Words that mean something together; an article, or a form of "to be", is left out."""
    last = before[-1].tag if before else ""
    for end in (start + 3, start + 2, start + 1):
        text = " ".join(words[start:end])
        tag = _PHRASES.get(text.casefold())
        if tag is not None and not (tag == "H" and _goes_on(words, end)):
            return [Token(tag, text)] if tag not in ("", last) else [], end
    return _left_out(words, start, last)


def _left_out(words: list[str], start: int, last: str) -> _Step | None:
    """Words that say nothing of their own behind the `last`, or before the next; None if these do."""
    word, following = words[start].casefold(), words[start + 1] if start + 1 < len(words) else ""
    if last == "H" and word in _AFTER_HOLD:
        return [], start + 1
    if word in _IS and following == "to" and tag_of(" ".join(words[start + 2 : start + 3])) in tuple("SCHM"):
        return [], start + 2
    is_article = word == "a" and (len(following) > 1 or words[start] + following == "aF") and tag_of(following) == "K"
    return ([], start + 1) if is_article or (word in _IS and tag_of(following) in ("C", "D")) else None


def _goes_on(words: list[str], end: int) -> bool:
    return end < len(words) and words[end].casefold() in _GOES_ON


def _word(map_name: str, words: list[str], start: int, before: list[Token]) -> _Step | None:
    """What a single word is."""
    folded, last = plain(words[start]), before[-1].tag if before else ""
    if folded in _WORDS:
        return _verb(words, start, folded)
    if folded in _SEAS and last == "P":
        return [], start + 1
    if len(folded) < 3 and last not in ("-", "K", "M") and not candidates(map_name, folded).named:
        return None  # so few letters are only a name where one must come
    return _place(map_name, words, start, start + 1) or _glued(map_name, words, start) or _misspelt(map_name, words, start)


def _verb(words: list[str], start: int, word: str) -> _Step:
    """A word that is known; ``via convoy`` and ``off the board`` are one."""
    tag, after = _WORDS[word], start + 1
    if (tag == "V" and after < len(words) and _WORDS.get(plain(words[after])) == "C") or (
        tag == "V" and after < len(words) and plain(words[after]) == "sea"
    ):
        after += 1
    return [Token(tag, " ".join(words[start:after]))] if tag != "x" else [], after


def _name(map_name: str, words: list[str], start: int) -> _Step | None:
    """A name of several words, the longest that fits."""
    for size in range(_LONGEST_NAME, 1, -1):
        end = _end_of_words(words, start, size)
        if end and (found := _place(map_name, words, start, end)):
            return found
    return None


def _end_of_words(words: list[str], start: int, size: int) -> int:
    """Where this many words end, with only dots and hyphens between them; 0 if there are none."""
    place, left = start, size
    while place < len(words):
        if _WORD.fullmatch(words[place]):
            left -= 1
            if not left:
                return place + 1
        elif words[place] not in ".-":
            return 0
        place += 1
    return 0


def _place(map_name: str, words: list[str], start: int, end: int) -> _Step | None:
    """The place that is called so, with its coast."""
    written = words[start:end]
    text = "-".join(filter(None, " ".join(written).replace(" . ", " ").split(" - ")))
    meant = candidates(map_name, _folded(text))
    if not (meant.named or meant.parts) or (len(written) > 1 and not _is_long(written)):
        return None
    name = " ".join(written).replace(" . ", ". ").replace(" - ", "-")
    return _with_coast(map_name, words, end, name, meant, is_goal=_is_goal(words, start))


def _is_long(written: list[str]) -> bool:
    """Whether several words can be a name: the last may not be a letter that is an order, as in ``F Eng C``."""
    return len("".join(written)) > 3 and (len(written[-1]) > 1 or written[-1].casefold() not in _WORDS)


def _folded(text: str) -> str:
    return "-".join(plain(part) for part in text.split("-"))


def _with_coast(map_name: str, words: list[str], end: int, text: str, meant: Candidates, *, is_goal: bool) -> _Step:
    coast, after = _coast(words, end, known=_has_coasts(map_name, meant), is_goal=is_goal)
    return [Token("P", text, meant, coast)], after


def _has_coasts(map_name: str, meant: Candidates) -> bool:
    return any(board(map_name).by_id[each].coasts for each in meant.all())


def _coast(words: list[str], end: int, *, known: bool, is_goal: bool) -> tuple[str, int]:
    """The coast after a name, with a hyphen or a stroke before it or without: only a marked one for a province that has none,
    and a letter alone only for a goal. What "of" follows is the coast of what stands behind that."""
    is_marked = end < len(words) and words[end] in "/-_"
    start = end + is_marked
    is_certain = is_marked and words[end] == "/"
    is_letter = known and not is_certain and is_goal and _is_last(words, start)
    coasts = _SHORT_COASTS if is_certain or is_letter else _COASTS if known else {}
    for size in (2, 1):
        after = start + size
        coast = coasts.get(plain(" ".join(words[start:after])), "") if after <= len(words) else ""
        if coast and words[after : after + 1] != ["of"]:
            return coast, after
    return "", end


def _is_goal(words: list[str], start: int) -> bool:
    """Whether a unit goes to the place that begins there, so that a letter behind it, if it is the last of the order, is its
    coast: ``F Mao - Spa s``, but neither ``F Spa S F Mao`` nor ``A Stp S, A Mos H``."""
    return start > 0 and words[start - 1] not in ",;.&+/" and tag_of(words[start - 1]) not in ("K", "&")


def _is_last(words: list[str], place: int) -> bool:
    return place + 1 >= len(words) or words[place + 1] in ",;."


def _of_a_coast(map_name: str, words: list[str], start: int) -> _Step | None:
    """``north coast of Spain``."""
    for size in (3, 2, 1):
        coast = _COASTS.get(plain(" ".join(words[start : start + size])), "")
        after = start + size + (start + size < len(words) and words[start + size].casefold() == "of")
        if (
            coast
            and after < len(words)
            and (found := _name(map_name, words, after) or _place(map_name, words, after, after + 1))
        ):
            (token,), end = found
            if token.tag == "P" and not token.coast and _has_coasts(map_name, token.meant):
                return [token._replace(coast=coast)], end
    return None


def _glued(map_name: str, words: list[str], start: int) -> _Step | None:
    """A kind without a blank behind it, ``AVie``, or a coast or ``VIA`` without one before it, ``SpaNC``."""
    word = words[start]
    is_name = word[-3:].islower() and candidates(map_name, _folded(word)).alike  # "Servia", but not "BulVIA"
    if word[-3:].casefold() == "via" and not is_name and (meant := candidates(map_name, plain(word[:-3]))).named:
        return [Token("P", word[:-3], meant), Token("V", word[-3:])], start + 1
    if len(word) > 3 and word[0] in "AFaf" and (meant := candidates(map_name, plain(word[1:]))).named:
        tokens, end = _with_coast(map_name, words, start + 1, word[1:], meant, is_goal=False)
        return [Token("K", word[0]), *tokens], end
    coast = _COASTS.get(word[-2:].casefold(), "")
    if coast and (meant := candidates(map_name, plain(word[:-2]))).named and _has_coasts(map_name, meant):
        return [Token("P", word[:-2], meant, coast)], start + 1
    return None


def _misspelt(map_name: str, words: list[str], start: int) -> _Step | None:
    """A name, or a verb, with a typing error; not a word that could be either."""
    verb = _misspelt_verb(plain(words[start]))
    for size in (3, 2, 1):
        end = _end_of_words(words, start, size)
        if not end or (size > 1 and (words[start] in "xX" or not _is_long(words[start:end]))):
            continue
        meant = candidates(map_name, _folded(" ".join(words[start:end]).replace(" . ", " ").replace(" - ", "-")))
        if meant.alike:
            if verb and size == 1:
                return None
            return _with_coast(map_name, words, end, " ".join(words[start:end]), meant, is_goal=_is_goal(words, start))
    return ([Token(_WORDS[verb], words[start], guess=verb)], start + 1) if verb else None


def _misspelt_verb(word: str) -> str:
    """The known word that is spelt like it, if all such words mean the same; "" for none."""
    near = [known for known, tag in _WORDS.items() if len(known) > 3 and tag != "x" and differs_once(word, known)]
    return near[0] if len(word) > 3 and len({_WORDS[known] for known in near}) == 1 else ""

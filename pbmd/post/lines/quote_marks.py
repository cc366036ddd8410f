"""The marks of quotes that are no ">": initials and names of who is quoted, and whatever else programs put before lines."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile

from pbmd.post.lines.letterhead import may_have_head
from pbmd.post.lines.text import normal, without_bullet

IsOrder = Callable[[str], bool]
"""Whether a line is, or is nearly, an order or a command: its writer has written it, wherever it stands."""


def is_none(_line: str) -> bool:
    """For callers that know no orders."""
    return False


MOST_ASKED = 100
"""So many lines the rules are asked about: a flood of them must not take long."""


def may_have_marks(bodies: Sequence[str]) -> bool:
    """Whether there may be a quote in these lines, or a mail of somebody, of which orders tell that it is one: in hardly any
    mail."""
    return _may_have_initials(bodies) or _may_have_odd_marks(bodies) or may_have_head(bodies)


def unmark(
    lines: Sequence[str], bodies: list[str], depths: list[int], is_order: IsOrder, is_taken: IsOrder, is_ours: IsOrder
) -> None:
    """Remove the marks of quotes from lines that are not known as quoted yet, `bodies` without blanks around them. What stands
    behind a mark is told from a list of the writer's by what `is_taken` as an order, and by what `is_ours`. Messages stay as
    they are."""
    messages = messages_in(bodies, depths)
    known = [-1 if i in messages else depth for i, depth in enumerate(depths)]  # only lines of depth 0 are looked at
    if is_ours is not is_none:
        _unmark_ours(bodies, known, is_ours)
    if is_taken is not is_none:
        if _may_have_initials(bodies):
            _unmark_initials(bodies, known, is_order, is_taken)
        _unmark_introduced(lines, bodies, known, is_taken, is_ours)
        if _may_have_odd_marks(bodies):
            _unmark_odd(bodies, known, is_taken)
    depths[:] = [max(depth, 0) for depth in known]


_END = re.compile(r"end\s*([^\W\d_]+)[.!]?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_BEGINNING = 40
_SAME = 5
"""So many first letters of two words are the same: of "announce" and "announcement"."""


def messages_in(bodies: Sequence[str], depths: Sequence[int]) -> frozenset[int]:
    """The unquoted lines from one that opens a text for others to the one that closes it, as PRESS TO … and END PRESS do: one
    of the first two words of the one stands behind END in the other."""
    if "end" not in "\n".join(bodies).lower():  # as in most letters
        return frozenset()
    ends = _ends_of_messages(bodies, depths) if any(map(_closed, bodies)) else {}
    last, inside = -1, set[int]()
    for i, depth in enumerate(depths) if ends else ():
        last = max(last, ends.get(i, -1))
        if i < last and not depth:
            inside.add(i)
    return frozenset(inside)


def _ends_of_messages(bodies: Sequence[str], depths: Sequence[int]) -> dict[int, int]:
    """Where messages end, by where they begin."""
    begun: dict[str, int] = {}
    ends: dict[int, int] = {}
    for i, body in enumerate(bodies):
        if depths[i]:
            continue
        if closed := _closed(body):
            ends[begun.pop(_stem(closed), i)] = i
        else:
            for word in _WORD.findall(body[:_BEGINNING])[:2]:
                begun.setdefault(_stem(word), i)
    return ends


def _closed(body: str) -> str:
    """What a line closes, empty if nothing."""
    found = _END.fullmatch(without_bullet(normal(body))) if len(body) < _BEGINNING and "end" in body.lower() else None
    return found[1] if found else ""


def _stem(word: str) -> str:
    return word.casefold()[:_SAME]


# Marks of any kind, before lines of our own mails

_MARK_CHARS = 16
_ANY_MARK = re.compile(r"&gt;|[^\w\s#]+")
_LEAST_OURS, _LEAST_CHARS = 3, 8
"""So many lines of ours, of so many characters, behind one mark are a quote."""


def _unmark_ours(bodies: list[str], depths: list[int], is_ours: IsOrder) -> None:
    """Remove whatever stands alike before several lines of our mail, and before those among them. The bullets of a list are no
    such mark: orders of the writer's may stand behind them, too."""
    found: dict[str, set[str]] = defaultdict(set)
    for body, depth in zip(bodies, depths, strict=True):
        if not depth and len(body) > _LEAST_CHARS and not is_ours(body):
            for mark in _marks_before(body):
                rest = body[len(mark) :].strip()
                if len(rest) >= _LEAST_CHARS and is_ours(rest):
                    found[mark].add(rest)
    marks = tuple(mark for mark, rests in found.items() if len(rests) >= _LEAST_OURS)
    for i, body in enumerate(bodies) if marks else ():
        if not depths[i] and (mark := next(filter(body.startswith, marks), "")):
            bodies[i], depths[i] = body[len(mark) :].strip(), 1


def _marks_before(body: str) -> Iterator[str]:
    """What may be the mark of a quote at the beginning of a line: it ends with a sign that is neither letter nor digit."""
    for match in _ANY_MARK.finditer(body, 0, _MARK_CHARS):
        mark = body[: match.end()]
        if "#" not in mark and without_bullet(f"{normal(mark)} x") != "x":
            yield mark


# Marks of any kind, below a line that says whom they quote

_INDENTED = ("  ", "\t")
_PLAIN = frozenset("#\"'([*_")
"""Signs with which a line of the writer's may begin."""


def _introduces(body: str) -> bool:
    """Whether a line names somebody by their address, and announces what stands below it."""
    return "@" in body and normal(body[-_MARK_CHARS:])[-1:] == ":"


def _unmark_introduced(lines: Sequence[str], bodies: list[str], depths: list[int], is_taken: IsOrder, is_ours: IsOrder) -> None:
    """Remove the marks below such a line, if an order stands without one elsewhere. Our own mails are known without that."""
    seen: set[int] = set()
    found: dict[int, str] = {}
    for head in islice((i for i, body in enumerate(bodies) if not depths[i] and _introduces(body)), MOST_ASKED):
        quote = {} if head in seen else _marked_below(lines, bodies, depths, head)
        seen.update(quote)
        if not any(is_ours(bodies[i]) for i in quote):
            found |= quote
    plain = (body for i, body in enumerate(bodies) if body and not depths[i] and i not in found)
    if found and any(map(is_taken, islice(plain, MOST_ASKED))):
        for i, mark in found.items():
            bodies[i], depths[i] = bodies[i][len(mark) :].strip(), 1


def _marked_below(lines: Sequence[str], bodies: Sequence[str], depths: Sequence[int], head: int) -> dict[int, str]:
    """The lines below line `head` that begin with the same sign, which is no bullet, or that are indented, with that sign."""
    begin = next((i for i in range(head + 1, min(head + 3, len(bodies))) if bodies[i]), head)
    sign = bodies[begin][0]
    if not (sign.isalnum() or sign in _PLAIN or without_bullet(f"{normal(sign)} x") == "x"):
        quoted = takewhile(lambda i: not depths[i] and bodies[i][:1] in ("", sign), range(begin, len(bodies)))
    elif lines[head].startswith(_INDENTED):
        return {}
    else:
        sign = ""
        quoted = takewhile(
            lambda i: not depths[i] and (not bodies[i] or lines[i].startswith(_INDENTED)), range(begin, len(bodies))
        )
    return {i: sign for i in quoted if bodies[i]}


# Marks with initials

_INITIALS = re.compile(r"(?P<who>[^\W\d_]{2,12})(?P<marks>>[> \t]*)(?P<rest>.*)", re.DOTALL)
_ANY_INITIALS = re.compile(r"^[ \t]*[^\W\d_]{2,12}>", re.MULTILINE)
_SENTENCE = 4
"""So many words of a quoted line are a sentence."""


def _may_have_initials(bodies: Sequence[str]) -> bool:
    """Whether a line begins as a quote that is marked with initials does: hardly any mail has one."""
    text = "\n".join(bodies)
    return ">" in text and _ANY_INITIALS.search(text) is not None


_ODD = re.compile(r"(?P<mark>[|:»›＞]) ?(?P<rest>[^|]*[^|\s])\s*")
"""A mark before a quoted line that is no ">": also before items of a list, or in a table of one column."""
_ANY_ODD = re.compile(r"^[ \t]*[|:»›＞] ?\w", re.MULTILINE)


def _may_have_odd_marks(bodies: Sequence[str]) -> bool:
    """Whether a line begins as a quote with another mark than ">" does: hardly any mail has one."""
    return _ANY_ODD.search("\n".join(bodies)) is not None


def _unmark_odd(bodies: list[str], depths: list[int], is_taken: IsOrder) -> None:
    """Remove other marks of quotes where an order stands without one. If one stands behind such a mark, it may be the
    writer's: then they are those of a list."""
    marked = {i: match for i, body in enumerate(bodies) if not depths[i] and (match := _ODD.fullmatch(body)) is not None}
    plain = (body for i, body in enumerate(bodies) if body and not depths[i] and i not in marked)
    if not any(map(is_taken, islice(plain, MOST_ASKED))) or len(marked) > MOST_ASKED:
        return
    if not any(is_taken(match["rest"]) for match in marked.values()):
        for i, match in marked.items():
            bodies[i], depths[i] = match["rest"], 1


def behind_marks(line: str) -> Iterator[str]:
    """What may stand behind the mark of a quoted line, if that is no ">", or behind one with initials."""
    plain = line.lstrip("> \t")
    if found := _INITIALS.match(plain) or _ODD.fullmatch(plain):
        yield found["rest"]
    if line[:1] != ">":
        yield line
        yield from (line[len(mark) :] for mark in _marks_before(line))


def _unmark_initials(bodies: list[str], depths: list[int], is_order: IsOrder, is_taken: IsOrder) -> None:
    """Remove marks with initials. No order has a word and ">" before what is a whole order itself, or a sentence: where one
    line begins so, all do that begin with the same word and are no orders as they stand ("Par> Bur")."""
    marked = ((i, _INITIALS.match(body)) for i, body in enumerate(bodies) if not depths[i] and ">" in body[:14])
    begun = [(i, match) for i, match in marked if match is not None]
    found = {i: match for nth, (i, match) in enumerate(begun) if nth >= MOST_ASKED or not is_taken(bodies[i])}
    quoted = {match["who"] for match in islice(found.values(), MOST_ASKED) if _is_quoted(match, is_order, is_taken)}
    for i, match in found.items():
        if match["who"] in quoted:
            bodies[i], depths[i] = match["rest"], match["marks"].count(">")


def _is_quoted(match: re.Match[str], is_order: IsOrder, is_taken: IsOrder) -> bool:
    rest = match["rest"]
    if match["marks"].count(">") > 1 or is_taken(rest):
        return True
    is_sentence = len(rest.split()) >= _SENTENCE and not any(map(str.isdigit, rest))
    return is_sentence and not is_order(rest) and not is_order(match[0])

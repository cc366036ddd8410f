"""Several orders in one line, and orders below the verb that they share: the rules read line by line, one order in each.

A line that the rules refuse is read as several if each of its parts is an order with which nothing is wrong, alone and beside
the others. A part may lack the verb of the first: "Defend Sol with 5 units, Vega with 3". So may the items below a verb with a
colon.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from pbmd.desk.language.marks import insides, without_politeness
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import READ_CHARS, READ_LINES
from pbmd.post.lines.text import without_bullet
from pbmd.rules.protocol import Line, Mail, Status, Verdict
from pbmd.rules.troubles import BrokenGame

_MOST_LINES, _MOST_PARTS = 10, 6
"""So many refused lines are tried, and of each so many parts: the rules are asked about each run of parts."""
_SENTENCES = re.compile(r"\s*;\s*|\s+/\s+|(?<=\w)[.!]\s+(?=\w)|(?<=[a-z])[.!](?=[A-Z])")
_PIECES = re.compile(
    r"(\s*;\s*|\s+/\s+|(?<=\w)[.!]\s+(?=\w)|(?-i:(?<=[a-z])[.!](?=[A-Z]))|\s*,\s+|\s+(?:and|then|&|\+)\s+)", re.IGNORECASE
)
_JOINING = re.compile(r"^(?:(?:and|then|also|finally|next|now)\b,?\s+)+(?=\S)", re.IGNORECASE)
_LABEL = re.compile(r"([^:;,]{1,30}:)\s+(\S.*)")
_VERB = re.compile(r"[^\W\d_]+(?:\s+\d+(?=\s+[^\W\d]))?")
"""A verb, with the number that an order may have behind it: "MOVE 1"."""
_TAIL = re.compile(r"\s(?:at|on|in|to|onto|from)\s(?!.*\b\d+\b).+", re.IGNORECASE)
"""What may be meant for what stands before it, too: "army and fleet at Aquila"; not a number, which may be for all together."""
_TAIL_OF_EACH = re.compile(r"\s(?:(?:with|at|on|in|to|onto|from)\s|(?=\d)).+", re.IGNORECASE)
"""The same where each shall have it: "Defend Sol and Vega with 5 units each"."""
_EACH = re.compile(r",?\s+each\b", re.IGNORECASE)
_HEAD = re.compile(
    r"(?:(?!\b(?:with|at|on|in|to|onto|from|against)\b)\D)+\s(?:(?:with|at|on|in|to|against)\s+|(?=\d))", re.IGNORECASE
)
"""What those behind it may share, without a number, which may be for all together: "Declare war on", "Give Borealis"."""
_HEAD_OF_EACH = re.compile(r".+?\s(?:at|on|in|to|against)\s+", re.IGNORECASE)
"""The same where each shall have what is numbered: "Invest 5 units each in"."""
_PLACED = re.compile(r"\s(?:at|on|in|to|onto|from|with|against)\s", re.IGNORECASE)
_HEADING = re.compile(r"[\s*_=#•-]*([^\W\d_][^\W_]*(?:['’]t)?(?: [^\W\d_]+){0,2}) ?:[\s*_=-]*")
"""A verb with a colon; beside it may be what makes it a heading, but no sign that strikes it out, or leaves it open."""


class _Rules:
    """What the rules say of lines that a seat would send, nothing else being sent."""

    def __init__(self, sender: Sender, arrived: Arrived) -> None:
        self._sender, self._arrived = sender, arrived

    def verdicts(self, texts: Sequence[str]) -> tuple[Verdict, ...]:
        lines = tuple(Line(number, text) for number, text in enumerate(texts, start=1))
        mail = Mail(self._sender.seat.name, lines, self._arrived.arrival)
        said = self._sender.table.ruleset.receive(self._sender.table.position, mail).verdicts
        return tuple(each for each in said if each.line)

    def orders(self, *texts: str) -> tuple[str, ...]:
        """The orders in these lines; none if something is wrong with one of them, or is remarked on."""
        said = self.verdicts(texts)
        is_right = all(each.status is Status.OK and each.canonical for each in said)
        return tuple(each.canonical for each in said) if is_right and {each.line for each in said} == _numbers(texts) else ()

    def are_orders(self, texts: Sequence[str]) -> bool:
        """Whether each of these lines is an order alone, and the same beside the others, if with a remark on its costs."""
        alone = [self.orders(text) for text in texts]
        if not all(alone):
            return False
        said = self.verdicts(texts)
        is_taken = all(each.status is not Status.ERROR for each in said) and {each.line for each in said} == _numbers(texts)
        return is_taken and sorted({each.canonical for each in said}) == sorted({each for orders in alone for each in orders})


def _numbers(texts: Sequence[str]) -> set[int]:
    return {*range(1, len(texts) + 1)}


def with_orders_apart(sender: Sender, arrived: Arrived, lines: Sequence[Line], answer: Answer) -> tuple[Line, ...]:
    """The order lines, those with several orders as several lines with the number of theirs; the answer tells which."""
    refused = _refused(sender, arrived, lines)
    tried = [line for line in lines if line in refused][:_MOST_LINES]
    if not tried:
        return tuple(lines)
    rules = _Rules(sender, arrived)
    return tuple(each for line in lines for each in (_apart(rules, line, answer) if line in tried else (line,)))


def with_verbs_of_headings(sender: Sender, arrived: Arrived, lines: Sequence[Line], answer: Answer) -> tuple[Line, ...]:
    """The order lines, those below the verb that they share with it; the answer tells which."""
    refused = _refused(sender, arrived, lines)
    return _below_headings(_Rules(sender, arrived), lines, refused, answer) if refused else tuple(lines)


def _refused(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that the rules refuse; none of a letter that is too long to be tried, or of a game that cannot be read."""
    if sender.table.position is None or not 0 < len(lines) <= READ_LINES or any(len(line.text) > READ_CHARS for line in lines):
        return frozenset()
    try:
        return _wrong(sender, arrived, lines)
    except BrokenGame:
        return frozenset()


def _wrong(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[Line]:
    mail = Mail(sender.seat.name, tuple(lines), arrived.arrival)
    said = sender.table.ruleset.receive(sender.table.position, mail).verdicts
    wrong = {each.line for each in said if each.status is Status.ERROR}
    return frozenset(line for line in lines if line.number in wrong)


# Below a verb


def _below_headings(rules: _Rules, lines: Sequence[Line], refused: frozenset[Line], answer: Answer) -> tuple[Line, ...]:
    """The lines; those below a verb with a colon that are orders with it are so, and it is gone. At least two must be, or the
    rules read the verb over as a heading: one below any other may be the rest of it (`broken_lines`)."""
    read = list(lines)
    for place, heading in enumerate(lines):
        found = _HEADING.fullmatch(heading.text)
        items = _items(lines[place:], refused) if found else []
        if found is None or len(items) < (2 if heading in refused else 1):
            continue
        for verb in dict.fromkeys((found[1], found[1].removesuffix("s"))):
            said = {item: f"{verb} {without_bullet(item.text).rstrip('.,; ')}" for item in items}
            if not all(rules.orders(text) for text in said.values()):
                continue
            read = [Line(line.number, said[line]) if line in said else line for line in read if line is not heading]
            answer.remark(f'{_lines_of(items)} read with "{found[1]}" from line {heading.number}.')
            break
    return tuple(read)


def _lines_of(items: Sequence[Line]) -> str:
    """ "Line 2 of your mail was", "Lines 2 to 4 of your mail were"."""
    first, last = items[0].number, items[-1].number
    if len(items) == 1:
        return f"Line {first} of your mail was"
    return f"Lines {first} {'and' if len(items) == 2 else 'to'} {last} of your mail were"


def _items(lines: Sequence[Line], refused: frozenset[Line]) -> list[Line]:
    """The refused lines right below the first, down to the next heading."""
    heading, *below = lines
    numbered = enumerate(below, start=heading.number + 1)

    def is_item(each: tuple[int, Line]) -> bool:
        number, line = each
        return line.number == number and line in refused and _HEADING.fullmatch(line.text) is None

    return [line for _, line in takewhile(is_item, numbered)]


# In one line


def _apart(rules: _Rules, line: Line, answer: Answer) -> tuple[Line, ...]:
    for parts in chain.from_iterable(_ways(rules, text) for text in (line.text, *insides(line.text))):
        if len(parts) > 1 and (rules.orders(*parts) or rules.are_orders(parts)):
            answer.remark(f"Line {line.number} of your mail was read as {len(parts)} orders.")
            return tuple(Line(line.number, part) for part in parts)
    return (line,)


def _ways(rules: _Rules, text: str) -> Iterator[list[str]]:
    """How a line may be taken apart: by its sentences, or by whatever stands between its pieces."""
    sentences = [part for part in map(_bare, _SENTENCES.split(text)) if part]
    yield _with_label(rules, sentences)
    pieces = _PIECES.split(text)
    if 1 < len(pieces[::2]) <= _MOST_PARTS:
        yield _with_label(rules, _fewest(rules, pieces))
    if _EACH.search(text) and 1 < len(each := _PIECES.split(_EACH.sub("", text, count=1))) <= 2 * _MOST_PARTS:
        yield _fewest(rules, each, each=True)


def _bare(text: str) -> str:
    return without_politeness(_JOINING.sub("", text.strip())).rstrip(" ,;.!")


def _with_label(rules: _Rules, parts: list[str]) -> list[str]:
    """The parts, each below the label of the first if it says something: "IMPULSE 1: move this; fire that"."""
    found = _LABEL.fullmatch(parts[0]) if parts else None
    if found is None or rules.orders(found[2]) in ((), rules.orders(parts[0])):
        return parts
    return [parts[0], *(f"{found[1]} {part}" for part in parts[1:])]


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the pieces of a line may share with the first or the last: a verb, what the first begins with, what the last ends
    with, what the first has before a colon. `is_placed`: the first says where or with whom, so a bare name behind it may belong
    there; `is_led`: it begins with a verb."""

    verb: str
    head: str
    tail: str
    label: str
    is_placed: bool
    is_led: bool

    def tried(self, run: str) -> tuple[str, ...]:
        """How a piece behind the first may be meant, the likeliest first."""
        led = f"{self.verb.split()[0] if run[:1].isdigit() else self.verb} {run}" if self.verb else run
        is_counted = run[:1].isdigit()
        may_be_place = self.is_placed and not is_counted and not _PLACED.search(run)
        ends_in_place = _PLACED.search(f"{self.head} ") is not None
        headed = (f"{self.head} {run}",) if self.head and (may_be_place if ends_in_place else is_counted) else ()
        labelled = (f"{self.label} {run}",) if self.label else ()
        return (run, *headed, *(() if may_be_place else (led,)), *labelled)


def _shared(pieces: Sequence[str], *, each: bool) -> _Shared:
    first, last = _bare(pieces[0]), _bare(pieces[-1])
    verb = found[0] if (found := _VERB.match(first)) else ""
    head = found[0].strip() if (found := (_HEAD_OF_EACH if each else _HEAD).match(first)) else ""
    tail = found[0].strip() if (found := (_TAIL_OF_EACH if each else _TAIL).search(last)) else ""
    label = found[1] if (found := _LABEL.fullmatch(first)) else ""
    is_placed, is_led = _PLACED.search(first) is not None, not first[:1].isdigit()
    return _Shared(verb, head if " " in head else "", tail, label, is_placed, is_led)


def _fewest(rules: _Rules, pieces: Sequence[str], *, each: bool = False) -> list[str]:
    """The fewest runs of pieces that are orders each, those behind the first perhaps with what they share with it; `pieces` are
    parted by what stands between them. Nothing if there are none."""
    many = len(pieces[::2])
    shared = _shared(pieces, each=each)
    best: list[list[str] | None] = [None] * many + [[]]
    for begin in range(many - 1, -1, -1):
        for end in range(many, begin, -1):
            rest = best[end]
            if rest is None or ((found_so_far := best[begin]) is not None and len(rest) + 1 >= len(found_so_far)):
                continue
            run = _bare("".join(pieces[2 * begin : 2 * end - 1]))
            whole = _as_order(rules, run, shared, is_first=not begin) if end - begin < many else ""
            if whole:
                best[begin] = [whole, *rest]
    return best[0] or []


def _as_order(rules: _Rules, run: str, shared: _Shared, *, is_first: bool) -> str:
    """Some pieces as an order, with what they share with others if they are none without; "" if they are none. A number alone
    is none: "Conquer Vega 5, 2" may be 2 of something else."""
    if run.isdigit():
        return ""
    texts = (run,) if is_first else shared.tried(run)
    tail = shared.tail
    tried = (*texts, *(f"{text} {tail}" for text in texts if tail and not run.endswith(tail)))
    found = next((text for text in dict.fromkeys(tried) if rules.orders(text)), "")
    if is_first or found != run or not run[:1].isdigit() or not shared.is_led:
        return found
    return _of_its_own_verb(rules, run, texts[1:])


def _of_its_own_verb(rules: _Rules, run: str, others: Sequence[str]) -> str:
    """A number of something behind an order with a verb, if no other order may be meant than that which it is by itself: "Give
    Borealis 2 gold and 1 army" buys none. It is if it has a verb of its own, or is the same with that of the first."""
    alone = rules.orders(run)
    other = next((text for text in others if rules.orders(text)), "")
    if other:
        return run if rules.orders(other) == alone else other
    verb = alone[0].split()[0].casefold()[:_STEM]
    return run if any(word.startswith(verb) for word in run.casefold().split()) else ""


_STEM = 4
"""So many letters at its beginning show that a word is a verb, or of its stem: "conquer", "conquest"."""

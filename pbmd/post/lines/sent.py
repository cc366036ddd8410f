"""Which lines of a letter come from the mail that it answers: pbmd knows what it sent, so no language has to be guessed.

Quoted or not, such lines are nobody's orders. A different line among them was written into the quote.
"""

from collections.abc import Collection, Sequence
from itertools import islice, pairwise

from pbmd.post.lines.alignment import Alignment, align, best_alignment, goes_on, likeliest
from pbmd.post.lines.copies import Copies, Copy, Sent
from pbmd.post.lines.headings import is_rule
from pbmd.post.lines.letterhead import dated
from pbmd.post.lines.quotes import COPIED_MAIL, EARLIER, INTRODUCTION, ORIGINALS, QUOTED, SIGNATURE, Lines, reasons_from

SENT = "it is from the mail that you answered"
EDITED = "it stands inside the mail that you answered, where it is not read"
AGAIN = "it stands like that in the mail that you answered, so it may be a copy"


def mark_sent(copies: Copies, why: list[str]) -> None:
    """Set the reasons of those lines that come from the mails, and of those among them in a quote."""
    firsts = _unquoted_copies(copies, why)
    if firsts:
        _mark_copy(copies, why, firsts)
        _mark_header(copies.lines, why, firsts[0].first)
    elif (start := _altered_copy(copies, why)) is not None:
        for i in _own(copies, why, start, SIGNATURE):
            why[i] = EARLIER
        _mark_header(copies.lines, why, start)
    _mark_quotes(copies, why)


def _own(copies: Copies, why: Sequence[str], start: int = 0, *besides: str) -> list[int]:
    """The lines without quote marks, from `start` on, that have no reason yet, or one of these."""
    may_be = ("", *besides)
    return [i for i in range(start, len(why)) if copies.keys[i] and not copies.lines.depths[i] and why[i] in may_be]


def _unquoted_copies(copies: Copies, why: Sequence[str]) -> list[Copy]:
    """How a copy without quote marks begins: the first two lines of one of the mails, one after the other. Several mails may
    begin alike."""
    own = _own(copies, why)
    for n, i in enumerate(own):
        heads = [head for head in copies.sent.heads if copies.sent.text.startswith(copies.keys[i], head)]
        if found := [copy for head in heads if (copy := _copy_of_head(copies, own, n, head)) is not None]:
            return found
    return []


def _copy_of_head(copies: Copies, own: Sequence[int], n: int, head: int) -> Copy | None:
    """The first line of a mail, if it and the next of it are the writer's lines from the n-th on."""
    copy = copies.at(own[n], head)
    if copy is None or copy.place != head:
        return None
    following = next((i for i in islice(own, n, None) if i > copy.last), None)
    return copy if following is not None and copies.sent.text.startswith(copies.keys[following], copy.end) else None


_PLAIN = 8
"""Nobody types this many lines of our mail, if they are the greater part of the text."""
_TRIES = 5
_ABOVE = 500
"""At most this many lines are above a copy of which not every line is found."""


def _altered_copy(copies: Copies, why: Sequence[str]) -> int | None:
    """Where a copy without quote marks begins of a mail like those of ours that are at hand: of an older one, or of one that
    a program has altered, so that not each line is found. It begins as one of ours, or directly below what names us."""
    own = _own(copies, why, 0, SIGNATURE)
    starts = (n for n, i in enumerate(own[:_ABOVE]) if not why[i] and _may_begin_copy(copies, i))
    return next((own[n] for n in islice(starts, _TRIES) if _is_mostly_ours(copies, own[n:])), None)


def _may_begin_copy(copies: Copies, i: int) -> bool:
    bodies = copies.lines.bodies
    if is_rule(bodies[i]):
        return False
    heading = next((bodies[j] for j in range(i - 1, max(i - 4, -1), -1) if bodies[j] and not is_rule(bodies[j])), "")
    copy = copies.at(i)
    return (copy is not None and copy.place in copies.sent.heads) or bool(heading and copies.lines.head.stands_in(heading))


def _is_mostly_ours(copies: Copies, lines: Sequence[int]) -> bool:
    """Whether one of our mails is the greater part of these lines, with no order above what is found of it."""
    if len(lines) < _PLAIN or copies.lines.is_order(copies.lines.bodies[lines[0]]):
        return False
    found = best_alignment(copies, lines).copies
    if 2 * sum(copy.last - copy.first + 1 for copy in found) < max(len(lines), 2 * _PLAIN):
        return False
    above = [i for i in lines if i < found[0].first]
    return len(above) < _PLAIN and not any(copies.lines.is_order(copies.lines.bodies[i]) for i in above)


_GAP = 400
"""How many characters of the mail may have been deleted before the next line that is believed to be from it."""
_ENOUGH = 2
"""So many lines are a piece of our mail. One alone may be the writer's, in words that the mail has, too."""
_SHORT = 8
"""So many lines of the mail, between two places where some are missing, may have been written there in its words."""


def _mark_copy(copies: Copies, why: list[str], firsts: Sequence[Copy]) -> None:
    """Of a copy without quote marks, the lines that are in their order: what was written between and below them stays."""
    below = _own(copies, why, 0, SIGNATURE)
    alignment = _beside_likeliest(copies, below, firsts)
    end = min(tail for tail in copies.sent.tails if tail >= alignment.copies[0].end)
    found = _mark_pieces(why, alignment, end)
    if copies.exhausted:
        for i in below:
            why[i] = AGAIN if not why[i] and copies.keys[i] in copies.sent.starts else why[i]
    if found[-1].end == end:
        # The rules took what stands below our mail for a signature.
        why[found[-1].last + 1 :] = reasons_from(copies.lines, found[-1].last + 1)
    else:
        _doubt_end(copies, why, found)


def _mark_pieces(why: list[str], alignment: Alignment, end: int) -> list[Copy]:
    """Mark what is ours of a copy without quote marks, or may be ours, and give it back; `end` is that of our mail."""
    for copy in alignment.moved:
        _mark(why, copy, AGAIN)
    found: list[Copy] = []
    for run in _runs([copy for copy in alignment.copies if copy not in alignment.moved]):
        reason = _reason_of_run(run, found[-1] if found else None, end)
        if reason:
            found += run
            for copy in run:
                _mark(why, copy, reason)
    return found


def _reason_of_run(run: Sequence[Copy], before: Copy | None, end: int) -> str:
    """What lines without quote marks are that go on in our mail behind those found before; "" if they are the writer's own.

    Nobody says that they are quoted; so it takes more here than in a quote (`_is_in_its_place`), and it can be in doubt.
    """
    if before is None:
        return SENT  # it begins as our mail begins
    is_alone = len(run) < _ENOUGH
    if _missing(before, run[0]) > _GAP:
        return "" if is_alone else AGAIN
    is_short = run[-1].last - run[0].first < _SHORT and run[-1].end != end
    return AGAIN if is_alone or is_short else SENT


def _beside_likeliest(copies: Copies, lines: Sequence[int], firsts: Sequence[Copy]) -> Alignment:
    """Lines of a letter beside the likeliest of the mails that begin with one of the `firsts`."""
    first_at = {copy.place: copy for copy in firsts}
    return likeliest(
        [
            [_beside(copies, lines, first_at[text[0]], text) for text in texts if text[0] in first_at]
            for texts in copies.sent.mails
        ]
    )


def _beside(copies: Copies, lines: Sequence[int], first: Copy, text: tuple[int, int]) -> Alignment:
    rest = align(copies, [i for i in lines if i > first.last], first.end, text[1])
    return Alignment((first, *rest.copies), rest.moved)


def _runs(chain: Sequence[Copy]) -> list[list[Copy]]:
    """Copies that stand one right behind the other in the mail."""
    runs = [[chain[0]]]
    for before, copy in pairwise(chain):
        if goes_on(before, copy):
            runs[-1].append(copy)
        else:
            runs.append([copy])
    return runs


def _missing(before: Copy, copy: Copy) -> int:
    """How many characters of our mails stand between two copies; less than none if they are not in order."""
    return copy.place - before.end


def _mark(why: list[str], copy: Copy, reason: str) -> None:
    why[copy.first : copy.last + 1] = [reason] * (copy.last + 1 - copy.first)


def _doubt_end(copies: Copies, why: list[str], found: Sequence[Copy]) -> None:
    """Where the end of our mail is missing below a copy without quote marks, its last lines may have been written there, in the
    words of the mail: those behind what is missing, or else the last paragraph."""
    gap = next((copy.first for before, copy in reversed(list(pairwise(found))) if before.end != copy.place), None)
    last = found[-1].last
    paragraph = next((i + 1 for i in range(last, found[0].first, -1) if not copies.keys[i]), last)
    for i in range(paragraph if gap is None else min(gap, paragraph), last + 1):
        why[i] = AGAIN if why[i] == SENT else why[i]


_HEADER_LINES = 8


def _mark_header(lines: Lines, why: list[str], first: int) -> None:
    """What a mail program writes above a copy, in whatever language: a line with a colon at its end, or dated fields."""
    last = next((i for i in range(first - 1, max(first - 5, -1), -1) if lines.bodies[i]), None)
    if last is None or why[last]:
        return
    if lines.bodies[last][-1] in ":：":
        why[last] = INTRODUCTION
        return
    top = last + 1
    while top > max(0, last - _HEADER_LINES) and _is_field(lines.bodies[top - 1]) and not why[top - 1]:
        top -= 1
    if last - top < 2 or not dated(" ".join(lines.bodies[top : last + 1])):
        return
    rule = next((i for i in range(top - 1, max(top - 3, -1), -1) if lines.bodies[i]), top)
    if lines.bodies[rule].strip("_-="):
        rule = top
    why[rule : last + 1] = [EARLIER] * (last + 1 - rule)


def _is_field(body: str) -> bool:
    """Whether a line has the form "label: value", with a short label."""
    return ":" in body[1:40] or "：" in body[1:40]


_ORIGINALS = 5
"""This many of our mails, one below the other, are told from what stands below them."""


def _mark_quotes(copies: Copies, why: list[str]) -> None:
    """Distinguish, in what is known to be quoted, what is ours from what was written into it."""
    stop = originals = 0
    while (start := _next_with(why, stop, _FOREIGN)) < len(why):
        reason = why[start]
        # A quote goes on below what was written into it without quote marks, and so does an original.
        stop = _next_with(why, start, _FOREIGN - {reason})
        run = [i for i in range(start, stop) if why[i] == reason and copies.keys[i]]
        alignment = _alignment(copies, run)
        may_end = reason in ORIGINALS and originals < _ORIGINALS
        last = _end_of_original(copies.sent, alignment.copies) if may_end else None
        if last is not None:
            # An original that is wholly ours ends here: what stands below it is the writer's.
            originals += 1
            run, stop = [i for i in run if i <= last], last + 1
            alignment = Alignment(tuple(copy for copy in alignment.copies if copy.first <= last), alignment.moved)
            why[stop:] = reasons_from(copies.lines, stop)
        _mark_run(copies, why, run, alignment)
        if reason == COPIED_MAIL:
            _mark_if_ours(why, run, range(start, stop))


def _mark_if_ours(why: list[str], run: Sequence[int], original: range) -> None:
    """Have the rest of an original belong to a mail of ours, if most of its lines are: its head has another name for us."""
    if 2 * sum(why[i] == SENT for i in run) >= len(run):
        for i in original:
            why[i] = EARLIER if why[i] == COPIED_MAIL else why[i]


_FOREIGN = ORIGINALS | {QUOTED}


def _next_with(why: Sequence[str], start: int, reasons: Collection[str]) -> int:
    """The first line from `start` on that has one of these reasons, or the end of the letter."""
    return next((i for i in range(start, len(why)) if why[i] in reasons), len(why))


def _alignment(copies: Copies, run: Sequence[int], deep: int = 0) -> Alignment:
    """The lines of a quote beside the mail that has most of them, and those above and below it beside others if they are from
    the beginning or the end of one."""
    best = best_alignment(copies, run)
    if not best.copies or deep == _QUOTES:
        return best
    above = _alignment(copies, [i for i in run if i < best.copies[0].first], deep + 1)
    below = _alignment(copies, [i for i in run if i > best.copies[-1].last], deep + 1)
    parts = [best if part is best or _is_at_an_end(copies.sent, part.copies) else Alignment() for part in (above, best, below)]
    return Alignment(tuple(copy for part in parts for copy in part.copies), frozenset().union(*(part.moved for part in parts)))


_QUOTES = 2
"""How often a quote is taken apart into what stands above and below the mail that was found in it."""


def _is_at_an_end(sent: Sent, chain: Sequence[Copy]) -> bool:
    return any(copy.place in sent.heads or copy.end in sent.tails for copy in chain)


def _end_of_original(sent: Sent, chain: Sequence[Copy]) -> int | None:
    """The last line of an original that begins and ends as one of our mails."""
    if not chain or chain[0].place not in sent.heads:
        return None
    return next((copy.last for copy in chain if copy.end in sent.tails), None)


def _mark_run(copies: Copies, why: list[str], run: Sequence[int], alignment: Alignment) -> None:
    """Mark what is ours in a quote; if it is ours for the most part, the others were written into it by the player."""
    if not alignment.copies:
        return
    has_marks = why[run[0]] == QUOTED
    for copy in _in_their_places(copies.sent, alignment):
        _mark(why, copy, SENT)
    ours = [i for i in run if why[i] == SENT]
    if len(ours) < _ENOUGH:
        return
    for i in _written_among(ours, run, copies.lines.depths, has_marks=has_marks):
        why[i] = EDITED
    if not has_marks and alignment.copies[-1].end not in copies.sent.tails:
        _doubt_end(copies, why, alignment.copies)


def _in_their_places(sent: Sent, alignment: Alignment) -> list[Copy]:
    """What is ours in a quote: a line of ours that is alone in a place that is not its own was put there."""
    around = [None, *alignment.copies, None]
    return [
        copy
        for before, copy, after in zip(around, alignment.copies, around[2:], strict=False)
        if copy not in alignment.moved and _is_in_its_place(sent, before, copy, after)
    ]


def _is_in_its_place(sent: Sent, before: Copy | None, copy: Copy, after: Copy | None) -> bool:
    """Whether a copy stands near the one before it or the one after it in our mails, or a mail begins or ends there."""
    gaps = [_missing(before, copy)] if before else []
    gaps += [_missing(copy, after)] if after else []
    return copy.place in sent.heads or copy.end in sent.tails or any(0 <= gap < _GAP for gap in gaps)


def _written_among(ours: Sequence[int], run: Sequence[int], depths: Sequence[int], *, has_marks: bool) -> list[int]:
    """The lines of a quote that are not ours and stand where nothing but our mail should, as deep as that is quoted."""
    known = set(ours)
    depth = min(depths[i] for i in ours if depths[i] or not has_marks)
    # Without quote marks only our own lines show where the original ends.
    end = ours[-1] if has_marks else run[-1] + 1
    return [i for i in run if ours[0] < i < end and depths[i] == depth and i not in known]

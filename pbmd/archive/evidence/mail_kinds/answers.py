"""An answer to orders: the orders that it lists must be those of its digest, and what proves them must be there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbmd.archive.appearance.html_against_text import ClaimResult
from pbmd.archive.evidence.mail_patterns import DIGEST, HEAD, RECEIPT
from pbmd.archive.format.press_and_deadlines import as_seen, in_one_line
from pbmd.rules.protocol import Sheet
from pbmd.rules.sheets import digest

LISTED = "its orders"
_IN_TEXT = re.compile(
    r"^[ \t]*YOUR (?:MOVE|ORDERS FOR [^\n]{1,80}), as we read (?:it|them)[ \t]*\n(?P<list>(?:[^\n]*\S[^\n]*\n?)+)", re.MULTILINE
)
_IN_FILE = re.compile(r"^The orders that are in force with it:[ \t]*\n(?P<list>(?:\|[^\n]*\n?)+)", re.MULTILINE)
_SEAT = re.compile(
    r"\ARECEIPT (?:\d{1,9} )?of [a-z0-9-]{1,64}, [^,]{1,80}, for (?P<seat>.{1,200}?) Keep this file with the mail\."
)
_IN_BRACKETS = "In brackets: what you wrote, where it was different."
_NOTHING = re.compile(r"\(none: you do nothing [^)]{1,100}\)")
_ARE_IN = re.compile(r"\byour (?:orders for .{1,80}? are|move (?:.{1,80}? )?is) in\b")
_PROVES = re.compile(r"\bReceipt \d{1,9}, arrived\b")
_SHORT = 60
"""A line of no more characters is not wrapped."""


@dataclass(frozen=True, slots=True)
class ListedOrders:
    """What an answer lists: the words of its text, None if it lists nothing, and the lines of its file; whose orders they are,
    and their digest, as the file says. `lacks`: what such an answer has, and this one has not."""

    words: str | None = None
    lines: tuple[str, ...] | None = None
    seat: str = ""
    digest: str = ""
    lacks: str = ""
    is_in: bool = False


def listed_orders(text: str, files: Sequence[str], values: Sequence[tuple[str, str]]) -> ListedOrders:
    """What an answer with this text, these files and these values lists."""
    text, of_file = as_seen(text), as_seen("\n".join(files))
    found, filed = _IN_TEXT.search(text), _IN_FILE.search(of_file)
    head = _SEAT.match(in_one_line(of_file))
    whole = in_one_line(text)
    there = {what for what, _ in values}
    wanted = (RECEIPT, HEAD, *((DIGEST,) if found else ())) if _PROVES.search(whole) else ()
    return ListedOrders(
        in_one_line(found["list"]).removesuffix(_IN_BRACKETS).strip() if found else None,
        tuple(line[1:].removeprefix(" ").rstrip() for line in filed["list"].splitlines()) if filed else None,
        head["seat"] if head else "",
        next((value for what, value in values if what == DIGEST), ""),
        ", ".join(what for what in wanted if what not in there),
        bool(_ARE_IN.search(whole)),
    )


def of_itself(listed: ListedOrders) -> Iterator[ClaimResult]:
    """Whether text, file and digest are of the same orders, and nothing is missing."""
    if listed.lacks:
        yield ClaimResult(LISTED, "", None, f"it has no {listed.lacks}, which every such answer has")
    lines = listed.lines
    if lines is None:
        return
    if listed.words is not None and not is_list(listed.words, lines):
        yield ClaimResult(LISTED, "", False, "the orders in its text are not those in the file beside it")
    is_whole = listed.digest and listed.seat and all(len(line) < _SHORT for line in lines)
    if is_whole and digest([Sheet(listed.seat, (0, 0), lines)]).hex() != listed.digest:
        yield ClaimResult(LISTED, "", False, "its digest is not that of the orders that it lists")


def is_list(words: str, lines: Sequence[str]) -> bool:
    """Whether words are those of these lines, each of which may have in brackets what was written instead."""
    there, at = words.split(), 0
    wanted = [in_one_line(line).split() for line in lines if line.strip()]
    if not wanted:
        return not there or _NOTHING.fullmatch(words) is not None
    for place, line in enumerate(wanted):
        if there[at : at + len(line)] != line:
            return False
        at += len(line)
        following = wanted[place + 1] if place + 1 < len(wanted) else []
        at = _behind_brackets(there, at, following)
    return at == len(there)


def _behind_brackets(there: Sequence[str], at: int, following: Sequence[str]) -> int:
    """Where the next line begins, behind what stands in brackets, if anything does."""
    if at >= len(there) or not there[at].startswith("(") or (following and there[at : at + len(following)] == [*following]):
        return at
    ends = (end + 1 for end in range(at, len(there)) if there[end].endswith(")"))
    return next((end for end in ends if there[end : end + len(following)] == [*following]), at)

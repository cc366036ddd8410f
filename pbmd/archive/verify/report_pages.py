"""The page of a seat's report, compared with the template that it was made with.

What the rules make (report, map, order form), and the frame around it, must be there to the byte. Deadlines and receipts, which
the desk knew when it wrote the page, are words in paragraphs of the template's own kinds between heading and report, before and
after what the rules say about the reader: nothing else can stand there, neither markup that would hide the report nor a script.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

from pbmd.archive.format.findings import BLANK, Archive, Place
from pbmd.archive.format.outline import Stage
from pbmd.archive.format.plan import START
from pbmd.archive.verify.game_facts import Facts
from pbmd.ledger.tables import called, step_words
from pbmd.rendering.render import YOU_HTML, Rendered, environment
from pbmd.rules import Ruleset
from pbmd.rules.words import capital

_TEMPLATE = "mail/report.html.j2"
_MARK = "\ue001"
_WORDS, _PLACE, _HEAD = "\ue001words\ue001", "\ue001place\ue001", "\ue001head\ue001"
_FREE = "\ue001free\ue001"
"""Placeholders for the words that only the desk knew: within a line, and for the paragraphs before the report."""
_SAID = r"[^<>]*"
_YOU = r'<div style="[^"{}]*">\n(?s:(?!</?div).)*</div>\n'
"""What the rules say about the reader."""
_OF_POSITION = re.compile(
    r'<p style="[^"{}]*"><strong>(?:Next: your move</strong> in [^<>,]*\. Reply to this mail with it\.|[^<>]*</strong>)</p>\n'
)
"""The desk's words that only need the position: whose move it is, and how the game ended."""
_OPENING = re.compile(r'<(p|pre) style="[^"{}]*">')


@dataclass(frozen=True, slots=True)
class Page:
    """What is known of a page: its step, its seat, and the report in it. `facts` has the heads that it may name."""

    ruleset: Ruleset[Any]
    stage: Stage
    facts: Facts
    seat: str
    parts: Rendered

    @property
    def form(self) -> str:
        """The order form, empty if the seat has no orders to send."""
        rules, position = self.ruleset, self.stage.position
        awaited = self.stage.outcome is None and self.seat in rules.awaiting(position)
        return rules.order_form(position, self.seat) if awaited else ""

    @property
    def endings(self) -> tuple[str, ...]:
        """What it may say about the end of the game: with the winners, or with only the reason, as in older archives."""
        outcome = self.stage.outcome
        if outcome is None:
            return ("",)
        told = outcome.told(self.ruleset.seats(self.stage.position))
        return (told,) if told == outcome.reason else (told, outcome.reason)


def check_page(archive: Archive, place: Place, page: Page) -> None:
    """Note it if the file is not such a page."""
    found = archive.to_be_compared(place)
    if found is None:
        return
    differences = [_difference(_expected(archive.findings.game, page, ending), page, found) for ending in page.endings]
    if all(differences) and differences[0] is not None:
        line, expected, there = differences[0]
        archive.differs(place, (line, re.sub("\ue001[a-z]+\ue001", "…", expected), there))


def _difference(expected: str, page: Page, found: str) -> tuple[int, str, str] | None:
    """The first line of a page that differs, what it should be, and what it is."""
    before, you, after = expected.split(_free_line() + "\n")
    lines, first, last = found.split("\n"), before.removesuffix(f"{YOU_HTML}\n").split("\n")[:-1], after.split("\n")
    wrong = next((place for place, line in enumerate(first) if lines[place : place + 1] != [line]), None)
    if wrong is not None:
        return wrong + 1, first[wrong], lines[wrong] if wrong < len(lines) else ""
    begin = _begin(lines, len(first), last)
    for place, line in enumerate(last):
        there = lines[begin + place] if begin + place < len(lines) else ""
        if line == there and _MARK not in line:  # nearly all of them
            continue
        told = _told(line, there)
        if told is None or not _is_head(told, page.facts):
            return begin + place + 1, line, there
    said = "\n".join([*lines[len(first) : begin], ""]) if begin > len(first) else ""
    if len(lines) != begin + len(last) or not (is_said_about(you, said) or is_said_about(_with_empty_cells(you), said)):
        return len(first) + 1, "words of the desk, and nothing else", lines[len(first)]
    return None


_WHOLE_ROW = re.compile(r'<tr><td colspan="2" style="padding:4px 0;([^"]*)">([^<>]*)</td></tr>')
_TWO_CELLS = r'<tr><td width="55%" style="padding:4px 12px 4px 0;\1">\2</td><td width="45%" style="padding:4px 0;\1"></td></tr>'


def _with_empty_cells(you: str) -> str:
    """The same where an order without a result had an empty cell beside it, as until pbmd 1.1.0."""
    return _WHOLE_ROW.sub(_TWO_CELLS, you)


def is_said_about(you: str, said: str) -> bool:
    """Whether this is what the rules say about the reader, with nothing but the desk's paragraphs before and after it. A
    pattern with `you` in it would be compiled for each page, which took a fifth of a verification."""
    headed = f"{YOU_HTML}\n"
    starts = (0, len(headed)) if said.startswith(headed) else (0,)
    return any(_stands_among_paragraphs(you, said, start) for start in starts)


def _stands_among_paragraphs(you: str, said: str, place: int) -> bool:
    while not said.startswith(you, place):
        before = re.compile(_paragraph()).match(said, place)
        if before is None:
            return False
        place = before.end()
    return re.compile(desk_paragraphs()).fullmatch(said, place + len(you)) is not None


def report_in(page: str) -> tuple[str, ...]:
    """The parts of the report in the page of a seat: what the rules say about the reader among the words of the desk, and what
    stands between those and the order form, or the foot. None if the page is not one of ours."""
    above = _above_form(page)
    said = _desk_and_you(above)
    return tuple(part for part in (said["you"], above[said.end() :]) if part) if said else (above,)


def is_made_anew(page: str) -> bool:
    """Whether the desk says nothing in the page of a seat of mails and deadlines, as in those of a game that was imported when
    it was over. Whose move it is and how the game ended such a page says."""
    above = _above_form(page)
    said = _desk_and_you(above)
    if said is None or not above:
        return False
    told = said[0].replace(said["you"] or "", "").replace(f"{YOU_HTML}\n", "")
    return not re.sub(_OF_POSITION, "", told)


def _above_form(page: str) -> str:
    """What stands in the page of a seat between its heading and the order form, or the foot; empty if it is not one of ours."""
    form, foot = (f"{heading}{name}</h2>" for heading in [_heading()] for name in ("Order form", "Fairness"))
    head, _, rest = page.partition("</h1>\n")
    above, there, _ = rest.rpartition(foot)
    return (above.rpartition(form)[0] or above) if head and there else ""


def _desk_and_you(above: str) -> re.Match[str] | None:
    return re.match(f"(?:{re.escape(YOU_HTML)}\n)?{desk_paragraphs()}(?P<you>{_YOU})?{desk_paragraphs()}", above)


def _begin(lines: list[str], least: int, last: list[str]) -> int:
    """The place of the line with which the known part begins: counted from the end, or where its first line is found."""
    counted = len(lines) - len(last)
    if counted >= least and _told(last[0], lines[counted]) is not None:
        return counted
    places = (place for place in range(least, len(lines)) if _told(last[0], lines[place]) is not None)
    return next(places, max(least, counted))


def _is_head(found: Mapping[str, str | None], facts: Facts) -> bool:
    """Whether the head of the journal that a page names is one. Archives of running games end before some of them; some games
    do not tell players the number of the entry."""
    head, number = found.get("head"), found.get("number")
    if head is None:
        return True
    if head in facts.heads:
        return number is None or facts.heads[head] == int(number)
    return not facts.over and (number is None or int(number) > max(facts.heads.values(), default=0))


def _expected(game: str, page: Page, ending: str) -> str:
    stage, record = page.stage, page.stage.record
    reported = step_words(record.turn, record.name) if record else ""
    values: dict[str, Any] = {
        "game": SimpleNamespace(
            name=game, step_words=_WORDS, step_called=_WORDS, step_name="", chain_number=_PLACE, chain_head=_HEAD
        ),
        "seat": page.seat,
        "title": page.ruleset.info.title,
        "reported": reported,
        "happened": capital(called(reported)),
        "first": stage.step == START,
        "sequential": False,  # the desk's words say whose move it is
        "outcome": ending,
        "you": page.parts.you,
        "body": page.parts.rest,
        "missed": [_FREE],
        "receipts": [_FREE],
        "notes": [],
        "mark": _WORDS,
        "form": page.form,
        "commitment": stage.next_commitment,
        "secret": record.secret.hex() if record else "",
        "numbers_told": True,
        "kept": True,
        "button": None,
        "course": (),
        "players": (),
        "out": False,
        **dict.fromkeys(("moved", "taken", "record", "press", "idle", "used", "link", "preview", "words"), ""),
        "clock": dict.fromkeys(("deadline", "left", "who", "are", "until"), ""),
    }
    return BLANK.text(environment().get_template(_TEMPLATE).render(values))


@cache
def _free_line() -> str:
    """The line of the template that holds the free words."""
    source = _source()
    start = source.index("for line in receipts %}\n") + len("for line in receipts %}\n")
    return source[start : source.index("\n", start)].replace("{{ line }}", _FREE)


def desk_paragraphs() -> str:
    """A pattern for any number of the paragraphs that the template can put before a report."""
    return f"(?:{_paragraph()})*"


@cache
def _paragraph() -> str:
    """A pattern for one of them."""
    kinds = {found[0]: found[1] for found in _OPENING.finditer(_source().partition("{{ body | safe }}")[0])}
    text = rf"{_SAID}(?:<strong>{_SAID}</strong>{_SAID})*"
    forms = "|".join(f"{re.escape(opening)}{text}</{tag}>\n" for opening, tag in sorted(kinds.items()))
    return f"(?:{forms})"


@cache
def _heading() -> str:
    """How a heading of the template begins."""
    source = _source()
    return source[source.rindex("<h2 ") : source.index("Fairness</h2>")]


@cache
def _source() -> str:
    templates = environment()
    assert templates.loader is not None
    return templates.loader.get_source(templates, _TEMPLATE)[0]


def _told(line: str, there: str) -> Mapping[str, str | None] | None:
    """The desk's values in a line of the template, by name; None if it is another line."""
    if _MARK not in line:
        return {} if line == there else None
    fits = re.fullmatch(_pattern(line), there)
    return None if fits is None else fits.groupdict()


def _pattern(line: str) -> str:
    number = re.escape(f", entry {_PLACE}")
    pattern = re.escape(line).replace(number, r"(?:, entry (?P<number>[0-9]{1,9}))?")
    return pattern.replace(re.escape(_HEAD), "(?P<head>[0-9a-f]{64})").replace(re.escape(_WORDS), _SAID)

"""A seat's own pages, each made on request: what its holder was mailed, and a form whose orders become a mail.

Nothing is stored here and nothing is changed. What a page is made from is found by the seat whose address was requested.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qs

from markupsafe import Markup
from sqlmodel import Session

from pbmd.ledger.database import reading
from pbmd.pages import seat_ledger
from pbmd.pages.seat_orders import Written, written
from pbmd.pages.seat_render import render
from pbmd.pages.seat_report import article
from pbmd.pages.seat_source import SeatSource
from pbmd.post.tags import SeatNumber
from pbmd.rendering.picture import drawn_svg, told_in
from pbmd.rendering.seat_now import Checked, SeatNow

HTML, CSS, SVG, JSON = "text/html; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml", "application/json"
FORM_BYTES = 60_000
"""How much may be posted: a form is encoded, so in letters that is about half of it."""
EARLIER = 4
"""Earlier reports that have a link of their own on the first page."""
_STEP = r"(start|\d{1,9})"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer. `location` is where to look instead; `wait` in how many seconds to ask again; `file` the name under which a
    browser saves it, which shows it otherwise."""

    status: int
    kind: str = HTML
    body: bytes = b""
    location: str = ""
    wait: int = 0
    file: str = ""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a page: for which seat, how things stand for it, which `part` the name of the page names, and what was
    written into its form, None if nothing was posted."""

    source: SeatSource
    session: Session
    of: SeatNumber
    stands: SeatNow
    part: str
    text: str | None

    def page(self, name: str, here: str, **values: Any) -> Answer:
        """The page made with that template."""
        return Answer(200, HTML, render(name, stands=self.stands, here=here, **values).encode())


def page_of(source: SeatSource, of: SeatNumber, name: str, posted: bytes | None = None) -> Answer | None:
    """The page of a seat with that name; None if there is none. Raises `BrokenGame` for a game that cannot go on."""
    for pattern, make, takes_posts in _PAGES:
        found = pattern.fullmatch(name)
        if found is None or (posted is not None and not takes_posts) or (posted is None and name == "check"):
            continue
        with Session(reading(source.engine)) as session:
            part = found[1] if found.groups() else ""
            orders = None if posted is None else _orders_in(posted)
            return make(PageRequest(source, session, of, source.stands(of), part, orders))
    return None


def _orders_in(posted: bytes) -> str:
    """The orders in the form; nothing if the data is not a form."""
    try:
        fields = parse_qs(posted.decode(), keep_blank_values=True, max_num_fields=4, errors="strict")
    except ValueError:
        return ""
    return fields.get("orders", [""])[0].replace("\r\n", "\n")


def _home(asked: PageRequest) -> Answer:
    lines = seat_ledger.reports(asked.session, asked.of, turns=EARLIER + 1)
    drawn = drawn_svg(seat_ledger.report_html(asked.session, asked.of, lines[0].step)) if lines else ""
    # In a turn with many moves, the last report.
    of_turns = list({line.words: line for line in reversed(lines)}.values())[-1 - EARLIER : -1]
    many = seat_ledger.number_of_reports(asked.session, asked.of)
    values = {"reports": lines, "number_of_reports": many, "earlier": of_turns[::-1], "caption": told_in(drawn)}
    map_of = lines[0].step if drawn else ""
    return asked.page("seat_home.html.j2", "home", told=asked.source.told(asked.of), map_of=map_of, **values)


def _reports(asked: PageRequest) -> Answer:
    return asked.page("seat_reports.html.j2", "reports", reports=seat_ledger.reports(asked.session, asked.of))


def _report(asked: PageRequest) -> Answer | None:
    lines = seat_ledger.reports(asked.session, asked.of)
    place = next((place for place, line in enumerate(lines) if line.step == asked.part), None)
    if place is None:
        return None
    shown = article(seat_ledger.report_html(asked.session, asked.of, asked.part))
    later, earlier = lines[place - 1] if place else None, lines[place + 1] if place + 1 < len(lines) else None
    press = "" if asked.part == "start" else asked.source.press(asked.of, lines[place].turn)
    # The templates that made it have escaped foreign text; and the policy lets nothing in it run.
    html = Markup(shown.html)  # noqa: S704
    values = {"report": lines[place], "html": html, "press": press, "later": later, "earlier": earlier}
    return asked.page("seat_report.html.j2", "reports", **values)


def _report_style(asked: PageRequest) -> Answer | None:
    html = seat_ledger.report_html(asked.session, asked.of, asked.part)
    return Answer(200, CSS, article(html).css.encode()) if html else None


def _maps(asked: PageRequest) -> Answer:
    found = seat_ledger.maps(asked.session, asked.of, seat_ledger.reports(asked.session, asked.of))
    return asked.page("seat_map.html.j2", "map", maps=found)


def _map(asked: PageRequest) -> Answer | None:
    svg = drawn_svg(seat_ledger.report_html(asked.session, asked.of, asked.part))
    return Answer(200, SVG, svg.encode()) if svg else None


def _sent(asked: PageRequest) -> Answer:
    found = seat_ledger.sent(asked.session, asked.of, numbers_told=asked.stands.numbers_told)
    return asked.page("seat_sent.html.j2", "sent", sent=found)


def _orders(asked: PageRequest) -> Answer:
    stands = asked.stands
    begin = "\n".join(stands.on_file) if stands.on_file else stands.form
    checked = None if asked.text is None else asked.source.check(asked.of, asked.text)
    values = {"text": begin if asked.text is None else asked.text, "checked": checked, "mail": _mail(stands, checked)}
    return asked.page("seat_orders.html.j2", "orders", **values)


def _check(asked: PageRequest) -> Answer:
    checked = asked.source.check(asked.of, asked.text or "")
    mail = _mail(asked.stands, checked)
    document = {
        "problem": checked.problem,
        "summary": checked.summary,
        "lines": [asdict(each) for each in checked.lines],
        "mail": {"text": mail.text, "url": mail.url},
    }
    return Answer(200, JSON, json.dumps(document, ensure_ascii=False).encode())


def _mail(stands: SeatNow, checked: Checked | None) -> Written:
    return written(stands.mail, checked) if stands.mail and checked else Written("", "")


_PAGES: tuple[tuple[re.Pattern[str], Callable[[PageRequest], Answer | None], bool], ...] = (
    (re.compile(""), _home, False),
    (re.compile(r"orders\.html"), _orders, True),
    (re.compile("check"), _check, True),
    (re.compile(r"reports\.html"), _reports, False),
    (re.compile(rf"report-{_STEP}\.html"), _report, False),
    (re.compile(rf"report-{_STEP}\.css"), _report_style, False),
    (re.compile(r"map\.html"), _maps, False),
    (re.compile(rf"map-{_STEP}\.svg"), _map, False),
    (re.compile(r"sent\.html"), _sent, False),
)
"""The name of a page, what makes it, and whether it accepts posted data."""

"""The map of a report: shown in the mail and attached to it, and drawn into the page that is kept.

No map holds up a report: what goes wrong is a line in the log, and the report goes out without the picture. And none holds up
the ledger: those of a resolution are drawn before its transaction begins.
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.chance import salts_in
from pbmd.ledger.tables import SeatState
from pbmd.post.compose import Attachment, Inline
from pbmd.reports.picture import content_id, inline_image, inline_svg, map_svg, svg_png
from pbmd.rules import PUBLIC, Event, View, seat_reader, sheets
from pbmd.rules.troubles import place_of

_trouble = logging.getLogger("pbmd.maps")


@dataclass(frozen=True, slots=True)
class ReportMap:
    """The HTML that shows the map in a page that is kept and in the mail, and the files that the mail needs for it."""

    kept: str = ""
    shown: str = ""
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()


def report_map(work: Work, table: Table, view: View, *, mailed: bool) -> ReportMap:
    """The map of this view, if it has one; pictures for the mail are made only if it is `mailed`. None is drawn if the
    transaction only wants to know which there are to be drawn."""
    if "map" not in view.data:
        return ReportMap()
    work.mapped.add(table.id)
    if work.sketches is not None:
        work.sketches.append((view, mailed))
        return ReportMap()
    svg, png = None, None
    try:
        svg = map_svg(view)
        png = svg_png(svg) if svg and mailed else None
    except Exception as trouble:
        work.log("no-map", table, view.reader.seat or "-", place_of(trouble))
        work.desk.troubled(trouble)
    if svg is None:
        return ReportMap()
    kept = inline_svg(svg)
    if not mailed:
        return ReportMap(kept)
    name = f"map-before-turn-{view.turn}" + re.sub(r"[^a-z0-9]+", "-", f" {table.game.step_name}".rstrip().lower())
    file = Attachment(f"{name}.svg", "image/svg+xml", svg.encode())
    if png is None:
        return ReportMap(kept, "", (), (file,))
    cid = content_id(png)
    return ReportMap(kept, inline_image(png, cid), (Inline(cid, Attachment(f"{name}.png", "image/png", png)),), (file,))


def draw_ahead(table: Table) -> None:
    """Draw the maps of the reports that the step, as it stands, would be resolved to. Changes nothing.

    Pictures are remembered (`pbmd.reports.picture`). So the transaction that resolves the step finds them drawn, and whoever
    else writes need not wait for them. It asks this nothing: if something has moved the game in between, it draws what is new.
    """
    rules, position = table.ruleset, table.position
    if not rules.info.map:
        return
    events: tuple[Event, ...] = ()
    salts, context = salts_in(table, table.game.salts), b""
    while True:
        dice = sheets.dice_of(rules, position, table.game.secret, salts, context)
        context = sheets.bound(sheets.to_be_used(rules, position), salts, context)
        resolution = rules.resolve(position, dice)
        position, events = resolution.position, (*events, *resolution.events)
        if rules.ready is None or rules.outcome(position) is not None or not rules.ready(position):
            break
    draw(views_of(table, position, events))


def views_of(table: Table, position: Any, events: tuple[Event, ...]) -> list[tuple[View, bool]]:
    """The views with a map that a report of this position is made of, and whether they are mailed."""
    if not table.ruleset.info.map:
        return []
    readers = [(seat_reader(seat.name), seat.state is SeatState.ACTIVE) for seat in table.seats]
    views = [(table.ruleset.view(position, events, reader), mailed) for reader, mailed in (*readers, (PUBLIC, False))]
    return [(view, mailed) for view, mailed in views if "map" in view.data]


def draw(views: Iterable[tuple[View, bool]]) -> None:
    """Draw the maps of these views, for those that are mailed as pictures, too."""
    for view, mailed in views:
        try:
            svg = map_svg(view)
            if svg and mailed:
                svg_png(svg)
        except Exception as trouble:  # the log gets it when the report is made
            _trouble.info("a map cannot be drawn: %s", place_of(trouble))

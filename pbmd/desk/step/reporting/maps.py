"""The map of a report: shown in the mail, or attached to it as a drawing for those who want that, and drawn into the page that
is stored.

No map holds up a report: a failure is a line in the log, and the report goes out without the picture. And none holds up the
ledger: they are drawn while no transaction is open (`pbmd.desk.step.game_transaction`).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from pbmd.desk.books.report_files import SVG, wants
from pbmd.desk.books.transaction import OpenGame, Pending, Transaction
from pbmd.ledger.tables import Seat
from pbmd.post.compose import Attachment, Inline
from pbmd.rendering.drawing_jobs import Picture, Wanted, draw, wanted_of
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.painter import missing_packages
from pbmd.rendering.palette import ROOM
from pbmd.rendering.picture import LEFT_OUT, content_id, drawn_svg, inline_drawing, inline_image, inline_svg
from pbmd.rules import View
from pbmd.rules.troubles import place_of


@dataclass(slots=True)
class MapPictures(Pending):
    """The slot of a transaction's maps. `source` returns their pictures, None for those that are not drawn yet; these are
    `left`, and the transaction cannot be committed."""

    source: Callable[[Wanted], Picture | None] = draw
    left: list[Wanted] = field(default_factory=list[Wanted])
    law: ClassVar[str] = "the maps of a report are drawn before it goes out"

    def picture(self, of: Wanted) -> Picture | None:
        """The picture of a map; None if it is not drawn yet."""
        found = self.source(of)
        if found is None:
            self.left.append(of)
        return found


@dataclass(frozen=True, slots=True)
class ReportMap:
    """The HTML that shows the map in the stored page and in the mail, and the files that the mail needs for it."""

    kept: str = ""
    shown: str = ""
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def left_out(self) -> "ReportMap":
        """The same where the mail has no picture, and says so in its place."""
        return ReportMap(self.kept, LEFT_OUT if self.kept else "")


class Pictured(NamedTuple):
    """A view, whether its map goes into a mail, and whether as the drawing itself, if that is not too large."""

    view: View
    mailed: bool
    as_drawing: bool = False


_NONE = Picture()


def are_drawn(work: Transaction, pictured: Iterable[Pictured]) -> bool:
    """Whether the maps of all these views have been drawn; those that have not are requested from the transaction."""
    # All are requested, so that they are drawn together.
    return None not in [_picture(work, each) for each in pictured]


def report_map(work: Transaction, table: OpenGame, of: Pictured) -> ReportMap:
    """The map of a view, if it has one; there is a picture for the mail only if it is `mailed`: one that mail programs show,
    or, `as_drawing`, the drawing itself, unless that is too large."""
    view, picture = of.view, _picture(work, of) or _NONE
    if picture.trouble:
        work.log("no-map", table, view.reader.seat or "-", picture.trouble)
        work.desk.troubled(MapError(picture.problem or picture.trouble))
    if not picture.svg:
        return ReportMap()
    kept = inline_svg(picture.svg)
    if not of.mailed:
        return ReportMap(kept)
    name = f"map-before-turn-{view.turn}" + re.sub(r"[^a-z0-9]+", "-", f" {table.game.step_name}".rstrip().lower())
    drawing, cid = Attachment(f"{name}.svg", "image/svg+xml", picture.svg.encode()), content_id(picture.svg)
    fits = len(drawing.data) <= ROOM
    if of.as_drawing and fits:
        return ReportMap(kept, inline_drawing(picture.svg, cid), (Inline(cid, drawing),))
    if picture.png is None:
        return ReportMap(kept, "", (), (drawing,) * fits)
    shown = Inline(cid, Attachment(f"{name}.png", "image/png", picture.png))
    return ReportMap(kept, inline_image(picture.png, cid, picture.svg), (shown,))


def map_again(work: Transaction, seat: Seat, page: str, name: str) -> tuple[Attachment, ...]:
    """The map of a stored report, for a mail without a page: as a picture, or as the drawing if the seat wants that."""
    svg = drawn_svg(page)
    if not svg:
        return ()
    if (wants(seat, SVG) or missing_packages()) and len(svg.encode()) <= ROOM:
        return (Attachment(f"{name}.svg", "image/svg+xml", svg.encode()),)
    picture = work.slot(MapPictures).picture(Wanted(b"", png=True, svg=svg)) or _NONE
    return () if picture.png is None else (Attachment(f"{name}.png", "image/png", picture.png),)


def _picture(work: Transaction, of: Pictured) -> Picture | None:
    """The picture of a view's map, an empty one if it has no map; None if it is not drawn yet."""
    try:
        wanted = wanted_of(of.view, png=of.mailed and not missing_packages(), room=ROOM if of.as_drawing else 0)
    except MapError as trouble:
        return Picture(trouble=place_of(trouble), problem=str(trouble))
    return _NONE if wanted is None else work.slot(MapPictures).picture(wanted)

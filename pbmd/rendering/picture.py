"""The map of a view as a picture: SVG by the templates ``reports/map.svg.j2`` and, for squares, ``reports/grid.svg.j2``, for
boards of hexes ``reports/hexes.svg.j2``, for areas ``reports/areas.svg.j2``, for panels ``reports/panels.svg.j2``; PNG for mail
programs that show no SVG.

Nothing but ``view.data["map"]`` goes in, so that readers with the same map get the same bytes; a picture is made once for
each. The PNG has letters of a font that pbmd brings along, so that it looks the same on a machine without fonts.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from html import unescape
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from pbmd.rendering.areas import Areas, AreasDrawing, areas_drawing, read_areas
from pbmd.rendering.chart import Chart, read_chart
from pbmd.rendering.chart_places import Drawing, chart_drawing
from pbmd.rendering.grid import Grid, GridDrawing, grid_drawing, read_grid
from pbmd.rendering.grid_paths import LETTER, TALL, GridPaths, grid_paths
from pbmd.rendering.hex_places import HexDrawing, hex_drawing
from pbmd.rendering.hexes import Boards, read_boards
from pbmd.rendering.labels import FONT_SIZE, RADIUS, RING, WIDTH
from pbmd.rendering.map_parts import MapError, plain
from pbmd.rendering.painter import why_not
from pbmd.rendering.palette import with_few_colours
from pbmd.rendering.panel_places import BAND, BAR, DISC, SMALL, TOKEN, PanelsDrawing, panels_drawing
from pbmd.rendering.panels import Panels, read_panels
from pbmd.rendering.render import environment
from pbmd.rules import View, canonical_json

PNG_ZOOM = 1.25
"""Pixels of the PNG for one of the picture: sharp enough on a telephone, and half the bytes and time of 2."""
_WIDE_ZOOM = 1.0
"""For sheets that are wider than `WIDTH`, which take more bytes and time as they are."""
KEPT = 32
"""Pictures remembered: those of all readers of a turn. A PNG has some 50 kilobytes."""
_CAPTION_CHARS = 300
_WIDTH = re.compile(r'width="(\d+)"')
_SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')
_LABEL = re.compile(r'<svg [^>]*aria-label="([^"]*)"')
_SCALED, _END = '<svg style="width:100%;height:auto" ', "</svg>"
_SHOWN = '<img style="width:100%;height:auto" src="../maps/{}.svg" alt="Map">'
LEFT_OUT = Markup('<p style="margin:0;opacity:.75">The map is left out of this mail; REPORT sends it.</p>')
"""What stands in a mail in place of a map that is not sent."""
_CONTENT_ID = re.compile(r"<?map-([0-9a-f]{64})@pbmd>?")
_SHOWN_FILE = re.compile(re.escape(_SHOWN).replace(r"\{\}", "([a-z0-9-]{1,60})"))


def map_svg(view: View) -> str | None:
    """The map as SVG; None if the view has none. Raises `MapError` for one that cannot be drawn."""
    written = written_map(view)
    return None if written is None else svg_of(written)


def written_map(view: View) -> bytes | None:
    """The map of a view as canonical JSON; None if it has none. Raises `MapError` for one that is no JSON."""
    data = view.data.get("map")
    if data is None:
        return None
    try:
        return canonical_json(data)
    except (TypeError, ValueError) as problem:
        raise MapError(f"it cannot be JSON: {problem}") from problem


@lru_cache(maxsize=KEPT)
def svg_png(svg: str) -> bytes:
    """An SVG of ours as PNG, with few colours. Raises `MapError` when it cannot be rendered."""
    return with_few_colours(svg_png_as_once(svg), svg)


def svg_png_as_once(svg: str) -> bytes:
    """The same in all colours, as an older pbmd mailed it. Raises `MapError`."""
    if trouble := why_not():
        raise MapError(trouble)
    try:
        return svg_to_bytes(svg_string=svg, zoom=_zoom(svg), font_files=_fonts(), skip_system_fonts=True)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:  # a panic of the renderer is no Exception
        raise MapError(f"the renderer gave up: {type(problem).__name__}") from None


def svg_to_bytes(**how: Any) -> bytes:
    """The renderer, imported when it is first needed."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(**how)


def inline_image(png: bytes, cid: str, svg: str) -> Markup:
    """The HTML that shows the attached picture of a drawing with this Content-ID."""
    return _shown(cid, *_pixels(png), svg)


def inline_drawing(svg: str, cid: str) -> Markup:
    """The same for an attached SVG, which not all mail programs show there."""
    width, height = _SIZE.findall(svg)[0]
    return _shown(cid, int(width), int(height), svg)


def _shown(cid: str, width: int, height: int, svg: str) -> Markup:
    return Markup(
        '<img src="cid:{}" width="{}" height="{}" alt="{}" '
        'style="display:block;width:100%;max-width:{}px;height:auto;border-radius:8px">'
    ).format(cid, width, height, words_instead(svg), width)


def words_instead(svg: str) -> str:
    """What stands in a mail where the picture of a drawing is not shown."""
    return f"{told_in(svg) or 'Map.'} The table has the same in words."


def told_in(svg: str) -> str:
    """What a drawing shows, in words for those who do not see it; empty if it has none."""
    found = _LABEL.search(svg)
    return unescape(found[1]) if found else ""


def inline_svg(svg: str) -> Markup:
    """The HTML that shows the picture without an attachment, for pages that are kept."""
    scaled = svg.replace("<svg ", _SCALED, 1)
    # The template has escaped all that was not its own.
    return Markup('<div style="max-width:{}px">{}</div>').format(_width(svg), Markup(scaled))  # noqa: S704


def drawn_svg(page: str) -> str:
    """The picture that `inline_svg` has put into a page, as it was before; empty if there is none."""
    begin = page.find(_SCALED)
    end = page.find("</svg>", begin)
    return "" if begin < 0 or end < 0 else "<svg " + page[begin + len(_SCALED) : end] + "</svg>\n"


def picture_apart(page: str, name: str) -> str:
    """The page with the picture shown from a file, ``maps/NAME.svg`` in the folder beside its own, instead of within it."""
    begin = page.find(_SCALED)
    end = page.find(_END, begin)
    return page if begin < 0 or end < 0 else page[:begin] + _SHOWN.format(name) + page[end + len(_END) :]


def picture_file(page: str) -> str:
    """The name of the file that `picture_apart` has made a page show; empty if it shows none."""
    found = _SHOWN_FILE.search(page)
    return found[1] if found else ""


def picture_within(page: str, svg: str) -> str:
    """The page as it was before `picture_apart`, with the picture."""
    return _SHOWN_FILE.sub(lambda _: _SCALED + svg.removeprefix("<svg ").removesuffix("\n"), page, count=1)


def picture_shown(page: str, folder: str, svg: str) -> str:
    """The page that shows its picture out of `folder` instead, and says in words what is on it; `svg` is that picture."""
    caption = _LABEL.search(svg)
    words = f"{caption[1]} The report has the same in words." if caption else "Map"
    shown = _SHOWN.replace("../maps", folder).replace('"Map"', f'"{words}"')
    return _SHOWN_FILE.sub(lambda found: shown.replace("{}", found[1]), page, count=1)


def content_id(svg: str) -> str:
    """A Content-ID that is this picture's own: mail programs confuse pictures of the same name in one thread. It tells of which
    drawing the picture is made, so that a mail without that can be held against the books."""
    return f"map-{drawing_digest(svg)}@pbmd"


def drawing_digest(svg: str) -> str:
    """The SHA-256 of a drawing, but for the blanks around it."""
    return hashlib.sha256(svg.strip().encode()).hexdigest()


def digest_told(cid: str) -> str:
    """The digest of the drawing that a Content-ID tells; empty if it tells none: in older mails they were of the picture."""
    found = _CONTENT_ID.fullmatch(cid.strip())
    return found[1] if found else ""


def _pixels(png: bytes) -> tuple[int, int]:
    """Width and height of the picture as shown (its header says those of the PNG)."""
    across, down = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    if across > WIDTH * PNG_ZOOM:
        return round(across / _WIDE_ZOOM), round(down / _WIDE_ZOOM)
    return WIDTH, round(down / PNG_ZOOM)


def _width(svg: str) -> int:
    """The width of a picture of ours."""
    told = _WIDTH.search(svg)
    return int(told[1]) if told else WIDTH


def _zoom(svg: str) -> float:
    return PNG_ZOOM if _width(svg) <= WIDTH else _WIDE_ZOOM


@cache
def _fonts() -> list[str]:
    folder = files("ttf_opensans") / "ttf"
    return [str(folder / name) for name in ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf")]


# --- What a template gets --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def svg_of(data: bytes) -> str:
    """A map, as the canonical JSON of what a view tells of it, as SVG. Raises `MapError` for one that cannot be drawn."""
    told = json.loads(data)
    kind, drawn = _drawn(told)
    return _rendered(kind, drawn, grid_paths(drawn) if isinstance(drawn, GridDrawing) else None, caption_of(told))


def caption_of(told: Mapping[str, Any]) -> str:
    """What a map that can be drawn says to those who do not see it: its title, and its caption or its owners with notes."""
    owners = (plain(f"{owner['name']} {owner['note']}") for owner in told.get("owners", ()))
    caption = plain(str(told["caption"]), _CAPTION_CHARS) if "caption" in told else plain("; ".join(owners), _CAPTION_CHARS)
    return ". ".join(part for part in (plain(told["title"]), caption) if part) + "."


def svg_as_once(data: bytes) -> str:
    """The same as an older pbmd drew it. Raises `MapError`."""
    kind, drawn = _drawn(json.loads(data))
    return _rendered("grid-once", drawn) if isinstance(drawn, GridDrawing) else _rendered(kind, drawn)


Drawn = Drawing | GridDrawing | HexDrawing | AreasDrawing | PanelsDrawing
_SIZES = {
    "radius": RADIUS,
    "ring": RING,
    "font_size": FONT_SIZE,
    "band": BAND,
    "bar": BAR,
    "disc": DISC,
    "small": SMALL,
    "token_size": TOKEN,
    "letter_size": LETTER,
    "dot_height": TALL,
}


def _rendered(kind: str, drawn: Drawn, paths: GridPaths | None = None, caption: str = "") -> str:
    template = environment().get_template(f"reports/{kind}.svg.j2")
    return template.render(drawing=drawn, paths=paths, caption=caption, **_SIZES)


def _drawn(told: Mapping[str, Any]) -> tuple[str, Drawn]:
    """The name of the template, and what it gets."""
    match read_map(told):
        case Areas() as areas:
            return "areas", areas_drawing(areas)
        case Panels() as panels:
            return "panels", panels_drawing(panels)
        case Boards() as boards:
            return "hexes", hex_drawing(boards)
        case Grid() as grid:
            return "grid", grid_drawing(grid)
        case Chart() as chart:
            return "map", chart_drawing(chart)


def read_map(told: Mapping[str, Any]) -> Chart | Grid | Boards | Areas | Panels:
    """What a view tells of a map, checked. Raises `MapError`."""
    try:
        if "areas" in told:
            return read_areas(told)
        if "panels" in told:
            return read_panels(told)
        if "boards" in told:
            return read_boards(told)
        return read_grid(told) if "columns" in told else read_chart(told)
    except KeyError as problem:
        raise MapError(f"the key {problem} is missing in it") from problem
    except (TypeError, ValueError, AttributeError, IndexError) as problem:
        if isinstance(problem, MapError):
            raise
        raise MapError(f"something in it is of another type than in a map: {problem}") from problem

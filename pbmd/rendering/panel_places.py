"""Where everything on a map of panels goes (see `panels`). Pure and deterministic."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.rendering.labels import FONT_SIZE, LINE_HEIGHT, WIDTH, Point, fitted, text_width
from pbmd.rendering.legend import ROOM, ROW_HEIGHT, SIDE, Entry, Text, legend, lines_of
from pbmd.rendering.map_parts import Owner
from pbmd.rendering.panels import Arrow, Panel, Panels, Token

SMALL = 16.2
"""Of texts in panels: 9 pixels on a telephone, which has 358 for a sheet."""
TOKEN = 17.0
"""From the middle of a token to its left and right corner."""
DISC = 12.5
BAND = 38.0
"""The height of a heading."""
BAR = 15.0
_TITLE_HEIGHT = 44
_GAP = 12
_PAD = 12
_ACROSS = (ROOM - _GAP) / 2
_INSIDE = _ACROSS - 2 * _PAD
_PITCH = _INSIDE / 6
_TOKEN_ROW = 62.0
_TEXT_ROW = 21.0
_ARROW_ROW = 34.0
_MOST_TEXT = 3
_SHAFT = 40.0
_MOST_DISCS = 4
_SHARE = 30.0
_LEAST_SHARE = 27.0
"""A part of the bar has room for two letters."""
_NARROW = 1.12
"""Letters that are not bold have so much more room than is reckoned."""
_CROSS = 6.5
_NUMBERED = re.compile(r"\d+ \S+|\S+")


class PlacedToken(NamedTuple):
    """A token with its middle, and its label below."""

    token: Token
    at: Point
    label: Text


class PlacedBar(NamedTuple):
    """A bar with its upper left corner and its length; `hatch` is a path over the hatched end of it."""

    at: Point
    length: float
    hatch: str


class PlacedArrow(NamedTuple):
    """The discs of those by whom it is, how many more there are (or ""), the line, its head as a polygon, the cross of one that
    failed, and the words."""

    owner: Owner
    discs: tuple[tuple[Owner, Point], ...]
    more: Text | None
    line: str
    head: str
    cross: str
    words: tuple[Text, ...]


class PlacedPanel(NamedTuple):
    """A panel with its upper left corner and its size."""

    panel: Panel
    at: Point
    height: float
    name: Text
    value: Text
    tokens: tuple[PlacedToken, ...]
    bar: PlacedBar | None
    text: tuple[Text, ...]
    arrows: tuple[PlacedArrow, ...]


class Part(NamedTuple):
    """What one owner has of the bar below: its left edge, its length, and its words."""

    owner: Owner
    left: float
    length: float
    words: str


@dataclass(frozen=True, slots=True)
class PanelsDrawing:
    """Everything with its coordinates. `share` is the heading of the bar below, whose parts begin at `share_top`."""

    title: str
    width: int
    height: float
    across: float
    panels: tuple[PlacedPanel, ...]
    share: Text | None
    share_top: float
    parts: tuple[Part, ...]
    words: str
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]


def panels_drawing(told: Panels) -> PanelsDrawing:
    """The map with everything in its place."""
    placed, bottom = _placed_panels(told)
    parts = _parts(told.held) if told.share else ()
    share = Text(told.share, (SIDE, bottom + 26)) if parts else None
    share_top = bottom + 36
    bottom = share_top + _SHARE + 8 if parts else bottom
    with_panels = {panel.owner for panel in told.panels}
    others = [owner for owner in told.owners if owner not in with_panels]
    below = legend(others, told.used(), bottom + 24)
    bottom = max((entry.at[1] for entry in below), default=bottom - 12) + ROW_HEIGHT
    notes = lines_of(told.notes, bottom)
    return PanelsDrawing(
        title=fitted(told.title, ROOM),
        width=WIDTH,
        height=round(bottom + len(notes) * LINE_HEIGHT - LINE_HEIGHT / 2),
        across=_ACROSS,
        panels=placed,
        share=share,
        share_top=share_top,
        parts=parts,
        words=told.in_words(),
        legend=below,
        notes=notes,
    )


def _placed_panels(told: Panels) -> tuple[tuple[PlacedPanel, ...], float]:
    """All panels, two in a row and both as high as the higher one, and where the last row ends."""
    longest = max((panel.bar or 0 for panel in told.panels), default=0)
    placed: list[PlacedPanel] = []
    top = float(_TITLE_HEIGHT)
    for first in range(0, len(told.panels), 2):
        row = [
            _placed(told, place, (SIDE + (place - first) * (_ACROSS + _GAP), top), longest)
            for place in range(first, min(first + 2, len(told.panels)))
        ]
        height = max(panel.height for panel in row)
        placed += [panel._replace(height=height) for panel in row]
        top += height + _GAP
    return tuple(placed), top - _GAP


def _placed(told: Panels, place: int, at: Point, longest: float) -> PlacedPanel:
    """A panel, as high as what is in it needs."""
    panel = told.panels[place]
    left, y = at[0] + _PAD, at[1] + BAND + 10
    behind = f" ({told.legend['own']})" if panel.own and told.legend["own"] else ""
    fits = _name_room(panel, panel.value) >= text_width(panel.name + behind)
    name, value = _heading(panel, at, behind, panel.value if fits else "")
    told_below = panel.text if fits else f"{panel.value}; {panel.text}".strip("; ")
    tokens = tuple(_tokens(panel.tokens, left, y))
    y += -(-len(tokens) // 6) * _TOKEN_ROW
    bar = _bar(panel, (left, round(y, 1)), longest)
    y += BAR + 4 if bar else 0
    text = tuple(
        Text(line, (left, round(y + (row + 0.8) * _TEXT_ROW, 1)))
        for row, line in enumerate(_wrapped(told_below, _INSIDE * _NARROW, _MOST_TEXT))
    )
    y += len(text) * _TEXT_ROW + (4 if text else 0)
    arrows: list[PlacedArrow] = []
    for arrow in told.arrows:
        if arrow.to == place:
            drawn = _arrow(arrow, left, y)
            arrows.append(drawn)
            y += _ARROW_ROW + (len(drawn.words) - 1) * _TEXT_ROW
    return PlacedPanel(panel, at, round(y + 8 - at[1], 1), name, value, tokens, bar, text, tuple(arrows))


def _heading(panel: Panel, at: Point, behind: str, value: str) -> tuple[Text, Text]:
    """The name, with what stands behind it if the panel is the reader's own, and the value at the right."""
    left, y = at[0] + _PAD + _name_left(panel), at[1] + BAND / 2
    name = fitted(panel.name, _name_room(panel, value) - text_width(behind)) + behind
    return Text(name, (left, round(y + 6.5, 1))), Text(value, (at[0] + _ACROSS - _PAD, round(y + 6, 1)), "end")


def _name_left(panel: Panel) -> float:
    return 2 * TOKEN + 8 if panel.owner else 0.0


def _name_room(panel: Panel, value: str) -> float:
    """For a name beside a value."""
    return _INSIDE - _name_left(panel) - (text_width(value, SMALL) + 8 if value else 0)


def _tokens(tokens: Sequence[Token], left: float, top: float) -> Iterator[PlacedToken]:
    for place, token in enumerate(tokens):
        down, across = divmod(place, 6)
        x, y = round(left + (across + 0.5) * _PITCH - (_PITCH / 2 - TOKEN), 1), round(top + down * _TOKEN_ROW + 16, 1)
        label = fitted(token.label, _PITCH * FONT_SIZE / SMALL)
        yield PlacedToken(token, (x, y), Text(label, (x, round(y + 36, 1)), "middle"))


def _bar(panel: Panel, at: Point, longest: float) -> PlacedBar | None:
    if panel.bar is None:
        return None
    length, hatched = (round(_INSIDE * part / longest, 1) if longest else 0.0 for part in (panel.bar, panel.hatched))
    return PlacedBar(at, length, _hatch(at[0] + length - hatched, at[0] + length, at[1]))


def _hatch(left: float, right: float, top: float) -> str:
    """Strokes across that part of a bar."""
    return "".join(
        f"M{max(left, x):g} {top + BAR - max(0.0, left - x):g}L{min(right, x + BAR):g} {top + max(0.0, x + BAR - right):g}"
        for x in (left - BAR + 7 * step for step in range(int((right - left + BAR) / 7) + 1))
        if x + BAR > left and x < right
    )


def _wrapped(text: str, room: float, most: int) -> list[str]:
    """Words in as many lines as fit, numbers with what they count; what has no room is cut off."""
    rows: list[str] = []
    for word in _NUMBERED.findall(text):
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and text_width(longer, SMALL) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    kept = rows[:most]
    if len(rows) > most:
        kept[-1] = f"{kept[-1]} …"
    return [fitted(row, room * FONT_SIZE / SMALL) for row in kept]


def _arrow(arrow: Arrow, left: float, top: float) -> PlacedArrow:
    """A row of a panel."""
    y = round(top + _ARROW_ROW / 2, 1)
    shown = arrow.by if len(arrow.by) <= _MOST_DISCS else arrow.by[: _MOST_DISCS - 1]
    discs = tuple((owner, (round(left + DISC + place * (2 * DISC + 1), 1), y)) for place, owner in enumerate(shown))
    x = left + len(shown) * (2 * DISC + 1)
    more = None
    if len(shown) < len(arrow.by):
        words = f"+{len(arrow.by) - len(shown)}"
        more = Text(words, (x + 2, y + 6))
        x += text_width(words, SMALL) + 4
    begin, end = round(x + 3, 1), round(x + _SHAFT, 1)
    middle = (begin + end - 12) / 2
    strokes = ((-_CROSS, 2 * _CROSS), (_CROSS, -2 * _CROSS))
    cross = "".join(f"M{middle - _CROSS:g} {y + up:g}l{2 * _CROSS:g} {down:g}" for up, down in strokes)
    rows = _wrapped(arrow.words, left + _INSIDE - end - 8, 2)
    return PlacedArrow(
        arrow.by[0],
        discs,
        more,
        f"M{begin:g} {y:g}H{end - 11:g}",
        f"{end:g},{y:g} {end - 12:g},{y - 7:g} {end - 12:g},{y + 7:g}",
        cross if arrow.failed else "",
        tuple(Text(row, (end + 8, round(y + 5.6 + place * _TEXT_ROW, 1))) for place, row in enumerate(rows)),
    )


def _parts(held: Sequence[tuple[Owner, int]]) -> tuple[Part, ...]:
    """The bar of all tokens: each owner has room for its letters, and what is left goes by the numbers. With too many owners
    there is none."""
    free = ROOM - len(held) * _LEAST_SHARE
    total = sum(count for _, count in held)
    return tuple(_cumulated(held, free / total)) if held and free >= 0 else ()


def _cumulated(held: Iterable[tuple[Owner, int]], each: float) -> Iterator[Part]:
    left = float(SIDE)
    for owner, count in held:
        length = _LEAST_SHARE + count * each
        words = f"{owner.code}: {count}"
        yield Part(owner, round(left, 1), round(length, 1), words if text_width(words) <= length else owner.code)
        left += length

"""Where the nodes and the names of a map go: no label upon another or upon a node, as few as possible upon links.

Pure and deterministic: the same nodes always lie the same. Every label has a fixed list of places around its node. The best
free ones are taken, the most hemmed-in node first, and changed for better ones a few times. If some labels still lie upon
others, all is tried again on a taller sheet; if there is none tall enough, labels are left out.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

WIDTH = 640
"""Of the picture. A telephone shows it at some 56 %, so that letters of 19 come out at nearly 11."""
FONT_SIZE = 19
LINE_HEIGHT = 24
RADIUS = 16
RING = 4
"""How far outside of its node a ring is."""
_MARGIN = 30
_MARGIN_DOWN = 52
"""Above and below, where a name has room between the outermost nodes and the edge."""
_SHAPE = (0.8, 1.25)
"""The height of the first sheet as a share of its width: as the coordinates have it, within these."""
_TALLER = (1.0, 1.15, 1.35, 1.6, 1.9)
_ROUNDS = 8
_HARD = 1000.0
_PER_LEADER = 25.0
"""A name that the line to another name goes through."""
_PER_LINK = 9.0
_PER_NODE = 7.0
_NEAR = 12
"""A label as near as this to another node could be taken for that one's name."""
_PER_PLACE = 0.7
_FAR = 12.0

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the two have area in common."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


class Label(NamedTuple):
    """Where a label stands, the point where it is anchored, and for one that stands apart where a line from its node ends."""

    box: Box
    anchor: Anchor
    x: float
    leader: Point | None


@dataclass(frozen=True, slots=True)
class Places:
    """Where all is: centres of nodes and their labels (None where there was no room), and the height of the sheet."""

    centres: tuple[Point, ...]
    labels: tuple[Label | None, ...]
    height: float


_NARROW = frozenset("iljI.,:;'|!ftr()[]- ")
_WIDE = frozenset("mwMW@%—…")


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """At least the width of the text in a bold sans-serif font: other programs have other fonts than the PNG."""
    return size * sum(_char_width(char) for char in text)


def fitted(text: str, room: float) -> str:
    """The text, shortened until it is no wider than `room`."""
    if text_width(text) <= room:
        return text
    while text and text_width(text + "…") > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(maxsize=1024)
def _char_width(char: str) -> float:
    if char in _NARROW:
        return 0.45
    if char in _WIDE:
        return 1.0
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    return 0.78 if char.isupper() else 0.64


@lru_cache(maxsize=16)
def place_labels(
    points: tuple[Point, ...],
    texts: tuple[str, ...],
    links: tuple[tuple[int, int], ...],
    across: int = WIDTH,
    besides: tuple[float, ...] = (),
) -> Places:
    """Places for nodes at these coordinates with these texts, joined by these links, on a sheet so far `across`. A label can
    need more room `besides` that of its text."""
    widths = [text_width(text) + more for text, more in zip(texts, besides or (0.0,) * len(texts), strict=True)]
    wide, tall = (max(axis) - min(axis) for axis in zip(*points, strict=True))
    share = min(max(tall / wide if wide else _SHAPE[1], _SHAPE[0]), _SHAPE[1])
    found = Places((), (), 0)
    for factor in _TALLER:
        height = round(across * share * factor) + 2 * (_MARGIN_DOWN - _MARGIN)
        found = _places(points, widths, links, (across, height))
        if None not in found.labels:
            break
    return found


def _places(points: Sequence[Point], widths: Sequence[float], links: Sequence[tuple[int, int]], sheet: Point) -> Places:
    """Places on a sheet so wide and high."""
    centres = _centres(points, sheet)
    lines = tuple((centres[one], centres[other]) for one, other in links)
    free = [_free(place, width, centres, lines, sheet) for place, width in enumerate(widths)]
    return Places(centres, _choose(free, centres), sheet[1])


def _centres(points: Sequence[Point], sheet: Point) -> tuple[Point, ...]:
    wide, height = sheet
    across = _scaled([x for x, _ in points], wide, _MARGIN)
    down = _scaled([y for _, y in points], height, _MARGIN_DOWN)
    return tuple(zip(across, down, strict=True))


def _scaled(values: Sequence[float], size: float, margin: float) -> list[float]:
    least, span = min(values), max(values) - min(values)
    if not span:
        return [size / 2] * len(values)
    return [round(margin + (value - least) / span * (size - 2 * margin), 1) for value in values]


# --- The places that a label can have -------------------------------------------------------------------------------------

_DIRECTIONS: tuple[tuple[float, float], ...] = (
    *((1, 0), (-1, 0), (0, 1), (0, -1)),
    *((0.75, 0.75), (-0.75, 0.75), (0.75, -0.75), (-0.75, -0.75)),
    *((0.4, 0.95), (-0.4, 0.95), (0.4, -0.95), (-0.4, -0.95)),
)
_NEAR_GAP = RADIUS + RING + 5
_FAR_GAPS = (_NEAR_GAP + 20, _NEAR_GAP + 44)


def _candidates(centre: Point, width: float, sheet: Point) -> list[tuple[float, Label]]:
    """The places within the sheet with what each costs, the most natural first."""
    wide, height = sheet
    found: list[tuple[float, Label]] = []
    for ring, gap in enumerate((_NEAR_GAP, *_FAR_GAPS)):
        for place, direction in enumerate(_DIRECTIONS):
            label = _beside(centre, width, direction, gap, far=ring > 0)
            box = label.box
            if box.left >= 4 and box.right <= wide - 4 and box.top >= 2 and box.bottom <= height - 2:
                found.append((place * _PER_PLACE + ring * _FAR, label))
    return found


def _beside(centre: Point, width: float, direction: Point, gap: float, *, far: bool) -> Label:
    right, down = direction
    x, y = centre[0] + right * gap, centre[1] + down * gap
    anchor: Anchor = "start" if right > 0.5 else "end" if right < -0.5 else "middle"
    if anchor == "middle":
        left = x - width / 2 + right * width / 2
        top = y if down > 0 else y - LINE_HEIGHT
    else:
        left = x if right > 0 else x - width
        top = y - LINE_HEIGHT / 2
    box = Box(*(round(value, 1) for value in (left, top, left + width, top + LINE_HEIGHT)))
    x = {"start": box.left, "middle": round((box.left + box.right) / 2, 1), "end": box.right}[anchor]
    leader = (x, round(min(max(centre[1], box.top), box.bottom), 1)) if far else None
    return Label(box, anchor, x, leader)


# --- Choosing -------------------------------------------------------------------------------------------------------------


def _choose(free: Sequence[Sequence[tuple[float, Label]]], centres: Sequence[Point]) -> tuple[Label | None, ...]:
    order = sorted(range(len(free)), key=lambda place: (len(free[place]), place))
    chosen: list[Label | None] = [None] * len(free)
    for _ in range(_ROUNDS):
        before = list(chosen)
        for place in order:
            others = [(centres[other], label) for other, label in enumerate(chosen) if label and other != place]
            chosen[place] = _best(free[place], centres[place], others)
        if chosen == before:
            break
    return _without_overlaps(chosen, order)


def _free(
    place: int, width: float, centres: tuple[Point, ...], lines: tuple[tuple[Point, Point], ...], sheet: Point
) -> list[tuple[float, Label]]:
    """The places for a label so wide that lie upon no other node, nor have their line over one, best first.

    The cost of the links that they hide, and of the nodes that they could be mistaken to name, is added.
    """
    own = _candidates(centres[place], width, sheet)
    found: list[tuple[float, int, Label]] = []
    reach = RADIUS + RING + 2
    area = _area(centres[place], [label.box for _, label in own])  # most of a large map is too far away to matter
    nodes = (Box(x - reach, y - reach, x + reach, y + reach) for other, (x, y) in enumerate(centres) if other != place)
    others = [node for node in nodes if node.meets(area)]
    near = [line for line in lines if not _misses(line, area)]
    for number, (cost, label) in enumerate(own):
        if _lies_upon(centres[place], label, others):
            continue
        box = label.box
        around = Box(box.left - _NEAR, box.top - _NEAR, box.right + _NEAR, box.bottom + _NEAR)
        cost += _PER_NODE * sum(around.meets(node) for node in others)
        found.append((cost + _PER_LINK * sum(_crosses(line, box) for line in near), number, label))
    return [(cost, label) for cost, _, label in sorted(found)]


def _lies_upon(centre: Point, label: Label, nodes: Sequence[Box]) -> bool:
    """Whether a label, or its line, goes over one of the nodes."""
    leader = label.leader
    if any(label.box.meets(node) for node in nodes):
        return True
    return leader is not None and any(_crosses((centre, leader), node) for node in nodes)


def _area(centre: Point, boxes: Sequence[Box]) -> Box:
    """The part of the sheet with all of these labels, what is near them, and their lines to the node."""
    (x, y), room = centre, _NEAR + 1
    return Box(
        min([x, *(box.left for box in boxes)]) - room,
        min([y, *(box.top for box in boxes)]) - room,
        max([x, *(box.right for box in boxes)]) + room,
        max([y, *(box.bottom for box in boxes)]) + room,
    )


def _best(own: Sequence[tuple[float, Label]], centre: Point, others: Sequence[tuple[Point, Label]]) -> Label | None:
    best, least = None, float("inf")
    for cost, label in own:
        if cost >= least:
            break
        cost += sum(_clash(centre, label, *other) for other in others)
        if cost < least:
            best, least = label, cost
    return best


def _clash(centre: Point, label: Label, other_centre: Point, other: Label) -> float:
    """What it costs that these two labels of nodes at these places stand where they do."""
    if label.box.meets(other.box):
        return _HARD
    over = label.leader is not None and _crosses((centre, label.leader), other.box)
    under = other.leader is not None and _crosses((other_centre, other.leader), label.box)
    return _PER_LEADER * (over + under)


def _without_overlaps(chosen: list[Label | None], order: Sequence[int]) -> tuple[Label | None, ...]:
    """Of labels upon each other, the one of the node with more choice goes."""
    kept: dict[int, Label] = {}
    for place in order:
        label = chosen[place]
        if label and not any(label.box.meets(other.box) for other in kept.values()):
            kept[place] = label
    return tuple(kept.get(place) for place in range(len(chosen)))


def _crosses(line: tuple[Point, Point], box: Box) -> bool:
    """Whether a line goes through a box: what is left of it after cutting it at the four sides (Liang and Barsky)."""
    if _misses(line, box):
        return False
    (x, y), (to_x, to_y) = line
    first, last = 0.0, 1.0
    for at, step, low, high in ((x, to_x - x, box.left, box.right), (y, to_y - y, box.top, box.bottom)):
        if step:
            begins, ends = sorted(((low - at) / step, (high - at) / step))
            first, last = max(first, begins), min(last, ends)
    return first < last


def _misses(line: tuple[Point, Point], box: Box) -> bool:
    """Whether both ends of a line are on the same side of a box."""
    (x, y), (to_x, to_y) = line
    return (
        (x < box.left and to_x < box.left)
        or (x > box.right and to_x > box.right)
        or (y < box.top and to_y < box.top)
        or (y > box.bottom and to_y > box.bottom)
    )

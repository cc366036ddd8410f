"""A map of places (see `chart`) with everything on it in its place, and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.rendering.chart import LOOKS_OF_NODES, Chart, Node
from pbmd.rendering.labels import LINE_HEIGHT, RADIUS, WIDTH, Label, Places, Point, fitted, place_labels
from pbmd.rendering.legend import ROOM, ROW_HEIGHT, Entry, Text, legend, lines_of
from pbmd.rendering.map_parts import Owner
from pbmd.rendering.moves import Kind
from pbmd.rendering.signs import PlacedSign, SignKind, placed_signs, room_of, signs_in_words, words_at
from pbmd.rendering.strokes import Strokes, strokes
from pbmd.rendering.ties import LOOKS, PlacedTie, placed_ties, ties_in_words

_TITLE_HEIGHT = 44
_NAME_ROOM = WIDTH / 3
_MARKS = ("ringed", "barred", "halo")


class Placed(NamedTuple):
    """A node with its label and signs; `leader` is the near end of a line to a label that stands apart."""

    node: Node
    at: Point
    label: Text | None
    leader: Point | None
    signs: tuple[PlacedSign, ...]


class Linked(NamedTuple):
    """A line between nodes; `owner` has both of them, if one has. On maps with pieces, which have moves in that colour, it is
    None; so it is where an arrow lies upon it."""

    one: Point
    other: Point
    owner: Owner | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything with its coordinates; `notes` are at the bottom, and `words` tell what is drawn upon the places. `kinds` and
    `signs` are those of the entries of the legend, by name."""

    title: str
    width: float
    height: float
    links: tuple[Linked, ...]
    ties: tuple[PlacedTie, ...]
    nodes: tuple[Placed, ...]
    moves: Strokes
    words: str
    kinds: Mapping[str, Kind]
    signs: Mapping[str, SignKind]
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]


def chart_drawing(chart: Chart) -> Drawing:
    """The map with everything in its place."""
    texts = tuple(f"{fitted(node.name, _NAME_ROOM)} {node.value}".rstrip() for node in chart.nodes)
    places = _places(chart, texts)
    centres = [(x, round(y + _TITLE_HEIGHT, 1)) for x, y in places.centres]
    below = legend(chart.owners, _kinds(chart), _TITLE_HEIGHT + places.height + RADIUS + 2, chart.width)
    bottom = max((entry.at[1] for entry in below), default=_TITLE_HEIGHT + places.height) + ROW_HEIGHT
    rows = lines_of((*chart.notes, *_unnamed(places)), bottom)
    names, owners = [node.name for node in chart.nodes], [node.owner for node in chart.nodes]
    moves = strokes(chart.moves, centres, names, owners, tied=[tie.between for tie in chart.ties])
    return Drawing(
        title=fitted(chart.title, ROOM),
        width=chart.width,
        height=round(bottom + len(rows) * LINE_HEIGHT - LINE_HEIGHT / 2),
        links=tuple(Linked(centres[one], centres[other], _common(chart, one, other)) for one, other in chart.links),
        ties=placed_ties(chart.ties, centres),
        nodes=tuple(map(_placed, chart.nodes, centres, texts, places.labels)),
        moves=moves,
        words=" ".join(part for part in (moves.words, *_in_words(chart)) if part),
        kinds={f"kind {kind.name}": kind for kind in chart.moves.kinds},
        signs={f"sign {kind.name}": kind for kind in chart.signs},
        legend=below,
        notes=rows,
    )


def _places(chart: Chart, texts: tuple[str, ...]) -> Places:
    """Where nodes and their labels go. Names keep off strokes even more than off links."""
    points = tuple((node.x, node.y) for node in chart.nodes)
    lines = (*chart.links, *(tie.between for tie in chart.ties), *(arrow.ends for arrow in chart.moves.arrows))
    return place_labels(points, texts, lines, chart.width, tuple(room_of(node.signs) for node in chart.nodes))


def _unnamed(places: Places) -> list[str]:
    unnamed = sum(label is None for label in places.labels)
    return [f"No room for the names of {unnamed}; the table has them."] if unnamed else []


def _placed(node: Node, centre: Point, words: str, label: Label | None) -> Placed:
    if label is None:
        return Placed(node, centre, None, None, ())
    down = label._replace(box=label.box._replace(top=label.box.top + _TITLE_HEIGHT, bottom=label.box.bottom + _TITLE_HEIGHT))
    text = Text(words, (words_at(node.signs, label), round(down.box.top + LINE_HEIGHT * 0.76, 1)), label.anchor)
    leader = (label.leader[0], round(label.leader[1] + _TITLE_HEIGHT, 1)) if label.leader else None
    return Placed(node, centre, text, leader, placed_signs(node.signs, down))


def _common(chart: Chart, one: int, other: int) -> Owner | None:
    owner = chart.nodes[one].owner
    free = not chart.moves.kinds and not any({*arrow.ends} == {one, other} for arrow in chart.moves.arrows)
    return owner if free and owner is chart.nodes[other].owner else None


def _kinds(chart: Chart) -> list[tuple[str, str]]:
    """The kinds of nodes, pieces, signs and strokes that there are and that the legend explains, with its words."""
    kinds_there = {each.kind for each in (*chart.nodes, *chart.moves.pieces)}
    signs_there = {sign.kind for node in chart.nodes for sign in node.signs}
    rows = (
        *((f"kind {kind.name}", kind.words) for kind in chart.moves.kinds if kind in kinds_there),
        *((key, chart.legend[key]) for key in (*_looks_there(chart), *chart.moves.used())),
        *((f"sign {kind.name}", kind.words) for kind in chart.signs if kind in signs_there),
    )
    return [(kind, words) for kind, words in rows if words]


def _looks_there(chart: Chart) -> list[str]:
    ties = {tie.look for tie in chart.ties}
    nodes = [look for look in LOOKS_OF_NODES if any(_looks(node, look) for node in chart.nodes)]
    return [*nodes, *(look for look in LOOKS if look in ties)]


def _looks(node: Node, look: str) -> bool:
    """Whether a node looks so, besides its owner's colour."""
    return node.owner is None and node.kind is None if look == "free" else bool(getattr(node, look))


def _in_words(chart: Chart) -> list[str]:
    """What is drawn at nodes and between them, besides pieces and moves."""
    marked = {chart.legend[look]: [node.name for node in chart.nodes if _looks(node, look)] for look in _MARKS}
    signs = "; ".join(f"{node.name} {signs_in_words(node.signs)}" for node in chart.nodes if node.signs)
    return [
        ties_in_words(chart.ties, [node.name for node in chart.nodes], chart.legend),
        *(f"{words[:1].upper()}{words[1:]}: {'; '.join(names)}." for words, names in marked.items() if words and names),
        f"Signs: {signs}." if signs else "",
    ]

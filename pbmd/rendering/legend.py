"""What stands below every map: the owners with their colours, kinds of places in words, and notes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbmd.rendering.labels import LINE_HEIGHT, RADIUS, WIDTH, Point, fitted, text_width
from pbmd.rendering.map_parts import Owner

ROW_HEIGHT = 36
SIDE = 14
ROOM = WIDTH - 2 * SIDE
"""From one margin of the sheet to the other."""


class Text(NamedTuple):
    """Words with the point of their baseline at which they are anchored."""

    words: str
    at: Point
    anchor: str = "start"


class Entry(NamedTuple):
    """A swatch of the legend with its words: of an owner, or of a kind of place."""

    kind: str
    owner: Owner | None
    words: str
    at: Point


def legend(owners: Sequence[Owner], kinds: Iterable[tuple[str, str]], top: float, wide: float = WIDTH) -> tuple[Entry, ...]:
    """The owners in as many columns as their words leave room for on a sheet so `wide`, then kinds with their words, one behind
    the other."""
    room = wide - 2 * SIDE
    entries: list[Entry] = []
    words_room = room - 2 * RADIUS - (24 if wide >= WIDTH else 4)
    words = [fitted(f"{owner.name} {owner.note}".rstrip(), words_room) for owner in owners]
    columns = max(1, int(room // max(map(_entry_width, words), default=room)))
    rows = -(-len(words) // columns)
    for place, owner in enumerate(owners):
        across, down = divmod(place, rows)
        at = (round(SIDE + RADIUS + across * room / columns, 1), top + down * ROW_HEIGHT)
        entries.append(Entry("owner", owner, words[place], at))
    left, top = SIDE, top + rows * ROW_HEIGHT
    for kind, kind_words in kinds:
        explained = fitted(kind_words, words_room)
        width = _entry_width(explained)
        if left > SIDE and left + width > wide - SIDE:
            left, top = SIDE, top + ROW_HEIGHT
        entries.append(Entry(kind, None, explained, (round(left + RADIUS, 1), top)))
        left += width
    return tuple(entries)


def lines_of(notes: Iterable[str], top: float) -> tuple[Text, ...]:
    """Notes as lines that fit the sheet."""
    rows = [row for note in notes for row in _wrapped(note)]
    return tuple(Text(row, (SIDE, top + number * LINE_HEIGHT)) for number, row in enumerate(rows))


def _entry_width(words: str) -> float:
    return 2 * RADIUS + 12 + text_width(words) + 12


def _wrapped(text: str) -> list[str]:
    rows: list[str] = [""]
    for word in (fitted(word, ROOM) for word in text.split()):
        longer = f"{rows[-1]} {word}".lstrip()
        if rows[-1] and text_width(longer) > ROOM:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows

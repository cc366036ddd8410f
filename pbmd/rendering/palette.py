"""Pictures with few colours: those of the drawing itself, and a few between them for smooth edges. What is left has a quarter
of the bytes, and nobody sees a difference."""

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # both are an extra (`pbmd.rendering.painter`)
    from PIL.Image import Image

ROOM = 58_000
"""Bytes that a picture should have at most: with what else is in a report, its mail stays below 120 kilobytes."""
_SMOOTH = 5
"""Colours between those of the drawing."""
_SMALL = 16
"""So many take half a byte for each pixel."""
_FEW = 12
_MOST = 64
_HEX = re.compile(r'"#([0-9a-f]{6})"')

Colour = tuple[int, int, int]


def with_few_colours(png: bytes, svg: str) -> bytes:
    """The picture made of a drawing, with its colours and some more; with fewer, down to its own, if it has more bytes than
    there is room for."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    counts: Mapping[Colour, int] = {colour: count for count, colour in picture.getcolors(picture.width * picture.height) or ()}  # pyright: ignore[reportAssignmentType]
    own = [colour for each in dict.fromkeys(_HEX.findall(svg)) if (colour := _colour(each)) in counts]
    # Never fewer than its own: two owners of one colour would be worse than some kilobytes more.
    sizes = (len(own) + _SMOOTH, _SMALL), (len(own), _SMALL), (len(own), _FEW)
    tries = ((min(_MOST, max(size)), effort) for size, effort in zip(sizes, (9, 10, 12), strict=True))
    small = b""
    for most, effort in tries:
        small = _packed(picture, _palette(own, counts, most), effort)
        if len(small) <= ROOM:
            break
    return small


def _colour(written: str) -> Colour:
    red, green, blue = bytes.fromhex(written)
    return red, green, blue


def _palette(own: Sequence[Colour], counts: Mapping[Colour, int], most: int) -> list[Colour]:
    """The drawing's own colours that cover most, then one after the other that of which most would be missed."""
    chosen = sorted(own, key=lambda colour: -counts[colour])[:most] or [max(counts, key=lambda colour: counts[colour])]
    missed = {colour: min(_distance(colour, one) for one in chosen) for colour in counts}
    while len(chosen) < min(most, len(counts)):
        added = max(counts, key=lambda colour: (counts[colour] * missed[colour], colour))
        if not missed[added]:
            break
        chosen.append(added)
        for colour in counts:
            missed[colour] = min(missed[colour], _distance(colour, added))
    return chosen


def _distance(one: Colour, other: Colour) -> int:
    """How different two colours look, roughly: eyes see green best."""
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return 2 * red * red + 4 * green * green + 3 * blue * blue


def _packed(picture: "Image", palette: Sequence[Colour], effort: int) -> bytes:
    from oxipng import Deflaters, RowFilter, StripChunks, optimize_from_memory
    from PIL import Image

    colours = Image.new("P", (1, 1))
    colours.putpalette([part for colour in palette for part in colour])
    written = io.BytesIO()
    picture.quantize(palette=colours, dither=Image.Dither.NONE).save(written, "PNG", compress_level=1)
    # Without filters, which only help where colours are shades: so it takes a sixth of the time.
    deflate = Deflaters.libdeflater(effort)
    return optimize_from_memory(written.getvalue(), level=0, filter=[RowFilter.NoOp], deflate=deflate, strip=StripChunks.all())

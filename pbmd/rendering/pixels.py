"""Whether two pictures look the same, however their bytes were packed, and whichever version of the renderer made them."""

import io
from typing import TYPE_CHECKING

from pbmd.rendering.painter import why_not

if TYPE_CHECKING:  # an extra (`pbmd.rendering.painter`)
    from PIL.Image import Image

_TILE = 4
"""Pixels are compared in squares of so many by so many: edges come out otherwise in other versions, and signs do not."""
_TOLERANCE = 40
"""Of 255, in each colour."""


def look_alike(one: bytes, other: bytes) -> bool | None:
    """Whether they do; None if nobody can tell here: they are no pictures, or what reads pictures is not installed."""
    if why_not():
        return None
    from PIL import Image, ImageChops

    try:
        first, second = Image.open(io.BytesIO(one)), Image.open(io.BytesIO(other))
        if first.size != second.size:
            return False
        highest = ImageChops.difference(_reduced(first), _reduced(second)).getextrema()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return all(isinstance(each, tuple) and each[1] <= _TOLERANCE for each in highest)


def _reduced(picture: "Image") -> "Image":
    return picture.convert("RGB").reduce(_TILE)

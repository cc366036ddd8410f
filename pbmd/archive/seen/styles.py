"""What styles do to words: whether they hide them, and in which size and colours they are set.

Each declaration counts, not only the last of its name: which of several a program takes depends on which it understands.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

LEAST_SIZE = 4.0
"""Pixels: smaller letters are dust."""
_USUAL_SIZE = 16.0
_LEAST_OPACITY = 0.15
_FAR = 90.0
"""Pixels to the left or above the page at which nothing of a word is left on it."""
_LEAST_CONTRAST = 1.25
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LENGTH = re.compile(r"(-?[0-9]{0,6}\.?[0-9]{0,6})(px|pt|em|rem|ex|ch|%|in|cm|mm|pc|vw|vh|)")
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "in": 96.0, "cm": 37.8, "mm": 3.78, "pc": 16.0, "vw": 8.0, "vh": 8.0}
_OF_LETTERS = {"em": 1.0, "rem": 1.0, "ex": 0.5, "ch": 0.5, "%": 0.01}
_HARMLESS = re.compile(
    r"margin|padding|border|outline|font|color|background(?:-color)?$|text-(?:align|decoration|transform|size-adjust|indent)"
    r"|vertical-align$|white-space|word-(?:wrap|break)|overflow|line-(?:height|break)|hyphens|(?:min-|max-)?(?:width|height)$"
    r"|display$|visibility$|opacity$|list-style|table-layout|empty-cells|caption-side|box-(?:sizing|shadow)|float$|clear$|cursor$"
    r"|letter-spacing|word-spacing|tab-size|gap$|orphans$|widows$|page|break-|color-scheme|supported-color-schemes|mso-|-ms-text"
    r"|-webkit-text-size-adjust|-ms-interpolation-mode"
)
"""Beginnings of the names of styles that hide nothing, or of which it is known here when they do."""
_SYMBOLS = re.compile(r"wingding|webding|symbol|dingbat")
_ELSEWHERE = re.compile(r"url\(|image\(|expression|@import|attr\(|var\(|calc\(")

Colour = tuple[int, int, int] | str
"""Red, green and blue, or the words for it if they are not understood here; empty for one that cannot be seen through to."""
WHITE: Colour = (255, 255, 255)


class Style(NamedTuple):
    """What a style says, in lower case: names and values in their order."""

    said: tuple[tuple[str, str], ...] = ()

    def values(self, *names: str) -> list[str]:
        """All values of these."""
        return [value for name, value in self.said if name in names]


def style_of(text: str) -> Style:
    """A style attribute, read."""
    pieces = (piece.partition(":") for piece in _COMMENT.sub(" ", text).lower().split(";"))
    said = ((name.strip(), value.replace("!important", "").strip()) for name, colon, value in pieces if colon)
    return Style(tuple((name, value) for name, value in said if name))


def why_hidden(style: Style) -> str:
    """How a style hides all that is in its element; empty if it does not."""
    if "none" in style.values("display"):
        return "display:none"
    if "all" in style.values("mso-hide"):
        return "mso-hide:all"
    if any(_number(value, 1.0) < _LEAST_OPACITY for value in style.values("opacity")):
        return "opacity"
    for name in ("text-indent", "margin-left", "margin-top", "margin", "left", "top", "right", "bottom", "letter-spacing"):
        if any(_pixels(length, _USUAL_SIZE) <= -_FAR for value in style.values(name) for length in value.split()):
            return f"{name} beyond the edge"
    return _why_cut(style)


def _why_cut(style: Style) -> str:
    """How a style cuts off all that is in its element."""
    cut = any(
        value.split(" ")[0] in ("hidden", "clip", "auto", "scroll")
        for value in style.values("overflow", "overflow-x", "overflow-y")
    )
    for name in ("height", "max-height", "width", "max-width") if cut else ():
        if any(_pixels(value, _USUAL_SIZE) < LEAST_SIZE for value in style.values(name)):
            return f"{name} that cuts it off"
    if any(_is_small(value) for value in style.values("line-height")):
        return "line-height"
    return ""


def visibility(style: Style) -> str:
    """Whether an element is ``visible`` or ``hidden``; empty if its style does not say."""
    said = style.values("visibility")
    return "" if not said else "hidden" if any(each in ("hidden", "collapse") for each in said) else "visible"


def size(style: Style, around: float) -> float:
    """How large letters are, in pixels, where those around have a size; of several sizes the smallest."""
    of_font = (piece for value in style.values("font") for piece in value.split("/")[0].split())
    lengths = (piece for piece in of_font if piece[:1] in "0123456789." and (piece == "0" or not piece.isdigit()))
    sizes = [_pixels(value, around) for value in (*style.values("font-size"), *lengths)]
    return min((each for each in sizes if each >= 0), default=around)


def _is_small(value: str) -> bool:
    found = _LENGTH.fullmatch(value)
    if found is None or not found[1].strip("-."):
        return False
    return (float(found[1]) if not found[2] else _pixels(value, 1.0) / (1.0 if found[2] in _OF_LETTERS else _USUAL_SIZE)) < 0.2


def _pixels(value: str, around: float) -> float:
    """A length; one that is none is not small."""
    found = _LENGTH.fullmatch(value)
    if found is None or not found[1].strip("-."):
        return _USUAL_SIZE
    of_letters = _OF_LETTERS.get(found[2])
    return float(found[1]) * (_PIXELS[found[2]] if of_letters is None else of_letters * around)


def _number(value: str, instead: float) -> float:
    found = re.fullmatch(r"([0-9]{0,6}\.?[0-9]{0,6})(%?)", value)
    if found is None or not found[1].strip("."):
        return instead
    return float(found[1]) / (100 if found[2] else 1)


def unknown(style: Style) -> Iterator[str]:
    """What a style does of which it is not known here whether it hides or changes words."""
    for name, value in style.said:
        is_symbols = name.startswith("font") and _SYMBOLS.search(value)
        is_no_colour = name == "color" and (came := colour_of(value)) and isinstance(came, str)
        if is_symbols or is_no_colour or not _HARMLESS.match(name) or _ELSEWHERE.search(value) or "\\" in name + value:
            yield f"{name}:{value}"


def is_struck(style: Style) -> bool:
    """Whether words are struck out."""
    return any("line-through" in value for value in style.values("text-decoration", "text-decoration-line"))


# --- Colours --------------------------------------------------------------------------------------------------------------


def ink(style: Style) -> Colour | None:
    """The colour of letters, None if the style says none."""
    return next((colour for value in reversed(style.values("color")) if (colour := colour_of(value)) is not None), None)


def paper(style: Style) -> Colour | None:
    """The colour behind letters, None if the style says none."""
    said = reversed(style.values("background", "background-color"))
    return next((colour for value in said if (colour := colour_of(value)) not in (None, "")), None)


def colour_of(value: str) -> Colour | None:
    """A colour as styles and attributes write it: empty if it is transparent, None if it is that of what is around."""
    value = value.strip().lower()
    if value in ("inherit", "currentcolor", "initial", "unset", "windowtext", "canvastext", "auto", ""):
        return None
    if value in ("transparent", "none"):
        return ""
    if found := re.fullmatch(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", value):
        return _of_digits(found[1])
    if found := re.fullmatch(r"rgba?\(([0-9., /%]{5,60})\)", value):
        came = _of_numbers([piece for piece in re.split(r"[, /]+", found[1]) if piece])
        return value if came is None else came
    return _NAMED.get(value, value)


def _of_digits(digits: str) -> Colour:
    digits = digits if len(digits) > 4 else "".join(2 * digit for digit in digits)
    is_clear = len(digits) == 8 and int(digits[6:], 16) < 255 * _LEAST_OPACITY
    return "" if is_clear else _three([int(digits[at : at + 2], 16) for at in (0, 2, 4)])


def _of_numbers(pieces: Sequence[str]) -> Colour | None:
    if len(pieces) < 3:
        return None
    is_clear = len(pieces) > 3 and _number(pieces[3], 1.0) < _LEAST_OPACITY
    return "" if is_clear else _three([round(_number(each, 0.0) * (255 if each.endswith("%") else 1)) for each in pieces[:3]])


_NAMED: dict[str, Colour] = {"white": WHITE, "black": (0, 0, 0)}


def _three(numbers: Sequence[int]) -> Colour:
    red, green, blue = (min(each, 255) for each in numbers)
    return red, green, blue


def cannot_be_seen(letters: Colour | None, ground: Colour | None) -> bool:
    """Whether letters have no colour, or that of their ground; without one of their own they have the reader's."""
    if letters is None or letters == "":
        return letters == ""
    ground = WHITE if ground is None else ground
    if isinstance(letters, str) or isinstance(ground, str):
        return letters == ground
    light, dark = sorted((_luminance(letters), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _LEAST_CONTRAST


def _luminance(colour: tuple[int, int, int]) -> float:
    """As WCAG has it."""
    parts = (each / 255 for each in colour)
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

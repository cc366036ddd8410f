"""What styles do to words: whether they hide them, and in which size and colours they set them.

Every declaration counts, not only the last of its name: which one a program applies depends on which it understands.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbmd.rendering.map_parts import luminance

LEAST_SIZE = 4.0
"""In pixels: smaller letters are illegible."""
_USUAL_SIZE, _LARGEST_SIZE = 16.0, 100.0
_LARGEST = 1e6
LEAST_OPACITY = 0.15
_FAR = 90.0
"""In pixels to the left of the page or above it: beyond this nothing of a word is left on it."""
_LEAST_CONTRAST = 1.25
_LOWEST = 0.2
"""As a fraction of the letters' size: lines that are lower overlap."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_IMPORTANT = re.compile(r"!\s*important")
_DIGITS = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_NUMBER = re.compile(rf"({_DIGITS})(%?)")
_LENGTH = re.compile(rf"({_DIGITS})(px|pt|em|rem|ex|ch|%|in|cm|mm|q|pc|vw|vh|vmin|vmax|)")
_FIXED = {"px": 1.0, "": 1.0, "pt": 4 / 3, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "pc": 16.0, "rem": 16.0}
_PIXELS = _FIXED | dict.fromkeys(("vw", "vh", "vmin", "vmax"), 8.0)
_OF_LETTERS = {"em": 1.0, "ex": 0.5, "ch": 0.5, "%": 0.01}
_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0}
_OF_AROUND = {"smaller": 5 / 6, "larger": 1.2, "inherit": 1.0, "unset": 1.0}
_AS_AROUND = frozenset({"inherit", "initial", "unset"})
_HARMLESS = re.compile(
    r"margin|padding|border(?!-image)|outline|font(?:-(?:family|size|style|weight|variant|stretch))?$|color$"
    r"|background(?:-color)?$|text-(?:align|decoration|transform|size-adjust|indent)|vertical-align$|white-space|word-(?:wrap|break)"
    r"|overflow|line-(?:height|break)|hyphens|(?:min-|max-)?(?:width|height)$|display$|visibility$|opacity$|list-style|table-layout"
    r"|empty-cells|caption-side|box-sizing|clear$|cursor$|letter-spacing|word-spacing|tab-size|gap$|orphans$|widows$|page|break-"
    r"|color-scheme|supported-color-schemes|mso-|-ms-text|-webkit-text-size-adjust|-ms-interpolation-mode"
)
"""Prefixes of the names of styles that hide nothing, or for which the code here knows when they do."""
_WORDS = {
    "display": frozenset({"none", "block", "inline", "inline-block", "inline-table", "list-item", *_AS_AROUND}),
    "visibility": frozenset({"visible", "hidden", "collapse", *_AS_AROUND}),
    "overflow": frozenset({"visible", "hidden", "clip", "auto", "scroll", *_AS_AROUND}),
}
_OF_TABLES = re.compile(r"table(?:-(?:row|cell|column|caption|(?:row|column|header|footer)-group))?")
_MEASURED = re.compile(r"(?:margin|padding).*|text-indent|(?:letter|word)-spacing|(?:(?:min|max)-)?(?:width|height)")
"""Styles whose values are lengths."""
_NO_LENGTHS = frozenset({"auto", "normal", "none", "0", "max-content", "min-content", "fit-content", *_AS_AROUND})
_WIDEST = 640.0
"""In pixels: what is further in than this lies beyond the other edge."""
_SYMBOLS = re.compile(r"wingding|webding|symbol|dingbat")
_ELSEWHERE = re.compile(
    r"url\(|image\(|image-set\(|gradient\(|element\(|cross-fade\(|expression|@import|attr\(|var\(|calc\(|(?:min|max|clamp|env)\("
)

Colour = tuple[int, int, int] | str
"""Red, green and blue, or the original words if they are not understood here; empty for a colour that is transparent."""
WHITE: Colour = (255, 255, 255)


class Style(NamedTuple):
    """What a style says, in lower case: names and values in order."""

    said: tuple[tuple[str, str], ...] = ()

    def values(self, *names: str) -> list[str]:
        """All values of these names."""
        return [value for name, value in self.said if name in names]


def style_of(text: str) -> Style:
    """A style attribute, parsed."""
    pieces = (piece.partition(":") for piece in _COMMENT.sub(" ", text).lower().split(";"))
    said = ((name.strip(), _IMPORTANT.sub(" ", value).strip()) for name, colon, value in pieces if colon)
    return Style(tuple((name, value) for name, value in said if name))


def why_hidden(style: Style) -> str:
    """How a style hides everything in its element; empty if it does not."""
    if not style.said:
        return ""
    if "none" in style.values("display"):
        return "display:none"
    if "all" in style.values("mso-hide"):
        return "mso-hide:all"
    if opacity(style) < LEAST_OPACITY:
        return "opacity"
    for name in ("text-indent", "margin-left", "margin-top", "margin", "left", "top", "right", "bottom", "letter-spacing"):
        if any(_pixels(length) <= -_FAR for value in style.values(name) for length in value.split()):
            return f"{name} beyond the edge"
    return _why_cut(style)


def _why_cut(style: Style) -> str:
    """How a style cuts off everything in its element."""
    for name, value in _cut(style):
        if _pixels(value) < LEAST_SIZE:
            return f"{name} that cuts it off"
    of_font = (value.split("/")[1].split() for value in style.values("font") if "/" in value)
    if any(_is_low(value) for value in (*style.values("line-height"), *(each[0] for each in of_font if each))):
        return "line-height"
    return ""


def _cut(style: Style) -> Iterator[tuple[str, str]]:
    """The sizes with which a style cuts off what is in its element."""
    if any(re.search("hidden|clip|auto|scroll", value) for name, value in style.said if _is_overflow(name)):
        for name in ("height", "max-height", "width", "max-width"):
            yield from ((name, value) for value in style.values(name) if value not in _NO_LENGTHS or value == "0")


def _is_overflow(name: str) -> bool:
    return name in ("overflow", "overflow-x", "overflow-y", "overflow-block", "overflow-inline")


def opacity(style: Style) -> float:
    """How opaque an element is, from 0 to 1."""
    said = (_number(value) for value in style.values("opacity"))
    return min((min(max(each, 0.0), 1.0) for each in said if each is not None), default=1.0)


def visibility(style: Style) -> str:
    """Whether an element is ``visible`` or ``hidden``; empty if its style does not say."""
    said = style.values("visibility")
    if any(each in ("hidden", "collapse") for each in said):
        return "hidden"
    return "visible" if any(each in ("visible", "initial") for each in said) else ""


def size(style: Style, around: float) -> float:
    """How large letters are, in pixels, given the size around them; of several sizes the smallest."""
    said = [_size(value, around) for value in style.values("font-size")]
    said += [each for value in style.values("font") for each in _sizes_in(value, around)]
    return min((each for each in said if each is not None and each >= 0), default=around)


def _size(value: str, around: float) -> float | None:
    """How large letters are; None if that cannot be read."""
    if value in _OF_AROUND:
        return _OF_AROUND[value] * around
    return _USUAL_SIZE if value == "initial" else _SIZES.get(value, _length(value, around))


def _sizes_in(font: str, around: float) -> list[float]:
    """The sizes in a `font` shorthand; a number without a unit there is the weight."""
    pieces = (piece for piece in font.split("/")[0].split() if piece == "0" or not piece.isdigit())
    return [each for piece in pieces if (each := _size(piece, around)) is not None]


def _is_low(value: str) -> bool:
    """Whether lines are so low that they overlap; a bare number is in units of the letters' size."""
    found = _number(value)
    low = _length(value) if found is None else found * _USUAL_SIZE
    return low is not None and 0 <= low < _LOWEST * _USUAL_SIZE


def _length(value: str, around: float = _USUAL_SIZE) -> float | None:
    """A length in pixels; None if that cannot be read."""
    found = _LENGTH.fullmatch(value)
    if found is None:
        return None
    of_letters = _OF_LETTERS.get(found[2])
    return _bounded(found[1]) * (_PIXELS[found[2]] if of_letters is None else of_letters * around)


def _pixels(value: str) -> float:
    """A length; one that cannot be parsed is neither small nor far, see `unknown`."""
    found = _length(value)
    return _USUAL_SIZE if found is None else found


def _number(value: str) -> float | None:
    found = _NUMBER.fullmatch(value)
    return None if found is None else _bounded(found[1]) / (100 if found[2] else 1)


def _bounded(digits: str) -> float:
    """A number; too large a one is cut, so that products of it still make sense."""
    return min(max(float(digits), -_LARGEST), _LARGEST)


def unknown(style: Style) -> Iterator[str]:
    """The parts of a style of which nothing here knows whether they hide or change words."""
    for name, value in style.said:
        is_odd = not _HARMLESS.match(name) or _ELSEWHERE.search(value) or "\\" in name + value
        if is_odd or not _is_read(name, value) or (_is_shifted(name, value) and not _is_hanging(name, value, style)):
            yield f"{name}:{value}"
    if "none" not in style.values("display"):
        yield from (f"overflow with {name}:{value}" for name, value in _cut(style))


def _is_read(name: str, value: str) -> bool:
    """Whether it is known what a value does, where that matters."""
    if name.startswith("font") and _SYMBOLS.search(value):
        return False
    if name == "display":
        return value in _WORDS[name] or _OF_TABLES.fullmatch(value) is not None
    if name == "visibility":
        return value in _WORDS[name]
    if _is_overflow(name):
        return set(value.split()) <= _WORDS["overflow"]
    if name == "opacity":
        return _number(value) is not None or value in ("initial", "unset")
    if name in ("color", "background", "background-color"):
        return not isinstance(_one_colour(value), str) or _one_colour(value) == ""
    if name == "list-style" or name.startswith("list-style-"):
        return "'" not in value and '"' not in value
    return _is_measured(name, value)


def _is_measured(name: str, value: str) -> bool:
    """The same for styles with sizes."""
    if name == "font-size":
        found = _size(value, _USUAL_SIZE)
        return found is not None and found <= _LARGEST_SIZE
    if name == "font":
        return "(" not in value and (
            value in _AS_AROUND or 0 <= max(_sizes_in(value, _USUAL_SIZE), default=-1.0) <= _LARGEST_SIZE
        )
    if name == "line-height" or _MEASURED.fullmatch(name):
        return all(each in _NO_LENGTHS or _LENGTH.fullmatch(each) for each in value.split())
    return True


def _is_shifted(name: str, value: str) -> bool:
    """Whether words are moved to where they may be out of sight, or overlap."""
    if name == "vertical-align":
        return abs(_pixels(value)) > _USUAL_SIZE
    if name.endswith(("width", "height")) or not _MEASURED.fullmatch(name):
        return False
    far = [_length(each, 2 * _WIDEST if each.endswith("%") else _USUAL_SIZE) or 0.0 for each in value.split()]
    return any(each < 0 or each > _WIDEST for each in far)


def _is_hanging(name: str, value: str, style: Style) -> bool:
    """Whether only the first line of an element hangs out, into its own margin."""
    edges = [pieces[3] for each in style.values("margin") if len(pieces := each.split()) == 4]
    return name == "text-indent" and bool(edges) and 0 <= -_pixels(value) <= min(map(_pixels, edges)) <= _WIDEST


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
    return next((colour for value in said if (colour := _one_colour(value)) not in (None, "")), None)


def _one_colour(value: str) -> Colour | None:
    """The colour in a `background` shorthand."""
    found = colour_of(value)
    if not isinstance(found, str) or not found:
        return found
    pieces = [piece for piece in value.split() if not _BESIDE_COLOUR.fullmatch(piece)]
    return colour_of(pieces[0]) if len(pieces) == 1 else found if pieces else ""


_BESIDE_COLOUR = re.compile(rf"none|scroll|fixed|(?:no-)?repeat(?:-[xy])?|left|right|top|bottom|center|{_LENGTH.pattern}")


def colour_of(value: str) -> Colour | None:
    """A colour as styles and attributes write it: empty if it is transparent, None if it is the one around it."""
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
    is_clear = len(digits) == 8 and int(digits[6:], 16) < 255 * LEAST_OPACITY
    return "" if is_clear else _three([int(digits[at : at + 2], 16) for at in (0, 2, 4)])


def _of_numbers(pieces: Sequence[str]) -> Colour | None:
    numbers = [_number(piece) for piece in pieces]
    told = [number for number in numbers if number is not None]
    if len(told) < 3 or len(told) < len(numbers):
        return None
    is_clear = len(told) > 3 and told[3] < LEAST_OPACITY
    return (
        ""
        if is_clear
        else _three([round(each * (255 if "%" in piece else 1)) for each, piece in zip(told[:3], pieces, strict=False)])
    )


BLACK: Colour = (0, 0, 0)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "black": BLACK,
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "navy": (0, 0, 128),
    "green": (0, 128, 0),
    "yellow": (255, 255, 0),
}


def _three(numbers: Sequence[int]) -> Colour:
    red, green, blue = (min(each, 255) for each in numbers)
    return red, green, blue


@lru_cache(maxsize=256)
def cannot_be_seen(letters: Colour | None, ground: Colour | None) -> bool:
    """Whether letters have no colour, or that of their background; without a colour of their own they are black."""
    if letters == "":
        return True
    letters, ground = BLACK if letters is None else letters, WHITE if ground is None else ground
    if isinstance(letters, str) or isinstance(ground, str):
        return letters == ground
    light, dark = sorted((luminance(*letters), luminance(*ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _LEAST_CONTRAST

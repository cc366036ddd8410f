"""What is drawn can be told from what it is drawn on, in light and in dark (WCAG 2.2, 1.4.3 and 1.4.11). At text on the pages
axe looks; at what is in pictures nobody else does."""

import re

import pytest

from pbmd.resources import folder

STYLE = (folder("templates") / "dashboard" / "style.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part.partition("}")[0]))
    for part in re.split(r"prefers-color-scheme: dark\)", STYLE)[:2]
)
Colour = tuple[float, float, float]


def read(colour: str) -> Colour:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def over(upper: Colour, lower: Colour, opacity: float) -> Colour:
    red, green, blue = (above * opacity + below * (1 - opacity) for above, below in zip(upper, lower, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def opacity(rule: str, name: str) -> float:
    """What a rule of the style says of it."""
    found = re.search(rf"^{re.escape(rule)} {{[^}}]*\b{name}: ([\d.]+)", STYLE, re.MULTILINE)
    assert found, rule
    return float(found[1])


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_names_bars_and_outlines_can_be_told_from_the_card(scheme: dict[str, str]) -> None:
    card, ink = read(scheme["card"]), read(scheme["ink"])
    names = {f"s{number}": contrast(read(scheme[f"s{number}"]), card) for number in range(8)}
    assert {name: ratio for name, ratio in names.items() if ratio < 4.5} == {}, "a name in a chart has the colour of its line"
    assert contrast(read(scheme["good"]), card) >= 3, "dots of orders"
    # A colour of a map may be any: its outline makes it stand out.
    for rule in ("svg.chart polyline.edge", "svg.spark polyline.edge"):
        assert contrast(over(ink, card, opacity(rule, "opacity")), card) >= 3, rule
    for rule in ("svg.chart circle.edged", "svg.swatch rect", "svg.spark circle.edged"):
        assert contrast(over(ink, card, opacity(rule, "stroke-opacity")), card) >= 3, rule
    for name in ("soft", "accent"):
        assert contrast(read(scheme[name]), card) >= 4.5

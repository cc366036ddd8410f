"""The drawings of a book: maps as the archive has them, if they are what pbmd draws, and charts of the numbers.

If the archive may be anybody's, so may a drawing: one that is not ours is left out (`pbmd.rendering.foreign_svg`). Its words,
among them names of players, stand in the book beside the drawing.
"""

import xml.etree.ElementTree as ET

from pbmd.book.clean_text import clean
from pbmd.book.elements import Cell, Picture, Run, Table
from pbmd.rendering.charts import LineChart
from pbmd.rendering.foreign_svg import LABEL, PAINT_ORDER, SVG, own_drawing
from pbmd.rendering.render import environment


def map_picture(svg: str, words: str) -> Picture | None:
    """The map of a step, which is called `words`; None if it is not one of our drawings."""
    root = own_drawing(svg)
    if root is None:
        return None
    told = [clean(each.text or "").strip() for each in root if each.tag in (f"{SVG}title", f"{SVG}desc")]
    alt = ". ".join([f"Map, {words}", *(each.rstrip(".") for each in told if each)])
    return Picture(_written(root), f"{alt}. The report has the same in words.")


def _written(root: ET.Element) -> str:
    for element in root.iter():
        element.attrib.pop(LABEL, None)
        element.tag = element.tag.removeprefix(SVG)
        if order := element.attrib.pop(PAINT_ORDER, ""):  # no attribute in SVG 1.1, by which EPUBs are checked
            element.set("style", f"{PAINT_ORDER}:{order}")
        element.text, element.tail = clean(element.text or ""), clean(element.tail or "")
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return ET.tostring(root, encoding="unicode")


def chart_picture(chart: LineChart) -> Picture:
    """A chart of one of the numbers."""
    svg = environment().get_template("book/chart.svg.j2").render(chart=chart, clean=clean)
    return Picture(svg, f"Chart: {clean(chart.title)} of each seat by turn. The table below it has the same numbers.")


def chart_table(chart: LineChart) -> Table:
    """The same as a table: a row for each turn."""
    head = (Cell((Run("Turn"),), head=True), *(Cell((Run(clean(line.name)),), head=True, right=True) for line in chart.lines))
    rows = (
        (
            Cell((Run(chart.called(turn)),), head=True),
            *(Cell((Run(chart.value(line, turn)),), right=True) for line in chart.lines),
        )
        for turn in chart.turns
    )
    return Table((head, *rows), 1, f"{clean(chart.title)} of each seat by turn")

"""How a page reads to who does not see it: the accessibility tree, as a screen reader goes through it, and a text browser."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

W3M = shutil.which("w3m")
NO_W3M = "needs Debian's w3m"
_IMAGES = ("image", "img", "graphics-document")
_CELLS = ("cell", "gridcell", "rowheader", "columnheader")
_NAMED = ("button", "link", "slider", "searchbox", "combobox", "textbox", "checkbox", "region", "navigation")


class Node(NamedTuple):
    """A node of the accessibility tree that is told of, with those in it."""

    role: str
    name: str
    level: int
    children: tuple["Node", ...]

    def all(self) -> Iterator["Node"]:
        """It and all in it, in the order in which they are read."""
        yield self
        for child in self.children:
            yield from child.all()


def tree_of(page: Any) -> Node:
    """The accessibility tree of a page in Chromium."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    known = {node["nodeId"]: node for node in nodes}

    def told(node: Mapping[str, Any]) -> tuple[Node, ...]:
        inside = tuple(each for number in node.get("childIds", ()) if number in known for each in told(known[number]))
        if node.get("ignored") or node["role"]["value"] in ("generic", "InlineTextBox"):
            return inside
        levels = [each["value"]["value"] for each in node.get("properties", ()) if each["name"] == "level"]
        name = " ".join(str(node.get("name", {}).get("value", "")).split())
        return (Node(node["role"]["value"], name, int(levels[0]) if levels else 0, inside),)

    (root,) = told(nodes[0])
    return root


def headings(tree: Node) -> list[tuple[int, str]]:
    """Level and words of each, in the order in which they are read."""
    return [(node.level, node.name) for node in tree.all() if node.role == "heading"]


def complaints(tree: Node) -> list[str]:
    """What hinders who has the page read to them."""
    levels = [level for level, _ in headings(tree)]
    found = [] if levels.count(1) == 1 and levels[0] == 1 else [f"the first heading is not the only one of level 1: {levels}"]
    found += [f"a heading of level {after} follows one of {before}" for before, after in pairwise(levels) if after > before + 1]
    for node in tree.all():
        if node.role in (*_IMAGES, *_NAMED) and not node.name:
            found.append(f"a {node.role} has no name")
        if node.role in _IMAGES and any(child.role != "StaticText" for child in node.all() if child is not node):
            found.append(f"parts of a picture are read one by one: {node.name}")
        if node.role == "table":
            found += _of_table(node)
    return found


def _of_table(table: Node) -> Iterator[str]:
    rows = [[node for node in row.all() if node.role in _CELLS] for row in table.all() if row.role == "row"]
    if rows and all(row and row[0].role == "rowheader" and row[0].name for row in rows):
        return  # each line says itself what it is about
    heads, *others = rows or [[]]
    if not heads or any(cell.role != "columnheader" or not cell.name for cell in heads):
        yield f"a table has no headers: {[cell.name for cell in heads]}"
    for row in others:
        if len(row) not in (1, len(heads)):  # one goes across all columns
            yield f"under {[cell.name for cell in heads]} stands {[cell.name for cell in row]}"


def seen_in_order(page: Any) -> list[str]:
    """The headings as the eye meets them: from top to bottom, and from left to right."""
    found: Sequence[Mapping[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter(each => each.checkVisibility()).map(each => {
            const box = each.getBoundingClientRect();
            return {words: each.textContent.replace(/\\s+/g, " ").trim(), top: Math.round(box.top), left: Math.round(box.left)};
        })"""
    )
    return [each["words"] for each in sorted(found, key=lambda each: (each["top"], each["left"]))]


def in_text(path: Path, width: int = 80) -> str:
    """The page as w3m shows it."""
    assert W3M
    arguments = [W3M, "-dump", "-cols", str(width), "-o", "display_charset=UTF-8", "-T", "text/html", str(path)]
    return subprocess.run(arguments, capture_output=True, check=True, timeout=60).stdout.decode()

"""How the pages of documentation are made into a site and manual pages (`make site`, `make man`).

The source folder is the whole tree, so that links between pages are the same in the site, in a checkout and on a forge.
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parent.parent

project = "pbmd"
author = "the pbmd project"
project_copyright = "the pbmd project, MIT licence"
version = release = re.findall(r'__version__ = "(.+)"', (ROOT / "pbmd" / "__init__.py").read_text(encoding="utf-8"))[0]
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "rulesets/*/RULES.md",
    "data/README.md",
    "deploy/mailserver/README.md",
    "*.md",
]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# Pygments does not know the languages of some blocks.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

html_theme = "furo"
html_title = f"pbmd {release}"
html_copy_source = False
html_show_sphinx = False

man_pages = [
    ("docs/commands", "pbmd", "play-by-mail games: orders in by e-mail, reports out", [author], 1),
    ("docs/settings", "pbmd.toml", "the settings of pbmd", [author], 5),
]


class NamedPages(SphinxPostTransform):
    """A manual page has no links to other pages: in their place stands the file, behind the words."""

    default_priority = 5  # before the links are resolved, which forgets where they lead
    formats = ("man",)

    def run(self, **_: Any) -> None:
        for link in [*self.document.findall(pending_xref)]:
            if link.get("refdomain") == "doc":
                link.replace_self([nodes.Text(f"{link.astext()} ({link['reftarget']}.md)")])


class TablesAsLists(SphinxPostTransform):
    """A manual page has no room for tables: each row is the term that it is about, and below it what the last column says."""

    default_priority = 20
    formats = ("man",)

    def run(self, **_: Any) -> None:
        for table in [*self.document.findall(nodes.table)]:
            rows = [[*row.findall(nodes.entry)] for row in table.findall(nodes.row)]
            if len(rows) < 2 or len(rows[0]) < 2:
                continue
            head = [entry.astext() for entry in rows[0]]
            table.replace_self(nodes.definition_list("", *(self._item(head, row) for row in rows[1:])))

    def _item(self, head: list[str], row: list[nodes.entry]) -> nodes.definition_list_item:
        term = nodes.term("", "", nodes.strong("", row[0].astext()))
        between = [f"{name}: {entry.astext()}" for name, entry in zip(head[1:-1], row[1:-1], strict=True)]
        if between:
            term += nodes.Text(f" ({'; '.join(between)})")
        return nodes.definition_list_item("", term, nodes.definition("", *row[-1].children))


def setup(app: Any) -> None:
    app.add_post_transform(NamedPages)
    app.add_post_transform(TablesAsLists)

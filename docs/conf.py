"""How the pages of documentation are made into a site and manual pages (`make site`, `make man`).

The source folder is the whole tree, so that links between pages are the same in the site, in a checkout and on a forge.
"""

import re
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from docutils.nodes import reference
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.manpage import ManualPageTranslator

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
myst_enable_extensions = ["deflist", "html_image"]
# Pygments does not know the languages of some blocks.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

PROSE = 60
"""A table that has more letters than that in a cell is read, not compared."""

CHECK_PAGE = "deploy/check.html"
html_theme = "furo"
html_title = f"pbmd {release}"
html_copy_source = False
html_show_sphinx = False
html_use_index = False  # no page has entries for it; there is one of all headings
templates_path = ["_templates"]

man_pages = [
    ("docs/commands", "pbmd", "play-by-mail games: orders in by e-mail, reports out", [author], 1),
    ("docs/settings", "pbmd.toml", "the settings of pbmd", [author], 5),
]

# With `-t man` the pages that become manual pages are the only ones that are read: they have no links to others.
if tags.has("man"):  # noqa: F821 – Sphinx puts it here
    include_patterns = [f"{page}.md" for page, *_ in man_pages]
    root_doc = man_pages[0][0]
    suppress_warnings = [*suppress_warnings, "toc.not_included"]


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


class ManualPage(ManualPageTranslator):
    """Headings of manual pages are in capitals; those that are tables of the settings stay as they have to be written."""

    def visit_title(self, node: Any) -> None:
        if self.section_level == 1 and node.astext().startswith("["):
            self.body.append(f".SH {self.deunicode(node.astext())}\n")
            raise nodes.SkipNode
        super().visit_title(node)


class TablesForPhones(SphinxPostTransform):
    """A table of three or more columns that has prose in it can be shown as blocks, one for each row, where it would not fit:
    its cells say of which column they are, in words that `page.html` shows only then."""

    default_priority = 20
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for table in self.document.findall(nodes.table):
            head, *rows = [[*row.findall(nodes.entry)] for row in table.findall(nodes.row)]
            if len(head) < 3 or not any(len(entry.astext()) > PROSE for row in rows for entry in row):
                continue
            table["classes"].append("rows-as-blocks")
            for row in rows:
                for named, entry in zip(head[1:], row[1:], strict=True):
                    if entry.astext():
                        label = nodes.inline("", f"{named.astext()}: ", classes=["column"])
                        next(entry.findall(nodes.paragraph)).insert(0, label)


TITLES = {"docs/commands": "Commands"}
"""What a page is called in the index of headings, if not by its title: that of the commands is a name for `man`."""


class Heading(NamedTuple):
    """A heading as the index of all of them has it: its words, its page, and of which page it is if it is not the first."""

    title: str
    page: str
    anchor: str
    of: str


def setup(app: Any) -> None:
    """Add the page of all headings, tell screen readers how high the captions of the contents stand, have keys scroll wide
    blocks, and make manual pages do without links and tables."""
    app.set_translator("man", ManualPage)
    app.connect("source-read", _with_scenes)
    app.add_post_transform(NamedPages)
    app.add_post_transform(TablesAsLists)
    app.add_post_transform(TablesForPhones)
    app.connect("html-page-context", _level_captions, priority=900)  # behind the theme, which makes the contents
    app.connect("html-page-context", _scrolled_by_keys)
    app.connect("build-finished", _with_check_page)
    app.connect("html-collect-pages", lambda app: [("docs/headings", {"letters": _by_letter(app.env)}, "headings.html")])


def _with_scenes(app: Any, page: str, source: list[str]) -> None:
    """A handbook ends with the stories of its ruleset, as by mail."""
    if page.endswith("/RULES"):
        # The Debian package makes its manual pages, which have no handbook, where nothing that pbmd needs is installed.
        from pbmd.rules.scenes import scenes

        source[0] += scenes(Path(app.srcdir) / Path(page).parent)


def _level_captions(_app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    contents = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = contents.replace('role="heading"', 'role="heading" aria-level="2"')


def _scrolled_by_keys(_app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    context["body"] = context.get("body", "").replace("<pre>", '<pre tabindex="0">')


def _with_check_page(app: Any, _problem: Any) -> None:
    """The page that checks games is served as it is, at the same place as in a checkout."""
    if app.builder.format == "html":
        (Path(app.outdir) / "deploy").mkdir(exist_ok=True)
        shutil.copy(Path(app.srcdir) / CHECK_PAGE, Path(app.outdir) / CHECK_PAGE)


def _by_letter(env: Any) -> list[tuple[str, list[Heading]]]:
    headings = sorted(_headings(env), key=lambda heading: (_sorted_by(heading.title), heading.of))
    return [(letter, list(found)) for letter, found in groupby(headings, lambda heading: _sorted_by(heading.title)[:1].upper())]


def _headings(env: Any) -> Iterator[Heading]:
    for page, contents in env.tocs.items():
        for link in contents.findall(reference):
            anchor, title = link.get("anchorname", ""), link.astext()
            if _sorted_by(title) and not page.endswith("CHANGELOG"):
                called = TITLES.get(page) or env.titles[page].astext()
                yield Heading(title, page, anchor, called) if anchor else Heading(called, page, "", "")


def _sorted_by(title: str) -> str:
    """What a title goes by: its letters and digits, from the first letter on, without an article."""
    return re.sub(r"^[^a-z]*((a|an|the) )?", "", re.sub(r"[^a-z0-9 ]", "", title.lower()))

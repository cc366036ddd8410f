"""`pbmd docs`: the pages of documentation to which commands send their readers."""

import re
import sys
from typing import Annotated

import typer
from rich.console import Console

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.resources import folder
from pbmd.rules import match_name

app = typer.Typer(**SETTINGS)
PAGES = (
    "did-not-arrive",
    "gm-trouble",
    "gm-mail",
    "mail",
    "log",
    "players",
    "rulesets",
    "ruleset-kit",
    "gm-pages",
    "scale",
    "fairness",
    "check-page",
    "proofs",
)
"""The pages that every installation has: `pyproject.toml` puts them into the wheel."""
CHECK_PAGE = "check.html"
"""The page that checks games in a browser, printed byte for byte."""
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)


@app.command(
    "docs",
    epilog=examples(
        "pbmd docs",
        "pbmd docs did-not-arrive",
        "pbmd docs did-not-arrive 5",
        "pbmd docs mail gmail",
        "pbmd docs check.html > check.html",
    ),
)
def command(
    page: Annotated[
        str | None, typer.Argument(help="One of the pages; `check.html` prints the page that checks games.", metavar="PAGE")
    ] = None,
    chapter: Annotated[
        str | None, typer.Argument(help="Only the chapter with this number, or with this in its heading.", metavar="CHAPTER")
    ] = None,
) -> None:
    """List the pages of documentation that came with pbmd, or show one, or a chapter of it."""
    if page is None:
        for name in PAGES:
            print(f"{name:<16}{_headings(page_named(name))[0][1]}")
        print(f"{CHECK_PAGE:<16}The page for that: pbmd docs {CHECK_PAGE} > {CHECK_PAGE}")
        return
    if page == CHECK_PAGE:
        sys.stdout.buffer.write((folder("deploy") / CHECK_PAGE).read_bytes())
        return
    match = match_name(page.removesuffix(".md"), PAGES)
    if match.found is None:
        fail(f"{match.problem(page, 'page')}; leave the page out for a list")
    text = page_named(match.found)
    shown = text if chapter is None else chapter_of(text, chapter)
    if not shown:
        titles = "; ".join(title for _, title, _ in _headings(text)[1:])
        fail(f'the page {match.found} has no chapter "{chapter}"; it has: {titles}')
    console = Console()
    if console.is_terminal:
        from rich.markdown import Markdown  # slow to load, and only for screens

        console.print(Markdown(shown, hyperlinks=False))
    else:
        print(shown, end="" if shown.endswith("\n") else "\n")


def page_named(name: str) -> str:
    """The text of one of `PAGES`. Raises `FileNotFoundError`."""
    return (folder("docs") / f"{name}.md").read_text(encoding="utf-8")


def chapter_of(text: str, named: str) -> str:
    """The first chapter with that number, else with those words in its heading, with all below it; empty if there is none."""
    headings = _headings(text)
    wanted = named.casefold().strip()
    numbered = (index for index, (_, title, _) in enumerate(headings) if title.startswith(f"{wanted}. "))
    worded = (index for index, (_, title, _) in enumerate(headings) if wanted and wanted in title.casefold())
    found = next(numbered, None) if wanted.isdecimal() else next(worded, None)
    if found is None:
        return ""
    level, _, begins = headings[found]
    ends = next((start for each, _, start in headings[found + 1 :] if each <= level), len(text))
    return text[begins:ends].rstrip() + "\n"


def _headings(text: str) -> list[tuple[int, str, int]]:
    """The level, the words and the place of each heading. Blocks of code have none."""
    fenced = [found.span() for found in _FENCED.finditer(text)]
    return [
        (len(found[1]), found[2], found.start())
        for found in _HEADING.finditer(text)
        if not any(begins <= found.start() < ends for begins, ends in fenced)
    ]

"""The pages of documentation, and what stands in them: fenced blocks, links and headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ON_THE_SITE = ("*.md", "docs/**/*.md", "rulesets/*/RULES.md", "data/README.md", "deploy/mailserver/README.md")
_BESIDES = ("templates/archive/FORMAT.md", ".github/ISSUE_TEMPLATE/*.md")
PAGES, BESIDES = (
    tuple(sorted(page for pattern in patterns for page in ROOT.glob(pattern))) for patterns in (_ON_THE_SITE, _BESIDES)
)
"""The pages of the site, and those that only a forge or an archive shows."""
_GOES_ON = re.compile(r"^<!-- goes on from (?P<page>\S+) -->$", re.MULTILINE)
_FENCE = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)|\b(?:href|src)=\"(?P<written>[^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} (?P<title>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind the fence, the text in it, and the line on which it begins."""

    page: Path
    tag: str
    text: str
    line: int

    @property
    def place(self) -> str:
        """For the reader of a failed test."""
        return f"{name_of(self.page)}, line {self.line}"


def name_of(page: Path) -> str:
    """The page as a reader knows it: its path from the top of the checkout."""
    return page.relative_to(ROOT).as_posix()


def read(page: Path | str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(tag: str, *pages: Path) -> list[Block]:
    """The fenced blocks with that tag."""
    return [block for page in pages or PAGES for block in all_blocks(page) if block.tag == tag]


def all_blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in their order."""
    text = read(page)
    return [
        Block(page, found["tag"].strip(), found["text"], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def before(page: Path) -> list[Path]:
    """The pages whose blocks go before those of this one, as a comment in it says, first to last."""
    found = _GOES_ON.search(read(page))
    return [*before(earlier := page.parent / found["page"]), earlier] if found else []


def links(page: Path) -> Iterator[str]:
    """Where the links of a page lead to within the checkout, as written."""
    for match in _LINK.finditer(_FENCE.sub("", read(page))):
        target = match["target"] or match["written"]
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links: small letters, digits, hyphens for blanks, nothing else."""
    titles = (match["title"] for match in _HEADING.finditer(_FENCE.sub("", read(page))))
    return {anchor_of(title) for title in titles}


def anchor_of(title: str) -> str:
    """What a heading is called in links."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def pattern_of(expected: str) -> re.Pattern[str]:
    """What printed text has to match: ``…`` is any text within a line, and alone on a line any number of lines.

    Blanks at the ends of lines do not matter.
    """
    lines = (
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + r"[ ]*\n"
        for line in expected.splitlines()
    )
    return re.compile("".join(lines))

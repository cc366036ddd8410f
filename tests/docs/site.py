"""`python -m tests.docs.site [VERSION]`: build the documentation into build/site, of this tree or of the tag of a version.

Each version has a folder of its own; `versions.html` beside them links to all that are there, and needs no script.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pbmd import __version__

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "site"
START = "docs/index.html"
_NUMBER = re.compile(r"(?P<release>\d+(\.\d+)*)(?P<rest>[\w.+-]*)")
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{head}<title>pbmd: {title}</title>
</head>
<body style="max-width: 40em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5">
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def build(version: str = "") -> None:
    """Build the pages of the tag `v…` of that version, or of this tree, and the list of versions anew."""
    if not version:
        _sphinx(ROOT, __version__)
    else:
        with tempfile.TemporaryDirectory() as tree:
            tag = subprocess.run(["git", "archive", f"v{version}"], cwd=ROOT, check=True, capture_output=True).stdout
            subprocess.run(["tar", "-x", "-C", tree], input=tag, check=True)
            _sphinx(Path(tree), version)
    write_lists(SITE)
    if wrong := broken_links(SITE / (version or __version__)):
        sys.exit("\n".join(wrong))


def _sphinx(tree: Path, version: str) -> None:
    out = SITE / version
    command = [sys.executable, "-m", "sphinx", "--quiet", "--write-all", "--fail-on-warning", "--keep-going", "-c", "docs"]
    subprocess.run([*command, "-d", str(ROOT / "build" / "doctrees" / version), ".", str(out)], cwd=tree, check=True)
    (out / "index.html").write_text(_leading_to(START), encoding="utf-8")


def write_lists(site: Path) -> None:
    """Write the page of versions, and that with which the site begins, for the versions that are in its folder."""
    versions = newest_first([page.parents[1].name for page in site.glob(f"*/{START}")])
    (site / "versions.html").write_text(versions_page(versions), encoding="utf-8")
    (site / "index.html").write_text(_leading_to(f"{versions[0]}/{START}"), encoding="utf-8")


def broken_links(folder: Path) -> list[str]:
    """What leads nowhere on the pages there: links without a file, and those to a place that a page does not have."""
    wrong = list[str]()
    for page in sorted(folder.rglob("*.html")):
        for link in _read(page).links:
            to = urlsplit(link)
            if to.scheme or to.netloc:
                continue  # the network is not asked
            target = (page.parent / unquote(to.path)).resolve() if to.path else page
            if not target.is_file():
                wrong.append(f"{page}: {link}: there is no such file")
            elif to.fragment and target.suffix == ".html" and unquote(to.fragment) not in _read(target).places:
                wrong.append(f"{page}: {link}: there is no such place")
    return wrong


class _Page(HTMLParser):
    """The links and places of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links, self.places = list[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 – the name is html.parser's
        named = {name: value for name, value in attrs if value}
        self.links += [
            named[name] for name in ("href", "src") if name in named and not named[name].startswith(("data:", "#svg"))
        ]
        self.places |= {named[name] for name in ("id", "name") if name in named}


@cache
def _read(page: Path) -> _Page:
    read = _Page()
    read.feed(page.read_text(encoding="utf-8"))
    return read


def newest_first(versions: Sequence[str]) -> list[str]:
    """Versions by their numbers; one with something behind them (1.0.0rc1) is older than the one without."""
    return sorted(versions, key=_order, reverse=True)


def _order(version: str) -> tuple[list[int], bool, str]:
    found = _NUMBER.fullmatch(version)
    return ([*map(int, found["release"].split("."))], not found["rest"], found["rest"]) if found else ([], False, version)


def versions_page(versions: Sequence[str]) -> str:
    """The page that lists them, newest first."""
    rows = [
        f'<li><a href="{escape(each)}/{START}">pbmd {escape(each)}</a>'
        f' (<a href="{escape(each)}/CHANGELOG.html">what was new</a>)</li>'
        for each in versions
    ]
    body = "\n".join(["<p><code>pbmd --version</code> says which one you have.</p>", "<ul>", *rows, "</ul>"])
    return _PAGE.format(head="", title="Documentation by version", body=body)


def _leading_to(path: str) -> str:
    """A page that is left at once, without script."""
    to = escape(path)
    return _PAGE.format(
        head=f'<meta http-equiv="refresh" content="0; url={to}">\n',
        title="Documentation",
        body=f'<p><a href="{to}">Read on here.</a></p>',
    )


if __name__ == "__main__":
    build(*sys.argv[1:])

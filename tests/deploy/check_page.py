"""deploy/check.html in a browser: as a person uses it, and as what it says of archives and mails that are handed to its script."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.docs.check_page import PROGRAM
from tests.pages.browser import chromium

Files = Mapping[str, bytes]

_CHECK = """async ([changed, gone]) => {
  const files = new Map(window.base);
  for (const path of gone) files.delete(path);
  for (const [path, content] of Object.entries(changed)) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    files.set(path, { size: bytes.length, read: async () => bytes });
  }
  if (!Object.keys(changed).includes("")) { const { code, words } = await checkArchive(files, () => {}, () => {}); return [code, words]; }
  files.delete("");
  window.base = files;
  return [0, ""];
}"""


class Checked:
    """The script of the page, asked without its buttons. What is the same as in the archive before is not sent again."""

    def __init__(self, page: Any) -> None:
        self._page, self._base = page, dict[str, bytes]()
        page.evaluate("window.base = new Map()")

    def code(self, archive: Path) -> tuple[int, str]:
        """The exit code that it would have, and what is wrong, in words."""
        files = files_of(archive)
        if len(self._changed(files)) > 20:
            self._page.evaluate(_CHECK, [{"": "", **_encoded(self._changed(files))}, self._gone(files)])
            self._base = dict(files)
        code, words = self._page.evaluate(_CHECK, [_encoded(self._changed(files)), self._gone(files)])
        return code, words

    def _changed(self, files: Files) -> dict[str, bytes]:
        return {path: content for path, content in files.items() if self._base.get(path) != content}

    def _gone(self, files: Files) -> list[str]:
        return [*(self._base.keys() - files.keys())]


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of an archive, by their paths in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _encoded(files: Files) -> dict[str, str]:
    return {path: b64encode(content).decode() for path, content in files.items()}


@contextmanager
def opened_page(**more: Any) -> Iterator[Any]:
    """The page in a browser of its own."""
    with chromium() as browser:
        page = browser.new_context(**more).new_page()
        page.goto(PROGRAM.as_uri())
        yield page


def choose(page: Any, *paths: Path) -> str:
    """Give it files, as the button does; what it says then."""
    page.set_input_files("#pick-files", [*map(str, paths)])
    return verdict(page)


def verdict(page: Any) -> str:
    """The heading of what came out, when it has."""
    page.locator("#results").wait_for(state="visible")
    return page.locator("[data-verdict] h2:visible").inner_text()


def said(page: Any) -> Sequence[str]:
    """What it says of each step: the mark, and the sentence."""
    return [" ".join(each.split("\n")[:2]) for each in page.locator("#steps li").all_inner_texts()]

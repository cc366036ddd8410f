"""deploy/check.html in a browser: as a person uses it, and as its script answers without the buttons."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Files = Mapping[str, bytes]

_TOOLS = """() => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  window.base = new Map();
  window.filesWith = (changed, gone) => {
    const files = new Map(window.base);
    for (const path of gone) files.delete(path);
    for (const [path, content] of Object.entries(changed)) {
      const bytes = bytesOf(content);
      files.set(path, { size: bytes.length, read: async () => bytes });
    }
    return files;
  };
  window.mailsIn = (letters) => letters.flatMap((raw, place) => readMail(binary(bytesOf(raw)), `mail ${place}`));
}"""
_KEEP = "([changed, gone]) => { window.base = window.filesWith(changed, gone); }"
_CHECK = """async ([changed, gone]) => {
  const { code, words, game } = await checkArchive(window.filesWith(changed, gone), () => {}, () => {});
  window.game = game;
  return [code, code === 1 ? words : ""];
}"""
_MAILS = """async ([letters, game]) => {
  const steps = [], books = game ? window.game : undefined;
  const post = await checkMails(window.mailsIn(letters), books, (...step) => steps.push(step));
  return [post.wrong, steps.find((step) => step[1] === "mails")?.[2] ?? ""];
}"""


class Checked:
    """The script of the page, asked without its buttons. What is the same as in the archive before is not sent again."""

    def __init__(self, page: Any) -> None:
        self._page, self._base = page, dict[str, bytes]()
        page.evaluate(_TOOLS)

    def code(self, archive: Path) -> tuple[int, str]:
        """The exit code that it would have, and what is wrong, in words."""
        files = files_of(archive)
        if len(self._changed(files)) > 20:
            self._page.evaluate(_KEEP, [_encoded(self._changed(files)), self._gone(files)])
            self._base = dict(files)
        code, words = self._page.evaluate(_CHECK, [_encoded(self._changed(files)), self._gone(files)])
        return code, words

    def mails(self, archive: Path, mails: Sequence[bytes]) -> tuple[list[str], str]:
        """What mails say otherwise than the archive and each other, and what of them is in its books."""
        self.code(archive)
        return self._asked(mails, with_game=True)

    def without(self, mails: Sequence[bytes]) -> list[str]:
        """What mails say otherwise than each other, with no archive."""
        return self._asked(mails, with_game=False)[0]

    def _asked(self, mails: Sequence[bytes], *, with_game: bool) -> tuple[list[str], str]:
        wrong, fits = self._page.evaluate(_MAILS, [[b64encode(raw).decode() for raw in mails], with_game])
        return wrong, fits

    def _changed(self, files: Files) -> dict[str, bytes]:
        return {path: content for path, content in files.items() if self._base.get(path) != content}

    def _gone(self, files: Files) -> list[str]:
        return [*(self._base.keys() - files.keys())]


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of an archive, by their paths in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _encoded(files: Files) -> dict[str, str]:
    return {path: b64encode(content).decode() for path, content in files.items()}


def choose(page: Any, *paths: Path) -> str:
    """Give it files, as the button does; what it says then."""
    page.set_input_files("#pick-files", [*map(str, paths)])
    return verdict(page)


def drop(page: Any, *paths: Path) -> None:
    """Drop files and folders onto it, as a mouse does."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [*map(str, paths)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 300, "data": data})


def verdict(page: Any) -> str:
    """The heading of what came out, when it has."""
    page.locator("#results").wait_for(state="visible")
    return page.locator("[data-verdict] h2:visible").inner_text()


def said(page: Any) -> Sequence[str]:
    """What it says of each step: the mark, and the sentence."""
    return [" ".join(each.split("\n")[:2]) for each in page.locator("#steps li").all_inner_texts()]

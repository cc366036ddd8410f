"""A book as PDF, typeset by Typst: tagged for screen readers (PDF/UA-1) and fit for archiving (PDF/A-2a).

Typst is part of the extra `book`. It sets one template of ours; every word of the book reaches it as data. It gets no folder,
no fonts of the machine and no clock, so that the same book gives the same bytes everywhere.
"""

import json
import re
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING

from pbmd.book.elements import Book
from pbmd.book.glyphs import goes_together, plainer, spelt, spelt_out, to_be_tried
from pbmd.book.pdf_data import document
from pbmd.resources import folder

if TYPE_CHECKING:
    import typst

MISSING = "a PDF is set by Typst: pip install 'pbmd-games[book]'; an EPUB needs nothing more (--to NAME.epub)"
_STANDARDS: list["typst.PDFStandard"] = ["a-2a", "ua-1"]
_NOT_SHOWN = re.compile(r"the text `?\"(.+?)\"`? could not be displayed", re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_MOST_TRIES = 4
_PROBE = b"""#set document(title: "Letters")
#set text(font: ("Libertinus Serif", "Open Sans", "DejaVu Sans Mono"), lang: "en")
#sys.inputs.letters"""


class NotTypeset(ValueError):
    """A book that could not be typeset; the message says why."""


def pdf_of(book: Book) -> bytes:
    """The book as PDF. Raises `NotTypeset`, also if Typst is not installed."""
    try:
        import typst
    except ImportError:
        raise NotTypeset(MISSING) from None
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(files("ttf_opensans") / "ttf")])
    press = _Press(typst.Compiler(font_paths=fonts), int(book.at.timestamp()))
    template = (folder("templates") / "book" / "book.typ").read_bytes()
    told = json.dumps(document(book), ensure_ascii=False)
    doubtful, unknown = to_be_tried({*told})
    unknown += press.unknown([letter for letter in doubtful if goes_together(letter)])
    unknown += [letter for letter in doubtful if not goes_together(letter) and press.unknown([letter])]
    told = told.translate({ord(letter): spelt(letter) for letter in unknown})
    # A refused book is tried again plainer; why the plainest is refused is the error.
    *plain, plainest = (told, *plainer(told))
    for words in plain:
        with suppress(NotTypeset):
            return _set(press, template, words)
    return _set(press, template, plainest)


def _set(press: "_Press", template: bytes, told: str) -> bytes:
    """The PDF, without the letters that Typst says it cannot show. Raises `NotTypeset`."""
    import typst

    for _ in range(_MOST_TRIES):
        try:
            return press.set(template, {"book": told})
        except typst.TypstError as problem:
            shown = _NOT_SHOWN.search(str(problem))
            again = spelt_out(told, _ESCAPED.sub(_letter, shown[1])) if shown else told
            if again == told:
                raise NotTypeset(f"it could not be typeset: {problem}"[:300]) from problem
            told = again
    raise NotTypeset("it has letters that the fonts do not have; make the EPUB (--to NAME.epub)")


def _letter(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


class _Press:
    """Typst with its fonts, and the time that it gets."""

    def __init__(self, compiler: "typst.Compiler", at: int) -> None:
        self._compiler, self._at = compiler, at

    def set(self, template: bytes, values: dict[str, str]) -> bytes:
        """The result of a template. Raises `typst.TypstError` and `NotTypeset`."""
        import typst

        try:
            made = self._compiled(template, values)
        except (KeyboardInterrupt, SystemExit, typst.TypstError):
            raise
        except BaseException as problem:  # a panic of Typst is not an Exception
            raise NotTypeset(f"Typst gave up: {type(problem).__name__}") from None
        assert isinstance(made, bytes)
        return made

    def _compiled(self, template: bytes, values: dict[str, str]) -> object:
        return self._compiler.compile(template, format="pdf", sys_inputs=values, pdf_standards=_STANDARDS, timestamp=self._at)

    def unknown(self, letters: list[str]) -> list[str]:
        """Those of the letters that no font has."""
        import typst

        if not letters:
            return []
        try:
            self.set(_PROBE, {"letters": " ".join(letters)})
        except (typst.TypstError, NotTypeset):
            if len(letters) == 1:
                return letters
            half = len(letters) // 2
            return [*self.unknown(letters[:half]), *self.unknown(letters[half:])]
        return []

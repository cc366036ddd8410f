"""`python -m tests.docs.book_picture`: some pages of the book of a sample, as docs/book.md shows them."""

import io
import json
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import typst
from PIL import Image

from pbmd.book.chapters import book_of
from pbmd.book.from_archive import read_story
from pbmd.book.pdf_data import document
from pbmd.resources import folder
from tests.archive.samples import FOLDER, unpack

FILE = Path(__file__).parents[2] / "docs" / "book.png"
SLUG, PAGES = "societies", (0, 5, -5, -4)
"""The title page, a turn, charts, and the beginning of the orders."""
_PPI, _GAP, _BACK = 62, 14, "#8a8f98"


def main() -> None:
    """Write the picture."""
    with TemporaryDirectory() as home:
        book = book_of(read_story(unpack(FOLDER / f"{SLUG}.tar.xz", Path(home)), lambda: None))
    pages = typst.compile(
        (folder("templates") / "book" / "book.typ").read_bytes(),
        format="png",
        ppi=_PPI,
        sys_inputs={"book": json.dumps(document(book))},
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[str(files("ttf_opensans") / "ttf")]),
    )
    assert isinstance(pages, list)
    shown = [Image.open(io.BytesIO(pages[number])).convert("RGB") for number in PAGES]
    width, height = shown[0].size
    sheet = Image.new("RGB", (len(shown) * (width + _GAP) + _GAP, height + 2 * _GAP), _BACK)
    for place, page in enumerate(shown):
        sheet.paste(page, (_GAP + place * (width + _GAP), _GAP))
    sheet.quantize(64).save(FILE, optimize=True)


if __name__ == "__main__":
    main()

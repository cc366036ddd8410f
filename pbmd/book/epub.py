"""A book as EPUB 3: a zip file of XHTML, with the maps as drawings beside it. The same book gives the same bytes."""

import hashlib
import io
import zipfile
from collections.abc import Iterator

from markupsafe import Markup

from pbmd.book.elements import Block, Book, Picture, pictures_in
from pbmd.rendering.render import environment
from pbmd.resources import folder

TYPE = "application/epub+zip"
_CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Zip files cannot store an earlier time."""


def epub_of(book: Book) -> bytes:
    """The book as EPUB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        _write(archive, "mimetype", TYPE, zipfile.ZIP_STORED)  # first and uncompressed: e-readers identify the file by it
        _write(archive, "META-INF/container.xml", _CONTAINER)
        for name, content in _files(book):
            _write(archive, f"EPUB/{name}", content)
    return packed.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: str, how: int = zipfile.ZIP_DEFLATED) -> None:
    item = zipfile.ZipInfo(name, _LONG_AGO)
    item.external_attr, item.compress_type = 0o100644 << 16, how
    archive.writestr(item, content.encode())


def _files(book: Book) -> Iterator[tuple[str, str]]:
    drawings = {drawing_name(picture): picture.svg for picture in _pictures(book)}
    cover = drawing_name(book.cover) if book.cover else ""
    yield "package.opf", page("package", book=book, pictures=list(drawings), cover=cover)
    yield "nav.xhtml", page("nav", book=book)
    yield "title.xhtml", page("title", book=book, source=drawing_name)
    for chapter in book.chapters:
        yield f"{chapter.name}.xhtml", page("chapter", chapter=chapter, source=drawing_name)
    yield "style.css", style()
    yield from drawings.items()


def _pictures(book: Book) -> Iterator[Picture]:
    if book.cover:
        yield book.cover
    for chapter in book.chapters:
        yield from pictures_in(chapter.blocks)


def drawing_name(picture: Picture) -> str:
    """The file name of a drawing: equal drawings share a file."""
    return f"drawing-{hashlib.sha256(picture.svg.encode()).hexdigest()[:24]}.svg"


def style() -> str:
    """The style of all pages."""
    return (folder("templates") / "book" / "style.css").read_text(encoding="utf-8")


def page(name: str, **values: object) -> str:
    """A page made with one of the templates."""
    shared = {"kind_of": _kind, "br": Markup("<br/>")}
    return environment().get_template(f"book/{name}.html.j2").render(**shared, **values).lstrip()


def _kind(block: Block) -> str:
    return type(block).__name__

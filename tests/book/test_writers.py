"""The files that a book becomes: an EPUB and a PDF that are in order, the same for the same book, and harmless."""

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pypdf
import pytest
from selectolax.lexbor import LexborHTMLParser

from pbmd.book.clean_text import clean
from pbmd.book.elements import (
    Book,
    Box,
    Cell,
    Chapter,
    Heading,
    Items,
    Paragraph,
    Press,
    Run,
    Table,
    Verbatim,
    paragraph,
    pictures_in,
)
from pbmd.book.epub import TYPE, epub_of
from pbmd.book.pdf import MISSING, NotTypeset, pdf_of
from pbmd.book.pdf_data import document
from pbmd.book.web import page_of
from pbmd.rules.registry import slugs
from tests.doses import dose

OPF, XHTML = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"
DC = "{http://purl.org/dc/elements/1.1/}"
HOSTILE = (
    "#panic() $x$ *b* _i_ `r` @ref <script>alert(1)</script> &amp; {{ 7 * 7 }} {% raw %} \\u{41} ]]> <!-- \" ' %PDF "
    '#include "/etc/passwd" #import "@preview/x:1.0.0" = no head\n= nor this\n\n- nor a list'
)
SCRIPTS = "שלום עולם سلام 中文 Ελλάς Привет 😀 👨‍👩‍👧 ‮turned\x00\x07 e\u0301 \ud800 " + "w" * 300


def hostile(book: Book) -> Book:
    """The book with what players might write in every place where words stand."""
    words = clean(f"{HOSTILE} {SCRIPTS}")  # as all that comes out of an archive is
    row = (Cell((Run(words),), head=True), Cell((Run(words),), right=True))
    blocks = (
        Heading(2, " ".join(words.split())),
        Paragraph(tuple(Run(words, style) for style in ("", "strong", "soft", "aside", "code"))),
        Verbatim(words),
        Items(((paragraph(words),),)),
        Table((row, row), 1, words),
        Press(words, words),
    )
    chapters = (*book.chapters[:2], Chapter("hostile", " ".join(words.split()), blocks), *book.chapters[2:])
    return replace(book, title=" ".join(words.split()), lines=(" ".join(words.split()),), chapters=chapters)


def files_of(epub: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(epub)) as packed:
        assert packed.testzip() is None
        return {item.filename: packed.read(item) for item in packed.infolist()}


def check_epub(epub: bytes, book: Book) -> None:
    """All that a reader needs: the kind first and uncompressed, a manifest of all files and of no others, pages that are XML,
    links and pictures that lead somewhere, and words for each picture."""
    with zipfile.ZipFile(io.BytesIO(epub)) as packed:
        first = packed.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
    files = files_of(epub)
    assert files["mimetype"] == TYPE.encode()
    assert b'full-path="EPUB/package.opf"' in files["META-INF/container.xml"]
    package = ET.fromstring(files["EPUB/package.opf"])
    about = {each.tag.removeprefix(DC): each.text for each in package[0]}
    assert (about["title"], about["language"], about["identifier"]) == (book.title, "en", book.identifier)
    properties = {each.get("property"): each.text for each in package[0] if each.get("property")}
    assert properties["dcterms:modified"] == f"{book.at:%Y-%m-%dT%H:%M:%SZ}"
    assert properties["schema:accessibilityHazard"] == "none"
    items = {item.get("id"): item for item in package.iter(f"{OPF}item")}
    there = {f"EPUB/{item.get('href')}" for item in items.values()}
    assert there == files.keys() - {"mimetype", "META-INF/container.xml", "EPUB/package.opf"}
    assert [items[each.get("idref")].get("href") for each in package.iter(f"{OPF}itemref")] == [
        "title.xhtml",
        "nav.xhtml",
        *(f"{each.name}.xhtml" for each in book.chapters),
    ]
    assert [item.get("href") for item in items.values() if item.get("properties") == "nav"] == ["nav.xhtml"]
    for name in there:
        if name.endswith((".xhtml", ".svg")):
            check_page(name, files)


def check_page(name: str, files: dict[str, bytes]) -> None:
    root = ET.fromstring(files[name])
    if name.endswith(".svg"):
        return
    assert root.get("lang") == "en"
    assert "".join(root.find(f"{XHTML}head/{XHTML}title").itertext()).strip()  # type: ignore[union-attr]
    identifiers = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(identifiers) == len(set(identifiers))
    assert not list(root.iter(f"{XHTML}script"))
    for each in root.iter():
        assert each.tag.startswith(XHTML)
        assert not [key for key in each.attrib if key.startswith("on")]
        if each.tag in (f"{XHTML}img", f"{XHTML}a", f"{XHTML}link"):
            target = each.get("src") or each.get("href") or ""
            assert f"EPUB/{target}" in files
        if each.tag == f"{XHTML}img":
            assert len(each.get("alt", "")) > 10
    levels = [int(each.tag[-1]) for each in root.iter() if re.fullmatch(r"h[1-6]", each.tag.removeprefix(XHTML))]
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("slug", slugs())
def test_the_epub_of_every_ruleset_is_in_order(slug: str, book) -> None:
    check_epub(epub_of(book(slug)), book(slug))


def test_the_same_book_is_the_same_epub(book) -> None:
    assert epub_of(book("societies")) == epub_of(book("societies"))


def test_a_drawing_is_in_an_epub_once(book) -> None:
    drawings = {each.svg for chapter in book("societies").chapters for each in pictures_in(chapter.blocks)}
    assert sum(name.endswith(".svg") for name in files_of(epub_of(book("societies")))) == len(drawings)


def test_nothing_that_players_write_is_markup_in_an_epub(book) -> None:
    bad = hostile(book("starship_squadrons"))
    epub = epub_of(bad)
    check_epub(epub, bad)
    page = ET.fromstring(files_of(epub)["EPUB/hostile.xhtml"])
    words = "".join(page.itertext())
    assert words.count("{{ 7 * 7 }}") > 8
    assert words.count("<script>alert(1)</script>") > 8
    assert "😀" in words
    assert "\x00" not in words


def test_a_book_on_one_page_has_its_chapters_with_their_heads_and_links_to_them(book) -> None:
    made = book("societies")
    page = LexborHTMLParser(page_of(made))
    heads = [(int(each.tag[-1]), each.text().strip()) for each in page.css("h1, h2, h3, h4, h5, h6")]
    assert [text for level, text in heads if level == 2] == [each.title for each in made.chapters]
    assert [text for level, text in heads if level == 1] == [made.title]
    assert all(later <= earlier + 1 for (earlier, _), (later, _) in pairwise(heads))
    links = [each.attributes["href"] for each in page.css("nav a")]
    assert links == [f"#{each.name}" for each in made.chapters]
    assert all(page.css_first(link) is not None for link in links)
    assert page.css_first("header img") is not None


def test_nor_on_a_page(book) -> None:
    page = page_of(hostile(book("starship_squadrons")))
    assert "<script" not in page
    assert page.count("{{ 7 * 7 }}") > 8
    assert "default-src 'none'" in page
    assert not re.findall(r'(?:src|href)="(?!data:image/svg\+xml;base64,|#)', page)


@pytest.mark.parametrize("slug", dose(["galactic_overlord"], slugs()))
def test_a_pdf_is_tagged_titled_and_has_all_words(slug: str, book) -> None:
    content = pdf_of(book(slug))
    assert len(content) < 5_000_000
    assert pdf_of(book(slug)) == content
    pdf = pypdf.PdfReader(io.BytesIO(content))
    root = pdf.trailer["/Root"]
    assert bool(root["/MarkInfo"]["/Marked"])
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    said = pdf.xmp_metadata.stream.get_data().decode()  # type: ignore[union-attr]
    assert "pdfuaid:part>1<" in said.replace('="', ">").replace('"', "<")
    assert pdf.metadata is not None
    assert (pdf.metadata.title, pdf.metadata.creation_date) == (book(slug).title, book(slug).at.replace(microsecond=0))
    heads = [each.title for each in pdf.outline if not isinstance(each, list)]  # type: ignore[union-attr]
    assert heads == [each.title for each in book(slug).chapters]
    pages = [page.extract_text() for page in pdf.pages]
    assert [number for number, text in enumerate(pages, 1) if not text.strip()] == []
    if slug == "galactic_overlord":
        assert any("Half of the game is over." in text for text in pages)
    pictures = [picture for chapter in book(slug).chapters for picture in pictures_in(chapter.blocks)]
    told = [str(each["/Alt"]) for each in structure(root["/StructTreeRoot"]) if each.get("/S") == "/Figure"]
    assert sorted(told) == sorted(each.alt for each in (*pictures, *filter(None, [book(slug).cover])))


def test_a_map_that_is_wide_or_tall_has_all_the_room_so_that_its_letters_can_be_read(book) -> None:
    sizes = {}
    for slug in ("starship_squadrons", "diplomacy", "societies"):
        blocks = [block for each in document(book(slug))["chapters"] for block in each["blocks"]]
        maps = [block for block in blocks if block["kind"] == "picture" and block["alt"].startswith("Map")]
        sizes[slug] = [block["large"] for block in maps]
    assert {*sizes.pop("diplomacy")} == {False}, "its letters are large enough on a sheet of usual width"
    assert sizes == {"starship_squadrons": [False] * 4 + [True], "societies": [False] * 9}


def test_a_chart_is_on_the_page_of_its_table_and_no_orders_are_torn_from_the_name_of_their_seat(book) -> None:
    made = book("societies")
    frames = [each for each in made.chapters if each.name in ("numbers", "orders")]
    pdf = pypdf.PdfReader(io.BytesIO(pdf_of(replace(made, chapters=tuple(frames), cover=None))))
    pages = ["\n".join(line.strip() for line in page.extract_text().splitlines()) for page in pdf.pages]
    for chart in ("Cities", "Technology", "Wonders"):
        [page] = [page for page in pages if f"\n{chart}\n" in f"\n{page}"]
        assert "Turn Altair Borealis Cygnus" in page.partition(chart)[2]
    heads = [page.partition("Seat Orders\n")[2].split()[0] for page in pages if "Seat Orders\n" in page]
    assert len(heads) > 2
    assert {*heads} <= {"Altair", "Borealis", "Cygnus"}


def structure(element: Any) -> Iterator[Any]:
    """An element of the structure of a PDF, and all below it."""
    yield element
    below = element.get("/K", [])
    for each in below if isinstance(below, list) else [below]:
        found = each.get_object()
        if isinstance(found, dict) and "/S" in found:
            yield from structure(found)


def test_short_chapters_share_a_page_and_no_head_is_the_last_of_one(book) -> None:
    made = book("societies")
    pdf = pypdf.PdfReader(io.BytesIO(pdf_of(made)))
    begins = [pdf.get_destination_page_number(each) for each in pdf.outline if not isinstance(each, list)]  # type: ignore[arg-type]
    assert len(set(begins)) < len(begins)
    assert len(pdf.pages) < 1.7 * len(made.chapters)
    last = [[line for line in page.extract_text().splitlines() if not line.strip().isdigit()][-1].strip() for page in pdf.pages]
    assert {*last} & {each.title for each in made.chapters} == set()


def test_nothing_that_players_write_is_markup_in_a_pdf_and_unknown_letters_are_spelt(book) -> None:
    bad = hostile(replace(book("starship_squadrons"), chapters=book("starship_squadrons").chapters[:1], cover=None))
    pdf = pypdf.PdfReader(io.BytesIO(pdf_of(bad)))
    words = "".join("".join(page.extract_text() for page in pdf.pages).split())
    for said in (
        "#panic()",
        "*b*",
        "<script>alert(1)</script>",
        "{{7*7}}",
        '#include"/etc/passwd"',
        "‹grinningface›",
        "Привет",
    ):
        assert words.count(said) >= 4, said
    assert "😀" not in words
    assert "\N{ZERO WIDTH SPACE}" not in words, "what is copied out of a book, or searched in it, is what was written"


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "words",
    [
        "w" * 8_000,
        "\n".join(["x" * 70] * 300),
        "\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 8_000,
        "\N{ZERO WIDTH JOINER}" * 9_000,
        "a" + "\N{COMBINING ACUTE ACCENT}" * 9_000,
        "\N{VARIATION SELECTOR-16}",
        "".join(map(chr, range(0x590, 0x680))),
        "".join(map(chr, range(0x10000, 0x12000))),
        "".join(map(chr, range(0x815, 0x831))),
        "\n\n\n",
    ],
    ids=[
        "a word",
        "lines",
        "ideographs",
        "joiners",
        "accents",
        "nothing to see",
        "letters",
        "rare letters",
        "marks that make Typst give up",
        "empty lines",
    ],
)
def test_whatever_a_player_writes_the_pdf_is_made(words: str, book, capfd: pytest.CaptureFixture[str]) -> None:
    """One letter of press must not take the book of two years from all others."""
    said = clean(words)
    row = (Cell((Run(said),), head=True), Cell((Run("1"),), right=True))
    paragraphs = tuple(Paragraph((Run(said, style),)) for style in ("", "strong", "soft", "aside", "code"))
    blocks = (Press(said[:9_000], said), *paragraphs, Verbatim(said), Table((row,)), Box(paragraphs[:1]))
    heads = (Heading(2, " ".join(said.split())),) if said.strip() else ()
    whole = replace(book("societies"), chapters=(Chapter("said", "Said", (*blocks, *heads)),), cover=None)
    pages = pypdf.PdfReader(io.BytesIO(pdf_of(whole))).pages
    assert len(pages) >= 2
    assert capfd.readouterr().err == ""  # there Typst tells that it has given up
    if words.startswith("w"):
        assert "".join(page.extract_text() for page in pages).count("w") > 6 * len(words)


def test_without_typst_it_says_what_to_install(book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(NotTypeset) as told:
        pdf_of(book("societies"))
    assert str(told.value) == MISSING
    assert "pip install 'pbmd-games[book]'" in MISSING

"""Which part of a message holds the text that the writer meant, and the lines of that text."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from pbmd.post.lines.text import join_wrapped, key, normal, split_lines, unflow, without_armour
from pbmd.post.read.attached_files import NO_PLAIN_TEXT, Attachment, attachment, is_mail, is_tnef, name_of
from pbmd.post.read.charsets import decode
from pbmd.post.read.html import BOLD, NOT_BOLD, NOT_STRUCK, STRUCK, TooComplex, html_lines
from pbmd.post.read.limits import Limits
from pbmd.post.read.mime import Part

SIGNED = (
    "Your mail is signed in a way that packs its text into a file (S/MIME, opaque), and that is not opened here. "
    "Please send your orders again, not signed, or signed as clear text."
)
CONFIDENTIAL = (
    "Your mail is in Gmail's confidential mode: all that came is a link, which is not opened here. "
    "Please send your orders again with confidential mode turned off."
)
ENCRYPTED = "Your mail is encrypted, and that cannot be read here. Please send your orders again as plain text, not encrypted."
TNEF = (
    'Your mail program packed the text into a file "winmail.dat" that cannot be read here. '
    "Please set it to plain text (in Outlook: Format Text, Plain Text) and send your orders again."
)
NO_TEXT = "There is no text in your mail. Please write your orders into the mail itself, as plain text."
ONLY_FILES = (
    "Your mail has no text, and {files} cannot be read here. Please write your orders into the mail itself, as plain text."
)
ONLY_A_MAIL = (
    "Your mail has no text of its own, but a mail attached to it, and attached mails are not opened: orders that stand in it "
    "were not read. Please write your orders into the mail itself, as plain text."
)
TOO_MANY_LINES = "Your mail has too many lines to be read. Please write a new, short mail with only your orders."
TOO_COMPLEX = "Your mail's formatting is too complex to be read. Please send only your orders, as plain text."


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a message: its lines, where they were found, or a sentence that says why there are none.

    `files` are what was sent along; `skipped` the texts of parts that another program added.
    `marked` are the lines once more, with [b]…[/b] around what is bold; empty if nothing is, or the writer typed [b].
    """

    lines: list[str]
    source: str
    problem: str = ""
    files: tuple[Attachment, ...] = ()
    skipped: tuple[str, ...] = ()
    marked: list[str] = field(default_factory=list[str])
    struck: tuple[str, ...] = ()
    """What is struck out in the text, one line each; it is in none of the `lines`."""
    html: "Callable[[], HtmlText] | None" = field(default=None, compare=False, repr=False)
    """Reads the HTML part beside the plain text, if there is one. Raises TooComplex."""


class HtmlText(NamedTuple):
    """The text of HTML: its `lines`, those as `marked` with [b]…[/b], empty if nothing is bold, and what is `struck` out."""

    lines: list[str]
    marked: list[str]
    struck: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """What the parts of a message are used for."""

    from_list: bool
    plain: list[Part] = field(default_factory=list["Part"])
    html: list[Part] = field(default_factory=list["Part"])
    beside: list[Part] = field(default_factory=list["Part"])
    """HTML that has no plain text as its alternative."""
    files: list[Part] = field(default_factory=list["Part"])
    added: list[Part] = field(default_factory=list["Part"])
    unknown: list[Part] = field(default_factory=list["Part"])
    """Another form of the text, in an unknown type."""
    unreadable: str = ""
    """Why the text cannot be read, if it is inside a part that is not opened."""


def read_body(root: Part, from_list: bool, limits: Limits) -> Body:
    """The text of a message: plain text, else HTML, else attached text files; without what a mailing list added."""
    found = _found_in(root, from_list)
    plain = [] if found.unreadable else _plain_text(found.plain)
    if problem := found.unreadable or _packed_elsewhere(plain):
        return Body([], "", problem)
    try:
        text = _text(found, plain, limits)
    except TooComplex:
        return Body([], "", TOO_COMPLEX)
    if len(text.lines) > limits.text_lines:
        return Body([], "", TOO_MANY_LINES)
    files = (*_attachments(found.files, limits), *(_beside(found.beside, plain, limits) if text.source == "text" else ()))
    text = replace(text, files=files, skipped=tuple("\n".join(_plain_text([part])) for part in found.added))
    if text.struck or any(normal(line) for line in text.lines):
        return text
    if attached := [line for file in files for line in file.lines]:
        return replace(text, lines=attached, source="attachment")
    return replace(text, problem=_nothing_to_read(found), html=None)


def _found_in(root: Part, from_list: bool) -> _Found:
    """The parts of a message, each where it belongs; an unknown form of the text is a file if there is no other form."""
    found = _Found(from_list)
    _sort(root, found)
    return found if found.plain or found.html else replace(found, files=[*found.files, *found.unknown])


_CONFIDENTIAL = "://confidential-mail.google.com/"


def _packed_elsewhere(plain: Sequence[str]) -> str:
    """Why plain text cannot be read though there is some; "" if it can."""
    if "-----BEGIN PGP MESSAGE-----" in plain:
        return ENCRYPTED
    return CONFIDENTIAL if any(_CONFIDENTIAL in line and line[:1] != ">" for line in plain) else ""


def _text(found: _Found, plain: list[str], limits: Limits) -> Body:
    """The plain text, or the HTML if there is no other, or if that shows something struck out: plain text does not. Raises
    TooComplex."""
    if not found.html:
        return Body(plain, "text")
    if not _says_something(plain, has_html=True):
        html = _html_text(found.html, limits)
        return Body(html.lines, "html", marked=html.marked, struck=html.struck)
    text = Body(plain, "text", html=partial(_html_text, found.html, limits))
    if not any(_STRIKES.search(_decoded(part)) for part in found.html):
        return text
    html = in_html(text)
    return html if html is not None and html.struck else text


_STRIKES = re.compile(r"<(?:s|del|strike)[\s>]|line-through", re.IGNORECASE)


_MOST_FILES = 5
"""This many files are opened; of further ones only the names are given."""


def _attachments(parts: Sequence[Part], limits: Limits) -> Iterator[Attachment]:
    read = 0
    for part in parts:
        file = attachment(part, _plain_text, limits, is_enough=read >= _MOST_FILES)
        read += bool(file.lines)
        yield file


def _beside(parts: Sequence[Part], plain: Sequence[str], limits: Limits) -> Iterator[Attachment]:
    """The parts of HTML that stand beside plain text and say something else."""
    said = {key(line) for line in plain} if parts else set[str]()
    for part in parts:
        try:
            lines = _html_text([part], limits).lines
        except TooComplex:
            yield Attachment(name_of(part), part.type, unread=NO_PLAIN_TEXT)
            continue
        if any(key(line) not in said for line in lines if line.strip()):
            yield Attachment(name_of(part), part.type, tuple(lines))


def in_bold(body: Body) -> Body:
    """The text for a reader that needs bold: from HTML if that shows any, unless the writer typed [b] into the plain text."""
    if body.html is None or _has_typed_marks(body.lines):
        return body
    html = in_html(body)
    return html if html is not None and html.marked else body


def in_html(body: Body) -> Body | None:
    """The text as the HTML part beside it has it; None if there is none that can be read."""
    if body.html is None:
        return None
    try:
        lines, marked, struck = body.html()
    except TooComplex:
        return None
    return replace(body, lines=lines, marked=marked, struck=struck, source="html", html=None)


def _html_text(parts: Sequence[Part], limits: Limits) -> HtmlText:
    """The text of HTML. Raises TooComplex."""
    html = [line for part in parts for line in html_lines(_decoded(part), limits.html_tags, bold=True)]
    lines = split_lines("\n".join(html))
    if len(lines) > limits.text_lines:
        raise TooComplex
    struck = tuple(text for line in lines for text in _STRUCK_TEXT.findall(line))
    if struck:
        lines = [_without_struck(line) if STRUCK in line else line for line in lines]
    if not any(BOLD in line for line in lines):
        return HtmlText(lines, [], struck)
    plain = [line.replace(BOLD, "").replace(NOT_BOLD, "") for line in lines]
    if _has_typed_marks(plain):
        return HtmlText(plain, [], struck)
    return HtmlText(plain, [line.replace(BOLD, "[b]").replace(NOT_BOLD, "[/b]") for line in lines], struck)


_STRUCK_TEXT = re.compile(f"{STRUCK}([^{NOT_STRUCK}]*){NOT_STRUCK}")


def _without_struck(line: str) -> str:
    """The line without what is struck out in it; it does not become a blank line, which would separate its neighbours."""
    return " ".join(_STRUCK_TEXT.sub(" ", line).split())


def _has_typed_marks(lines: Sequence[str]) -> bool:
    return any("[" in line and ("[b]" in line.lower() or "[/b]" in line.lower()) for line in lines)


def texts_of(root: Part, limits: Limits) -> list[list[str]]:
    """The plain text and the HTML of a message, each as lines, for a message that we wrote ourselves. Raises TooComplex."""
    found = _Found(from_list=False)
    _sort(root, found)
    return [_plain_text(found.plain), *(html_lines(_decoded(part), limits.html_tags) for part in found.html)]


def _sort(part: Part, found: _Found, *, is_alternative: bool = False) -> None:
    """Put each leaf where it belongs. Recursion ends at the depth that `read_parts` lets through."""
    kind = part.type
    if kind in _ENCRYPTED_TYPES:
        found.unreadable = SIGNED if kind in _SMIME_TYPES and _is_signed(part) else ENCRYPTED
    elif not part.children:
        _sort_leaf(part, found, is_alternative=is_alternative)
    elif kind in _BESIDE_ROOT:
        _sort(part.children[0], found, is_alternative=is_alternative)
        found.files += [leaf for child in part.children[_BESIDE_ROOT[kind] :] for leaf in _files_among(child)]
    else:
        for child in part.children:
            _sort(child, found, is_alternative=is_alternative or kind == "multipart/alternative")


def _sort_leaf(part: Part, found: _Found, *, is_alternative: bool) -> None:
    kind = part.type
    if kind in _FURNITURE:
        return
    if part.attached:
        found.files.append(part)
    elif kind in _ENRICHED and (not is_alternative or not (found.plain or found.html)):
        found.plain.append(part)
    elif kind == "text/html":
        found.html.append(part)
        found.beside += [] if is_alternative else [part]
    elif kind == "text/plain" or kind.startswith("multipart/"):  # a multipart without parts is a text with the wrong label
        (found.added if found.from_list and (found.plain or found.html) else found.plain).append(part)
    elif is_alternative:
        found.unknown.append(part)
    else:
        found.files.append(part)


_ENRICHED = ("text/enriched", "text/richtext")
_BESIDE_ROOT = {"multipart/related": 1, "multipart/signed": 2, "multipart/report": 3}
"""Multiparts whose first part is the text, with the number of the part from which on the others may be files: some programs put
attachments beside the page that shows their pictures. Before that stand a signature, or a report and the mail that it is
about."""


def _files_among(part: Part) -> Iterator[Part]:
    """The leaves of a part that are files in their own right, and not parts of a page."""
    for child in part.children:
        yield from _files_among(child)
    if not part.children and part.type not in _FURNITURE and not part.type.startswith(_OF_PAGES):
        yield part


_OF_PAGES = ("image/", "audio/", "video/", "font/", "text/css", "multipart/")
_FURNITURE = (
    "application/pgp-signature",
    "application/pgp-keys",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/ics",
    "text/calendar",
    "text/vcard",
    "text/x-vcard",
    "text/directory",
)
"""What mail programs add to a text by themselves."""
_SMIME_TYPES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ENCRYPTED_TYPES = ("application/pgp-encrypted", "multipart/encrypted", *_SMIME_TYPES)
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
"""How the content of an opaque signature says what it is (RFC 5652, 5.1): an object identifier, near the beginning."""


def _is_signed(part: Part) -> bool:
    """Whether a part of S/MIME is signed and not encrypted (RFC 8551, 3.2.2)."""
    kind = part.params.get("smime-type", "").lower()
    return kind == "signed-data" if kind else _SIGNED_DATA in part.content()[:40]


def _decoded(part: Part) -> str:
    return decode(part.content(), part.params.get("charset", ""))


def _plain_text(parts: Sequence[Part]) -> list[str]:
    lines: list[str] = []
    for part in parts:
        decoded = _decoded(part)
        text = split_lines(decoded)
        if part.type in _ENRICHED:
            text = join_wrapped(split_lines(_without_enriched_tags(decoded)))
        if part.params.get("format", "").lower() == "flowed":
            text = unflow(text, part.params.get("delsp", "").lower() == "yes")
        if lines and lines[-1].strip():
            lines.append("")  # a mail program shows each part by itself
        lines += without_armour(text) if "-----BEGIN PGP SIGNED" in decoded else text
    return lines


_ENRICHED_TAG = re.compile(r"<param>[^<]{0,200}</param>|<(?!<)/?[a-z0-9-]{1,60}>|<<", re.IGNORECASE)


def _without_enriched_tags(text: str) -> str:
    """Enriched text (RFC 1896) without its tags; "<<" stands for a "<" in it."""
    return _ENRICHED_TAG.sub(lambda found: "<" if found[0] == "<<" else "", text)


def _says_something(lines: Sequence[str], has_html: bool) -> bool:
    """Whether plain text is more than blank, or than the remark that one should look at the HTML part."""
    text = normal("".join(lines[:50]))
    if not text or not has_html:
        return bool(text) or any(normal(line) for line in lines)
    low = text.lower()
    return (
        len(text) > _REMARK_CHARS
        or "html" not in low
        or not any(word in low for word in ("view", "support", "display", "client"))
    )


_REMARK_CHARS = 300


def _nothing_to_read(found: _Found) -> str:
    """Why there is no text, unless the mail has a text part that is simply blank: an empty mail may be intended."""
    if any(is_tnef(part) for part in found.files):
        return TNEF
    if any(is_mail(part) for part in found.files):
        return ONLY_A_MAIL
    if found.files:
        return ONLY_FILES.format(files=" and ".join(f'"{name_of(part)}"' for part in found.files[:3]))
    return "" if found.plain or found.html else NO_TEXT

"""Which part of a message holds the text that the writer meant, and that text as lines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pbmd.post.lines.text import key, split_lines, unflow, without_armour
from pbmd.post.read.charsets import decode
from pbmd.post.read.files import NO_PLAIN_TEXT, Attachment, attachment, is_tnef, name_of
from pbmd.post.read.html import BOLD, NOT_BOLD, TooComplex, html_lines
from pbmd.post.read.limits import Limits
from pbmd.post.read.mime import Part

ENCRYPTED = "Your mail is encrypted, and that cannot be read here. Please send your orders again as plain text, not encrypted."
TNEF = (
    'Your mail program packed the text into a file "winmail.dat" that cannot be read here. '
    "Please set it to plain text (in Outlook: Format Text, Plain Text) and send your orders again."
)
NO_TEXT = "There is no text in your mail. Please write your orders into the mail itself, as plain text."
ONLY_FILES = (
    "Your mail has no text, and {files} cannot be read here. Please write your orders into the mail itself, as plain text."
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
    html: "BothWays | None" = field(default=None, compare=False, repr=False)
    """Reads the HTML part beside the plain text, if there is one: its lines, and those as `marked`. Raises TooComplex."""


BothWays = Callable[[], tuple[list[str], list[str]]]


@dataclass(slots=True)
class _Found:
    """What the parts of a message are good for."""

    from_list: bool
    plain: list[Part] = field(default_factory=list["Part"])
    html: list[Part] = field(default_factory=list["Part"])
    beside: list[Part] = field(default_factory=list["Part"])
    """HTML that no plain text was said to be the same as."""
    files: list[Part] = field(default_factory=list["Part"])
    added: list[Part] = field(default_factory=list["Part"])
    encrypted: bool = False


def read_body(root: Part, from_list: bool, limits: Limits) -> Body:
    """The text of a message: plain text, else HTML, else attached text files; without what a mailing list added."""
    found = _Found(from_list)
    _sort(root, found)
    if found.encrypted:
        return Body([], "", ENCRYPTED)
    skipped = tuple("\n".join(_plain_text([part])) for part in found.added)
    files = tuple(_attachments(found.files, limits))
    plain = _plain_text(found.plain)
    if "-----BEGIN PGP MESSAGE-----" in plain:
        return Body([], "", ENCRYPTED)
    if not _says_something(plain, bool(found.html)) and found.html:
        try:
            plain, marked = _html_text(found.html, limits)
        except TooComplex:
            return Body([], "", TOO_COMPLEX)
        source, html = "html", None
    else:
        source, marked = "text", list[str]()
        files += tuple(_beside(found.beside, plain, limits))
        html = partial(_html_text, found.html, limits) if found.html else None
    if len(plain) > limits.text_lines:
        return Body([], "", TOO_MANY_LINES)
    if not any(line.strip() for line in plain):
        if attached := [line for file in files for line in file.lines]:
            return Body(attached, "attachment", files=files, skipped=skipped)
        return Body(plain, source, _nothing_to_read(found), files, skipped)
    return Body(plain, source, "", files, skipped, marked, html)


_MOST_FILES = 5
"""So many files are looked into; of what is beyond only the names are told."""


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
            lines, _ = _html_text([part], limits)
        except TooComplex:
            yield Attachment(name_of(part), part.type, unread=NO_PLAIN_TEXT)
            continue
        if any(key(line) not in said for line in lines if line.strip()):
            yield Attachment(name_of(part), part.type, tuple(lines))


def in_bold(body: Body) -> Body:
    """The text for who reads what is bold: from HTML if that shows any, unless the writer typed [b] into the plain text."""
    if body.html is None or _has_typed_marks(body.lines):
        return body
    try:
        lines, marked = body.html()
    except TooComplex:
        return body
    return replace(body, lines=lines, marked=marked, source="html", html=None) if marked else body


def _html_text(parts: Sequence[Part], limits: Limits) -> tuple[list[str], list[str]]:
    """The lines of HTML without marks of what is bold, and with [b]…[/b]; the latter empty if nothing is bold."""
    html = [line for part in parts for line in html_lines(_decoded(part), limits.html_tags, bold=True)]
    lines = split_lines("\n".join(html))
    if len(lines) > limits.text_lines:
        raise TooComplex
    if not any(BOLD in line for line in lines):
        return lines, []
    plain = [line.replace(BOLD, "").replace(NOT_BOLD, "") for line in lines]
    if _has_typed_marks(plain):
        return plain, []
    return plain, [line.replace(BOLD, "[b]").replace(NOT_BOLD, "[/b]") for line in lines]


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
        found.encrypted = True
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
    elif kind == "text/html":
        found.html.append(part)
        found.beside += [] if is_alternative else [part]
    elif kind == "text/plain" or kind.startswith("multipart/"):  # a multipart without parts is a text with a wrong label
        (found.added if found.from_list and (found.plain or found.html) else found.plain).append(part)
    else:
        found.files.append(part)


_BESIDE_ROOT = {"multipart/related": 1, "multipart/signed": 2, "multipart/report": 3}
"""In what the first part is the text, from which one on others may be files: some programs put all that is sent along beside
the page that shows their pictures. Before it stand the signature, and the report with the mail that it is about."""


def _files_among(part: Part) -> Iterator[Part]:
    """The leaves of a part that are files by themselves, and not what a page is made of."""
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
"""What mail programs put beside a text by themselves."""
_ENCRYPTED_TYPES = ("application/pgp-encrypted", "multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


def _decoded(part: Part) -> str:
    return decode(part.content(), part.params.get("charset", ""))


def _plain_text(parts: Sequence[Part]) -> list[str]:
    lines: list[str] = []
    for part in parts:
        decoded = _decoded(part)
        text = split_lines(decoded)
        if part.params.get("format", "").lower() == "flowed":
            text = unflow(text, part.params.get("delsp", "").lower() == "yes")
        lines += without_armour(text) if "-----BEGIN PGP SIGNED" in decoded else text
    return lines


def _says_something(lines: Sequence[str], has_html: bool) -> bool:
    """Whether plain text is more than blank, or than the remark that one should look at the HTML part."""
    text = "".join(lines[:50]).strip()
    if not text or not has_html:
        return bool(text) or any(line.strip() for line in lines)
    low = text.lower()
    return (
        len(text) > _REMARK_CHARS
        or "html" not in low
        or not any(word in low for word in ("view", "support", "display", "client"))
    )


_REMARK_CHARS = 300


def _nothing_to_read(found: _Found) -> str:
    """Why there is no text, unless the mail has a text part that is simply blank: an empty mail may be meant."""
    if any(is_tnef(part) for part in found.files):
        return TNEF
    if found.files:
        return ONLY_FILES.format(files=" and ".join(f'"{name_of(part)}"' for part in found.files[:3]))
    return "" if found.plain or found.html else NO_TEXT

"""Which part of a message holds the text that the writer meant, and that text as lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pbmd.post.charsets import decode
from pbmd.post.html import BOLD, NOT_BOLD, TooComplex, html_lines
from pbmd.post.limits import Limits
from pbmd.post.mime import Part
from pbmd.post.text import split_lines, unflow, without_armour

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

    `attached` are the lines of a text file sent along; `skipped` the beginnings of parts that another program added.
    `marked` are the lines once more, with [b]…[/b] around what is bold; empty if nothing is, or the writer typed [b].
    """

    lines: list[str]
    source: str
    problem: str = ""
    attached: list[str] = field(default_factory=list[str])
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
    text_files: list[Part] = field(default_factory=list["Part"])
    other: list[Part] = field(default_factory=list["Part"])
    added: list[Part] = field(default_factory=list["Part"])
    encrypted: bool = False


def read_body(root: Part, from_list: bool, limits: Limits) -> Body:
    """The text of a message: plain text, else HTML, else an attached text file; without what a mailing list added."""
    found = _Found(from_list)
    _sort(root, found)
    if found.encrypted:
        return Body([], "", ENCRYPTED)
    skipped = tuple(_plain_text([part])[0][:200] for part in found.added)
    attached = _plain_text(found.text_files)
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
        html = partial(_html_text, found.html, limits) if found.html else None
    if len(plain) > limits.text_lines or len(attached) > limits.text_lines:
        return Body([], "", TOO_MANY_LINES)
    if not any(line.strip() for line in plain):
        if any(line.strip() for line in attached):
            return Body(attached, "attachment")
        return Body(plain, source, _nothing_to_read(found), [], skipped)
    return Body(plain, source, "", attached, skipped, marked, html)


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


def _sort(part: Part, found: _Found) -> None:
    """Put each leaf where it belongs. Recursion ends at the depth that `read_parts` lets through."""
    kind = part.type
    if part.children:
        if kind == "multipart/encrypted":
            found.encrypted = True
        elif kind in ("multipart/signed", "multipart/related", "multipart/report"):
            _sort(part.children[0], found)
        else:
            for child in part.children:
                _sort(child, found)
    elif kind in _ENCRYPTED_TYPES:
        found.encrypted = True
    elif part.attached:
        (found.text_files if kind == "text/plain" else found.other).append(part)
    elif kind == "text/html":
        found.html.append(part)
    elif kind == "text/plain" or kind.startswith("multipart/"):  # a multipart without parts is a text with a wrong label
        (found.added if found.from_list and (found.plain or found.html) else found.plain).append(part)
    else:
        found.other.append(part)


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
    if any(part.type == "application/ms-tnef" or part.filename.lower() == "winmail.dat" for part in found.other):
        return TNEF
    if found.other:
        names = [part.filename[:60] or part.type for part in found.other[:3]]
        return ONLY_FILES.format(files=" and ".join(f'"{name}"' for name in names))
    return "" if found.plain or found.html else NO_TEXT

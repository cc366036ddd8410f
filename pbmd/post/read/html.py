"""HTML to lines of text, as a reader sees it: what is hidden is not read, and what is quoted stays marked as quoted."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_UNSEEN = {
    "head",
    "title",
    "style",
    "script",
    "template",
    "meta",
    "link",
    "object",
    "iframe",
    "svg",
    "math",
    "select",
    "textarea",
}
BLOCKS = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tr",
        "ul",
    ),
    *("caption", "details", "figcaption", "legend", "menu", "summary"),
}
_SPACES = re.compile(r"[ \t\n\r\f]+")
_HIDING = ("display:none", "visibility:hidden", "mso-hide:all", "font-size:0;", "font-size:0px", "font-size:0pt")


class TooComplex(ValueError):
    """The HTML has more tags than the limits allow."""


BOLD, NOT_BOLD = "\ue000", "\ue001"
"""What is put around bold text if that is asked for: characters that mean nothing in a mail."""
STRUCK, NOT_STRUCK = "\ue002", "\ue003"
"""What is put around struck-out text, likewise."""


def html_lines(html: str, max_tags: int, *, bold: bool = False) -> list[str]:
    """The visible text of `html`, a line for each line a reader sees, "> " before each level of blockquote.

    `bold`: with `BOLD` and `NOT_BOLD` around what is bold, and `STRUCK` and `NOT_STRUCK` around what is struck out and not
    quoted, in pairs that end on their line.
    Linear in the length of `html`, whatever the nesting. Raises TooComplex.
    """
    tree = parsed(html, max_tags)
    root = tree.body or tree.root
    page = _Page(bold)
    if root is not None:
        _walk(root, page)
    page.end_line()
    return page.lines


def parsed(html: str, max_tags: int) -> "LexborHTMLParser":
    """HTML taken apart, in time that grows with its length. Raises TooComplex for what the parser would take longer for."""
    if html.count("<") > max_tags or _has_too_many_names(html) or _is_too_tangled(html):
        raise TooComplex
    from selectolax.lexbor import LexborHTMLParser  # many letters are plain text

    return LexborHTMLParser(html)


_SHORT = 40_000
_MAX_NAMES = 8_000
_BETWEEN_NAMES = re.compile(r"[\s/>=]+")


def _has_too_many_names(html: str) -> bool:
    """Whether one tag could have so many different attributes that lexbor, which compares each with each, takes seconds.

    An attribute's name is what stands between these characters, so there are no more of them than of such words.
    """
    return len(html) > _SHORT and len(set(_BETWEEN_NAMES.split(html))) > _MAX_NAMES


_FORMATS = frozenset(["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"])
_VOID = frozenset(
    ["br", "img", "hr", "input", "meta", "link", "col", "wbr", "area", "base", "embed", "source", "track", "param"]
)
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,20})", re.IGNORECASE)
_MAX_TANGLES = 500
_NEAR = 20


def _is_too_tangled(html: str) -> bool:
    """Whether bold and the like end inside blocks that began after them so often that lexbor takes seconds: it repairs each
    such place, and goes through everything that is open to do so."""
    tangles = 0
    opened: list[str] = []
    for end, name in _TAG.findall(html):
        tag = name.lower()
        if not end:
            if tag not in _VOID:
                opened.append(tag)
        elif opened and opened[-1] == tag:
            opened.pop()
        elif tag in _FORMATS:
            tangles += 1
            if tangles > _MAX_TANGLES:
                return True
            _forget(opened, tag)
        else:
            _forget(opened, tag)
    return False


def _forget(opened: list[str], tag: str) -> None:
    """Remove the last open tag of that name, if it is near."""
    for i in range(len(opened) - 1, max(len(opened) - 1 - _NEAR, -1), -1):
        if opened[i] == tag:
            del opened[i]
            return


_DEEPEST_QUOTE = 10


_NO_MARKS = {ord(mark): None for mark in (BOLD, NOT_BOLD, STRUCK, NOT_STRUCK)}
_MARKED = f"{BOLD}{NOT_BOLD}{STRUCK}{NOT_STRUCK}"
_GOES_ON = re.compile(f"(?:{NOT_BOLD}([ \\t]*){BOLD}|{NOT_STRUCK}([ \\t]*){STRUCK})")
_WEIGHT = re.compile(r"font-weight:(bold|[6-9]00|normal|lighter|[1-5]00)")


class _Page:
    """The lines so far and the one that is being written."""

    def __init__(self, marks: bool) -> None:
        self.lines: list[str] = []
        self.quotes = 0
        self.preformatted = 0
        self.bold = False
        self.struck = False
        self.raised = False
        self.lowered = False
        self._marks = marks
        self._pieces: list[str] = []

    def write(self, text: str) -> None:
        if self._marks:
            text = text.translate(_NO_MARKS)
        if self.preformatted:
            first, *others = text.split("\n")
            self._add(first)
            for line in others:
                self.break_line()
                self._add(line)
            return
        text = _SPACES.sub(" ", text)
        if self.raised and text.strip().isdigit():
            text = f"^{text.strip()}"  # beside a number it would make another one of it
        elif self.lowered and text.strip().isdigit() and self._pieces and self._pieces[-1].rstrip(_MARKED)[-1:].isdigit():
            text = f"_{text.strip()}"  # beside a letter it is a part of the name
        if text != " " or self._pieces:
            self._add(text)

    def _add(self, text: str) -> None:
        if self._marks and text.strip():
            if self.struck and not self.quotes:
                text = f"{STRUCK}{text}{NOT_STRUCK}"
            elif self.bold:
                text = f"{BOLD}{text}{NOT_BOLD}"
        self._pieces.append(text)

    def open_block(self, tag: str) -> None:
        """Begin a block on a line of its own."""
        self.end_line()
        if tag == "blockquote":
            self.quotes += 1
        elif tag == "pre":
            self.preformatted += 1

    def close_block(self, tag: str) -> None:
        """End a block: what follows is on another line, and after a paragraph there is a blank one."""
        self.end_line()
        if tag == "p":
            self.lines.append("> " * min(self.quotes, _DEEPEST_QUOTE))
        elif tag == "pre":
            self.preformatted -= 1

    def break_line(self) -> None:
        """End the line, also an empty one."""
        line = "".join(self._pieces)
        if self._marks:
            line = _GOES_ON.sub(r"\1\2", line)
        self._pieces.clear()
        text = line.rstrip(" \n") if self.preformatted else _SPACES.sub(" ", line).strip(" ")
        self.lines.append("> " * min(self.quotes, _DEEPEST_QUOTE) + text)

    def end_line(self) -> None:
        """End the line if there is one."""
        if any(piece.strip(" \n") for piece in self._pieces):
            self.break_line()
        self._pieces.clear()


class _Around(NamedTuple):
    """A tag that was entered, and how the text around it is set."""

    tag: str
    bold: bool
    struck: bool
    raised: bool
    lowered: bool
    quotes: int


def _walk(root: "LexborNode", page: _Page) -> None:
    """Depth first without recursion: hostile mail nests deeper than Python does."""
    entered: list[_Around] = []
    node = root
    while True:
        tag = node.tag or ""
        if tag == "-text":
            page.write(node.text_content or "")
        else:
            around = _Around(tag, page.bold, page.struck, page.raised, page.lowered, page.quotes)
            if _enter(node, tag, page):
                child = node.child
                if child is not None:
                    entered.append(around)
                    node = child
                    continue
                _leave(around, page)
        while entered and node.next is None and node.parent is not None:
            node = node.parent
            _leave(entered.pop(), page)
        if not entered or node.next is None:
            return
        node = node.next


def _enter(node: "LexborNode", tag: str, page: _Page) -> bool:
    """Write what stands at the beginning of a tag; False if what is in it is not to be seen."""
    if tag == "br":
        page.break_line()
    elif tag not in _UNSEEN and tag[:1] not in "-_!":
        return _enter_seen(tag, node.attributes or {}, page)
    return False


def _enter_seen(tag: str, attributes: Mapping[str, str | None], page: _Page) -> bool:
    """The same for a tag of which people see something, unless it is hidden."""
    style = f"{''.join((attributes.get('style') or '').lower().split())};" if attributes else _NO_STYLE
    if attributes and ("hidden" in attributes or [mark for mark in _HIDING if mark in style]):
        return False
    if tag in BLOCKS:
        page.open_block("div" if tag == "blockquote" and _is_indented(attributes, style) else tag)
    elif tag in ("td", "th"):
        page.write(" ")
    elif tag in ("img", "input"):
        page.write(_sign(attributes))
    _set_type(tag, style, page)
    return True


_NO_STYLE = ";"
_LONGEST_SIGN = 12


def _sign(attributes: Mapping[str, str | None]) -> str:
    """What people see of a box to tick, or of an emoji that a mail program has made a picture; "" for other pictures."""
    if (attributes.get("type") or "").lower() in ("checkbox", "radio"):
        return "[x] " if "checked" in attributes else "[ ] "
    said = (attributes.get("alt") or "").strip()
    return said if len(said) <= _LONGEST_SIGN and not any(char.isascii() or char.isalnum() for char in said) else ""


def _set_type(tag: str, style: str, page: _Page) -> None:
    """How text is set from here on."""
    weight = _WEIGHT.search(style) if style is not _NO_STYLE else None
    page.bold = weight[1][0] in "b6789" if weight else page.bold or tag in ("b", "strong")
    page.struck = page.struck or tag in ("s", "strike", "del") or "line-through" in style
    page.raised = page.raised or tag == "sup" or "vertical-align:super" in style
    page.lowered = page.lowered or tag == "sub" or "vertical-align:sub" in style


def _is_indented(attributes: Mapping[str, str | None], style: str) -> bool:
    """Whether a block that is marked up as a quote is only an indented paragraph: that has no line at its side, as a quote
    has."""
    is_cited = "cite" in attributes or (attributes.get("type") or "").lower() == "cite"
    return not is_cited and _NO_LINE.search(style) is not None


_NO_LINE = re.compile(r"(?:^|;)border(?:-left)?:(?:none|0(?:px)?)(?:none)?;")


def _leave(around: _Around, page: _Page) -> None:
    if around.tag in BLOCKS:
        page.close_block(around.tag)
    page.bold, page.struck, page.quotes = around.bold, around.struck, around.quotes
    page.raised, page.lowered = around.raised, around.lowered

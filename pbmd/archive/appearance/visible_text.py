"""HTML as a person sees it: the words line by line, and what else it contains that is invisible or looks like something else.

It is read as mail programs do that show styles and run no scripts. Nothing is fetched. The time this takes grows with the
length of the HTML, whatever it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from pbmd.archive.appearance.styles import (
    LEAST_OPACITY,
    LEAST_SIZE,
    WHITE,
    Colour,
    Style,
    cannot_be_seen,
    colour_of,
    ink,
    is_struck,
    opacity,
    paper,
    size,
    style_of,
    unknown,
    visibility,
    why_hidden,
)
from pbmd.post.read.html import BLOCKS, parsed

_MOST_TAGS = 60_000
_MOST_NOTED = 50
_NEVER = frozenset(
    (
        *("script", "form", "input", "button", "select", "option", "textarea", "iframe", "frame", "frameset", "object"),
        *("embed", "applet", "video", "audio", "canvas", "svg", "math", "template", "details", "dialog", "base", "marquee"),
        *("link", "bdo", "picture", "source", "track", "map", "area", "meter", "progress", "noscript", "noembed", "noframes"),
        *("plaintext", "xmp"),
    )
)
"""Tags that no mail of pbmd has, whatever they contain."""
_UNSEEN = _NEVER - frozenset(
    {"form", "button", "details", "bdo", "marquee", "picture", "noscript", "noembed", "noframes", "plaintext", "xmp"}
)
FRAME = "main"
"""The role of the element that has in it all that a mail of pbmd shows."""
COMMENT = "a comment"
_SAID_BESIDE = (
    *("title", "summary", "abbr", "placeholder", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext"),
    *("aria-placeholder", "aria-braillelabel", "aria-brailleroledescription"),
)
_IN_HEAD = frozenset({"head", "title", "style", "meta"})
_STRIKES = frozenset({"s", "strike", "del"})


class Hidden(NamedTuple):
    """Words in the HTML that nobody sees: why not, and which words stand before them."""

    why: str
    words: str
    behind: str
    at_top: bool = False


class Link(NamedTuple):
    """What can be clicked, and where it leads; `within` the frame of a mail, if it has one."""

    label: str
    to: str
    within: bool = False


class Picture(NamedTuple):
    """A picture: where it comes from, and its alternative text; `within` the frame of a mail, if it has one."""

    source: str
    instead: str
    within: bool = False


@dataclass(slots=True)
class Seen:
    """The result. `frames` counts those around all that a mail of pbmd shows: what servers add on the way stands outside of the
    one that there is. `odd` are tags that no mail of pbmd has, `styles` style sheets, which were not applied, and `unknown`
    styles of which it is not known what they do to words. `beside` is what programs show in a title, read aloud, or show when
    one points at something. `unframed` are the places of `lines` of which nothing is within a frame."""

    lines: list[str] = field(default_factory=list[str])
    hidden: list[Hidden] = field(default_factory=list[Hidden])
    links: list[Link] = field(default_factory=list[Link])
    pictures: list[Picture] = field(default_factory=list[Picture])
    odd: dict[str, None] = field(default_factory=dict[str, None])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    styles: list[str] = field(default_factory=list[str])
    beside: dict[str, None] = field(default_factory=dict[str, None])
    frames: int = 0
    unframed: set[int] = field(default_factory=set[int])

    def is_outside(self, item: Link | Picture) -> bool:
        """Whether it stands outside of the frame."""
        return self.frames == 1 and not item.within

    def parted_lines(self) -> tuple[list[str], list[str]]:
        """The lines in the frame, and those outside of it; without a frame, all are in it."""
        outside = self.unframed if self.frames == 1 else ()
        inside = [line for place, line in enumerate(self.lines) if place not in outside]
        return inside, [self.lines[place] for place in sorted(outside)]


def seen(html: str) -> Seen:
    """What a person sees of the HTML. Raises `pbmd.post.read.html.TooComplex` for what no program of ours writes."""
    root, page = parsed(html, _MOST_TAGS).root, _Page()
    while root is not None and root.prev is not None:
        root = root.prev
    if root is not None:
        _walk(root, page)
    page.end_line()
    page.end_hidden()
    return page.seen


class _Look(NamedTuple):
    """How the content of an element looks. `hidden`: why nothing in it can be seen, whatever is said further in."""

    hidden: str = ""
    unseen: bool = False
    size: float = 16.0
    ink: Colour | None = None
    paper: Colour | None = WHITE
    kept: bool = False
    opacity: float = 1.0
    framed: bool = False

    @property
    def why(self) -> str:
        """Why words in it cannot be seen; empty if they can."""
        if self.hidden or self.unseen:
            return self.hidden or "visibility:hidden"
        if self.opacity < LEAST_OPACITY:
            return "opacity"
        if self.size < LEAST_SIZE:
            return f"letters of {self.size:.3g} pixels"
        return "the colour of its ground" if cannot_be_seen(self.ink, self.paper) else ""


@dataclass(slots=True)
class _Entered:
    """An element that was entered: its tag, how it looks, and the number of its last item."""

    tag: str
    look: _Look
    breaks: bool
    count: int | None = None
    link: str | None = None


_BEHIND = 5
"""Words that identify a place."""
_TOP = 25
"""Servers put fewer words than these on top of a mail, to mark it as one from outside."""


@dataclass(slots=True)
class _Page:
    """What was found so far, and the line, the hidden words and the link that are being read."""

    seen: Seen = field(default_factory=Seen)
    line: list[str] = field(default_factory=list[str])
    hidden: list[str] = field(default_factory=list[str])
    why: str = ""
    label: list[str] | None = None
    is_framed: bool = False

    def write(self, text: str, look: _Look) -> None:
        if why := look.why:
            if why != self.why:
                self.end_hidden()
            self.why = why
            self.hidden.append(text)
            return
        if text.strip():
            self.end_hidden()
            self.is_framed = self.is_framed or look.framed
        if self.label is not None:
            self.label.append(text)
        first, *others = text.split("\n") if look.kept else [text]
        self.line.append(first)
        for line in others:
            self.end_line()
            self.line.append(line)

    def end_line(self) -> None:
        line = " ".join("".join(self.line).split())
        self.line.clear()
        if line:
            if not self.is_framed:
                self.seen.unframed.add(len(self.seen.lines))
            self.seen.lines.append(line)
        self.is_framed = False

    def end_hidden(self) -> None:
        words = " ".join("".join(self.hidden).split())
        self.hidden.clear()
        if words:
            self.note(self.why, words)

    def note(self, why: str, words: str) -> None:
        """Note hidden words."""
        if len(self.seen.hidden) < _MOST_NOTED:
            before = " ".join([*self.seen.lines[-_TOP:], "".join(self.line)]).split()
            self.seen.hidden.append(Hidden(why, words, " ".join(before[-_BEHIND:]), len(before) < _TOP))


def _walk(first: LexborNode, page: _Page) -> None:
    """Everything from that node on, depth first without recursion: hostile mail nests deeper than Python does."""
    entered = [_Entered("", _Look(), breaks=False)]
    node = first
    while True:
        inner = _enter(node, entered[-1], page)
        child = node.child if inner is not None else None
        if inner is not None and child is not None:
            entered.append(inner)
            node = child
            continue
        if inner is not None:
            _leave(inner, page)
        while len(entered) > 1 and node.next is None and node.parent is not None:
            node = node.parent
            _leave(entered.pop(), page)
        if node.next is None:
            return
        node = node.next


def _leave(element: _Entered, page: _Page) -> None:
    if element.breaks:
        page.end_line()
    if element.link is not None and page.label is not None:
        if len(page.seen.links) < _MOST_NOTED:
            page.seen.links.append(Link(" ".join("".join(page.label).split()), element.link, element.look.framed))
        else:
            page.seen.odd[f"a, more than {_MOST_NOTED} times"] = None
        page.label = None


def _enter(node: LexborNode, around: _Entered, page: _Page) -> _Entered | None:
    """Read the beginning of a node; None if nothing in it is to be read."""
    tag = node.tag or ""
    if tag == "-text":
        page.write(node.text_content or "", around.look)
        return None
    if tag == "-comment":
        _comment(node.html or "", page)
        return None
    if tag[:1] in "-_!":
        return None
    return _enter_tag(node, tag, around, page)


def _comment(html: str, page: _Page) -> None:
    said = html.removeprefix("<!--").removesuffix("-->")
    if any(map(str.isalnum, said)) and not said.lstrip().startswith(("[if !mso]", "[endif]")):
        kind = f"{COMMENT} that some programs show" if "[if" in said.casefold() else COMMENT
        page.note(kind, " ".join(said.split()))


def _enter_tag(node: LexborNode, tag: str, around: _Entered, page: _Page) -> _Entered | None:
    attributes = node.attributes or {}
    if _is_odd(tag, attributes):
        page.seen.odd[tag] = None
    if tag in _IN_HEAD or tag in _UNSEEN:
        if tag == "style":
            page.seen.styles.append(node.text() or "")
        if tag == "title":
            page.seen.beside[node.text() or ""] = None
        return _Entered(tag, around.look, breaks=False) if tag == "head" else None
    style = style_of(attributes.get("style") or "")
    page.seen.unknown.update(
        dict.fromkeys([*unknown(style), *_unknown_of(attributes)][: max(0, _MOST_NOTED - len(page.seen.unknown))])
    )
    page.seen.beside.update(dict.fromkeys(filter(None, map(attributes.get, _SAID_BESIDE))))
    look = _look(tag, attributes, style, around.look)
    page.seen.frames += _is_frame(attributes)
    inner = _Entered(tag, look, tag in BLOCKS, _first_item(tag, attributes))
    _begin(inner, attributes, around, page)
    return inner


def _is_odd(tag: str, attributes: Mapping[str, str | None]) -> bool:
    return tag in _NEVER or (tag == "meta" and (attributes.get("http-equiv") or "").lower() == "refresh")


def _unknown_of(attributes: Mapping[str, str | None]) -> Iterator[str]:
    """Attributes that do what otherwise only unknown styles do."""
    if not attributes:
        return
    if attributes.get("background"):
        yield f"background={attributes['background']}"
    if (attributes.get("dir") or "").lower() == "rtl":
        yield "dir=rtl"
    for name in ("color", "bgcolor", "text"):
        if isinstance(colour := colour_of(attributes.get(name) or ""), str) and colour:
            yield f"{name}={attributes[name]}"
    for name in ("link", "vlink", "alink"):
        if isinstance(colour := colour_of(attributes.get(name) or ""), str) or cannot_be_seen(colour, WHITE):
            yield f"{name}={attributes[name]}"


def _begin(inner: _Entered, attributes: Mapping[str, str | None], around: _Entered, page: _Page) -> None:
    """What comes before the words of an element."""
    tag = inner.tag
    if inner.breaks or tag == "br":
        page.end_hidden()
        page.end_line()
    elif tag in ("td", "th"):
        page.write(" ", inner.look)
    if tag == "li" and around.count is not None and "hidden" not in attributes:
        around.count = _number(attributes.get("value"), around.count)
        page.write(f"{around.count}. ", inner.look)
        around.count += 1
    elif tag == "a" and attributes.get("href") is not None and page.label is None:
        inner.link, page.label = attributes.get("href") or "", []
    elif tag == "img":
        page.write(" ", inner.look)
        sources = (attributes.get("src") or "", *_other_sources(attributes))
        page.seen.pictures += [Picture(each, attributes.get("alt") or "", inner.look.framed) for each in sources]


def _other_sources(attributes: Mapping[str, str | None]) -> list[str]:
    """What some programs show in place of a picture."""
    listed = (each.split() for each in (attributes.get("srcset") or "").split(", "))
    others = (attributes.get(name) for name in ("lowsrc", "dynsrc"))
    return [*(each[0] for each in listed if each), *filter(None, others)]


def _first_item(tag: str, attributes: Mapping[str, str | None]) -> int | None:
    return _number(attributes.get("start"), 1) if tag == "ol" else None


def _number(said: str | None, instead: int) -> int:
    return int(said) if said and said.isascii() and said.isdigit() and len(said) < 10 else instead


def _look(tag: str, attributes: Mapping[str, str | None], style: Style, around: _Look) -> _Look:
    said = visibility(style)
    return _Look(
        around.hidden or _why_hidden(tag, attributes, style),
        around.unseen if not said else said == "hidden",
        size(style, around.size),
        next((each for each in (ink(style), _old_ink(tag, attributes)) if each is not None), around.ink),
        paper(style) or colour_of(attributes.get("bgcolor") or "") or around.paper,
        around.kept or tag == "pre" or any(value.startswith("pre") for value in style.values("white-space")),
        around.opacity * opacity(style),
        around.framed or _is_frame(attributes),
    )


def _is_frame(attributes: Mapping[str, str | None]) -> bool:
    return attributes.get("role") == FRAME


def _why_hidden(tag: str, attributes: Mapping[str, str | None], style: Style) -> str:
    if "hidden" in attributes:
        return "the attribute hidden"
    return why_hidden(style) or ("words that are struck out" if tag in _STRIKES or is_struck(style) else "")


def _old_ink(tag: str, attributes: Mapping[str, str | None]) -> Colour | None:
    """The colour of letters as it was set before there were styles."""
    name = {"font": "color", "body": "text"}.get(tag)
    return colour_of(attributes.get(name) or "") if name else None

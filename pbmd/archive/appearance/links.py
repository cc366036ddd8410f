"""Where the links and buttons of a mail lead: it must be what they show, and what the text names."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from pbmd.archive.appearance.inner_mails import Letter
from pbmd.archive.appearance.visible_text import Link, Seen
from pbmd.archive.appearance.word_diff import MailText, words_in
from pbmd.rendering.blocks.page import ANSWER, WRITE

_LOOKS_LIKE = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w.-]+\.\w+|(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_ANSWERS = re.compile(re.escape(ANSWER).replace(r"\{\}", r"(\S{1,40})"))
_MOST_CHARS, _LONGEST = 8_000, 500


def is_button(link: Link) -> bool:
    """Whether it is one of the buttons of our mails, whose labels are in no text."""
    return link.label == WRITE or _ANSWERS.fullmatch(link.label) is not None


def wrong_links(page: Seen, letter: Letter, said: MailText) -> Iterator[tuple[bool | None, str]]:
    """What is wrong with links; False, or None where a server on the way may have written it."""
    text = "\n".join(letter.texts)
    texts = text, without_detours(text)
    for link in page.links:
        to = link.to.strip()[:_MOST_CHARS]
        if not to or to.startswith("#"):
            continue
        is_mail = to.lower().startswith("mailto:")
        wrong = _wrong_mailto(to, link.label, letter, said) if is_mail else _wrong_address(to, link.label, *texts)
        if wrong and page.is_outside(link) and _may_be_added(link, letter):
            yield None, f"{wrong[1]}; it stands outside of what pbmd wrote, and a server on the way may have put it there"
        elif wrong:
            yield wrong


def _may_be_added(link: Link, letter: Letter) -> bool:
    """Whether a server may have put a link below a mail: it leads to a page, or to somebody whom the mail does not name."""
    scheme, _, address = link.to.strip().partition(":")
    is_to_others = unquote(address.partition("?")[0]).lower() not in letter.addresses
    return not is_button(link) and (scheme.lower() in ("http", "https") or (scheme.lower() == "mailto" and is_to_others))


def _wrong_address(to: str, label: str, text: str, without: str) -> tuple[bool | None, str] | None:
    scheme = to.partition(":")[0].lower()
    if scheme not in ("http", "https"):
        return False, f"a link to {_short(to)}, which is no page"
    shows = label if len(label) < _LONGEST and _LOOKS_LIKE.fullmatch(label) else ""
    if (not shows or _is_same(shows, to)) and _is_named(to, text):
        return None
    if label == WRITE:
        return None, f"the button leads to {_short(to)}, which its text does not name"
    inner = _carried(to, shows, text, without)
    if inner:
        return None, f"a link leads to {_host(to)}, and by that to {_short(inner)}; servers that look at links write such"
    if shows and not _is_same(shows, to):
        return False, f"a link shows {_short(shows)} and leads to {_short(to)}"
    return False, f'the link "{_short(label)}" leads to {_short(to)}, which its text does not name'


def _wrong_mailto(to: str, label: str, letter: Letter, said: MailText) -> tuple[bool | None, str] | None:
    """A link that opens a mail: it must go to an address of this mail, with lines from it."""
    address, _, more = to[len("mailto:") :].partition("?")
    if unquote(address).lower() not in letter.addresses:
        return False, f"a link opens a mail to {_short(unquote(address))}, which this mail does not name"
    answer = _ANSWERS.fullmatch(label)
    for piece in more.split("&"):
        name, _, value = piece.partition("=")
        if name.lower() in ("cc", "bcc", "to"):
            return False, f"a link opens a mail with {_short(unquote(piece))}"
        if answer and name.lower() == "body" and unquote(value).strip() != answer[1]:
            return False, f'the button "{label}" opens a mail with "{_short(unquote(value))}"'
        if name.lower() == "subject" and unquote(value).startswith(letter.subject):
            continue  # a program has cut it off, or has taken it away
        for line in unquote(value).splitlines():
            if (words := words_in(line)) not in said.text and words not in said.subject:
                # A server may have put another subject in place of the one that is there, too.
                holds = None if name.lower() == "subject" else False
                return holds, f'a link opens a mail with "{_short(line)}", which is not in its text'
    return None


def _is_named(to: str, text: str) -> bool:
    """Whether a text contains an address, or the folder of the seat that it is in."""
    folder = re.match(r"https?://[^?#]{1,400}/s/[^/?#]{8,100}/", to)
    return to in text or to.rstrip("/") in text or unquote(to) in text or (folder is not None and folder[0] in text)


def _carried(to: str, shows: str, *texts: str) -> str:
    """The address inside another one, if it is one that is shown or named."""
    inner = _inner(to)
    is_shown = bool(inner) and (not shows or _is_same(shows, inner))
    return inner if is_shown and any(_is_named(inner, text) for text in texts) else ""


def _inner(to: str) -> str:
    """The address inside another one, as it is, in percent or with other marks in place of these; empty if there is none."""
    found = _WITHIN.search(to, 8)
    if found is None:
        return ""
    said = found[0].split("__;")[0]
    inner = unquote(unquote(said if found["mark"] != "-" else said.translate(_OTHER_MARKS)))
    return re.sub(r"^(https?:/)(?!/)", r"\1/", inner)


_WITHIN = re.compile(r"https?(?::/|(?P<mark>[%-])(?:25)?3A)[^\s&\"'<>]+", re.IGNORECASE)
_OTHER_MARKS = str.maketrans("-_", "%/")
_BEHIND_ADDRESS = ".,;:!?)]}>'\""
"""What ends a sentence, and no address."""


def without_detours(text: str) -> str:
    """A text with each address that is inside another one in place of that: servers that look at links write such."""
    return re.sub(r"https?://\S+", lambda found: _without_detour(found[0]), text) if "://" in text else text


def _without_detour(address: str) -> str:
    bare = address.rstrip(_BEHIND_ADDRESS)
    inner = _inner(bare[:_MOST_CHARS])
    return f"{inner}{address[len(bare) :]}" if inner else address


def _is_same(shows: str, to: str) -> bool:
    """Whether what is shown is the address that a link leads to, or its host."""
    one, other = (re.sub(r"^https?://", "", each.strip().lower(), flags=re.IGNORECASE).rstrip("/.") for each in (shows, to))
    return one == other or one == _host(to)


def _host(to: str) -> str:
    try:
        return urlsplit(to).netloc.lower()
    except ValueError:
        return to[:80]


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"

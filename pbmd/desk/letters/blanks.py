"""A letter's bytes without what stands in its password lines. All else in it stays as it can be read: a letter that is held or
put aside is read again later, with its orders, its sender and the tags of its seat."""

import base64
import email.policy
import quopri
import re
from collections.abc import Callable
from email.header import decode_header, make_header
from email.message import Message

BLANK = "xxxxxxxx"
_POLICY = email.policy.compat32.clone(linesep="\r\n", max_line_length=0)
_HTML = re.compile(
    r"((?:^|[>\n])(?:[^<>\w&\n]|&[#\w]{1,8};|\d)*(?:set\s+)?(?:my\s+|the\s+|new\s+){0,2}pas{1,2}w(?:or|ro)[dt]\b)([^<\n]*)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(\r\n|\r|\n)")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([^\s:]+:)(.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
_EVIDENCE = re.compile(
    rb"from|to|cc|sender|date|references|in-reply-to|mime-version|return-path|delivered-to"
    rb"|(?:received|content|authentication|dkim|arc|reply|message|resent|x-original)\b.*",
    re.IGNORECASE,
)
"""What tells whose a letter is and how to read it."""
_WIDE = ("utf-7", "utf-16", "utf-32", "iso-2022", "hz")


def rewritten_mail(raw: bytes, words: frozenset[str], plain: Callable[[str], str]) -> bytes:
    """A mail without these words, and with each line of its text as `plain` gives it. Its header is the same but for the words
    in what is no evidence. Raises what the parser raises for mail that it cannot put together again."""
    spelled = "|".join(re.escape(word) for word in sorted(words))
    word = re.compile(rf"(?<![a-z0-9])(?:{spelled})(?![a-z0-9])", re.IGNORECASE) if words else None
    message = email.message_from_bytes(raw, policy=_POLICY)
    for part in message.walk():
        if not part.is_multipart():
            _rewrite_part(part, word, plain)
    end, ended = _HEADER_END.search(raw), _HEADER_END.search(written := message.as_bytes())
    if end is None or ended is None:
        return written
    return _header(raw[: end.end()], word) + written[ended.end() :]


def _rewrite_part(part: Message, word: re.Pattern[str] | None, plain: Callable[[str], str]) -> None:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return
    codec, text = _decoded(data, part.get_content_charset() or "utf-8")
    if part.get_content_type() == "text/html":
        new = _HTML.sub(lambda found: f"{found[1]} {BLANK}" if found[2].strip() else found[0], text)
    else:
        new = "".join(each if each[:1] in ("\r", "\n", "") else plain(each) for each in _ENDS.split(text))
    if word is not None:
        new = word.sub(BLANK, new)
    if new == text:
        return
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    coded = new.encode(codec)
    if encoding == "base64":
        coded = base64.encodebytes(coded)
    elif encoding == "quoted-printable":
        coded = quopri.encodestring(coded.replace(b"\r\n", b"\n"))
    part.set_payload(coded.decode("ascii", "surrogateescape"))


def _decoded(data: bytes, charset: str) -> tuple[str, str]:
    """A codec that gives back the same bytes, and the text."""
    for codec in (charset, "utf-8") if charset.startswith(_WIDE) else ("utf-8", charset):
        try:
            text = data.decode(codec)
            if text.encode(codec) == data:
                return codec, text
        except (UnicodeError, LookupError):
            continue
    return "latin-1", data.decode("latin-1")


def _header(header: bytes, word: re.Pattern[str] | None) -> bytes:
    def clean(found: re.Match[bytes]) -> bytes:
        if word is None or _EVIDENCE.fullmatch(found[1][:-1]):
            return found[0]
        value = found[2].decode("latin-1")
        if "=?" in value and word.search(str(make_header(decode_header(value)))):
            return found[1] + f" {BLANK}".encode()
        return found[1] + word.sub(BLANK, value).encode("latin-1")

    return _FIELD.sub(clean, header)

"""Authentication-Results (RFC 8601): what the mail server that took a letter in found out about its sender.

Anybody can write such a field into a mail, and not every server takes forged ones out. So only one field counts: the topmost,
and only if the configured server wrote it. A server that takes mail in puts its own field above all that came with the mail;
one that does so only sometimes (for signed mail, say) must not be configured.

The field is read as a whole or not at all: a reader that skips what it does not understand may go on in the middle of a comment
or of somebody's address, whose text the sender has written.

Only DMARC counts, or DKIM for the From domain itself or a domain above it. Without a list of public suffixes the other
direction would let neighbours vouch for each other. The library for this field, authres, has had no release since 2019, and
skips what it does not understand.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError

from pbmd.post.read.limits import RESULTS_CHARS

MICROSOFT = "microsoft"
"""As `authserv_id`: Microsoft 365 writes none, which RFC 8601 does not allow, so that its form is read only when asked for."""
_MICROSOFT_FORM = re.compile(r"\s*(?:spf|dkim|dmarc)\s*=", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^"\\()]+', re.DOTALL)
_IN_COMMENT = re.compile(r"\\.|[()]|[^\\()]+", re.DOTALL)
_GRAMMAR = r"""
// RFC 8601 section 2.2, without its comments. Besides: names may have a "_", a value without quotes may be an address or
// anything else that has no blank and none of ; ( ) " \ , < > in it (IPv6 addresses, base64), results may be missing between
// two semicolons or after the last, properties may have no type (Microsoft's action=none), and the last of them no value.
start: (PLAIN | QUOTED) NUMBER? (";" (result | none)?)*
none: NAME
result: NAME ("/" NUMBER)? "=" NAME property* empty?
property: NAME ("." NAME)* "=" (ADDRESS | QUOTED | PLAIN)
empty: NAME ("." NAME)* "="

NAME: /[A-Za-z0-9_-]+/
NUMBER: /[0-9]+/
ADDRESS.2: /(?:"(?:[^"\\]|\\.)*"|[^\s;()"\\,<>@]{1,320})?@[^\s;()"\\,<>@=]+/
QUOTED: /"(?:[^"\\]|\\.)*"/
PLAIN: /[^\s;()"\\,<>@=]+={0,2}/
%ignore /[ \t\r\n]+/
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One result: ``dkim``, ``pass``, and the properties in their order, each with its name as ``header.d``. Method, result and
    names are in lower case."""

    method: str
    result: str
    properties: tuple[tuple[str, str], ...]

    def domains(self, name: str) -> list[str]:
        """The values of the properties of that name, each as a domain that can be compared."""
        return [_domain(value.rpartition("@")[2]) for key, value in self.properties if key == name]


@dataclass(frozen=True, slots=True)
class Results:
    """A field that could be read: which server wrote it, and the results of methods in the version that is known."""

    authserv_id: str
    results: tuple[Result, ...]


def is_aligned(results: str, authserv_id: str, sender: str) -> bool:
    """Whether the server `authserv_id` vouches in `results` for the domain of the address `sender`.

    It does with ``dmarc=pass`` for that very domain, or ``dkim=pass`` of a signature by that domain or one above it
    (mail.example.org may be signed by example.org, whose owner gives out its names anyway, and not the other way round: below
    a public suffix such as github.io strangers are neighbours). SPF is no proof, since it says nothing about From. Never
    raises: what cannot be read is no pass.
    """
    domain = _domain(sender.rpartition("@")[2])
    return bool(domain) and _vouch(_results(results, authserv_id), domain)


def checks(results: str, authserv_id: str, sender: str) -> tuple[str, ...]:
    """What the server `authserv_id` found by each check that could vouch for the address `sender`, such as "DKIM: fail" or
    "DMARC: pass, but for another domain"; nothing if it says nothing that can be read. None of the words come from the mail."""
    domain = _domain(sender.rpartition("@")[2])
    found: dict[str, None] = {}
    for each in _results(results, authserv_id):
        if each.method not in ("dkim", "dmarc") or each.result not in _SAID:
            continue
        elsewhere = ", but for another domain" if each.result == "pass" and not _is_of(each, domain) else ""
        found[f"{each.method.upper()}: {each.result}{elsewhere}"] = None
    return tuple(found)[:_MOST_CHECKS]


_SAID = ("pass", "fail", "none", "policy", "neutral", "temperror", "permerror", "hardfail", "softfail", "bestguesspass")
_MOST_CHECKS = 6


def _results(results: str, authserv_id: str) -> tuple[Result, ...]:
    """The results in a field, if that server has written it and it can be read. Never raises."""
    if not authserv_id or not results:
        return ()
    if _small(authserv_id) == MICROSOFT:
        if not _MICROSOFT_FORM.match(results):
            return ()
        results = f"{MICROSOFT}; {results}"
    read = read_results(results)
    return read.results if read is not None and _small(read.authserv_id) == _small(authserv_id) else ()


def read_results(field: str) -> Results | None:
    """The value of an Authentication-Results field; None unless it is one from beginning to end."""
    if len(field) > RESULTS_CHARS or _CONTROL.search(field):
        return None
    text = _without_comments(field)
    if text is None:
        return None
    try:
        return _parser().parse(text)  # pyright: ignore[reportReturnType]  (what the transformer makes)
    except LarkError:
        return None


def read_whoevers(field: str) -> Results | None:
    """The same for people to look at, whoever wrote it: that of Microsoft 365, too."""
    return read_results(f"{MICROSOFT}; {field}" if _MICROSOFT_FORM.match(field) else field)


def _without_comments(field: str) -> str | None:
    """The field with a blank in place of each comment (RFC 5322 section 3.2.2); None if one is not closed."""
    kept: list[str] = []
    depth = at = 0
    while at < len(field):
        found = (_IN_COMMENT if depth else _OUTSIDE).match(field, at)
        if found is None:
            return None
        at, piece = found.end(), found[0]
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(piece)
        if depth < 0:
            return None
    return None if depth else "".join(kept)


@v_args(inline=True)
class _Reading(Transformer[Token, Results]):
    def start(self, authserv_id: Token, *rest: Any) -> Results:
        version = next((each for each in rest if isinstance(each, Token)), "1")
        found = tuple(each for each in rest if isinstance(each, Result))
        # Nobody knows what another version means.
        return Results(_unquoted(authserv_id), found if version.lstrip("0") == "1" else ())

    def none(self, word: Token) -> None:
        if _small(word) != "none":
            raise LarkError

    def result(self, method: Token, *rest: Any) -> Result | None:
        words = [each for each in rest if isinstance(each, Token)]
        given = tuple(each for each in rest if isinstance(each, tuple))
        known = words[0].type == "NAME" or words[0].lstrip("0") == "1"
        return Result(_small(method), _small(words[-1]), given) if known else None

    def property(self, *parts: Token) -> tuple[str, str]:
        return ".".join(map(_small, parts[:-1])), _unquoted(parts[-1])

    def empty(self, *parts: Token) -> tuple[str, str]:
        return ".".join(map(_small, parts)), ""


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", transformer=_Reading())


def _vouch(results: Iterable[Result], domain: str) -> bool:
    return any(each.result == "pass" and _is_of(each, domain) for each in results)


def _is_of(result: Result, domain: str) -> bool:
    if result.method == "dmarc":
        return result.domains("header.from") == [domain]
    if result.method == "dkim":
        # Gmail names the signer by the identity (@example.org), which is the signing domain's or below it.
        signers = result.domains("header.d") or result.domains("header.i")
        return len(signers) == 1 and _is_above(signers[0], domain)
    return False


def _is_above(signer: str, domain: str) -> bool:
    return "." in signer and (signer == domain or domain.endswith(f".{signer}"))


def _unquoted(value: str) -> str:
    quoted = value.startswith('"') and value.endswith('"')
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL) if quoted else str(value)


def _small(text: str) -> str:
    """In lower case, ASCII only: other characters may have an unrelated lower case, as the Kelvin sign has k."""
    return text.translate(_SMALL)


_SMALL = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _domain(text: str) -> str:
    """A domain as it can be compared: in lower case, and in the form of the DNS if it has letters beyond ASCII; empty if that
    form means a different domain from the one written (IDNA 2003, which Python has, takes ß for ss)."""
    text = _small(text.strip()).removesuffix(".")
    if text.isascii():
        return text
    try:
        known = text.encode("idna")
        return known.decode() if known.decode("idna") == text else ""
    except UnicodeError:
        return ""

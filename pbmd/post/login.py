"""Logging in to a mail server, over IMAP or SMTP: by which mechanism, and what it means when the server refuses."""

from __future__ import annotations

import hmac
import re
from base64 import b64encode
from collections.abc import Callable, Collection
from enum import Enum

TOKEN_WAYS = ("XOAUTH2", "OAUTHBEARER")
PASSWORD_WAYS = ("PLAIN", "LOGIN", "CRAM-MD5")
"""SASL mechanisms for an OAuth2 access token (OAUTHBEARER is RFC 7628) and for a password (RFC 4616, RFC 2195), the best first.
The connection is encrypted or local, so a password may be sent in the clear."""


class Refusal(Enum):
    """What a refused login is about."""

    FINAL = "final"
    """User, password or token, or something that their owner has to mend: trying often gets accounts locked."""
    TEMPORARY = "temporary"
    """Trouble on the server, or a limit: it says nothing about the password."""


_OF_CODES = {
    # RFC 5530. What a human has to mend first.
    "AUTHENTICATIONFAILED": Refusal.FINAL,
    "AUTHORIZATIONFAILED": Refusal.FINAL,
    "EXPIRED": Refusal.FINAL,
    "PRIVACYREQUIRED": Refusal.FINAL,
    "CONTACTADMIN": Refusal.FINAL,
    "NOPERM": Refusal.FINAL,
    # RFC 5530, too.
    "UNAVAILABLE": Refusal.TEMPORARY,
    "INUSE": Refusal.TEMPORARY,
    "LIMIT": Refusal.TEMPORARY,
    "SERVERBUG": Refusal.TEMPORARY,
    "OVERQUOTA": Refusal.TEMPORARY,
    # Gmail's, and those of POP3 (RFC 2449, RFC 3206), which servers for both protocols may send.
    "THROTTLED": Refusal.TEMPORARY,
    "IN-USE": Refusal.TEMPORARY,
    "LOGIN-DELAY": Refusal.TEMPORARY,
    "SYS/TEMP": Refusal.TEMPORARY,
    # RFC 4954: the enhanced status of wrong credentials, and of a password that has to be reset first.
    "5.7.8": Refusal.FINAL,
    "4.7.12": Refusal.FINAL,
}
"""The meaning of a code in brackets, or before the words of an SMTP server. It counts for more than words do."""
_CODE = re.compile(r"\[([A-Z0-9/-]+)[ \]]|\b([45]\.\d{1,3}\.\d{1,3})\b", re.IGNORECASE)
_TEMPORARY_WORDS = re.compile(
    r"\btemporar(?:y|ily)\b|\bunavailable\b|\bnot available\b|\bmaintenance\b|\bbusy\b|\boverload(?:ed)?\b"
    r"|\b(?:try|retry)(?: \w+){0,2} later\b|\bagain later\b|\b(?:again|retry)(?: \w+)? (?:after|in) (?:an? \w+|\d+|some \w+)"
    r"|\btoo many\b|\b(?:simultaneous|concurrent)\b|\bmaximum number\b|\bthrottl(?:ed|ing)\b|\bquota\b|\bexceeded\b"
    r"|\b(?:rate|bandwidth|command|connection)s? limits?\b|\blimits? (?:reached|hit)\b"
    r"|\b(?:system|server|internal|backend|service|database|temp) (?:error|failure|problem)\b"
    r"|\btim(?:ed out|e-?out)\b|\bshut(?:ting)? ?down\b|\brestart(?:ed|ing)?\b|\b(?:is|are) down\b"
    r"|\b(?:can(?:no|')t|could not|unable to) (?:connect|contact|reach)\b|\bconnection (?:is |was )?(?:closed|lost|refused)\b",
    re.IGNORECASE,
)
"""Words for trouble that passes. No list of them is complete, so they are about trouble and limits in general; a refusal
without any of them is final."""
_TRANSITION = 432
"""RFC 4954: the password has to be reset before it can be used in this way."""


def refusal(said: str, code: int = 0) -> Refusal:
    """What a refused login is about, by the server's words and, over SMTP, the code of its reply.

    Codes decide where there are any (RFC 5530; RFC 4954, where 4yz is temporary), then words. The rest is final. A mistake
    costs little: a server wrongly believed to be in trouble is asked again at growing intervals (`pbmd.post.outage`), one
    wrongly believed to mean it after a minute.
    """
    if (known := refusal_by_code(said)) is not None:
        return known
    if code // 100 == 4:
        return Refusal.FINAL if code == _TRANSITION else Refusal.TEMPORARY
    return Refusal.TEMPORARY if _TEMPORARY_WORDS.search(said) else Refusal.FINAL


def refusal_by_code(said: str) -> Refusal | None:
    """The same of a connection that ended at the login (``* BYE [AUTHENTICATIONFAILED] …``), where the words alone do not show
    that it was a refusal at all: None unless there is a code for one."""
    codes = ((match[1] or match[2]).upper() for match in _CODE.finditer(said))
    return next((_OF_CODES[code] for code in codes if code in _OF_CODES), None)


class NoWayIn(Exception):
    """The server offers no way to log in with the credentials there are, and was sent none. The message says what it does
    offer."""


def ways(offered: Collection[str], *, is_token: bool) -> list[str]:
    """The mechanisms of those that a server offers, in capitals, by which a password or token can be sent to it, the best
    first. Raises `NoWayIn` if there is none."""
    known, other = (TOKEN_WAYS, PASSWORD_WAYS) if is_token else (PASSWORD_WAYS, TOKEN_WAYS)
    if found := [way for way in known if way in offered]:
        return found
    listed = ", ".join(offered)
    if not is_token and any(way in offered for way in other):
        raise NoWayIn(f"the server takes OAuth2 tokens only ({listed}), and the settings give a password")
    if is_token:
        raise NoWayIn(f"the server takes no OAuth2 token (it offers {listed or 'no way to log in'})")
    if offered:
        raise NoWayIn(f"the server takes no password in a way that pbmd knows (it offers {listed})")
    raise NoWayIn("the server offers no way to log in over this connection")


def answers(way: str, user: str, secret: str) -> Callable[[bytes | None], str]:
    """A function that answers the challenges of a server, one after the other, in a mechanism of `ways`. The first challenge
    may be None: where the mechanism does not need it, the server need not send it."""
    if way == "CRAM-MD5":
        return lambda challenge: f"{user} {hmac.digest(secret.encode(), challenge or b'', 'md5').hex()}"
    name = user.replace("=", "=3D").replace(",", "=2C")  # RFC 7628 section 3.1, RFC 5801 section 4
    told, last = {
        "PLAIN": ([f"\0{user}\0{secret}"], ""),
        "LOGIN": ([user, secret], ""),
        "XOAUTH2": ([f"user={user}\1auth=Bearer {secret}\1\1"], ""),
        "OAUTHBEARER": ([f"n,a={name},\1auth=Bearer {secret}\1\1"], "\1"),
    }[way]
    left = iter(told)
    # What follows the last answer is the server's error in JSON, which has to be dismissed (RFC 7628 section 3.2.3).
    return lambda _challenge: next(left, last)


def without_secret(said: str, user: str, secret: str) -> str:
    """What a server says about a login, without the credentials: some repeat the command that they refuse."""
    shown = (secret, f"\0{user}\0{secret}")
    codes = [b64encode(each.encode("utf-8", "surrogateescape")).decode("ascii") for each in shown]
    quoted = secret.replace("\\", "\\\\").replace('"', '\\"')
    for each in sorted({secret, quoted, *codes} - {""}, key=len, reverse=True):
        said = said.replace(each, "…")
    return said

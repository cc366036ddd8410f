"""Authentication-Results (RFC 8601): what the mail server that took a letter in found out about its sender.

Anybody can write such a field into a mail, and not every server takes forged ones out. So one field alone is asked: the
topmost of them, and only if the configured server has written it. A server that takes mail in puts its own field above all
that came with the mail; one that does so only sometimes (for signed mail, say) must not be configured.
"""

import re
from collections.abc import Iterator
from typing import Any

from authres import FeatureContext, dmarc

from pbmd.post.headers import Headers

MICROSOFT = "microsoft"
"""As `authserv_id`: Microsoft 365 writes none, which RFC 8601 does not allow, so that its form is read only when asked for."""
FIELD_CHARS = 8000
_MICROSOFT_FORM = re.compile(r"\s*(?:spf|dkim|dmarc)\s*=", re.IGNORECASE)
_FEATURES = FeatureContext(dmarc)


def topmost_results(fields: Headers) -> str:
    """The value of the topmost Authentication-Results field, "" if there is none that may be relied upon."""
    value = fields.first("authentication-results")
    return value.strip() if fields.clean and len(value) <= FIELD_CHARS else ""


def is_aligned(results: str, authserv_id: str, sender: str) -> bool:
    """Whether the server `authserv_id` vouches in `results` for the domain of the address `sender`.

    It does with ``dmarc=pass`` for that very domain, or ``dkim=pass`` of a signature by that domain or one above it
    (mail.example.org may be signed by example.org, and not the other way round: below a public suffix such as github.io
    strangers are neighbours). SPF is no proof, since it says nothing about From. Never raises: what cannot be read is no pass.
    """
    domain = _domain(sender.rpartition("@")[2])
    return bool(domain) and any(_vouches(result, domain) for result in _results(results, authserv_id))


def checks(results: str, authserv_id: str, sender: str) -> tuple[str, ...]:
    """What the server `authserv_id` found by each check that could vouch for the address `sender`, such as "DKIM: fail" or
    "DMARC: pass, but for another domain"; nothing if it says nothing that can be read. No word is from the mail."""
    domain = _domain(sender.rpartition("@")[2])
    found: dict[str, None] = {}
    for result in _results(results, authserv_id):
        said = str(result.result).lower()
        if result.method not in ("dkim", "dmarc") or said not in _SAID:
            continue
        elsewhere = ", but for another domain" if said == "pass" and not _vouches(result, domain) else ""
        found[f"{result.method.upper()}: {said}{elsewhere}"] = None
    return tuple(found)[:_MOST_CHECKS]


_SAID = ("pass", "fail", "none", "policy", "neutral", "temperror", "permerror", "hardfail", "softfail", "bestguesspass")
_MOST_CHECKS = 6


def _results(results: str, authserv_id: str) -> list[Any]:
    """The results in a field, if that server has written it and it can be read. Never raises."""
    if not authserv_id or not results:
        return []
    if authserv_id.lower() == MICROSOFT:
        if not _MICROSOFT_FORM.match(results):
            return []
        results = f"{MICROSOFT}; {results}"
    try:
        read: Any = _FEATURES.parse(f"Authentication-Results: {results}")
        return [*read.results] if str(read.authserv_id).lower() == authserv_id.lower() else []
    except Exception:  # whatever a hostile field finds in the parser, RecursionError too
        return []


def _vouches(result: Any, domain: str) -> bool:
    if str(result.result).lower() != "pass":
        return False
    if result.method == "dmarc":
        return list(_values(result, "from")) == [domain]
    if result.method == "dkim":
        # Gmail names the signer by the identity (@example.org), which is the signing domain's or below it.
        signers = list(_values(result, "d")) or list(_values(result, "i"))
        return len(signers) == 1 and _is_above(signers[0], domain)
    return False


def _values(result: Any, name: str) -> Iterator[str]:
    """The domains of the properties ``header.NAME`` of a result."""
    for given in result.properties:
        if str(given.type).lower() == "header" and str(given.name).lower() == name:
            yield _domain(str(given.value).rpartition("@")[2])


def _is_above(signer: str, domain: str) -> bool:
    return "." in signer and (signer == domain or domain.endswith(f".{signer}"))


def _domain(text: str) -> str:
    """A domain as it can be compared: lower case, and in the form of the DNS if it has other than ASCII letters."""
    text = text.strip().rstrip(".").lower()
    if text.isascii():
        return text
    try:
        return text.encode("idna").decode()
    except UnicodeError:
        return ""

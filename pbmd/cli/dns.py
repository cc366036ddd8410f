"""The DNS records of the mail's domain (MX, SPF, DKIM, DMARC): without them others take pbmd's mail for spam."""

import re
from collections.abc import Iterator, Sequence

import dns.exception
import dns.resolver
from dns.rdatatype import AAAA, MX, TXT, A, RdataType

from pbmd.cli.checks import Check
from pbmd.cli.symptoms import Symptom, more

_SECONDS = 4.0
_NOBODYS = (".test", ".example", ".invalid", ".localhost", ".local")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){0,9}")
_KEY = re.compile(r"(?:^|;)\s*p\s*=\s*[A-Za-z0-9+/]")
"""A key that is published and not revoked."""
_PAGE = "pbmd docs mail sent"


class CannotAsk(Exception):
    """No name server answers here."""


def look_up(domain: str, resolver: dns.resolver.Resolver | None = None) -> Iterator[Check]:
    """What can be found out about the domain of pbmd's address. Nothing about reserved domains (RFC 2606)."""
    if _is_nobodys(domain):
        return
    try:
        asked = _asked(resolver)
        yield _mx(asked, domain)
        yield _spf(asked, domain)
        yield _dmarc(asked, domain)
    except CannotAsk as problem:
        yield Check("DNS", True, f"cannot be asked here ({problem})")


def look_up_key(domain: str, selector: str, resolver: dns.resolver.Resolver | None = None) -> Iterator[Check]:
    """Whether others find the key that a DKIM-Signature names (RFC 6376, 3.6.2)."""
    if _is_nobodys(domain) or not _NAME.fullmatch(domain) or not _NAME.fullmatch(selector):
        return
    name = f"{selector}._domainkey.{domain}"
    try:
        records = _texts(_asked(resolver), name, TXT)
    except CannotAsk as problem:
        yield Check("DNS: DKIM", True, f"cannot be asked here ({problem})")
        return
    if any(_KEY.search(text) for text in records):
        yield Check("DNS: DKIM", True, f"{name} has the key of the signature")
        return
    hint = f"publish the key of the server that signs as a TXT record of {name}: {_PAGE}"
    yield Check("DNS: DKIM", False, f"{name} has no key, so that nobody can check the signature", hint, more(Symptom.SPAM))


def _is_nobodys(domain: str) -> bool:
    return "." not in domain or domain.endswith(_NOBODYS) or domain.removeprefix("mail.") in ("example.org", "example.com")


def _asked(resolver: dns.resolver.Resolver | None) -> dns.resolver.Resolver:
    """The resolver of this machine, unless another is given. Raises `CannotAsk`."""
    try:
        asked = resolver or dns.resolver.Resolver()
    except (dns.resolver.NoResolverConfiguration, ValueError) as problem:  # or its address of a server is not one
        raise CannotAsk(str(problem)) from problem
    asked.lifetime = _SECONDS
    return asked


def _mx(resolver: dns.resolver.Resolver, domain: str) -> Check:
    """Where mail for the domain goes (RFC 5321, 5.1)."""
    if servers := sorted(_texts(resolver, domain, MX), key=_preference):
        if [server.split()[-1] for server in servers] == ["."]:
            return Check("DNS: MX", False, f"{domain} takes no mail (RFC 7505)", "take the address of another domain")
        return Check(
            "DNS: MX",
            True,
            f"mail for {domain} goes to {', '.join(_host(server) for server in servers)}",
        )
    if _texts(resolver, domain, A) or _texts(resolver, domain, AAAA):
        return Check("DNS: MX", True, f"mail for {domain} goes to {domain} itself, which has no MX")
    return Check(
        "DNS: MX", False, f"there is no server for mail to {domain}", f"give {domain} an MX record, or mend [server] address"
    )


def _spf(resolver: dns.resolver.Resolver, domain: str) -> Check:
    """Who may send in the domain's name (RFC 7208): exactly one record."""
    records = [text for text in _texts(resolver, domain, TXT) if text.lower().split(" ")[0] == "v=spf1"]
    if len(records) == 1:
        return Check("DNS: SPF", True, records[0])
    said = f"{domain} has {len(records)} SPF records, which is as good as none" if records else f"{domain} has no SPF record"
    hint = f"one TXT record that names the servers that send for you: {_PAGE}"
    return Check("DNS: SPF", False, said, hint, more(Symptom.SPAM))


def _dmarc(resolver: dns.resolver.Resolver, domain: str) -> Check:
    """What others do with mail in the domain's name that is neither signed nor sent by its servers: the nearest record above it
    counts (RFC 7489, 6.6.3, which lets each domain be as long as it is: there are ones like games.org.uk)."""
    labels = domain.split(".")
    for place in (".".join(labels[at:]) for at in range(max(1, len(labels) - 1))):
        records = [text for text in _texts(resolver, f"_dmarc.{place}", TXT) if text.startswith("v=DMARC1")]
        if len(records) == 1:
            return Check("DNS: DMARC", True, records[0])
    return Check(
        "DNS: DMARC",
        False,
        f"{domain} has no DMARC record",
        f'a TXT record of _dmarc.{domain}, "v=DMARC1; p=none" to begin with: {_PAGE}',
        more(Symptom.SPAM),
    )


def _texts(resolver: dns.resolver.Resolver, name: str, kind: RdataType) -> Sequence[str]:
    """The records of a name, as text; none if there are none. Raises `CannotAsk`."""
    try:
        answer = resolver.resolve(name, kind)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.Timeout, dns.resolver.NoNameservers, OSError) as problem:
        raise CannotAsk(str(problem).partition(":")[0]) from problem
    except dns.exception.DNSException:  # an impossible name
        return []
    if kind == TXT:
        return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
    return [record.to_text() for record in answer]


def _preference(mx: str) -> tuple[int, str]:
    return int(mx.split()[0]), mx


def _host(mx: str) -> str:
    return mx.split()[-1].rstrip(".")

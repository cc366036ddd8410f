"""What the names of a domain say, asked of a real server of names."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from pbmd.cli.dns import look_up, look_up_key
from tests.cli.conftest import Home

GOOD = {
    ("games.org", "MX"): ["10 mx2.games.org.", "5 mx.games.org."],
    ("games.org", "TXT"): ['"some-site-verification=x"', '"v=spf1 mx " "-all"'],
    ("_dmarc.games.org", "TXT"): ['"v=DMARC1; p=quarantine"'],
}


@pytest.fixture
def resolver() -> Iterator[tuple[dns.resolver.Resolver, dict[tuple[str, str], list[str]]]]:
    """One that asks a server on this machine, and the records which that one has."""
    records: dict[tuple[str, str], list[str]] = {}
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as server:
        server.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                data, client = server.recvfrom(4096)
                if data == b"end":
                    return
                query = dns.message.from_wire(data)
                answer = dns.message.make_response(query)
                name, kind = query.question[0].name, dns.rdatatype.to_text(query.question[0].rdtype)
                if found := records.get((name.to_text(omit_final_dot=True), kind)):
                    answer.answer.append(dns.rrset.from_text_list(name, 60, "IN", kind, found))
                elif not any(known == name.to_text(omit_final_dot=True) for known, _ in records):
                    answer.set_rcode(dns.rcode.NXDOMAIN)
                server.sendto(answer.to_wire(), client)

        thread = threading.Thread(target=serve)
        thread.start()
        asks = dns.resolver.Resolver(configure=False)
        asks.nameservers = ["127.0.0.1"]
        asks.port = server.getsockname()[1]
        yield asks, records
        server.sendto(b"end", server.getsockname())
        thread.join()


def test_a_domain_that_has_all_is_told_of(resolver) -> None:
    asks, records = resolver
    records |= GOOD
    assert [(each.name, each.ok, each.detail) for each in look_up("games.org", asks)] == [
        ("DNS: MX", True, "mail for games.org goes to mx.games.org, mx2.games.org"),
        ("DNS: SPF", True, "v=spf1 mx -all"),
        ("DNS: DMARC", True, "v=DMARC1; p=quarantine"),
    ]


def test_a_domain_below_another_has_its_dmarc(resolver) -> None:
    asks, records = resolver
    records |= GOOD
    assert [each.ok for each in look_up("mail.games.org", asks)] == [False, False, True]


def test_a_domain_deep_below_has_the_nearest_dmarc(resolver) -> None:
    asks, records = resolver
    records |= {("_dmarc.club.org.uk", "TXT"): ['"v=DMARC1; p=none"'], ("_dmarc.org.uk", "TXT"): ['"v=DMARC1; p=reject"']}
    [dmarc] = [each for each in look_up("mail.games.club.org.uk", asks) if each.name == "DNS: DMARC"]
    assert (dmarc.ok, dmarc.detail) == (True, "v=DMARC1; p=none")


def test_a_domain_that_has_a_host_of_the_newer_addresses_alone_takes_mail(resolver) -> None:
    asks, records = resolver
    records |= {("games.org", "AAAA"): ["2001:db8::1"]}
    mx, *_ = look_up("games.org", asks)
    assert (mx.ok, mx.detail) == (True, "mail for games.org goes to games.org itself, which has no MX")


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_what_a_domain_says_does_nothing_to_the_terminal(
    resolver, home: Home, monkeypatch: pytest.MonkeyPatch, as_json: list[str]
) -> None:
    asks, records = resolver
    evil = "\x1b]0;owned\x07\x9b2J\u202e"
    records |= GOOD | {("games.org", "TXT"): [f'"v=spf1 {evil}" ' + f'"{"x" * 200}" ' * 12]}
    monkeypatch.setattr("pbmd.cli.dns._asked", lambda _resolver: asks)
    home.settings.write_text(home.settings.read_text().replace("games@pbmd.test", "games@games.org"))
    told = home.run("check", *as_json).output
    assert "v=spf1  ]0;owned  2J" in told
    assert all(character.isprintable() or character == "\n" for character in told)
    assert "x" * 2100 not in told


@pytest.mark.parametrize(
    ("change", "told", "mend"),
    [
        ({("games.org", "MX"): []}, "no server for mail to games.org", "MX record"),
        ({("games.org", "MX"): ["0 ."]}, "takes no mail", "another domain"),
        ({("games.org", "TXT"): ['"v=spf10"']}, "no SPF record", "one TXT record"),
        ({("games.org", "TXT"): ['"v=spf1 mx"', '"v=spf1 a"']}, "2 SPF records", "one TXT record"),
        ({("_dmarc.games.org", "TXT"): []}, "no DMARC record", "_dmarc.games.org"),
    ],
)
def test_what_is_missing_is_said_with_what_mends_it(resolver, change, told: str, mend: str) -> None:
    asks, records = resolver
    records |= GOOD | change
    [wrong] = [each for each in look_up("games.org", asks) if not each.ok]
    assert told in wrong.detail
    assert mend in wrong.mend


@pytest.fixture
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not answer is not waited for."""
    monkeypatch.setattr("pbmd.cli.dns._SECONDS", 0.2)


@pytest.mark.usefixtures("haste")
def test_where_nobody_answers_nothing_is_wrong(resolver) -> None:
    asks, _ = resolver
    asks.port = 9
    [told] = look_up("games.org", asks)
    assert told.ok
    assert "cannot be asked here" in told.detail


@pytest.mark.parametrize(
    "problem", [dns.resolver.NoResolverConfiguration("cannot open /etc/resolv.conf"), ValueError("nameserver x is no address")]
)
def test_where_it_is_not_written_whom_to_ask_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
    def unreadable() -> None:
        raise problem

    monkeypatch.setattr(dns.resolver, "Resolver", unreadable)
    for [told] in (look_up("games.org"), look_up_key("games.org", "pbmd")):
        assert (told.ok, told.detail) == (True, f"cannot be asked here ({problem})")


@pytest.mark.parametrize("domain", ["pbmd.test", "example.org", "localhost"])
def test_domains_that_nobody_has_are_not_asked_for(domain: str) -> None:
    assert [*look_up(domain)] == []


@pytest.mark.parametrize(
    ("records", "ok"),
    [
        (['"v=DKIM1; k=rsa; " "p=MIGfMA0G"'], True),
        (['"p=MIGfMA0G"'], True),
        (['"v=DKIM1; p="'], False),  # taken back
        (['"something else"'], False),
        ([], False),
    ],
)
def test_the_key_of_a_signature_is_found_or_missing(resolver, records: list[str], ok: bool) -> None:
    asks, known = resolver
    known |= {("pbmd._domainkey.games.org", "TXT"): records}
    [told] = look_up_key("games.org", "pbmd", asks)
    assert (told.name, told.ok) == ("DNS: DKIM", ok)
    assert "pbmd._domainkey.games.org" in told.detail
    assert ok or "TXT record of pbmd._domainkey.games.org" in told.mend


@pytest.mark.parametrize(
    ("domain", "selector"), [("pbmd.test", "s"), ("games.org", ""), ("games.org", "a b"), ("games.org", "ü"), ("", "s")]
)
def test_of_what_can_be_no_name_nothing_is_asked(domain: str, selector: str) -> None:
    assert [*look_up_key(domain, selector)] == []


@pytest.mark.usefixtures("haste")
def test_where_nobody_answers_no_key_is_missing(resolver) -> None:
    asks, _ = resolver
    asks.port = 9
    [told] = look_up_key("games.org", "pbmd", asks)
    assert told.ok
    assert "cannot be asked here" in told.detail

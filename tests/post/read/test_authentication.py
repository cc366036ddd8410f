"""What a mail server says about a sender counts only if it is the configured one, on top, and about the From address."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.post.read.authentication import checks, is_aligned
from pbmd.post.read.letter import read_letter

MX = "mx.pbmd.test"
ANNA = "anna@players.test"
GMAIL = (
    "mx.google.com;\n       dkim=pass header.i=@gmail.com header.s=20230601 header.b=abc;\n"
    "       spf=pass (google.com: domain of anna@gmail.com designates it as permitted sender) smtp.mailfrom=anna@gmail.com;\n"
    "       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=gmail.com"
)
FASTMAIL = "mx4.messagingengine.com; arc=none (no signatures found); dkim=pass (2048-bit rsa key sha256) header.d=players.test \
 header.i=@players.test header.b=abc header.a=rsa-sha256 header.s=fm1; dmarc=pass policy.published-domain-policy=none \
 policy.applied-disposition=none policy.evaluated-disposition=none (p=none,d=none,d.eval=none) policy.policy-from=p \
 header.from=players.test; spf=pass smtp.mailfrom=anna@players.test smtp.helo=out.players.test"
MICROSOFT = (
    "spf=pass (sender IP is 192.0.2.4) smtp.mailfrom=players.test; dkim=pass (signature was verified)"
    " header.d=players.test;dmarc=pass action=none header.from=players.test;compauth=pass reason=100"
)


@pytest.mark.parametrize(
    ("results", "server", "sender"),
    [
        (GMAIL, "mx.google.com", "anna@gmail.com"),
        (FASTMAIL, "mx4.messagingengine.com", ANNA),
        (MICROSOFT, "microsoft", ANNA),
        (f"{MX}; dmarc=pass header.from=players.test", MX, ANNA),
        (f"{MX} 1; DMARC=Pass Header.From=Players.Test", MX.upper(), ANNA),
        (f"{MX}; dkim=pass header.d=players.test", MX, ANNA),
        (f"{MX}; dkim=pass header.d=players.test", MX, "anna@mail.players.test"),
        (f"{MX}; dkim=fail header.d=players.test; dkim=pass header.d=players.test", MX, ANNA),
        (f"{MX}; dkim=pass header.i=@players.test", MX, ANNA),
        (f"{MX} (mail server); dkim=pass (really) header.d=players.test", MX, ANNA),
        (f"{MX}; dkim=pass header.d=xn--mller-kva.test", MX, "anna@müller.test"),
    ],
)
def test_an_aligned_pass_of_the_configured_server_counts(results, server, sender):
    assert is_aligned(results, server, sender)


@pytest.mark.parametrize(
    "results",
    [
        "",
        f"{MX}; none",
        f"{MX}; dmarc=fail header.from=players.test",
        f"{MX}; dmarc=pass header.from=evil.test",
        f"{MX}; dmarc=pass",
        f"{MX}; dmarc=pass smtp.from=players.test",
        f"{MX}; dmarc=pass header.from=players.test header.from=evil.test",
        f"{MX}; dkim=pass header.d=evil.test",
        f"{MX}; dkim=pass header.d=evil.test header.i=@players.test",
        f"{MX}; dkim=pass header.d=mail.players.test",
        f"{MX}; dkim=pass header.d=ayers.test",
        f"{MX}; dkim=pass header.d=test",
        f"{MX}; spf=pass smtp.mailfrom=anna@players.test",
        f"{MX}; iprev=pass header.d=players.test",
        "evil.test; dmarc=pass header.from=players.test",
        f"evil.test ({MX}); dmarc=pass header.from=players.test",
        f"evil.test; dkim=fail ({MX}; dmarc=pass header.from=players.test)",
        f'{MX}; dkim=fail reason="; dmarc=pass header.from=players.test" header.d=evil.test',
        f"({MX}; dmarc=pass header.from=players.test",
        f"{MX}.evil.test; dmarc=pass header.from=players.test",
        MICROSOFT,
        f"{MX}; " + "(" * 7000,
    ],
)
def test_anything_else_is_no_pass(results):
    assert not is_aligned(results, MX, ANNA)


def test_without_a_configured_server_nothing_counts():
    assert not is_aligned(f"{MX}; dmarc=pass header.from=players.test", "", ANNA)
    assert not is_aligned("microsoft; dmarc=pass header.from=players.test", "microsoft", ANNA)


def letter(*fields, body=b"hello"):
    return read_letter(b"".join(field.encode() + b"\r\n" for field in fields) + b"\r\n" + body)


GOOD = f"Authentication-Results: {MX};\r\n dmarc=pass header.from=players.test"


def vouched(*fields, **more):
    read = letter(*fields, **more)
    return is_aligned(read.results, MX, read.sender)


def test_only_the_topmost_field_is_asked():
    received, sender = "Received: from evil by mx.pbmd.test", f"From: {ANNA}"
    assert vouched(received, GOOD, sender)
    assert vouched(GOOD, received, "Authentication-Results: evil.test; dkim=pass header.d=evil.test", sender)
    assert not vouched(f"Authentication-Results: {MX}; dmarc=fail header.from=players.test", received, GOOD, sender)
    assert not vouched("Authentication-Results: evil.test; none", GOOD, sender)
    assert not vouched("Authentication-Results:", GOOD, sender)


def test_a_field_in_the_body_or_beyond_a_broken_header_is_none():
    assert not vouched(f"From: {ANNA}", body=GOOD.encode())
    assert not vouched(f"From: {ANNA}", "no header field", GOOD)
    assert not vouched(" begins with a continuation", GOOD, f"From: {ANNA}")
    assert not vouched(GOOD + " " * 9000, f"From: {ANNA}")


def test_a_field_in_utf_8_is_read_as_what_it_says():
    field = f"Authentication-Results: {MX}; dkim=pass (für Anna) header.d=müller.test"
    read = letter(field, "From: anna@xn--mller-kva.test")
    assert is_aligned(read.results, MX, read.sender)


def test_several_senders_are_not_vouched_for():
    assert not vouched(GOOD, f"From: {ANNA}", "From: mallory@evil.test")
    assert not vouched(GOOD, f"From: {ANNA}, mallory@evil.test")


@settings(max_examples=200)
@given(st.text(alphabet='mx.pbdtes;=() "\\\n\tplayrdkicomf@-', max_size=300))
def test_whatever_a_field_says_reading_it_never_fails(text):
    assert isinstance(is_aligned(f"{MX}; {text}", MX, ANNA), bool)


@pytest.mark.parametrize(
    ("results", "found"),
    [
        (f"{MX}; dmarc=pass header.from=players.test", ("DMARC: pass",)),
        (f"{MX}; dkim=fail header.d=players.test; dmarc=fail header.from=players.test", ("DKIM: fail", "DMARC: fail")),
        (f"{MX}; dkim=pass header.d=evil.test; dmarc=none", ("DKIM: pass, but for another domain", "DMARC: none")),
        (f"{MX}; dkim=fail header.d=a.test; dkim=fail header.d=b.test", ("DKIM: fail",)),
        (f"{MX}; spf=pass smtp.mailfrom=players.test", ()),
        (f"{MX}; dkim=evil-words header.d=players.test", ()),
        (f"{MX}; none", ()),
        ("mx.evil.test; dmarc=fail header.from=players.test", ()),
        ("nonsense", ()),
        ("", ()),
    ],
)
def test_what_the_server_found_is_said_in_words_of_ours(results: str, found: tuple[str, ...]) -> None:
    assert checks(results, MX, ANNA) == found


def test_what_microsoft_found_is_read_only_where_it_is_asked_for() -> None:
    assert checks(MICROSOFT.replace("pass", "fail"), "microsoft", ANNA) == ("DKIM: fail", "DMARC: fail")
    assert checks(MICROSOFT, MX, ANNA) == ()

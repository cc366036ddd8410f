"""Mails of the other side may say anything of how they are to be read."""

import time
from email.message import EmailMessage

import pytest

from pbmd.archive.evidence.claims import claims_of_mail

_MANY = 160_000
_SECONDS = 1.0
"""Of the processor: with Python's own codec for domain names it takes longer, and four times as long for twice as much."""


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape", "rot13", "zip", "no-such-set"])
def test_no_character_set_takes_long_or_is_more_than_text(charset: str) -> None:
    text = b"Receipt     7 of game galaxy-7, turn 1\n" + b"ab-c" * (_MANY // 4)
    raw = b"Subject: x\nContent-Type: text/plain; charset=" + charset.encode() + b"\n\n" + text
    began = time.process_time()
    claims = claims_of_mail(raw)
    assert time.process_time() - began < _SECONDS
    assert any(value.value == "7" for statement in claims.statements for value in statement.values)


def test_a_subject_is_read_in_the_same_way() -> None:
    raw = b"Subject: =?punycode?q?" + b"ab-c" * (_MANY // 4) + b"?=\n\nReceipt     7 of game galaxy-7, turn 1\n"
    began = time.process_time()
    assert claims_of_mail(raw).subject
    assert time.process_time() - began < _SECONDS


def test_a_subject_with_words_in_several_sets_is_put_together() -> None:
    mail = EmailMessage()
    mail["Subject"] = "[pbmd galaxy-7 t1] Größe für Altaïr: orders in"
    mail.set_content("Receipt     7 of game galaxy-7, turn 1\n")
    assert claims_of_mail(mail.as_bytes()).subject == "[pbmd galaxy-7 t1] Größe für Altaïr: orders in"
